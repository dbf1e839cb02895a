/* Tangents that glTF files lack: those of MikkTSpace, with bitangents towards the top of the
 * image. */
#include "cmocka_tests.h"
#include "glb_import.h"

#include <math.h>

static GlbImport glb;
static GlbBuilder builder;

static int start(void **state)
{
    (void)state;
    builder = (GlbBuilder){0};
    return 0;
}

static int drop(void **state)
{
    (void)state;
    glb_free(&glb);
    return 0;
}

#define TANGENT_TEST(name) cmocka_unit_test_setup_teardown(name, start, drop)
#define MAX_VERTICES 8u

static const char *const normal_mapped =
    "'materials': [{'normalTexture': {'index': 0}}], 'textures': [{}], ";

/* Imports triangles in the plane z = 0 that face +z. */
static void import_with(const char *materials, const float (*positions)[2], const float (*uv)[2],
                        uint32_t vertex_count, const uint16_t *indices, uint32_t index_count)
{
    float all[MAX_VERTICES][8];
    char document[512];
    char text[3][96];
    for (uint32_t i = 0; i < vertex_count; i++)
        memcpy(all[i], (float[]){positions[i][0], positions[i][1], 0, 0, 0, 1, uv[i][0], uv[i][1]},
               32);
    cn_format(text[0], sizeof text[0], "'componentType': 5126, 'count': %u, 'type': 'VEC3'",
              vertex_count);
    cn_format(text[1], sizeof text[1],
              ", {'bufferView': 0, 'byteOffset': 12, 'componentType': 5126, 'count': %u, 'type': "
              "'VEC3'}",
              vertex_count);
    cn_format(text[2], sizeof text[2],
              ", {'bufferView': 0, 'byteOffset': 24, 'componentType': 5126, 'count': %u, 'type': "
              "'VEC2'}",
              vertex_count);
    glb_add(&builder, all, vertex_count * 32, 32, text[0]);
    strcat(strcat(builder.accessors, text[1]), text[2]);
    cn_format(text[0], sizeof text[0], "'componentType': 5123, 'count': %u, 'type': 'SCALAR'",
              index_count);
    glb_add(&builder, indices, index_count * sizeof *indices, 0, text[0]);
    cn_format(document, sizeof document,
              "%s'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'NORMAL': 1, "
              "'TEXCOORD_0': 2}, 'indices': 3, 'material': 0}]}], 'nodes': [{'mesh': 0}]",
              materials);
    if (!glb_build(&glb, &builder, document))
        fail_msg("%s", glb.error.message);
}

static void import(const float (*positions)[2], const float (*uv)[2], uint32_t vertex_count,
                   const uint16_t *indices, uint32_t index_count)
{
    import_with(normal_mapped, positions, uv, vertex_count, indices, index_count);
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-5f;
}

static void a_tangent_points_along_u(void **state)
{
    (void)state;
    const float positions[3][2] = {{0, 0}, {1, 0}, {0, 1}}, uv[3][2] = {{0, 1}, {0, 0}, {1, 1}};
    import(positions, uv, 3, (uint16_t[]){0, 1, 2}, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CnVec4 t = glb.data.vertices.items[i].tangent;
        assert_true(is_near(t.x, 0) && is_near(t.y, 1) && is_near(t.z, 0));
        /* v decreases along x: the bitangent w * cross(n, t) is +x. */
        assert_true(t.w == -1);
    }
}

static bool has_tangents(const char *materials)
{
    const float positions[3][2] = {{0, 0}, {1, 0}, {0, 1}}, uv[3][2] = {{0, 1}, {0, 0}, {1, 1}};
    import_with(materials, positions, uv, 3, (uint16_t[]){0, 1, 2}, 3);
    CnVec4 t = glb.data.vertices.items[0].tangent;
    return t.x != 0 || t.y != 0 || t.z != 0;
}

static void a_mesh_without_a_normal_map_gets_no_tangents(void **state)
{
    (void)state;
    assert_false(has_tangents("'materials': [{}], "));
}

static void a_mesh_with_an_anisotropic_material_gets_tangents(void **state)
{
    (void)state;
    assert_true(has_tangents("'materials': [{'extensions': {'KHR_materials_anisotropy': {}}}], "));
}

/* At the origin, the first triangle has a right angle and u along (1, 1), the second one half of it
 * and u along (2, 1). */
static void triangles_are_weighted_by_their_angle(void **state)
{
    (void)state;
    const float positions[4][2] = {{0, 0}, {0, -1}, {1, 0}, {1, 1}};
    const float uv[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, -1}};
    import(positions, uv, 4, (uint16_t[]){0, 1, 2, 0, 2, 3}, 6);
    float first = 2 / cn_sqrtf(2), second = 1 / cn_sqrtf(5);
    CnVec3 expected = cn_vec3_normalize(cn_vec3(first + 2 * second, first + second, 0));
    bool found = false;
    for (uint32_t i = 0; i < glb.data.vertices.count; i++) {
        const CnVertex *v = &glb.data.vertices.items[i];
        if (!is_near(v->position.x, 0) || !is_near(v->position.y, 0))
            continue;
        assert_true(is_near(v->tangent.x, expected.x) && is_near(v->tangent.y, expected.y));
        found = true;
    }
    assert_true(found);
}

static void mirrored_coordinates_split_the_vertices_of_their_seam(void **state)
{
    (void)state;
    const float positions[4][2] = {{0, 0}, {0, 1}, {-1, 0}, {1, 0}};
    const float uv[4][2] = {{0, 1}, {0, 0}, {1, 1}, {1, 1}};
    import(positions, uv, 4, (uint16_t[]){0, 3, 1, 0, 1, 2}, 6);
    assert_int_equal(glb.data.vertices.count, 6);
    for (uint32_t i = 0; i < 6; i += 3) {
        const CnVertex *a = &glb.data.vertices.items[glb.data.indices.items[i]];
        for (uint32_t j = 1; j < 3; j++) {
            const CnVertex *b = &glb.data.vertices.items[glb.data.indices.items[i + j]];
            assert_true(a->tangent.w == b->tangent.w && is_near(a->tangent.x, b->tangent.x));
        }
        assert_true(is_near(a->tangent.x * a->tangent.w, 1));
    }
}

static void equal_vertices_share_a_tangent(void **state)
{
    (void)state;
    const float positions[6][2] = {{0, 0}, {0, -1}, {1, 0}, {0, 0}, {1, 0}, {1, 1}};
    const float uv[6][2] = {{0, 0}, {0, 1}, {1, 0}, {0, 0}, {1, 0}, {0, -1}};
    import(positions, uv, 6, (uint16_t[]){0, 1, 2, 3, 4, 5}, 6);
    const CnVec4 *seen = NULL;
    for (uint32_t i = 0; i < 6; i++) {
        const CnVertex *v = &glb.data.vertices.items[i];
        if (!is_near(v->position.x, 0) || !is_near(v->position.y, 0))
            continue;
        if (seen)
            assert_memory_equal(seen, &v->tangent, sizeof *seen);
        seen = &v->tangent;
    }
    assert_non_null(seen);
}

static void a_triangle_without_area_in_the_image_takes_a_neighbors_tangent(void **state)
{
    (void)state;
    const float positions[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    const float uv[4][2] = {{0, 1}, {1, 1}, {0, 0}, {0.5f, 0.5f}};
    import(positions, uv, 4, (uint16_t[]){0, 1, 2, 2, 1, 3}, 6);
    assert_int_equal(glb.data.vertices.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const CnVertex *v = &glb.data.vertices.items[i];
        if (v->position.x + v->position.y < 1.5f)
            assert_true(is_near(v->tangent.x, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TANGENT_TEST(a_tangent_points_along_u),
        TANGENT_TEST(a_mesh_without_a_normal_map_gets_no_tangents),
        TANGENT_TEST(a_mesh_with_an_anisotropic_material_gets_tangents),
        TANGENT_TEST(triangles_are_weighted_by_their_angle),
        TANGENT_TEST(mirrored_coordinates_split_the_vertices_of_their_seam),
        TANGENT_TEST(equal_vertices_share_a_tangent),
        TANGENT_TEST(a_triangle_without_area_in_the_image_takes_a_neighbors_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
