/*
 * Erosion of arbitrary columns. Windows are simulated when first needed and cached; the least
 * recently used one is evicted. Caching does not affect the result.
 */
#include "voxel/generate/erosion.h"

#include <cairn/base/math.h>

#include <pthread.h>
#include <string.h>

#define WAYS 8u /* slots of a cache set */
#define MAX_SETS 512u
#define BLOCK 16u /* columns processed together in each direction */
/* Cells read by a block of columns at steps of up to 16 blocks: four around each column. */
#define MAX_STEP 16
#define PATCH ((int)(BLOCK - 1) * MAX_STEP / CNI_VOXEL_EROSION_CELL + 5)

typedef enum SlotState {
    SLOT_EMPTY,
    SLOT_BUSY, /* being computed by a thread; others wait */
    SLOT_READY
} SlotState;

typedef struct Slot {
    CniVoxelWindowPos position;
    SlotState state;
    uint32_t readers; /* cannot be evicted while not 0 */
    uint64_t used;    /* time of last use */
} Slot;

struct CniVoxelErosion {
    CnAllocator *allocator;
    const CnGenerator *generator;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t clock; /* counts uses */
    uint32_t set_count;
    int16_t (*changes)[CNI_VOXEL_EROSION_CELLS]; /* one per slot */
    Slot slots[];
};

static size_t erosion_bytes(uint32_t sets)
{
    return sizeof(CniVoxelErosion) + sets * WAYS * sizeof(Slot);
}

static size_t changes_bytes(uint32_t sets)
{
    return sets * WAYS * sizeof(int16_t[CNI_VOXEL_EROSION_CELLS]);
}

CniVoxelErosion *cni_voxel_erosion_create(CnAllocator *allocator, const CnGenerator *generator,
                                          uint64_t cache_bytes)
{
    uint64_t fits = cache_bytes / changes_bytes(1);
    uint32_t sets = fits < 1 ? 1 : fits > MAX_SETS ? MAX_SETS : (uint32_t)fits;
    CniVoxelErosion *erosion = cn_alloc_zeroed(allocator, erosion_bytes(sets));
    if (!erosion)
        return NULL;
    erosion->allocator = allocator;
    erosion->generator = generator;
    erosion->set_count = sets;
    pthread_mutex_init(&erosion->lock, NULL);
    pthread_cond_init(&erosion->changed, NULL);
    /* Allocated at once: nothing can fail later, and untouched pages cost nothing. */
    erosion->changes = cn_alloc(allocator, changes_bytes(sets));
    if (!erosion->changes) {
        cni_voxel_erosion_destroy(erosion);
        return NULL;
    }
    return erosion;
}

void cni_voxel_erosion_destroy(CniVoxelErosion *erosion)
{
    if (!erosion)
        return;
    cn_free(erosion->allocator, erosion->changes, changes_bytes(erosion->set_count));
    pthread_cond_destroy(&erosion->changed);
    pthread_mutex_destroy(&erosion->lock);
    cn_free(erosion->allocator, erosion, erosion_bytes(erosion->set_count));
}

/* ---- Cache. Functions ending in _locked require the lock. ---- */

static Slot *set_of(CniVoxelErosion *erosion, CniVoxelWindowPos position)
{
    uint64_t hash = cni_voxel_position_hash(0, 0, position.x, 0, position.z);
    return &erosion->slots[WAYS * (hash % erosion->set_count)];
}

static Slot *find_locked(Slot *set, CniVoxelWindowPos position)
{
    for (Slot *slot = set; slot < set + WAYS; slot++)
        if (slot->state != SLOT_EMPTY && slot->position.x == position.x &&
            slot->position.z == position.z)
            return slot;
    return NULL;
}

/* Returns an empty slot or the least recently used one; NULL if all are in use. */
static Slot *make_room_locked(Slot *set)
{
    Slot *oldest = NULL;
    for (Slot *slot = set; slot < set + WAYS; slot++) {
        if (slot->state == SLOT_EMPTY)
            return slot;
        if (slot->state == SLOT_READY && slot->readers == 0 &&
            (!oldest || slot->used < oldest->used))
            oldest = slot;
    }
    return oldest;
}

static void fill(CniVoxelErosion *erosion, Slot *slot)
{
    float heights[CNI_VOXEL_EROSION_CELLS];
    CnColumnGrid grid = {
        slot->position.x * CNI_VOXEL_EROSION_STRIDE * CNI_VOXEL_EROSION_CELL,
        slot->position.z * CNI_VOXEL_EROSION_STRIDE * CNI_VOXEL_EROSION_CELL,
        CNI_VOXEL_EROSION_CELL,
        CNI_VOXEL_EROSION_SIZE,
    };
    cni_voxel_terrain_base(erosion->generator, &grid, heights);
    cni_voxel_erosion_run(cn_generator_seed(erosion->generator), slot->position, heights,
                          erosion->changes[slot - erosion->slots]);
}

/* Returns the window, which stays cached until it is released. */
static Slot *acquire(CniVoxelErosion *erosion, CniVoxelWindowPos position)
{
    Slot *set = set_of(erosion, position), *slot;
    pthread_mutex_lock(&erosion->lock);
    for (;;) {
        slot = find_locked(set, position);
        if (slot && slot->state == SLOT_READY)
            break;
        if (!slot && (slot = make_room_locked(set))) {
            slot->position = position;
            slot->state = SLOT_BUSY;
            pthread_mutex_unlock(&erosion->lock);
            fill(erosion, slot);
            pthread_mutex_lock(&erosion->lock);
            slot->state = SLOT_READY;
            pthread_cond_broadcast(&erosion->changed);
            break;
        }
        pthread_cond_wait(&erosion->changed, &erosion->lock);
    }
    slot->readers++;
    slot->used = ++erosion->clock;
    pthread_mutex_unlock(&erosion->lock);
    return slot;
}

static void release(CniVoxelErosion *erosion, Slot *slot)
{
    pthread_mutex_lock(&erosion->lock);
    if (--slot->readers == 0)
        pthread_cond_broadcast(&erosion->changed);
    pthread_mutex_unlock(&erosion->lock);
}

/* ---- Blending ---- */

/* Returns the weight of the n-th cell of a window; the window one stride earlier has 1 minus that
 * weight. */
static float weight_of(int32_t n)
{
    float u = ((float)n + 0.5f) * (1.0f / CNI_VOXEL_EROSION_STRIDE);
    u = u < 1 ? u : 2 - u;
    return u * u * u * (u * (u * 6 - 15) + 10);
}

typedef struct Patch {
    int32_t x, z; /* first cell */
    int32_t width, depth;
    float cells[PATCH * PATCH];
} Patch;

static void add_window(CniVoxelErosion *erosion, CniVoxelWindowPos position, Patch *patch)
{
    int32_t base_x = position.x * CNI_VOXEL_EROSION_STRIDE,
            base_z = position.z * CNI_VOXEL_EROSION_STRIDE;
    int32_t x0 = patch->x > base_x ? patch->x : base_x;
    int32_t z0 = patch->z > base_z ? patch->z : base_z;
    int32_t x1 = patch->x + patch->width, z1 = patch->z + patch->depth;
    x1 = x1 < base_x + CNI_VOXEL_EROSION_SIZE ? x1 : base_x + CNI_VOXEL_EROSION_SIZE;
    z1 = z1 < base_z + CNI_VOXEL_EROSION_SIZE ? z1 : base_z + CNI_VOXEL_EROSION_SIZE;
    Slot *slot = acquire(erosion, position);
    const int16_t *changes = erosion->changes[slot - erosion->slots];
    for (int32_t z = z0; z < z1; z++) {
        const int16_t *change = changes + CNI_VOXEL_EROSION_SIZE * (z - base_z) - base_x;
        float *cells = patch->cells + patch->width * (z - patch->z) - patch->x;
        float row = weight_of(z - base_z) * CNI_VOXEL_EROSION_UNIT;
        for (int32_t x = x0; x < x1; x++)
            cells[x] += (float)change[x] * (weight_of(x - base_x) * row);
    }
    release(erosion, slot);
}

/* Adds windows in order of position regardless of the request, because float sums depend on the
 * order. */
static void fill_patch(CniVoxelErosion *erosion, Patch *patch)
{
    memset(patch->cells, 0, (size_t)(patch->width * patch->depth) * sizeof(float));
    int32_t x1 = (patch->x + patch->width - 1) >> 6, z1 = (patch->z + patch->depth - 1) >> 6;
    CN_STATIC_ASSERT(CNI_VOXEL_EROSION_STRIDE == 1 << 6, "shifts above");
    for (int32_t z = (patch->z >> 6) - 1; z <= z1; z++)
        for (int32_t x = (patch->x >> 6) - 1; x <= x1; x++)
            add_window(erosion, (CniVoxelWindowPos){x, z}, patch);
}

/* Catmull-Rom curve through the second and third of four points. */
static void curve_weights(int32_t block, float weights[4])
{
    float t = (float)(block & (CNI_VOXEL_EROSION_CELL - 1)) * (1.0f / CNI_VOXEL_EROSION_CELL);
    weights[0] = 0.5f * t * (t * (2 - t) - 1);
    weights[1] = 0.5f * (t * t * (3 * t - 5) + 2);
    weights[2] = 0.5f * t * (t * (4 - 3 * t) + 1);
    weights[3] = 0.5f * t * t * (t - 1);
}

/* Processes `count` columns in each direction from column i, k of the grid. */
static void add_block(CniVoxelErosion *erosion, const CnColumnGrid *grid, uint32_t i, uint32_t k,
                      uint32_t width, uint32_t depth, float *heights)
{
    int32_t x = grid->x + (int32_t)i * grid->step, z = grid->z + (int32_t)k * grid->step;
    int32_t x_end = x + (int32_t)(width - 1) * grid->step;
    int32_t z_end = z + (int32_t)(depth - 1) * grid->step;
    Patch patch = {.x = (x >> 2) - 1, .z = (z >> 2) - 1};
    CN_STATIC_ASSERT(CNI_VOXEL_EROSION_CELL == 1 << 2, "shifts above");
    patch.width = (x_end >> 2) + 3 - patch.x;
    patch.depth = (z_end >> 2) + 3 - patch.z;
    fill_patch(erosion, &patch);

    float along[BLOCK * PATCH]; /* interpolated along x only */
    for (uint32_t a = 0; a < width; a++) {
        int32_t column = x + (int32_t)a * grid->step;
        float w[4];
        curve_weights(column, w);
        const float *cell = patch.cells + ((column >> 2) - 1 - patch.x);
        for (int32_t row = 0; row < patch.depth; row++, cell += patch.width)
            along[a + BLOCK * (uint32_t)row] =
                (cell[0] * w[0] + cell[1] * w[1]) + (cell[2] * w[2] + cell[3] * w[3]);
    }
    for (uint32_t b = 0; b < depth; b++) {
        int32_t row = z + (int32_t)b * grid->step;
        float w[4];
        curve_weights(row, w);
        const float *cell = along + (size_t)BLOCK * (size_t)((row >> 2) - 1 - patch.z);
        float *out = heights + i + (size_t)grid->count * (k + b);
        for (uint32_t a = 0; a < width; a++)
            out[a] += (cell[a] * w[0] + cell[a + BLOCK] * w[1]) +
                      (cell[a + 2 * BLOCK] * w[2] + cell[a + 3 * BLOCK] * w[3]);
    }
}

void cni_voxel_erosion_add(CniVoxelErosion *erosion, const CnColumnGrid *grid, float *heights)
{
    uint32_t size = grid->step <= MAX_STEP ? BLOCK : 1;
    for (uint32_t k = 0; k < grid->count; k += size) {
        uint32_t depth = grid->count - k < size ? grid->count - k : size;
        for (uint32_t i = 0; i < grid->count; i += size) {
            uint32_t width = grid->count - i < size ? grid->count - i : size;
            add_block(erosion, grid, i, k, width, depth, heights);
        }
    }
}
