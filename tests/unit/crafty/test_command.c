/* Commands: what they change, in the next tick, and what is ignored. */
#include "item_fixture.h"
#include "voxel_world.h"

#include <crafty/sim/connection.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/day.h>
#include <crafty/sim/motion.h>
#include <crafty/sim/rules.h>
#include <crafty/sim/weather.h>

#include <cairn/base/log.h>

#include <math.h>

typedef struct Session {
    VoxelWorld blocks;
    CraftyItems *items;
    CraftySimDesc desc;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    CraftyConnection *connection;
} Session;

static void begin_with(Session *session, CraftyViewer viewer)
{
    *session = (Session){.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                         .items = make_items(NULL)};
    session->desc = (CraftySimDesc){
        .voxels = session->blocks.world,
        .items = session->items,
        .start = {.viewer = viewer, .pose = {.position = {0, 300, 0}}, .freeze_blocks = true}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&session->desc);
    session->sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(session->sim);
    assert_true(cn_sim_add_plugin(session->sim, &crafty, NULL));
    session->world = cn_sim_world(session->sim);
    session->eye = cn_camera_active(session->world);
    session->connection = crafty_connection_create(session->world, CRAFTY_FIRST_PLAYER, NULL);
    assert_non_null(session->connection);
}

static void begin(Session *session)
{
    begin_with(session, CRAFTY_VIEWER_FLIES);
}

static void end(Session *session)
{
    crafty_connection_destroy(session->connection);
    cn_sim_destroy(session->sim);
    crafty_items_destroy(session->items);
    voxel_world_destroy(&session->blocks);
}

static void tick(Session *session)
{
    assert_true(cn_sim_tick_n(session->sim, 1, NULL));
}

/* Of the next tick; it is applied. */
static void command(Session *session, CraftyCommand command)
{
    uint64_t before = cn_resource(session->world, CraftyCommandCounts)->applied;
    assert_true(crafty_connection_send_command(session->connection, &command));
    assert_int_equal(cn_resource(session->world, CraftyCommandCounts)->applied, before);
    tick(session);
    assert_int_equal(cn_resource(session->world, CraftyCommandCounts)->applied, before + 1);
}

static CraftyStack held(const Session *session)
{
    return crafty_player_held(session->items, cn_get(session->world, session->eye, CraftyPlayer));
}

static void an_item_is_taken_into_the_hand_by_its_name(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session,
            (CraftyCommand){.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "red_wool", .count = 5});
    assert_int_equal(held(&session).item, crafty_items_find(session.items, "red_wool"));
    assert_int_equal(held(&session).count, 5);
    end(&session);
}

static void refused(Session *session, CraftyCommand command)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t before = cn_resource(session->world, CraftyCommandCounts)->ignored;
    assert_true(crafty_connection_send_command(session->connection, &command));
    tick(session);
    assert_int_equal(cn_resource(session->world, CraftyCommandCounts)->ignored, before + 1);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

/* A valid command that is not possible: counted, but not as ignored, and not logged. */
static void has_no_effect(Session *session, CraftyCommand command)
{
    const CraftyCommandCounts before = *cn_resource(session->world, CraftyCommandCounts);
    assert_true(crafty_connection_send_command(session->connection, &command));
    tick(session);
    const CraftyCommandCounts *after = cn_resource(session->world, CraftyCommandCounts);
    assert_int_equal(after->without_effect, before.without_effect + 1);
    assert_int_equal(after->ignored, before.ignored);
    assert_int_equal(after->applied, before.applied);
}

static void moving_nothing_has_no_effect_and_is_not_invalid(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    cn_get_mut(session.world, session.eye, CraftyPlayer)->slots[3] = (CraftyStack){0};
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_QUICK_MOVE, .from = 3});
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_QUICK_MOVE,
                                            .from = CRAFTY_COMMAND_CONTAINER});
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_UNDO});
    end(&session);
}

static void the_name_of_no_item_is_refused_and_counted(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    CraftyStack before = held(&session);
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_TAKE_ITEM,
                                            .item = "philosophers_stone",
                                            .count = 1});
    assert_int_equal(held(&session).item, before.item);
    end(&session);
}

static void more_than_a_stack_is_refused_and_counted(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    CraftyStack before = held(&session);
    has_no_effect(&session, (CraftyCommand){
                                .kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "red_wool", .count = 65});
    assert_int_equal(held(&session).item, before.item);
    end(&session);
}

static void the_mode_changes(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_CREATIVE});
    assert_int_equal(cn_get(session.world, session.eye, CraftyPlayer)->mode, CRAFTY_MODE_CREATIVE);
    assert_non_null(cn_get(session.world, session.eye, CnPlayerController));
    end(&session);
}

static void the_mouse_is_captured_and_released(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
    assert_true(crafty_player_aims(session.world, session.eye));
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 0});
    assert_false(crafty_player_aims(session.world, session.eye));
    end(&session);
}

static void the_sensitivity_of_the_mouse_changes(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_SENSITIVITY, .value = 0.25f});
    assert_float_equal(cn_get(session.world, session.eye, CnFlyCamera)->sensitivity, 0.25f, 0);
    end(&session);
}

static void a_camera_without_a_player_is_moved(void **state)
{
    (void)state;
    Session session;
    begin_with(&session, CRAFTY_VIEWER_TOUR);
    CraftyPose pose = {{10, 310, -7}, 90, -10};
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE,
                                      .position = pose.position,
                                      .yaw = pose.yaw,
                                      .pitch = pose.pitch});
    const CnTransform *transform = cn_get(session.world, session.eye, CnTransform);
    CnQuat rotation = crafty_pose_rotation(&pose);
    assert_memory_equal(&transform->position, &pose.position, sizeof pose.position);
    assert_memory_equal(&transform->rotation, &rotation, sizeof rotation);
    end(&session);
}

static void the_time_of_day_and_its_speed_change(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME_SPEED, .value = 0});
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME, .value = 18.5f});
    tick(&session);
    assert_float_equal(crafty_day_hours(session.world), 18.5f, 1e-4);
    end(&session);
}

static void weather_comes_with_or_without_a_transition(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_WEATHER, .choice = CRAFTY_HEAVY_RAIN});
    const CraftyWeather *weather = cn_resource(session.world, CraftyWeather);
    assert_true(weather->held && weather->kind == CRAFTY_HEAVY_RAIN && weather->rain < 0.1f);
    command(&session,
            (CraftyCommand){.kind = CRAFTY_COMMAND_WEATHER_NOW, .choice = CRAFTY_HEAVY_RAIN});
    assert_true(cn_resource(session.world, CraftyWeather)->rain > 0.9f);
    end(&session);
}

static void preferences_are_kept(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_PREFERENCES, .choice = 0});
    assert_int_equal(cn_get(session.world, session.eye, CraftyMotion)->preferences, 0);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_PREFERENCES,
                                      .choice = CRAFTY_PREFERS_AUTO_JUMP});
    assert_int_equal(cn_get(session.world, session.eye, CraftyMotion)->preferences,
                     CRAFTY_PREFERS_AUTO_JUMP);
    end(&session);
}

static void rules_without_commands_leave_the_world_to_the_console(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    cn_resource_mut(session.world, CraftyRules)->commands = false;
    const CraftyCommand refused[] = {
        {.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_CREATIVE},
        {.kind = CRAFTY_COMMAND_MOVE, .position = {1, 300, 1}},
        {.kind = CRAFTY_COMMAND_TIME, .value = 3},
        {.kind = CRAFTY_COMMAND_TIME_SPEED, .value = 3},
        {.kind = CRAFTY_COMMAND_WEATHER, .choice = CRAFTY_HEAVY_RAIN},
        {.kind = CRAFTY_COMMAND_WEATHER_NOW, .choice = CRAFTY_HEAVY_RAIN},
    };
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < CN_COUNT_OF(refused); i++)
        assert_true(crafty_connection_send_command(session.connection, &refused[i]));
    tick(&session);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(cn_resource(session.world, CraftyCommandCounts)->ignored,
                     CN_COUNT_OF(refused));
    assert_int_equal(cn_get(session.world, session.eye, CraftyPlayer)->mode, CRAFTY_MODE_SPECTATOR);
    CraftyConnection *console = crafty_connection_create(session.world, CRAFTY_CONSOLE, NULL);
    CraftyCommand mode = {
        .kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_SURVIVAL, .player = CRAFTY_FIRST_PLAYER};
    assert_true(crafty_connection_send_command(console, &mode));
    tick(&session);
    assert_int_equal(cn_get(session.world, session.eye, CraftyPlayer)->mode, CRAFTY_MODE_SURVIVAL);
    crafty_connection_destroy(console);
    end(&session);
}

/* A name without a terminator, as from a peer. */
#define EIGHT 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'
#define LONGEST EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
CN_STATIC_ASSERT(CRAFTY_ITEM_NAME_BYTES == 64, "LONGEST fills the name");

static const CraftyCommand invalid[] = {
    {.kind = CRAFTY_COMMAND_NONE},
    {.kind = CRAFTY_COMMAND_KIND_COUNT},
    {.kind = 255},
    {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "stone"},
    {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "", .count = 1},
    {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "Stone", .count = 1},
    {.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = {LONGEST}, .count = 1},
    {.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_COUNT},
    {.kind = CRAFTY_COMMAND_PREFERENCES, .choice = 2},
    {.kind = CRAFTY_COMMAND_CAPTURE, .choice = 2},
    {.kind = CRAFTY_COMMAND_SENSITIVITY, .value = 0},
    {.kind = CRAFTY_COMMAND_SENSITIVITY, .value = NAN},
    {.kind = CRAFTY_COMMAND_MOVE, .position = {INFINITY, 0, 0}},
    {.kind = CRAFTY_COMMAND_MOVE, .position = {0, NAN, 0}},
    {.kind = CRAFTY_COMMAND_MOVE, .position = {0, 0, 1e9f}},
    {.kind = CRAFTY_COMMAND_MOVE, .yaw = NAN},
    {.kind = CRAFTY_COMMAND_MOVE, .pitch = 91},
    {.kind = CRAFTY_COMMAND_TIME, .value = 24.5f},
    {.kind = CRAFTY_COMMAND_TIME, .value = -1},
    {.kind = CRAFTY_COMMAND_TIME_SPEED, .value = INFINITY},
    {.kind = CRAFTY_COMMAND_TIME_SPEED, .value = -1},
    {.kind = CRAFTY_COMMAND_WEATHER, .choice = CRAFTY_WEATHER_COUNT},
    {.kind = CRAFTY_COMMAND_WEATHER_NOW, .choice = 255},
};

static void invalid_commands_are_not_sent(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    for (uint32_t i = 0; i < CN_COUNT_OF(invalid); i++)
        assert_false(crafty_connection_send_command(session.connection, &invalid[i]));
    end(&session);
}

/* As from a recording, which does not use a connection. */
static void invalid_commands_that_arrive_are_counted_and_change_nothing(void **state)
{
    (void)state;
    Session session, other;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    begin(&session);
    begin(&other);
    CnProducer *producer = cn_producer_create(session.world, NULL, NULL);
    for (uint32_t i = 0; i < CN_COUNT_OF(invalid); i++) {
        CraftyCommand sent = invalid[i];
        sent.sender = CRAFTY_FIRST_PLAYER;
        assert_true(cn_produce_value(producer, cn_channel(session.world, CraftyCommand), &sent));
    }
    tick(&session);
    tick(&other);
    CraftyCommandCounts *counts = cn_resource_mut(session.world, CraftyCommandCounts);
    assert_int_equal(counts->ignored, CN_COUNT_OF(invalid));
    assert_int_equal(counts->applied, 0);
    counts->ignored = 0;
    assert_int_equal(cn_sim_hash(session.sim), cn_sim_hash(other.sim));
    end(&session);
    end(&other);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

static void commands_that_the_sender_cannot_obey_are_counted(void **state)
{
    (void)state;
    Session session;
    begin_with(&session, CRAFTY_VIEWER_TOUR); /* a camera without a player */
    has_no_effect(&session,
                  (CraftyCommand){.kind = CRAFTY_COMMAND_TAKE_ITEM, .item = "stone", .count = 1});
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE});
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE});
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_SENSITIVITY, .value = 1});
    end(&session);
}

static void commands_for_a_player_that_does_not_exist_are_counted(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    CraftyConnection *stranger = crafty_connection_create(session.world, 77, NULL), *own;
    own = session.connection;
    session.connection = stranger;
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE});
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
    session.connection = own;
    crafty_connection_destroy(stranger);
    end(&session);
}

/* Player 2 tries to act for player 1: by the field for the player, and by that of the sender, which
 * the connection overwrites. */
static void a_command_that_names_another_player_is_refused_and_counted(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    CnEntity second = cn_object(session.world, "Second");
    assert_true(crafty_player_make(session.world, second, 2, CRAFTY_MODE_SPECTATOR));
    CraftyConnection *own = session.connection;
    session.connection = crafty_connection_create(session.world, 2, NULL);
    refused(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE,
                                      .choice = CRAFTY_MODE_CREATIVE,
                                      .player = CRAFTY_FIRST_PLAYER});
    refused(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE,
                                      .choice = CRAFTY_MODE_CREATIVE,
                                      .player = CRAFTY_FIRST_PLAYER,
                                      .sender = CRAFTY_FIRST_PLAYER});
    assert_int_equal(cn_get(session.world, session.eye, CraftyPlayer)->mode, CRAFTY_MODE_SPECTATOR);
    assert_int_equal(cn_get(session.world, second, CraftyPlayer)->mode, CRAFTY_MODE_SPECTATOR);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE,
                                      .choice = CRAFTY_MODE_CREATIVE,
                                      .sender = CRAFTY_FIRST_PLAYER});
    assert_int_equal(cn_get(session.world, session.eye, CraftyPlayer)->mode, CRAFTY_MODE_SPECTATOR);
    assert_int_equal(cn_get(session.world, second, CraftyPlayer)->mode, CRAFTY_MODE_CREATIVE);
    crafty_connection_destroy(session.connection);
    session.connection = own;
    end(&session);
}

static void the_actions_of_a_connection_are_those_of_its_player(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    CnEntity second = cn_object(session.world, "Second");
    assert_true(crafty_player_make(session.world, second, 2, CRAFTY_MODE_SPECTATOR));
    CraftyConnection *other = crafty_connection_create(session.world, 2, NULL);
    assert_true(crafty_connection_send_actions(other, &(CnActions){.held = 5}));
    tick(&session);
    assert_int_equal(cn_get(session.world, session.eye, CnPlayerActions)->actions.held, 0);
    assert_int_equal(cn_get(session.world, second, CnPlayerActions)->actions.held, 5);
    crafty_connection_destroy(other);
    end(&session);
}

static void a_console_commands_any_player(void **state)
{
    (void)state;
    Session session;
    begin(&session);
    CraftyConnection *own = session.connection;
    session.connection = crafty_connection_create(session.world, CRAFTY_CONSOLE, NULL);
    command(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE,
                                      .choice = CRAFTY_MODE_CREATIVE,
                                      .player = CRAFTY_FIRST_PLAYER});
    assert_int_equal(cn_get(session.world, session.eye, CraftyPlayer)->mode, CRAFTY_MODE_CREATIVE);
    has_no_effect(&session, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE}); /* it is nobody itself */
    crafty_connection_destroy(session.connection);
    session.connection = own;
    end(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_taken_into_the_hand_by_its_name),
        cmocka_unit_test(moving_nothing_has_no_effect_and_is_not_invalid),
        cmocka_unit_test(the_name_of_no_item_is_refused_and_counted),
        cmocka_unit_test(more_than_a_stack_is_refused_and_counted),
        cmocka_unit_test(the_mode_changes),
        cmocka_unit_test(the_mouse_is_captured_and_released),
        cmocka_unit_test(the_sensitivity_of_the_mouse_changes),
        cmocka_unit_test(a_camera_without_a_player_is_moved),
        cmocka_unit_test(the_time_of_day_and_its_speed_change),
        cmocka_unit_test(weather_comes_with_or_without_a_transition),
        cmocka_unit_test(preferences_are_kept),
        cmocka_unit_test(rules_without_commands_leave_the_world_to_the_console),
        cmocka_unit_test(invalid_commands_are_not_sent),
        cmocka_unit_test(invalid_commands_that_arrive_are_counted_and_change_nothing),
        cmocka_unit_test(commands_that_the_sender_cannot_obey_are_counted),
        cmocka_unit_test(commands_for_a_player_that_does_not_exist_are_counted),
        cmocka_unit_test(a_command_that_names_another_player_is_refused_and_counted),
        cmocka_unit_test(the_actions_of_a_connection_are_those_of_its_player),
        cmocka_unit_test(a_console_commands_any_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
