/* Whom a tick is about: players, the creatures near them, those that vanish, and their blocks. */
#include "creature_internal.h"

#include "difficulty.h"

#include "../vitals.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define RECENT_TICKS 300u
#define FIRST_SLOTS 256u /* of the grid */
#define RANGE_GRAIN 4u   /* chunks of entities that one thread looks at at a time */

void crafty_creature_collect_players(CnWorld *world, CraftyCreatureWork *work)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CnChunkView view;
    work->watcher_count = 0;
    for (CnQueryIter it = cn_query_iter(work->players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && work->watcher_count < CRAFTY_MAX_PLAYERS; i++) {
            const CraftyPlayer *player = &cn_column_const(&view, CraftyPlayer)[i];
            CnVec3 eye = cn_column_const(&view, CnTransform)[i].position;
            bool is_dead = crafty_player_is_dead(world, view.entities[i]);
            const CraftyStrike *strike = cn_get(world, view.entities[i], CraftyStrike);
            bool is_recent = strike && strike->tick + RECENT_TICKS > work->tick;
            work->watchers[work->watcher_count++] =
                (CraftyWatcher){.entity = view.entities[i],
                                .number = cn_column_const(&view, CnPlayerActions)[i].player,
                                .eye = eye,
                                .feet = cn_vec3(eye.x, eye.y - CRAFTY_PLAYER_EYE, eye.z),
                                .held = crafty_player_held(items, player).item,
                                .is_target = player->mode == CRAFTY_MODE_SURVIVAL && !is_dead,
                                .has_body = player->mode != CRAFTY_MODE_SPECTATOR && !is_dead,
                                .attacked = is_recent ? strike->target : (CnEntity){0}};
        }
}

/* Distance along the ground to the nearest player, squared. */
static float distance_to_players(const CraftyCreatureWork *work, CnVec3 at)
{
    float nearest = 1e18f;
    for (uint32_t i = 0; i < work->watcher_count; i++) {
        float x = work->watchers[i].feet.x - at.x, z = work->watchers[i].feet.z - at.z;
        nearest = x * x + z * z < nearest ? x * x + z * z : nearest;
    }
    return nearest;
}

/* ---- Memory ---- */

static void free_lists(CnAllocator *allocator, CraftyActorLists *lists)
{
    cn_free(allocator, lists->actors, lists->capacity * sizeof *lists->actors);
    cn_free(allocator, lists->found, lists->capacity * sizeof *lists->found);
    cn_free(allocator, lists->neighbors, lists->capacity * sizeof *lists->neighbors);
    cn_free(allocator, lists->ranges, lists->capacity * sizeof *lists->ranges);
    cn_free(allocator, lists->table, 2 * lists->capacity * sizeof *lists->table);
    *lists = (CraftyActorLists){0};
}

static bool reserve(CraftyCreatureWork *work, uint32_t count)
{
    if (count <= work->lists.capacity)
        return true;
    CraftyActorLists lists = {.capacity = FIRST_SLOTS};
    while (lists.capacity < count)
        lists.capacity *= 2;
    lists.actors = cn_alloc_zeroed(work->allocator, lists.capacity * sizeof *lists.actors);
    lists.found = cn_alloc_zeroed(work->allocator, lists.capacity * sizeof *lists.found);
    lists.neighbors = cn_alloc_zeroed(work->allocator, lists.capacity * sizeof *lists.neighbors);
    lists.ranges = cn_alloc_zeroed(work->allocator, lists.capacity * sizeof *lists.ranges);
    lists.table = cn_alloc_zeroed(work->allocator, 2 * lists.capacity * sizeof *lists.table);
    if (!lists.actors || !lists.found || !lists.neighbors || !lists.ranges || !lists.table) {
        free_lists(work->allocator, &lists);
        return false;
    }
    free_lists(work->allocator, &work->lists);
    work->lists = lists;
    return true;
}

void crafty_creature_forget_actors(CraftyCreatureWork *work)
{
    work->actor_count = 0;
    free_lists(work->allocator, &work->lists);
}

/* ---- Vanishing ---- */

static bool is_valid(CnVec3 at)
{
    const float limit = CN_CELL_LIMIT - 64;
    return at.x > -limit && at.x < limit && at.y > -limit && at.y < limit && at.z > -limit &&
           at.z < limit;
}

bool crafty_creature_is_kept(const CraftyCreature *creature)
{
    return creature->owner || creature->label[0];
}

static bool should_vanish(const CraftyCreatureWork *work, const CraftyCreatureKind *kind,
                          const CraftyCreature *creature, CnVec3 at, float distance)
{
    if (!is_valid(at)) /* of a manipulated save */
        return true;
    if (kind->is_hostile && work->difficulty == CRAFTY_PEACEFUL)
        return true;
    return !crafty_creature_is_kept(creature) && work->watcher_count > 0 &&
           distance > CRAFTY_REMOVE_DISTANCE * CRAFTY_REMOVE_DISTANCE;
}

static void forget_column(CraftyCreatureWork *work, CnVec3 at)
{
    int32_t x = (int32_t)cn_floorf(at.x) >> 4, z = (int32_t)cn_floorf(at.z) >> 4;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(work->populated); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CraftyPopulated *region = &cn_column(&view, CraftyPopulated)[i];
            uint32_t bit = (uint32_t)((x & 15) + 16 * (z & 15));
            if (region->x == x >> 4 && region->z == z >> 4)
                region->columns[bit / 64] &= ~(1ull << bit % 64);
        }
}

void crafty_creature_remove_far(CnWorld *world, CraftyCreatureWork *work)
{
    for (uint32_t i = 0; i < work->removed_count; i++) {
        const CnTransform *transform = cn_get(world, work->removed[i], CnTransform);
        if (transform && is_valid(transform->position))
            forget_column(work, transform->position);
        crafty_creature_remove(world, work->removed[i]);
    }
}

/* ---- Actors ---- */

/* Those far away act in every second tick, for two at once; `seed` decides in which. */
static uint8_t steps_of(const CraftyCreatureWork *work, const CraftyCreature *creature,
                        float distance)
{
    if (distance <= CRAFTY_NEAR_DISTANCE * CRAFTY_NEAR_DISTANCE)
        return 1;
    return (work->tick + creature->seed) % 2 == 0 ? 2 : 0;
}

static void fill_actor(CraftyCreatureWork *work, const CraftyActorRange *range, uint32_t row,
                       const CraftyCreatureKind *kind, float distance)
{
    CraftyCreature *creature = &range->creatures[row];
    work->actors[range->first + row] = (CraftyActor){.entity = range->entities[row],
                                                     .kind = kind,
                                                     .creature = creature,
                                                     .body = &range->bodies[row],
                                                     .mind = &range->minds[row],
                                                     .walk = &range->walks[row],
                                                     .transform = &range->transforms[row],
                                                     .position = range->transforms[row].position,
                                                     .velocity = range->bodies[row].velocity,
                                                     .owner = creature->owner,
                                                     .is_adult = creature->growth == 0,
                                                     .loves = creature->love > 0,
                                                     .is_dead = !(creature->health > 0),
                                                     .is_kept = crafty_creature_is_kept(creature),
                                                     .steps = steps_of(work, creature, distance)};
}

/* Those that do not act leave a gap in the list: an actor that does nothing. */
static void fill_row(CraftyCreatureWork *work, const CraftyActorRange *range, uint32_t row)
{
    CraftyNeighbor *found = &work->lists.found[range->first + row];
    CraftyActor *actor = &work->actors[range->first + row];
    const CraftyCreature *creature = &range->creatures[row];
    CnVec3 at = range->transforms[row].position;
    const CraftyCreatureKind *kind = crafty_creature_kind(work->kinds, creature->kind);
    float distance = distance_to_players(work, at);
    bool vanishes = kind && should_vanish(work, kind, creature, at, distance);
    if (kind && !vanishes && distance <= CRAFTY_ACTIVE_DISTANCE * CRAFTY_ACTIVE_DISTANCE) {
        fill_actor(work, range, row, kind, distance);
        *found = (CraftyNeighbor){
            .position = at,
            .cell = crafty_grid_hash(crafty_grid_cell(at.x), crafty_grid_cell(at.z)),
            .kind = kind->number,
            .actor = (uint16_t)(range->first + row)};
        return;
    }
    actor->entity = range->entities[row];
    actor->kind = NULL;
    actor->steps = 0;
    actor->waits = false;
    actor->did = 0;
    *found = (CraftyNeighbor){.cell = vanishes};
}

static void fill_ranges(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    CraftyCreatureWork *work = data;
    (void)lane;
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t row = 0; row < work->lists.ranges[i].count; row++)
            fill_row(work, &work->lists.ranges[i], row);
}

static void collect_actors(CnWorld *world, CraftyCreatureWork *work, CnJobPool *jobs)
{
    uint32_t ranges = 0, count = cn_query_count(work->creatures);
    CnChunkView view;
    work->actor_count = work->removed_count = 0;
    work->difficulty = crafty_difficulty(world);
    if (!reserve(work, count))
        return; /* nobody moves until there is memory */
    work->actors = work->lists.actors;
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);) {
        work->lists.ranges[ranges++] =
            (CraftyActorRange){.first = work->actor_count,
                               .count = view.count,
                               .entities = view.entities,
                               .creatures = cn_column(&view, CraftyCreature),
                               .bodies = cn_column(&view, CraftyBody),
                               .minds = cn_column(&view, CraftyMind),
                               .walks = cn_column(&view, CraftyWalk),
                               .transforms = cn_column(&view, CnTransform)};
        work->actor_count += view.count;
    }
    cn_job_parallel_for(jobs, ranges, RANGE_GRAIN, fill_ranges, work);
}

/* ---- Finding them ---- */

static void add_to_table(CraftyCreatureWork *work, uint32_t index)
{
    uint32_t mask = 2 * work->lists.capacity - 1;
    uint32_t slot = (uint32_t)cn_hash_mix(work->actors[index].entity.id) & mask;
    while (work->lists.table[slot])
        slot = (slot + 1) & mask;
    work->lists.table[slot] = index + 1;
}

/* Counts the neighbors of each slot, and lists those who vanish. */
static void count_found(CraftyCreatureWork *work)
{
    uint32_t mask = work->grid_slots - 1;
    memset(work->grid, 0, work->grid_slots * sizeof *work->grid);
    memset(work->lists.table, 0, 2 * work->lists.capacity * sizeof *work->lists.table);
    for (uint32_t i = 0; i < work->actor_count; i++) {
        const CraftyNeighbor *found = &work->lists.found[i];
        if (found->kind) {
            work->grid[found->cell & mask]++;
            add_to_table(work, i);
        } else if (found->cell && work->removed_count < CRAFTY_REMOVED_PER_TICK) {
            work->removed[work->removed_count++] = work->actors[i].entity;
        }
    }
}

/* Sorts them by slots; in a slot, they keep their order. */
static void build_grid(CraftyCreatureWork *work)
{
    work->grid_slots = FIRST_SLOTS;
    while (work->grid_slots < work->actor_count && work->grid_slots < CRAFTY_CREATURE_GRID_SLOTS)
        work->grid_slots *= 2;
    count_found(work);
    work->neighbor_count = 0;
    for (uint32_t slot = 0; slot < work->grid_slots; slot++) {
        uint32_t count = work->grid[slot];
        work->grid[slot] = work->neighbor_count;
        work->neighbor_count += count;
    }
    for (uint32_t i = 0; i < work->actor_count; i++) {
        const CraftyNeighbor *found = &work->lists.found[i];
        if (found->kind)
            work->lists.neighbors[work->grid[found->cell & (work->grid_slots - 1)]++] = *found;
    }
}

/* ---- Blocks ---- */

/* In the order of the grid, in which those of a chunk follow each other. If blocks cannot be loaded
 * for lack of memory, all stand still. */
static void open_window(CraftyCreatureWork *work, CnVoxels *voxels)
{
    uint64_t last = UINT64_MAX;
    crafty_window_begin(&work->window, voxels);
    for (uint32_t i = 0; i < work->neighbor_count; i++) {
        CnChunkPos chunk = cn_chunk_of(crafty_cell_of(work->lists.neighbors[i].position));
        uint64_t key = cn_chunk_key(chunk);
        if (key != last && !crafty_window_add_around(&work->window, chunk)) {
            work->actor_count = 0;
            return;
        }
        last = key;
    }
}

void crafty_creature_collect(CnWorld *world, CraftyCreatureWork *work, CnJobPool *jobs)
{
    collect_actors(world, work, jobs);
    if (work->actor_count == 0)
        return;
    build_grid(work);
    open_window(work, cn_resource(world, CraftyBlocks)->voxels);
}
