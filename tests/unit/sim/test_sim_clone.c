/* Clones of simulations: the same state, the same way on, and nothing shared. */
#include "cmocka_tests.h"

#include <cairn/sim.h>
#include <string.h>

CN_COMPONENT(Walker, (f32, x), (u32, steps));
CN_COMPONENT(Shout, (u32, words));
CN_COMPONENT(Heard, (u64, sum));
CN_COMPONENT(Order, (u32, amount));

/* What the plugin has for each simulation: pointers into its world. */
typedef struct Garden {
    CnChannel *shouts, *orders;
    CnProducer *producer;
} Garden;

static uint32_t live_gardens;

static void hear(CnSystemContext *context)
{
    const Garden *garden = context->user;
    Heard *heard = cn_resource_mut(context->world, Heard);
    for (uint32_t i = 0; i < cn_event_count(garden->shouts); i++)
        heard->sum = heard->sum * 31 + cn_events(garden->shouts, Shout)[i].words;
    for (uint32_t i = 0; i < cn_event_count(garden->orders); i++)
        cn_defer_spawn(context->commands,
                       cn_with(Walker, {(float)cn_events(garden->orders, Order)[i].amount, 0}));
}

static void walk(CnSystemContext *context)
{
    const Garden *garden = context->user;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Walker *walkers = cn_column(&view, Walker);
        for (uint32_t i = 0; i < view.count; i++) {
            walkers[i].x += context->dt;
            if (++walkers[i].steps % 7 == 0)
                cn_send(garden->shouts, Shout, {walkers[i].steps});
            if (walkers[i].steps == 40)
                cn_defer_destroy(context->commands, view.entities[i]);
        }
    }
}

static void start_walking(CnSystemContext *context)
{
    for (uint32_t i = 0; i < 10; i++)
        cn_defer_spawn(context->commands, cn_with(Walker, {0, i}));
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    Garden *garden = user;
    CnWorld *world = cn_sim_world(sim);
    garden->shouts = cn_channel(world, Shout);
    garden->orders = cn_channel(world, Order);
    garden->producer = cn_producer_create(world, NULL, NULL);
    cn_resource_set(world, Heard, {0});
    const CnSystemDesc systems[] = {
        {.name = "start", .run = start_walking, .stage = CN_STAGE_STARTUP},
        {.name = "hear", .run = hear, .user = garden, .stage = CN_STAGE_POST_UPDATE},
        {.name = "walk",
         .run = walk,
         .user = garden,
         .set = "moving",
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_writes(Walker)}},
         .access = {cn_writes(Shout)}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!cn_system_add(world, &systems[i], error).id)
            return false;
    return true;
}

static void finish(CnSim *sim, void *user)
{
    (void)sim;
    free(user);
    live_gardens--;
}

static bool add_garden(CnSim *sim, CnError *error);

static bool clone_garden(CnSim *clone, const CnSim *sim, void *user, CnError *error)
{
    (void)sim, (void)user;
    return add_garden(clone, error);
}

static bool add_garden(CnSim *sim, CnError *error)
{
    Garden *garden = calloc(1, sizeof *garden);
    live_gardens++;
    const CnPlugin plugin = {
        .name = "Garden", .build = build, .finish = finish, .clone = clone_garden, .user = garden};
    if (cn_sim_add_plugin(sim, &plugin, error))
        return true;
    finish(sim, garden);
    return false;
}

/* ---- Fixture ---- */

static CnSim *sim, *copy;

static int make(void **state)
{
    (void)state;
    live_gardens = 0;
    copy = NULL;
    sim = cn_sim_create(&(CnSimDesc){.seed = 3, .tick_hz = 50, .max_catch_up_ticks = 5}, NULL);
    return sim && add_garden(sim, NULL) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cn_sim_destroy(copy);
    cn_sim_destroy(sim);
    return live_gardens == 0 ? 0 : -1;
}

static void clone(void)
{
    CnError error = {0};
    copy = cn_sim_clone(sim, NULL, &error);
    if (!copy)
        fail_msg("%s", error.message);
}

static void assert_refused(const char *part)
{
    CnError error = {0};
    assert_null(cn_sim_clone(sim, NULL, &error));
    if (!strstr(error.message, part))
        fail_msg("%s", error.message);
}

/* A message from outside. */
static void order(CnSim *of, uint32_t amount)
{
    CnWorld *world = cn_sim_world(of);
    CnProducer *producer = cn_producer_create(world, NULL, NULL);
    cn_produce(producer, cn_channel(world, Order), Order, {amount});
    cn_producer_destroy(producer);
}

static void tick(CnSim *of)
{
    CnError error = {0};
    uint64_t number = cn_sim_tick(of);
    if (number % 5 == 0)
        order(of, (uint32_t)number);
    if (!cn_sim_tick_n(of, 1, &error))
        fail_msg("%s", error.message);
}

static void run(CnSim *of, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++)
        tick(of);
}

/* ---- The same state ---- */

static void a_clone_has_the_same_hash_and_tick(void **state)
{
    (void)state;
    run(sim, 20);
    clone();
    assert_true(cn_sim_hash(copy) == cn_sim_hash(sim));
    assert_int_equal(cn_sim_tick(copy), 20);
    assert_int_equal(cn_sim_seed(copy), 3);
}

static void both_go_the_same_way_with_the_same_messages(void **state)
{
    (void)state;
    run(sim, 20);
    clone();
    for (uint32_t i = 0; i < 100; i++) {
        tick(sim);
        tick(copy);
        assert_true(cn_sim_hash(copy) == cn_sim_hash(sim));
    }
    assert_true(cn_resource(cn_sim_world(sim), Heard)->sum > 0);
}

static void events_that_wait_between_ticks_reach_the_clone(void **state)
{
    (void)state;
    run(sim, 3);
    cn_send(cn_channel(cn_sim_world(sim), Shout), Shout, {77});
    clone();
    assert_int_equal(cn_event_count(cn_channel(cn_sim_world(copy), Shout)),
                     cn_event_count(cn_channel(cn_sim_world(sim), Shout)));
    uint64_t before = cn_resource(cn_sim_world(copy), Heard)->sum;
    run(sim, 1);
    run(copy, 1);
    assert_true(cn_resource(cn_sim_world(copy), Heard)->sum != before);
    assert_true(cn_sim_hash(copy) == cn_sim_hash(sim));
}

static void a_clone_from_before_the_first_tick_runs_the_startup_stages(void **state)
{
    (void)state;
    clone();
    run(sim, 1);
    run(copy, 1);
    assert_int_equal(cn_entity_count(cn_sim_world(copy)), 11);
    assert_true(cn_sim_hash(copy) == cn_sim_hash(sim));
}

static void a_clone_after_the_first_tick_does_not_run_them_again(void **state)
{
    (void)state;
    run(sim, 1);
    clone();
    run(copy, 1);
    assert_int_equal(cn_entity_count(cn_sim_world(copy)), 11);
}

static void the_clock_goes_on_where_it_was(void **state)
{
    (void)state;
    cn_sim_time(sim)->scale = 0.5;
    assert_true(cn_sim_frame(sim, 0.03, NULL));
    cn_sim_pause(sim, true);
    clone();
    assert_true(cn_sim_is_paused(copy));
    assert_int_equal(cn_sim_clock(copy)->tick_hz, 50);
    assert_int_equal(cn_sim_clock(copy)->max_catch_up_ticks, 5);
    cn_sim_pause(sim, false);
    cn_sim_pause(copy, false);
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(cn_sim_frame(sim, 0.03, NULL) && cn_sim_frame(copy, 0.03, NULL));
        assert_int_equal(cn_sim_tick(copy), cn_sim_tick(sim));
    }
}

static void what_is_disabled_is_disabled_in_the_clone(void **state)
{
    (void)state;
    run(sim, 2);
    CnWorld *world = cn_sim_world(sim);
    cn_system_enable(world, cn_system_find(world, "hear"), false);
    cn_system_set_enable(world, "moving", false);
    clone();
    uint64_t before =
        cn_world_hash_component(cn_sim_world(copy), cn_id(cn_sim_world(copy), Walker));
    run(copy, 10);
    assert_true(cn_world_hash_component(cn_sim_world(copy), cn_id(cn_sim_world(copy), Walker)) ==
                before);
    cn_system_set_enable(cn_sim_world(copy), "moving", true);
    run(copy, 1);
    assert_true(cn_world_hash_component(cn_sim_world(copy), cn_id(cn_sim_world(copy), Walker)) !=
                before);
}

/* ---- Independence ---- */

static void what_happens_in_one_is_not_seen_in_the_other(void **state)
{
    (void)state;
    run(sim, 20);
    clone();
    uint64_t before = cn_sim_hash(sim);
    run(copy, 30);
    assert_true(cn_sim_hash(sim) == before);
    assert_int_equal(cn_sim_tick(sim), 20);
    run(sim, 30);
    assert_true(cn_sim_hash(sim) == cn_sim_hash(copy));
}

static void a_clone_outlives_its_original(void **state)
{
    (void)state;
    run(sim, 20);
    clone();
    cn_sim_destroy(sim);
    sim = copy;
    copy = NULL;
    run(sim, 30);
    clone();
    assert_true(cn_sim_hash(sim) == cn_sim_hash(copy));
}

static void input_of_the_clone_is_its_own(void **state)
{
    (void)state;
    run(sim, 1);
    clone();
    cn_input_key(cn_sim_input(copy), CN_KEY_A, true);
    run(copy, 1);
    run(sim, 1);
    assert_true(cn_key_held(cn_resource(cn_sim_world(copy), CnInputState), CN_KEY_A));
    assert_false(cn_key_held(cn_resource(cn_sim_world(sim), CnInputState), CN_KEY_A));
}

static void a_clone_has_an_outbox_of_its_own(void **state)
{
    (void)state;
    run(sim, 3);
    clone();
    assert_ptr_not_equal(cn_sim_outbox(copy), cn_sim_outbox(sim));
    assert_ptr_equal(cn_resource(cn_sim_world(copy), CnRenderOut)->outbox, cn_sim_outbox(copy));
    run(copy, 4);
    assert_int_equal(cn_outbox_stats(cn_sim_outbox(copy)).published, 4);
    assert_int_equal(cn_outbox_stats(cn_sim_outbox(sim)).published, 3);
}

/* ---- Plugins ---- */

static bool build_inner(CnSim *of, void *user, CnError *error)
{
    (void)of, (void)user, (void)error;
    return true;
}

static bool build_outer(CnSim *of, void *user, CnError *error)
{
    (void)user;
    return cn_sim_add_plugin(of, &(CnPlugin){.name = "Inner", .build = build_inner}, error);
}

static void plugins_come_in_the_same_order(void **state)
{
    (void)state;
    assert_true(cn_sim_add_plugin(sim, &(CnPlugin){.name = "Outer", .build = build_outer}, NULL));
    clone();
    assert_int_equal(cn_sim_plugin_count(copy), cn_sim_plugin_count(sim));
    for (uint32_t i = 0; i < cn_sim_plugin_count(sim); i++)
        assert_string_equal(cn_sim_plugin_name(copy, i), cn_sim_plugin_name(sim, i));
}

static void a_plugin_with_a_user_and_no_clone_function_is_named(void **state)
{
    (void)state;
    static uint32_t user;
    assert_true(cn_sim_add_plugin(
        sim, &(CnPlugin){.name = "Stubborn", .build = build_inner, .user = &user}, NULL));
    assert_refused("plugin Stubborn has a user pointer");
}

static bool clone_nothing(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    (void)to, (void)from, (void)user, (void)error;
    return true;
}

static void a_clone_function_that_adds_nothing_is_named(void **state)
{
    (void)state;
    assert_true(cn_sim_add_plugin(
        sim, &(CnPlugin){.name = "Lazy", .build = build_inner, .clone = clone_nothing}, NULL));
    assert_refused("plugin Lazy did not add itself");
}

static void do_nothing(CnSystemContext *context)
{
    (void)context;
}

static void a_system_that_no_plugin_added_is_named(void **state)
{
    (void)state;
    assert_true(
        cn_system_add(cn_sim_world(sim), &(CnSystemDesc){.name = "loose", .run = do_nothing}, NULL)
            .id);
    assert_refused("no system loose");
}

static bool save_nothing(void *user, CnU8Array *bytes, CnError *error)
{
    (void)user, (void)bytes, (void)error;
    return true;
}

static bool restore_nothing(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    (void)user, (void)bytes, (void)size, (void)error;
    return true;
}

static void a_state_section_that_no_plugin_added_is_named_in_the_error(void **state)
{
    (void)state;
    CnStateSection section = {"diary", save_nothing, restore_nothing, NULL};
    assert_true(cn_sim_add_state_section(sim, &section, NULL));
    assert_refused("state section diary");
}

static void waiting_commands_are_refused(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(cn_sim_world(sim), NULL);
    cn_defer_spawn(commands, cn_with(Walker, {0, 0}));
    assert_refused("flush it first");
    cn_commands_destroy(commands);
}

static void a_command_buffer_that_no_plugin_made_is_refused(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(cn_sim_world(sim), NULL);
    assert_refused("command buffers");
    cn_commands_destroy(commands);
    clone();
}

static void the_world_alone_refers_to_the_clone_of_the_simulation(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_world_clone(cn_sim_world(sim), NULL, &error));
    assert_non_null(strstr(error.message, "CnRenderOut"));
    assert_non_null(strstr(error.message, "cn_sim_clone"));
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(a_clone_has_the_same_hash_and_tick),
        SIM_TEST(both_go_the_same_way_with_the_same_messages),
        SIM_TEST(events_that_wait_between_ticks_reach_the_clone),
        SIM_TEST(a_clone_from_before_the_first_tick_runs_the_startup_stages),
        SIM_TEST(a_clone_after_the_first_tick_does_not_run_them_again),
        SIM_TEST(the_clock_goes_on_where_it_was),
        SIM_TEST(what_is_disabled_is_disabled_in_the_clone),
        SIM_TEST(what_happens_in_one_is_not_seen_in_the_other),
        SIM_TEST(a_clone_outlives_its_original),
        SIM_TEST(input_of_the_clone_is_its_own),
        SIM_TEST(a_clone_has_an_outbox_of_its_own),
        SIM_TEST(plugins_come_in_the_same_order),
        SIM_TEST(a_plugin_with_a_user_and_no_clone_function_is_named),
        SIM_TEST(a_clone_function_that_adds_nothing_is_named),
        SIM_TEST(a_system_that_no_plugin_added_is_named),
        SIM_TEST(a_state_section_that_no_plugin_added_is_named_in_the_error),
        SIM_TEST(waiting_commands_are_refused),
        SIM_TEST(a_command_buffer_that_no_plugin_made_is_refused),
        SIM_TEST(the_world_alone_refers_to_the_clone_of_the_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
