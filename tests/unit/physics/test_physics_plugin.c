/* The plugin: what it adds, how bodies look in files, what it costs. */
#include "physics_fixture.h"

#include <cairn/scene/file.h>
#include <cairn/scene/reflection.h>

static bool read_body(const char *members, CnRigidbody *body, CnError *error)
{
    char text[1024];
    cn_format(text, sizeof text,
              "{\"id\": \"S\", \"nodes\": [{\"id\": \"Box\", \"components\": ["
              "{\"type\": \"RigidbodyComponent\"%s}]}]}",
              members);
    CnSceneFile file = {0};
    bool read = cn_scene_read_text(world, NULL, "s.json", cn_text(text), &file, error);
    if (read) {
        *body = *cn_get(world, cn_object_find(world, "Box"), CnRigidbody);
        cn_scene_file_free(&file);
    }
    return read;
}

static void a_body_is_read_as_the_document_shows(void **state)
{
    (void)state;
    CnError error = {0};
    CnRigidbody body;
    bool read = read_body(", \"rigidbodyType\": \"Dynamic\", \"mass\": 3.0, \"restitution\": 1.0,"
                          "\"collisionShape\": {\"type\": \"Box\", \"halfExtents\": [1, 2, 3]}",
                          &body, &error);
    if (!read)
        fail_msg("%s", error.message);
    assert_int_equal(body.kind, CN_BODY_DYNAMIC);
    assert_int_equal(body.shape, CN_SHAPE_BOX);
    assert_true(body.mass == 3 && body.restitution == 1 && body.half_extents.y == 2);
    assert_true(body.gravity_scale == 1 && body.mask == UINT32_MAX && body.can_sleep);
    tick(1);
    assert_true(speed_of(cn_object_find(world, "Box")) > 0);
}

static void every_shape_and_kind_has_its_name(void **state)
{
    (void)state;
    CnError error = {0};
    CnRigidbody body;
    assert_true(read_body(", \"rigidbodyType\": \"Ghost\", \"collisionShape\": "
                          "{\"type\": \"Capsule\", \"radius\": 2, \"height\": 3}",
                          &body, &error));
    assert_int_equal(body.kind, CN_BODY_GHOST);
    assert_true(body.radius == 2 && body.height == 3);
    cn_destroy(world, cn_object_find(world, "Box"));
    assert_true(read_body(", \"rigidbodyType\": \"Kinematic\", \"collisionShape\": "
                          "{\"type\": \"Sphere\", \"radius\": 2}",
                          &body, &error));
    assert_int_equal(body.shape, CN_SHAPE_SPHERE);
    cn_destroy(world, cn_object_find(world, "Box"));
    assert_true(read_body(", \"rigidbodyType\": \"Static\", \"collisionShape\": "
                          "{\"type\": \"Mesh\", \"meshPath\": \"assets://a.obj\"}",
                          &body, &error));
    assert_string_equal(body.mesh, "assets://a.obj");
}

static void bad_values_are_errors(void **state)
{
    (void)state;
    static const char *const bad[] = {
        ", \"mass\": 0",
        ", \"mass\": -1",
        ", \"restitution\": 1.5",
        ", \"friction\": -1",
        ", \"layer\": 32",
        ", \"rigidbodyType\": \"Solid\"",
        ", \"collisionShape\": {\"type\": \"Cone\"}",
        ", \"collisionShape\": {\"type\": \"Box\", \"halfExtents\": [1, 0, 1]}",
        ", \"collisionShape\": {\"type\": \"Box\", \"radius\": 1}",
        ", \"collisionShape\": {\"type\": \"Sphere\", \"height\": 1}",
        ", \"collisionShape\": {\"type\": \"Sphere\", \"radius\": -1}",
        ", \"rigidbodyType\": \"Static\", \"collisionShape\": {\"type\": \"Mesh\"}",
        ", \"rigidbodyType\": \"Dynamic\", \"collisionShape\": "
        "{\"type\": \"Mesh\", \"meshPath\": \"assets://a.obj\"}",
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        CnRigidbody body;
        if (read_body(bad[i], &body, &error))
            fail_msg("taken: %s", bad[i]);
        assert_true(error.message[0] != 0 && error.line > 0);
    }
    assert_int_equal(cn_object_roots(world, NULL, 0), 0);
}

static void the_state_of_bodies_is_not_reflected(void **state)
{
    (void)state;
    CnReflectedComponent shown;
    add_floor();
    tick(1);
    assert_false(cn_reflection_find(world, cn_text("CnBodyState"), &shown));
    assert_false(cn_reflection_find(world, cn_text("CnPhysicsSettings"), &shown));
    assert_false(cn_reflection_find(world, cn_text("CniPhysicsContactPage"), &shown));
    assert_true(cn_reflection_find(world, cn_text("RigidbodyComponent"), &shown));
}

static void gravity_is_that_of_the_description(void **state)
{
    (void)state;
    CnPhysicsDesc moon = {.gravity = {0, -1.62f, 0}};
    cn_sim_destroy(sim);
    sim = make_sim(NULL, &moon);
    world = cn_sim_world(sim);
    CnEntity ball = add_body(cn_vec3(0, 50, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(60);
    assert_near(cn_body_velocity(world, ball).y, -1.62, 1e-4);
}

static void bodies_that_were_there_before_the_plugin_are_bodies(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    sim = cn_sim_create(NULL, NULL);
    world = cn_sim_world(sim);
    assert_true(cn_object_add(world, NULL));
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    CnPlugin plugin = cn_physics_plugin(NULL);
    assert_true(cn_sim_add_plugin(sim, &plugin, NULL));
    tick(30);
    assert_true(position_of(ball).y < 5);
}

static void the_plugin_can_be_replaced_while_bodies_fall(void **state)
{
    (void)state;
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(20);
    float before = position_of(ball).y;
    CnPlugin plugin = cn_physics_plugin(NULL);
    assert_true(cn_sim_replace_plugin(sim, &plugin, NULL));
    tick(10);
    assert_true(position_of(ball).y < before);
}

static void a_removed_plugin_leaves_a_world_that_runs(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(5);
    assert_true(cn_sim_remove_plugin(sim, "Physics", NULL));
    float height = position_of(ball).y;
    tick(5);
    assert_true(position_of(ball).y == height);
    assert_false(cn_physics_raycast(
        world, &(CnRaycastQuery){.origin = {0, 9, 0}, .direction = {0, -1, 0}, .distance = 20},
        NULL));
}

static void a_cleared_world_can_be_filled_again(void **state)
{
    (void)state;
    add_floor();
    add_body(cn_vec3(0, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(10);
    cn_world_clear(world);
    tick(2);
    CnEntity floor = add_floor();
    CnEntity crate = add_body(cn_vec3(0, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_ENTER, floor, crate), 1);
}

static CnEntity pushed;
static float seen_distance;

static void push_up(CnSystemContext *context)
{
    cn_body_add_force(context->world, pushed, cn_vec3(0, 20, 0));
}

static void look_down(CnSystemContext *context)
{
    CnRaycastHit hit = {.distance = -1};
    CnRaycastQuery query = {.origin = {0, 99, 0}, .direction = {0, -1, 0}, .distance = 200};
    cn_physics_raycast(context->world, &query, &hit);
    seen_distance = hit.distance;
}

static void systems_that_declare_it_apply_forces_and_query(void **state)
{
    (void)state;
    CnError error = {0};
    pushed = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    cn_system_add(world,
                  &(CnSystemDesc){.name = "push_up",
                                  .run = push_up,
                                  .stage = CN_STAGE_PRE_UPDATE,
                                  .access = {CN_PHYSICS_FORCE_ACCESS}},
                  &error);
    cn_system_add(world,
                  &(CnSystemDesc){.name = "look_down",
                                  .run = look_down,
                                  .stage = CN_STAGE_POST_UPDATE,
                                  .access = {CN_PHYSICS_QUERY_ACCESS}},
                  &error);
    tick(30);
    assert_true(position_of(pushed).y > 5);
    assert_near(seen_distance, 99 - .5 - position_of(pushed).y, 1e-3);
}

static void a_steady_step_makes_no_heap_call_of_ours(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    cn_sim_destroy(sim);
    sim = make_sim(&(CnSimDesc){.allocator = cn_heap_tag(heap, "sim")}, NULL);
    world = cn_sim_world(sim);
    add_floor();
    for (int i = 0; i < 30; i++) {
        CnRigidbody body = box(CN_BODY_DYNAMIC, .5f, .5f, .5f);
        body.can_sleep = false;
        add_body(cn_vec3((float)(i % 5) * 1.1f, .5f + (float)(i / 5), 0), body);
    }
    tick(120);
    uint64_t calls = cn_heap_stats(heap).calls;
    tick(120);
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    cn_sim_destroy(sim);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    set_up(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_body_is_read_as_the_document_shows),
        TEST(every_shape_and_kind_has_its_name),
        TEST(bad_values_are_errors),
        TEST(the_state_of_bodies_is_not_reflected),
        TEST(gravity_is_that_of_the_description),
        TEST(bodies_that_were_there_before_the_plugin_are_bodies),
        TEST(the_plugin_can_be_replaced_while_bodies_fall),
        TEST(a_removed_plugin_leaves_a_world_that_runs),
        TEST(a_cleared_world_can_be_filled_again),
        TEST(systems_that_declare_it_apply_forces_and_query),
        TEST(a_steady_step_makes_no_heap_call_of_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
