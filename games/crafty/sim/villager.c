#include "villager.h"

#include "creature/creature.h"
#include "day.h"
#include "systems.h"
#include "trade.h"
#include "villager_internal.h"

#include "player_index.h"
#include "weather.h"

#define SETTLE_TICKS 30u
#define RAIN 0.1f
#define DANGER 12.0f      /* blocks from a hostile creature */
#define DAWN 6.0f         /* hours */
#define TURN_SPEED 480.0f /* degrees per second, towards customers */
#define LAMPS_OUT 7.0f
#define LAMPS_LIT 19.5f /* lamps that nobody lit by then are lit */

CraftyVillagerActivity crafty_villager_round(float hours)
{
    static const struct {
        float until;
        CraftyVillagerActivity activity;
    } day[] = {{DAWN, CRAFTY_VILLAGER_SLEEPS}, {12, CRAFTY_VILLAGER_WORKS},
               {13, CRAFTY_VILLAGER_MEETS},    {16.5f, CRAFTY_VILLAGER_WORKS},
               {17.5f, CRAFTY_VILLAGER_MEETS}, {18.2f, CRAFTY_VILLAGER_LAMPS},
               {20, CRAFTY_VILLAGER_HOME}};
    for (size_t i = 0; i < CN_COUNT_OF(day); i++)
        if (hours < day[i].until)
            return day[i].activity;
    return CRAFTY_VILLAGER_SLEEPS;
}

/* ---- Decisions ---- */

bool crafty_villager_is_in_danger(const CnWorld *world, CnVec3 at)
{
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    const CraftyVillagerState *state = cn_resource(world, CraftyVillagerState);
    CnChunkView view;
    if (!list || !list->kinds || !state || !state->work || !state->work->creatures)
        return false;
    bool is_near = false;
    for (CnQueryIter it = cn_query_iter(state->work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CraftyCreature *creature = &cn_column_const(&view, CraftyCreature)[i];
            const CraftyCreatureKind *kind = crafty_creature_kind(list->kinds, creature->kind);
            CnVec3 d = cn_vec3_sub(cn_column_const(&view, CnTransform)[i].position, at);
            is_near |= kind && kind->is_hostile && creature->health > 0 &&
                       d.x * d.x + d.y * d.y + d.z * d.z < DANGER * DANGER;
        }
    return is_near;
}

static CraftyVillagerActivity decide(const CraftyVillagerTick *tick)
{
    const CraftyWeather *weather = cn_resource(tick->world, CraftyWeather);
    CraftyVillagerActivity activity = crafty_villager_round(crafty_day_hours(tick->world));
    if (activity == CRAFTY_VILLAGER_SLEEPS || activity == CRAFTY_VILLAGER_HOME)
        return activity;
    bool is_wet = weather && weather->rain > RAIN;
    return is_wet || crafty_villager_is_in_danger(tick->world, tick->transform->position)
               ? CRAFTY_VILLAGER_HOME
               : activity;
}

/* ---- Lamps ---- */

static void set_lamps(const CraftyVillagerTick *tick, bool lit)
{
    const CraftyVillagePlan *plan = tick->plan;
    CnVoxels *voxels = tick->blocks->voxels;
    if (tick->work->lantern == CN_BLOCK_NONE || tick->work->unlit == CN_BLOCK_NONE)
        return;
    for (uint32_t i = tick->villager->house; i < plan->lamp_count; i += plan->house_count) {
        CnCell cell = plan->lamps[i].lamp;
        CnBlock from = lit ? tick->work->unlit : tick->work->lantern;
        CnEdit edit = {.tick = tick->tick,
                       .kind = CN_EDIT_TICK,
                       .face = CN_EDIT_NO_FACE,
                       .cell = cell,
                       .new_block = lit ? tick->work->lantern : tick->work->unlit};
        if (cn_voxels_get(voxels, cell) == from)
            cn_voxels_edit(voxels, &edit, NULL);
    }
}

static void tend_lamps(const CraftyVillagerTick *tick)
{
    float hours = crafty_day_hours(tick->world);
    bool is_night = hours >= LAMPS_LIT || hours < DAWN;
    if (is_night || (tick->villager->activity == CRAFTY_VILLAGER_LAMPS && tick->villager->arrived))
        set_lamps(tick, true);
    else if (hours >= LAMPS_OUT && hours < 17)
        set_lamps(tick, false);
}

/* ---- One tick ---- */

static void begin_day(CraftyVillagerTick *tick)
{
    const CraftyDay *day = cn_resource(tick->world, CraftyDay);
    double days = day ? day->days : 0;
    uint32_t number = days > 0 && days < 4e9 ? (uint32_t)days : 0;
    if (tick->villager->day == number)
        return;
    tick->villager->day = number;
    tick->villager->did = 0;
}

/* What the animation shows. */
static void show(CnWorld *world, CnEntity entity, bool walks)
{
    CraftyCreature *creature = cn_get_mut(world, entity, CraftyCreature);
    uint8_t state = walks ? CRAFTY_CREATURE_WALK : CRAFTY_CREATURE_IDLE;
    if (!creature)
        return;
    creature->state_ticks = creature->state == state ? creature->state_ticks + 1 : 0;
    creature->state = state;
}

/* Returns whether a player trades with the villager, who then turns towards the player. */
static bool serve(CraftyVillagerTick *tick)
{
    const CraftyVillagerWork *work = tick->work;
    for (uint32_t i = 0; i < work->trade_count; i++) {
        if (work->partners[i].id != tick->entity.id)
            continue;
        CnVec3 at = tick->transform->position;
        float dx = work->customers[i].x - at.x, dz = work->customers[i].z - at.z;
        float yaw = cn_quat_to_euler(tick->transform->rotation).y;
        float turn = cn_atan2f(-dx, -dz) * (180 / CN_PIF) - yaw, most = TURN_SPEED * tick->dt;
        turn -= 360 * cn_roundf(turn / 360);
        turn = turn > most ? most : turn < -most ? -most : turn;
        tick->transform->rotation = cn_quat_from_euler(cn_vec3(0, yaw + turn, 0));
        return true;
    }
    return false;
}

static void act(CraftyVillagerTick *tick)
{
    CraftyVillager *villager = tick->villager;
    begin_day(tick);
    if (tick->tick % 16 == villager->house % 16u) {
        CraftyVillagerActivity activity = decide(tick);
        bool moves =
            activity != villager->activity &&
            !(activity <= CRAFTY_VILLAGER_HOME && villager->activity <= CRAFTY_VILLAGER_HOME);
        villager->activity = (uint8_t)activity;
        if (moves) {
            crafty_villager_stop(villager);
            villager->arrived = false;
            villager->wait = 0;
        }
        tend_lamps(tick);
    }
    if (villager->activity != CRAFTY_VILLAGER_SLEEPS && serve(tick)) {
        show(tick->world, tick->entity, false);
        return;
    }
    uint32_t near;
    CnCell place = crafty_villager_place(tick->plan, villager,
                                         (CraftyVillagerActivity)villager->activity, &near);
    villager->arrived = crafty_villager_walk(tick, place, near);
    if (villager->arrived)
        villager->did |= (uint8_t)(1u << villager->activity);
    crafty_villager_close_door(tick, false);
    show(tick->world, tick->entity, villager->walks);
}

static bool is_active(const CnTransform *transform, const CnVec3 *players, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float dx = transform->position.x - players[i].x, dz = transform->position.z - players[i].z;
        if (dx * dx + dz * dz < CRAFTY_VILLAGER_ACTIVE * CRAFTY_VILLAGER_ACTIVE)
            return true;
    }
    return false;
}

static uint32_t collect(CraftyVillagerWork *work)
{
    uint32_t count = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(work->villagers); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < CRAFTY_MAX_VILLAGERS; i++)
            work->entities[count++] = view.entities[i];
    return count;
}

/* Who has no room among the customers is not looked at by the villager. */
static void note_customers(CnSystemContext *context, CraftyVillagerWork *work)
{
    CnChunkView view;
    work->trade_count = 0;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && work->trade_count < CRAFTY_MAX_CUSTOMERS; i++) {
            CnEntity villager = crafty_trade_partner(context->world, view.entities[i]);
            if (!villager.id)
                continue;
            work->partners[work->trade_count] = villager;
            work->customers[work->trade_count++] = cn_column_const(&view, CnTransform)[i].position;
        }
}

static void run_villagers(CnSystemContext *context)
{
    CnWorld *world = context->world;
    const CraftyVillagerState *state = cn_resource(world, CraftyVillagerState);
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    uint32_t count;
    if (!state || !state->work || !info || !cn_resource(world, CraftyVillages))
        return;
    CraftyVillagerWork *work = state->work;
    const CnVec3 *players = crafty_player_places(context, CRAFTY_LIST_VILLAGERS, &count);
    note_customers(context, work);
    if (info->tick % SETTLE_TICKS == 0)
        crafty_villages_settle(world, work, players, count);
    uint32_t villagers = collect(work);
    work->searches = 0;
    for (uint32_t k = 0; k < villagers; k++) {
        /* Another one begins in each tick, so that all get their paths. */
        CnEntity entity = work->entities[(k + info->tick) % villagers];
        CraftyVillagerTick tick = {.world = world,
                                   .work = work,
                                   .entity = entity,
                                   .villager = cn_get_mut(world, entity, CraftyVillager),
                                   .transform = cn_get_mut(world, entity, CnTransform),
                                   .blocks = cn_resource(world, CraftyBlocks),
                                   .tick = info->tick,
                                   .dt = context->dt};
        if (!tick.villager || !tick.transform || !is_active(tick.transform, players, count))
            continue;
        tick.plan = crafty_village_plan(world, work, tick.villager->region[0],
                                        tick.villager->region[1], info->tick);
        /* A manipulated save may name any region and have any numbers. */
        if (!tick.plan || tick.plan->house_count == 0 ||
            tick.villager->count > CRAFTY_VILLAGER_CELLS ||
            (tick.villager->walks && tick.villager->index >= tick.villager->count))
            continue;
        act(&tick);
        crafty_villager_look(&tick, players, count);
    }
}

/* ---- Adding ---- */

uint32_t crafty_villager_count(CnWorld *world)
{
    const CraftyVillagerState *state = cn_resource(world, CraftyVillagerState);
    return state && state->work ? collect(state->work) : 0;
}

static bool fill_work(CnWorld *world, CraftyVillagerWork *work, CnError *error)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    CnQueryDesc villagers = {.all = {cn_reads(CraftyVillager), cn_reads(CnTransform)}};
    CnQueryDesc creatures = {.all = {cn_reads(CraftyCreature), cn_reads(CnTransform)}};
    work->lantern = cn_block_find(table, "lantern");
    work->unlit = cn_block_find(table, "unlit_lantern");
    work->villagers = cn_query_acquire(world, &villagers, error);
    work->creatures = work->villagers ? cn_query_acquire(world, &creatures, error) : NULL;
    if (!work->creatures)
        return false;
    work->traits = crafty_path_traits_create(work->allocator, table, blocks->families, error);
    work->scratch = work->traits ? crafty_path_scratch_create(work->allocator, error) : NULL;
    return work->scratch != NULL;
}

static void free_work(CraftyVillagerWork *work)
{
    if (!work)
        return;
    if (work->villagers)
        cn_query_release(work->villagers);
    if (work->creatures)
        cn_query_release(work->creatures);
    crafty_path_scratch_destroy(work->scratch);
    crafty_path_traits_destroy(work->traits);
    cn_free(work->allocator, work, sizeof *work);
}

static bool add_work(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyVillagerState,
                                  .flags = CN_COMPONENT_TRANSIENT};
    CnAllocator *allocator = cn_world_allocator(world);
    if (!cn_component_register(world, &desc, error).id)
        return false;
    CraftyVillagerWork *work = cn_alloc_zeroed(allocator, sizeof *work);
    if (!work)
        return cn_error_memory(error, "the villagers");
    work->allocator = allocator;
    if (fill_work(world, work, error) &&
        (cn_resource_set(world, CraftyVillagerState, {.work = work}) ||
         cn_error_memory(error, "the villagers")))
        return true;
    free_work(work);
    return false;
}

bool crafty_villagers_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {.name = "CraftyVillagers",
                         .run = run_villagers,
                         .stage = CN_STAGE_UPDATE,
                         .query = {.all = {cn_reads(CraftyPlayer), cn_reads(CnTransform)}},
                         .alone = true};
    if (!cn_resource(world, CraftyVillagerState) && !add_work(world, error))
        return false;
    if (!cn_resource(world, CraftyVillages) && !cn_resource_set(world, CraftyVillages, {0}))
        return cn_error_memory(error, "the villages");
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}

bool crafty_villages_complete(CnWorld *world, CnError *error)
{
    return !cn_resource(world, CraftyVillagerState) || crafty_villagers_add(world, error);
}

void crafty_villagers_remove(CnWorld *world)
{
    CraftyVillagerState *state = cn_resource_mut(world, CraftyVillagerState);
    if (!state)
        return;
    free_work(state->work);
    cn_resource_remove(world, CraftyVillagerState);
}
