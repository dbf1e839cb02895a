/* Frame stages read the simulation and change only transient components. */
#include "guards.h"
#include "world_internals.h"

#include <stdio.h>
#include <string.h>

CN_COMPONENT(Sprite, (u32, number));
CN_COMPONENT(Camera, (f32, x));
CN_COMPONENT(Clicked, (u32, button));
CN_COMPONENT(Gravity, (f32, y));
CN_COMPONENT(Damage, (f32, amount));

static CnError error;
static CnEntity hero;
static CnChannel *clicks, *damage;

static int make_scene(void **state)
{
    if (make_world(state))
        return -1;
    error = (CnError){0};
    cn_register(world, Sprite, .flags = CN_COMPONENT_TRANSIENT);
    cn_register(world, Camera, .flags = CN_COMPONENT_TRANSIENT);
    cn_register(world, Clicked, .flags = CN_COMPONENT_TRANSIENT);
    clicks = cn_channel(world, Clicked);
    damage = cn_channel(world, Damage);
    cn_resource_set(world, Camera, {0});
    cn_resource_set(world, Gravity, {-10});
    hero = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Sprite, {4}));
    return 0;
}

static CnSystemDesc describe(const char *name, void (*run)(CnSystemContext *))
{
    return (CnSystemDesc){.name = name, .run = run, .stage = CN_STAGE_FRAME};
}

static void nothing(CnSystemContext *context)
{
    (void)context;
}

/* ---- Running ---- */

static void show(CnSystemContext *context)
{
    cn_defer_set(context->commands, hero, Sprite, {7});
}

static void see_sprite(CnSystemContext *context)
{
    assert_int_equal(cn_get(context->world, hero, Sprite)->number, 7);
}

static void commands_are_flushed_after_each_stage_of_a_frame(void **state)
{
    (void)state;
    CnSystemDesc first = describe("show", show), second = describe("see", see_sprite);
    first.stage = CN_STAGE_PRE_FRAME;
    second.query.all[0] = (CnTerm)cn_reads(Sprite);
    assert_int_not_equal(cn_system_add(world, &first, NULL).id, 0);
    assert_int_not_equal(cn_system_add(world, &second, NULL).id, 0);
    assert_true(cn_world_frame(world, 0.01f, &error));
}

static float seen_dt;

static void see_dt(CnSystemContext *context)
{
    seen_dt = context->dt;
}

static void a_frame_has_its_own_time(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("see", see_dt);
    cn_system_add(world, &desc, NULL);
    assert_true(cn_world_frame(world, 0.25f, NULL));
    assert_number_equal(seen_dt, 0.25);
    assert_true(cn_world_frame(world, -1, NULL));
    assert_number_equal(seen_dt, 0);
    assert_true(cn_world_run_stage(world, CN_STAGE_FRAME, -1, NULL));
    assert_number_equal(seen_dt, 0);
}

static void a_frame_does_not_clear_events(void **state)
{
    (void)state;
    cn_send(damage, Damage, {1});
    assert_true(cn_world_frame(world, 0.01f, NULL));
    assert_true(cn_world_frame(world, 0.01f, NULL));
    assert_int_equal(cn_event_count(damage), 1);
}

static uint32_t changed_chunks;

static void look_for_changes(CnSystemContext *context)
{
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(context->query, context->last_run);
    for (changed_chunks = 0; cn_query_next(&it, &view);)
        changed_chunks++;
}

static void a_frame_system_sees_what_the_ticks_since_its_last_run_changed(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("look", look_for_changes);
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    cn_system_add(world, &desc, NULL);
    cn_world_frame(world, 0.01f, NULL);
    assert_int_equal(changed_chunks, 1);
    cn_world_frame(world, 0.01f, NULL);
    assert_int_equal(changed_chunks, 0);
    cn_set(world, hero, Position, {4, 5, 6});
    cn_world_update(world, 0.01f, NULL);
    cn_world_frame(world, 0.01f, NULL);
    assert_int_equal(changed_chunks, 1);
}

static void change_the_transient(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_column(&view, Sprite)[i].number++;
    cn_resource_mut(context->world, Camera)->x += 1;
    cn_send(clicks, Clicked, {1});
    cn_defer_remove(context->commands, hero, Sprite);
    cn_defer_set(context->commands, hero, Sprite, {99});
}

static CnSystemDesc describe_transient_work(void)
{
    CnSystemDesc desc = describe("draw", change_the_transient);
    desc.query.all[0] = (CnTerm)cn_writes(Sprite);
    desc.access[0] = (CnTerm)cn_writes(Camera);
    desc.access[1] = (CnTerm)cn_writes(Clicked);
    desc.access[2] = (CnTerm)cn_reads(Position);
    return desc;
}

static void frames_may_change_what_is_transient(void **state)
{
    (void)state;
    CnSystemDesc desc = describe_transient_work();
    if (!cn_system_add(world, &desc, &error).id)
        fail_msg("%s", error.message);
    assert_true(cn_world_frame(world, 0.01f, NULL));
    assert_number_equal(cn_resource(world, Camera)->x, 1);
    assert_int_equal(cn_get(world, hero, Sprite)->number, 99);
    assert_int_equal(cn_event_count(clicks), 1);
}

static void frames_are_no_part_of_the_state(void **state)
{
    (void)state;
    CnSystemDesc desc = describe_transient_work();
    cn_system_add(world, &desc, NULL);
    uint64_t hash = cn_world_hash(world);
    for (int i = 0; i < 3; i++)
        cn_world_frame(world, 0.01f, NULL);
    assert_int_equal(cn_world_hash(world), hash);
}

/* ---- Declaring ---- */

static void assert_refused(const CnSystemDesc *desc, const char *component)
{
    char expected[200];
    snprintf(expected, sizeof expected, "system %s of stage %s declares writing %s", desc->name,
             cn_stage_name(desc->stage), component);
    assert_int_equal(cn_system_add(world, desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(error.message, expected));
    assert_int_equal(cn_system_find(world, desc->name).id, 0);
}

static void a_frame_system_that_declares_to_write_a_simulated_component_is_refused(void **state)
{
    (void)state;
    for (CnStage stage = CN_STAGE_PRE_FRAME; stage <= CN_STAGE_POST_FRAME; stage++) {
        CnSystemDesc by_query = describe("cheat", nothing);
        by_query.stage = stage;
        by_query.query.all[0] = (CnTerm)cn_writes(Position);
        assert_refused(&by_query, "Position");
    }
    CnSystemDesc optional = describe("cheat", nothing), further = describe("cheat", nothing);
    optional.query.all[0] = (CnTerm)cn_reads(Sprite);
    optional.query.optional[0] = (CnTerm)cn_writes(Velocity);
    assert_refused(&optional, "Velocity");
    further.access[0] = (CnTerm)cn_writes(Gravity);
    assert_refused(&further, "Gravity");
}

static void a_system_of_an_update_may_write_both(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("honest", nothing);
    desc.stage = CN_STAGE_PRE_EXTRACT;
    desc.access[0] = (CnTerm)cn_writes(Position);
    desc.access[1] = (CnTerm)cn_writes(Sprite);
    assert_int_not_equal(cn_system_add(world, &desc, NULL).id, 0);
}

/* ---- Guards ---- */

#ifdef CN_GUARDS

static void (*action)(CnSystemContext *context);

static void act(CnSystemContext *context)
{
    action(context);
}

/* Run by a system that only declares reading Position, or that runs alone. */
static void expect_report(void (*what)(CnSystemContext *), bool alone, const char *reason)
{
    CnSystemDesc desc = describe(alone ? "solo" : "shy", act);
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    desc.alone = alone;
    if (!cn_system_find(world, desc.name).id)
        cn_system_add(world, &desc, NULL);
    cn_system_enable(world, cn_system_find(world, alone ? "shy" : "solo"), false);
    cn_system_enable(world, cn_system_find(world, desc.name), true);
    action = what;
    EXPECT_GUARD(cn_world_frame(world, 0.01f, NULL));
    world->updating = world->in_stage = false; /* the guard has jumped over the end of the stage */
    char expected[200];
    snprintf(expected, sizeof expected, "system %s (stage Frame, query: Position) %s", desc.name,
             reason);
    if (!strstr(guard_message(), expected))
        fail_msg("\"%s\" does not say \"%s\"", guard_message(), expected);
}

#define OPERATION(name, ...)                                                                       \
    static void name(CnSystemContext *context)                                                     \
    {                                                                                              \
        (void)context;                                                                             \
        __VA_ARGS__;                                                                               \
    }

OPERATION(write_position, (void)cn_get_mut(context->world, hero, Position))
OPERATION(set_position, cn_set(context->world, hero, Position, {0}))
OPERATION(write_gravity, (void)cn_resource_mut(context->world, Gravity))
OPERATION(send_damage, cn_send(damage, Damage, {1}))
OPERATION(write_sprite, (void)cn_get_mut(context->world, hero, Sprite))

static void writing_what_is_simulated_is_reported(void **state)
{
    (void)state;
    expect_report(write_position, false, "is a frame system and must not write Position");
    expect_report(set_position, false, "is a frame system and must not write Position");
    expect_report(write_gravity, false, "is a frame system and must not write Gravity");
    expect_report(send_damage, false, "is a frame system and must not send event Damage");
}

static void also_a_system_that_is_alone_may_not_write_it(void **state)
{
    (void)state;
    expect_report(write_position, true, "is a frame system and must not write Position");
    expect_report(send_damage, true, "is a frame system and must not send event Damage");
}

static void writing_a_transient_component_that_is_not_declared_is_reported(void **state)
{
    (void)state;
    expect_report(write_sprite, false, "does not declare to write Sprite");
}

OPERATION(defer_set, cn_defer_set(context->commands, hero, Position, {0}))
OPERATION(defer_remove, cn_defer_remove(context->commands, hero, Position))
OPERATION(defer_spawn, cn_defer_spawn(context->commands, cn_with(Position, {0})))
OPERATION(defer_destroy, cn_defer_destroy(context->commands, hero))
OPERATION(defer_parent, cn_defer_set_parent(context->commands, hero, (CnEntity){0}))

static void commands_that_change_what_is_simulated_are_reported(void **state)
{
    (void)state;
    expect_report(defer_set, false, "is a frame system and must not record commands for Position");
    expect_report(defer_remove, false,
                  "is a frame system and must not record commands for Position");
    expect_report(defer_spawn, false,
                  "is a frame system and must not record commands for entities");
    expect_report(defer_destroy, false,
                  "is a frame system and must not record commands for entities");
    expect_report(defer_parent, false,
                  "is a frame system and must not record commands for entities");
    expect_report(defer_spawn, true, "is a frame system and must not record commands for entities");
}

OPERATION(spawn_now, cn_entity_create(context->world))

static void an_alone_system_of_a_frame_may_not_change_structure(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("solo", spawn_now);
    desc.alone = true;
    cn_system_add(world, &desc, NULL);
    EXPECT_GUARD(cn_world_frame(world, 0.01f, NULL));
    world->updating = world->in_stage = false;
    assert_non_null(strstr(guard_message(), "use its commands"));
}

#endif

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, make_scene, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(commands_are_flushed_after_each_stage_of_a_frame),
        SCENE_TEST(a_frame_has_its_own_time),
        SCENE_TEST(a_frame_does_not_clear_events),
        SCENE_TEST(a_frame_system_sees_what_the_ticks_since_its_last_run_changed),
        SCENE_TEST(frames_may_change_what_is_transient),
        SCENE_TEST(frames_are_no_part_of_the_state),
        SCENE_TEST(a_frame_system_that_declares_to_write_a_simulated_component_is_refused),
        SCENE_TEST(a_system_of_an_update_may_write_both),
#ifdef CN_GUARDS
        SCENE_TEST(writing_what_is_simulated_is_reported),
        SCENE_TEST(also_a_system_that_is_alone_may_not_write_it),
        SCENE_TEST(writing_a_transient_component_that_is_not_declared_is_reported),
        SCENE_TEST(commands_that_change_what_is_simulated_are_reported),
        SCENE_TEST(an_alone_system_of_a_frame_may_not_change_structure),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
