/*
 * Boxes lit by a sun and a lamp, drawn only with the cascades, tiles and shaders of the feature
 * "Shadows": tests can read shadows as numbers, without materials and lighting.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_SHADOW_SCENE_H
#define CAIRN_TESTS_SUPPORT_RENDER_SHADOW_SCENE_H

#include "gpu_device.h"
#include "render/feature/shadows.h"

#include <cairn/render/graph.h>

typedef struct ShadowSceneBox {
    CnVec3 center;
    float unused;
    CnVec3 half_size;
    float unused_too;
} ShadowSceneBox;

typedef struct ShadowSceneDesc {
    const ShadowSceneBox *boxes;
    uint32_t box_count;
    CnVec3 eye, target;
    float fov;    /* degrees */
    float height; /* orthographic if not 0 */
    CnVec3 sun;   /* direction of light; zeros for none */
    const CnFrameLight *light;
    uint32_t cascades, size, light_size;
    float distance, softness;
    uint32_t width, height_in_pixels;
} ShadowSceneDesc;

typedef struct ShadowScenePixel {
    float sun, light;              /* visible fraction of each; background: 1 */
    float sun_facing, lamp_facing; /* cosines; 0 for faces turned away and for background */
} ShadowScenePixel;

typedef struct ShadowScene ShadowScene;

/* NULL where there is no Vulkan device. */
ShadowScene *shadow_scene_create(void);
/* Fails the test if validation reported anything. */
void shadow_scene_destroy(ShadowScene *scene);
/* Valid until the next image. */
const ShadowScenePixel *shadow_scene_draw(ShadowScene *scene, const ShadowSceneDesc *desc);
/* Projects a world position to pixels of the image. */
CnVec2 shadow_scene_project(const ShadowSceneDesc *desc, CnVec3 point);
/* Of the last image: meters per texel of a cascade, and its end. */
float shadow_scene_texel(const ShadowScene *scene, uint32_t cascade);
float shadow_scene_split(const ShadowScene *scene, uint32_t cascade);
/* Writes a PNG for inspection if CAIRN_SHADOW_IMAGES names a folder. `channel`: 0 sun, 1 lamp. */
void shadow_scene_save(const ShadowSceneDesc *desc, const ShadowScenePixel *pixels, int channel,
                       const char *name);

#endif
