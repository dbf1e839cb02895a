/* Whom a tick is about: players, the creatures near them, those that vanish, and their blocks. */
#include "creature_internal.h"

#include "difficulty.h"

#include "../vitals.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define RECENT_TICKS 300u
#define FIRST_SLOTS 256u /* of the grid */

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
    cn_free(allocator, lists->neighbors, lists->capacity * sizeof *lists->neighbors);
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
    lists.neighbors = cn_alloc_zeroed(work->allocator, lists.capacity * sizeof *lists.neighbors);
    lists.table = cn_alloc_zeroed(work->allocator, 2 * lists.capacity * sizeof *lists.table);
    if (!lists.actors || !lists.neighbors || !lists.table) {
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
                          const CraftyCreature *creature, CnVec3 at, float distance,
                          CraftyDifficulty difficulty)
{
    if (!is_valid(at)) /* of a manipulated save */
        return true;
    if (kind->is_hostile && difficulty == CRAFTY_PEACEFUL)
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

/* The columns of a chunk, found once for all of its rows. */
typedef struct Columns {
    const CnEntity *entities;
    CraftyCreature *creatures;
    CraftyBody *bodies;
    CraftyMind *minds;
    CraftyWalk *walks;
    CnTransform *transforms;
} Columns;

static Columns columns_of(const CnChunkView *view)
{
    return (Columns){.entities = view->entities,
                     .creatures = cn_column(view, CraftyCreature),
                     .bodies = cn_column(view, CraftyBody),
                     .minds = cn_column(view, CraftyMind),
                     .walks = cn_column(view, CraftyWalk),
                     .transforms = cn_column(view, CnTransform)};
}

static void add_actor(CraftyCreatureWork *work, const Columns *columns, uint32_t row,
                      const CraftyCreatureKind *kind, float distance)
{
    CraftyCreature *creature = &columns->creatures[row];
    CnVec3 at = columns->transforms[row].position;
    uint32_t hash = crafty_grid_hash(crafty_grid_cell(at.x), crafty_grid_cell(at.z));
    work->grid[hash & (work->grid_slots - 1)]++;
    work->actors[work->actor_count++] = (CraftyActor){.entity = columns->entities[row],
                                                      .kind = kind,
                                                      .creature = creature,
                                                      .body = &columns->bodies[row],
                                                      .mind = &columns->minds[row],
                                                      .walk = &columns->walks[row],
                                                      .transform = &columns->transforms[row],
                                                      .position = at,
                                                      .velocity = columns->bodies[row].velocity,
                                                      .owner = creature->owner,
                                                      .is_adult = creature->growth == 0,
                                                      .loves = creature->love > 0,
                                                      .is_dead = !(creature->health > 0),
                                                      .is_kept = crafty_creature_is_kept(creature),
                                                      .cell_hash = hash,
                                                      .steps = steps_of(work, creature, distance)};
}

static void collect_chunk(CraftyCreatureWork *work, const CnChunkView *view, bool has_room,
                          CraftyDifficulty difficulty)
{
    Columns columns = columns_of(view);
    for (uint32_t i = 0; i < view->count; i++) {
        const CraftyCreature *creature = &columns.creatures[i];
        CnVec3 at = columns.transforms[i].position;
        const CraftyCreatureKind *kind = crafty_creature_kind(work->kinds, creature->kind);
        float distance = distance_to_players(work, at);
        if (!kind)
            continue;
        if (!should_vanish(work, kind, creature, at, distance, difficulty)) {
            if (has_room && distance <= CRAFTY_ACTIVE_DISTANCE * CRAFTY_ACTIVE_DISTANCE)
                add_actor(work, &columns, i, kind, distance);
        } else if (work->removed_count < CRAFTY_REMOVED_PER_TICK) {
            work->removed[work->removed_count++] = view->entities[i];
        }
    }
}

static void collect_actors(CnWorld *world, CraftyCreatureWork *work)
{
    CraftyDifficulty difficulty = crafty_difficulty(world);
    uint32_t count = cn_query_count(work->creatures);
    CnChunkView view;
    bool has_room = reserve(work, count); /* nobody moves without */
    work->actors = work->lists.actors;
    work->actor_count = work->removed_count = 0;
    work->grid_slots = FIRST_SLOTS;
    while (work->grid_slots < count && work->grid_slots < CRAFTY_CREATURE_GRID_SLOTS)
        work->grid_slots *= 2;
    memset(work->grid, 0, work->grid_slots * sizeof *work->grid);
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        collect_chunk(work, &view, has_room, difficulty);
}

/* ---- Finding them ---- */

static void build_table(CraftyCreatureWork *work)
{
    uint32_t mask = 2 * work->lists.capacity - 1;
    memset(work->lists.table, 0, 2 * work->lists.capacity * sizeof *work->lists.table);
    for (uint32_t i = 0; i < work->actor_count; i++) {
        uint32_t slot = (uint32_t)cn_hash_mix(work->actors[i].entity.id) & mask;
        while (work->lists.table[slot])
            slot = (slot + 1) & mask;
        work->lists.table[slot] = i + 1;
    }
}

/* The actors of each slot are counted. In a slot, they keep their order. */
static void build_grid(CraftyCreatureWork *work)
{
    for (uint32_t slot = 0, sum = 0; slot < work->grid_slots; slot++) {
        uint32_t count = work->grid[slot];
        work->grid[slot] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < work->actor_count; i++) {
        const CraftyActor *actor = &work->actors[i];
        uint32_t slot = actor->cell_hash & (work->grid_slots - 1);
        work->lists.neighbors[work->grid[slot]++] = (CraftyNeighbor){.position = actor->position,
                                                                     .cell = actor->cell_hash,
                                                                     .kind = actor->kind->number,
                                                                     .actor = (uint16_t)i};
    }
}

/* ---- Blocks ---- */

/* In the order of the grid, in which those of a chunk follow each other. If blocks cannot be loaded
 * for lack of memory, all stand still. */
static void open_window(CraftyCreatureWork *work, CnVoxels *voxels)
{
    uint64_t last = UINT64_MAX;
    crafty_window_begin(&work->window, voxels);
    for (uint32_t i = 0; i < work->actor_count; i++) {
        CnChunkPos chunk = cn_chunk_of(crafty_cell_of(work->lists.neighbors[i].position));
        uint64_t key = cn_chunk_key(chunk);
        if (key != last && !crafty_window_add_around(&work->window, chunk)) {
            work->actor_count = 0;
            return;
        }
        last = key;
    }
}

void crafty_creature_collect(CnWorld *world, CraftyCreatureWork *work)
{
    collect_actors(world, work);
    if (work->actor_count == 0)
        return;
    build_table(work);
    build_grid(work);
    open_window(work, cn_resource(world, CraftyBlocks)->voxels);
}
