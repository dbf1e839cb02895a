/* Wavefront OBJ files and their material libraries. */
#include "cmocka_tests.h"
#include "glb_import.h"
#include "memory_files.h"

#include <cairn/base/log.h>

#include <math.h>
#include <stdio.h>

static GlbImport obj;
static MemoryFiles memory;

static int start(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memory_files_init(&memory);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    glb_free(&obj);
    return 0;
}

#define OBJ_TEST(name) cmocka_unit_test_setup_teardown(name, start, drop)

static bool try_import(const char *text)
{
    return glb_import_file(&obj, "a.obj", text, strlen(text), &memory.files);
}

static void import(const char *text)
{
    if (!try_import(text))
        fail_msg("%s", obj.error.message);
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-5f;
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void corners_that_are_equal_share_a_vertex(void **state)
{
    (void)state;
    import(SQUARE "vn 0 0 1\nf 1//1 2//1 3//1\nf 1//1 3//1 4//1\n");
    assert_int_equal(obj.data.vertices.count, 4);
    assert_int_equal(obj.data.indices.count, 6);
}

static void indices_may_count_backwards(void **state)
{
    (void)state;
    import(SQUARE "f -4 -3 -2 -1\n");
    assert_int_equal(obj.data.indices.count, 6);
}

static void uv_have_their_origin_at_the_top(void **state)
{
    (void)state;
    import(SQUARE "vt 0.25 0.75\nf 1/1 2/1 3/1\n");
    assert_true(is_near(obj.data.vertices.items[0].uv.x, 0.25f));
    assert_true(is_near(obj.data.vertices.items[0].uv.y, 0.25f));
}

static float area(void)
{
    float sum = 0;
    for (uint32_t i = 0; i < obj.data.indices.count; i += 3) {
        const CnVec3 a = obj.data.vertices.items[obj.data.indices.items[i]].position,
                     b = obj.data.vertices.items[obj.data.indices.items[i + 1]].position,
                     c = obj.data.vertices.items[obj.data.indices.items[i + 2]].position;
        sum += cn_vec3_length(cn_vec3_cross(cn_vec3_sub(b, a), cn_vec3_sub(c, a))) / 2;
    }
    return sum;
}

/* Cut from the first to the third corner, the triangles would overlap. */
static void a_concave_quad_is_cut_at_its_inner_corner(void **state)
{
    (void)state;
    import("v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 2 3 4 1\n");
    assert_true(is_near(area(), 4));
    glb_free(&obj);
    import("v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n");
    assert_true(is_near(area(), 4));
}

static void smoothing_groups_share_normals(void **state)
{
    (void)state;
    import("v 0 0 0\nv 0 0 1\nv 1 1 0\nv 1 1 1\nv 2 0 0\nv 2 0 1\ns 1\nf 1 2 4 3\nf 3 4 6 5\n");
    assert_int_equal(obj.data.vertices.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const CnVertex *v = &obj.data.vertices.items[i];
        if (is_near(v->position.y, 1))
            assert_true(is_near(v->normal.x, 0) && v->normal.y > 0.99f);
    }
}

static void without_smoothing_faces_are_flat(void **state)
{
    (void)state;
    import("v 0 0 0\nv 0 0 1\nv 1 1 0\nv 1 1 1\nv 2 0 0\nv 2 0 1\nf 1 2 4 3\nf 3 4 6 5\n");
    assert_int_equal(obj.data.vertices.count, 8);
}

static void vertices_may_have_colors(void **state)
{
    (void)state;
    import("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
    for (uint32_t i = 0; i < 3; i++) {
        const CnVertex *v = &obj.data.vertices.items[i];
        assert_int_equal(v->color[1], v->position.x > 0.5f ? 255 : 0);
    }
}

static void numbers_have_fractions_and_exponents(void **state)
{
    (void)state;
    import("v -1.5e2 +.25 1E-3\nv 0 0 0\nv 123456789012345678901234567890 0 0\nf 1 2 1\n");
    const CnVertex *v = &obj.data.vertices.items[0];
    if (!is_near(v->position.x, -150))
        v = &obj.data.vertices.items[1];
    assert_true(is_near(v->position.x, -150) && is_near(v->position.y, 0.25f));
    assert_true(is_near(v->position.z, 0.001f));
}

static void errors_name_their_line(void **state)
{
    (void)state;
    assert_false(try_import(SQUARE "\nf 1 2 9\n"));
    assert_int_equal(obj.error.line, 6);
    assert_non_null(strstr(obj.error.message, "is not defined above"));
    assert_false(try_import("v 0 x 0\n"));
    assert_int_equal(obj.error.line, 1);
    assert_false(try_import(SQUARE "f 1 2\n"));
    assert_false(try_import(SQUARE "f 0 1 2\n"));
    assert_false(try_import(SQUARE "f 1 2 99999999999999999999\n"));
    assert_false(try_import(SQUARE "f 1 2 -5\n"));
}

/* ---- Materials ---- */

static void statements_before_the_first_material_are_ignored(void **state)
{
    (void)state;
    memory_files_set(&memory, "m.mtl", "map_Kd a.png\nKd 1 0 0\n");
    import("mtllib m.mtl\n" SQUARE "f 1 2 3\n");
    assert_int_equal(obj.data.materials.count, 0);
}

static void names_of_materials_and_files_may_have_blanks(void **state)
{
    (void)state;
    memory_files_set(&memory, "my mats.mtl",
                     "newmtl old wood\nKd 0.5 0.25 0\nmap_Kd my wood.png\n");
    import("mtllib my mats.mtl\n" SQUARE "usemtl old wood\nf 1 2 3\n");
    assert_int_equal(obj.data.materials.count, 1);
    assert_true(is_near(obj.data.materials.items[0].base_color.y, 0.25f));
    assert_string_equal(cni_render_model_text_at(&obj.data, obj.data.textures.items[0].path),
                        "my wood.png");
}

static void a_library_that_is_missing_is_skipped(void **state)
{
    (void)state;
    import("mtllib nowhere.mtl\nusemtl A\n" SQUARE "f 1 2 3\n");
    assert_int_equal(obj.data.materials.count, 0);
}

static void objects_and_materials_divide_meshes(void **state)
{
    (void)state;
    memory_files_set(&memory, "m.mtl", "newmtl A\nnewmtl B\nd 0.5\nnewmtl C\n");
    import("mtllib m.mtl\n" SQUARE "o One\nusemtl A\nf 1 2 3\nusemtl B\nf 1 3 4\nusemtl A\n"
           "f 2 3 4\no Two\nf 1 2 4\n");
    assert_int_equal(obj.data.parts.count, 3);
    assert_int_equal(obj.data.materials.count, 2);
    assert_int_equal(obj.data.meshes.items[0].index_count, 6);
    assert_int_equal(obj.data.materials.items[1].alpha_mode, CN_ALPHA_BLEND);
}

/* A library of 16,384 materials of which one is used; a quadratic step would take long. */
static void many_materials_are_linear(void **state)
{
    (void)state;
    enum { MATERIALS = 16384 };
    char *library = cn_alloc(NULL, MATERIALS * 20);
    size_t at = 0;
    for (uint32_t i = 0; i < MATERIALS; i++)
        at += (size_t)snprintf(library + at, 20, "newmtl m%u\n", i);
    memory_files_set(&memory, "m.mtl", library);
    import("mtllib m.mtl\n" SQUARE "usemtl m9999\nf 1 2 3\n");
    cn_free(NULL, library, MATERIALS * 20);
    assert_int_equal(obj.data.materials.count, 1);
}

static void numbers_of_smoothing_groups_may_be_large(void **state)
{
    (void)state;
    import("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ns 42949672960\nf 1 2 3\nf 1 3 4\n");
    assert_int_equal(obj.data.vertices.count, 4);
}

static void comments_may_follow_a_face(void **state)
{
    (void)state;
    import("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 # the only one\n");
    assert_int_equal(obj.data.indices.count, 3);
}

/* Vertices that nearly coincide are not compared with each other. */
static void vertices_that_nearly_coincide_are_linear(void **state)
{
    (void)state;
    enum { VERTICES = 60000 };
    char *text = cn_alloc(NULL, VERTICES * 48);
    size_t at = 0;
    for (uint32_t i = 0; i < VERTICES; i++)
        at += (size_t)snprintf(text + at, 24, "v 0 0 %ue-9\n", i);
    for (uint32_t i = 1; i + 2 <= VERTICES; i += 3)
        at += (size_t)snprintf(text + at, 40, "f %u %u %u\n", i, i + 1, i + 2);
    import(text);
    cn_free(NULL, text, VERTICES * 48);
    assert_int_equal(obj.data.indices.count, VERTICES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OBJ_TEST(corners_that_are_equal_share_a_vertex),
        OBJ_TEST(indices_may_count_backwards),
        OBJ_TEST(uv_have_their_origin_at_the_top),
        OBJ_TEST(a_concave_quad_is_cut_at_its_inner_corner),
        OBJ_TEST(smoothing_groups_share_normals),
        OBJ_TEST(without_smoothing_faces_are_flat),
        OBJ_TEST(numbers_of_smoothing_groups_may_be_large),
        OBJ_TEST(comments_may_follow_a_face),
        OBJ_TEST(vertices_may_have_colors),
        OBJ_TEST(numbers_have_fractions_and_exponents),
        OBJ_TEST(errors_name_their_line),
        OBJ_TEST(statements_before_the_first_material_are_ignored),
        OBJ_TEST(names_of_materials_and_files_may_have_blanks),
        OBJ_TEST(a_library_that_is_missing_is_skipped),
        OBJ_TEST(objects_and_materials_divide_meshes),
        OBJ_TEST(many_materials_are_linear),
        OBJ_TEST(vertices_that_nearly_coincide_are_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
