/*
 * Terrain: continents with a shelf, hills, ridged mountains and valleys. Heights are a function of
 * x and z alone, so that features find the ground without searching.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/cpu.h>
#include <cairn/base/math.h>

#include <string.h>

/* ---- Fields ---- */

void cni_voxel_fields_init(CniVoxelNoiseFields *fields, uint64_t seed)
{
    static const char *const ores[8] = {"ore.diamond", "ore.emerald", "ore.gold",   "ore.redstone",
                                        "ore.lapis",   "ore.iron",    "ore.copper", "ore.coal"};
    *fields = (CniVoxelNoiseFields){.continent = cn_noise_perlin(seed, "terrain.continent"),
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
                                    .tunnels = {{cn_noise_stationary(seed, "cave.tunnel_1a"),
                                                 cn_noise_stationary(seed, "cave.tunnel_1b")},
                                                {cn_noise_stationary(seed, "cave.tunnel_2a"),
                                                 cn_noise_stationary(seed, "cave.tunnel_2b")}}};
    for (uint32_t i = 0; i < CN_COUNT_OF(ores); i++)
        fields->ores[i] = cn_noise_perlin(seed, ores[i]);
}

/* A noise field over columns: blocks per cell of the first octave, octaves, and a scale and offset
 * for their sum, so that thresholds from -1 to 1 select reasonable fractions. */
typedef struct Field {
    float scale;
    CnNoiseSum sum;
    CnOctaves octaves;
    float factor, bias;
} Field;

static const Field continent_field = {2048, CN_NOISE_FBM, {4, 2, 0.45f, 0}, 1.7f, 0.10f};
static const Field temperature_field = {512, CN_NOISE_FBM, {2, 2, 0.25f, 0}, 1.4f, 0};
static const Field humidity_field = {600, CN_NOISE_FBM, {2, 2, 0.25f, 0}, 1.4f, 0};
static const Field special_field = {900, CN_NOISE_FBM, {2, 2, 0.2f, 0}, 1.5f, 0};
static const Field relief_field = {1024, CN_NOISE_FBM, {2, 2, 0.4f, 0}, 1.4f, 0};
static const Field hill_field = {240, CN_NOISE_FBM, {4, 2, 0.42f, 0}, 1.4f, 0};
static const Field ridge_field = {420, CN_NOISE_RIDGE, {4, 2, 0.55f, 1.0f}, 1.0f, 0};
static const Field valley_field = {760, CN_NOISE_FBM, {3, 2, 0.5f, 0}, 1.4f, 0};
static const Field patch_field = {22, CN_NOISE_FBM, {2, 2, 0.5f, 0}, 1.5f, 0};

/* Samples the lattice at y values a third of a cell off and their doubles: at whole cells, noise is
 * 0 along many lattice lines, which would be visible. */
static void sample(const CnNoise *noise, const Field *field, const CnColumnGrid *grid, float *out)
{
    const CnNoiseGrid places = {.x = grid->x,
                                .y = 1,
                                .z = grid->z,
                                .step = grid->step,
                                .count = {grid->count, 1, grid->count},
                                .scale = {field->scale, 3, field->scale}};
    cn_noise_sum_grid(noise, field->sum, &field->octaves, &places, out);
    for (uint32_t i = 0; i < grid->count * grid->count; i++)
        out[i] = out[i] * field->factor + field->bias;
}

/* ---- Heights ---- */

/* Every world has land around the origin, where players start: everywhere within HOME_NEAR blocks,
 * decreasing up to HOME_FAR. */
#define HOME_NEAR 400.0f
#define HOME_FAR 1200.0f
#define HOME_CONTINENT 0.30f

/* Smooth step: 0 below `from`, 1 above `to`. */
CN_FORCE_INLINE float ramp(float x, float from, float to)
{
    float at = (x - from) * (1.0f / (to - from));
    at = at > 0.0f ? at : 0.0f;
    at = at < 1.0f ? at : 1.0f;
    return at * at * (3.0f - 2.0f * at);
}

/* The center of rivers, and the distance of their banks from it, in the valley field. */
#define RIVER_BED 10.0f
#define RIVER_WIDTH 0.016f
#define SWAMP_HEIGHT 15.1f

typedef struct Shape {
    float scale[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
        swamp[CNI_VOXEL_TERRAIN_TILE_COLUMNS]; /* of the biomes */
    float relief[CNI_VOXEL_TERRAIN_TILE_COLUMNS], hills[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
        ridges[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    float valleys[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
} Shape;

/* Deep sea, the slope up to the shelf, the shelf, the shore, and land rising inland. */
CN_FORCE_INLINE float continent_height(float continent)
{
    return -17.0f + 21.0f * ramp(continent, -0.50f, -0.16f) +
           12.0f * ramp(continent, -0.24f, 0.06f) + 10.0f * ramp(continent, 0.02f, 0.40f) +
           14.0f * ramp(continent, 0.30f, 1.00f);
}

CN_SIMD_DISPATCH(heights_of,
                 (uint32_t count, const float *restrict continent, const float *restrict patches,
                  const Shape *restrict shape, float *restrict heights, float *restrict rivers),
                 (count, continent, patches, shape, heights, rivers))
{
    for (uint32_t i = 0; i < count; i++) {
        const float scale = shape->scale[i], relief = shape->relief[i];
        const float land = ramp(continent[i], -0.06f, 0.16f);
        /* Cold areas are mountainous; elsewhere strong relief is required. */
        const float mountains = land * ramp(relief + (scale - 1.0f) * 0.9f, -0.05f, 0.95f);
        const float peaks = ramp(shape->ridges[i], 0.05f, 1.10f);
        const float rough = scale * (0.5f + 0.5f * ramp(relief, -0.5f, 0.4f));
        float height = continent_height(continent[i]);
        height += (1.0f - land) * 4.0f * shape->hills[i];
        height += land * rough * (5.0f + 16.0f * shape->hills[i]);
        height +=
            mountains * (20.0f + 140.0f * peaks + 16.0f * shape->hills[i] + 7.0f * patches[i]);
        /* Swamps lie at sea level, with pools. */
        const float mire = SWAMP_HEIGHT + 2.0f * shape->hills[i] + 1.5f * patches[i];
        height += land * shape->swamp[i] * (mire - height);
        /* Valleys lead down to rivers at sea level and are wider between mountains. */
        const float away = __builtin_fabsf(shape->valleys[i]);
        const float open = ramp(away, 0.015f, 0.16f + 0.12f * mountains);
        const float carved = RIVER_BED + (height - RIVER_BED) * open;
        heights[i] = height > RIVER_BED ? carved : height;
        const float bank = away * (1.0f / RIVER_WIDTH);
        rivers[i] = RIVER_BED + 5.0f * bank * bank + 500.0f * ramp(bank, 1.0f, 4.0f);
    }
}

static void raise_home(const CnColumnGrid *grid, float *continent)
{
    for (uint32_t k = 0; k < grid->count; k++) {
        const float z = (float)(grid->z + (int32_t)k * grid->step);
        for (uint32_t i = 0; i < grid->count; i++) {
            const float x = (float)(grid->x + (int32_t)i * grid->step);
            const float home =
                1.0f - ramp(x * x + z * z, HOME_NEAR * HOME_NEAR, HOME_FAR * HOME_FAR);
            float *value = &continent[i + grid->count * k];
            const float missing = HOME_CONTINENT - *value;
            *value += home * (missing > 0.0f ? missing : 0.0f);
        }
    }
}

/* Returns whether part of the grid may lie within HOME_FAR. */
static bool is_near_home(const CnColumnGrid *grid)
{
    const int64_t reach = (int64_t)HOME_FAR + (int64_t)grid->step * grid->count;
    return grid->x > -reach && grid->x < reach && grid->z > -reach && grid->z < reach;
}

void cni_voxel_terrain_tile(const CniVoxelNoiseFields *fields, const CnColumnGrid *grid,
                            CniVoxelTerrainTile *tile)
{
    const uint32_t count = grid->count * grid->count;
    Shape shape;
    sample(&fields->continent, &continent_field, grid, tile->continent);
    if (is_near_home(grid))
        raise_home(grid, tile->continent);
    sample(&fields->temperature, &temperature_field, grid, tile->temperature);
    sample(&fields->humidity, &humidity_field, grid, tile->humidity);
    sample(&fields->special, &special_field, grid, tile->special);
    sample(&fields->patches, &patch_field, grid, tile->patch);
    sample(&fields->relief, &relief_field, grid, shape.relief);
    sample(&fields->hills, &hill_field, grid, shape.hills);
    sample(&fields->ridges, &ridge_field, grid, shape.ridges);
    sample(&fields->valleys, &valley_field, grid, shape.valleys);
    cni_voxel_biome_scales(count, tile->temperature, tile->humidity, tile->special, shape.scale,
                           shape.swamp);
    heights_of(count, tile->continent, tile->patch, &shape, tile->height, tile->river);
}

bool cni_voxel_next_grid_tile(const CnColumnGrid *grid, CniVoxelGridTile *tile)
{
    const uint32_t per_row = (grid->count + CNI_VOXEL_TERRAIN_TILE - 1) / CNI_VOXEL_TERRAIN_TILE;
    if (tile->next >= per_row * per_row)
        return false;
    const uint32_t i = tile->next % per_row * CNI_VOXEL_TERRAIN_TILE;
    const uint32_t k = tile->next / per_row * CNI_VOXEL_TERRAIN_TILE;
    const uint32_t side =
        grid->count < CNI_VOXEL_TERRAIN_TILE ? grid->count : CNI_VOXEL_TERRAIN_TILE;
    const uint32_t left_x = grid->count - i, left_z = grid->count - k;
    tile->grid = (CnColumnGrid){.x = grid->x + (int32_t)i * grid->step,
                                .z = grid->z + (int32_t)k * grid->step,
                                .step = grid->step,
                                .count = side};
    tile->count_x = left_x < side ? left_x : side;
    tile->count_z = left_z < side ? left_z : side;
    tile->first = i + (size_t)grid->count * k;
    tile->next++;
    return true;
}

void cni_voxel_terrain_base(const CnGenerator *generator, const CnColumnGrid *grid, float *heights)
{
    CniVoxelTerrainTile tile;
    CniVoxelGridTile part = {0};
    while (cni_voxel_next_grid_tile(grid, &part)) {
        cni_voxel_terrain_tile(&generator->fields, &part.grid, &tile);
        for (uint32_t row = 0; row < part.count_z; row++)
            memcpy(&heights[part.first + (size_t)grid->count * row],
                   &tile.height[part.grid.count * row], part.count_x * sizeof *heights);
    }
}
