/*
 * Biomes: a cascade of thresholds over temperature and humidity, three rare biomes selected by the
 * special channel, and the distance of a climate from the next biome.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/assert.h>
#include <cairn/base/cpu.h>
#include <cairn/base/math.h>

/* Thresholds of temperature, of humidity in each temperature band, and of the special channel. */
#define ROCKY_BELOW (-0.60f)
#define SNOWY_MOUNTAINS_BELOW (-0.42f)
#define COLD_BELOW (-0.15f)
#define HOT_FROM 0.32f
#define TAIGA_ABOVE 0.25f
#define FOREST_ABOVE 0.02f
#define SWAMP_ABOVE 0.42f
#define SAVANNA_ABOVE (-0.28f)
#define JUNGLE_ABOVE 0.22f
#define SPECIAL_ABOVE 0.48f
#define MUSHROOM_ABOVE 0.76f
#define BADLANDS_FROM 0.12f
#define CHERRY_FROM (-0.30f)

/* Distance, in climate units, at which soils begin to mix. */
#define BLEND_REACH 0.06f
/* Distance of a probe beyond a threshold. */
#define BEYOND 1e-4f

static const char *const names[CN_BIOME_COUNT] = {
    "grassy_plains", "forest",       "savanna",        "desert",          "jungle",
    "swamp",         "taiga",        "snowy_plains",   "snowy_mountains", "rocky_mountains",
    "badlands",      "cherry_grove", "mushroom_fields"};

const char *cn_biome_name(CnBiome biome)
{
    CN_ASSERT((uint32_t)biome < CN_BIOME_COUNT, "unknown biome %d", (int)biome);
    return (uint32_t)biome < CN_BIOME_COUNT ? names[biome] : "unknown";
}

/* ---- Selection ---- */

/* Selects without a branch that compilers recognize, so that loops over it are vectorized. */
CN_FORCE_INLINE int32_t when(bool condition, int32_t yes, int32_t no)
{
    const int32_t mask = -(int32_t)condition;
    return (yes & mask) | (no & ~mask);
}

CN_FORCE_INLINE int32_t base_biome(float t, float h)
{
    const int32_t cold = when(h > TAIGA_ABOVE, CN_BIOME_TAIGA, CN_BIOME_SNOWY_PLAINS);
    int32_t mild = when(h > FOREST_ABOVE, CN_BIOME_FOREST, CN_BIOME_GRASSY_PLAINS);
    mild = when(h > SWAMP_ABOVE, CN_BIOME_SWAMP, mild);
    int32_t hot = when(h > SAVANNA_ABOVE, CN_BIOME_SAVANNA, CN_BIOME_DESERT);
    hot = when(h > JUNGLE_ABOVE, CN_BIOME_JUNGLE, hot);
    int32_t biome = when(t < HOT_FROM, mild, hot);
    biome = when(t < COLD_BELOW, cold, biome);
    biome = when(t < SNOWY_MOUNTAINS_BELOW, CN_BIOME_SNOWY_MOUNTAINS, biome);
    return when(t < ROCKY_BELOW, CN_BIOME_ROCKY_MOUNTAINS, biome);
}

/* Returns -1 if none applies. Snowy biomes are never replaced. */
CN_FORCE_INLINE int32_t special_biome(float t, float s)
{
    int32_t biome = when(t >= CHERRY_FROM, CN_BIOME_CHERRY_GROVE, -1);
    biome = when(t >= BADLANDS_FROM, CN_BIOME_BADLANDS, biome);
    biome = when(s > SPECIAL_ABOVE, biome, -1);
    return when(s > MUSHROOM_ABOVE, CN_BIOME_MUSHROOM_FIELDS, biome);
}

/* ---- Distance to the next biome ---- */

CN_FORCE_INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Returns the distance to a threshold that holds within a range of temperatures, or a large value
 * outside of it. */
CN_FORCE_INLINE float distance_within(float t, float from, float to, float h, float threshold)
{
    const float outside = (float)((t < from) | (t >= to));
    return __builtin_fabsf(h - threshold) + 9.0f * outside;
}

CN_FORCE_INLINE float distance_in_temperature(float t)
{
    const float cold =
        smaller(__builtin_fabsf(t - ROCKY_BELOW), __builtin_fabsf(t - SNOWY_MOUNTAINS_BELOW));
    const float warm = smaller(__builtin_fabsf(t - COLD_BELOW), __builtin_fabsf(t - HOT_FROM));
    return smaller(cold, warm);
}

CN_FORCE_INLINE float distance_in_humidity(float t, float h)
{
    const float cold = distance_within(t, SNOWY_MOUNTAINS_BELOW, COLD_BELOW, h, TAIGA_ABOVE);
    const float mild = smaller(distance_within(t, COLD_BELOW, HOT_FROM, h, FOREST_ABOVE),
                               distance_within(t, COLD_BELOW, HOT_FROM, h, SWAMP_ABOVE));
    const float hot = smaller(distance_within(t, HOT_FROM, 9.0f, h, SAVANNA_ABOVE),
                              distance_within(t, HOT_FROM, 9.0f, h, JUNGLE_ABOVE));
    return smaller(cold, smaller(mild, hot));
}

/* Probes just beyond the nearest threshold of each axis, on both sides; one of the probes is in
 * another biome. */
CN_FORCE_INLINE int32_t nearest_other(float t, float h, int32_t base, float along_t, float along_h)
{
    const float step_t = along_t + BEYOND, step_h = along_h + BEYOND;
    const int32_t warmer = base_biome(t + step_t, h), colder = base_biome(t - step_t, h);
    const int32_t wetter = base_biome(t, h + step_h), drier = base_biome(t, h - step_h);
    const int32_t over_t = when(warmer != base, warmer, colder);
    const int32_t over_h = when(wetter != base, wetter, drier);
    return when(along_t <= along_h, over_t, over_h);
}

CN_FORCE_INLINE void blend_one(float t, float h, float s, int32_t *biome, int32_t *other,
                               float *blend)
{
    const int32_t base = base_biome(t, h), special = special_biome(t, s);
    const bool is_special = special >= 0;
    const float along_t = distance_in_temperature(t), along_h = distance_in_humidity(t, h);
    const float weight = 0.5f - smaller(along_t, along_h) * (0.5f / BLEND_REACH);
    *biome = when(is_special, special, base);
    *other = when(is_special, base, nearest_other(t, h, base, along_t, along_h));
    *blend = (weight > 0.0f ? weight : 0.0f) * (float)!is_special;
}

CN_SIMD_DISPATCH(blend_many,
                 (uint32_t count, const float *restrict temperature, const float *restrict humidity,
                  const float *restrict special, int32_t *restrict biomes, int32_t *restrict others,
                  float *restrict blends),
                 (count, temperature, humidity, special, biomes, others, blends))
{
    for (uint32_t i = 0; i < count; i++)
        blend_one(temperature[i], humidity[i], special[i], &biomes[i], &others[i], &blends[i]);
}

void cni_voxel_biome_blends(uint32_t count, const float *temperature, const float *humidity,
                            const float *special, int32_t *biomes, int32_t *others, float *blends)
{
    blend_many(count, temperature, humidity, special, biomes, others, blends);
}

CnBiomeBlend cn_biome_blend(float temperature, float humidity, float special)
{
    int32_t biome, other;
    float blend;
    blend_one(temperature, humidity, special, &biome, &other, &blend);
    return (CnBiomeBlend){(CnBiome)biome, (CnBiome)other, blend};
}

/* ---- Height scale ---- */

/* Smooth step: 0 below `from`, 1 above `to`. */
CN_FORCE_INLINE float ramp(float x, float from, float to)
{
    float at = (x - from) * (1.0f / (to - from));
    at = at > 0.0f ? at : 0.0f;
    at = at < 1.0f ? at : 1.0f;
    return at * at * (3.0f - 2.0f * at);
}

CN_FORCE_INLINE float mix(float a, float b, float weight)
{
    return a + (b - a) * weight;
}

/* Each threshold of the cascade becomes a smooth ramp, so that the scale has no steps where biomes
 * meet. */
CN_SIMD_DISPATCH(scale_many,
                 (uint32_t count, const float *restrict temperature, const float *restrict humidity,
                  const float *restrict special, float *restrict scales, float *restrict swamps),
                 (count, temperature, humidity, special, scales, swamps))
{
    for (uint32_t i = 0; i < count; i++) {
        const float t = temperature[i], h = humidity[i], s = special[i];
        const float cold = mix(0.75f, 0.95f, ramp(h, TAIGA_ABOVE - 0.15f, TAIGA_ABOVE + 0.15f));
        float mild = mix(0.70f, 0.90f, ramp(h, FOREST_ABOVE - 0.15f, FOREST_ABOVE + 0.15f));
        mild = mix(mild, 0.40f, ramp(h, SWAMP_ABOVE - 0.10f, SWAMP_ABOVE + 0.10f));
        float hot = mix(0.65f, 0.75f, ramp(h, SAVANNA_ABOVE - 0.15f, SAVANNA_ABOVE + 0.15f));
        hot = mix(hot, 1.00f, ramp(h, JUNGLE_ABOVE - 0.15f, JUNGLE_ABOVE + 0.15f));
        float scale = mix(1.70f, 1.40f, ramp(t, ROCKY_BELOW - 0.10f, ROCKY_BELOW + 0.10f));
        scale =
            mix(scale, cold, ramp(t, SNOWY_MOUNTAINS_BELOW - 0.14f, SNOWY_MOUNTAINS_BELOW + 0.14f));
        scale = mix(scale, mild, ramp(t, COLD_BELOW - 0.12f, COLD_BELOW + 0.12f));
        scale = mix(scale, hot, ramp(t, HOT_FROM - 0.12f, HOT_FROM + 0.12f));
        const float rare = mix(0.85f, 1.10f, ramp(t, BADLANDS_FROM - 0.15f, BADLANDS_FROM + 0.15f));
        const float warm = ramp(t, CHERRY_FROM - 0.10f, CHERRY_FROM + 0.10f);
        scale = mix(scale, rare, warm * ramp(s, SPECIAL_ABOVE - 0.15f, SPECIAL_ABOVE + 0.10f));
        scales[i] = mix(scale, 0.60f, ramp(s, MUSHROOM_ABOVE - 0.12f, MUSHROOM_ABOVE + 0.08f));
        swamps[i] = ramp(h, SWAMP_ABOVE - 0.12f, SWAMP_ABOVE + 0.06f) *
                    ramp(t, COLD_BELOW - 0.04f, COLD_BELOW + 0.12f) *
                    (1.0f - ramp(t, HOT_FROM - 0.12f, HOT_FROM + 0.04f)) *
                    (1.0f - ramp(s, SPECIAL_ABOVE - 0.15f, SPECIAL_ABOVE + 0.02f));
    }
}

void cni_voxel_biome_scales(uint32_t count, const float *temperature, const float *humidity,
                            const float *special, float *scales, float *swamps)
{
    scale_many(count, temperature, humidity, special, scales, swamps);
}
