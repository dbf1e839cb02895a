/* Each player's own actions, from the messages of a tick. */
#include "input_fixture.h"

#include <cairn/ecs.h>

#include <math.h>

static CnWorld *world;
static CnProducer *producer;
static CnPlayerActionsSource source;
static CnEntity one, two;

static int make_world(void **state)
{
    (void)state;
    world = cn_world_create(NULL, NULL);
    if (!world || !cn_player_actions_add(world, fixture_list, NULL))
        return -1;
    producer = cn_producer_create(world, NULL, NULL);
    source = cn_player_actions_source(world, producer);
    one = cn_spawn(world, cn_with(CnPlayerActions, {.player = 1}));
    two = cn_spawn(world, cn_with(CnPlayerActions, {.player = 2}));
    return 0;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define PLAYER_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static void tick(void)
{
    cn_producers_merge(world, NULL, NULL);
    assert_true(cn_world_update(world, 1.0f / 60, NULL));
}

static void send(uint32_t player, CnActions actions)
{
    assert_true(cn_player_actions_send(source, player, fixture_list, &actions));
}

static const CnPlayerActions *of(CnEntity entity)
{
    return cn_get(world, entity, CnPlayerActions);
}

static void a_message_reaches_its_player_alone(void **state)
{
    (void)state;
    send(2, (CnActions){.held = 1});
    tick();
    assert_int_equal(of(one)->actions.held, 0);
    assert_int_equal(of(two)->actions.held, 1);
}

static void all_entities_of_a_player_receive_its_messages(void **state)
{
    (void)state;
    CnEntity camera = cn_spawn(world, cn_with(CnPlayerActions, {.player = 2}));
    send(2, (CnActions){.held = 5});
    tick();
    assert_int_equal(of(two)->actions.held, 5);
    assert_int_equal(of(camera)->actions.held, 5);
}

static void a_message_without_a_receiver_changes_nothing(void **state)
{
    (void)state;
    uint64_t before = cn_world_hash(world);
    send(9, (CnActions){.held = 1});
    tick();
    assert_true(cn_world_hash(world) == before);
}

static void presses_and_motion_cover_one_tick(void **state)
{
    (void)state;
    send(1, (CnActions){.held = 1, .pressed = 1, .released = 2, .axes = {0.5f, 10, 20, 30}});
    tick();
    assert_int_equal(of(one)->actions.pressed, 1);
    assert_int_equal(of(one)->actions.released, 2);
    assert_true(of(one)->actions.axes[2] == 20);
    tick();
    assert_int_equal(of(one)->actions.pressed, 0);
    assert_int_equal(of(one)->actions.released, 0);
    assert_true(of(one)->actions.axes[1] == 0 && of(one)->actions.axes[2] == 0);
}

static void held_buttons_and_positions_stay_without_a_message(void **state)
{
    (void)state;
    send(1, (CnActions){.held = 1, .axes = {0.5f}});
    tick();
    tick();
    assert_int_equal(of(one)->actions.held, 1);
    assert_true(of(one)->actions.axes[0] == 0.5f);
}

static void messages_of_one_tick_accumulate(void **state)
{
    (void)state;
    send(1, (CnActions){.held = 1, .pressed = 1, .axes = {1, 10}});
    send(1, (CnActions){.held = 2, .pressed = 2, .released = 1, .axes = {-1, 5}});
    tick();
    const CnActions *actions = &of(one)->actions;
    assert_int_equal(actions->held, 2);
    assert_int_equal(actions->pressed, 3);
    assert_int_equal(actions->released, 1);
    assert_true(actions->axes[0] == -1); /* a position: the last */
    assert_true(actions->axes[1] == 15); /* a distance: the sum */
}

static void invalid_actions_are_not_sent(void **state)
{
    (void)state;
    const CnActions wrong[] = {{.axes = {1.5f}}, {.axes = {NAN}}, {.axes = {0, INFINITY}}};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++)
        assert_false(cn_player_actions_send(source, 1, fixture_list, &wrong[i]));
}

static void an_invalid_message_is_counted_and_changes_nothing_else(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    CnPlayerActionsEvent wrong = {.player = 1, .actions = {.held = 1, .axes = {NAN}}};
    CnPlayerActionsEvent bits = {.player = 1, .relative = 1u << 16, .actions = {.held = 1}};
    cn_produce_value(producer, source.channel, &wrong);
    cn_produce_value(producer, source.channel, &bits);
    tick();
    assert_int_equal(of(one)->ignored, 2);
    assert_int_equal(of(one)->actions.held, 0);
}

static void the_world_knows_the_list(void **state)
{
    (void)state;
    assert_ptr_equal(cn_player_actions_list(world).actions, fixture_descs);
    CnWorld *other = cn_world_create(NULL, NULL);
    assert_int_equal(cn_player_actions_list(other).count, 0);
    cn_world_destroy(other);
}

static void a_wrong_list_is_refused(void **state)
{
    (void)state;
    static const CnActionDesc wrong = {.name = "Jump!"};
    CnError error = {0};
    assert_false(cn_player_actions_add(world, (CnActionList){&wrong, 1}, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_ptr_equal(cn_player_actions_list(world).actions, fixture_descs);
}

static void registration_alone_does_not_change_the_state(void **state)
{
    (void)state;
    CnWorld *plain = cn_world_create(NULL, NULL), *other = cn_world_create(NULL, NULL);
    assert_true(cn_player_actions_register(other, NULL));
    assert_true(cn_world_hash(plain) == cn_world_hash(other));
    cn_world_destroy(plain);
    cn_world_destroy(other);
}

static void a_tick_allocates_nothing(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnWorld *counted =
        cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    assert_true(cn_player_actions_add(counted, fixture_list, NULL));
    CnPlayerActionsSource to =
        cn_player_actions_source(counted, cn_producer_create(counted, NULL, NULL));
    cn_spawn(counted, cn_with(CnPlayerActions, {.player = 1}));
    uint64_t calls = 0;
    for (int i = 0; i < 20; i++) {
        if (i == 10)
            calls = cn_heap_stats(heap).calls;
        assert_true(cn_player_actions_send(to, 1, fixture_list, &(CnActions){.held = 1}));
        cn_producers_merge(counted, NULL, NULL);
        assert_true(cn_world_update(counted, 1.0f / 60, NULL));
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    cn_world_destroy(counted);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLAYER_TEST(a_message_reaches_its_player_alone),
        PLAYER_TEST(all_entities_of_a_player_receive_its_messages),
        PLAYER_TEST(a_message_without_a_receiver_changes_nothing),
        PLAYER_TEST(presses_and_motion_cover_one_tick),
        PLAYER_TEST(held_buttons_and_positions_stay_without_a_message),
        PLAYER_TEST(messages_of_one_tick_accumulate),
        PLAYER_TEST(invalid_actions_are_not_sent),
        PLAYER_TEST(an_invalid_message_is_counted_and_changes_nothing_else),
        PLAYER_TEST(the_world_knows_the_list),
        PLAYER_TEST(a_wrong_list_is_refused),
        PLAYER_TEST(registration_alone_does_not_change_the_state),
        PLAYER_TEST(a_tick_allocates_nothing),
    };
    return cmocka_run_group_tests_name("player_actions", tests, NULL, NULL);
}
