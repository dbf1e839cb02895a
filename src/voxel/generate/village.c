/*
 * Finds nearby villages: plans of regions, cached in a table. An evicted plan is computed again
 * with the same result.
 */
#include "voxel/generate/village.h"

#include <cairn/base/assert.h>

#include <pthread.h>
#include <string.h>

typedef enum SlotState {
    SLOT_EMPTY,
    SLOT_BUSY, /* being planned by a thread; others wait */
    SLOT_READY
} SlotState;

typedef struct Slot {
    int32_t region_x, region_z;
    SlotState state;
    CniVoxelVillage village;
} Slot;

#define MIN_SIDE 4u
#define MAX_SIDE 16u

struct CniVoxelVillages {
    CnAllocator *allocator;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t side; /* regions within a square of this edge never evict each other */
    Slot slots[];
};

static size_t villages_bytes(uint32_t side)
{
    return sizeof(CniVoxelVillages) + side * side * sizeof(Slot);
}

CniVoxelVillages *cni_voxel_villages_create(CnAllocator *allocator, uint64_t cache_bytes)
{
    uint32_t side = MAX_SIDE;
    while (side > MIN_SIDE && villages_bytes(side) > cache_bytes)
        side /= 2;
    CniVoxelVillages *villages = cn_alloc_zeroed(allocator, villages_bytes(side));
    if (!villages)
        return NULL;
    villages->allocator = allocator;
    villages->side = side;
    pthread_mutex_init(&villages->lock, NULL);
    pthread_cond_init(&villages->changed, NULL);
    return villages;
}

void cni_voxel_villages_destroy(CniVoxelVillages *villages)
{
    if (!villages)
        return;
    pthread_cond_destroy(&villages->changed);
    pthread_mutex_destroy(&villages->lock);
    cn_free(villages->allocator, villages, villages_bytes(villages->side));
}

/* Returns the plan of a region with the lock held; the caller copies what it needs. */
static const CniVoxelVillage *lock_plan(CnGenerator *generator, CnGenerateScratch *scratch,
                                        int32_t region_x, int32_t region_z)
{
    CniVoxelVillages *villages = cni_voxel_generator_villages(generator);
    uint32_t side = villages->side;
    Slot *slot = &villages->slots[(uint32_t)region_x % side + side * ((uint32_t)region_z % side)];
    pthread_mutex_lock(&villages->lock);
    for (;;) {
        while (slot->state == SLOT_BUSY)
            pthread_cond_wait(&villages->changed, &villages->lock);
        if (slot->state == SLOT_READY && slot->region_x == region_x && slot->region_z == region_z)
            return &slot->village;
        slot->state = SLOT_BUSY;
        slot->region_x = region_x;
        slot->region_z = region_z;
        pthread_mutex_unlock(&villages->lock);
        cni_voxel_village_plan(generator, scratch, region_x, region_z, &slot->village);
        pthread_mutex_lock(&villages->lock);
        slot->state = SLOT_READY;
        pthread_cond_broadcast(&villages->changed);
    }
}

static void unlock_plan(CnGenerator *generator)
{
    pthread_mutex_unlock(&cni_voxel_generator_villages(generator)->lock);
}

static int32_t region_of(int32_t block)
{
    return block / CNI_VOXEL_REGION - (block % CNI_VOXEL_REGION < 0);
}

/* Returns `count` bits (at most 64) of row z of a mask, starting at x; 0 outside of the village. */
static uint64_t mask_bits(const CniVoxelVillage *village, const CniVoxelVillageMask mask, int32_t x,
                          int32_t z, int32_t count)
{
    uint32_t k = (uint32_t)(z - village->z);
    uint64_t bits = 0;
    if (k >= CNI_VOXEL_VILLAGE_SIZE)
        return 0;
    for (int32_t word = 0; word < CNI_VOXEL_VILLAGE_WORDS; word++) {
        int32_t shift = village->x + 32 * word - x;
        if (shift > -32 && shift < 0)
            bits |= (uint64_t)(mask[k][word] >> -shift);
        else if (shift >= 0 && shift < 64)
            bits |= (uint64_t)mask[k][word] << shift;
    }
    return count < 64 ? bits & ((1ull << count) - 1) : bits;
}

static void copy_masks(const CniVoxelVillage *village, int32_t x, int32_t z,
                       CniVoxelVillageNear *near)
{
    for (int32_t k = 0; k < 16; k++) {
        near->paths[k] |= (uint16_t)mask_bits(village, village->paths, x, z + k, 16);
        near->taken[k] |= (uint16_t)mask_bits(village, village->taken, x, z + k, 16);
    }
    for (int32_t k = 0; k < 64; k++)
        near->no_trees[k] |= mask_bits(village, village->no_trees, x - CNI_VOXEL_NEAR_MARGIN,
                                       z - CNI_VOXEL_NEAR_MARGIN + k, 64);
}

static void copy_pieces(const CniVoxelVillage *village, int32_t x, int32_t z,
                        CniVoxelVillageNear *near)
{
    for (uint32_t n = 0; n < village->piece_count; n++) {
        const CniVoxelVillagePiece *piece = &village->pieces[n];
        if (piece->x - 1 >= x + 16 || piece->x + piece->width + 1 <= x || piece->z - 1 >= z + 16 ||
            piece->z + piece->depth + 1 <= z)
            continue;
        CN_ASSERT(near->count < CNI_VOXEL_NEAR_PIECES,
                  "too many village pieces near a chunk column");
        if (near->count < CNI_VOXEL_NEAR_PIECES)
            near->pieces[near->count++] = *piece;
    }
}

bool cni_voxel_village_near(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                            int32_t chunk_z, CniVoxelVillageNear *near)
{
    int32_t x = chunk_x * CN_CHUNK_SIZE, z = chunk_z * CN_CHUNK_SIZE;
    int32_t x0 = x - CNI_VOXEL_NEAR_MARGIN, x1 = x + 15 + CNI_VOXEL_NEAR_MARGIN;
    int32_t z0 = z - CNI_VOXEL_NEAR_MARGIN, z1 = z + 15 + CNI_VOXEL_NEAR_MARGIN;
    bool found = false;
    if (!cni_voxel_generator_villages(generator))
        return false;
    for (int32_t k = region_of(z0); k <= region_of(z1); k++) {
        for (int32_t i = region_of(x0); i <= region_of(x1); i++) {
            const CniVoxelVillage *village = lock_plan(generator, scratch, i, k);
            if (village->exists && village->x <= x1 && village->x + CNI_VOXEL_VILLAGE_SIZE > x0 &&
                village->z <= z1 && village->z + CNI_VOXEL_VILLAGE_SIZE > z0) {
                if (!found)
                    memset(near, 0, sizeof *near);
                found = true;
                copy_masks(village, x, z, near);
                copy_pieces(village, x, z, near);
            }
            unlock_plan(generator);
        }
    }
    return found;
}

static bool covers(const CniVoxelVillage *village, int32_t low_x, int32_t low_z, int32_t high_x,
                   int32_t high_z)
{
    for (int32_t z = low_z; z <= high_z; z++)
        if (mask_bits(village, village->no_trees, low_x, z, high_x - low_x + 1))
            return true;
    return false;
}

bool cni_voxel_village_occupies(CnGenerator *generator, CnGenerateScratch *scratch, int32_t low_x,
                                int32_t low_z, int32_t high_x, int32_t high_z)
{
    CN_ASSERT(high_x - low_x < 64, "masks are read 64 columns at a time");
    bool found = false;
    if (!cni_voxel_generator_villages(generator))
        return false;
    for (int32_t k = region_of(low_z); k <= region_of(high_z); k++)
        for (int32_t i = region_of(low_x); i <= region_of(high_x); i++) {
            const CniVoxelVillage *village = lock_plan(generator, scratch, i, k);
            found = found || (village->exists && covers(village, low_x, low_z, high_x, high_z));
            unlock_plan(generator);
        }
    return found;
}

bool cn_generate_find_village(CnGenerator *generator, CnGenerateScratch *scratch, int32_t x,
                              int32_t z, int32_t radius, CnCell *found)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    int64_t best = (int64_t)radius * radius + 1;
    if (!cni_voxel_generator_villages(generator))
        return false;
    for (int32_t k = region_of(z - radius); k <= region_of(z + radius); k++) {
        for (int32_t i = region_of(x - radius); i <= region_of(x + radius); i++) {
            const CniVoxelVillage *village = lock_plan(generator, scratch, i, k);
            int64_t dx = village->middle.x - (int64_t)x, dz = village->middle.z - (int64_t)z;
            if (village->exists && dx * dx + dz * dz < best) {
                best = dx * dx + dz * dz;
                *found = village->middle;
            }
            unlock_plan(generator);
        }
    }
    return best <= (int64_t)radius * radius;
}

bool cn_generate_village(CnGenerator *generator, CnGenerateScratch *scratch, int32_t region_x,
                         int32_t region_z, CnCell *found)
{
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    if (!cni_voxel_generator_villages(generator))
        return false;
    const CniVoxelVillage *village = lock_plan(generator, scratch, region_x, region_z);
    bool exists = village->exists;
    if (exists)
        *found = village->middle;
    unlock_plan(generator);
    return exists;
}

/* ---- Parts ---- */

/* Returns the cell of a piece as seen from its door: u sideways, v from back to front. */
static CnCell cell_of(const CniVoxelVillagePiece *piece, int32_t u, int32_t y, int32_t v)
{
    int32_t right = piece->width - 1, end = piece->depth - 1;
    int32_t x = u, z = v;
    switch (piece->turn) {
    case 1:
        x = right - u, z = end - v;
        break;
    case 2:
        x = v, z = end - u;
        break;
    case 3:
        x = right - v, z = u;
        break;
    default:
        break;
    }
    return (CnCell){piece->x + x, piece->y + y, piece->z + z};
}

/* Feet stand one above the floor. Houses and towers have a room; the others are solid or open. */
static CnVillagePiece describe(const CniVoxelVillagePiece *piece)
{
    int32_t width = cni_voxel_piece_width(piece), depth = cni_voxel_piece_depth(piece);
    CnVillagePiece out = {
        .kind = piece->kind,
        .low = {piece->x, piece->y, piece->z},
        .high = {piece->x + piece->width - 1, piece->y + piece->height,
                 piece->z + piece->depth - 1},
        .door = cell_of(piece, width / 2, 1, depth),
    };
    out.inside = out.work = out.door;
    switch ((CniVoxelVillagePieceKind)piece->kind) {
    case CNI_VOXEL_PIECE_HOUSE:
        out.inside = cell_of(piece, 2, 1, 2);
        out.work = cell_of(piece, width - 2, 1, 2);
        break;
    case CNI_VOXEL_PIECE_TOWER:
    case CNI_VOXEL_PIECE_STALL:
        out.inside = out.work = cell_of(piece, 2, 1, piece->kind == CNI_VOXEL_PIECE_STALL ? 1 : 2);
        break;
    case CNI_VOXEL_PIECE_LAMP:
        out.lamp = cell_of(piece, 0, 4, 0);
        break;
    default:
        break;
    }
    return out;
}

uint32_t cn_generate_village_pieces(CnGenerator *generator, CnGenerateScratch *scratch,
                                    int32_t region_x, int32_t region_z,
                                    CnVillagePiece pieces[CN_VILLAGE_MAX_PIECES])
{
    CN_STATIC_ASSERT(CN_VILLAGE_MAX_PIECES >= CNI_VOXEL_VILLAGE_PIECES, "all pieces fit");
    CN_STATIC_ASSERT((int)CN_VILLAGE_LAMP == (int)CNI_VOXEL_PIECE_LAMP, "kinds are the same");
    CN_ASSERT(generator, "%s: generator is NULL", __func__);
    if (!cni_voxel_generator_villages(generator))
        return 0;
    const CniVoxelVillage *village = lock_plan(generator, scratch, region_x, region_z);
    uint32_t count = village->exists ? village->piece_count : 0;
    for (uint32_t i = 0; i < count; i++)
        pieces[i] = describe(&village->pieces[i]);
    unlock_plan(generator);
    return count;
}
