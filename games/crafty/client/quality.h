/*
 * Quality levels: one struct of settings that selects what is drawn and in how much detail.
 *
 *     CraftySettings settings = crafty_settings(CRAFTY_HIGH);
 *     crafty_effects_switch(&settings, "clouds,dof", false, &error); // --off clouds,dof
 *     crafty_preset(renderer, &settings, &parts, &error);
 *
 * Each effect is one bit; a disabled effect costs nothing.
 */
#ifndef CRAFTY_CLIENT_QUALITY_H
#define CRAFTY_CLIENT_QUALITY_H

#include <cairn/base/error.h>
#include <cairn/gpu/device.h>
#include <cairn/voxel/lod.h>

/* Ranges of the settings. */
#define CRAFTY_MIN_FOV 50
#define CRAFTY_MAX_FOV 110
#define CRAFTY_MIN_MOUSE_FACTOR 0.2f
#define CRAFTY_MAX_MOUSE_FACTOR 3.0f
#define CRAFTY_MIN_DISTANCE 2u
#define CRAFTY_MAX_DISTANCE 40u /* limited by the chunk records of a CnBlockView */

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
    CRAFTY_LIGHTS = 1 << 3,    /* torches and other lamps */
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
    CRAFTY_OCCLUSION = 1 << 15, /* occlusion culling */
    CRAFTY_FAR = 1 << 16        /* far terrain */
} CraftyEffect;
#define CRAFTY_ALL_EFFECTS ((1u << 17) - 1)

typedef struct CraftySettings {
    bool uses_baked_lighting;            /* see crafty_uses_baked_lighting */
    uint32_t effects;                    /* bits of CraftyEffect */
    uint32_t width, height;              /* default size of the image */
    uint32_t view_distance, view_height; /* chunks to each side */
    float far_edge;                      /* of far terrain; blocks */
    CnLodDetail far_detail;
    uint32_t upload_bytes; /* mesh data uploaded per frame */
    uint32_t cascades, shadow_size;
    float shadow_distance;
    uint32_t local_shadows; /* lamps that cast shadows */
    uint32_t cloud_steps, cloud_resolution_divisor;
    uint32_t god_ray_steps;
} CraftySettings;

CraftySettings crafty_settings(CraftyQuality quality);
/* Returns whether blocks use baked lighting (cn_feature_lit_blocks), which is the case unless an
 * effect is enabled that this path does not support. */
bool crafty_uses_baked_lighting(const CraftySettings *settings);
/* Returns the distance of the farthest thing drawn. */
float crafty_far_plane(const CraftySettings *settings);
/* Returns the default for a device: ultra for a discrete GPU, medium for an integrated one,
 * otherwise low. */
CraftyQuality crafty_quality_for(CnGpuKind kind);

/* "low" to "ultra". */
const char *crafty_quality_name(CraftyQuality quality);
bool crafty_quality_parse(const char *name, CraftyQuality *quality);

/* Switches effects named in a comma-separated list. For an unknown name, returns false, changes
 * nothing and sets an error that lists the valid names. */
bool crafty_effects_switch(CraftySettings *settings, const char *names, bool on, CnError *error);
/* Returns the effect with this index, or NULL beyond the last one. */
const char *crafty_effect_name(uint32_t number);
/* Returns the display name; also the name of the render feature, if the effect has one of its
 * own. */
const char *crafty_effect_title(uint32_t number);

#endif
