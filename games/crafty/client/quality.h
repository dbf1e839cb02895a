/*
 * Quality: what is drawn and how finely, as one struct of settings.
 *
 *     CraftySettings settings = crafty_settings(CRAFTY_HIGH);
 *     crafty_effects_switch(&settings, "clouds,dof", false, &error);      // --off clouds,dof
 *     crafty_preset(renderer, &settings, &parts, &error);
 *
 * Every effect is a bit; one that is off costs nothing.
 */
#ifndef CRAFTY_CLIENT_QUALITY_H
#define CRAFTY_CLIENT_QUALITY_H

#include <cairn/base/error.h>
#include <cairn/gpu/device.h>
#include <cairn/voxel/lod.h>

typedef enum CraftyQuality {
    CRAFTY_LOW,
    CRAFTY_MEDIUM,
    CRAFTY_HIGH,
    CRAFTY_ULTRA,
    CRAFTY_QUALITY_COUNT
} CraftyQuality;

typedef enum CraftyEffect {
    CRAFTY_SHADOWS = 1 << 0,
    CRAFTY_CLOUD_SHADOWS = 1 << 1,
    CRAFTY_AO = 1 << 2,
    CRAFTY_LIGHTS = 1 << 3,    /* of torches and the like */
    CRAFTY_HIGHLIGHT = 1 << 4, /* outline and cracks */
    CRAFTY_CLOUDS = 1 << 5,
    CRAFTY_WATER = 1 << 6,
    CRAFTY_REFLECTIONS = 1 << 7, /* of water, in screen space */
    CRAFTY_FOG = 1 << 8,
    CRAFTY_GOD_RAYS = 1 << 9,
    CRAFTY_PARTICLES = 1 << 10,
    CRAFTY_TAA = 1 << 11,
    CRAFTY_DOF = 1 << 12,
    CRAFTY_BLOOM = 1 << 13,
    CRAFTY_AUTO_EXPOSURE = 1 << 14,
    CRAFTY_OCCLUSION = 1 << 15, /* culling by what is already drawn */
    CRAFTY_FAR = 1 << 16        /* terrain beyond the chunks */
} CraftyEffect;
#define CRAFTY_ALL_EFFECTS ((1u << 17) - 1)

typedef struct CraftySettings {
    bool is_light;                       /* see crafty_is_light */
    uint32_t effects;                    /* bits of CraftyEffect */
    uint32_t width, height;              /* of the picture, where nobody says */
    uint32_t view_distance, view_height; /* chunks to each side */
    float far_edge;                      /* of terrain beyond them; blocks */
    CnLodDetail far_detail;
    uint32_t upload_bytes; /* of meshes, in a frame */
    uint32_t cascades, shadow_size;
    float shadow_distance;
    uint32_t local_shadows; /* lamps that cast shadows */
    uint32_t cloud_steps, cloud_divide;
    uint32_t god_ray_steps;
} CraftySettings;

CraftySettings crafty_settings(CraftyQuality quality);
/* Whether blocks are lit by what is baked into them (cn_feature_lit_blocks): unless an effect is on that this path does not have. */
bool crafty_is_light(const CraftySettings *settings);
/* As far as anything is drawn. */
float crafty_far_plane(const CraftySettings *settings);
/* For a device: a CPU gets the light settings, a GPU the full ones. */
CraftyQuality crafty_quality_for(CnGpuKind kind);

/* "low" to "ultra". */
const char *crafty_quality_name(CraftyQuality quality);
bool crafty_quality_parse(const char *name, CraftyQuality *quality);

/* Names of effects, with commas between them. False and an error that lists them; nothing has changed then. */
bool crafty_effects_switch(CraftySettings *settings, const char *names, bool on, CnError *error);
/* The one with this number, from 0 on; NULL beyond the last. */
const char *crafty_effect_name(uint32_t number);
/* For people; and the name of the feature that draws it, where it is one of its own. */
const char *crafty_effect_title(uint32_t number);

#endif
