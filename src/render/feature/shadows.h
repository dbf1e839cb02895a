/*
 * Shared by the shadow files: the views of cascades and local lights, and the uniform block of
 * shaders/render/feature/shadow.glsl. Shadow map depth increases away from the light: 1 is far, and
 * where nothing was drawn.
 */
#ifndef CAIRN_SRC_RENDER_FEATURE_SHADOWS_H
#define CAIRN_SRC_RENDER_FEATURE_SHADOWS_H

#include <cairn/render/features.h>

#include <assert.h>
#include <stddef.h>

#define CNI_RENDER_MAX_CASCADES 4u
#define CNI_RENDER_MAX_SHADOW_LIGHTS 16u
#define CNI_RENDER_LIGHT_TILES 6u /* per light: a row of the atlas */

/* Laid out as in shaders/render/feature/shadow.glsl; all zeros: no shadows. */
typedef struct CniRenderShadowData {
    CnMat4 cascades[CNI_RENDER_MAX_CASCADES]; /* from world space to u, v and depth */
    /* Meters per texel; meters of the whole depth range; distances at which blending into the next
     * cascade begins and ends. */
    CnVec4 cascade_numbers[CNI_RENDER_MAX_CASCADES];
    /* number of cascades; 1 / size; tangent of half the sun's angular diameter; widest search in
     * meters */
    CnVec4 sun;
    CnVec4 atlas; /* width and height of a tile in the atlas; the same of a texel */
    /* Per light: meters per texel at distance 1; near and far plane; unused. */
    CnVec4 lights[CNI_RENDER_MAX_SHADOW_LIGHTS];
    /* from world space into the atlas, times w */
    CnMat4 tiles[CNI_RENDER_MAX_SHADOW_LIGHTS * CNI_RENDER_LIGHT_TILES];
} CniRenderShadowData;
static_assert(offsetof(CniRenderShadowData, cascade_numbers) == 256, "std140");
static_assert(offsetof(CniRenderShadowData, sun) == 320, "std140");
static_assert(offsetof(CniRenderShadowData, lights) == 352, "std140");
static_assert(offsetof(CniRenderShadowData, tiles) == 608, "std140");
static_assert(sizeof(CniRenderShadowData) == 6752, "std140");

/* ---- The sun ---- */

typedef struct CniRenderCascade {
    /* range of view distances that it covers; neighboring ranges overlap by the blend band */
    float from, to;
    float blend;   /* distance at which blending into the next begins */
    CnVec3 center; /* of the sphere around that part of the view, */
    float radius;  /* and its radius */
    float texel;   /* meters */
    float depth;   /* meters from the near to the far plane */
    CnMat4 world_to_clip;
    CnFrustum casters; /* volume of potential casters: open towards the sun */
} CniRenderCascade;

/* Fills `count` cascades; returns false if the view or the direction is invalid (zero or not
 * finite). */
bool cni_render_shadow_fit_cascades(const CnView *view, CnVec3 sun_direction, uint32_t count,
                                    uint32_t size, float distance, CniRenderCascade *cascades);

/* Writes the shader data of the sun. `softness` is in degrees; `far_plane` is that of the view. */
void cni_render_shadow_write_sun(CniRenderShadowData *data, const CniRenderCascade *cascades,
                                 uint32_t count, uint32_t size, float softness, float far_plane);

/* Maps clip space to a part of a texture. */
CnMat4 cni_render_shadow_clip_to_texture(const CnMat4 *world_to_clip, float x, float y, float width,
                                         float height);

/* ---- Point and spot lights ---- */

/* Guard texels around a face of a point light that overlap its neighbors: the filter reaches three
 * texels and is offset by up to four and a half along the normal. */
#define CNI_RENDER_SHADOW_GUARD 8u

typedef struct CniRenderLightView {
    CnMat4 world_to_clip;
    CnFrustum frustum;
} CniRenderLightView;

/* Computes the views of a light for its tiles of `size` texels; returns their number, 6 or 1.
 * `numbers`: CniRenderShadowData.lights. */
uint32_t cni_render_shadow_light_views(const CnFrameLight *light, uint32_t size,
                                       CniRenderLightView views[CNI_RENDER_LIGHT_TILES],
                                       CnVec4 *numbers);
/* Write the shader data of the atlas, which has `rows` rows of tiles of `size` texels, and of a
 * light. */
void cni_render_shadow_write_atlas(CniRenderShadowData *data, uint32_t rows, uint32_t size);
void cni_render_shadow_write_light(CniRenderShadowData *data, uint32_t slot,
                                   const CniRenderLightView *views, uint32_t count, CnVec4 numbers);

/* Assignment of lights to rows of the atlas, across frames. */
typedef struct CniRenderShadowSlots {
    uint32_t ids[CNI_RENDER_MAX_SHADOW_LIGHTS];
    bool taken[CNI_RENDER_MAX_SHADOW_LIGHTS];
} CniRenderShadowSlots;

/*
 * Assigns a slot to each of the `capacity` most important lights, and sets `shadow` of all lights.
 * A light keeps its slot until another light is clearly more important. `lights_at[slot]` is the
 * index of the light or UINT32_MAX.
 */
void cni_render_shadow_assign_slots(CniRenderShadowSlots *slots, uint32_t capacity,
                                    CnFrameLight *lights, uint32_t light_count, CnVec3 eye,
                                    uint32_t lights_at[CNI_RENDER_MAX_SHADOW_LIGHTS]);

#endif
