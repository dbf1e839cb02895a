/* test-labels: threads slow */
/*
 * A robot walks to a villager of a village and buys something, by the messages of a player alone.
 * The states are the same for any number of threads, and after the world was saved and opened again
 * in the middle of a trade.
 */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/robot/robot.h>
#include <crafty/sim/day.h>
#include <crafty/sim/trade.h>
#include <crafty/sim/villager.h>
#include <crafty/sim/weather.h>

#define SEED 42u
#define TO_WORK 1500u /* ticks until villagers are where they work */
#define FLUSH_MS 60000u

static Scratch scratch;
static CnVec3 village;

/* A block above the ground beside the well. */
static CnVec3 find_village(void)
{
    CnCell middle;
    CraftyWorld *probe =
        crafty_world_create(&(CraftyWorldDesc){.seed = SEED, .workers = CN_JOBS_NONE}, NULL);
    assert_non_null(probe);
    assert_true(cn_generate_find_village(crafty_world_generator(probe), crafty_world_scratch(probe),
                                         0, 0, 4000, &middle));
    crafty_world_destroy(probe);
    return cn_vec3((float)middle.x + 5.5f, (float)middle.y + 4, (float)middle.z + 5.5f);
}

static CraftySession *open_game(uint32_t threads, CraftySave *save)
{
    CnError error = {0};
    CraftySession *session =
        crafty_session_create(&(CraftySessionDesc){.start = {.seed = SEED,
                                                             .viewer = CRAFTY_VIEWER_WALKS,
                                                             .mode = CRAFTY_MODE_CREATIVE,
                                                             .commands = true,
                                                             .difficulty = CRAFTY_PEACEFUL,
                                                             .has_weather = true,
                                                             .weather = CRAFTY_CLEAR,
                                                             .hours = 10,
                                                             .players = 1,
                                                             .pose.position = village},
                                                   .threads = threads,
                                                   .save = save},
                              &error);
    if (!session)
        fail_msg("%s", error.message);
    return session;
}

static void begin_robot(CraftyRobot *robot, CraftySession *session)
{
    CnError error = {0};
    if (!crafty_robot_begin(robot, session, &error))
        fail_msg("%s", error.message);
}

/* ---- What the robot does ---- */

static CnEntity nearest_villager(const CraftyRobot *robot)
{
    CnQueryDesc desc = {.all = {cn_reads(CraftyVillager), cn_reads(CnTransform)}};
    CnQuery *query = cn_query_acquire(robot->world, &desc, NULL);
    CnVec3 eye = crafty_robot_eye(robot);
    CnEntity nearest = {0};
    float best = 1e9f;
    CnChunkView view;
    assert_non_null(query);
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            float distance =
                cn_vec3_length(cn_vec3_sub(cn_column_const(&view, CnTransform)[i].position, eye));
            if (distance < best && cn_column_const(&view, CraftyVillager)[i].arrived) {
                best = distance;
                nearest = view.entities[i];
            }
        }
    cn_query_release(query);
    return nearest;
}

static CnVec3 place_of(const CraftyRobot *robot, CnEntity entity)
{
    return cn_get(robot->world, entity, CnTransform)->position;
}

/* Goes to the villager and uses it. */
static bool use_villager(CraftyRobot *robot, CnEntity villager)
{
    for (uint32_t i = 0; i < 20 && !crafty_trade_partner(robot->world, robot->player).id; i++) {
        CnVec3 at = place_of(robot, villager);
        CnCell cell = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y + 0.1f),
                       (int32_t)cn_floorf(at.z)};
        crafty_robot_go(robot, cell, 2);
        crafty_robot_look_at(robot, cn_vec3_add(at, cn_vec3(0, 1.2f, 0)));
        crafty_robot_tick(robot);
        crafty_robot_hold(robot, "place_block", true);
        crafty_robot_tick(robot);
        crafty_robot_release(robot);
        crafty_robot_tick(robot);
    }
    return crafty_trade_partner(robot->world, robot->player).id == villager.id;
}

/* Returns an offer of the partner that costs emeralds alone. */
static const CraftyOffer *find_offer(const CraftyRobot *robot)
{
    CnEntity partner = crafty_trade_partner(robot->world, robot->player);
    const CraftyVillager *villager = cn_get(robot->world, partner, CraftyVillager);
    const CraftyTrades *trades = cn_resource(robot->world, CraftyItemList)->trades;
    CraftyProfession profession = (CraftyProfession)villager->profession;
    for (uint32_t i = 0; i < crafty_trades_count(trades, profession); i++) {
        const CraftyOffer *offer = crafty_trades_at(trades, profession, i);
        if (offer->cost_count == 1 &&
            offer->costs[0].item == crafty_items_find(robot->items, "emerald"))
            return offer;
    }
    fail_msg("there is no offer for emeralds");
    return NULL;
}

static uint32_t owned(const CraftyRobot *robot, CraftyItem item)
{
    return crafty_trade_owned(crafty_robot_player(robot), item);
}

static bool buy(CraftyRobot *robot, const CraftyOffer *offer)
{
    return crafty_robot_command(
        robot, (CraftyCommand){.kind = CRAFTY_COMMAND_TRADE, .choice = offer->number, .count = 1});
}

/* Until the trade is open and the first thing is bought. */
static void begin_trade(CraftyRobot *robot)
{
    assert_true(crafty_robot_wait(robot, TO_WORK));
    assert_true(crafty_robot_command(
        robot, (CraftyCommand){.kind = CRAFTY_COMMAND_CHAT, .text = "/give emerald 20"}));
    CnEntity villager = nearest_villager(robot);
    assert_true(villager.id != 0);
    assert_true(use_villager(robot, villager));
    const CraftyOffer *offer = find_offer(robot);
    uint32_t emeralds = owned(robot, offer->costs[0].item), had = owned(robot, offer->result.item);
    assert_true(buy(robot, offer));
    assert_int_equal(owned(robot, offer->costs[0].item), emeralds - offer->costs[0].count);
    assert_int_equal(owned(robot, offer->result.item), had + offer->result.count);
}

/* The trade is still open, and the villager knows what it has sold. */
static void end_trade(CraftyRobot *robot)
{
    CnEntity villager = crafty_trade_partner(robot->world, robot->player);
    assert_true(villager.id != 0);
    const CraftyOffer *offer = find_offer(robot);
    assert_int_equal(crafty_trade_stock(robot->world, villager, offer), offer->stock - 1);
    assert_true(buy(robot, offer));
    assert_int_equal(crafty_trade_stock(robot->world, villager, offer), offer->stock - 2);
    assert_true(crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE}));
    assert_true(crafty_robot_wait(robot, 60));
}

static uint64_t hash_of(CraftySession *session)
{
    return cn_sim_hash(crafty_session_sim(session)) ^
           cn_voxels_hash(crafty_world_voxels(crafty_session_world(session)));
}

static uint64_t play(uint32_t threads)
{
    CraftyRobot robot;
    CraftySession *session = open_game(threads, NULL);
    begin_robot(&robot, session);
    begin_trade(&robot);
    crafty_robot_end(&robot);
    begin_robot(&robot, session);
    end_trade(&robot);
    crafty_robot_end(&robot);
    uint64_t hash = hash_of(session);
    crafty_session_destroy(session);
    return hash;
}

/* ---- Tests ---- */

static void a_robot_trades_with_the_same_states_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t one = play(1);
    assert_true(play(4) == one);
}

static void a_trade_goes_on_after_the_world_was_saved_and_opened_again(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyRobot robot;
    uint64_t expected = play(1);
    const char *path = scratch_path(&scratch, "trade.crafty");
    for (uint32_t part = 0; part < 2; part++) {
        CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = SEED}, &error);
        assert_non_null(save);
        CraftySession *session = open_game(2, save);
        begin_robot(&robot, session);
        if (part == 0)
            begin_trade(&robot);
        else
            end_trade(&robot);
        crafty_robot_end(&robot);
        if (part == 1)
            assert_true(hash_of(session) == expected);
        assert_true(crafty_save_write(save, crafty_session_world(session),
                                      crafty_session_sim(session), &error) &&
                    crafty_save_flush(save, FLUSH_MS, &error));
        crafty_session_destroy(session);
        crafty_save_close(save);
    }
}

/* At seven in the evening, villagers go home. */
static void a_villager_stays_and_faces_its_customer(void **state)
{
    (void)state;
    CraftyRobot robot;
    CraftySession *session = open_game(1, NULL);
    begin_robot(&robot, session);
    begin_trade(&robot);
    CnEntity villager = crafty_trade_partner(robot.world, robot.player);
    CnVec3 before = place_of(&robot, villager);
    crafty_day_set_hours(robot.world, 19);
    assert_true(crafty_robot_wait(&robot, 120));
    CnVec3 at = place_of(&robot, villager), to = cn_vec3_sub(crafty_robot_eye(&robot), at);
    CnVec3 faces =
        cn_quat_rotate(cn_get(robot.world, villager, CnTransform)->rotation, cn_vec3(0, 0, -1));
    to = cn_vec3_normalize(cn_vec3(to.x, 0, to.z));
    assert_true(cn_vec3_length(cn_vec3_sub(at, before)) < 0.01f);
    assert_true(cn_vec3_dot(faces, to) > 0.98f);
    assert_true(crafty_robot_command(&robot, (CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE}));
    assert_true(crafty_robot_wait(&robot, 240));
    assert_true(cn_vec3_length(cn_vec3_sub(place_of(&robot, villager), before)) > 1);
    crafty_robot_end(&robot);
    crafty_session_destroy(session);
}

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    village = find_village();
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_trades_with_the_same_states_on_any_number_of_threads),
        cmocka_unit_test(a_trade_goes_on_after_the_world_was_saved_and_opened_again),
        cmocka_unit_test(a_villager_stays_and_faces_its_customer),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
