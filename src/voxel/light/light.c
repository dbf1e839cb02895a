/* Light of a chunk from its 27 chunks and the sky above them, taking shortcuts where possible. */
#include "voxel/light/light_field.h"

#include <cairn/base/assert.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/mesh.h>

#include <string.h>

#define ROWS_ALIGNMENT 64
/* Distance at which full light is still noticeable. */
#define REACH (CNI_VOXEL_LIGHT_FULL - 1)

/* ---- Scratch ---- */

static CniVoxelLightKinds read_kinds(const CnBlockTable *table)
{
    CniVoxelLightKinds kinds = {0};
    uint32_t levels = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        uint8_t loss = table->info[i].light_loss;
        if (loss > kinds.max_loss && loss <= CNI_VOXEL_LIGHT_MAX_LOSS)
            kinds.max_loss = loss;
        levels |= 1u << table->info[i].light_level;
    }
    for (uint8_t level = 1; level <= CNI_VOXEL_LIGHT_FULL; level++) {
        if (levels >> level & 1)
            kinds.levels[kinds.level_count++] = level;
    }
    return kinds;
}

CnLightScratch *cn_light_scratch_create(CnAllocator *allocator, const CnBlockTable *table)
{
    CN_ASSERT(table->is_closed, "the block table is still open");
    return cni_voxel_light_scratch_create(allocator, read_kinds(table));
}

CnLightScratch *cni_voxel_light_scratch_create(CnAllocator *allocator, CniVoxelLightKinds kinds)
{
    size_t own = (sizeof(CnLightScratch) + ROWS_ALIGNMENT - 1) / ROWS_ALIGNMENT * ROWS_ALIGNMENT;
    size_t bytes = own + (3u + CN_FACE_COUNT + 2u * kinds.max_loss + kinds.level_count) *
                             sizeof(CniVoxelLightRows);
    CnLightScratch *scratch = cn_alloc_aligned(allocator, bytes, ROWS_ALIGNMENT);
    if (!scratch)
        return NULL;
    memset(scratch, 0, bytes);
    scratch->allocator = allocator;
    scratch->bytes = bytes;
    scratch->kinds = kinds;
    CniVoxelLightRows *rows = (CniVoxelLightRows *)((char *)scratch + own);
    scratch->lit = rows[0];
    scratch->next = rows[1];
    scratch->absorbed = rows[2];
    scratch->absorb = rows + 3;
    scratch->dim = scratch->absorb + CN_FACE_COUNT;
    scratch->late = scratch->dim + kinds.max_loss;
    scratch->glow = scratch->late + kinds.max_loss;
    return scratch;
}

void cn_light_scratch_destroy(CnLightScratch *scratch)
{
    if (scratch)
        cn_free_aligned(scratch->allocator, scratch, scratch->bytes, ROWS_ALIGNMENT);
}

/* ---- Building ---- */

static bool any_glows(const CnNeighborhood *around)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(around->chunks); i++) {
        if (around->chunks[i] && cn_chunk_light_count(around->chunks[i]) > 0)
            return true;
    }
    return false;
}

static void fill_box(CnLightBox *box, uint8_t cell)
{
    memset(box->cells, cell, sizeof box->cells);
    box->uniform = true;
}

/* Returns whether light can enter any cell of the box in these layers of chunks. */
static bool lets_light_in(const CnLightScratch *scratch, int32_t first_layer, int32_t last_layer)
{
    int32_t first =
        16 * first_layer > CNI_VOXEL_LIGHT_FIRST ? 16 * first_layer : CNI_VOXEL_LIGHT_FIRST;
    int32_t last =
        16 * last_layer + 15 < CNI_VOXEL_LIGHT_LAST ? 16 * last_layer + 15 : CNI_VOXEL_LIGHT_LAST;
    uint64_t open = 0;
    for (int32_t z = CNI_VOXEL_LIGHT_FIRST; z <= CNI_VOXEL_LIGHT_LAST; z++) {
        for (int32_t row = first + CNI_VOXEL_LIGHT_FIELD_EDGE * z;
             row <= last + CNI_VOXEL_LIGHT_FIELD_EDGE * z; row++) {
            open |= scratch->free[row];
            for (uint32_t i = 0; scratch->absorbs && i < CN_FACE_COUNT; i++)
                open |= scratch->absorb[i][row];
            for (uint32_t i = 0; i < scratch->losses; i++)
                open |= scratch->dim[i][row];
        }
    }
    uint64_t box = ((1ull << CN_CHUNK_PADDED_SIZE) - 1) << CNI_VOXEL_LIGHT_FIRST;
    return (open & box) != 0;
}

void cn_light_build(CnLightScratch *scratch, const CnNeighborhood *around,
                    const CnLightSky *columns, CnLightBox *box)
{
    CN_ASSERT(scratch, "%s: scratch is NULL", __func__);
    CN_ASSERT(around, "%s: around is NULL", __func__);
    CN_ASSERT(box, "%s: box is NULL", __func__);
    CniVoxelLightSky sky = cni_voxel_light_sky(columns, 16 * (around->position.y - 1));
    bool glows = any_glows(around);
    bool open = sky.highest <= CNI_VOXEL_LIGHT_FIRST;
    bool dark = sky.lowest > CNI_VOXEL_LIGHT_LAST + REACH;
    if (!glows && (open || dark)) {
        fill_box(box, open ? CNI_VOXEL_LIGHT_FULL << 4 : 0);
        return;
    }
    /* Sky light ends at its reach below the lowest open cell and is full above the highest
     * ground. */
    int32_t lowest = sky.lowest - REACH, highest = sky.highest - 1;
    int32_t first_layer = glows || lowest < 0 ? 0 : lowest / 16;
    int32_t last_layer = glows || highest >= 32 ? 2 : highest / 16;
    cni_voxel_light_gather(scratch, around, first_layer, last_layer);
    /* Inside a mountain, once all rows of the box that light could reach have been gathered. */
    if (!glows && last_layer == 2 && !lets_light_in(scratch, first_layer, last_layer)) {
        fill_box(box, 0);
        return;
    }
    if (open || dark)
        memset(scratch->levels[CNI_VOXEL_LIGHT_SKY], open ? 0xFF : 0, sizeof(CniVoxelLightLevels));
    else
        cni_voxel_light_propagate_sky(scratch, &sky);
    if (glows)
        cni_voxel_light_propagate_blocks(scratch);
    else
        memset(scratch->levels[CNI_VOXEL_LIGHT_BLOCK], 0, sizeof(CniVoxelLightLevels));
    cni_voxel_light_write_cells(scratch, box);
    box->uniform = memcmp(box->cells, box->cells + 1, sizeof box->cells - 1) == 0;
}

uint64_t cn_light_box_hash(const CnLightBox *box)
{
    CN_ASSERT(box, "%s: box is NULL", __func__);
    return cn_hash_bytes(box->cells, sizeof box->cells, 0);
}
