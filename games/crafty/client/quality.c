#include "quality.h"

#include <cairn/base/text.h>
#include <cairn/voxel/chunk.h>

#include <string.h>

/* ---- Levels ---- */

static const char *const quality_names[CRAFTY_QUALITY_COUNT] = {"low", "medium", "high", "ultra"};

#define LOW_EFFECTS                                                                                \
    (CRAFTY_HIGHLIGHT | CRAFTY_CLOUDS | CRAFTY_WATER | CRAFTY_FOG | CRAFTY_PARTICLES |             \
     CRAFTY_OCCLUSION | CRAFTY_FAR)
#define MEDIUM_EFFECTS                                                                             \
    (LOW_EFFECTS | CRAFTY_SHADOWS | CRAFTY_LIGHTS | CRAFTY_CLOUD_SHADOWS | CRAFTY_REFLECTIONS |    \
     CRAFTY_TAA | CRAFTY_BLOOM | CRAFTY_AUTO_EXPOSURE)
/* Effects that need deferred lighting. */
#define FULL_PATH_EFFECTS                                                                          \
    (CRAFTY_SHADOWS | CRAFTY_LIGHTS | CRAFTY_CLOUD_SHADOWS | CRAFTY_REFLECTIONS | CRAFTY_AO |      \
     CRAFTY_GOD_RAYS)
#define HIGH_EFFECTS (MEDIUM_EFFECTS | CRAFTY_AO | CRAFTY_GOD_RAYS)

static const CraftySettings levels[CRAFTY_QUALITY_COUNT] = {
    [CRAFTY_LOW] = {.uses_baked_lighting = true,
                    .effects = LOW_EFFECTS,
                    .width = 640,
                    .height = 360,
                    .view_distance = 8,
                    .view_height = 4,
                    .far_edge = 2048,
                    .far_detail = CN_LOD_COARSE,
                    .upload_bytes = 1 << 20,
                    .cascades = 2,
                    .shadow_size = 1024,
                    .shadow_distance = 64,
                    .local_shadows = UINT32_MAX,
                    .cloud_steps = 10,
                    .cloud_resolution_divisor = 4,
                    .god_ray_steps = 8},
    [CRAFTY_MEDIUM] = {.effects = MEDIUM_EFFECTS,
                       .width = 1280,
                       .height = 720,
                       .view_distance = 12,
                       .view_height = 6,
                       .far_edge = 2048,
                       .upload_bytes = 2 << 20,
                       .cascades = 3,
                       .shadow_size = 1536,
                       .shadow_distance = 96,
                       .local_shadows = 1,
                       .cloud_steps = 16,
                       .cloud_resolution_divisor = 4,
                       .god_ray_steps = 12},
    [CRAFTY_HIGH] = {.effects = HIGH_EFFECTS,
                     .width = 1920,
                     .height = 1080,
                     .view_distance = 16,
                     .view_height = 6,
                     .far_edge = 2048,
                     .far_detail = CN_LOD_FINE,
                     .upload_bytes = 4 << 20,
                     .cascades = 3,
                     .shadow_size = 2048,
                     .shadow_distance = 128,
                     .local_shadows = 2,
                     .cloud_steps = 24,
                     .cloud_resolution_divisor = 2,
                     .god_ray_steps = 16},
    [CRAFTY_ULTRA] = {.effects = HIGH_EFFECTS,
                      .width = 1920,
                      .height = 1080,
                      .view_distance = 32,
                      .view_height = 8,
                      .far_edge = 4096,
                      .far_detail = CN_LOD_FINE,
                      .upload_bytes = 4 << 20,
                      .cascades = 4,
                      .shadow_size = 2048,
                      .shadow_distance = 192,
                      .local_shadows = 4,
                      .cloud_steps = 24,
                      .cloud_resolution_divisor = 2,
                      .god_ray_steps = 16},
};

CraftySettings crafty_settings(CraftyQuality quality)
{
    return levels[quality];
}

bool crafty_uses_baked_lighting(const CraftySettings *settings)
{
    return settings->uses_baked_lighting && !(settings->effects & FULL_PATH_EFFECTS);
}

float crafty_far_plane(const CraftySettings *settings)
{
    float chunks_end = (float)settings->view_distance * CN_CHUNK_SIZE * 2;
    float far_end = settings->effects & CRAFTY_FAR ? settings->far_edge * 1.5f : 0;
    return far_end > chunks_end ? far_end : chunks_end;
}

CraftyQuality crafty_quality_for(CnGpuKind kind)
{
    return kind == CN_GPU_KIND_DISCRETE     ? CRAFTY_ULTRA
           : kind == CN_GPU_KIND_INTEGRATED ? CRAFTY_MEDIUM
                                            : CRAFTY_LOW;
}

const char *crafty_quality_name(CraftyQuality quality)
{
    return (uint32_t)quality < CRAFTY_QUALITY_COUNT ? quality_names[quality] : "unknown";
}

bool crafty_quality_parse(const char *name, CraftyQuality *quality)
{
    for (uint32_t i = 0; i < CRAFTY_QUALITY_COUNT; i++)
        if (!strcmp(name, quality_names[i])) {
            *quality = (CraftyQuality)i;
            return true;
        }
    return false;
}

/* ---- Effects ---- */

/* In the order of the bits. */
static const struct {
    const char *name, *title;
} effects[] = {
    {"shadows", "Shadows"},
    {"cloud-shadows", "Cloud shadows"},
    {"ao", "Ambient occlusion"},
    {"lights", "Point and spot lights"},
    {"highlight", "Block highlight"},
    {"clouds", "Clouds"},
    {"water", "Water"},
    {"reflections", "Reflections"},
    {"fog", "Fog"},
    {"god-rays", "God rays"},
    {"particles", "Particles"},
    {"taa", "TAA"},
    {"dof", "Depth of field"},
    {"bloom", "Bloom"},
    {"exposure", "Auto exposure"},
    {"occlusion", "Occlusion culling"},
    {"far", "Far terrain"},
};
_Static_assert(CRAFTY_ALL_EFFECTS == (1u << CN_COUNT_OF(effects)) - 1, "a name for each bit");

const char *crafty_effect_name(uint32_t number)
{
    return number < CN_COUNT_OF(effects) ? effects[number].name : NULL;
}

const char *crafty_effect_title(uint32_t number)
{
    return number < CN_COUNT_OF(effects) ? effects[number].title : NULL;
}

/* Returns 0 if there is no such effect. */
static uint32_t bit_of(CnText name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(effects); i++)
        if (cn_text_equal(name, cn_text(effects[i].name)))
            return 1u << i;
    return cn_text_equal(name, cn_text("all")) ? CRAFTY_ALL_EFFECTS : 0;
}

static bool unknown_effect(CnText name, CnError *error)
{
    char list[256] = "all";
    for (uint32_t i = 0; i < CN_COUNT_OF(effects); i++) {
        size_t length = strlen(list);
        cn_format(list + length, sizeof list - length, ", %s", effects[i].name);
    }
    return cn_error_set(error, CN_ERROR_FORMAT, "unknown effect \"%.*s\"; the effects are %s",
                        (int)name.size, name.data, list);
}

bool crafty_effects_switch(CraftySettings *settings, const char *names, bool on, CnError *error)
{
    uint32_t bits = 0;
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        CnText name = {at, length};
        uint32_t bit = bit_of(name);
        if (!bit)
            return unknown_effect(name, error);
        bits |= bit;
        at += length + (at[length] == ',');
    }
    settings->effects = on ? settings->effects | bits : settings->effects & ~bits;
    return true;
}
