#include "growth.h"

#include "fence.h"
#include "growth_internal.h"
#include "mod/mod_run.h"
#include "systems.h"
#include "weather.h"

#include <cairn/base/hash_map.h>

#define WATCHED_EDITS 65536u /* per tick */
#define SKY_PLAYERS 64u      /* around whom it snows in a tick */
#define SKY_CELLS 4u         /* near each player in each tick */
#define SKY_RADIUS 64        /* blocks */
#define FALLS 0.05f          /* rain and snow above this count */

/* ---- One tick of one block ---- */

static CraftyGrowthRules *rules_of(const CnWorld *world)
{
    const CraftyGrowthState *state = cn_resource(world, CraftyGrowthState);
    return state ? state->rules : NULL;
}

static CraftyGrowing growing_at(CnWorld *world, CnCell cell)
{
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    uint64_t tick = info ? info->tick : 0;
    const uint32_t words[] = {(uint32_t)cell.x, (uint32_t)cell.y, (uint32_t)cell.z};
    return (CraftyGrowing){.world = world,
                           .voxels = cn_resource(world, CraftyBlocks)->voxels,
                           .rules = rules_of(world),
                           .totals = cn_resource_mut(world, CraftyGrowth),
                           .tick = tick,
                           .random = cn_hash_bytes(words, sizeof words, tick)};
}

CnBlock crafty_growing_get(const CraftyGrowing *growing, CnCell cell)
{
    return cn_cell_is_in_world(cell) ? cn_voxels_get(growing->voxels, cell) : (CnBlock)CN_BLOCK_AIR;
}

bool crafty_growing_edit(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    CnEdit edit = {.tick = growing->tick,
                   .player = CN_EDIT_NOBODY,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    return cn_voxels_edit(growing->voxels, &edit, NULL);
}

bool crafty_growing_set(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    if (growing->rules->edits >= CRAFTY_GROWTH_EDITS) {
        growing->totals->skipped++;
        return false;
    }
    if (!crafty_growing_edit(growing, cell, block))
        return false;
    growing->rules->edits++;
    growing->totals->edits++;
    return true;
}

/* Returns sky << 4 | block. */
static uint32_t light_at(CraftyGrowing *growing, CnCell cell)
{
    if (growing->rules->lights >= CRAFTY_GROWTH_LIGHTS) {
        growing->totals->skipped++;
        return 0;
    }
    growing->rules->lights++;
    return cn_voxels_light(growing->voxels, cell);
}

uint32_t crafty_growing_light(CraftyGrowing *growing, CnCell cell)
{
    uint32_t light = light_at(growing, cell);
    return light >> 4 > (light & 15) ? light >> 4 : light & 15;
}

uint32_t crafty_growing_block_light(CraftyGrowing *growing, CnCell cell)
{
    return light_at(growing, cell) & 15;
}

uint32_t crafty_growing_roll(CraftyGrowing *growing, uint32_t n)
{
    growing->random = cn_hash_mix(growing->random + 1);
    return (uint32_t)((growing->random >> 32) % n);
}

bool crafty_growing_chance(CraftyGrowing *growing, uint32_t n)
{
    return crafty_growing_roll(growing, n) == 0;
}

bool crafty_growing_is_open(const CraftyGrowing *growing, CnBlock block)
{
    return cn_block_info(cn_voxels_blocks(growing->voxels), block)->light_loss < 15;
}

CnBiome crafty_growing_biome(const CraftyGrowing *growing, CnCell cell)
{
    const CraftyBlocks *blocks = cn_resource(growing->world, CraftyBlocks);
    if (!blocks->biomes.generator)
        return CN_BIOME_GRASSY_PLAINS;
    return (CnBiome)cn_generate_column(blocks->biomes.generator, blocks->biomes.scratch, cell.x,
                                       cell.z)
        .biome;
}

bool crafty_growing_is_cold(CnBiome biome)
{
    return crafty_weather_weight(biome, CRAFTY_LIGHT_SNOW) > 0;
}

bool crafty_growing_is_rained_on(const CraftyGrowing *growing, CnCell cell, bool *is_snow)
{
    const CraftyWeather *weather = cn_resource(growing->world, CraftyWeather);
    *is_snow = false;
    if (!weather || weather->rain + weather->snow < FALLS ||
        cell.y <= cn_voxels_height(growing->voxels, cell.x, cell.z))
        return false;
    CnBiome biome = crafty_growing_biome(growing, cell);
    *is_snow = crafty_growing_is_cold(biome);
    return *is_snow || crafty_weather_weight(biome, CRAFTY_LIGHT_RAIN) > 0;
}

/* ---- Ticks ---- */

const bool *crafty_growth_ticking(const CnWorld *world)
{
    const CraftyGrowthRules *rules = rules_of(world);
    return rules ? rules->ticking : NULL;
}

void crafty_growth_let_tick(CnWorld *world, CnBlock block)
{
    CraftyGrowthRules *rules = rules_of(world);
    if (rules && block < rules->count)
        rules->ticking[block] = true;
}

void crafty_growth_begin(CnWorld *world)
{
    CraftyGrowthRules *rules = rules_of(world);
    if (rules)
        rules->edits = rules->lights = rules->trees = 0;
}

static void grow(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    switch ((CraftyGrowthKind)crafty_growth_rule(growing->rules, block)->kind) {
    case CRAFTY_GROWS_GRASS:
        crafty_grow_grass(growing, cell);
        break;
    case CRAFTY_GROWS_SAPLING:
        crafty_grow_sapling(growing, cell, block);
        break;
    case CRAFTY_GROWS_CROP:
        crafty_grow_crop(growing, cell, block);
        break;
    case CRAFTY_GROWS_FARMLAND:
        crafty_water_farmland(growing, cell, block);
        break;
    case CRAFTY_GROWS_REED:
        crafty_grow_reed(growing, cell, block);
        break;
    case CRAFTY_GROWS_CACTUS:
        crafty_grow_cactus(growing, cell, block);
        break;
    case CRAFTY_GROWS_MUSHROOM:
        crafty_grow_mushroom(growing, cell, block);
        break;
    case CRAFTY_GROWS_SNOW:
    case CRAFTY_GROWS_ICE:
        crafty_melt(growing, cell, block);
        break;
    default:
        break;
    }
}

void crafty_growth_tick(void *user, CnCell cell, CnBlock block, bool random)
{
    CnWorld *world = user;
    CraftyGrowing growing = growing_at(world, cell);
    if (!growing.rules || !growing.totals || crafty_mods_block_tick(world, cell, block, random))
        return;
    CraftyGrowthKind kind = (CraftyGrowthKind)crafty_growth_rule(growing.rules, block)->kind;
    if (random)
        grow(&growing, cell, block);
    else if (kind == CRAFTY_GROWS_FIRE)
        crafty_burn(&growing, cell, block);
    else if (kind == CRAFTY_GROWS_LEAVES)
        crafty_decay_leaves(&growing, cell, block);
    else if (kind != CRAFTY_GROWS_LOG)
        crafty_loosen_leaves(&growing, cell);
}

void crafty_growth_weather(CnWorld *world, const CnVec3 *players, uint32_t count)
{
    if (!rules_of(world) || !cn_resource(world, CraftyGrowth))
        return;
    /* Of many players, some take turns, so that the cost per tick is bounded. */
    uint32_t period = count / SKY_PLAYERS + 1;
    uint32_t first = (uint32_t)(cn_resource(world, CnTickInfo)->tick % period);
    for (uint32_t i = first; i < count; i += period) {
        CnVec3 at = players[i];
        if (!(cn_fabsf(at.x) < CN_CELL_LIMIT / 2 && cn_fabsf(at.z) < CN_CELL_LIMIT / 2))
            continue;
        CnCell eye = {(int32_t)cn_floorf(at.x), (int32_t)i, (int32_t)cn_floorf(at.z)};
        CraftyGrowing growing = growing_at(world, eye);
        for (uint32_t k = 0; k < SKY_CELLS; k++) {
            int32_t dx = (int32_t)crafty_growing_roll(&growing, 2 * SKY_RADIUS) - SKY_RADIUS;
            int32_t dz = (int32_t)crafty_growing_roll(&growing, 2 * SKY_RADIUS) - SKY_RADIUS;
            crafty_freeze(&growing, eye.x + dx, eye.z + dz);
        }
    }
}

/* ---- Edits of others ---- */

static void watch(CnWorld *world, const CnEdit *edit)
{
    CraftyGrowing growing = growing_at(world, edit->cell);
    uint8_t old = crafty_growth_rule(growing.rules, edit->old_block)->kind;
    uint8_t new = crafty_growth_rule(growing.rules, edit->new_block)->kind;
    if (old == CRAFTY_GROWS_LOG && new != CRAFTY_GROWS_LOG)
        cn_voxels_schedule(growing.voxels, edit->cell, 10 + crafty_growing_roll(&growing, 30));
    if (old == CRAFTY_GROWS_FIRE && new != CRAFTY_GROWS_FIRE && growing.totals->fires > 0)
        growing.totals->fires--;
    if (new == CRAFTY_GROWS_FIRE && old != CRAFTY_GROWS_FIRE) {
        growing.totals->fires++;
        crafty_fire_schedule(&growing, edit->cell);
    }
    crafty_fence_watch(world, growing.rules->players, edit);
}

static void run_watch(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CraftyGrowthRules *rules = rules_of(world);
    const CnEditLog *log = cn_voxels_log(cn_resource(world, CraftyBlocks)->voxels);
    if (!rules || !cn_resource(world, CraftyGrowth))
        return;
    for (uint32_t i = 0; i < WATCHED_EDITS && rules->seen_edits < cn_edit_log_total(log); i++) {
        uint64_t left = cn_edit_log_total(log) - rules->seen_edits;
        uint32_t count = cn_edit_log_count(log);
        if (left > count) /* the log does not keep them any more */
            rules->seen_edits += left - count;
        CnEdit edit = cn_edit_log_at(log, left > count ? 0 : count - (uint32_t)left);
        rules->seen_edits++;
        watch(world, &edit);
    }
    rules->seen_edits = cn_edit_log_total(log);
}

/* ---- Queries of other systems ---- */

CnBlock crafty_growth_planted(const CnWorld *world, CraftyItem item)
{
    const CraftyGrowthRules *rules = rules_of(world);
    for (uint32_t i = 0; rules && i < rules->planted_count; i++)
        if (rules->planted[i].item == item)
            return rules->planted[i].block;
    return CN_BLOCK_AIR;
}

bool crafty_growth_is_farmland(const CnWorld *world, CnBlock block)
{
    const CraftyGrowthRules *rules = rules_of(world);
    return rules && crafty_growth_rule(rules, block)->kind == CRAFTY_GROWS_FARMLAND;
}

bool crafty_growth_lies(const CnWorld *world, CnBlock block)
{
    const CraftyGrowthRules *rules = rules_of(world);
    return rules && crafty_growth_rule(rules, block)->kind == CRAFTY_GROWS_SNOW;
}

CnBlock crafty_growth_fire(const CnWorld *world)
{
    const CraftyGrowthRules *rules = rules_of(world);
    return rules ? rules->fires[CRAFTY_FIRE_STRENGTHS] : (CnBlock)CN_BLOCK_AIR;
}

/* ---- Adding ---- */

static bool add_rules(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyGrowthState,
                                  .flags = CN_COMPONENT_TRANSIENT};
    CnQueryDesc query = {.all = {cn_reads(CnPlayerActions)}};
    if (!cn_component_register(world, &desc, error).id)
        return false;
    CraftyGrowthRules *rules = crafty_growth_rules_create(
        cn_world_allocator(world), cn_voxels_blocks(cn_resource(world, CraftyBlocks)->voxels),
        cn_resource(world, CraftyItemList)->items, error);
    if (!rules)
        return false;
    rules->players = cn_query_acquire(world, &query, error);
    if (rules->players && cn_resource_set(world, CraftyGrowthState, {.rules = rules}))
        return true;
    cn_error_memory(error, "growth");
    crafty_growth_rules_destroy(rules);
    return false;
}

bool crafty_growth_add(CnWorld *world, CnError *error)
{
    const CnSystemDesc system = {.name = "CraftyGrowthWatch",
                                 .run = run_watch,
                                 .stage = CN_STAGE_POST_UPDATE,
                                 .alone = true};
    if (!rules_of(world) && !add_rules(world, error))
        return false;
    if (!cn_resource(world, CraftyGrowth) && !cn_resource_set(world, CraftyGrowth, {0}))
        return cn_error_memory(error, "growth");
    rules_of(world)->seen_edits =
        cn_edit_log_total(cn_voxels_log(cn_resource(world, CraftyBlocks)->voxels));
    return cn_system_find(world, system.name).id || crafty_system_add(world, &system, error);
}

void crafty_growth_remove(CnWorld *world)
{
    CraftyGrowthState *state = cn_resource_mut(world, CraftyGrowthState);
    if (!state)
        return;
    crafty_growth_rules_destroy(state->rules);
    cn_resource_remove(world, CraftyGrowthState);
}
