/* Converts packed chunks to padded masks: the chunk and the adjacent cells of its neighbors. */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/base/cpu.h>
#include <cairn/voxel/water.h>

#include <string.h>

/* Bits of CniVoxelMeshClass; those of materials equal the block flags. */
CN_STATIC_ASSERT(CN_BLOCK_IS_OPAQUE == 1u << CNI_VOXEL_CLASS_OPAQUE, "flags are classes");
CN_STATIC_ASSERT(CN_BLOCK_IS_SEMI == 1u << CNI_VOXEL_CLASS_SEMI, "flags are classes");
CN_STATIC_ASSERT(CN_BLOCK_IS_WATER == 1u << CNI_VOXEL_CLASS_WATER, "flags are classes");
static inline uint32_t classes_of(const CnBlockTable *table, CnBlock block)
{
    uint32_t flowing = (uint32_t)block - CN_BLOCK_WATER_1 <= CN_BLOCK_WATER_7 - CN_BLOCK_WATER_1;
    return (table->flags[block] & 7u) | flowing << CNI_VOXEL_CLASS_FLOWING;
}

/* For each class, its palette entries: 16 per word, entry 16 w + i is bit i of word w. */
typedef struct Members {
    uint16_t words[CNI_VOXEL_CLASS_COUNT][(1 << CNI_VOXEL_PALETTE_BITS) / 16];
} Members;

static void find_members(const CnChunk *chunk, Members *members)
{
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    for (uint32_t w = 0; w < 1u << chunk->bits; w += 16) {
        /* Four 16-bit words, one per class. */
        uint64_t words = 0;
        for (uint32_t i = w; i < w + 16 && i < chunk->kinds; i++) {
            uint64_t classes = classes_of(chunk->table, palette[i]);
            words |= (classes * 0x0000200040008001u & 0x0001000100010001u) << i % 16;
        }
        for (uint32_t c = 0; c < CNI_VOXEL_CLASS_COUNT; c++)
            members->words[c][w / 16] = (uint16_t)(words >> 16 * c);
    }
}

/* Selects the cells whose index is among 16 members by halving with the bits of the index, lowest
 * first. `planes` has four planes. */
#define PICK(bit, one, zero) (((one) & (bit)) | ((zero) & ~(bit)))
#define FULL(member) ((uint16_t)(0u - (members >> (member)&1u)))
#define PAIR(member) PICK(p0, zero | FULL((member) + 1), zero | FULL(member))
#define QUAD(member) PICK(p1, PAIR((member) + 2), PAIR(member))
#define EIGHT(member) PICK(p2, QUAD((member) + 4), QUAD(member))

/* Finds the cells of a class, 16 words at a time. `planes` are `stride` words apart; planes from
 * `bits` up are not read. */
CN_SIMD_DISPATCH(rows_of_members,
                 (const uint16_t *restrict all_members, const uint16_t *restrict planes,
                  uint32_t bits, uint32_t words, uint16_t *restrict rows),
                 (all_members, planes, bits, words, rows))
{
    for (uint32_t w = 0; w < words; w += 16) {
        const uint16_t *at = planes + w;
        CniVoxelRowVector zero = {0}, found = zero;
        CniVoxelRowVector p0 = *(const CniVoxelRowVector *)at;
        CniVoxelRowVector p1 = bits > 1 ? *(const CniVoxelRowVector *)(at + words) : zero;
        CniVoxelRowVector p2 = bits > 2 ? *(const CniVoxelRowVector *)(at + 2 * words) : zero;
        CniVoxelRowVector p3 = bits > 3 ? *(const CniVoxelRowVector *)(at + 3 * words) : zero;
        for (uint32_t high = 0; high << 4 < 1u << bits; high++) {
            uint32_t members = all_members[high];
            if (!members)
                continue;
            CniVoxelRowVector cells = bits > 3   ? PICK(p3, EIGHT(8), EIGHT(0))
                                      : bits > 2 ? EIGHT(0)
                                      : bits > 1 ? QUAD(0)
                                                 : PAIR(0);
            for (uint32_t b = 4; b < bits; b++)
                cells &= *(const CniVoxelRowVector *)(at + b * words) ^
                         (uint16_t)((high >> (b - 4) & 1) - 1);
            found |= cells;
        }
        *(CniVoxelRowVector *)(rows + w) = found;
    }
}

/* The words of a neighbor that touch the chunk, and their destination. */
typedef struct Touch {
    uint32_t from_y, from_z, to_y, to_z, count_y, count_z;
    int dx;
} Touch;

static Touch touch_of(uint32_t neighbor)
{
    int dx = (int)(neighbor % 3) - 1, dy = (int)(neighbor / 3 % 3) - 1,
        dz = (int)(neighbor / 9) - 1;
    return (Touch){
        .from_y = dy < 0 ? 15 : 0,
        .from_z = dz < 0 ? 15 : 0,
        .to_y = dy < 0   ? 0
                : dy > 0 ? CN_CHUNK_PADDED_SIZE - 1
                         : 1,
        .to_z = dz < 0   ? 0
                : dz > 0 ? CN_CHUNK_PADDED_SIZE - 1
                         : 1,
        .count_y = dy ? 1 : 16,
        .count_z = dz ? 1 : 16,
        .dx = dx,
    };
}

/* Copies the touching words of all planes, 16 words apart. */
static void copy_words(const CnChunk *chunk, const Touch *touch,
                       uint16_t words[CNI_VOXEL_PALETTE_BITS * 16])
{
    for (uint32_t b = 0; b < chunk->bits; b++) {
        const uint16_t *plane = chunk->planes[b] + touch->from_y + 16 * touch->from_z;
        if (touch->count_y == 16) {
            memcpy(words + 16 * b, plane, 16 * sizeof *words);
            continue;
        }
        for (uint32_t i = 0; i < touch->count_z; i++)
            words[16 * b + i] = plane[16 * i];
    }
}

/* Adds 16 rows of each z: shifted up by `up`, masked by `mask`, and shifted down by `down`. */
CN_SIMD_DISPATCH(add_layers,
                 (const uint16_t *restrict rows, uint32_t count_z, uint32_t mask, uint32_t up,
                  uint32_t down, uint32_t *restrict to),
                 (rows, count_z, mask, up, down, to))
{
    for (uint32_t z = 0; z < count_z; z++) {
        CniVoxelWideRowVector wide =
            __builtin_convertvector(*(const CniVoxelRowVector *)(rows + 16 * z),
                                    CniVoxelWideRowVector) &
            mask;
        *(CniVoxelWideRowVector *)(to + CN_CHUNK_PADDED_SIZE * z) |= wide << up >> down;
    }
}

static void add_rows(const Touch *touch, const uint16_t *rows, uint32_t *box)
{
    uint32_t *to = box + touch->to_y + CN_CHUNK_PADDED_SIZE * touch->to_z;
    uint32_t mask = touch->dx > 0 ? 1 : 0xFFFF, up = touch->dx > 0 ? 17 : touch->dx == 0,
             down = touch->dx < 0 ? 15 : 0;
    if (touch->count_y == 16) {
        add_layers(rows, touch->count_z, mask, up, down, to);
        return;
    }
    for (uint32_t z = 0; z < touch->count_z; z++)
        to[CN_CHUNK_PADDED_SIZE * z] |= (rows[z] & mask) << up >> down;
}

/* Chunks without a palette: block by block. */
static void plain_rows(const CnChunk *chunk, const Touch *touch, CniVoxelMeshClass which,
                       uint16_t *rows)
{
    for (uint32_t i = 0; i < touch->count_y * touch->count_z; i++) {
        uint32_t row =
            touch->from_y + i % touch->count_y + 16 * (touch->from_z + i / touch->count_y);
        rows[i] = 0;
        for (uint32_t x = 0; x < 16; x++) {
            CnBlock block = (CnBlock)cni_voxel_chunk_index(chunk, x, row);
            rows[i] |= (uint16_t)((classes_of(chunk->table, block) >> which & 1) << x);
        }
    }
}

static void add_class(CniVoxelMeshClass which, const CnChunk *chunk, const Touch *touch,
                      const Members *members, const uint16_t *planes, uint32_t *box)
{
    uint16_t rows[CNI_VOXEL_CHUNK_ROWS];
    uint32_t words = touch->count_y * touch->count_z;
    if (cni_voxel_chunk_is_plain(chunk)) {
        plain_rows(chunk, touch, which, rows);
    } else {
        uint32_t any = 0;
        for (uint32_t w = 0; w < 1u << chunk->bits; w += 16)
            any |= members->words[which][w / 16];
        if (!any)
            return;
        if (chunk->bits == 0)
            memset(rows, 0xFF, words * sizeof *rows);
        else
            rows_of_members(members->words[which], planes, chunk->bits, words > 16 ? words : 16,
                            rows);
    }
    add_rows(touch, rows, box);
}

static void add_chunk(const CnChunk *chunk, uint32_t neighbor, uint32_t wanted,
                      CniVoxelPaddedMask *boxes)
{
    Touch touch = touch_of(neighbor);
    Members members;
    uint16_t some[CNI_VOXEL_PALETTE_BITS * 16];
    const uint16_t *planes = some;
    if (!cni_voxel_chunk_is_plain(chunk)) {
        find_members(chunk, &members);
        if (touch.count_y * touch.count_z == CNI_VOXEL_CHUNK_ROWS && chunk->bits > 0)
            planes = chunk->planes[0];
        else
            copy_words(chunk, &touch, some);
    }
    for (uint32_t c = 0; c < CNI_VOXEL_CLASS_COUNT; c++) {
        if (wanted >> c & 1)
            add_class((CniVoxelMeshClass)c, chunk, &touch, &members, planes, boxes[c]);
    }
}

/* Bit n: neighbor n shares a face with the chunk, or is the chunk itself. */
#define NEAR_ONES (1u << 13 | 1u << 12 | 1u << 14 | 1u << 10 | 1u << 16 | 1u << 4 | 1u << 22)

static void gather(const CnNeighborhood *around, uint32_t which, uint32_t wanted,
                   CniVoxelPaddedMask *boxes)
{
    for (; which; which &= which - 1) {
        uint32_t neighbor = (uint32_t)__builtin_ctz(which);
        if (around->chunks[neighbor])
            add_chunk(around->chunks[neighbor], neighbor, wanted, boxes);
    }
}

void cni_voxel_padded_masks_gather_near(const CnNeighborhood *around, uint32_t wanted,
                                        CniVoxelPaddedMask *boxes)
{
    for (uint32_t c = 0; c < CNI_VOXEL_CLASS_COUNT; c++) {
        if (wanted >> c & 1)
            memset(boxes[c], 0, sizeof(CniVoxelPaddedMask));
    }
    gather(around, NEAR_ONES, wanted, boxes);
}

void cni_voxel_padded_masks_gather_rest(const CnNeighborhood *around, uint32_t wanted,
                                        CniVoxelPaddedMask *boxes)
{
    gather(around, ((1u << 27) - 1) & ~NEAR_ONES, wanted, boxes);
}
