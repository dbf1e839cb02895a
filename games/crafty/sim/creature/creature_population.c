/*
 * Where creatures appear. A column of chunks that comes near a player for the first time gets its
 * first creatures; later, others appear at a distance from all players while there are few. The
 * random numbers depend on the seed, the column and the tick only.
 */
#include "creature_internal.h"

#include "difficulty.h"

#define POPULATE_RADIUS 4 /* columns of chunks around a player */
#define COLUMNS ((2 * POPULATE_RADIUS + 1) * (2 * POPULATE_RADIUS + 1))
#define HOSTILE_TICKS 60u   /* between two attempts for a player */
#define FRIENDLY_TICKS 900u /* and for friendly ones */
#define NEAREST 24.0f       /* blocks from a player at which creatures appear */
#define FARTHEST 52.0f
#define NIGHT_LOSS 11 /* of the light of the sky */
#define TRIES 6u
#define SHORE 6         /* blocks to the water */
#define ABOVE_TERRAIN 1 /* blocks: what players built up that much counts as terrain */

/* ---- Places ---- */

typedef struct Place {
    CnWorld *world;
    CraftyCreatureWork *work;
    CnVoxels *voxels;
    const CraftyCreatureKind *kind;
    CnRandom *random;
} Place;

static uint8_t traits_at(const Place *place, CnCell cell)
{
    return crafty_path_traits_of(place->work->traits, cn_voxels_get(place->voxels, cell));
}

/* Returns the topmost ground, below leaves; water counts. */
static int32_t ground_at(const Place *place, int32_t x, int32_t z)
{
    const CnBlockTable *table = cn_voxels_blocks(place->voxels);
    int32_t y = cn_voxels_height(place->voxels, x, z);
    for (uint32_t i = 0; i < 24; i++, y--) {
        uint8_t flags = table->flags[cn_voxels_get(place->voxels, (CnCell){x, y, z})];
        if (flags & (CN_BLOCK_IS_OPAQUE | CN_BLOCK_IS_WATER))
            break;
    }
    return y;
}

/* Returns whether a block is terrain: animals do not appear on roofs. */
static bool is_terrain(const Place *place, CnCell ground)
{
    CraftyBiomes biomes = cn_resource(place->world, CraftyBlocks)->biomes;
    if (!biomes.generator)
        return true;
    return ground.y <=
           cn_generate_column(biomes.generator, biomes.scratch, ground.x, ground.z).ground +
               ABOVE_TERRAIN;
}

static bool can_stand(const Place *place, CnCell cell)
{
    CraftyPathWorld paths = {.blocks = cn_voxels_reader(place->voxels),
                             .traits = place->work->traits};
    CraftyPathBody body = {.width = place->kind->width,
                           .height = place->kind->height,
                           .flies = place->kind->medium == CRAFTY_MEDIUM_AIR,
                           .swims_only = place->kind->medium == CRAFTY_MEDIUM_WATER};
    return crafty_path_can_stand(&paths, &body, cell);
}

static bool has_light(const Place *place, CnCell cell)
{
    uint8_t light = cn_voxels_light(place->voxels, cell);
    int32_t sky = (light >> 4) - (place->work->is_night ? NIGHT_LOSS : 0), block = light & 15;
    int32_t level = sky > block ? sky : block;
    return level >= place->kind->spawn.light_low && level <= place->kind->spawn.light_high;
}

static bool is_near_water(const Place *place, CnCell cell)
{
    for (int32_t i = 0; i < 16; i++) {
        int32_t x = cell.x + (int32_t)cn_random_range(place->random, -SHORE, SHORE);
        int32_t z = cell.z + (int32_t)cn_random_range(place->random, -SHORE, SHORE);
        for (int32_t down = 0; down <= 2; down++)
            if (traits_at(place, (CnCell){x, cell.y - down, z}) & CRAFTY_PATH_WATER)
                return true;
    }
    return false;
}

/* Looks downwards for a floor in the dark, or for air below rock. */
static bool find_cave(const Place *place, CnCell *cell, int32_t ground)
{
    bool flies = place->kind->medium == CRAFTY_MEDIUM_AIR;
    cell->y = ground - 4 - (int32_t)cn_random_below(place->random, 36);
    for (uint32_t i = 0; i < 12; i++, cell->y--)
        if (!(traits_at(place, *cell) & (CRAFTY_PATH_SOLID | CRAFTY_PATH_WATER)) &&
            (flies || can_stand(place, *cell)))
            return true;
    return false;
}

static bool find_water(const Place *place, CnCell *cell, int32_t ground)
{
    CnCell top = {cell->x, ground, cell->z}, next = {cell->x, ground - 1, cell->z};
    if (!(traits_at(place, top) & CRAFTY_PATH_WATER) ||
        !(traits_at(place, next) & CRAFTY_PATH_WATER))
        return false;
    *cell = next;
    return true;
}

static bool find_flower(const Place *place, CnCell *cell)
{
    int32_t x = cell->x & ~15, z = cell->z & ~15;
    for (uint32_t i = 0; i < 24; i++) {
        CnCell at = {x + (int32_t)cn_random_below(place->random, 16), 0,
                     z + (int32_t)cn_random_below(place->random, 16)};
        at.y = ground_at(place, at.x, at.z) + 1;
        if (crafty_creature_flower(place->work->kinds, cn_voxels_get(place->voxels, at))) {
            *cell = (CnCell){at.x, at.y + 1, at.z};
            return true;
        }
    }
    return false;
}

/* Finds a cell for the kind in the column of blocks of `cell`. */
static bool find_place(const Place *place, CnCell *cell)
{
    int32_t ground = ground_at(place, cell->x, cell->z);
    bool is_wet = traits_at(place, (CnCell){cell->x, ground, cell->z}) & CRAFTY_PATH_WATER;
    CnCell top = {cell->x, ground + 1, cell->z};
    bool is_dry_ground =
        !is_wet && is_terrain(place, (CnCell){cell->x, ground, cell->z}) && can_stand(place, top);
    bool found = false;
    switch (place->kind->spawn.habitat) {
    case CRAFTY_HABITAT_SURFACE:
        *cell = top;
        found = is_dry_ground;
        break;
    case CRAFTY_HABITAT_SHORE:
        *cell = top;
        found = is_wet || (is_dry_ground && is_near_water(place, top));
        break;
    case CRAFTY_HABITAT_FLOWERS:
        found = find_flower(place, cell);
        break;
    case CRAFTY_HABITAT_WATER:
        found = find_water(place, cell, ground);
        break;
    case CRAFTY_HABITAT_CAVE:
        found = find_cave(place, cell, ground);
        break;
    case CRAFTY_HABITAT_DARK:
        *cell = top;
        found = (is_dry_ground && has_light(place, top)) || find_cave(place, cell, ground);
        break;
    case CRAFTY_HABITAT_COUNT:
        break;
    }
    return found && has_light(place, *cell);
}

static bool has_biome(const Place *place, int32_t x, int32_t z)
{
    CraftyBiomes biomes = cn_resource(place->world, CraftyBlocks)->biomes;
    if (!biomes.generator)
        return place->kind->spawn.biomes != 0;
    CnBiome biome = cn_generate_column(biomes.generator, biomes.scratch, x, z).biome;
    return place->kind->spawn.biomes >> biome & 1;
}

/* ---- Groups ---- */

static CnEntity spawn_at(const Place *place, CnCell cell, bool is_young, CnEntity parent)
{
    CnVec3 at = cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.01f, (float)cell.z + 0.5f);
    return crafty_creature_spawn(
        place->world, &(CraftyCreatureDesc){.kind = place->kind->name,
                                            .position = at,
                                            .yaw = cn_random_f32_range(place->random, -180, 180),
                                            .is_young = is_young,
                                            .parent = parent});
}

static void spawn_group(const Place *place, CnCell cell)
{
    const CraftyCreatureSpawn *spawn = &place->kind->spawn;
    uint32_t count = (uint32_t)cn_random_range(place->random, spawn->low, spawn->high);
    bool has_family = cn_random_bool(place->random, (double)spawn->family_chance);
    CnEntity first = spawn_at(place, cell, false, (CnEntity){0});
    uint32_t others = (count > 1 ? count - 1 : 0) + (has_family ? spawn->family : 0);
    for (uint32_t i = 0; i < others && first.id; i++) {
        bool is_young = i + 1 >= count;
        CnCell beside = {cell.x + (int32_t)cn_random_range(place->random, -3, 3), cell.y,
                         cell.z + (int32_t)cn_random_range(place->random, -3, 3)};
        bool fits = find_place(place, &beside) && beside.y < cell.y + 5 && beside.y > cell.y - 5;
        spawn_at(place, fits ? beside : cell, is_young, is_young ? first : (CnEntity){0});
    }
}

static bool is_time(const Place *place)
{
    return place->work->is_night ? place->kind->spawn.by_night : place->kind->spawn.by_day;
}

static bool may_appear(const Place *place)
{
    bool is_allowed = !place->kind->is_hostile || crafty_difficulty(place->world) == CRAFTY_NORMAL;
    uint32_t cap = place->kind->spawn.cap * place->work->watcher_count;
    return is_allowed && is_time(place) && place->kind->spawn.biomes &&
           crafty_creature_count(place->world, place->kind->number) < cap;
}

static bool is_far_from_players(const CraftyCreatureWork *work, CnCell cell)
{
    CnVec3 at = cn_vec3((float)cell.x, (float)cell.y, (float)cell.z);
    for (uint32_t i = 0; i < work->watcher_count; i++)
        if (crafty_distance2(work->watchers[i].feet, at) < NEAREST * NEAREST)
            return false;
    return true;
}

/* ---- New columns ---- */

/* Returns whether the column was not populated before, and marks it. */
static bool mark_column(CnWorld *world, CraftyCreatureWork *work, int32_t x, int32_t z)
{
    uint32_t bit = (uint32_t)((x & 15) + 16 * (z & 15));
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(work->populated); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CraftyPopulated *region = &cn_column(&view, CraftyPopulated)[i];
            if (region->x != x >> 4 || region->z != z >> 4)
                continue;
            bool is_new = !(region->columns[bit / 64] >> bit % 64 & 1);
            region->columns[bit / 64] |= 1ull << bit % 64;
            return is_new;
        }
    CraftyPopulated region = {.x = x >> 4, .z = z >> 4};
    region.columns[bit / 64] = 1ull << bit % 64;
    const CnValue value = {.type = &cn_type_CraftyPopulated, .data = &region};
    return cn_spawn_values(world, &value, 1).id != 0; /* without memory, later */
}

static void populate_column(CnWorld *world, CraftyCreatureWork *work, int32_t x, int32_t z)
{
    CnRandom random = cn_random_fork(work->key, (uint64_t)(uint32_t)x << 32 | (uint32_t)z, 1);
    for (uint32_t i = 0; i < crafty_creature_kinds_count(work->kinds); i++) {
        Place place = {world, work, cn_resource(world, CraftyBlocks)->voxels,
                       crafty_creature_kind_at(work->kinds, i), &random};
        bool appears = cn_random_bool(&random, (double)place.kind->spawn.chance);
        CnCell cell = {16 * x + (int32_t)cn_random_below(&random, 16), 0,
                       16 * z + (int32_t)cn_random_below(&random, 16)};
        if (appears && may_appear(&place) && has_biome(&place, cell.x, cell.z) &&
            find_place(&place, &cell) &&
            (!place.kind->is_hostile || is_far_from_players(work, cell)))
            spawn_group(&place, cell);
    }
}

/* ---- Later ---- */

static void try_later(CnWorld *world, CraftyCreatureWork *work, const CraftyWatcher *watcher,
                      bool is_hostile)
{
    CnRandom random = cn_random_fork(work->key, work->tick, 2 + watcher->number);
    uint32_t kinds = crafty_creature_kinds_count(work->kinds);
    if (!kinds)
        return;
    Place place = {world, work, cn_resource(world, CraftyBlocks)->voxels,
                   crafty_creature_kind_at(work->kinds, (uint32_t)cn_random_below(&random, kinds)),
                   &random};
    if (place.kind->is_hostile != is_hostile || !may_appear(&place))
        return;
    for (uint32_t i = 0; i < TRIES; i++) {
        float sine, cosine, angle = cn_random_f32_range(&random, 0, 2 * CN_PIF);
        float distance = cn_random_f32_range(&random, NEAREST, FARTHEST);
        cn_sincosf(angle, &sine, &cosine);
        CnCell cell = crafty_cell_of(
            cn_vec3(watcher->feet.x + sine * distance, 0, watcher->feet.z + cosine * distance));
        if (has_biome(&place, cell.x, cell.z) && find_place(&place, &cell) &&
            is_far_from_players(work, cell)) {
            spawn_group(&place, cell);
            return;
        }
    }
}

void crafty_creatures_populate(CnWorld *world, CraftyCreatureWork *work)
{
    for (uint32_t i = 0; i < work->watcher_count; i++) {
        const CraftyWatcher *watcher = &work->watchers[i];
        int32_t index = (int32_t)(work->tick % COLUMNS);
        int32_t x = ((int32_t)cn_floorf(watcher->feet.x) >> 4) + index % (2 * POPULATE_RADIUS + 1) -
                    POPULATE_RADIUS;
        int32_t z = ((int32_t)cn_floorf(watcher->feet.z) >> 4) + index / (2 * POPULATE_RADIUS + 1) -
                    POPULATE_RADIUS;
        if (mark_column(world, work, x, z))
            populate_column(world, work, x, z);
        uint64_t turn = work->tick + 7 * i;
        if (turn % FRIENDLY_TICKS == 0)
            try_later(world, work, watcher, false);
        else if (turn % HOSTILE_TICKS == 0)
            try_later(world, work, watcher, true);
    }
}
