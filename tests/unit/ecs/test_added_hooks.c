/* Hooks that are added to those of a component. */
#include "ecs_fixture.h"

#include <string.h>

CN_COMPONENT(Likes, (f32, much));

static char trace[256];

static void note(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    assert_true(cn_has_component(of, entity, component));
    strncat(trace, user, sizeof trace - strlen(trace) - 1);
}

static CnHooks noting(const char *add, const char *set, const char *gone)
{
    return (CnHooks){{note, (void *)(uintptr_t)add},
                     {note, (void *)(uintptr_t)set},
                     {note, (void *)(uintptr_t)gone}};
}

static int make_noted_world(void **state)
{
    trace[0] = '\0';
    return make_world(state);
}

static void assert_trace(const char *expected)
{
    assert_string_equal(trace, expected);
    trace[0] = '\0';
}

static void add_hooks(CnComponent component, CnHooks hooks)
{
    assert_true(cn_component_add_hooks(world, component, &hooks));
}

static void added_hooks_are_called_after_the_components_own(void **state)
{
    (void)state;
    CnComponent health = cn_id(world, Health);
    add_hooks(health, noting("+b ", "=b ", "-b "));
    CnHooks own = noting("+own ", "=own ", "-own ");
    cn_component_set_hooks(world, health, &own);
    add_hooks(health, noting("+c ", "=c ", "-c "));
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 2}));
    assert_trace("+own +b +c =own =b =c ");
    cn_remove(world, e, Health);
    assert_trace("-own -b -c ");
}

static void setting_hooks_keeps_those_that_were_added(void **state)
{
    (void)state;
    CnComponent health = cn_id(world, Health);
    add_hooks(health, noting("+b ", "=b ", "-b "));
    cn_component_set_hooks(world, health, &(CnHooks){0});
    cn_register(world, Health, .default_value = &(Health){1, 1});
    cn_spawn(world, cn_with_default(Health));
    assert_trace("+b ");
}

static void added_hooks_hold_for_existing_entities(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Mass, {1}));
    cn_remove(world, cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Mass, {1})), Health);
    add_hooks(cn_id(world, Health), (CnHooks){.on_remove = {note, "-b "}});
    cn_remove(world, e, Health);
    assert_trace("-b ");
}

static void hooks_that_were_removed_are_not_called(void **state)
{
    (void)state;
    CnComponent health = cn_id(world, Health);
    CnHooks b = noting("+b ", "=b ", "-b "), c = noting("+c ", "=c ", "-c ");
    add_hooks(health, b);
    add_hooks(health, c);
    assert_true(cn_component_remove_hooks(world, health, &b));
    assert_false(cn_component_remove_hooks(world, health, &b));
    cn_spawn(world, cn_with(Health, {1, 2}));
    assert_trace("+c =c ");
    assert_true(cn_component_remove_hooks(world, health, &c));
    cn_spawn(world, cn_with(Health, {1, 2}));
    assert_trace("");
}

static void pairs_have_the_added_hooks_of_their_kind(void **state)
{
    (void)state;
    CnComponent likes = cn_id(world, Likes);
    add_hooks(likes, noting("+b ", "=b ", "-b "));
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    cn_set_component(world, a, cn_pair(world, likes, b), &(Likes){1});
    assert_trace("+b =b ");
    cn_destroy(world, b);
    assert_trace("-b ");
}

static void add_another(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    CnHooks more = {.on_add = {note, "+late "}};
    (void)entity, (void)user;
    assert_true(cn_component_add_hooks(of, component, &more));
}

static void a_hook_may_add_hooks(void **state)
{
    (void)state;
    add_hooks(cn_id(world, Health), (CnHooks){.on_add = {add_another, NULL}});
    cn_spawn(world, cn_with(Health, {1, 2}));
    assert_trace("+late ");
}

static void added_hooks_go_with_their_owner(void **state)
{
    (void)state;
    CnComponent health = cn_id(world, Health);
    add_hooks(health, noting("+b ", "=b ", "-b "));
    cn_world_set_owner(world, 7);
    add_hooks(health, noting("+owned ", "=owned ", "-owned "));
    cn_world_set_owner(world, 0);
    cn_owner_begin_replace(world, 7);
    cn_owner_end_replace(world, 7);
    cn_spawn(world, cn_with(Health, {1, 2}));
    assert_trace("+b =b ");
}

static void hooks_of_pairs_go_with_the_owner_of_their_kind(void **state)
{
    (void)state;
    cn_world_set_owner(world, 7);
    CnHooks hooks = noting("+own ", "=own ", "-own ");
    CnComponent likes = cn_register(world, Likes, .hooks = hooks);
    cn_world_set_owner(world, 0);
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    cn_add_component(world, a, cn_pair(world, likes, b));
    assert_trace("+own ");
    cn_owner_begin_replace(world, 7);
    cn_owner_end_replace(world, 7);
    cn_destroy(world, b);
    assert_trace("");
}

static void do_nothing(CnSystemContext *context)
{
    (void)context;
}

static void a_system_that_may_call_an_added_on_set_runs_alone(void **state)
{
    (void)state;
    cn_system_add(world,
                  &(CnSystemDesc){.name = "writes",
                                  .run = do_nothing,
                                  .stage = CN_STAGE_UPDATE,
                                  .query = {.all = {cn_writes(Health)}}},
                  NULL);
    CnScheduled scheduled;
    uint32_t count;
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, &scheduled, 1, &count, NULL));
    assert_false(scheduled.alone);
    add_hooks(cn_id(world, Health), (CnHooks){.on_set = {note, "=b "}});
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, &scheduled, 1, &count, NULL));
    assert_true(scheduled.alone);
}

#define NOTED_TEST(name) cmocka_unit_test_setup_teardown(name, make_noted_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NOTED_TEST(added_hooks_are_called_after_the_components_own),
        NOTED_TEST(setting_hooks_keeps_those_that_were_added),
        NOTED_TEST(added_hooks_hold_for_existing_entities),
        NOTED_TEST(hooks_that_were_removed_are_not_called),
        NOTED_TEST(pairs_have_the_added_hooks_of_their_kind),
        NOTED_TEST(a_hook_may_add_hooks),
        NOTED_TEST(added_hooks_go_with_their_owner),
        NOTED_TEST(hooks_of_pairs_go_with_the_owner_of_their_kind),
        NOTED_TEST(a_system_that_may_call_an_added_on_set_runs_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
