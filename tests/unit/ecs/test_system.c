/* Stages, what they run and when. The order inside a stage has a file of its own. */
#include "ecs_fixture.h"

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
    const char *const names[] = {"PreStartup", "Startup", "PostStartup", "Input",
                                 "PreUpdate",  "Update",  "PostUpdate",  "PreExtract",
                                 "PreFrame",   "Frame",   "PostFrame"};
    assert_int_equal(CN_COUNT_OF(names), CN_STAGE_COUNT);
    for (int stage = 0; stage < CN_STAGE_COUNT; stage++)
        assert_string_equal(cn_stage_name((CnStage)stage), names[stage]);
    assert_string_equal(cn_stage_name(CN_STAGE_COUNT), "unknown");
}

static void add_one_to_each_stage(void)
{
    add("post_frame ", CN_STAGE_POST_FRAME);
    add("frame ", CN_STAGE_FRAME);
    add("pre_frame ", CN_STAGE_PRE_FRAME);
    add("pre_extract ", CN_STAGE_PRE_EXTRACT);
    add("post_update ", CN_STAGE_POST_UPDATE);
    add("update ", CN_STAGE_UPDATE);
    add("pre_update ", CN_STAGE_PRE_UPDATE);
    add("input ", CN_STAGE_INPUT);
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

static void an_update_runs_its_five_stages_in_order(void **state)
{
    (void)state;
    add_one_to_each_stage();
    update(1.0f / 60);
    assert_string_equal(trace, "input pre_update update post_update pre_extract ");
}

static void a_frame_runs_its_three_stages_in_order(void **state)
{
    (void)state;
    add_one_to_each_stage();
    assert_true(cn_world_frame(world, 0.01f, NULL));
    assert_string_equal(trace, "pre_frame frame post_frame ");
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

static void all_stages_see_the_time_of_the_update(void **state)
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
    CnCommands *commands = cn_commands_create(world, NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(stages_have_names),
        TRACED_TEST(startup_runs_its_three_stages_in_order),
        TRACED_TEST(an_update_runs_its_five_stages_in_order),
        TRACED_TEST(a_frame_runs_its_three_stages_in_order),
        TRACED_TEST(a_single_stage_is_run_on_demand),
        TRACED_TEST(an_update_without_systems_succeeds),
        TRACED_TEST(all_stages_see_the_time_of_the_update),
        TRACED_TEST(startup_sees_no_time),
        TRACED_TEST(a_dt_that_is_negative_or_no_number_counts_as_zero),
        TRACED_TEST(commands_are_flushed_after_each_stage),
        TRACED_TEST(buffers_of_systems_are_merged_in_the_order_of_the_schedule),
        TRACED_TEST(a_system_sees_what_changed_since_its_last_run),
        TRACED_TEST(a_system_does_not_see_its_own_changes),
        TRACED_TEST(flushed_changes_are_seen_by_systems_that_ran_before_the_flush),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
