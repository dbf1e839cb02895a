#include "chat_locate.h"

#include "connection.h"
#include "systems.h"

#include <string.h>

#define COLUMN_STEP 32 /* blocks between the columns that are looked at */
#define TILE_COLUMNS 16u
#define TILE (COLUMN_STEP * (int32_t)TILE_COLUMNS)

/* In each tick, all searches together look at so many tiles, or at one region of villages in every
 * second tick. A tile takes about 15 microseconds; a region 2 milliseconds, at most 26, unless a
 * job has planned it: jobs plan those that follow. */
#define TILES_A_TICK 16u
#define VILLAGE_TICKS 2u

#define BIOME_RINGS ((uint32_t)(CRAFTY_CHAT_LOCATE_RADIUS / TILE))
#define VILLAGE_RINGS ((uint32_t)(CRAFTY_CHAT_VILLAGE_RADIUS / CN_VILLAGE_REGION))

#define MAX_SEARCHES 16u /* that run or wait */

/*
 * sender         the number of a player, or CRAFTY_CONSOLE
 * place          what is searched: see crafty_chat_place_name
 * x, z           where it began
 * ring, at       the tile or region that is next: `at` counts along the ring
 * found, best_*  the nearest place so far, and the square of its distance
 */
CN_STRUCT(CraftySearch, (u32, sender), (bool, found), (u8, place), (i32, x), (i32, z), (u32, ring),
          (u32, at), (i32, best_x), (i32, best_z), (u64, best_distance));
/* A resource: the first of `count` searches runs. */
CN_COMPONENT(CraftySearchQueue, (struct, CraftySearch, searches, MAX_SEARCHES), (u32, count));

/* ---- Geometry ---- */

/* Returns the position of a square along a ring around the middle: 1 square for ring 0, then 8 for
 * each further ring. */
static CnCell square_at(uint32_t ring, uint32_t at)
{
    int32_t r = (int32_t)ring;
    if (ring == 0)
        return (CnCell){0};
    int32_t along = (int32_t)(at % (2 * ring));
    switch (at / (2 * ring)) {
    case 0:
        return (CnCell){.x = along - r, .z = -r};
    case 1:
        return (CnCell){.x = r, .z = along - r};
    case 2:
        return (CnCell){.x = r - along, .z = r};
    default:
        return (CnCell){.x = -r, .z = r - along};
    }
}

static void note(CraftySearch *search, int32_t x, int32_t z)
{
    int64_t dx = (int64_t)x - search->x, dz = (int64_t)z - search->z;
    uint64_t distance = (uint64_t)(dx * dx + dz * dz);
    if (search->found && distance >= search->best_distance)
        return;
    search->found = true;
    search->best_x = x;
    search->best_z = z;
    search->best_distance = distance;
}

/* ---- Looking ---- */

static void look_at_tile(CraftySearch *search, const CraftyBiomes *biomes, CnCell square)
{
    CnColumn columns[TILE_COLUMNS * TILE_COLUMNS];
    CnColumnGrid grid = {.x = search->x + square.x * TILE - TILE / 2,
                         .z = search->z + square.z * TILE - TILE / 2,
                         .step = COLUMN_STEP,
                         .count = TILE_COLUMNS};
    cn_generate_columns(biomes->generator, biomes->scratch, &grid, columns);
    for (uint32_t i = 0; i < CN_COUNT_OF(columns); i++)
        if (columns[i].biome == search->place && !columns[i].underwater)
            note(search, grid.x + (int32_t)(i % TILE_COLUMNS) * COLUMN_STEP,
                 grid.z + (int32_t)(i / TILE_COLUMNS) * COLUMN_STEP);
}

static int32_t region_of(int32_t block)
{
    return block / CN_VILLAGE_REGION - (block % CN_VILLAGE_REGION < 0);
}

static CraftyRegion region_at(const CraftySearch *search, uint32_t ring, uint32_t at)
{
    CnCell square = square_at(ring, at);
    return (CraftyRegion){region_of(search->x) + square.x, region_of(search->z) + square.z};
}

static void look_at_region(CraftySearch *search, const CraftyBiomes *terrain)
{
    CnCell village;
    CraftyRegion region = region_at(search, search->ring, search->at);
    if (cn_generate_village(terrain->generator, terrain->scratch, region.x, region.z, &village))
        note(search, village.x, village.z);
}

/* Plans the regions that come next. This is not part of the state. */
static void prefetch(const CraftySearch *search, CraftyVillagePrefetch *villages)
{
    CraftyRegion next[CRAFTY_PREFETCH_REGIONS];
    uint32_t ring = search->ring, at = search->at;
    for (uint32_t i = 0; i < CN_COUNT_OF(next); i++) {
        next[i] = region_at(search, ring, at);
        if (++at >= (ring ? 8 * ring : 1)) {
            at = 0;
            ring++;
        }
    }
    crafty_village_prefetch(villages, next, CN_COUNT_OF(next));
}

/* Goes on to the next square. Returns false after the last one: nothing in the rings that follow
 * can be nearer than the best place, or they are too far. */
static bool go_on(CraftySearch *search)
{
    bool is_village = search->place == CRAFTY_CHAT_VILLAGE;
    /* Squares of the next ring begin at this distance: a player stands in the middle of the tiles,
     * but anywhere in a region. */
    uint64_t side = is_village ? CN_VILLAGE_REGION : TILE;
    uint64_t reached = side * search->ring + (is_village ? 0 : side / 2);
    if (++search->at < (search->ring ? 8 * search->ring : 1))
        return true;
    search->at = 0;
    search->ring++;
    if (search->found && search->best_distance <= reached * reached)
        return false;
    return search->ring <= (is_village ? VILLAGE_RINGS : BIOME_RINGS);
}

/* ---- The system ---- */

/* Rounded down. */
static uint32_t square_root(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= number)
            root += bit;
    return (uint32_t)root;
}

static void answer(CnWorld *world, uint32_t sender, const CraftySearch *search)
{
    CraftyChatLine line = {.to = sender, .from = sender, .kind = CRAFTY_CHAT_ANSWER};
    const char *name = crafty_chat_place_name(search->place);
    if (search->found) {
        cn_format(line.text, sizeof line.text,
                  "The nearest %s is %u blocks away, at x %d and z %d: /tp %d %d", name,
                  square_root(search->best_distance), search->best_x, search->best_z,
                  search->best_x, search->best_z);
    } else {
        line.kind = CRAFTY_CHAT_ERROR;
        cn_format(line.text, sizeof line.text, "There is no %s within %d blocks.", name,
                  search->place == CRAFTY_CHAT_VILLAGE ? CRAFTY_CHAT_VILLAGE_RADIUS
                                                       : CRAFTY_CHAT_LOCATE_RADIUS);
    }
    crafty_chat_send(world, &line);
}

/* Returns whether the search can go on: states of manipulated saves cannot. */
static bool is_sound(const CraftySearch *search, const CraftyBlocks *blocks)
{
    bool is_village = search->place == CRAFTY_CHAT_VILLAGE;
    return search->place <= CRAFTY_CHAT_VILLAGE &&
           search->ring <= (is_village ? VILLAGE_RINGS : BIOME_RINGS) &&
           search->at < (search->ring ? 8 * search->ring : 1) && search->x >= -CRAFTY_CHAT_MAX_XZ &&
           search->x <= CRAFTY_CHAT_MAX_XZ && search->z >= -CRAFTY_CHAT_MAX_XZ &&
           search->z <= CRAFTY_CHAT_MAX_XZ &&
           (is_village ? blocks->terrain.generator : blocks->biomes.generator) != NULL;
}

/* Looks at some squares. Returns false when the search is over. */
static bool search_some(CraftySearch *search, const CraftyBlocks *blocks, uint64_t tick)
{
    if (search->place == CRAFTY_CHAT_VILLAGE) {
        if (tick % VILLAGE_TICKS)
            return true;
        look_at_region(search, &blocks->terrain);
        if (!go_on(search))
            return false;
        prefetch(search, blocks->villages);
        return true;
    }
    for (uint32_t i = 0; i < TILES_A_TICK; i++) {
        look_at_tile(search, &blocks->biomes, square_at(search->ring, search->at));
        if (!go_on(search))
            return false;
    }
    return true;
}

static void end_first(CraftySearchQueue *queue)
{
    queue->count--;
    memmove(queue->searches, queue->searches + 1, queue->count * sizeof *queue->searches);
    queue->searches[queue->count] = (CraftySearch){0};
}

/* One search goes on in a tick; the others wait, so that many players cost no more than one. */
static void run_searches(CnSystemContext *context)
{
    const CraftyBlocks *blocks = cn_resource(context->world, CraftyBlocks);
    if (cn_resource(context->world, CraftySearchQueue)->count == 0)
        return;
    CraftySearchQueue *queue = cn_resource_mut(context->world, CraftySearchQueue);
    if (queue->count > MAX_SEARCHES || !is_sound(&queue->searches[0], blocks)) {
        *queue = (CraftySearchQueue){0};
        return;
    }
    if (search_some(&queue->searches[0], blocks, cn_resource(context->world, CnTickInfo)->tick))
        return;
    answer(context->world, queue->searches[0].sender, &queue->searches[0]);
    end_first(queue);
}

/* A new search of a sender replaces its old one. Returns false if the queue is full. */
static bool add_search(CraftySearchQueue *queue, const CraftySearch *search)
{
    uint32_t at = 0;
    while (at < queue->count && queue->searches[at].sender != search->sender)
        at++;
    if (at == MAX_SEARCHES)
        return false;
    queue->searches[at] = *search;
    queue->count += at == queue->count;
    return true;
}

void crafty_chat_locate(const CraftyChatRun *run)
{
    const CraftyBlocks *blocks = cn_resource(run->world, CraftyBlocks);
    const CnTransform *transform = cn_get(run->world, run->eye, CnTransform);
    CnVec3 eye = transform ? transform->position : cn_vec3(0, 0, 0);
    CraftySearch search = {.sender = run->sender,
                           .place = (uint8_t)run->parse->words[0].id,
                           .x = (int32_t)cn_floorf(eye.x),
                           .z = (int32_t)cn_floorf(eye.z)};
    if (!is_sound(&search, blocks)) {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "Nothing can be located from here.");
        return;
    }
    if (!add_search(cn_resource_mut(run->world, CraftySearchQueue), &search)) {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD,
                         "Too many players are searching. Try again in a while.");
        return;
    }
    crafty_chat_reply(run, "Searching for the nearest %s ...",
                      crafty_chat_place_name(search.place));
}

bool crafty_chat_locate_add(CnWorld *world, CnError *error)
{
    CnComponentDesc searches = {.type = &cn_type_CraftySearchQueue};
    if (!cn_component_register(world, &searches, error).id)
        return false;
    if (!cn_resource(world, CraftySearchQueue) && !cn_resource_set(world, CraftySearchQueue, {0}))
        return cn_error_memory(error, "the searches");
    CnSystemDesc desc = {
        .name = "CraftyLocate", .run = run_searches, .stage = CN_STAGE_INPUT, .alone = true};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
