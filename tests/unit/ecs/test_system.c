/* Stages, what they run and when. The order inside a stage has a file of its own. */
#include "fixture.h"

#include <math.h>
#include <string.h>

/* What ran, as text: the name of each system followed by a blank. */
static char trace[4096];

static void note(CnSystemContext *context)
{
    strncat(trace, context->user, sizeof trace - strlen(trace) - 1);
}

static int make_traced_world(void **state)
{
    trace[0] = '\0';
    return make_world(state);
}

static CnSystem add(const char *name, CnStage stage)
{
    CnSystemDesc desc = {.name = name, .run = note, .user = (void *)(uintptr_t)name};
    desc.stage = stage;
    return cn_system_add(world, &desc, NULL);
}

static void update(float dt)
{
    CnError error = {0};
    if (!cn_world_update(world, dt, &error))
        fail_msg("%s", error.message);
}

/* ---- Stages ---- */

static void stages_have_names(void **state)
{
    (void)state;
    const char *const names[] = {"PreStartup", "Startup", "PostStartup", "FixedUpdate",
                                 "PreUpdate",  "Update",  "PostUpdate"};
    assert_int_equal(CN_COUNT_OF(names), CN_STAGE_COUNT);
    for (int stage = 0; stage < CN_STAGE_COUNT; stage++)
        assert_string_equal(cn_stage_name((CnStage)stage), names[stage]);
    assert_string_equal(cn_stage_name(CN_STAGE_COUNT), "unknown");
}

static void add_one_to_each_stage(void)
{
    add("post_update ", CN_STAGE_POST_UPDATE);
    add("update ", CN_STAGE_UPDATE);
    add("pre_update ", CN_STAGE_PRE_UPDATE);
    add("fixed ", CN_STAGE_FIXED_UPDATE);
    add("post_startup ", CN_STAGE_POST_STARTUP);
    add("startup ", CN_STAGE_STARTUP);
    add("pre_startup ", CN_STAGE_PRE_STARTUP);
}

static void startup_runs_its_three_stages_in_order(void **state)
{
    (void)state;
    add_one_to_each_stage();
    assert_true(cn_world_startup(world, NULL));
    assert_string_equal(trace, "pre_startup startup post_startup ");
}

static void an_update_runs_fixed_steps_then_the_three_update_stages(void **state)
{
    (void)state;
    add_one_to_each_stage();
    update(1.0f / 60);
    assert_string_equal(trace, "fixed pre_update update post_update ");
}

static void a_single_stage_is_run_on_demand(void **state)
{
    (void)state;
    add_one_to_each_stage();
    assert_true(cn_world_run_stage(world, CN_STAGE_POST_UPDATE, 0.1f, NULL));
    assert_string_equal(trace, "post_update ");
}

static void an_update_without_systems_succeeds(void **state)
{
    (void)state;
    assert_true(cn_world_startup(world, NULL));
    update(0.1f);
}

/* ---- Time ---- */

static float seen_dt[64];
static uint32_t seen;

static void see_dt(CnSystemContext *context)
{
    seen_dt[seen++ % 64] = context->dt;
}

static void add_dt_watcher(CnStage stage)
{
    seen = 0;
    cn_system_add(world, &(CnSystemDesc){.name = "watch", .run = see_dt, .stage = stage}, NULL);
}

static void variable_stages_see_the_time_of_the_update(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_UPDATE);
    update(0.25f);
    assert_number_equal(seen_dt[0], 0.25f);
}

static void startup_sees_no_time(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_STARTUP);
    cn_world_startup(world, NULL);
    assert_number_equal(seen_dt[0], 0);
}

static void a_dt_that_is_negative_or_no_number_counts_as_zero(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_UPDATE);
    const float bad[] = {-1, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        update(bad[i]);
        assert_number_equal(seen_dt[i], 0);
    }
    assert_number_equal(cn_world_fixed_alpha(world), 0);
}

/* ---- Fixed steps: a timestep of 1/8 s, so that sums are exact ---- */

static int make_eighth_world(void **state)
{
    (void)state;
    trace[0] = '\0';
    return make_world_from((CnWorldDesc){.fixed_timestep = 0.125});
}

static void fixed_steps_catch_up_with_the_accumulated_time(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_FIXED_UPDATE);
    update(0.0625f);
    assert_int_equal(seen, 0);
    update(0.0625f);
    assert_int_equal(seen, 1);
    update(0.25f);
    assert_int_equal(seen, 3);
    assert_number_equal(seen_dt[0], 0.125f);
}

static void alpha_is_how_far_the_next_step_is(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_FIXED_UPDATE);
    assert_number_equal(cn_world_fixed_alpha(world), 0);
    update(0.0625f);
    assert_number_equal(cn_world_fixed_alpha(world), 0.5);
    update(0.09375f);
    assert_int_equal(seen, 1);
    assert_number_equal(cn_world_fixed_alpha(world), 0.25);
}

static void a_long_frame_is_cut_at_four_steps(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_FIXED_UPDATE);
    update(100);
    assert_int_equal(seen, 4);
    assert_number_equal(cn_world_fixed_alpha(world), 0);
    update(0.125f);
    assert_int_equal(seen, 5); /* what was over is forgotten */
}

static int make_two_step_world(void **state)
{
    (void)state;
    return make_world_from((CnWorldDesc){.fixed_timestep = 0.125, .max_fixed_steps = 2});
}

static void the_number_of_steps_is_configurable(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_FIXED_UPDATE);
    update(1);
    assert_int_equal(seen, 2);
}

static void the_fixed_timestep_is_a_sixtieth_unless_told(void **state)
{
    (void)state;
    add_dt_watcher(CN_STAGE_FIXED_UPDATE);
    update(1.0f / 60);
    assert_int_equal(seen, 1);
    assert_true(fabsf(seen_dt[0] - 1.0f / 60) < 1e-9f);
}

static void without_fixed_systems_no_time_accumulates(void **state)
{
    (void)state;
    update(10);
    assert_number_equal(cn_world_fixed_alpha(world), 0);
    add_dt_watcher(CN_STAGE_FIXED_UPDATE);
    update(0.0625f);
    assert_int_equal(seen, 0);
}

/* ---- Flush ---- */

static CnEntity spawned;

static void spawn_one(CnSystemContext *context)
{
    spawned = cn_defer_spawn(context->commands, cn_with(Health, {1, 1}));
    assert_false(cn_is_alive(context->world, spawned));
}

static void expect_unborn(CnSystemContext *context)
{
    assert_false(cn_is_alive(context->world, spawned));
    strcat(trace, "unborn ");
}

static void expect_born(CnSystemContext *context)
{
    assert_true(cn_is_alive(context->world, spawned));
    strcat(trace, "born ");
}

static void commands_are_flushed_after_each_stage(void **state)
{
    (void)state;
    cn_register(world, Health);
    CnSystemDesc descs[] = {
        {.name = "spawn", .run = spawn_one, .stage = CN_STAGE_PRE_UPDATE},
        {.name = "same", .run = expect_unborn, .stage = CN_STAGE_PRE_UPDATE},
        {.name = "next", .run = expect_born, .stage = CN_STAGE_UPDATE},
    };
    for (size_t i = 0; i < CN_COUNT_OF(descs); i++)
        cn_system_add(world, &descs[i], NULL);
    update(0.1f);
    assert_string_equal(trace, "unborn born ");
}

static void spawn_and_count(CnSystemContext *context)
{
    uint32_t *counts = context->user;
    counts[++counts[0]] = cn_entity_count(context->world);
    cn_defer_spawn(context->commands, cn_with(Health, {1, 1}));
}

static void each_fixed_step_is_flushed(void **state)
{
    (void)state;
    cn_register(world, Health);
    uint32_t counts[8] = {0};
    cn_system_add(world,
                  &(CnSystemDesc){.name = "spawn",
                                  .run = spawn_and_count,
                                  .user = counts,
                                  .stage = CN_STAGE_FIXED_UPDATE},
                  NULL);
    update(0.375f);
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[2], 1);
    assert_int_equal(counts[3], 2);
}

static void spawn_another(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component, (void)user;
    cn_spawn(of, cn_with(Health, {1, 1}));
}

static void a_fixed_step_whose_flush_fails_is_spent(void **state)
{
    (void)state;
    CnHooks endless = {.on_add = {spawn_another, NULL}};
    CnComponent health = cn_register(world, Health, .hooks = endless);
    uint32_t counts[8] = {0};
    cn_system_add(world,
                  &(CnSystemDesc){.name = "spawn",
                                  .run = spawn_and_count,
                                  .user = counts,
                                  .stage = CN_STAGE_FIXED_UPDATE},
                  NULL);
    assert_false(cn_world_update(world, 0.3125f, NULL)); /* two and a half steps */
    assert_int_equal(counts[0], 1);
    cn_component_set_hooks(world, health, &(CnHooks){.on_add = {NULL, NULL}});
    update(0);
    assert_int_equal(counts[0], 2);
    assert_number_equal(cn_world_fixed_alpha(world), 0.5);
}

static void set_from_user(CnSystemContext *context)
{
    CnEntity target = cn_query_entities(context->query, &target, 1) ? target : (CnEntity){0};
    int32_t value = (int32_t)(intptr_t)context->user;
    cn_defer_set(context->commands, target, Health, {value, value});
}

static void buffers_of_systems_are_merged_in_the_order_of_the_schedule(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0, 0}));
    CnSystemDesc second = {.name = "second", .run = set_from_user, .user = (void *)2};
    second.query.all[0] = (CnTerm)cn_reads(Health);
    second.stage = CN_STAGE_UPDATE;
    CnSystemDesc first = second;
    first.name = "first", first.user = (void *)1, first.before[0] = "second";
    cn_system_add(world, &second, NULL);
    cn_system_add(world, &first, NULL);
    update(0.1f);
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
}

/* ---- Changed since the last run ---- */

static uint32_t changed_rows;

static void count_changed(CnSystemContext *context)
{
    changed_rows = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter_changed(context->query, context->last_run);
         cn_query_next(&it, &view);)
        changed_rows += view.count;
}

static void heal(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_column(&view, Health)[i].now++;
}

static CnSystem add_health_system(const char *name, void (*run)(CnSystemContext *), CnTerm term,
                                  CnStage stage)
{
    CnSystemDesc desc = {.name = name, .run = run, .stage = stage};
    desc.query.all[0] = term;
    return cn_system_add(world, &desc, NULL);
}

static void a_system_sees_what_changed_since_its_last_run(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0, 0}));
    add_health_system("count", count_changed, (CnTerm)cn_reads(Health), CN_STAGE_UPDATE);
    CnSystem healer =
        add_health_system("heal", heal, (CnTerm)cn_writes(Health), CN_STAGE_POST_UPDATE);
    update(0.1f);
    assert_int_equal(changed_rows, 1); /* all, the first time */
    update(0.1f);
    assert_int_equal(changed_rows, 1); /* healed after its last run */
    cn_system_enable(world, healer, false);
    update(0.1f);
    assert_int_equal(changed_rows, 1); /* healed in the update before */
    update(0.1f);
    assert_int_equal(changed_rows, 0);
    cn_set(world, entity, Health, {5, 5}); /* between updates */
    update(0.1f);
    assert_int_equal(changed_rows, 1);
    update(0.1f);
    assert_int_equal(changed_rows, 0);
}

static void a_system_does_not_see_its_own_changes(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {0, 0}));
    CnSystemDesc desc = {.name = "both", .run = count_changed, .stage = CN_STAGE_UPDATE};
    desc.query.all[0] = (CnTerm)cn_writes(Health);
    cn_system_add(world, &desc, NULL);
    update(0.1f);
    CnSystemDesc writer = desc;
    writer.name = "writer", writer.run = heal, writer.before[0] = "both";
    cn_system_add(world, &writer, NULL);
    update(0.1f);
    assert_int_equal(changed_rows, 1);
    cn_system_remove(world, cn_system_find(world, "writer"));
    update(0.1f);
    assert_int_equal(changed_rows, 0);
}

static void flushed_changes_are_seen_by_systems_that_ran_before_the_flush(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {0, 0}));
    add_health_system("count", count_changed, (CnTerm)cn_reads(Health), CN_STAGE_UPDATE);
    CnCommands *commands = cn_commands_create(world);
    for (int round = 0; round < 2; round++)
        cn_world_run_stage(world, CN_STAGE_UPDATE, 0.1f, NULL);
    assert_int_equal(changed_rows, 0);
    cn_defer_set(commands, entity, Health, {3, 3});
    cn_world_run_stage(world, CN_STAGE_UPDATE, 0.1f, NULL); /* applies it at its end */
    assert_int_equal(changed_rows, 0);
    cn_world_run_stage(world, CN_STAGE_UPDATE, 0.1f, NULL);
    assert_int_equal(changed_rows, 1);
}

#define TRACED_TEST(name) cmocka_unit_test_setup_teardown(name, make_traced_world, drop_world)
#define EIGHTH_TEST(name) cmocka_unit_test_setup_teardown(name, make_eighth_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(stages_have_names),
        TRACED_TEST(startup_runs_its_three_stages_in_order),
        TRACED_TEST(an_update_runs_fixed_steps_then_the_three_update_stages),
        TRACED_TEST(a_single_stage_is_run_on_demand),
        TRACED_TEST(an_update_without_systems_succeeds),
        TRACED_TEST(variable_stages_see_the_time_of_the_update),
        TRACED_TEST(startup_sees_no_time),
        TRACED_TEST(a_dt_that_is_negative_or_no_number_counts_as_zero),
        EIGHTH_TEST(fixed_steps_catch_up_with_the_accumulated_time),
        EIGHTH_TEST(alpha_is_how_far_the_next_step_is),
        EIGHTH_TEST(a_long_frame_is_cut_at_four_steps),
        cmocka_unit_test_setup_teardown(the_number_of_steps_is_configurable, make_two_step_world,
                                        drop_world),
        TRACED_TEST(the_fixed_timestep_is_a_sixtieth_unless_told),
        EIGHTH_TEST(without_fixed_systems_no_time_accumulates),
        EIGHTH_TEST(each_fixed_step_is_flushed),
        EIGHTH_TEST(a_fixed_step_whose_flush_fails_is_spent),
        TRACED_TEST(commands_are_flushed_after_each_stage),
        TRACED_TEST(buffers_of_systems_are_merged_in_the_order_of_the_schedule),
        TRACED_TEST(a_system_sees_what_changed_since_its_last_run),
        TRACED_TEST(a_system_does_not_see_its_own_changes),
        TRACED_TEST(flushed_changes_are_seen_by_systems_that_ran_before_the_flush),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
