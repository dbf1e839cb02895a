/*
 * Columns of blocks: batches at any step, single columns, and the columns of a chunk column, which
 * the scratch caches.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/assert.h>
#include <cairn/base/math.h>

/* Maximum height of the ground, which leaves room for features below CNI_VOXEL_WORLD_TOP. */
#define HIGHEST_GROUND 255

/* Returns a number between 0 and 1, exclusive, for a column. */
static float dither(uint64_t seed, int32_t x, int32_t z)
{
    const uint64_t hash = cni_voxel_position_hash(seed, 0xD17E, x, 0, z);
    return ((float)(uint32_t)(hash >> 41) + 0.5f) * 0x1p-23f;
}

/* Blocks with y < height are solid. */
static int16_t ground_of(float height)
{
    const float ground = cn_ceilf(height) - 1.0f;
    if (ground <= (float)CN_WORLD_BOTTOM)
        return CN_WORLD_BOTTOM;
    return ground >= (float)HIGHEST_GROUND ? HIGHEST_GROUND : (int16_t)ground;
}

/* Writes `count_x` x `count_z` columns of a tile of at most 16 x 16 to `columns`, in rows of
 * `stride`. */
static void write_tile(CnGenerator *generator, CnGenerateScratch *scratch, CniVoxelErosion *erosion,
                       const CnColumnGrid *grid, uint32_t count_x, uint32_t count_z,
                       uint32_t stride, CnColumn *columns)
{
    CniVoxelTerrainTile *tile = &scratch->tile;
    int32_t biomes[CNI_VOXEL_TERRAIN_TILE_COLUMNS], others[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    float blends[CNI_VOXEL_TERRAIN_TILE_COLUMNS];
    cni_voxel_terrain_tile(&generator->fields, grid, tile);
    if (erosion)
        cni_voxel_erosion_add(erosion, grid, tile->height);
    for (uint32_t i = 0; i < grid->count * grid->count; i++)
        tile->height[i] = tile->height[i] < tile->river[i] ? tile->height[i] : tile->river[i];
    cni_voxel_biome_blends(grid->count * grid->count, tile->temperature, tile->humidity,
                           tile->special, biomes, others, blends);
    for (uint32_t k = 0; k < count_z; k++) {
        for (uint32_t i = 0; i < count_x; i++) {
            const uint32_t at = i + grid->count * k;
            CnColumn *column = &columns[i + stride * k];
            *column = (CnColumn){.height = tile->height[at],
                                 .temperature = tile->temperature[at],
                                 .humidity = tile->humidity[at],
                                 .special = tile->special[at],
                                 .continent = tile->continent[at],
                                 .blend = blends[at],
                                 .ground = ground_of(tile->height[at]),
                                 .biome = (uint8_t)biomes[at],
                                 .other = (uint8_t)others[at]};
            column->soil = column->biome;
            if (column->blend > 0.0f &&
                dither(generator->desc.seed, grid->x + (int32_t)i * grid->step,
                       grid->z + (int32_t)k * grid->step) < column->blend)
                column->soil = column->other;
            column->underwater = column->ground < CN_SEA_LEVEL;
            column->top =
                generator->blocks
                    .numbers[cni_voxel_soil_top(generator->desc.seed, column, tile->patch[at])];
        }
    }
}

static void write_grid(CnGenerator *generator, CnGenerateScratch *scratch, CniVoxelErosion *erosion,
                       const CnColumnGrid *grid, CnColumn *columns)
{
    CN_ASSERT(scratch->generator == generator, "the scratch belongs to another generator");
    CniVoxelGridTile part = {0};
    while (cni_voxel_next_grid_tile(grid, &part))
        write_tile(generator, scratch, erosion, &part.grid, part.count_x, part.count_z, grid->count,
                   &columns[part.first]);
}

void cn_generate_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                         const CnColumnGrid *grid, CnColumn *columns)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    write_grid(generator, scratch, generator->erosion, grid, columns);
}

void cni_voxel_uneroded_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                const CnColumnGrid *grid, CnColumn *columns)
{
    write_grid(generator, scratch, NULL, grid, columns);
}

CnColumn cn_generate_column(CnGenerator *generator, CnGenerateScratch *scratch, int32_t x,
                            int32_t z)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    CnColumn column;
    cn_generate_columns(generator, scratch, &(CnColumnGrid){.x = x, .z = z, .step = 1, .count = 1},
                        &column);
    return column;
}

/* ---- Chunk columns ---- */

static uint32_t entry_index(int32_t chunk_x, int32_t chunk_z)
{
    return ((uint32_t)chunk_x % CNI_VOXEL_COLUMN_SIDE) +
           CNI_VOXEL_COLUMN_SIDE * ((uint32_t)chunk_z % CNI_VOXEL_COLUMN_SIDE);
}

CniVoxelColumnEntry *cni_voxel_column_entry(CnGenerateScratch *scratch, int32_t chunk_x,
                                            int32_t chunk_z)
{
    CniVoxelColumnEntry *entry = &scratch->entries[entry_index(chunk_x, chunk_z)];
    if (entry->has_columns && entry->chunk_x == chunk_x && entry->chunk_z == chunk_z)
        return entry;
    entry->chunk_x = chunk_x;
    entry->chunk_z = chunk_z;
    entry->has_columns = true;
    entry->has_features = entry->has_ground = false;
    cn_generate_columns(scratch->generator, scratch,
                        &(CnColumnGrid){.x = chunk_x * CN_CHUNK_SIZE,
                                        .z = chunk_z * CN_CHUNK_SIZE,
                                        .step = 1,
                                        .count = CN_CHUNK_SIZE},
                        entry->columns);
    cni_voxel_entrances_mark(scratch->generator, chunk_x * CN_CHUNK_SIZE, chunk_z * CN_CHUNK_SIZE,
                             entry->columns, entry->entrances);
    entry->top = CN_SEA_LEVEL + 1;
    for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE_COLUMNS; i++) {
        const int32_t above = entry->columns[i].ground + 1;
        entry->top = above > entry->top ? above : entry->top;
    }
    return entry;
}

const CniVoxelGround *cni_voxel_column_ground(const CnGenerator *generator,
                                              CniVoxelColumnEntry *entry)
{
    if (!entry->has_ground)
        cni_voxel_soil_ground(&generator->blocks, entry->columns, entry->entrances, &entry->ground);
    entry->has_ground = true;
    return &entry->ground;
}

CniVoxelColumnEntry *cni_voxel_column_entry_with_features(CnGenerateScratch *scratch,
                                                          int32_t chunk_x, int32_t chunk_z,
                                                          CniVoxelFeatures **features)
{
    CniVoxelColumnEntry *entry = cni_voxel_column_entry(scratch, chunk_x, chunk_z);
    *features = NULL;
    if (scratch->features == NULL)
        return entry;
    *features = (CniVoxelFeatures *)&scratch
                    ->features[entry_index(chunk_x, chunk_z) * scratch->feature_bytes];
    if (entry->has_features)
        return entry;
    cni_voxel_features_collect(scratch->generator, scratch, chunk_x, chunk_z, entry->columns,
                               *features);
    CN_ASSERT(entry->chunk_x == chunk_x && entry->chunk_z == chunk_z,
              "features asked for columns of chunks that are too far away");
    entry->has_features = true;
    int32_t low, high;
    if (cni_voxel_features_span(*features, &low, &high) && high >= entry->top)
        entry->top = high + 1;
    CN_ASSERT(entry->top <= CNI_VOXEL_WORLD_TOP, "features above the top of the world");
    return entry;
}

const CnColumn *cni_voxel_generate_chunk_columns(CnGenerator *generator, CnGenerateScratch *scratch,
                                                 int32_t chunk_x, int32_t chunk_z)
{
    CN_ASSERT(scratch->generator == generator, "the scratch belongs to another generator");
    return cni_voxel_column_entry(scratch, chunk_x, chunk_z)->columns;
}
