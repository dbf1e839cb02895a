/* Water: the set of awake cells, and the steps. */
#include "voxel/world/water_rules.h"

#include <cairn/base/array.h>
#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>

/* Maximum number of cells woken by a change of one block: itself, six neighbors, those beside the
 * one above, and a source further up with those beside it. */
#define MAX_WOKEN 16u
#define ASLEEP UINT32_MAX

/* The awake cells of a chunk, one bit each. */
typedef struct Chunk {
    uint64_t awake[CN_CHUNK_BLOCKS / 64];
    uint64_t again[CN_CHUNK_BLOCKS / 64]; /* woken since the bit was last cleared */
    uint32_t count;
} Chunk;

typedef struct Awake {
    CnCell cell;
    uint32_t due; /* the step in which it is processed */
} Awake;

/* Sorted by turn, then position, then value. */
typedef struct Item {
    uint32_t turn;
    CnCell cell;
    uint32_t value;
} Item;
typedef CN_ARRAY(Item) Items;

struct CnWater {
    CnAllocator *allocator;
    CnWaterCells cells;
    CnHashMap
        chunks; /* Chunk by cn_chunk_key; chunks without awake cells are removed after each step */
    CN_ARRAY(Awake) awake;
    Items batch, moves, sorted;
    CN_ARRAY(CnCell) centers; /* of the step, sorted by x */
    uint32_t step;
    /* While a block is being set: the cell, and the reserved number of cells to wake. */
    CnCell written;
    CnBlock written_block;
    uint32_t promised; /* 0: no block is being set */
};

CnWater *cn_water_create(CnAllocator *allocator, CnWaterCells cells)
{
    CnWater *water = cn_alloc_zeroed(allocator, sizeof *water);
    if (!water)
        return NULL;
    water->allocator = allocator;
    water->cells = cells;
    cn_hash_map_init(&water->chunks, allocator, sizeof(Chunk));
    cn_array_init(&water->awake, allocator);
    cn_array_init(&water->batch, allocator);
    cn_array_init(&water->moves, allocator);
    cn_array_init(&water->sorted, allocator);
    cn_array_init(&water->centers, allocator);
    return water;
}

void cn_water_destroy(CnWater *water)
{
    if (!water)
        return;
    cn_hash_map_fini(&water->chunks);
    cn_array_fini(&water->awake);
    cn_array_fini(&water->batch);
    cn_array_fini(&water->moves);
    cn_array_fini(&water->sorted);
    cn_array_fini(&water->centers);
    cn_free(water->allocator, water, sizeof *water);
}

/* ---- Waking ---- */

static Chunk *chunk_of(CnWater *water, CnCell cell)
{
    return cn_hash_map_get(&water->chunks, cn_chunk_key(cn_chunk_of(cell)));
}

/* Cells to wake. Only water needs waking: everything else changes only when water moves. */
typedef struct Woken {
    CnCell cells[MAX_WOKEN];
    uint32_t count;
} Woken;

static void find(const CnWater *water, Woken *woken, CnCell cell, CnBlock block)
{
    if (water->cells.table->flags[block] & CN_BLOCK_IS_WATER)
        woken->cells[woken->count++] = cell;
}

static CnBlock block_at(CnWater *water, CnCell cell)
{
    return water->cells.get(water->cells.user, cell);
}

static void find_beside(CnWater *water, Woken *woken, CnCell cell)
{
    for (uint32_t i = 0; i < 4; i++) {
        CnCell side = cni_voxel_water_beside(cell, i);
        find(water, woken, side, block_at(water, side));
    }
}

/* Finds the cells that depend on the content of the cell, which has or gets this block. */
static void find_around(CnWater *water, Woken *woken, CnCell cell, CnBlock block)
{
    CnCell above = cni_voxel_water_above(cell, 1), below = cni_voxel_water_above(cell, -1);
    find(water, woken, cell, block);
    find_beside(water, woken, cell);
    find(water, woken, above, block_at(water, above));
    find(water, woken, below, block_at(water, below));
}

/* Finds the water above the cell, or feeding its sides because of what the cell was or is. Water
 * supported further up is not affected. */
static void find_carried(CnWater *water, Woken *woken, CnCell cell)
{
    for (int32_t i = 1; i <= CNI_VOXEL_WATER_SUPPORT; i++) {
        CnCell above = cni_voxel_water_above(cell, i);
        CnBlock block = block_at(water, above);
        if (i > 1 && block == CN_BLOCK_WATER)
            find(water, woken, above, block);
        if (block == CN_BLOCK_WATER || (i == 1 && cn_water_level(block) > 0))
            find_beside(water, woken, above);
        if (block == CN_BLOCK_WATER || cni_voxel_water_is_solid(water->cells.table, block))
            return;
    }
}

/* Returns false when out of memory; no additional cell is awake then. */
static bool make_room(CnWater *water, const Woken *woken)
{
    uint64_t needed = (uint64_t)water->awake.count + woken->count + water->promised;
    bool room = cn_array_reserve(&water->awake, needed);
    for (uint32_t i = 0; i < woken->count && room; i++)
        room = chunk_of(water, woken->cells[i]) ||
               cn_hash_map_set(&water->chunks, cn_chunk_key(cn_chunk_of(woken->cells[i])), NULL);
    return room;
}

static void wake(CnWater *water, const Woken *woken)
{
    for (uint32_t i = 0; i < woken->count; i++) {
        CnCell cell = woken->cells[i];
        Chunk *chunk = chunk_of(water, cell);
        uint32_t index = cn_chunk_index(cell);
        uint64_t bit = 1ull << index % 64;
        chunk->again[index / 64] |= bit;
        if (chunk->awake[index / 64] & bit)
            continue;
        chunk->awake[index / 64] |= bit;
        chunk->count++;
        water->awake.items[water->awake.count++] = (Awake){cell, water->step + 1};
    }
}

static bool same_cell(CnCell a, CnCell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool cn_water_wake(CnWater *water, CnCell cell)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    CnBlock block = block_at(water, cell);
    if (water->promised && same_cell(water->written, cell) && water->written_block == block)
        return true;
    Woken woken = {.count = 0};
    find_around(water, &woken, cell, block);
    find_carried(water, &woken, cell);
    if (!make_room(water, &woken))
        return false;
    wake(water, &woken);
    return true;
}

/* ---- Sorting ---- */

static bool is_before(const Item *a, const Item *b)
{
    if (a->turn != b->turn)
        return a->turn < b->turn;
    if (a->cell.y != b->cell.y)
        return a->cell.y < b->cell.y;
    if (a->cell.z != b->cell.z)
        return a->cell.z < b->cell.z;
    if (a->cell.x != b->cell.x)
        return a->cell.x < b->cell.x;
    return a->value < b->value;
}

/* Merges two consecutive sorted runs. */
static void merge(const Item *first, const Item *second, const Item *end, Item *to)
{
    const Item *a = first, *b = second;
    while (a < second && b < end)
        *to++ = is_before(b, a) ? *b++ : *a++;
    memcpy(to, a, (size_t)(second - a) * sizeof *a);
    memcpy(to + (second - a), b, (size_t)(end - b) * sizeof *b);
}

/* `spare` has space for as many items; the two are swapped after each round. */
static void sort(Items *items, Items *spare)
{
    uint32_t count = items->count;
    spare->count = count;
    for (uint32_t run = 1; run < count; run *= 2) {
        for (uint32_t i = 0; i < count; i += 2 * run) {
            uint32_t middle = count - i < run ? count : i + run;
            uint32_t end = count - i < 2 * run ? count : i + 2 * run;
            merge(items->items + i, items->items + middle, items->items + end, spare->items + i);
        }
        Items other = *items;
        *items = *spare;
        *spare = other;
    }
}

/* ---- Steps ---- */

static void sort_centers(CnCell *cells, uint32_t count)
{
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t i = gap; i < count; i++) {
            CnCell cell = cells[i];
            uint32_t k = i;
            for (; k >= gap && cells[k - gap].x > cell.x; k -= gap)
                cells[k] = cells[k - gap];
            cells[k] = cell;
        }
    }
}

/* Returns false when out of memory. */
static bool set_centers(CnWater *water, const CnCell *centers, uint32_t count)
{
    if (!cn_array_reserve(&water->centers, count))
        return false;
    if (count > 0)
        memcpy(water->centers.items, centers, count * sizeof *centers);
    water->centers.count = count;
    sort_centers(water->centers.items, count);
    return true;
}

/* The centers that some cell of a chunk is near to. */
typedef struct NearCenters {
    CnChunkPos chunk;
    uint32_t first, end; /* those near along x */
    bool all, none;      /* cells of the chunk are near to one */
} NearCenters;

/* Returns the index of the first center whose x is not less. */
static uint32_t first_center(const CnWater *water, int64_t x)
{
    uint32_t low = 0, high = water->centers.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (water->centers.items[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the greatest or the least distance of a coordinate to those of a chunk. */
static int64_t farthest(int64_t at, int64_t low)
{
    int64_t high = low + CN_CHUNK_SIZE - 1;
    return at - low > high - at ? at - low : high - at;
}

static int64_t nearest(int64_t at, int64_t low)
{
    int64_t high = low + CN_CHUNK_SIZE - 1;
    return at < low ? low - at : at > high ? at - high : 0;
}

static NearCenters centers_near(const CnWater *water, CnChunkPos chunk, int64_t radius)
{
    int64_t x = 16 * (int64_t)chunk.x, y = 16 * (int64_t)chunk.y, z = 16 * (int64_t)chunk.z;
    NearCenters near = {.chunk = chunk,
                        .first = first_center(water, x - radius),
                        .end = first_center(water, x + CN_CHUNK_SIZE + radius),
                        .none = true};
    for (uint32_t i = near.first; i < near.end && !near.all; i++) {
        CnCell at = water->centers.items[i];
        near.none &= nearest(at.y, y) > radius || nearest(at.z, z) > radius;
        near.all = farthest(at.x, x) <= radius && farthest(at.y, y) <= radius &&
                   farthest(at.z, z) <= radius;
    }
    return near;
}

static bool is_near(CnCell a, CnCell b, int64_t radius)
{
    int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y, z = (int64_t)a.z - b.z;
    return x >= -radius && x <= radius && y >= -radius && y <= radius && z >= -radius &&
           z <= radius;
}

static bool is_near_any(const CnWater *water, const NearCenters *near, CnCell cell, int64_t radius)
{
    if (near->all || near->none)
        return near->all;
    for (uint32_t i = near->first; i < near->end; i++) {
        if (is_near(cell, water->centers.items[i], radius))
            return true;
    }
    return false;
}

static bool is_of(const NearCenters *near, CnChunkPos chunk)
{
    return near->chunk.x == chunk.x && near->chunk.y == chunk.y && near->chunk.z == chunk.z;
}

/* Selects the cells to process. Returns false when out of memory. */
static bool choose(CnWater *water, const CnCell *centers, uint32_t center_count, uint32_t radius,
                   uint32_t budget)
{
    uint32_t all = water->awake.count;
    cn_array_clear(&water->batch);
    if (!cn_array_reserve(&water->batch, all) || !cn_array_reserve(&water->moves, all) ||
        !cn_array_reserve(&water->sorted, all) || !set_centers(water, centers, center_count))
        return false;
    NearCenters near = {0};
    for (uint32_t i = 0; i < all; i++) {
        const Awake *awake = &water->awake.items[i];
        CnChunkPos chunk = cn_chunk_of(awake->cell); /* those of a chunk mostly follow each other */
        if (i == 0 || !is_of(&near, chunk))
            near = centers_near(water, chunk, radius);
        if (is_near_any(water, &near, awake->cell, radius))
            water->batch.items[water->batch.count++] = (Item){awake->due, awake->cell, i};
    }
    if (water->batch.count > budget) {
        sort(&water->batch, &water->sorted);
        water->batch.count = budget;
    }
    return true;
}

/* Computes their moves in order of position; of several moves into one cell, the highest comes
 * first. */
static void read_moves(CnWater *water)
{
    cn_array_clear(&water->moves);
    for (uint32_t i = 0; i < water->batch.count; i++) {
        CnCell cell = water->batch.items[i].cell;
        uint32_t index = cn_chunk_index(cell);
        chunk_of(water, cell)->again[index / 64] &= ~(1ull << index % 64);
        CniVoxelWaterMove move;
        if (cni_voxel_water_move(&water->cells, cell, &move))
            water->moves.items[water->moves.count++] =
                (Item){0, move.cell, CNI_VOXEL_WATER_SOURCE - move.level};
    }
    sort(&water->moves, &water->sorted);
}

/* Reserves space before setting the block, so that no change is missed. */
static bool write_move(CnWater *water, CnCell cell, uint32_t level)
{
    CnBlock block = cni_voxel_water_block(level);
    Woken woken = {.count = 0};
    find_around(water, &woken, cell, block);
    if (level == CNI_VOXEL_WATER_SOURCE)
        find_carried(water, &woken, cell);
    if (!make_room(water, &woken))
        return false;
    water->written = cell;
    water->written_block = block;
    water->promised = woken.count;
    water->cells.set(water->cells.user, cell, block);
    water->promised = 0;
    wake(water, &woken);
    return true;
}

/* Returns false when out of memory; the remaining moves are not made. */
static bool write_moves(CnWater *water)
{
    for (uint32_t i = 0; i < water->moves.count; i++) {
        Item move = water->moves.items[i];
        if (i > 0 && same_cell(move.cell, water->moves.items[i - 1].cell))
            continue;
        if (!write_move(water, move.cell, CNI_VOXEL_WATER_SOURCE - move.value))
            return false;
    }
    return true;
}

/* Puts cells to sleep that did nothing and whose surroundings did not change. */
static void put_to_sleep(CnWater *water, bool all_moved)
{
    for (uint32_t i = 0; i < water->batch.count; i++) {
        const Item *item = &water->batch.items[i];
        Awake *awake = &water->awake.items[item->value];
        Chunk *chunk = chunk_of(water, item->cell);
        uint32_t index = cn_chunk_index(item->cell);
        uint64_t bit = 1ull << index % 64;
        awake->due = water->step + 1;
        if ((chunk->again[index / 64] & bit) || !all_moved)
            continue;
        chunk->awake[index / 64] &= ~bit;
        chunk->count--;
        awake->due = ASLEEP;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < water->awake.count; i++) {
        if (water->awake.items[i].due != ASLEEP)
            water->awake.items[kept++] = water->awake.items[i];
    }
    water->awake.count = kept;
    for (uint32_t i = water->chunks.count; i-- > 0;) {
        const Chunk *chunk = cn_hash_map_value(&water->chunks, i);
        if (chunk->count == 0)
            cn_hash_map_remove(&water->chunks, cn_hash_map_key(&water->chunks, i));
    }
}

void cn_water_step(CnWater *water, const CnCell *centers, uint32_t center_count, uint32_t radius,
                   uint32_t budget)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    if (!choose(water, centers, center_count, radius, budget))
        return;
    water->step++;
    read_moves(water);
    put_to_sleep(water, write_moves(water));
}

uint32_t cn_water_awake(const CnWater *water)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    return water->awake.count;
}

/* A sum, so that the order of waking does not matter. */
uint64_t cn_water_hash(const CnWater *water)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    uint64_t hash = 0, key = 0, of_chunk = cn_hash_mix(key + 1);
    for (uint32_t i = 0; i < water->awake.count; i++) {
        const Awake *awake = &water->awake.items[i];
        uint64_t own = cn_chunk_key(cn_chunk_of(awake->cell));
        if (own != key) { /* Cells of a chunk mostly follow each other. */
            key = own;
            of_chunk = cn_hash_mix(key + 1);
        }
        uint64_t of_cell = (uint64_t)cn_chunk_index(awake->cell) << 32;
        hash += cn_hash_mix(of_chunk ^ (of_cell | (water->step + 1 - awake->due)));
    }
    return hash;
}

/* ---- As bytes ---- */

#define HEADER_BYTES 8u /* u32 step, u32 number of cells */
#define CELL_BYTES 16u  /* i32 x, y, z, u32 due */

uint64_t cn_water_bytes(const CnWater *water)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    return HEADER_BYTES + (uint64_t)water->awake.count * CELL_BYTES;
}

/* The bits `again` are not written: they matter only within a step. */
bool cn_water_write(const CnWater *water, CnU8Array *bytes)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    uint32_t count = water->awake.count;
    if (!cn_array_reserve(bytes, bytes->count + HEADER_BYTES + (uint64_t)count * CELL_BYTES))
        return false;
    uint32_t header[2] = {water->step, count};
    memcpy(bytes->items + bytes->count, header, sizeof header);
    bytes->count += HEADER_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        const Awake *awake = &water->awake.items[i];
        uint32_t record[4] = {(uint32_t)awake->cell.x, (uint32_t)awake->cell.y,
                              (uint32_t)awake->cell.z, awake->due};
        memcpy(bytes->items + bytes->count, record, sizeof record);
        bytes->count += CELL_BYTES;
    }
    return true;
}

/* Adds a cell to an automaton with room for it. */
static bool read_cell(CnWater *water, const uint8_t *bytes, CnError *error)
{
    Awake awake = {{(int32_t)cn_load_u32(bytes), (int32_t)cn_load_u32(bytes + 4),
                    (int32_t)cn_load_u32(bytes + 8)},
                   cn_load_u32(bytes + 12)};
    if (!cn_cell_is_in_world(awake.cell) || awake.due > (uint64_t)water->step + 1 ||
        awake.due == ASLEEP)
        return cn_error_set(error, CN_ERROR_FORMAT, "invalid awake water at %d %d %d", awake.cell.x,
                            awake.cell.y, awake.cell.z);
    Chunk *chunk = chunk_of(water, awake.cell);
    if (!chunk) {
        uint64_t key = cn_chunk_key(cn_chunk_of(awake.cell));
        if (!cn_hash_map_set(&water->chunks, key, NULL))
            return cn_error_memory(error, "awake water");
        chunk = chunk_of(water, awake.cell);
    }
    uint32_t index = cn_chunk_index(awake.cell);
    if (chunk->awake[index / 64] & 1ull << index % 64)
        return cn_error_set(error, CN_ERROR_FORMAT, "the water at %d %d %d is awake twice",
                            awake.cell.x, awake.cell.y, awake.cell.z);
    chunk->awake[index / 64] |= 1ull << index % 64;
    chunk->count++;
    water->awake.items[water->awake.count++] = awake;
    return true;
}

static bool read_cells(CnWater *water, const uint8_t *bytes, uint32_t count, CnError *error)
{
    if (!cn_array_reserve(&water->awake, count))
        return cn_error_memory(error, "awake water");
    for (uint32_t i = 0; i < count; i++)
        if (!read_cell(water, bytes + (size_t)i * CELL_BYTES, error))
            return false;
    return true;
}

bool cn_water_read(CnWater *water, const uint8_t *bytes, size_t size, CnError *error)
{
    CN_ASSERT(water, "%s: water is NULL", __func__);
    CN_ASSERT(!water->promised, "water is read between steps");
    if (size < HEADER_BYTES || size - HEADER_BYTES != (uint64_t)cn_load_u32(bytes + 4) * CELL_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the size of the awake water does not match its number of cells");
    CnWater old = *water;
    cn_hash_map_init(&water->chunks, water->allocator, sizeof(Chunk));
    cn_array_init(&water->awake, water->allocator);
    water->step = cn_load_u32(bytes);
    bool is_read = read_cells(water, bytes + HEADER_BYTES, cn_load_u32(bytes + 4), error);
    cn_hash_map_fini(is_read ? &old.chunks : &water->chunks);
    if (is_read) {
        cn_array_fini(&old.awake);
        return true;
    }
    cn_array_fini(&water->awake);
    *water = old;
    return false;
}
