/* Meshes: what is refused, where they lie, what comes and goes. */
#include "mesh_feature.h"
#include "random.h"
#include "render/core/renderer_internal.h"
#include "render_fixture.h"

#include <math.h>
#include <string.h>

static const CnVertex triangle[3] = {{.position = {0, 0, 0}, .normal = {0, 0, 1}},
                                     {.position = {1, 0, 0}, .normal = {0, 0, 1}},
                                     {.position = {0, 2, 0}, .normal = {0, 0, 1}}};
static const uint32_t order[3] = {0, 1, 2};

static CnMeshDesc triangle_desc(void)
{
    return (CnMeshDesc){.name = "triangle",
                        .vertices = triangle,
                        .vertex_count = 3,
                        .indices = order,
                        .index_count = 3};
}

static void expect_refused(const CnMeshDesc *desc, const char *message)
{
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    assert_int_equal(cn_mesh_create(fixture.renderer, desc, &fixture.error).id, 0);
    assert_string_equal(fixture.error.message, message);
    assert_int_equal(cn_renderer_stats(fixture.renderer).meshes, 0);
    render_fixture_fini(&fixture);
}

static void indices_that_lead_nowhere_are_refused(void **state)
{
    (void)state;
    CnMeshDesc desc = triangle_desc();
    desc.indices = (const uint32_t[]){0, 1, 3};
    expect_refused(&desc, "mesh triangle: index 2 is 3, but there are only 3 vertices");
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    CnVertex vertices[3];
    memcpy(vertices, triangle, sizeof vertices);
    vertices[1].normal.y = NAN;
    CnMeshDesc desc = triangle_desc();
    desc.vertices = vertices;
    expect_refused(&desc, "mesh triangle: vertex 1 has a number that is not finite");
}

static void what_makes_no_triangles_is_refused(void **state)
{
    (void)state;
    CnMeshDesc desc = triangle_desc();
    desc.index_count = 2;
    expect_refused(&desc, "mesh triangle: 3 vertices and 2 indices do not form triangles");
}

static void a_mesh_knows_its_bounds(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    CnMeshDesc desc = triangle_desc();
    CnMeshInfo info =
        cn_mesh_info(fixture.renderer, cn_mesh_create(fixture.renderer, &desc, &fixture.error));
    assert_true(info.minimum.x == 0 && info.maximum.x == 1 && info.maximum.y == 2);
    assert_true(info.center.x == 0.5f && info.center.y == 1);
    assert_true(info.radius > 1.118f && info.radius < 1.119f);
    assert_string_equal(info.name, "triangle");
    assert_int_equal(info.index_count, 3);
    assert_false(info.is_skinned);
    render_fixture_fini(&fixture);
}

static void a_destroyed_mesh_is_gone_and_its_room_is_used_again(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    CnMeshDesc desc = triangle_desc();
    CnMesh first = cn_mesh_create(fixture.renderer, &desc, &fixture.error);
    cn_mesh_destroy(fixture.renderer, first);
    assert_string_equal(cn_mesh_info(fixture.renderer, first).name, "");
    CnMesh second = cn_mesh_create(fixture.renderer, &desc, &fixture.error);
    assert_int_not_equal(first.id, second.id);
    const CniRenderMesh *mesh = cn_slot_table_get(&fixture.renderer->meshes, second.id);
    assert_int_equal(mesh->first_vertex, 0);
    assert_int_equal(mesh->first_index, 0);
    render_fixture_fini(&fixture);
}

static void a_shape_is_made_once(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    CnMesh a = cn_mesh_shape(fixture.renderer, CN_MESH_TORUS, &fixture.error);
    CnMesh b = cn_mesh_shape(fixture.renderer, CN_MESH_TORUS, &fixture.error);
    assert_int_equal(a.id, b.id);
    render_fixture_fini(&fixture);
}

static void shapes_have_names(void **state)
{
    (void)state;
    assert_int_equal(cn_mesh_shape_from_name("cube"), CN_MESH_CUBE);
    assert_int_equal(cn_mesh_shape_from_name("torus"), CN_MESH_TORUS);
    assert_int_equal(cn_mesh_shape_from_name("egg"), CN_MESH_SHAPE_COUNT);
}

static void shapes_are_as_large_as_they_say(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    for (uint32_t i = 0; i < CN_MESH_SHAPE_COUNT; i++) {
        CnMesh mesh = cn_mesh_shape(fixture.renderer, (CnMeshShape)i, &fixture.error);
        CnMeshInfo info = cn_mesh_info(fixture.renderer, mesh);
        float height = i == CN_MESH_CAPSULE ? 2
                       : i == CN_MESH_PLANE ? 0
                       : i == CN_MESH_TORUS ? 0.3f
                                            : 1;
        assert_true(fabsf(info.maximum.x - 0.5f) < 1e-5f && fabsf(info.minimum.x + 0.5f) < 1e-5f);
        assert_true(fabsf(info.maximum.y - info.minimum.y - height) < 1e-5f);
    }
    render_fixture_fini(&fixture);
}

/* ---- The pool ---- */

#define KEPT 64u

/* No two meshes overlap, and all of the pool is either taken or free. */
static void check_pool(const CnRenderer *renderer, CniRenderPoolKind kind)
{
    const CniRenderMeshPool *pool = &renderer->pools[kind];
    static uint8_t taken[1u << 20];
    assert_true(pool->capacity <= sizeof taken);
    memset(taken, 0, pool->capacity);
    for (uint32_t i = 0; i < renderer->meshes.count; i++) {
        const CniRenderMesh *mesh = cn_slot_table_live_at(&renderer->meshes, i);
        if (!mesh)
            continue;
        bool is_vertices = kind == CNI_RENDER_POOL_VERTICES;
        uint32_t first = is_vertices ? mesh->first_vertex : mesh->first_index;
        uint32_t count = is_vertices ? mesh->vertex_count : mesh->index_count;
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(taken[first + k]++, 0);
    }
    for (uint32_t i = 0; i < pool->ranges.free.count; i++) {
        for (uint32_t k = 0; k < pool->ranges.free.items[i].count; k++)
            assert_int_equal(taken[pool->ranges.free.items[i].first + k]++, 0);
    }
    for (uint32_t i = 0; i < pool->capacity; i++)
        assert_int_equal(taken[i], 1);
}

static void meshes_that_come_and_go_never_overlap(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    static CnVertex vertices[3000];
    static uint32_t indices[3000];
    CnMesh kept[KEPT] = {0};
    TestRandom random = {7};
    for (uint32_t i = 0; i < 3000; i++) {
        vertices[i] = triangle[i % 3];
        indices[i] = i;
    }
    for (uint32_t round = 0; round < 400; round++) {
        uint32_t at = test_random_below(&random, KEPT),
                 count = 3 * (1 + test_random_below(&random, 999));
        cn_mesh_destroy(fixture.renderer, kept[at]);
        kept[at] = cn_mesh_create(fixture.renderer,
                                  &(CnMeshDesc){.vertices = vertices,
                                                .vertex_count = count,
                                                .indices = indices,
                                                .index_count = count},
                                  &fixture.error);
        assert_int_not_equal(kept[at].id, 0);
        if (round % 16 == 0) {
            check_pool(fixture.renderer, CNI_RENDER_POOL_VERTICES);
            check_pool(fixture.renderer, CNI_RENDER_POOL_INDICES);
            render_fixture_draw(&fixture, 1);
        }
    }
    render_fixture_fini(&fixture);
}

/* The pool grows between frames, and what was in it is still drawn. */
static void a_mesh_survives_the_growing_of_the_pool(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return;
    render_fixture_add(&fixture, &mesh_feature, NULL);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 2);
    render_fixture_draw(&fixture, 1);
    uint8_t before[4];
    memcpy(before, render_fixture_pixel(&fixture, 160, 90), 4);
    assert_int_equal(before[2], 255); /* its front faces us */
    uint64_t bytes = cn_renderer_stats(fixture.renderer).mesh_bytes;
    for (uint32_t i = 0; i < CN_MESH_SHAPE_COUNT; i++)
        assert_int_not_equal(cn_mesh_shape(fixture.renderer, (CnMeshShape)i, &fixture.error).id, 0);
    assert_true(cn_renderer_stats(fixture.renderer).mesh_bytes > bytes);
    render_fixture_draw(&fixture, 1);
    assert_memory_equal(render_fixture_pixel(&fixture, 160, 90), before, 4);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_that_lead_nowhere_are_refused),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(what_makes_no_triangles_is_refused),
        cmocka_unit_test(a_mesh_knows_its_bounds),
        cmocka_unit_test(a_destroyed_mesh_is_gone_and_its_room_is_used_again),
        cmocka_unit_test(a_shape_is_made_once),
        cmocka_unit_test(shapes_have_names),
        cmocka_unit_test(shapes_are_as_large_as_they_say),
        cmocka_unit_test(meshes_that_come_and_go_never_overlap),
        cmocka_unit_test(a_mesh_survives_the_growing_of_the_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
