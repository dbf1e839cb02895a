#include "naive_generate.h"

#include "bench.h"

#include <cairn/base/math.h>

NaiveWorld naive_world(uint64_t seed)
{
    return (NaiveWorld){
        .seed = seed,
        .continent = cn_noise_perlin(seed, "terrain.continent"),
        .temperature = cn_noise_perlin(seed, "climate.temperature"),
        .humidity = cn_noise_perlin(seed, "climate.humidity"),
        .special = cn_noise_perlin(seed, "climate.special"),
        .relief = cn_noise_perlin(seed, "terrain.relief"),
        .hills = cn_noise_perlin(seed, "terrain.hills"),
        .ridges = cn_noise_perlin(seed, "terrain.ridges"),
        .valleys = cn_noise_perlin(seed, "terrain.valleys"),
        .patches = cn_noise_perlin(seed, "terrain.patches"),
        .caverns = cn_noise_stationary(seed, "cave.cavern"),
        .cheese = cn_noise_stationary(seed, "cave.cheese"),
        .tunnels = {cn_noise_stationary(seed, "cave.tunnel_1a"),
                    cn_noise_stationary(seed, "cave.tunnel_1b"),
                    cn_noise_stationary(seed, "cave.tunnel_2a"),
                    cn_noise_stationary(seed, "cave.tunnel_2b")},
        .ores = {cn_noise_perlin(seed, "ore.diamond"), cn_noise_perlin(seed, "ore.emerald"),
                 cn_noise_perlin(seed, "ore.gold"), cn_noise_perlin(seed, "ore.redstone"),
                 cn_noise_perlin(seed, "ore.lapis"), cn_noise_perlin(seed, "ore.iron"),
                 cn_noise_perlin(seed, "ore.copper"), cn_noise_perlin(seed, "ore.coal")}};
}

/* ---- Columns ---- */

static float ramp(float x, float from, float to)
{
    float at = (x - from) * (1.0f / (to - from));
    if (!(at > 0.0f))
        at = 0.0f;
    if (!(at < 1.0f))
        at = 1.0f;
    return at * at * (3.0f - 2.0f * at);
}

static float mix(float a, float b, float weight)
{
    return a + (b - a) * weight;
}

static float fbm(const CnNoise *noise, double scale, uint32_t octaves, float gain, int32_t x,
                 int32_t z)
{
    return cn_noise_sum_at(noise, CN_NOISE_FBM,
                           &(CnOctaves){.count = octaves, .lacunarity = 2, .gain = gain},
                           (double)x / scale, 1.0 / 3.0, (double)z / scale);
}

typedef struct Climate {
    float continent, temperature, humidity, special;
} Climate;

static Climate climate_at(const NaiveWorld *world, int32_t x, int32_t z)
{
    Climate climate = {
        .continent = fbm(&world->continent, 2048, 4, 0.45f, x, z) * 1.7f + 0.10f,
        .temperature = fbm(&world->temperature, 512, 2, 0.25f, x, z) * 1.4f,
        .humidity = fbm(&world->humidity, 600, 2, 0.25f, x, z) * 1.4f,
        .special = fbm(&world->special, 900, 2, 0.2f, x, z) * 1.5f,
    };
    float home =
        1.0f - ramp((float)x * (float)x + (float)z * (float)z, 400.0f * 400.0f, 1200.0f * 1200.0f);
    if (climate.continent < 0.30f)
        climate.continent += home * (0.30f - climate.continent);
    return climate;
}

static float biome_scale(Climate climate)
{
    const float t = climate.temperature, h = climate.humidity, s = climate.special;
    float cold = mix(0.75f, 0.95f, ramp(h, 0.25f - 0.15f, 0.25f + 0.15f));
    float mild = mix(0.70f, 0.90f, ramp(h, 0.02f - 0.15f, 0.02f + 0.15f));
    mild = mix(mild, 0.40f, ramp(h, 0.42f - 0.10f, 0.42f + 0.10f));
    float hot = mix(0.65f, 0.75f, ramp(h, -0.28f - 0.15f, -0.28f + 0.15f));
    hot = mix(hot, 1.00f, ramp(h, 0.22f - 0.15f, 0.22f + 0.15f));
    float scale = mix(1.70f, 1.40f, ramp(t, -0.60f - 0.10f, -0.60f + 0.10f));
    scale = mix(scale, cold, ramp(t, -0.42f - 0.14f, -0.42f + 0.14f));
    scale = mix(scale, mild, ramp(t, -0.15f - 0.12f, -0.15f + 0.12f));
    scale = mix(scale, hot, ramp(t, 0.32f - 0.12f, 0.32f + 0.12f));
    float rare = mix(0.85f, 1.10f, ramp(t, 0.12f - 0.15f, 0.12f + 0.15f));
    float warm = ramp(t, -0.30f - 0.10f, -0.30f + 0.10f);
    scale = mix(scale, rare, warm * ramp(s, 0.48f - 0.15f, 0.48f + 0.10f));
    return mix(scale, 0.60f, ramp(s, 0.76f - 0.12f, 0.76f + 0.08f));
}

static float swamp_of(Climate climate)
{
    const float t = climate.temperature, h = climate.humidity, s = climate.special;
    return ramp(h, 0.42f - 0.12f, 0.42f + 0.06f) * ramp(t, -0.15f - 0.04f, -0.15f + 0.12f) *
           (1.0f - ramp(t, 0.32f - 0.12f, 0.32f + 0.04f)) *
           (1.0f - ramp(s, 0.48f - 0.15f, 0.48f + 0.02f));
}

static float height_at(const NaiveWorld *world, Climate climate, float patch, int32_t x, int32_t z)
{
    const float c = climate.continent, scale = biome_scale(climate);
    float relief = fbm(&world->relief, 1024, 2, 0.4f, x, z) * 1.4f;
    float hills = fbm(&world->hills, 240, 4, 0.42f, x, z) * 1.4f;
    float away = cn_fabsf(fbm(&world->valleys, 760, 3, 0.5f, x, z) * 1.4f);
    CnOctaves octaves = {.count = 4, .lacunarity = 2, .gain = 0.55f, .offset = 1};
    float ridges = cn_noise_sum_at(&world->ridges, CN_NOISE_RIDGE, &octaves, (double)x / 420.0,
                                   1.0 / 3.0, (double)z / 420.0);
    float land = ramp(c, -0.06f, 0.16f);
    float mountains = land * ramp(relief + (scale - 1.0f) * 0.9f, -0.05f, 0.95f);
    float rough = scale * (0.5f + 0.5f * ramp(relief, -0.5f, 0.4f));
    float height = -17.0f + 21.0f * ramp(c, -0.50f, -0.16f) + 12.0f * ramp(c, -0.24f, 0.06f) +
                   10.0f * ramp(c, 0.02f, 0.40f) + 14.0f * ramp(c, 0.30f, 1.00f);
    height += (1.0f - land) * 4.0f * hills;
    height += land * rough * (5.0f + 16.0f * hills);
    height +=
        mountains * (20.0f + 140.0f * ramp(ridges, 0.05f, 1.10f) + 16.0f * hills + 7.0f * patch);
    float mire = 15.1f + 2.0f * hills + 1.5f * patch;
    height += land * swamp_of(climate) * (mire - height);
    if (height > 10.0f)
        height = 10.0f + (height - 10.0f) * ramp(away, 0.015f, 0.16f + 0.12f * mountains);
    float bank = away * (1.0f / 0.016f);
    float river = 10.0f + 5.0f * bank * bank + 500.0f * ramp(bank, 1.0f, 4.0f);
    return height < river ? height : river;
}

/* Random bits of a position. */
static uint64_t place_hash(uint64_t seed, uint64_t salt, int32_t x, int32_t y, int32_t z)
{
    uint64_t h = seed ^ (salt * 0x9E3779B97F4A7C15u);
    h = (h ^ (uint32_t)x) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32) ^ (uint32_t)y) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32) ^ (uint32_t)z) * 0xD6E8FEB86659FD93u;
    h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 32);
}

static CnBlock stratum(uint64_t seed, int32_t y)
{
    static const CnBlock bands[8] = {BLOCK_TERRACOTTA,       BLOCK_ORANGE_TERRACOTTA,
                                     BLOCK_TERRACOTTA,       BLOCK_YELLOW_TERRACOTTA,
                                     BLOCK_WHITE_TERRACOTTA, BLOCK_RED_TERRACOTTA,
                                     BLOCK_BROWN_TERRACOTTA, BLOCK_LIGHT_GRAY_TERRACOTTA};
    return bands[place_hash(seed, 0xBAD1, 0, (y * 3) >> 2, 0) >> 61];
}

typedef struct Column {
    int32_t ground;
    float height, temperature, patch;
    CnBiome soil;
    CnBlock top;
} Column;

static CnBlock bare_top(uint64_t seed, const Column *column)
{
    const float patch = column->patch;
    switch (column->soil) {
    case CN_BIOME_FOREST:
        return patch > 0.75f ? BLOCK_PODZOL : BLOCK_GRASS;
    case CN_BIOME_SAVANNA:
        return patch > 0.55f ? BLOCK_COARSE_DIRT : BLOCK_GRASS;
    case CN_BIOME_DESERT:
        return BLOCK_SAND;
    case CN_BIOME_JUNGLE:
        return patch > 0.45f ? BLOCK_MOSS : BLOCK_GRASS;
    case CN_BIOME_SWAMP:
        return patch > 0.05f ? BLOCK_GRASS : BLOCK_MUD;
    case CN_BIOME_TAIGA:
        return patch > 0.15f ? BLOCK_GRASS : BLOCK_PODZOL;
    case CN_BIOME_SNOWY_PLAINS:
        return BLOCK_GRASS_SNOW;
    case CN_BIOME_SNOWY_MOUNTAINS:
        return patch > 0.62f ? BLOCK_STONE : BLOCK_SNOW;
    case CN_BIOME_ROCKY_MOUNTAINS:
        return patch > 0.45f ? BLOCK_GRAVEL : BLOCK_STONE;
    case CN_BIOME_BADLANDS:
        return patch > 0.10f ? stratum(seed, column->ground) : BLOCK_RED_SAND;
    case CN_BIOME_MUSHROOM_FIELDS:
        return BLOCK_MYCELIUM;
    default:
        return BLOCK_GRASS;
    }
}

static CnBlock sea_bed(const Column *column)
{
    if (column->soil == CN_BIOME_SWAMP && column->ground > 7)
        return BLOCK_MUD;
    if (column->ground < 1)
        return column->patch > 0.3f ? BLOCK_STONE : BLOCK_GRAVEL;
    if (column->patch > 0.62f)
        return BLOCK_CLAY;
    return column->patch < -0.55f ? BLOCK_GRAVEL : BLOCK_SAND;
}

static CnBlock top_of(uint64_t seed, const Column *column)
{
    if (column->ground < CN_SEA_LEVEL)
        return sea_bed(column);
    const CnBiome soil = column->soil;
    const int32_t shore = column->patch > 0.2f ? CN_SEA_LEVEL + 2 : CN_SEA_LEVEL + 1;
    if (column->ground <= shore && soil != CN_BIOME_SWAMP && soil != CN_BIOME_MUSHROOM_FIELDS) {
        if (soil == CN_BIOME_ROCKY_MOUNTAINS)
            return BLOCK_GRAVEL;
        return soil == CN_BIOME_BADLANDS ? BLOCK_RED_SAND : BLOCK_SAND;
    }
    const float high = column->height + 14.0f * column->patch;
    if (soil != CN_BIOME_BADLANDS && soil != CN_BIOME_DESERT) {
        if (high > 132.0f + 50.0f * column->temperature)
            return BLOCK_SNOW;
        if (high > 98.0f && soil != CN_BIOME_SNOWY_MOUNTAINS)
            return column->patch < -0.6f ? BLOCK_GRAVEL : BLOCK_STONE;
    }
    return bare_top(seed, column);
}

static Column column_at(const NaiveWorld *world, int32_t x, int32_t z)
{
    const Climate climate = climate_at(world, x, z);
    const CnBiomeBlend blend =
        cn_biome_blend(climate.temperature, climate.humidity, climate.special);
    const float die =
        ((float)(uint32_t)(place_hash(world->seed, 0xD17E, x, 0, z) >> 41) + 0.5f) * 0x1p-23f;
    const float patch = fbm(&world->patches, 22, 2, 0.5f, x, z) * 1.5f;
    Column column = {.height = height_at(world, climate, patch, x, z),
                     .temperature = climate.temperature,
                     .patch = patch,
                     .soil = die < blend.blend ? blend.other : blend.biome};
    column.ground = (int32_t)cn_ceilf(column.height) - 1;
    if (column.ground > 255)
        column.ground = 255;
    column.top = top_of(world->seed, &column);
    return column;
}

/* ---- Blocks ---- */

/* `depth`: 0 is the ground. */
static CnBlock soil_at(uint64_t seed, CnBlock top, int32_t depth, int32_t y)
{
    if (depth == 0)
        return top;
    switch (top) {
    case BLOCK_SAND:
        return depth <= 3 ? BLOCK_SAND : depth <= 8 ? BLOCK_SANDSTONE : BLOCK_STONE;
    case BLOCK_RED_SAND:
        if (depth == 1)
            return BLOCK_RED_SAND;
        return depth <= 41 ? stratum(seed, y) : BLOCK_STONE;
    case BLOCK_TERRACOTTA:
    case BLOCK_ORANGE_TERRACOTTA:
    case BLOCK_YELLOW_TERRACOTTA:
    case BLOCK_WHITE_TERRACOTTA:
    case BLOCK_RED_TERRACOTTA:
    case BLOCK_BROWN_TERRACOTTA:
    case BLOCK_LIGHT_GRAY_TERRACOTTA:
        return depth <= 41 ? stratum(seed, y) : BLOCK_STONE;
    case BLOCK_MUD:
        return depth <= 2 ? BLOCK_MUD : depth <= 4 ? BLOCK_CLAY : BLOCK_STONE;
    case BLOCK_SNOW:
    case BLOCK_GRAVEL:
    case BLOCK_CLAY:
        return depth <= 2 ? top : BLOCK_STONE;
    case BLOCK_STONE:
        return BLOCK_STONE;
    default:
        return depth <= 3 ? BLOCK_DIRT : BLOCK_STONE;
    }
}

static float noise_at(const CnNoise *noise, CnCell at, double scale_x, double scale_y,
                      double scale_z)
{
    return cn_noise_at(noise, (double)at.x / scale_x, (double)at.y / scale_y,
                       (double)at.z / scale_z);
}

/* Converts scales of Perlin noise to cells of stationary noise. */
static double cell(float scale)
{
    return (double)(scale * 0.77f);
}

static bool near_zero(const CnNoise *noise, CnCell at, float width, float height, int32_t shift,
                      float most)
{
    const CnCell place = {at.x + shift, at.y, at.z + shift};
    return cn_fabsf(noise_at(noise, place, cell(width), cell(height), cell(width))) < most;
}

/* Returns whether tunnels need no roof: in a round patch of a square of 64 blocks. */
static bool is_roofless(const NaiveWorld *world, CnCell at)
{
    const int32_t square_x = at.x >> 6, square_z = at.z >> 6;
    const uint64_t dice = place_hash(world->seed, 0xE27A, square_x, 0, square_z);
    const int32_t dx = at.x - (square_x * 64 + 16 + (int32_t)((dice >> 8 & 0xffff) % 32));
    const int32_t dz = at.z - (square_z * 64 + 16 + (int32_t)((dice >> 24 & 0xffff) % 32));
    const int32_t radius = 8 + (int32_t)((dice >> 40 & 0xffff) % 6);
    return (dice & 255) < 160 && dx * dx + dz * dz <= radius * radius;
}

static bool is_cave(const NaiveWorld *world, CnCell at, int32_t depth)
{
    if ((depth < 3 && (at.y <= CN_SEA_LEVEL || !is_roofless(world, at))) || at.y <= CN_WORLD_BOTTOM)
        return false;
    if (depth >= 24 && noise_at(&world->caverns, at, cell(200), cell(200), cell(200)) > 0.71f)
        return true;
    if (depth >= 8 && noise_at(&world->cheese, at, cell(60), cell(60), cell(60)) > 0.61f)
        return true;
    const CnNoise *tunnels = world->tunnels;
    return (near_zero(&tunnels[0], at, 24, 24, 0, 0.10f) &&
            near_zero(&tunnels[1], at, 24, 14, 9, 0.10f)) ||
           (near_zero(&tunnels[2], at, 28, 18, 0, 0.08f) &&
            near_zero(&tunnels[3], at, 28, 28, 11, 0.08f));
}

static CnBlock ore_at(const NaiveWorld *world, CnCell at, int32_t depth)
{
    static const struct {
        CnBlock block;
        double scale;
        float threshold;
        int32_t depth;
    } ores[8] = {{BLOCK_DIAMOND_ORE, 5, 0.86f, 36}, {BLOCK_EMERALD_ORE, 4.5, 0.85f, 30},
                 {BLOCK_GOLD_ORE, 6, 0.80f, 22},    {BLOCK_REDSTONE_ORE, 6, 0.76f, 18},
                 {BLOCK_LAPIS_ORE, 6, 0.76f, 14},   {BLOCK_IRON_ORE, 7, 0.70f, 9},
                 {BLOCK_COPPER_ORE, 8, 0.66f, 6},   {BLOCK_COAL_ORE, 9, 0.62f, 5}};
    for (uint32_t i = 0; i < CN_COUNT_OF(ores); i++) {
        const double scale = ores[i].scale;
        if (depth >= ores[i].depth &&
            noise_at(&world->ores[i], at, scale, scale, scale) > ores[i].threshold)
            return ores[i].block;
    }
    return BLOCK_STONE;
}

static CnBlock block_at(const NaiveWorld *world, const Column *column, CnCell at)
{
    const int32_t depth = column->ground - at.y;
    if (at.y <= CN_WORLD_BOTTOM)
        return BLOCK_BEDROCK;
    if (depth < 0)
        return at.y <= CN_SEA_LEVEL ? CN_BLOCK_WATER : CN_BLOCK_AIR;
    if (is_cave(world, at, depth))
        return CN_BLOCK_AIR;
    const CnBlock soil = soil_at(world->seed, column->top, depth, at.y);
    return soil == BLOCK_STONE ? ore_at(world, at, depth) : soil;
}

void naive_generate(const NaiveWorld *world, CnChunkPos position, CnBlock blocks[CN_CHUNK_BLOCKS])
{
    for (int32_t z = 0; z < CN_CHUNK_SIZE; z++) {
        for (int32_t x = 0; x < CN_CHUNK_SIZE; x++) {
            const int32_t world_x = position.x * CN_CHUNK_SIZE + x;
            const int32_t world_z = position.z * CN_CHUNK_SIZE + z;
            const Column column = column_at(world, world_x, world_z);
            for (int32_t y = 0; y < CN_CHUNK_SIZE; y++) {
                const CnCell at = {world_x, position.y * CN_CHUNK_SIZE + y, world_z};
                blocks[x + 16 * y + 256 * z] = block_at(world, &column, at);
            }
        }
    }
}
