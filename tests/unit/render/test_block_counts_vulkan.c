/* test-labels: rendering */
/* The renderer's counts of blocks and particles agree with a scene whose quads are known. */
#include "render_fixture.h"
#include "standard_blocks.h"

#include <cairn/render/blocks.h>
#include <cairn/render/particles.h>

#include <stdlib.h>

#define CHUNKS 2u
#define QUADS 20u /* of a chunk */
#define ALL_QUADS (CHUNKS * QUADS)
#define CASCADES 2u /* each with all chunks in it */
#define PARTICLES 30u
/* Counts come CN_GPU_FRAMES late; before, what is new is drawn for the first time. */
#define FRAMES (CN_GPU_FRAMES + 4)

static RenderFixture fixture;
static CnBlockView *view;

/* Upper faces of stone, one block wide, side by side with gaps: none hides another. */
static void set_chunk(int32_t x, int32_t z)
{
    CnQuad quads[QUADS];
    CnChunkMesh mesh = {.quads = quads, .count = QUADS};
    for (uint32_t i = 0; i < QUADS; i++)
        quads[i] = (CnQuad)(i % 5 * 3 | i / 5 * 3 << CN_QUAD_Z_SHIFT) |
                   (CnQuad)BLOCK_STONE << CN_QUAD_BLOCK_SHIFT | 0xFFull << CN_QUAD_OCCLUSION_SHIFT |
                   15ull << CN_QUAD_SKY_LIGHT_SHIFT;
    for (uint32_t i = CN_FACE_POS_Y + 1; i < CN_COUNT_OF(mesh.first); i++)
        mesh.first[i] = QUADS;
    assert_true(cn_block_view_set(view, (CnChunkPos){x, 0, z}, &mesh));
}

/* All chunks below the camera, in its view. `form`: of CAIRN_FULL_SCREEN. */
static bool begin(const char *form)
{
    CnFileBytes bytes;
    CnError error = {0};
    assert_return_code(setenv("CAIRN_FULL_SCREEN", form, 1), 0);
    bool is_there = render_fixture_init(&fixture, RENDER_VULKAN);
    assert_return_code(unsetenv("CAIRN_FULL_SCREEN"), 0);
    if (!is_there)
        return false;
    assert_true(cn_file_read_all(cn_native_files(), CRAFTY_BLOCK_TILES, NULL, &bytes, &error));
    view = cn_block_view_create(&(CnBlockViewDesc){.blocks = standard_blocks(),
                                                   .textures = bytes.data,
                                                   .texture_bytes = bytes.size,
                                                   .max_quads = 64000},
                                &error);
    assert_non_null(view);
    cn_file_bytes_free(&bytes);
    for (int32_t x = 0; x < (int32_t)CHUNKS; x++)
        set_chunk(x, 0);
    fixture.frame_desc.width = 96;
    fixture.frame_desc.height = 64;
    render_fixture_camera(&fixture, cn_vec3(16, 30, 9), cn_vec3(16, 0, 7), 70);
    return true;
}

static void end(void)
{
    render_fixture_fini(&fixture);
    cn_block_view_destroy(view);
}

static CnFeature *add_blocks(bool no_occlusion)
{
    CnFeature *blocks =
        render_fixture_add(&fixture, &cn_feature_blocks,
                           &(CnBlocksOptions){.view = view, .no_occlusion = no_occlusion});
    render_fixture_add(&fixture, &cn_feature_deferred, NULL);
    return blocks;
}

static CnRendererStats draw(uint32_t frames)
{
    render_fixture_draw(&fixture, frames);
    return cn_renderer_stats(fixture.renderer);
}

static void assert_all_visible(const CnRendererStats *stats)
{
    assert_int_equal(stats->items, CHUNKS);
    assert_int_equal(stats->visible_items, CHUNKS);
    assert_int_equal(stats->triangles, 2 * ALL_QUADS);
}

static void blocks_that_are_drawn_are_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    CnRendererStats stats = draw(FRAMES);
    assert_all_visible(&stats);
    assert_int_equal(stats.draws, CHUNKS);
    assert_int_equal(stats.draw_calls, 6); /* four bands by distance, cut-outs, props */
    end();
}

/* A draw has at most 16,384 quads. */
static void a_chunk_full_of_shapes_is_drawn_in_several_draws(void **state)
{
    (void)state;
    enum { SHAPES = 40000 };
    if (!begin("fragment"))
        skip();
    CnQuad *quads = calloc(SHAPES, sizeof *quads);
    CnChunkMesh mesh = {.quads = quads, .count = SHAPES};
    CnBlock slab = cn_block_find(standard_blocks(), "stone_slab");
    for (uint32_t i = 0; i < SHAPES; i++)
        quads[i] = (CnQuad)slab << CN_QUAD_BLOCK_SHIFT | 0xFFull << CN_QUAD_OCCLUSION_SHIFT |
                   15ull << CN_QUAD_SKY_LIGHT_SHIFT | CN_QUAD_SHAPE_MARK << CN_QUAD_CORNER_SHIFT;
    for (uint32_t i = CN_CHUNK_MESH_SEMI * CN_FACE_COUNT + CN_FACE_POS_Y + 1;
         i < CN_COUNT_OF(mesh.first); i++)
        mesh.first[i] = SHAPES;
    assert_true(cn_block_view_set(view, (CnChunkPos){0, 0, 0}, &mesh));
    free(quads);
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    CnRendererStats stats = draw(FRAMES);
    assert_int_equal(stats.visible_items, CHUNKS);
    assert_int_equal(stats.triangles, 2 * (SHAPES + QUADS));
    assert_int_equal(stats.draws, 3 + 1);
    end();
}

static void both_phases_of_culling_are_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    add_blocks(false);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    CnRendererStats stats = draw(FRAMES);
    assert_all_visible(&stats);
    assert_int_equal(stats.draws, CHUNKS);
    assert_int_equal(stats.draw_calls, 2 * 6);
    end();
}

static void blocks_that_are_computed_are_counted(void **state)
{
    (void)state;
    if (!begin("compute"))
        skip();
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    CnRendererStats stats = draw(FRAMES);
    assert_all_visible(&stats);
    assert_int_equal(stats.draws, 2); /* dispatches: of small and of wide quads */
    assert_int_equal(stats.draw_calls, 2);
    end();
}

static void lit_blocks_are_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    render_fixture_add(&fixture, &cn_feature_lit_blocks,
                       &(CnLitBlocksOptions){.view = view, .no_occlusion = true});
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    CnRendererStats stats = draw(FRAMES);
    assert_all_visible(&stats);
    assert_int_equal(stats.draws, 1);      /* one list of opaque quads */
    assert_int_equal(stats.draw_calls, 5); /* opaque and cut-out, clipped or not, and water */
    end();
}

static void water_of_lit_blocks_is_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    CnQuad quad = (CnQuad)CN_BLOCK_WATER << CN_QUAD_BLOCK_SHIFT | 15ull << CN_QUAD_SKY_LIGHT_SHIFT |
                  0xFFFFull << CN_QUAD_CORNER_SHIFT;
    CnChunkMesh mesh = {.quads = &quad, .count = 1};
    uint32_t end_of_face = CN_CHUNK_MESH_WATER * CN_FACE_COUNT + CN_FACE_POS_Y + 1;
    for (uint32_t i = end_of_face; i < CN_COUNT_OF(mesh.first); i++)
        mesh.first[i] = 1;
    assert_true(cn_block_view_set(view, (CnChunkPos){0, 0, 0}, &mesh));
    render_fixture_add(&fixture, &cn_feature_lit_blocks, &(CnLitBlocksOptions){.view = view});
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    CnRendererStats stats = draw(FRAMES);
    assert_int_equal(stats.triangles, 2 * (QUADS + 1));
    assert_int_equal(stats.draws, 2);
    end();
}

static uint64_t triangles_with_shadows(void)
{
    render_fixture_sun(&fixture, cn_vec3(0.1f, -1, 0.1f), cn_vec3(3, 3, 3));
    render_fixture_add(&fixture, &cn_feature_shadows,
                       &(CnShadowOptions){.cascades = CASCADES, .size = 256, .distance = 100});
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    return draw(FRAMES).triangles;
}

static void shadows_of_blocks_that_are_drawn_are_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    assert_int_equal(triangles_with_shadows(), 2 * (1 + CASCADES) * ALL_QUADS);
    end();
}

static void shadows_of_blocks_that_are_computed_are_counted(void **state)
{
    (void)state;
    if (!begin("compute"))
        skip();
    assert_int_equal(triangles_with_shadows(), 2 * (1 + CASCADES) * ALL_QUADS);
    end();
}

/* The chunk at 1, 1 lies in the frustum of a face of the lamp as far as its planes tell. */
static void chunks_out_of_reach_of_a_lamp_are_not_drawn_into_its_shadows(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    render_fixture_point_light(&fixture, cn_vec3(8, 5, 4), cn_vec3(9, 9, 9), 10)->flags =
        CN_RENDER_CASTS_SHADOWS;
    render_fixture_add(&fixture, &cn_feature_shadows, &(CnShadowOptions){.local_size = 64});
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_point_spot, NULL);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    uint64_t before = draw(FRAMES).triangles;
    assert_true(before > 2 * ALL_QUADS); /* some are drawn into them */
    set_chunk(1, 1);
    assert_int_equal(draw(FRAMES).triangles, before + 2 * QUADS);
    end();
}

static void blocks_behind_the_camera_are_items_that_are_not_visible(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    add_blocks(false);
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    render_fixture_camera(&fixture, cn_vec3(16, 30, 9), cn_vec3(16, 60, 7), 70);
    CnRendererStats stats = draw(FRAMES);
    assert_int_equal(stats.items, CHUNKS);
    assert_int_equal(stats.visible_items, 0);
    assert_int_equal(stats.draws, 0);
    assert_int_equal(stats.triangles, 0);
    end();
}

static void counts_of_blocks_end_with_what_draws_them(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    CnFeature *blocks = add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_water, &(CnWaterOptions){.view = view});
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    draw(FRAMES);
    cn_feature_set_enabled(blocks, false);
    CnRendererStats stats = draw(FRAMES);
    assert_int_equal(stats.triangles, 0);
    assert_int_equal(stats.draws, 0);
    end();
}

static void the_outline_of_a_block_is_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_block_highlight, &(CnBlocksOptions){.view = view});
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    cn_block_view_set_aim(view, &(CnBlockAim){.exists = true, .crack_stage = -1});
    CnRendererStats stats = draw(FRAMES);
    assert_int_equal(stats.triangles, 2 * ALL_QUADS + 2 * CN_FACE_COUNT);
    assert_int_equal(stats.draws, CHUNKS + 1);
    end();
}

static void particles_are_counted(void **state)
{
    (void)state;
    if (!begin("fragment"))
        skip();
    const CnEmitterDesc smoke = {.name = "smoke",
                                 .max_particles = 2 * PARTICLES,
                                 .lifetime = {100, 100},
                                 .size = {1, 1},
                                 .alpha = 1};
    CnParticleSystem *box = cn_particle_system_create(
        &(CnParticleSystemDesc){.emitters = &smoke, .emitter_count = 1}, &fixture.error);
    assert_non_null(box);
    add_blocks(true);
    render_fixture_add(&fixture, &cn_feature_particles, &(CnParticlesOptions){.system = box});
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    assert_true(cn_particle_system_burst(
        box, &(CnBurst){.count = PARTICLES, .position = {16, 5, 8}, .color = {1, 1, 1}}));
    CnRendererStats stats = draw(FRAMES);
    assert_int_equal(stats.triangles, 2 * (ALL_QUADS + PARTICLES));
    assert_int_equal(stats.draws, CHUNKS + 1);
    render_fixture_fini(&fixture);
    cn_particle_system_destroy(box);
    cn_block_view_destroy(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_are_drawn_are_counted),
        cmocka_unit_test(a_chunk_full_of_shapes_is_drawn_in_several_draws),
        cmocka_unit_test(both_phases_of_culling_are_counted),
        cmocka_unit_test(blocks_that_are_computed_are_counted),
        cmocka_unit_test(lit_blocks_are_counted),
        cmocka_unit_test(water_of_lit_blocks_is_counted),
        cmocka_unit_test(shadows_of_blocks_that_are_drawn_are_counted),
        cmocka_unit_test(shadows_of_blocks_that_are_computed_are_counted),
        cmocka_unit_test(chunks_out_of_reach_of_a_lamp_are_not_drawn_into_its_shadows),
        cmocka_unit_test(blocks_behind_the_camera_are_items_that_are_not_visible),
        cmocka_unit_test(counts_of_blocks_end_with_what_draws_them),
        cmocka_unit_test(the_outline_of_a_block_is_counted),
        cmocka_unit_test(particles_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
