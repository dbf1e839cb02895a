/*
 * Generators and scratches: their data, and the steps of generating a chunk.
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/assert.h>

#include <string.h>

#define DEFAULT_CACHE_BYTES (32u << 20)

/* ---- Generators ---- */

CnGenerator *cn_generator_create(const CnGeneratorDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_ASSERT(desc->blocks, "a generator needs a block table");
    CnGenerator *generator = cn_alloc_zeroed(desc->allocator, sizeof *generator);
    if (!generator) {
        cn_error_memory(error, "a world generator");
        return NULL;
    }
    generator->allocator = desc->allocator;
    generator->desc = *desc;
    if (!cni_voxel_generated_blocks_find(&generator->blocks, desc->blocks, error)) {
        cn_generator_destroy(generator);
        return NULL;
    }
    if (!cn_placements_check(desc->placements, desc->placement_count, error)) {
        cn_generator_destroy(generator);
        return NULL;
    }
    generator->placed = cni_voxel_placed_limits(desc->placements, desc->placement_count);
    cni_voxel_fields_init(&generator->fields, desc->seed);
    const uint64_t cache_bytes = desc->cache_bytes ? desc->cache_bytes : DEFAULT_CACHE_BYTES;
    bool complete = true;
    if (!desc->no_erosion) {
        generator->erosion =
            cni_voxel_erosion_create(desc->allocator, generator, cache_bytes / 4 * 3);
        complete = generator->erosion != NULL;
    }
    if (complete && !desc->no_villages && !desc->no_features) {
        generator->villages = cni_voxel_villages_create(desc->allocator, cache_bytes / 4);
        complete = generator->villages != NULL;
    }
    if (!complete) {
        cn_generator_destroy(generator);
        cn_error_memory(error, "a world generator");
        return NULL;
    }
    return generator;
}

void cn_generator_destroy(CnGenerator *generator)
{
    if (!generator)
        return;
    if (generator->villages)
        cni_voxel_villages_destroy(generator->villages);
    if (generator->erosion)
        cni_voxel_erosion_destroy(generator->erosion);
    cn_free(generator->allocator, generator, sizeof *generator);
}

uint64_t cn_generator_seed(const CnGenerator *generator)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    return generator->desc.seed;
}

const CnBlockTable *cn_generator_blocks(const CnGenerator *generator)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    return generator->blocks.table;
}

const CniVoxelGeneratedBlocks *cni_voxel_generator_blocks(const CnGenerator *generator)
{
    return &generator->blocks;
}

CniVoxelErosion *cni_voxel_generator_erosion(CnGenerator *generator)
{
    return generator->erosion;
}

CniVoxelVillages *cni_voxel_generator_villages(CnGenerator *generator)
{
    return generator->villages;
}

/* ---- Scratches ---- */

/* One more, because a candidate is written before it is known to stand. */
static size_t near_bytes(const CnGenerator *generator)
{
    return (generator->placed.near + 1) * sizeof(CniVoxelPlaced);
}

CnGenerateScratch *cn_generate_scratch_create(CnGenerator *generator)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    CnGenerateScratch *scratch = cn_alloc_zeroed(generator->allocator, sizeof *scratch);
    if (!scratch)
        return NULL;
    scratch->generator = generator;
    /* Rounded to cache lines, so that each one is aligned. */
    scratch->feature_bytes =
        generator->desc.no_features
            ? 0
            : (cni_voxel_features_bytes(generator->placed.column) + 63) / 64 * 64;
    scratch->entries =
        cn_alloc_zeroed(generator->allocator, CNI_VOXEL_COLUMN_ENTRIES * sizeof *scratch->entries);
    if (scratch->feature_bytes > 0)
        scratch->features =
            cn_alloc(generator->allocator, CNI_VOXEL_COLUMN_ENTRIES * scratch->feature_bytes);
    const bool has_near = scratch->feature_bytes > 0 && generator->placed.column > 0;
    if (has_near)
        scratch->near = cn_alloc(generator->allocator, near_bytes(generator));
    if (!scratch->entries || (scratch->feature_bytes > 0 && !scratch->features) ||
        (has_near && !scratch->near)) {
        cn_generate_scratch_destroy(scratch);
        return NULL;
    }
    return scratch;
}

void cn_generate_scratch_destroy(CnGenerateScratch *scratch)
{
    if (!scratch)
        return;
    CnAllocator *allocator = scratch->generator->allocator;
    if (scratch->near)
        cn_free(allocator, scratch->near, near_bytes(scratch->generator));
    cn_free(allocator, scratch->features, CNI_VOXEL_COLUMN_ENTRIES * scratch->feature_bytes);
    cn_free(allocator, scratch->entries, CNI_VOXEL_COLUMN_ENTRIES * sizeof *scratch->entries);
    cn_free(allocator, scratch, sizeof *scratch);
}

/* ---- Chunks ---- */

static void fill(CnBlock blocks[CN_CHUNK_BLOCKS], CnBlock block)
{
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = block;
}

void cn_generate(CnGenerator *generator, CnGenerateScratch *scratch, CnChunkPos position,
                 CnBlock blocks[CN_CHUNK_BLOCKS])
{
    CN_ASSERT(scratch, "%s: scratch is NULL", __func__);
    CN_ASSERT(scratch->generator == generator, "the scratch belongs to another generator");
    const int32_t bottom = position.y * CN_CHUNK_SIZE;
    if (bottom + CN_CHUNK_SIZE <= CN_WORLD_BOTTOM) {
        fill(blocks, generator->blocks.numbers[CNI_VOXEL_GEN_BEDROCK]);
        return;
    }
    if (bottom >= CNI_VOXEL_WORLD_TOP) {
        memset(blocks, 0, CN_CHUNK_BLOCKS * sizeof *blocks);
        return;
    }
    CniVoxelFeatures *features;
    CniVoxelColumnEntry *entry =
        cni_voxel_column_entry_with_features(scratch, position.x, position.z, &features);
    if (bottom >= entry->top) {
        memset(blocks, 0, CN_CHUNK_BLOCKS * sizeof *blocks);
        return;
    }
    const CniVoxelGround *ground = cni_voxel_column_ground(generator, entry);
    cni_voxel_soil_fill(generator, ground, position.y, blocks);
    if (!generator->desc.no_caves)
        cni_voxel_caves_carve(&generator->fields, ground, position, &scratch->carving, blocks);
    if (!generator->desc.no_ores)
        cni_voxel_ores_place(generator, ground, position, &scratch->carving, blocks);
    int32_t low, high;
    if (features && cni_voxel_features_span(features, &low, &high) && bottom <= high &&
        low < bottom + CN_CHUNK_SIZE)
        cni_voxel_features_write(features, &generator->blocks, generator->desc.placements, position,
                                 blocks);
}

int32_t cn_generate_max_height(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                               int32_t chunk_z)
{
    CN_ASSERT(scratch, "%s: scratch is NULL", __func__);
    CN_ASSERT(scratch->generator == generator, "the scratch belongs to another generator");
    CniVoxelFeatures *features;
    return cni_voxel_column_entry_with_features(scratch, chunk_x, chunk_z, &features)->top;
}
