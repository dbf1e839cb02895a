#include "block_scene.h"
#include "standard_blocks.h"

#include <stdlib.h>

static void mesh_changed(void *user, CnChunkPos position, const CnChunkMesh *mesh)
{
    const BlockScene *scene = user;
    assert_true(cn_block_view_set(scene->view, position, mesh));
}

static void chunk_removed(void *user, CnChunkPos position)
{
    const BlockScene *scene = user;
    cn_block_view_remove(scene->view, position);
}

static const CnBlockTable *table_of(const BlockScene *scene)
{
    return scene->desc.blocks ? scene->desc.blocks : standard_blocks();
}

static void make_view(BlockScene *scene)
{
    CnError error = {0};
    CnFileBytes bytes;
    if (!cn_file_read_all(cn_native_files(), CRAFTY_BLOCK_TILES, NULL, &bytes, &error))
        fail_msg("%s", error.message);
    uint32_t quads = scene->desc.max_quads ? scene->desc.max_quads : 1u << 18;
    scene->heap = cn_heap_create(NULL, NULL);
    scene->view =
        cn_block_view_create(&(CnBlockViewDesc){.blocks = table_of(scene),
                                                .allocator = cn_heap_tag(scene->heap, "blocks"),
                                                .textures = bytes.data,
                                                .texture_bytes = bytes.size,
                                                .max_quads = quads},
                             &error);
    if (!scene->view)
        fail_msg("%s", error.message);
    cn_file_bytes_free(&bytes);
}

static void make_world(BlockScene *scene)
{
    uint64_t seed = scene->desc.seed ? scene->desc.seed : 42;
    scene->generator = cn_generator_create(&(CnGeneratorDesc){.blocks = table_of(scene),
                                                              .seed = seed,
                                                              .no_erosion = scene->desc.no_erosion},
                                           NULL);
    assert_non_null(scene->generator);
    scene->world = cn_voxels_create(
        &(CnVoxelsDesc){
            .generator = scene->generator,
            .hooks = {.user = scene, .mesh_changed = mesh_changed, .chunk_removed = chunk_removed}},
        NULL);
    assert_non_null(scene->world);
    int32_t x = scene->desc.x, z = scene->desc.z;
    scene->middle = (CnCell){x, cn_voxels_height(scene->world, x, z) + 1, z};
}

/* Far above the ground: a floor in the air. */
static void make_floor(BlockScene *scene)
{
    scene->middle.y = 256;
    int32_t reach = (int32_t)(scene->desc.radius ? scene->desc.radius : 2) * CN_CHUNK_SIZE;
    block_scene_fill(scene, (CnCell){-reach, -1, -reach}, (CnCell){reach, -1, reach}, "stone");
}

bool block_scene_init(BlockScene *scene, const BlockSceneDesc *desc)
{
    *scene = (BlockScene){.desc = *desc};
    CnRendererDesc renderer = {.full_screen =
                                   desc->computes ? CN_FULL_SCREEN_COMPUTE : CN_FULL_SCREEN_AUTO};
    if (!render_fixture_init_with(&scene->fixture, desc->backend, &renderer))
        return false;
    make_view(scene);
    make_world(scene);
    if (desc->empty)
        make_floor(scene);
    block_scene_show(scene);
    return true;
}

void block_scene_fini(BlockScene *scene)
{
    render_fixture_fini(&scene->fixture);
    cn_voxels_destroy(scene->world);
    cn_generator_destroy(scene->generator);
    cn_block_view_destroy(scene->view);
    assert_int_equal(cn_heap_stats(scene->heap).live_blocks, 0);
    cn_heap_destroy(scene->heap);
}

/* ---- Features, camera, sun ---- */

CnFeature *block_scene_add_blocks(BlockScene *scene, const CnBlocksOptions *options)
{
    CnBlocksOptions all = options ? *options : (CnBlocksOptions){0};
    all.view = scene->view;
    return render_fixture_add(&scene->fixture, &cn_feature_blocks, &all);
}

void block_scene_add_all(BlockScene *scene)
{
    RenderFixture *fixture = &scene->fixture;
    const CnSkyOptions sky = {.kind = CN_SKY_ATMOSPHERE};
    render_fixture_add(fixture, &cn_feature_shadows, &(CnShadowOptions){.size = 512});
    block_scene_add_blocks(scene, NULL);
    render_fixture_add(fixture, &cn_feature_sky, &sky);
    render_fixture_add(fixture, &cn_feature_environment, &sky);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_point_spot, NULL);
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
}

void block_scene_camera(BlockScene *scene, CnVec3 from, float yaw, float pitch)
{
    CnVec3 middle = {(float)scene->middle.x, (float)scene->middle.y, (float)scene->middle.z};
    scene->fixture.snapshot.camera =
        (CnRenderCamera){.valid = true,
                         .position = cn_vec3_add(middle, from),
                         .rotation = cn_quat_from_euler(cn_vec3(pitch, yaw, 0)),
                         .fov = 70 * 0.0174532925f,
                         .near_plane = 0.1f,
                         .far_plane = 2500};
}

void block_scene_sun(BlockScene *scene, CnVec3 direction)
{
    CnVec3 way = cn_vec3_normalize(direction);
    CnVec3 color = cn_atmosphere_sun_color(cn_vec3_scale(way, -1));
    render_fixture_sun(&scene->fixture, way, cn_vec3_scale(color, 6));
}

/* ---- Blocks ---- */

static CnBlock find_block(const BlockScene *scene, const char *name)
{
    CnBlock block = cn_block_find(table_of(scene), name);
    if (block == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return block;
}

static void set_block(BlockScene *scene, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    CnCell cell = {scene->middle.x + x, scene->middle.y + y, scene->middle.z + z};
    CnEdit edit = {.kind = block == CN_BLOCK_AIR ? CN_EDIT_BREAK : CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    assert_true(cn_voxels_edit(scene->world, &edit, NULL));
}

void block_scene_set(BlockScene *scene, int32_t x, int32_t y, int32_t z, const char *block)
{
    set_block(scene, x, y, z, find_block(scene, block));
}

void block_scene_fill(BlockScene *scene, CnCell from, CnCell to, const char *block)
{
    CnBlock found = find_block(scene, block);
    for (int32_t z = from.z; z <= to.z; z++)
        for (int32_t y = from.y; y <= to.y; y++)
            for (int32_t x = from.x; x <= to.x; x++)
                set_block(scene, x, y, z, found);
}

void block_scene_show(BlockScene *scene)
{
    CnCell middle = scene->middle;
    cn_voxels_stream(scene->world,
                     &(CnVoxelsView){.eye = {(float)middle.x, (float)middle.y, (float)middle.z},
                                     .forward = {0, 0, -1},
                                     .radius = scene->desc.radius ? scene->desc.radius : 2,
                                     .height = scene->desc.height ? scene->desc.height : 2,
                                     .wait = true});
}

void block_scene_show_far(BlockScene *scene, float far_edge)
{
    CnLodTile *tiles = malloc(CN_LOD_MAX_TILES * sizeof *tiles);
    CnGenerateScratch *scratch = cn_generate_scratch_create(scene->generator);
    assert_true(tiles && scratch);
    uint32_t radius = scene->desc.radius ? scene->desc.radius : 2;
    uint32_t count = cn_lod_select(&(CnLodView){.x = (float)scene->middle.x,
                                                .z = (float)scene->middle.z,
                                                .near_edge = (float)(radius * CN_CHUNK_SIZE),
                                                .far_edge = far_edge},
                                   tiles, CN_LOD_MAX_TILES);
    CnLodMesh mesh = {0};
    for (uint32_t i = 0; i < count; i++) {
        assert_true(cn_lod_build(NULL, scene->generator, scratch, tiles[i], &mesh));
        assert_true(cn_block_view_set_far(scene->view, &mesh));
    }
    cn_lod_mesh_fini(NULL, &mesh);
    cn_generate_scratch_destroy(scratch);
    free(tiles);
}
