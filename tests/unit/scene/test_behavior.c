/* Behaviors: components with code of their own. */
#include "cmocka_tests.h"

#include <cairn/scene/behavior.h>
#include <cairn/scene/scene.h>
#include <cairn/ecs/snapshot.h>
#include <cairn/sim/loop.h>

#include <string.h>

CN_COMPONENT(Spin, (f32, speed), (f32, angle));
CN_COMPONENT(SpinParts, (f32, speed));
CN_TAG(SpinMark);

static CnHeap *heap;
static CnWorld *world;
static CnError error;
static struct {
    int attached, detached, updated, rendered;
    float dt, speed;
    CnEntity object;
    CnWorld *world;
} seen;

static int make_world(void **state)
{
    (void)state;
    error = (CnError){0};
    memset(&seen, 0, sizeof seen);
    heap = cn_heap_create(NULL, NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    return world && cn_object_add(world, &error) ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    int leaked = cn_heap_stats(heap).live_blocks != 0;
    cn_heap_destroy(heap);
    return leaked;
}

static void note(const CnBehaviorCall *call, const void *self)
{
    assert_int_equal(*(int *)call->user, 42);
    seen.object = call->object;
    seen.world = call->world;
    seen.dt = call->dt;
    seen.speed = ((const Spin *)self)->speed;
}

static void attach(const CnBehaviorCall *call, void *self)
{
    note(call, self);
    seen.attached++;
    assert_null(call->commands);
}

static void detach(const CnBehaviorCall *call, void *self)
{
    note(call, self);
    seen.detached++;
}

static void turn(const CnBehaviorCall *call, void *self)
{
    Spin *spin = self;
    note(call, self);
    seen.updated++;
    spin->angle += spin->speed * call->dt;
}

static void show(const CnBehaviorCall *call, const void *self)
{
    note(call, self);
    seen.rendered++;
}

static int user = 42;
static const CnBehavior spinning = {.type = &cn_type_Spin,
                                    .on_attach = attach,
                                    .on_detach = detach,
                                    .update = turn,
                                    .update_render = show,
                                    .user = &user};

static CnEntity make_spinning(float speed)
{
    CnEntity object = cn_object(world, "Wheel");
    cn_set(world, object, Spin, {.speed = speed});
    return object;
}

static void add(const CnBehavior *behavior)
{
    assert_true(cn_behavior_add(world, behavior, &error));
}

static void tick(void)
{
    assert_true(cn_world_update(world, 0.5f, &error));
}

static void adding_the_component_attaches(void **state)
{
    (void)state;
    add(&spinning);
    CnEntity wheel = make_spinning(8);
    assert_int_equal(seen.attached, 1);
    assert_true(cn_entity_equal(seen.object, wheel));
    assert_ptr_equal(seen.world, world);
    assert_true(seen.speed == 8 && seen.dt == 0);
    cn_set(world, wheel, Spin, {.speed = 9});
    assert_int_equal(seen.attached, 1);
}

static void removing_the_component_detaches(void **state)
{
    (void)state;
    add(&spinning);
    CnEntity wheel = make_spinning(8);
    cn_remove(world, wheel, Spin);
    assert_int_equal(seen.detached, 1);
    cn_destroy(world, wheel);
    assert_int_equal(seen.detached, 1);
}

static void destroying_the_object_detaches(void **state)
{
    (void)state;
    add(&spinning);
    CnEntity parent = cn_object(world, "Car"), wheel = make_spinning(8);
    cn_set_parent(world, wheel, parent);
    cn_destroy(world, parent);
    assert_int_equal(seen.detached, 1);
}

static void the_end_of_the_world_detaches_each_once(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL, NULL);
    assert_true(cn_behavior_add(other, &spinning, &error));
    for (int i = 0; i < 3; i++) {
        CnEntity wheel = cn_object(other, "Wheel");
        cn_set(other, wheel, Spin, {.speed = 1});
        if (i == 0)
            cn_object_set_enabled(other, wheel, false);
        if (i == 1)
            cn_destroy(other, wheel);
    }
    cn_world_destroy(other);
    assert_int_equal(seen.attached, 3);
    assert_int_equal(seen.detached, 3);
}

static void destroy_another(const CnBehaviorCall *call, void *self)
{
    (void)self;
    seen.detached++;
    cn_destroy(call->world, *(CnEntity *)call->user);
    cn_object(call->world, "New");
}

static void changes_at_the_end_of_the_world_have_no_effect(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL, NULL);
    CnEntity wheels[2];
    CnBehavior behavior = {.type = &cn_type_Spin, .on_detach = destroy_another, .user = &wheels[1]};
    assert_true(cn_behavior_add(other, &behavior, &error));
    for (int i = 0; i < 2; i++) {
        wheels[i] = cn_object(other, "Wheel");
        cn_set(other, wheels[i], Spin, {.speed = 1});
    }
    cn_world_destroy(other);
    assert_int_equal(seen.detached, 2);
}

static void a_clone_is_attached(void **state)
{
    (void)state;
    add(&spinning);
    CnEntity wheel = make_spinning(8);
    CnEntity copy = cn_object_clone(world, wheel, CN_NO_PARENT, &error);
    assert_int_equal(seen.attached, 2);
    assert_true(cn_entity_equal(seen.object, copy));
    assert_true(seen.speed == 8);
}

static void update_writes_its_own_component_each_tick(void **state)
{
    (void)state;
    add(&spinning);
    CnEntity wheel = make_spinning(8);
    tick();
    tick();
    assert_int_equal(seen.updated, 2);
    assert_true(seen.dt == 0.5f);
    assert_true(cn_get(world, wheel, Spin)->angle == 8);
    assert_int_equal(seen.rendered, 0);
}

static void update_render_is_called_each_frame(void **state)
{
    (void)state;
    add(&spinning);
    make_spinning(8);
    assert_true(cn_world_frame(world, 0.25f, &error));
    assert_int_equal(seen.rendered, 1);
    assert_true(seen.dt == 0.25f);
    assert_int_equal(seen.updated, 0);
}

static void what_is_inactive_rests(void **state)
{
    (void)state;
    add(&spinning);
    CnEntity parent = cn_object(world, "Car"), wheel = make_spinning(8);
    cn_object_set_parent(world, wheel, parent, CN_REPARENT_KEEP_LOCAL, &error);
    cn_object_set_enabled(world, parent, false);
    tick();
    assert_true(cn_world_frame(world, 0.25f, &error));
    assert_int_equal(seen.updated + seen.rendered, 0);
    cn_object_set_enabled(world, parent, true);
    tick();
    assert_int_equal(seen.updated, 1);
}

static void spawn_and_die(const CnBehaviorCall *call, void *self)
{
    (void)self;
    seen.updated++;
    CnEntity child = cn_defer_object(call->commands, &(CnObjectDesc){.name = "Spark"});
    cn_defer_set(call->commands, child, Spin, {.speed = 1});
    cn_defer_destroy(call->commands, call->object);
}

static void update_changes_structure_through_commands(void **state)
{
    (void)state;
    add(&(CnBehavior){.type = &cn_type_Spin, .update = spawn_and_die});
    CnEntity wheel = make_spinning(8);
    tick();
    assert_false(cn_is_alive(world, wheel));
    assert_false(cn_entity_is_null(cn_object_find(world, "Spark")));
    tick();
    assert_int_equal(seen.updated, 2);
}

static void switch_off(const CnBehaviorCall *call, void *self)
{
    (void)self;
    seen.updated++;
    cn_get_mut(call->world, call->object, CnObject)->enabled = false;
}

static void update_may_switch_its_object_off(void **state)
{
    (void)state;
    add(&(CnBehavior){.type = &cn_type_Spin, .update = switch_off});
    CnEntity wheel = make_spinning(8);
    tick();
    tick();
    assert_int_equal(seen.updated, 1);
    assert_true(cn_has(world, wheel, CnInactive));
}

static void own_hook(CnWorld *of, CnEntity entity, CnComponent component, void *count)
{
    (void)of, (void)entity, (void)component;
    ++*(int *)count;
}

static void hooks_of_the_component_stay(void **state)
{
    (void)state;
    int count = 0;
    cn_register(world, Spin, .hooks = {.on_add = {own_hook, &count}});
    add(&spinning);
    make_spinning(1);
    assert_int_equal(count, 1);
    assert_int_equal(seen.attached, 1);
}

static void a_type_is_a_behavior_once(void **state)
{
    (void)state;
    add(&spinning);
    assert_false(cn_behavior_add(world, &spinning, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    make_spinning(1);
    assert_int_equal(seen.attached, 1);
}

static void a_component_laid_out_by_fields_is_refused(void **state)
{
    (void)state;
    cn_register(world, SpinParts, .layout = CN_LAYOUT_FIELDS);
    CnBehavior behavior = {.type = &cn_type_SpinParts, .update = turn};
    assert_false(cn_behavior_add(world, &behavior, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
}

static void expect_no_self(const CnBehaviorCall *call, void *self)
{
    (void)call;
    assert_null(self);
    seen.updated++;
}

static void a_tag_has_no_self(void **state)
{
    (void)state;
    add(&(CnBehavior){.type = &cn_type_SpinMark,
                      .on_attach = expect_no_self,
                      .on_detach = expect_no_self,
                      .update = expect_no_self});
    CnEntity wheel = cn_object(world, "Wheel");
    cn_add(world, wheel, SpinMark);
    tick();
    cn_destroy(world, wheel);
    assert_int_equal(seen.updated, 3);
}

static void a_load_neither_attaches_nor_detaches(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    add(&spinning);
    make_spinning(2);
    assert_true(cn_world_save(world, &snapshot, &error));
    make_spinning(3);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_int_equal(seen.attached, 2);
    assert_int_equal(seen.detached, 0);
    tick();
    assert_int_equal(seen.updated, 1);
}

static bool build(CnSim *sim, void *unused, CnError *out)
{
    (void)unused;
    return cn_behavior_add(cn_sim_world(sim), &spinning, out);
}

static void new_code_goes_on_with_the_components(void **state)
{
    (void)state;
    CnSim *sim = cn_sim_create(NULL, &error);
    CnPlugin plugin = {.name = "Spinning", .build = build};
    assert_true(cn_sim_add_plugin(sim, &plugin, &error));
    CnEntity wheel = cn_object(cn_sim_world(sim), "Wheel");
    cn_set(cn_sim_world(sim), wheel, Spin, {.speed = 1});
    assert_true(cn_sim_replace_plugin(sim, &plugin, &error));
    assert_int_equal(seen.attached, 1);
    assert_int_equal(seen.detached, 0);
    assert_true(cn_sim_tick_n(sim, 1, &error));
    assert_int_equal(seen.updated, 1);
    cn_sim_destroy(sim);
    assert_int_equal(seen.detached, 1);
}

static void a_plugin_that_goes_takes_its_behavior_along(void **state)
{
    (void)state;
    CnSim *sim = cn_sim_create(NULL, &error);
    CnPlugin plugin = {.name = "Spinning", .build = build};
    assert_true(cn_sim_add_plugin(sim, &plugin, &error));
    assert_true(cn_sim_remove_plugin(sim, "Spinning", &error));
    CnEntity wheel = cn_object(cn_sim_world(sim), "Wheel");
    cn_set(cn_sim_world(sim), wheel, Spin, {.speed = 1});
    assert_true(cn_sim_tick_n(sim, 1, &error));
    cn_sim_destroy(sim);
    assert_int_equal(seen.attached + seen.updated + seen.detached, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static void print_ambiguity(const char *text, void *unused)
{
    (void)unused;
    fail_msg("%s", text);
}

/* "Spin.update" was added last, so that registration alone would let it run last. */
static void behaviors_run_after_what_they_name(void **state)
{
    (void)state;
    const CnBehavior mark = {.type = &cn_type_SpinMark, .after = {"Spin.update"}};
    CnScheduled systems[4];
    uint32_t count = 0;
    assert_true(cn_behavior_add(world, &mark, &error));
    assert_true(cn_behavior_add(world, &spinning, &error));
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, systems, 4, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(systems[0].name, "Spin.update");
    assert_string_equal(systems[1].name, "SpinMark.update");
}

static void behaviors_run_after_the_systems_of_scenes(void **state)
{
    (void)state;
    CnScheduled systems[8];
    uint32_t count = 0;
    assert_true(cn_scene_add(world, &error));
    assert_true(cn_behavior_add(world, &spinning, &error));
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, systems, 8, &count, &error));
    assert_string_equal(systems[count - 1].name, "Spin.update");
    assert_true(cn_schedule_ambiguities(world, print_ambiguity, NULL, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(adding_the_component_attaches),
        TEST(removing_the_component_detaches),
        TEST(destroying_the_object_detaches),
        TEST(the_end_of_the_world_detaches_each_once),
        TEST(changes_at_the_end_of_the_world_have_no_effect),
        TEST(a_clone_is_attached),
        TEST(update_writes_its_own_component_each_tick),
        TEST(update_render_is_called_each_frame),
        TEST(what_is_inactive_rests),
        TEST(update_changes_structure_through_commands),
        TEST(update_may_switch_its_object_off),
        TEST(hooks_of_the_component_stay),
        TEST(a_type_is_a_behavior_once),
        TEST(a_component_laid_out_by_fields_is_refused),
        TEST(a_tag_has_no_self),
        TEST(a_load_neither_attaches_nor_detaches),
        TEST(new_code_goes_on_with_the_components),
        TEST(a_plugin_that_goes_takes_its_behavior_along),
        TEST(behaviors_run_after_what_they_name),
        TEST(behaviors_run_after_the_systems_of_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
