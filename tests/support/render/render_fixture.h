/*
 * A device, a renderer, and a snapshot made by hand.
 *
 *     RenderFixture fixture;
 *     if (!render_fixture_init(&fixture, RENDER_VULKAN))
 *         return;                                                   // no Vulkan device: skipped
 *     cn_renderer_add_feature(fixture.renderer, &cn_feature_forward, NULL, &fixture.error);
 *     render_fixture_camera(&fixture, cn_vec3(0, 2, 5), cn_vec3(0, 0, 0), 60);
 *     render_fixture_sun(&fixture, cn_vec3(-1, -2, -1), cn_vec3(4, 4, 4));
 *     render_fixture_item(&fixture, "shapes://sphere", NULL, cn_vec3(0, 0, 0), 1);
 *     render_fixture_draw(&fixture, 1);
 *     assert_golden_image("sphere", &fixture);                      // golden_image.h
 *     render_fixture_fini(&fixture);
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_RENDER_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_RENDER_RENDER_FIXTURE_H

#include "gpu_device.h"

#include <cairn/base.h>
#include <cairn/render.h>
#include <cairn/scene/presentation.h>

typedef enum RenderBackend { RENDER_NULL, RENDER_VULKAN } RenderBackend;

#define RENDER_FIXTURE_ITEMS 4096u
#define RENDER_FIXTURE_LIGHTS 2048u
#define RENDER_FIXTURE_WIDTH 320u
#define RENDER_FIXTURE_HEIGHT 180u

typedef struct RenderFixture {
    CnHeap *heap; /* counting heap of the renderer */
    CnGpu *gpu;
    CnRenderer *renderer;
    CnError error;
    CnRenderSnapshot snapshot;
    CnRenderItem *items;
    CnRenderLight *lights;
    uint32_t asset_count;
    CnFrameDesc frame_desc; /* size, time and more; may be changed */
    const uint8_t *pixels;  /* of the last draw, RGBA */
} RenderFixture;

/* Returns false if there is no Vulkan device. */
bool render_fixture_init(RenderFixture *fixture, RenderBackend backend);
/* The same with models, textures and surfaces from a file system, and shaders from a folder (NULL
 * for none). */
bool render_fixture_init_with(RenderFixture *fixture, RenderBackend backend,
                              const CnRendererDesc *desc);
/* Fails the test if a message was logged or memory was leaked. */
void render_fixture_fini(RenderFixture *fixture);

/* Adds a feature, or fails the test. */
CnFeature *render_fixture_add(RenderFixture *fixture, const CnFeatureType *type,
                              const void *options);
void render_fixture_camera(RenderFixture *fixture, CnVec3 from, CnVec3 to, float fov_degrees);
/* If the material is NULL, that of the model is used. Valid until the fixture ends; casts
 * shadows. */
CnRenderItem *render_fixture_item(RenderFixture *fixture, const char *mesh, const char *material,
                                  CnVec3 position, float scale);
void render_fixture_sun(RenderFixture *fixture, CnVec3 direction, CnVec3 color);
CnRenderLight *render_fixture_point_light(RenderFixture *fixture, CnVec3 position, CnVec3 color,
                                          float range);
CnRenderLight *render_fixture_spot_light(RenderFixture *fixture, CnVec3 position, CnVec3 direction,
                                         CnVec3 color, float range, float cone_degrees);
/* Removes items and lights. */
void render_fixture_clear(RenderFixture *fixture);
/* Draws some frames and reads the last one back into `pixels`; fails the test on an error. Time
 * advances by 1/60 s per frame. */
void render_fixture_draw(RenderFixture *fixture, uint32_t frames);
/* Returns a pixel of the last draw as RGBA, from the top left. */
const uint8_t *render_fixture_pixel(const RenderFixture *fixture, uint32_t x, uint32_t y);

#endif
