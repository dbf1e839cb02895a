/*
 * Locates the village of a region, if it has one: the flattest grassy plain that passes the tests.
 */
#include "voxel/generate/feature.h"
#include "voxel/generate/terrain.h"
#include "voxel/generate/village.h"

#include <string.h>

#define STEP (CNI_VOXEL_REGION / CNI_VOXEL_TERRAIN_TILE) /* blocks between candidate positions */
/* Positions so close to the border of the region that the village would cross it are skipped. */
#define INSET 3
#define MAX_TRIES 4
#define VILLAGE_PERCENT 85 /* of the regions with a suitable position */
#define TOLERANCE 1.5f     /* blocks; of the heights in the center */

typedef struct Place {
    int32_t x, z;
    float unevenness;
} Place;

/* Finds the candidate positions of the region, sorted by flatness before erosion, as many as
 * fit. */
static uint32_t find_places(const CnGenerator *generator, int32_t region_x, int32_t region_z,
                            Place places[MAX_TRIES])
{
    CniVoxelTerrainTile tile;
    CnColumnGrid grid = {region_x * CNI_VOXEL_REGION + STEP / 2,
                         region_z * CNI_VOXEL_REGION + STEP / 2, STEP, CNI_VOXEL_TERRAIN_TILE};
    uint32_t count = 0;
    cni_voxel_terrain_tile(&generator->fields, &grid, &tile);
    for (int32_t k = INSET; k < CNI_VOXEL_TERRAIN_TILE - INSET; k++) {
        for (int32_t i = INSET; i < CNI_VOXEL_TERRAIN_TILE - INSET; i++) {
            int32_t at = i + CNI_VOXEL_TERRAIN_TILE * k;
            float low = tile.height[at], high = low;
            for (int32_t n = 0; n < 9; n++) {
                float h = tile.height[at + n % 3 - 1 + CNI_VOXEL_TERRAIN_TILE * (n / 3 - 1)];
                low = h < low ? h : low;
                high = h > high ? h : high;
            }
            CnBiomeBlend blend =
                cn_biome_blend(tile.temperature[at], tile.humidity[at], tile.special[at]);
            if (blend.biome != CN_BIOME_GRASSY_PLAINS || low < CN_SEA_LEVEL + 2)
                continue;
            Place place = {grid.x + i * STEP, grid.z + k * STEP, high - low};
            uint32_t n = count < MAX_TRIES ? count++ : MAX_TRIES;
            for (; n > 0 && places[n - 1].unevenness > place.unevenness; n--)
                if (n < MAX_TRIES)
                    places[n] = places[n - 1];
            if (n < MAX_TRIES)
                places[n] = place;
        }
    }
    return count;
}

/* The center must be a chunk of plains without water, level within the tolerance. */
static bool is_fit(CnGenerator *generator, CnGenerateScratch *scratch, const Place *place,
                   int16_t *ground)
{
    CnColumn columns[25];
    CnColumnGrid grid = {place->x - 8, place->z - 8, 4, 5};
    cn_generate_columns(generator, scratch, &grid, columns);
    const CnColumn *middle = &columns[12];
    for (uint32_t i = 0; i < 25; i++) {
        float off = columns[i].height - middle->height;
        if (columns[i].underwater || off > TOLERANCE || off < -TOLERANCE ||
            columns[i].biome != CN_BIOME_GRASSY_PLAINS)
            return false;
    }
    *ground = middle->ground;
    return true;
}

static void survey(CnGenerator *generator, CnGenerateScratch *scratch, CniVoxelVillageSite *site)
{
    const CniVoxelGenerated *kinds = cni_voxel_generator_blocks(generator)->kinds;
    CnColumn columns[256];
    uint8_t entrances[256];
    for (int32_t tile = 0; tile < (CNI_VOXEL_VILLAGE_SIZE / 16) * (CNI_VOXEL_VILLAGE_SIZE / 16);
         tile++) {
        int32_t x = tile % (CNI_VOXEL_VILLAGE_SIZE / 16) * 16,
                z = tile / (CNI_VOXEL_VILLAGE_SIZE / 16) * 16;
        CnColumnGrid grid = {site->village->x + x, site->village->z + z, 1, 16};
        cn_generate_columns(generator, scratch, &grid, columns);
        cni_voxel_entrances_mark(generator, grid.x, grid.z, columns, entrances);
        for (int32_t at = 0; at < 256; at++) {
            bool fit = !columns[at].underwater && cni_voxel_is_soil(kinds[columns[at].top]) &&
                       entrances[at] == CNI_VOXEL_ENTRANCE_NONE;
            site->ground[z + at / 16][x + at % 16] = columns[at].ground;
            site->use[z + at / 16][x + at % 16] = fit ? CNI_VOXEL_USE_NONE : CNI_VOXEL_USE_UNFIT;
        }
    }
}

/* The well is always in the center, so no cave may open beside it. */
static bool is_middle_whole(const CniVoxelVillageSite *site)
{
    for (int32_t z = -3; z <= 3; z++)
        for (int32_t x = -3; x <= 3; x++)
            if (site->use[CNI_VOXEL_VILLAGE_SIZE / 2 + z][CNI_VOXEL_VILLAGE_SIZE / 2 + x] ==
                CNI_VOXEL_USE_UNFIT)
                return false;
    return true;
}

static void set_around(CniVoxelVillageMask mask, int32_t x, int32_t z, int32_t around)
{
    for (int32_t k = z - around; k <= z + around; k++)
        for (int32_t i = x - around; i <= x + around; i++)
            if ((uint32_t)i < CNI_VOXEL_VILLAGE_SIZE && (uint32_t)k < CNI_VOXEL_VILLAGE_SIZE)
                mask[k][i / 32] |= 1u << i % 32;
}

static void make_masks(const CniVoxelVillageSite *site, CniVoxelVillage *village)
{
    for (int32_t z = 0; z < CNI_VOXEL_VILLAGE_SIZE; z++) {
        for (int32_t x = 0; x < CNI_VOXEL_VILLAGE_SIZE; x++) {
            CniVoxelSiteUse use = (CniVoxelSiteUse)site->use[z][x];
            if (use != CNI_VOXEL_USE_PATH && use != CNI_VOXEL_USE_PIECE)
                continue;
            if (use == CNI_VOXEL_USE_PATH)
                set_around(village->paths, x, z, 0);
            set_around(village->taken, x, z, 0);
            set_around(village->no_trees, x, z,
                       use == CNI_VOXEL_USE_PATH ? 1 : CNI_VOXEL_FINE_RADIUS + 1);
        }
    }
}

static bool plan_at(CnGenerator *generator, CnGenerateScratch *scratch, const Place *place,
                    uint64_t dice, CniVoxelVillage *village)
{
    CniVoxelVillageSite site = {.dice = (uint32_t)dice, .village = village};
    int16_t ground;
    if (!is_fit(generator, scratch, place, &ground))
        return false;
    village->x = place->x - CNI_VOXEL_VILLAGE_SIZE / 2;
    village->z = place->z - CNI_VOXEL_VILLAGE_SIZE / 2;
    village->middle = (CnCell){place->x, ground, place->z};
    village->piece_count = 0;
    survey(generator, scratch, &site);
    if (!is_middle_whole(&site) || !cni_voxel_village_lay_out(&site))
        return false;
    make_masks(&site, village);
    return true;
}

void cni_voxel_village_plan(CnGenerator *generator, CnGenerateScratch *scratch, int32_t region_x,
                            int32_t region_z, CniVoxelVillage *village)
{
    uint64_t dice =
        cni_voxel_position_hash(cn_generator_seed(generator), 0x511A6E, region_x, 0, region_z);
    memset(village, 0, sizeof *village);
    if (dice % 100 >= VILLAGE_PERCENT)
        return;
    Place places[MAX_TRIES];
    uint32_t count = find_places(generator, region_x, region_z, places);
    for (uint32_t i = 0; i < count && !village->exists; i++)
        village->exists = plan_at(generator, scratch, &places[i], dice >> 32, village);
}
