#include "mod_area.h"

#include "mod_cost.h"

#include <cairn/base/array.h>
#include <cairn/base/log.h>
#include <cairn/base/math.h>

#define NEAR_RADIUS 4 /* chunks whose blocks have ticks, so that they are generated in any case */
#define NEAR_HEIGHT 2
#define RECENT_CHUNKS 16u
#define FAR_CHUNKS 64u /* that are remembered in a tick */

typedef struct Area {
    CraftyModRun *run;
    bool is_known;
    uint64_t tick;
    CN_ARRAY(CnChunkPos) players;              /* in which they are, each once */
    uint64_t far[CRAFTY_MODS_MAX][FAR_CHUNKS]; /* keys of chunks that a mod has paid for */
    uint32_t far_count[CRAFTY_MODS_MAX];
} Area;

static CnChunkPos chunk_at(CnVec3 at)
{
    const float limit = (float)CN_CELL_LIMIT / 2;
    float x = at.x > -limit && at.x < limit ? at.x : 0,
          y = at.y > -limit && at.y < limit ? at.y : 0,
          z = at.z > -limit && at.z < limit ? at.z : 0;
    return cn_chunk_of(
        (CnCell){(int32_t)cn_floorf(x), (int32_t)cn_floorf(y), (int32_t)cn_floorf(z)});
}

static bool is_chunk(CnChunkPos a, CnChunkPos b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Players in a crowd follow each other in few chunks. When out of memory, mods reach fewer. */
static void add_chunk(Area *area, CnChunkPos at)
{
    for (uint32_t i = area->players.count; i > 0 && area->players.count - i < RECENT_CHUNKS; i--)
        if (is_chunk(area->players.items[i - 1], at))
            return;
    if (!cn_array_push(&area->players, at))
        CN_LOG_ERROR("mods", "a player is left out in this tick: out of memory");
}

static void find_players(Area *area)
{
    CnChunkView view;
    cn_array_clear(&area->players);
    area->is_known = true;
    for (CnQueryIter it = cn_query_iter(area->run->players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CnTransform *transform = cn_get(area->run->world, view.entities[i], CnTransform);
            if (transform)
                add_chunk(area, chunk_at(transform->position));
        }
}

static Area *area_of(const CnLuaCall *call)
{
    CraftyModRun *run = crafty_mod_run(call);
    Area *area = crafty_mod_part(run, &crafty_mod_area_part);
    if (area->tick != run->tick)
        for (uint32_t i = 0; i < CRAFTY_MODS_MAX; i++)
            area->far_count[i] = 0;
    if (area->tick != run->tick || !area->is_known)
        find_players(area);
    area->tick = run->tick;
    return area;
}

static bool is_within(int32_t a, int32_t b, int32_t distance)
{
    return a - b <= distance && b - a <= distance;
}

static bool is_around(const Area *area, CnChunkPos at, int32_t radius, int32_t height)
{
    for (uint32_t i = 0; i < area->players.count; i++)
        if (is_within(at.x, area->players.items[i].x, radius) &&
            is_within(at.z, area->players.items[i].z, radius) &&
            is_within(at.y, area->players.items[i].y, height))
            return true;
    return false;
}

/* A chunk far from players may have to be generated: paid for once in a tick. */
static void charge_far(CnLuaCall *call, Area *area, CnChunkPos at)
{
    uint32_t mod = crafty_mod_of(call)->index, *count = &area->far_count[mod];
    uint64_t key = cn_chunk_key(at);
    for (uint32_t i = 0; i < *count; i++)
        if (area->far[mod][i] == key)
            return;
    if (*count < FAR_CHUNKS)
        area->far[mod][(*count)++] = key;
    cn_lua_charge(call, CRAFTY_MOD_COST_FAR);
}

bool crafty_mod_area_has(CnLuaCall *call, CnCell cell)
{
    Area *area = area_of(call);
    CnChunkPos at = cn_chunk_of(cell);
    cn_lua_charge(call, CRAFTY_MOD_COST_READ);
    if (!is_around(area, at, CRAFTY_MOD_AREA_RADIUS, CRAFTY_MOD_AREA_HEIGHT))
        return false;
    if (!is_around(area, at, NEAR_RADIUS, NEAR_HEIGHT))
        charge_far(call, area, at);
    return true;
}

bool crafty_mod_area_has_column(CnLuaCall *call, int32_t x, int32_t z)
{
    Area *area = area_of(call);
    CnChunkPos at = cn_chunk_of((CnCell){x, 0, z});
    cn_lua_charge(call, CRAFTY_MOD_COST_READ);
    if (!is_around(area, at, CRAFTY_MOD_AREA_RADIUS, CN_CHUNK_LIMIT))
        return false;
    if (!is_around(area, at, NEAR_RADIUS, CN_CHUNK_LIMIT))
        charge_far(call, area, at);
    return true;
}

void crafty_mod_area_changed(const CraftyModRun *run)
{
    Area *area = crafty_mod_part(run, &crafty_mod_area_part);
    area->is_known = false;
}

/* ---- The part, which has no state ---- */

static void *create(CraftyModRun *run, CnError *error)
{
    Area *area = cn_alloc_zeroed(cn_world_allocator(run->world), sizeof *area);
    if (!area) {
        cn_error_memory(error, "the area of mods");
        return NULL;
    }
    area->run = run;
    cn_array_init(&area->players, cn_world_allocator(run->world));
    return area;
}

static void destroy(void *part)
{
    Area *area = part;
    cn_array_fini(&area->players);
    cn_free(cn_world_allocator(area->run->world), area, sizeof *area);
}

static bool save(const void *part, CnU8Array *bytes, CnError *error)
{
    (void)part;
    (void)bytes;
    (void)error;
    return true;
}

static bool restore(void *part, const uint8_t *bytes, size_t size, CnError *error)
{
    Area *area = part;
    (void)bytes;
    (void)size;
    (void)error;
    area->is_known = false;
    area->tick = UINT64_MAX;
    return true;
}

static uint64_t hash(const void *part)
{
    (void)part;
    return 0;
}

const CraftyModPart crafty_mod_area_part = {.name = "area",
                                            .create = create,
                                            .destroy = destroy,
                                            .save = save,
                                            .restore = restore,
                                            .hash = hash};
