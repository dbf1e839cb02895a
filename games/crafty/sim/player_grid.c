#include "player_grid.h"

#include "hand.h"
#include "player.h"
#include "player_index.h"

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

#define CELL_SHIFT 2 /* cells of 4 blocks: a body fits, and the reach is two cells */
#define MAX_COORDINATE 1e8f

struct CraftyPlayerGrid {
    CnAllocator *allocator;
    CN_ARRAY(CraftyGridPlayer) found;  /* in the order of the query */
    CN_ARRAY(CraftyGridPlayer) sorted; /* by slots, which hold one or more cells */
    CN_ARRAY(uint32_t) starts;         /* of slots in `sorted`, and the end */
    uint32_t mask;
};

CraftyPlayerGrid *crafty_player_grid_create(CnAllocator *allocator)
{
    CraftyPlayerGrid *grid = cn_alloc_zeroed(allocator, sizeof *grid);
    if (!grid)
        return NULL;
    grid->allocator = allocator;
    cn_array_init(&grid->found, allocator);
    cn_array_init(&grid->sorted, allocator);
    cn_array_init(&grid->starts, allocator);
    return grid;
}

void crafty_player_grid_destroy(CraftyPlayerGrid *grid)
{
    if (!grid)
        return;
    cn_array_fini(&grid->found);
    cn_array_fini(&grid->sorted);
    cn_array_fini(&grid->starts);
    cn_free(grid->allocator, grid, sizeof *grid);
}

static int32_t cell_of(float at)
{
    float bounded = at > -MAX_COORDINATE && at < MAX_COORDINATE ? at : 0;
    return (int32_t)cn_floorf(bounded) >> CELL_SHIFT;
}

static uint32_t slot_of(const CraftyPlayerGrid *grid, int32_t x, int32_t z)
{
    return (uint32_t)cn_hash_mix((uint64_t)(uint32_t)x << 32 | (uint32_t)z) & grid->mask;
}

static bool collect(CraftyPlayerGrid *grid, const CnWorld *world, const CnQuery *players)
{
    CnChunkView view;
    uint32_t order = 0;
    cn_array_clear(&grid->found);
    if (!cn_array_reserve(&grid->found, cn_query_count(players)))
        return false;
    for (CnQueryIter it = cn_query_iter(players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++, order++) {
            if (!crafty_player_has_hands(world, view.entities[i]))
                continue;
            CnVec3 eye = cn_column_const(&view, CnTransform)[i].position;
            grid->found.items[grid->found.count++] =
                (CraftyGridPlayer){.entity = view.entities[i],
                                   .number = cn_column_const(&view, CnPlayerActions)[i].player,
                                   .order = order,
                                   .x = cell_of(eye.x),
                                   .z = cell_of(eye.z),
                                   .eye = eye};
        }
    return true;
}

/* Sorts them by slots; in a slot, they keep their order. */
static bool sort(CraftyPlayerGrid *grid)
{
    uint32_t slots = 16;
    while (slots < grid->found.count)
        slots *= 2;
    if (!cn_array_reserve(&grid->starts, slots + 1) ||
        !cn_array_reserve(&grid->sorted, grid->found.count))
        return false;
    uint32_t *starts = grid->starts.items;
    memset(starts, 0, (slots + 1) * sizeof *starts);
    grid->mask = slots - 1;
    for (uint32_t i = 0; i < grid->found.count; i++)
        starts[slot_of(grid, grid->found.items[i].x, grid->found.items[i].z) + 1]++;
    for (uint32_t slot = 0; slot < slots; slot++)
        starts[slot + 1] += starts[slot];
    for (uint32_t i = 0; i < grid->found.count; i++) {
        const CraftyGridPlayer *player = &grid->found.items[i];
        grid->sorted.items[starts[slot_of(grid, player->x, player->z)]++] = *player;
    }
    /* Each start is now that of the next slot. */
    memmove(starts + 1, starts, slots * sizeof *starts);
    starts[0] = 0;
    grid->starts.count = slots + 1;
    grid->sorted.count = grid->found.count;
    return true;
}

const CraftyPlayerGrid *crafty_player_grid(const CnWorld *world, const CnQuery *players)
{
    CraftyPlayerGrid *grid = crafty_player_grid_of(world);
    if (!grid)
        return NULL;
    grid->starts.count = 0;
    if (!collect(grid, world, players) || !sort(grid))
        CN_LOG_ERROR("crafty", "players do not find each other in this tick: out of memory");
    return grid;
}

static void begin_cell(CraftyGridIter *iter)
{
    const CraftyPlayerGrid *grid = iter->grid;
    uint32_t slot = slot_of(grid, iter->x, iter->z);
    iter->at = grid->starts.items[slot];
    iter->end = grid->starts.items[slot + 1];
}

CraftyGridIter crafty_grid_iter(const CraftyPlayerGrid *grid, CnVec3 at, float distance)
{
    CraftyGridIter iter = {.grid = grid,
                           .low_x = cell_of(at.x - distance),
                           .high_x = cell_of(at.x + distance),
                           .z = cell_of(at.z - distance),
                           .high_z = cell_of(at.z + distance)};
    iter.x = iter.low_x;
    if (!grid || !grid->starts.count)
        iter.z = iter.high_z + 1;
    else
        begin_cell(&iter);
    return iter;
}

static bool next_cell(CraftyGridIter *iter)
{
    if (iter->x < iter->high_x) {
        iter->x++;
    } else {
        iter->x = iter->low_x;
        iter->z++;
    }
    if (iter->z > iter->high_z)
        return false;
    begin_cell(iter);
    return true;
}

const CraftyGridPlayer *crafty_grid_next(CraftyGridIter *iter)
{
    if (iter->z > iter->high_z)
        return NULL;
    do {
        while (iter->at < iter->end) {
            const CraftyGridPlayer *player = &iter->grid->sorted.items[iter->at++];
            if (player->x == iter->x && player->z == iter->z)
                return player;
        }
    } while (next_cell(iter));
    return NULL;
}
