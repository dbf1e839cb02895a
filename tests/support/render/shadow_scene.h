/*
 * Boxes in the light of a sun and a lamp, drawn with the cascades, tiles and shaders of the feature
 * "Shadows" but nothing else of the renderer: shadows as numbers, not mixed with materials and
 * light.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_SHADOW_SCENE_H
#define CAIRN_TESTS_SUPPORT_RENDER_SHADOW_SCENE_H

#include "gpu_device.h"
#include "render/feature/shadows.h"

#include <cairn/render/graph.h>

typedef struct LabBox {
    CnVec3 centre;
    float unused;
    CnVec3 half_size;
    float unused_too;
} LabBox;

typedef struct LabPicture {
    const LabBox *boxes;
    uint32_t box_count;
    CnVec3 eye, target;
    float fov;    /* degrees */
    float height; /* not 0: orthographic */
    CnVec3 sun;   /* where it shines; zeros: none */
    const CnFrameLight *light;
    uint32_t cascades, size, light_size;
    float distance, softness;
    uint32_t width, height_in_pixels;
} LabPicture;

typedef struct LabPixel {
    float sun, light;              /* how much of them is seen; background: 1 */
    float sun_facing, lamp_facing; /* cosines; 0: turned away, or background */
} LabPixel;

typedef struct ShadowLab ShadowLab;

/* NULL where there is no Vulkan device. */
ShadowLab *shadow_lab_create(void);
/* Fails the test if validation has said anything. */
void shadow_lab_destroy(ShadowLab *lab);
/* Good until the next picture. */
const LabPixel *shadow_lab_draw(ShadowLab *lab, const LabPicture *picture);
/* A point of the world on the picture, in pixels. */
CnVec2 shadow_lab_project(const LabPicture *picture, CnVec3 point);
/* Of the last picture: metres of a texel of a cascade, and where it ends. */
float shadow_lab_texel(const ShadowLab *lab, uint32_t cascade);
float shadow_lab_split(const ShadowLab *lab, uint32_t cascade);
/* Into a PNG when CAIRN_LAB_PICTURES names a folder; to look at. `channel`: 0 sun, 1 lamp. */
void shadow_lab_save(const LabPicture *picture, const LabPixel *pixels, int channel,
                     const char *name);

#endif
