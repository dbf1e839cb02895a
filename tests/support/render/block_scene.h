/*
 * A small real voxel world in a render fixture.
 *
 *     BlockScene scene;
 *     if (!block_scene_init(&scene, &(BlockSceneDesc){.radius = 3}))      // seed 42
 *         skip();                                                        // no Vulkan device
 *     render_fixture_add(&scene.fixture, &cn_feature_shadows, NULL);
 *     block_scene_add_blocks(&scene, NULL);
 *     render_fixture_add(&scene.fixture, &cn_feature_deferred, NULL);
 *     render_fixture_add(&scene.fixture, &cn_feature_tone_map, NULL);
 *     block_scene_camera(&scene, cn_vec3(8, 12, 30), 180, -20);          // y is above the ground
 *     block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
 *     render_fixture_draw(&scene.fixture, 2);
 *     assert_golden_image("blocks", &scene.fixture);
 *     block_scene_fini(&scene);
 *
 * block_scene_set places blocks, and block_scene_show streams until all of them are in the view.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_BLOCK_SCENE_H
#define CAIRN_TESTS_SUPPORT_RENDER_BLOCK_SCENE_H

#include "render_fixture.h"

#include <cairn/render/blocks.h>
#include <cairn/voxel/voxels.h>

typedef struct BlockSceneDesc {
    RenderBackend backend;      /* zero is RENDER_NULL */
    uint64_t seed;              /* 0 means 42 */
    int32_t x, z;               /* of the center, in blocks */
    uint32_t radius;            /* of chunks; 0 means 2 */
    uint32_t height;            /* of chunks up and down from the ground; 0 means 2 */
    bool empty;                 /* no terrain: air, with a floor of stone below y = 0 */
    bool no_erosion;            /* faster */
    bool computes;              /* passes are compute shaders, as on GPUs: rasterises with them */
    uint32_t max_quads;         /* of the view; 0 means 256 K */
    const CnBlockTable *blocks; /* NULL means standard_blocks */
} BlockSceneDesc;

typedef struct BlockScene {
    RenderFixture fixture;
    BlockSceneDesc desc;
    CnHeap *heap; /* of the view */
    CnGenerator *generator;
    CnVoxels *world;
    CnBlockView *view;
    CnCell middle; /* on the ground */
} BlockScene;

/* Loads the world into the view. Returns false if there is no Vulkan device. */
bool block_scene_init(BlockScene *scene, const BlockSceneDesc *desc);
/* Fails the test if a message was logged or memory was leaked. */
void block_scene_fini(BlockScene *scene);

/* Adds the feature "Blocks"; options may be NULL, their view is that of the scene. */
CnFeature *block_scene_add_blocks(BlockScene *scene, const CnBlocksOptions *options);
/* Shadows of 512 texels, Blocks, Sky, Environment, Deferred, Point and spot lights, Tone map. */
void block_scene_add_all(BlockScene *scene);
/* Sets the camera: x and z relative to the center, y above its ground; degrees: yaw 0 looks along
 * -z, 90 along -x. */
void block_scene_camera(BlockScene *scene, CnVec3 from, float yaw, float pitch);
/* Sets a sun that shines in this direction, with the color that the atmosphere leaves. */
void block_scene_sun(BlockScene *scene, CnVec3 direction);
/* Relative to the center, in blocks; the cell of the center is the first above the ground. */
void block_scene_set(BlockScene *scene, int32_t x, int32_t y, int32_t z, const char *block);
/* Sets a box of blocks, both ends included. */
void block_scene_fill(BlockScene *scene, CnCell from, CnCell to, const char *block);
void block_scene_show(BlockScene *scene);
/* Adds tiles of far terrain around the center, beyond the chunks. */
void block_scene_show_far(BlockScene *scene, float far_edge);

#endif
