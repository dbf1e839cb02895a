/*
 * What the files about shadows share: where cascades and local lights look, and the uniform block of
 * shaders/render/shadow.glsl. Depth of shadow maps grows away from the light: 1 is far, and where nothing was drawn.
 */
#ifndef CAIRN_RENDER_SHADOWS_H
#define CAIRN_RENDER_SHADOWS_H

#include <cairn/render/features.h>

#include <assert.h>
#include <stddef.h>

#define CNI_MAX_CASCADES 4u
#define CNI_MAX_SHADOW_LIGHTS 16u
#define CNI_LIGHT_TILES 6u /* of one light: a row of the atlas */

/* As shaders/render/shadow.glsl has it; all zeros: no shadows. */
typedef struct CniShadowData {
    CnMat4 cascades[CNI_MAX_CASCADES]; /* from the world to u, v and depth */
    /* Metres of a texel; of all depth; distances at which blending into the next begins and is done. */
    CnVec4 cascade_numbers[CNI_MAX_CASCADES];
    CnVec4
        sun; /* number of cascades; 1 / size; tangent of half the sun's disc; metres of the widest search */
    CnVec4 atlas; /* of a tile: width, height in the atlas; of a texel the same */
    /* Of each light: metres of a texel at distance 1; near and far plane; unused. */
    CnVec4 lights[CNI_MAX_SHADOW_LIGHTS];
    CnMat4
        tiles[CNI_MAX_SHADOW_LIGHTS * CNI_LIGHT_TILES]; /* from the world into the atlas, times w */
} CniShadowData;
static_assert(offsetof(CniShadowData, cascade_numbers) == 256, "std140");
static_assert(offsetof(CniShadowData, sun) == 320, "std140");
static_assert(offsetof(CniShadowData, lights) == 352, "std140");
static_assert(offsetof(CniShadowData, tiles) == 608, "std140");
static_assert(sizeof(CniShadowData) == 6752, "std140");

/* ---- The sun ---- */

typedef struct CniCascade {
    float from,
        to; /* distances along the view that it covers; those of neighbours overlap by the band */
    float blend;   /* where blending into the next begins */
    CnVec3 centre; /* of the ball around that part of the view, */
    float radius;  /* and its size */
    float texel;   /* metres */
    float depth;   /* metres from near to far plane */
    CnMat4 world_to_clip;
    CnFrustum casters; /* what can throw a shadow into the ball: open towards the sun */
} CniCascade;

/* Fills `count` cascades; false and nothing where the view or the direction is none (zeros, no numbers). */
bool cni_shadow_cascades(const CnView *view, CnVec3 sun_direction, uint32_t count, uint32_t size,
                         float distance, CniCascade *cascades);

/* Writes what shaders are to know of the sun. `softness` in degrees; `far_plane` is the view's. */
void cni_shadow_write_sun(CniShadowData *data, const CniCascade *cascades, uint32_t count,
                          uint32_t size, float softness, float far_plane);

/* From clip space to a part of a texture. */
CnMat4 cni_shadow_into_texture(const CnMat4 *world_to_clip, float x, float y, float width,
                               float height);

/* ---- Point and spot lights ---- */

/* Texels around a face of a point light that show a bit of its neighbours: a filter reaches three, and is moved by up
 * to four and a half along the normal. */
#define CNI_SHADOW_GUARD 8u

typedef struct CniLightView {
    CnMat4 world_to_clip;
    CnFrustum frustum;
} CniLightView;

/* How a light looks into its tiles of `size` texels; returns how many: 6 or 1. `numbers`: CniShadowData.lights. */
uint32_t cni_shadow_light_views(const CnFrameLight *light, uint32_t size,
                                CniLightView views[CNI_LIGHT_TILES], CnVec4 *numbers);
/* Writes what shaders are to know of the atlas: `rows` of tiles of `size` texels; and of a light. */
void cni_shadow_write_atlas(CniShadowData *data, uint32_t rows, uint32_t size);
void cni_shadow_write_light(CniShadowData *data, uint32_t place, const CniLightView *views,
                            uint32_t count, CnVec4 numbers);

/* Which lights have which rows of the atlas, over frames. */
typedef struct CniShadowPlaces {
    uint32_t ids[CNI_MAX_SHADOW_LIGHTS];
    bool taken[CNI_MAX_SHADOW_LIGHTS];
} CniShadowPlaces;

/*
 * Gives the `capacity` lights that matter most a place each, and `shadow` of all lights its value. A light that has a
 * place keeps it until another matters clearly more. `lights_at[place]` is the number of the light or UINT32_MAX.
 */
void cni_shadow_places(CniShadowPlaces *places, uint32_t capacity, CnFrameLight *lights,
                       uint32_t light_count, CnVec3 eye, uint32_t lights_at[CNI_MAX_SHADOW_LIGHTS]);

#endif
