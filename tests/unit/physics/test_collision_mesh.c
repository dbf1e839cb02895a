/* Meshes: their files, and bodies made from them. */
#include "physics_fixture.h"

#include "physics/collision_mesh_file.h"
#include "scratch.h"

#include <stdio.h>

/* ---- Files ---- */

static CniPhysicsTriangles triangles;
static CnError error;

static bool parse(const char *text)
{
    cni_physics_triangles_fini(&triangles);
    cni_physics_triangles_init(&triangles, NULL);
    cn_error_clear(&error);
    return cni_physics_mesh_parse(&triangles, "a.obj", cn_text(text), &error);
}

static int free_triangles(void **state)
{
    (void)state;
    cni_physics_triangles_fini(&triangles);
    return 0;
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\n"

static void corners_and_faces_are_read(void **state)
{
    (void)state;
    assert_true(parse("# a triangle\nv 0 0 0\nv 1.5 -2e1 .25\r\n\n  v +1 0 1 # last\nf 1 2 3\n"));
    assert_int_equal(triangles.corners.count, 9);
    assert_near(triangles.corners.items[3], 1.5, 0);
    assert_near(triangles.corners.items[4], -20, 0);
    assert_near(triangles.corners.items[5], .25, 0);
    assert_int_equal(triangles.indices.count, 3);
    assert_int_equal(triangles.indices.items[2], 2);
}

static void a_face_of_four_corners_is_two_triangles(void **state)
{
    (void)state;
    const uint32_t expected[] = {0, 1, 2, 0, 2, 3};
    assert_true(parse(CORNERS "f 1 2 3 4"));
    assert_int_equal(triangles.indices.count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(triangles.indices.items[i], expected[i]);
}

static void corners_can_be_counted_from_the_last(void **state)
{
    (void)state;
    assert_true(parse(CORNERS "f -4 -3 -1"));
    assert_int_equal(triangles.indices.items[0], 0);
    assert_int_equal(triangles.indices.items[2], 3);
}

static void textures_normals_and_names_are_passed_over(void **state)
{
    (void)state;
    assert_true(parse("mtllib x.mtl\no Floor\ng a\ns off\nvt 0 0\nvn 0 1 0\nusemtl red\n" CORNERS
                      "f 1/1/1 2//1 3/1\n"));
    assert_int_equal(triangles.indices.count, 3);
}

static void triangles_without_an_area_are_left_out(void **state)
{
    (void)state;
    assert_true(parse(CORNERS "f 1 1 2\nf 1 2 3\n"));
    assert_int_equal(triangles.indices.count, 3);
}

static void an_error_names_file_line_and_column(void **state)
{
    (void)state;
    assert_false(parse("v 0 0 0\nv 1 x 0\n"));
    assert_string_equal(error.file, "a.obj");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 5);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void what_is_not_a_mesh_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "v 0 0 0\n",
        CORNERS "f 1 2\n",
        CORNERS "f 1 2 9\n",
        CORNERS "f 0 1 2\n",
        CORNERS "f 1 2 -5\n",
        CORNERS "f 1 2 99999999999999999999\n",
        CORNERS "f 1 2 3x\n",
        CORNERS "f 1 2 /3\n",
        "v 1 2\n",
        "v 1 2 nan\n",
        "v 1 2 1e999\n",
        "v 1 2 inf\n",
        "v 1 2 1e\n",
        "v 1 2 .\n",
        "v 1 2 1.2.3\n",
        "v 1 2 0x10\n",
        "v 1 2 - 3\n",
        "w 1 2 3\n",
        CORNERS "f 1 1 1\n",
        "{\"v\": 1}",
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        if (parse(bad[i]))
            fail_msg("taken: %s", bad[i]);
        assert_true(error.message[0] != 0);
    }
}

/* ---- Bodies ---- */

static Scratch scratch;
static CnPhysicsDesc desc;

static int set_up_files(void **state)
{
    (void)state;
    scratch_init(&scratch);
    desc = (CnPhysicsDesc){.files = cn_native_files()};
    sim = make_sim(NULL, &desc);
    world = cn_sim_world(sim);
    return 0;
}

static int tear_down_files(void **state)
{
    tear_down(state);
    scratch_fini(&scratch);
    return 0;
}

static CnRigidbody mesh_of(CnBodyKind kind, const char *text)
{
    CnRigidbody body = cn_rigidbody(kind, CN_SHAPE_MESH);
    const char *path = scratch_path(&scratch, "floor.obj");
    assert_true(cn_file_write_all(cn_native_files(), path, text, strlen(text), NULL));
    assert_true(cn_copy_text(body.mesh, sizeof body.mesh, cn_text(path)));
    return body;
}

/* A floor of 20 by 20, seen from above counter-clockwise. */
#define FLOOR "v -10 0 -10\nv 10 0 -10\nv 10 0 10\nv -10 0 10\nf 4 3 2 1\n"

static void bodies_rest_on_a_mesh(void **state)
{
    (void)state;
    add_body(cn_vec3(0, 1, 0), mesh_of(CN_BODY_STATIC, FLOOR));
    CnEntity crate = add_body(cn_vec3(2, 2, 2), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    CnEntity ball = add_body(cn_vec3(-3, 2, 2), sphere(CN_BODY_DYNAMIC, .5f));
    tick(120);
    assert_near(position_of(crate).y, 1.5, .02);
    assert_near(position_of(ball).y, 1.5, .02);
}

static void a_capsule_rests_on_a_mesh(void **state)
{
    (void)state;
    CnRigidbody body = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_CAPSULE);
    body.angular_damping = 1000;
    add_body(cn_vec3(0, 0, 0), mesh_of(CN_BODY_STATIC, FLOOR));
    CnEntity person = add_body(cn_vec3(2, 1.5f, 2), body);
    tick(60);
    assert_near(position_of(person).y, 1, .02);
}

static void a_box_lies_flat_on_a_mesh_of_small_triangles(void **state)
{
    (void)state;
    enum { SIDE = 21, BYTES = 40000 };
    static char text[BYTES];
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    for (int i = 0; i < SIDE * SIDE; i++)
        cn_text_append_format(&builder, "v %d.%d 0 %d.%d\n", i % SIDE / 5, i % SIDE % 5 * 2,
                              i / SIDE / 5, i / SIDE % 5 * 2);
    for (int i = 0; i < SIDE * (SIDE - 1); i++)
        if (i % SIDE < SIDE - 1)
            cn_text_append_format(&builder, "f %d %d %d %d\n", i + 1, i + SIDE + 1, i + SIDE + 2,
                                  i + 2);
    assert_true(builder.count < BYTES);
    memcpy(text, builder.items, builder.count + 1);
    cn_array_fini(&builder);
    add_body(cn_vec3(-2, 0, -2), mesh_of(CN_BODY_STATIC, text));
    CnEntity crate = add_body(cn_vec3(.13f, .7f, .07f), box(CN_BODY_DYNAMIC, .8f, .5f, .6f));
    tick(120);
    assert_near(position_of(crate).y, .5, .01);
    assert_near(cn_vec3_dot(cn_transform_world_up(world, crate), cn_vec3(0, 1, 0)), 1, 1e-4);
    assert_true(cn_body_is_asleep(world, crate));
}

static void a_mesh_is_scaled(void **state)
{
    (void)state;
    CnEntity hill = add_body(cn_vec3(0, 0, 0),
                             mesh_of(CN_BODY_STATIC, "v -1 1 -1\nv 1 1 -1\nv 0 1 1\nf 3 2 1"));
    cn_get_mut(world, hill, CnTransform)->scale = cn_vec3(10, 3, 10);
    CnRaycastHit hit;
    CnRaycastQuery query = {.origin = {4, 9, -4}, .direction = {0, -1, 0}, .distance = 20};
    assert_true(cn_physics_raycast(world, &query, &hit));
    assert_near(hit.point.y, 3, 1e-4);
}

static void a_ray_hits_a_mesh_from_both_sides(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnRaycastQuery down = {.origin = {1, 4, 0}, .direction = {0, -1, 0}, .distance = 20};
    CnRaycastQuery up = {.origin = {1, -4, 0}, .direction = {0, 1, 0}, .distance = 20};
    add_body(cn_vec3(0, 0, 0), mesh_of(CN_BODY_STATIC, FLOOR));
    assert_true(cn_physics_raycast(world, &down, &hit));
    assert_near(hit.distance, 4, 1e-4);
    assert_near(hit.normal.y, 1, 1e-4);
    assert_true(cn_physics_raycast(world, &up, &hit));
    assert_near(hit.distance, 4, 1e-4);
    assert_near(hit.normal.y, -1, 1e-4);
}

static void bodies_share_a_mesh_and_give_it_back(void **state)
{
    (void)state;
    CnRigidbody body = mesh_of(CN_BODY_STATIC, FLOOR);
    CnEntity a = add_body(cn_vec3(0, 0, 0), body), b = add_body(cn_vec3(50, 0, 0), body);
    tick(1);
    cn_destroy(world, a);
    tick(1);
    CnRaycastQuery query = {.origin = {50, 4, 0}, .direction = {0, -1, 0}, .distance = 20};
    assert_true(cn_physics_raycast(world, &query, NULL));
    cn_destroy(world, b);
    tick(1);
    assert_false(cn_physics_raycast(world, &query, NULL));
}

static void a_missing_or_bad_mesh_takes_no_part(void **state)
{
    (void)state;
    CnRigidbody missing = mesh_of(CN_BODY_STATIC, FLOOR);
    missing.mesh[0] = '?';
    add_body(cn_vec3(0, 0, 0), missing);
    add_body(cn_vec3(0, 1, 0), mesh_of(CN_BODY_STATIC, "v 0 0\n"));
    CnEntity ball = add_body(cn_vec3(0, 3, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(90);
    assert_true(position_of(ball).y < -3);
}

static void a_mesh_file_is_checked_without_a_body(void **state)
{
    (void)state;
    CnRigidbody good = mesh_of(CN_BODY_STATIC, FLOOR);
    assert_true(cn_physics_mesh_check(world, good.mesh, &error));
    CnRigidbody bad = mesh_of(CN_BODY_STATIC, "v 0 0 0\nv 0 0\n");
    assert_false(cn_physics_mesh_check(world, bad.mesh, &error));
    assert_int_equal(error.line, 2);
    cn_error_clear(&error);
    assert_false(cn_physics_mesh_check(world, "none.obj", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_int_equal(error.line, 0);
    assert_int_equal(cn_physics_stats(world).bodies, 0);
}

static void without_files_a_mesh_takes_no_part(void **state)
{
    (void)state;
    CnRigidbody body = mesh_of(CN_BODY_STATIC, FLOOR);
    cn_sim_destroy(sim);
    set_up(NULL);
    add_body(cn_vec3(0, 0, 0), body);
    CnEntity ball = add_body(cn_vec3(0, 3, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(90);
    assert_true(position_of(ball).y < -3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_files, tear_down_files)
        cmocka_unit_test(corners_and_faces_are_read),
        cmocka_unit_test(a_face_of_four_corners_is_two_triangles),
        cmocka_unit_test(corners_can_be_counted_from_the_last),
        cmocka_unit_test(textures_normals_and_names_are_passed_over),
        cmocka_unit_test(triangles_without_an_area_are_left_out),
        cmocka_unit_test(an_error_names_file_line_and_column),
        cmocka_unit_test(what_is_not_a_mesh_is_refused),
        TEST(bodies_rest_on_a_mesh),
        TEST(a_capsule_rests_on_a_mesh),
        TEST(a_box_lies_flat_on_a_mesh_of_small_triangles),
        TEST(a_mesh_is_scaled),
        TEST(a_ray_hits_a_mesh_from_both_sides),
        TEST(bodies_share_a_mesh_and_give_it_back),
        TEST(a_missing_or_bad_mesh_takes_no_part),
        TEST(a_mesh_file_is_checked_without_a_body),
        TEST(without_files_a_mesh_takes_no_part),
    };
    return cmocka_run_group_tests(tests, NULL, free_triangles);
}
