/* Paths of creatures: a bounded number in each tick, in the order of their tickets. */
#include "creature_internal.h"

#define MARGIN 8    /* blocks around start and goal that a path may use */
#define FARTHEST 40 /* blocks from the start that are looked at */
#define MAX_NODES 640u

typedef struct CraftySearch {
    CraftyActor *actor;
    CraftyPathDesc desc;
    CraftyPathResult result;
    CraftyPath path;
} CraftySearch;

size_t crafty_creature_search_bytes(void)
{
    return CRAFTY_SEARCHES_PER_TICK * sizeof(CraftySearch);
}

/* ---- Choosing ---- */

static void give_tickets(CnWorld *world, CraftyCreatureWork *work)
{
    CraftyCreatureRules *state = NULL;
    for (uint32_t i = 0; i < work->actor_count; i++)
        if (work->actors[i].did & CRAFTY_DID_ASK) {
            state = state ? state : cn_resource_mut(world, CraftyCreatureRules);
            work->actors[i].walk->ticket = ++state->tickets;
        }
}

/* Those with the oldest tickets, in this order; of equal ones, as in a manipulated save, the first
 * in the list. */
static uint32_t choose(CraftyCreatureWork *work)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < work->actor_count; i++) {
        CraftyActor *actor = &work->actors[i];
        if (!actor->waits || actor->is_dead)
            continue;
        uint32_t at = count < CRAFTY_SEARCHES_PER_TICK ? count++ : CRAFTY_SEARCHES_PER_TICK;
        for (; at > 0 && work->searches[at - 1].actor->walk->ticket > actor->walk->ticket; at--)
            if (at < CRAFTY_SEARCHES_PER_TICK)
                work->searches[at].actor = work->searches[at - 1].actor;
        if (at < CRAFTY_SEARCHES_PER_TICK)
            work->searches[at].actor = actor;
    }
    return count;
}

static CraftyPathBody body_of(const CraftyActor *actor)
{
    float scale = crafty_creature_scale(actor->kind, actor->creature);
    return (CraftyPathBody){.width = actor->kind->width * scale,
                            .height = actor->kind->height * scale,
                            .opens_doors = actor->kind->opens_doors,
                            .climbs = actor->kind->opens_doors,
                            .swims_only = actor->kind->medium == CRAFTY_MEDIUM_WATER,
                            .flies = actor->kind->medium == CRAFTY_MEDIUM_AIR};
}

static void describe(CraftySearch *search)
{
    const CraftyWalk *walk = search->actor->walk;
    CnVec3 at = search->actor->transform->position;
    float aside = crafty_path_middle(body_of(search->actor).width) - 0.5f;
    search->desc = (CraftyPathDesc){
        .start = crafty_cell_of(cn_vec3(at.x - aside, at.y + 0.1f, at.z - aside)),
        .goal = {walk->goal[0], walk->goal[1], walk->goal[2]},
        .body = body_of(search->actor),
        .costs = {.water = search->actor->kind->spawn.habitat == CRAFTY_HABITAT_SHORE ? 1 : 0},
        .max_nodes = MAX_NODES,
        .near = walk->near};
}

static int32_t clamped(int32_t value, int32_t middle)
{
    return value < middle - FARTHEST   ? middle - FARTHEST
           : value > middle + FARTHEST ? middle + FARTHEST
                                       : value;
}

static bool add_blocks(CraftyCreatureWork *work, const CraftyPathDesc *desc)
{
    const int32_t from[3] = {desc->start.x, desc->start.y, desc->start.z};
    const int32_t to[3] = {desc->goal.x, desc->goal.y, desc->goal.z};
    int32_t low[3], high[3];
    for (int i = 0; i < 3; i++) {
        int32_t end = clamped(to[i], from[i]);
        low[i] = ((from[i] < end ? from[i] : end) - MARGIN) >> 4;
        high[i] = ((from[i] < end ? end : from[i]) + MARGIN) >> 4;
    }
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++)
                if (!crafty_window_add(&work->window, (CnChunkPos){x, y, z}))
                    return false;
    return true;
}

/* ---- Searching ---- */

/* A creature at an edge stands on the block beside its cell. */
static void find_start(const CraftyPathWorld *world, CraftyPathDesc *desc)
{
    static const int32_t around[9][2] = {{0, 0}, {1, 0},  {-1, 0}, {0, 1},  {0, -1},
                                         {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    CnCell start = desc->start;
    for (int32_t down = 0; down <= 1; down++)
        for (int i = 0; i < 9; i++) {
            CnCell cell = {start.x + around[i][0], start.y - down, start.z + around[i][1]};
            if (!crafty_path_can_stand(world, &desc->body, cell))
                continue;
            desc->start = cell;
            return;
        }
}

static void search_range(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    CraftyCreatureWork *work = data;
    CraftyWindowView view = crafty_window_view(&work->window);
    CraftyPathWorld world = {.blocks = crafty_window_reader(&view), .traits = work->traits};
    for (uint32_t i = begin; i < end; i++) {
        CraftySearch *search = &work->searches[i];
        find_start(&world, &search->desc);
        search->result =
            crafty_path_find(work->scratches[lane], &world, &search->desc, &search->path);
    }
}

static void store(CraftySearch *search)
{
    CraftyWalk *walk = search->actor->walk;
    const CraftyPath *path = &search->path;
    CnCell origin = search->desc.start;
    walk->ticks = 0;
    walk->index = walk->count = 0;
    if (search->result == CRAFTY_PATH_NONE || search->result == CRAFTY_PATH_NO_START) {
        walk->status = CRAFTY_WALK_FAILED;
        return;
    }
    walk->status = CRAFTY_WALK_FOLLOWING;
    walk->origin[0] = origin.x;
    walk->origin[1] = origin.y;
    walk->origin[2] = origin.z;
    for (; walk->count < path->count && walk->count < CRAFTY_WALK_CELLS; walk->count++) {
        CnCell cell = path->cells[walk->count];
        walk->cells[3 * walk->count] = (int8_t)(cell.x - origin.x);
        walk->cells[3 * walk->count + 1] = (int8_t)(cell.y - origin.y);
        walk->cells[3 * walk->count + 2] = (int8_t)(cell.z - origin.z);
    }
}

/* One scratch memory for each lane, made once. */
static bool prepare(CraftyCreatureWork *work, CnJobPool *jobs)
{
    uint32_t lanes = 1 + (jobs ? cn_job_pool_workers(jobs) : 0);
    if (!work->searches)
        work->searches = cn_alloc_zeroed(work->allocator, crafty_creature_search_bytes());
    if (!work->searches)
        return false;
    if (lanes > work->scratch_count) {
        CraftyPathScratch **list = cn_alloc_zeroed(work->allocator, lanes * sizeof *list);
        if (!list)
            return false;
        for (uint32_t i = 0; i < work->scratch_count; i++)
            list[i] = work->scratches[i];
        cn_free(work->allocator, work->scratches, work->scratch_count * sizeof *list);
        work->scratches = list;
        work->scratch_count = lanes;
    }
    for (uint32_t i = 0; i < lanes; i++)
        if (!work->scratches[i] &&
            !(work->scratches[i] = crafty_path_scratch_create(work->allocator, NULL)))
            return false;
    return true;
}

static bool is_waiting(const CraftyCreatureWork *work)
{
    for (uint32_t i = 0; i < work->actor_count; i++)
        if (work->actors[i].waits)
            return true;
    return false;
}

/* Without memory, creatures wait. */
void crafty_creature_search(CnWorld *world, CraftyCreatureWork *work, CnJobPool *jobs)
{
    give_tickets(world, work);
    if (!is_waiting(work) || !prepare(work, jobs))
        return;
    uint32_t count = choose(work);
    for (uint32_t i = 0; i < count; i++) {
        describe(&work->searches[i]);
        if (!add_blocks(work, &work->searches[i].desc))
            return;
    }
    cn_job_parallel_for(jobs, count, 1, search_range, work);
    for (uint32_t i = 0; i < count; i++)
        store(&work->searches[i]);
}
