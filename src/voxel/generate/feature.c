/*
 * Features of a chunk column: trees and stones from two jittered grids, plants of single columns,
 * and parts of villages. Everything is a function of the seed and the position of the root. A chunk
 * column collects all features that may reach into it, in a fixed order.
 */
#include "voxel/generate/feature.h"
#include "voxel/generate/placement.h"
#include "voxel/generate/terrain.h"
#include "voxel/generate/village.h"

#include <string.h>

/* Minimum distance between features of the fine grid and those of the coarse grid. */
#define COARSE_ROOM 3
#define MAX_COARSE 16
#define MAX_INSTANCES 64
/* Upper bound of the chance on the coarse grid, out of 1,024, over all biomes; other candidates are
 * skipped early. */
#define MAX_COARSE_CHANCE 700

struct CniVoxelFeatures {
    int32_t chunk_x, chunk_z;
    int16_t low, high; /* low > high: empty */
    uint16_t instance_count, piece_count, placed_count;
    bool in_village;
    CniVoxelFeatureInstance instances[MAX_INSTANCES];
    CniVoxelVillagePiece pieces[CNI_VOXEL_NEAR_PIECES];
    uint16_t paths[16];
    int16_t ground[256];
    CniVoxelGenerated plants[256];
    uint8_t plant_heights[256];
    CniVoxelPlaced placed[]; /* as many as the generator's limit, and one more */
};

size_t cni_voxel_features_bytes(uint32_t placed)
{
    return sizeof(CniVoxelFeatures) + (placed ? placed + 1 : 0) * sizeof(CniVoxelPlaced);
}

/* ---- Collecting ---- */

typedef struct Collector {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    const CniVoxelGeneratedBlocks *generated;
    uint64_t seed;
    int32_t x, z; /* of the chunk column, in blocks */
    const CnColumn *columns;
    const CniVoxelVillageNear *village; /* NULL: none */
    CniVoxelFeatures *features;
    const CnPlacement *placements; /* NULL: none */
    const CniVoxelPlaced *near;    /* structures */
    uint32_t near_count;
    uint32_t coarse_count;
    CniVoxelFeatureInstance coarse[MAX_COARSE]; /* including those that only keep others away */
} Collector;

/* Valid until the next call. */
static const CnColumn *column_at(const Collector *collector, int32_t x, int32_t z)
{
    uint32_t i = (uint32_t)(x - collector->x), k = (uint32_t)(z - collector->z);
    if (i < 16 && k < 16)
        return &collector->columns[i + 16 * k];
    const CnColumn *columns =
        cni_voxel_generate_chunk_columns(collector->generator, collector->scratch, x >> 4, z >> 4);
    return &columns[(x & 15) + 16 * (z & 15)];
}

static bool is_in_village(const Collector *collector, int32_t x, int32_t z)
{
    uint32_t i = (uint32_t)(x - collector->x + CNI_VOXEL_NEAR_MARGIN);
    uint32_t k = (uint32_t)(z - collector->z + CNI_VOXEL_NEAR_MARGIN);
    return collector->village && i < 64 && k < 64 && (collector->village->no_trees[k] >> i & 1);
}

/* Features wider than the trees of the fine grid keep a larger distance. */
static bool is_near_village(const Collector *collector, int32_t x, int32_t z)
{
    const int32_t more = CNI_VOXEL_COARSE_RADIUS - CNI_VOXEL_FINE_RADIUS + 1;
    for (int32_t n = 0; n < 9; n++)
        if (is_in_village(collector, x + (n % 3 - 1) * more, z + (n / 3 - 1) * more))
            return true;
    return false;
}

static bool is_near_structure(const Collector *collector, int32_t x, int32_t z, int32_t distance)
{
    return cni_voxel_is_in_structure(collector->placements, collector->near, collector->near_count,
                                     x, z, distance);
}

static void widen(CniVoxelFeatures *features, int32_t low, int32_t high)
{
    features->low = low < features->low ? (int16_t)low : features->low;
    features->high = high > features->high ? (int16_t)high : features->high;
}

/* Returns the distance of a position from the chunk column. */
static int32_t distance_to(const Collector *collector, int32_t x, int32_t z)
{
    int32_t dx = x < collector->x ? collector->x - x : x - (collector->x + 15);
    int32_t dz = z < collector->z ? collector->z - z : z - (collector->z + 15);
    return dx > dz ? dx : dz;
}

static void keep(Collector *collector, const CniVoxelFeatureInstance *instance)
{
    const CniVoxelFeatureKind *kind = &cni_voxel_feature_kinds[instance->kind];
    CniVoxelFeatures *features = collector->features;
    if (distance_to(collector, instance->x, instance->z) > kind->radius)
        return;
    features->instances[features->instance_count++] = *instance;
    widen(features, instance->y - CNI_VOXEL_ROOT_DEPTH, instance->y + kind->height);
}

/* Fallen trunks need level ground. */
static bool is_level(const Collector *collector, const CniVoxelFeatureInstance *instance)
{
    bool along_x = cni_voxel_lies_along_x(instance->dice);
    for (int32_t n = 1; n < cni_voxel_trunk_length(instance->dice); n++) {
        int32_t x = instance->x + (along_x ? n : 0), z = instance->z + (along_x ? 0 : n);
        if (column_at(collector, x, z)->ground != instance->y ||
            cni_voxel_is_near_entrance(collector->generator, x, z))
            return false;
    }
    return true;
}

static int32_t grid_cell(int32_t at, int32_t size)
{
    return at / size - (at % size < 0);
}

static void collect_coarse(Collector *collector)
{
    const int32_t reach = CNI_VOXEL_COARSE_RADIUS + COARSE_ROOM;
    int32_t i0 = (collector->x - reach) >> 4, i1 = (collector->x + 15 + reach) >> 4;
    int32_t k0 = (collector->z - reach) >> 4, k1 = (collector->z + 15 + reach) >> 4;
    CN_STATIC_ASSERT(CNI_VOXEL_COARSE_GRID == 1 << 4, "shifts above");
    for (int32_t k = k0; k <= k1; k++) {
        for (int32_t i = i0; i <= i1; i++) {
            CniVoxelFeatureCandidate candidate = cni_voxel_coarse_candidate(collector->seed, i, k);
            uint64_t dice = candidate.dice;
            CniVoxelFeatureInstance instance = {.x = candidate.x, .z = candidate.z};
            if (((uint32_t)(dice >> 32) & 1023) >= MAX_COARSE_CHANCE ||
                distance_to(collector, instance.x, instance.z) > reach ||
                is_near_village(collector, instance.x, instance.z) ||
                is_near_structure(collector, instance.x, instance.z, CNI_VOXEL_COARSE_RADIUS + 1) ||
                cni_voxel_is_near_entrance(collector->generator, instance.x, instance.z))
                continue;
            const CnColumn *column = column_at(collector, instance.x, instance.z);
            instance.kind = (uint8_t)cni_voxel_choose_coarse(collector->generated, column, dice);
            instance.y = column->ground;
            instance.dice = (uint32_t)(dice >> 7) ^ (uint32_t)(dice >> 40);
            if (!instance.kind ||
                (cni_voxel_feature_kinds[instance.kind].lies && !is_level(collector, &instance)))
                continue;
            collector->coarse[collector->coarse_count++] = instance;
            keep(collector, &instance);
        }
    }
}

static bool has_room(const Collector *collector, int32_t x, int32_t z)
{
    for (uint32_t i = 0; i < collector->coarse_count; i++) {
        int32_t dx = x - collector->coarse[i].x, dz = z - collector->coarse[i].z;
        if (dx >= -COARSE_ROOM && dx <= COARSE_ROOM && dz >= -COARSE_ROOM && dz <= COARSE_ROOM)
            return false;
    }
    return true;
}

static void collect_fine(Collector *collector)
{
    const int32_t reach = CNI_VOXEL_FINE_RADIUS;
    int32_t i0 = grid_cell(collector->x - reach, CNI_VOXEL_FINE_GRID);
    int32_t i1 = grid_cell(collector->x + 15 + reach, CNI_VOXEL_FINE_GRID);
    int32_t k0 = grid_cell(collector->z - reach, CNI_VOXEL_FINE_GRID);
    int32_t k1 = grid_cell(collector->z + 15 + reach, CNI_VOXEL_FINE_GRID);
    for (int32_t k = k0; k <= k1; k++) {
        for (int32_t i = i0; i <= i1; i++) {
            CniVoxelFeatureCandidate candidate = cni_voxel_fine_candidate(collector->seed, i, k);
            uint64_t dice = candidate.dice;
            CniVoxelFeatureInstance instance = {.x = candidate.x, .z = candidate.z};
            if (distance_to(collector, instance.x, instance.z) > reach ||
                is_in_village(collector, instance.x, instance.z) ||
                is_near_structure(collector, instance.x, instance.z, CNI_VOXEL_FINE_RADIUS + 1) ||
                !has_room(collector, instance.x, instance.z) ||
                cni_voxel_is_near_entrance(collector->generator, instance.x, instance.z))
                continue;
            const CnColumn *column = column_at(collector, instance.x, instance.z);
            instance.kind = (uint8_t)cni_voxel_choose_fine(collector->generated, collector->seed,
                                                           column, instance.x, instance.z, dice);
            instance.y = column->ground;
            instance.dice = (uint32_t)(dice >> 7) ^ (uint32_t)(dice >> 40);
            if (instance.kind)
                keep(collector, &instance);
        }
    }
}

/* Returns whether a neighboring column within the chunk column is under water. Columns outside are
 * not tested, so reeds are rarer at the border. */
static bool is_by_water(const CnColumn columns[256], uint32_t i, uint32_t k)
{
    return (i > 0 && columns[i - 1 + 16 * k].underwater) ||
           (i < 15 && columns[i + 1 + 16 * k].underwater) ||
           (k > 0 && columns[i + 16 * (k - 1)].underwater) ||
           (k < 15 && columns[i + 16 * (k + 1)].underwater);
}

static void collect_plants(Collector *collector)
{
    CniVoxelFeatures *features = collector->features;
    const uint8_t *entrances =
        cni_voxel_chunk_entrances(collector->scratch, features->chunk_x, features->chunk_z);
    CniVoxelMeadow meadow = cni_voxel_meadow(collector->seed, features->chunk_x, features->chunk_z);
    for (uint32_t k = 0; k < 16; k++) {
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t at = i + 16 * k;
            const CnColumn *column = &collector->columns[at];
            bool by_water = column->ground == CN_SEA_LEVEL && is_by_water(collector->columns, i, k);
            CniVoxelPlant plant = {CNI_VOXEL_GEN_AIR, 0};
            const bool taken = (collector->village && (collector->village->taken[k] >> i & 1)) ||
                               is_near_structure(collector, collector->x + (int32_t)i,
                                                 collector->z + (int32_t)k, 0);
            if (!taken)
                plant = cni_voxel_choose_plant(collector->generated, collector->seed, &meadow,
                                               column, collector->x + (int32_t)i,
                                               collector->z + (int32_t)k, by_water);
            if (plant.block && entrances[at] == CNI_VOXEL_ENTRANCE_ROOFLESS &&
                cni_voxel_entrance_depth(collector->generator, collector->x + (int32_t)i,
                                         collector->z + (int32_t)k, column->ground, 1) > 0)
                plant = (CniVoxelPlant){CNI_VOXEL_GEN_AIR,
                                        0}; /* a tunnel removed the block it would stand on */
            features->ground[at] = column->underwater ? CN_SEA_LEVEL : column->ground;
            features->plants[at] = plant.block;
            features->plant_heights[at] = plant.height;
            if (plant.block)
                widen(features, features->ground[at] + 1, features->ground[at] + plant.height);
        }
    }
}

/* Removes plants from columns occupied by other features. */
static void clear_roots(CniVoxelFeatures *features)
{
    for (uint32_t n = 0; n < features->instance_count; n++) {
        uint32_t i = (uint32_t)(features->instances[n].x - 16 * features->chunk_x);
        uint32_t k = (uint32_t)(features->instances[n].z - 16 * features->chunk_z);
        if (i < 16 && k < 16)
            features->plants[i + 16 * k] = CNI_VOXEL_GEN_AIR;
    }
}

static void collect_village(CniVoxelFeatures *features, const CniVoxelVillageNear *village,
                            const CnColumn columns[256])
{
    memcpy(features->paths, village->paths, sizeof features->paths);
    memcpy(features->pieces, village->pieces, village->count * sizeof(CniVoxelVillagePiece));
    features->piece_count = (uint16_t)village->count;
    features->in_village = true;
    for (uint32_t n = 0; n < village->count; n++)
        widen(features, village->pieces[n].y - CNI_VOXEL_PIECE_DEPTH,
              village->pieces[n].y + village->pieces[n].height);
    for (uint32_t at = 0; at < 256; at++)
        if (features->paths[at / 16] >> at % 16 & 1)
            widen(features, columns[at].ground, columns[at].ground);
}

/* Structures are collected first, because others keep off them. */
static void find_structures(Collector *collector)
{
    CnGenerateScratch *scratch = collector->scratch;
    if (!scratch->near)
        return;
    collector->placements = collector->generator->desc.placements;
    collector->near = scratch->near;
    collector->near_count =
        cni_voxel_structures_near(collector->generator, scratch, collector->features->chunk_x,
                                  collector->features->chunk_z, scratch->near);
}

static void collect_placed(Collector *collector)
{
    CniVoxelFeatures *features = collector->features;
    if (!collector->placements)
        return;
    features->placed_count = (uint16_t)cni_voxel_placed_collect(
        collector->generator, collector->scratch, features->chunk_x, features->chunk_z,
        collector->near, collector->near_count, features->placed);
    for (uint32_t i = 0; i < features->placed_count; i++)
        widen(features, cni_voxel_placed_low(collector->placements, &features->placed[i]),
              cni_voxel_placed_high(collector->placements, &features->placed[i]));
}

void cni_voxel_features_collect(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                                int32_t chunk_z, const CnColumn columns[256],
                                CniVoxelFeatures *features)
{
    CniVoxelVillageNear village;
    Collector collector = {
        .generator = generator,
        .scratch = scratch,
        .generated = cni_voxel_generator_blocks(generator),
        .seed = cn_generator_seed(generator),
        .x = chunk_x * CN_CHUNK_SIZE,
        .z = chunk_z * CN_CHUNK_SIZE,
        .columns = columns,
        .features = features,
    };
    features->chunk_x = chunk_x;
    features->chunk_z = chunk_z;
    features->low = INT16_MAX;
    features->high = INT16_MIN;
    features->instance_count = 0;
    features->piece_count = 0;
    features->placed_count = 0;
    features->in_village = false;
    memset(features->paths, 0, sizeof features->paths);
    if (cni_voxel_village_near(generator, scratch, chunk_x, chunk_z, &village)) {
        collector.village = &village;
        collect_village(features, &village, columns);
    }
    find_structures(&collector);
    collect_coarse(&collector);
    collect_fine(&collector);
    collect_plants(&collector);
    clear_roots(features);
    collect_placed(&collector);
}

bool cni_voxel_features_span(const CniVoxelFeatures *features, int32_t *low, int32_t *high)
{
    *low = features->low;
    *high = features->high;
    return features->low <= features->high;
}

/* ---- Writing ---- */

static void write_plants(const CniVoxelFeatures *features, const CniVoxelBrush *brush)
{
    for (uint32_t at = 0; at < 256; at++) {
        int32_t y = features->ground[at] + 1,
                top = features->ground[at] + features->plant_heights[at];
        if (!features->plants[at] || top < brush->y || y >= brush->y + CN_CHUNK_SIZE)
            continue;
        int32_t x = brush->x + (int32_t)(at & 15), z = brush->z + (int32_t)(at >> 4);
        for (; y <= top; y++)
            cni_voxel_brush_cell(brush, x, y, z, features->plants[at], CN_BLOCK_IS_AIR);
    }
}

static void write_paths(const CniVoxelFeatures *features, const CniVoxelBrush *brush)
{
    for (uint32_t at = 0; at < 256; at++) {
        if (!(features->paths[at >> 4] >> (at & 15) & 1))
            continue;
        int32_t x = brush->x + (int32_t)(at & 15), z = brush->z + (int32_t)(at >> 4);
        bool worn = (cni_voxel_position_hash(0, 0x9A7, x, 0, z) & 7) == 0;
        cni_voxel_brush_cell(brush, x, features->ground[at], z,
                             worn ? CNI_VOXEL_GEN_GRAVEL : CNI_VOXEL_GEN_DIRT_PATH,
                             CNI_VOXEL_OVER_ALL);
    }
}

static void write_instances(const CniVoxelFeatures *features, const CniVoxelBrush *brush)
{
    for (uint32_t i = 0; i < features->instance_count; i++) {
        const CniVoxelFeatureInstance *instance = &features->instances[i];
        const CniVoxelFeatureKind *kind = &cni_voxel_feature_kinds[instance->kind];
        if (instance->y - CNI_VOXEL_ROOT_DEPTH < brush->y + CN_CHUNK_SIZE &&
            instance->y + kind->height >= brush->y)
            kind->draw(brush, instance);
    }
}

void cni_voxel_features_write(const CniVoxelFeatures *features,
                              const CniVoxelGeneratedBlocks *generated,
                              const CnPlacement *placements, CnChunkPos position,
                              CnBlock blocks[CN_CHUNK_BLOCKS])
{
    CniVoxelBrush brush = {blocks, position.x * CN_CHUNK_SIZE, position.y * CN_CHUNK_SIZE,
                           position.z * CN_CHUNK_SIZE, generated};
    if (brush.y > features->high || brush.y + CN_CHUNK_SIZE <= features->low)
        return;
    write_plants(features, &brush);
    write_instances(features, &brush);
    for (uint32_t i = 0; i < features->placed_count; i++)
        cni_voxel_placed_draw(&brush, placements, &features->placed[i], features->ground);
    if (!features->in_village)
        return;
    write_paths(features, &brush);
    for (uint32_t i = 0; i < features->piece_count; i++)
        cni_voxel_draw_piece(&brush, &features->pieces[i]);
}
