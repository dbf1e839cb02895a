#include "creature_care.h"

#include "creature_internal.h"

#include "../drops.h"

#define LOVE_TICKS 1800u
#define FOOD_HEALS 4.0f
#define GROWS_BY 10u /* a part of the time until a fed young one is adult */
#define PUSH 7.0f
#define LIFT 4.5f
#define FAR_BODY 64.0f /* squared distance from which no body reaches into a cell */

/* ---- Aiming ---- */

float crafty_ray_enters(const CnVoxelBox *box, CnVec3 eye, CnVec3 forward)
{
    const float low[3] = {box->min.x - eye.x, box->min.y - eye.y, box->min.z - eye.z};
    const float high[3] = {box->max.x - eye.x, box->max.y - eye.y, box->max.z - eye.z};
    const float way[3] = {forward.x, forward.y, forward.z};
    float first = 0, last = 1e9f;
    for (int i = 0; i < 3; i++) {
        if (way[i] > -1e-6f && way[i] < 1e-6f) {
            if (low[i] > 0 || high[i] < 0)
                return -1;
            continue;
        }
        float a = low[i] / way[i], b = high[i] / way[i];
        first = (a < b ? a : b) > first ? (a < b ? a : b) : first;
        last = (a < b ? b : a) < last ? (a < b ? b : a) : last;
    }
    return first <= last ? first : -1;
}

CnEntity crafty_creature_aimed(CnWorld *world, CnVec3 eye, CnVec3 forward, float reach,
                               float *distance)
{
    CraftyCreatureWork *work = crafty_creature_work(world);
    CnEntity found = {0};
    CnChunkView view;
    *distance = reach;
    if (!work || !cn_resource(world, CraftyCreatureRules))
        return found;
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            if (!(crafty_distance2(at, eye) < (reach + 4) * (reach + 4)))
                continue;
            const CraftyCreature *creature = &cn_column_const(&view, CraftyCreature)[i];
            const CraftyCreatureKind *kind = crafty_creature_kind(work->kinds, creature->kind);
            if (!kind || !(creature->health > 0))
                continue;
            CnVoxelBox box = crafty_creature_box(kind, creature, at);
            float d = crafty_ray_enters(&box, eye, forward);
            if (d >= 0 && d < *distance) {
                *distance = d;
                found = view.entities[i];
            }
        }
    return found;
}

CnEntity crafty_creature_in_reach(CnWorld *world, CnVec3 eye, CnVec3 forward)
{
    CnVoxelHit block;
    float distance;
    CnEntity creature = crafty_creature_aimed(world, eye, forward, CRAFTY_STRIKE_REACH, &distance);
    if (creature.id && cn_voxels_raycast(cn_resource(world, CraftyBlocks)->voxels, eye, forward,
                                         distance, CN_VOXEL_RAY_SOLID, &block))
        return (CnEntity){0};
    return creature;
}

bool crafty_creature_is_inside(CnWorld *world, CnCell cell, const CnBlockBox *box)
{
    CraftyCreatureWork *work = crafty_creature_work(world);
    CnVec3 middle = {(float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f};
    CnChunkView view;
    if (!work || !cn_resource(world, CraftyCreatureRules))
        return false;
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            if (!(crafty_distance2(at, middle) < FAR_BODY))
                continue;
            const CraftyCreature *creature = &cn_column_const(&view, CraftyCreature)[i];
            const CraftyCreatureKind *kind = crafty_creature_kind(work->kinds, creature->kind);
            if (!kind || !(creature->health > 0))
                continue;
            CnVoxelBox body = crafty_creature_box(kind, creature, at);
            if (cn_interact_is_inside(&body, cell, box))
                return true;
        }
    return false;
}

/* ---- Blows ---- */

float crafty_strike_damage(const CraftyItems *items, CraftyStack held)
{
    static const float swords[CRAFTY_TIER_COUNT] = {
        [CRAFTY_TIER_HAND] = 1, [CRAFTY_TIER_WOOD] = 4, [CRAFTY_TIER_STONE] = 5,
        [CRAFTY_TIER_IRON] = 6, [CRAFTY_TIER_GOLD] = 4, [CRAFTY_TIER_DIAMOND] = 7};
    const CraftyItemInfo *info =
        crafty_stack_is_empty(held) ? NULL : crafty_items_info(items, held.item);
    if (!info || info->tier >= CRAFTY_TIER_COUNT)
        return 1;
    float sword = swords[info->tier];
    switch (info->tool) {
    case CRAFTY_TOOL_SWORD:
        return sword;
    case CRAFTY_TOOL_AXE:
        return sword - 1;
    case CRAFTY_TOOL_PICKAXE:
    case CRAFTY_TOOL_SHOVEL:
        return sword / 2;
    default:
        return 1;
    }
}

bool crafty_creature_strike(CnWorld *world, CnEntity player, CnEntity creature, CraftyStack held,
                            CnVec3 direction)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    const CraftyStrike *last = cn_get(world, player, CraftyStrike);
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    if (last && tick < last->tick + CRAFTY_STRIKE_TICKS)
        return false;
    float length = cn_sqrtf(direction.x * direction.x + direction.z * direction.z);
    float part = length > 0.01f ? PUSH / length : 0;
    cn_set(world, player, CraftyStrike, {.target = creature, .tick = tick});
    return crafty_creature_hurt(world, creature, crafty_strike_damage(items, held),
                                cn_vec3(direction.x * part, LIFT, direction.z * part), player);
}

/* ---- Care ---- */

static bool is_listed(const CraftyItem *list, uint32_t count, CraftyItem item)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == item)
            return true;
    return false;
}

typedef struct Patient {
    CnWorld *world;
    CnEntity player, entity;
    uint32_t number; /* of the player */
    const CraftyCreatureKind *kind;
    CraftyCreature *creature;
    CnVec3 at;
} Patient;

static void send(const Patient *patient, CraftyCreatureEventKind kind, float value)
{
    crafty_creature_event(patient->world, kind, patient->entity, patient->kind->number, patient->at,
                          patient->player, value);
}

static CraftyCare tame(const Patient *patient)
{
    CraftyCreature *creature = patient->creature;
    const CraftyCreatureRules *rules = cn_resource(patient->world, CraftyCreatureRules);
    uint64_t tick = cn_resource(patient->world, CnTickInfo)->tick;
    CnRandom random = cn_random_fork(rules->key, creature->seed, tick ^ 1ull << 63);
    if (!cn_random_bool(&random, (double)patient->kind->tame_chance)) {
        send(patient, CRAFTY_CREATURE_REFUSED, 0);
        return CRAFTY_CARE_EATEN;
    }
    creature->owner = patient->number;
    creature->sits = true;
    creature->health = patient->kind->health;
    cn_get_mut(patient->world, patient->entity, CraftyMind)->anger = 0;
    send(patient, CRAFTY_CREATURE_TAMED, 0);
    return CRAFTY_CARE_EATEN;
}

static CraftyCare feed(const Patient *patient)
{
    CraftyCreature *creature = patient->creature;
    float most = patient->kind->health;
    bool is_ill = creature->health<most, is_young = creature->growth> 0;
    bool may_love = !is_young && !creature->love && !creature->rest &&
                    crafty_creature_behaviour(patient->kind, CRAFTY_BEHAVIOUR_BREED) &&
                    (!patient->kind->gift_count || creature->owner);
    if (!is_ill && !is_young && !may_love)
        return CRAFTY_CARE_NONE;
    if (is_ill)
        creature->health =
            creature->health + FOOD_HEALS < most ? creature->health + FOOD_HEALS : most;
    else if (is_young)
        creature->growth -= creature->growth / GROWS_BY;
    else
        creature->love = LOVE_TICKS;
    send(patient, CRAFTY_CREATURE_ATE, 0);
    return CRAFTY_CARE_EATEN;
}

static CraftyCare shear(const Patient *patient)
{
    const CraftyCreatureRules *rules = cn_resource(patient->world, CraftyCreatureRules);
    uint64_t tick = cn_resource(patient->world, CnTickInfo)->tick;
    CnRandom random = cn_random_fork(rules->key, patient->creature->seed, ~tick);
    if (patient->creature->sheared || patient->creature->growth)
        return CRAFTY_CARE_NONE;
    CraftyStack wool = {.item = patient->kind->wool,
                        .count = (uint16_t)cn_random_range(&random, 1, 3)};
    CnVec3 above = cn_vec3_add(patient->at, cn_vec3(0, patient->kind->height / 2, 0));
    if (!crafty_drop_in_cell(patient->world, crafty_cell_of(above), wool).id)
        return CRAFTY_CARE_NONE; /* no room, or no memory */
    cn_get_mut(patient->world, patient->entity, CraftyCreature)->sheared = true; /* it moved */
    send(patient, CRAFTY_CREATURE_SHEARED, 0);
    return CRAFTY_CARE_WORN;
}

CraftyCare crafty_creature_care(CnWorld *world, CnEntity player, CnEntity entity, CraftyStack held)
{
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    const CnTransform *transform = cn_get(world, entity, CnTransform);
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    Patient patient = {.world = world,
                       .player = player,
                       .entity = entity,
                       .number = own ? own->player : 0,
                       .kind = crafty_creature_kind_of(world, entity),
                       .creature = cn_get_mut(world, entity, CraftyCreature)};
    if (!own || !transform || !patient.kind || !(patient.creature->health > 0))
        return CRAFTY_CARE_NONE;
    patient.at = transform->position;
    const CraftyItemInfo *info =
        crafty_stack_is_empty(held) ? NULL : crafty_items_info(items, held.item);
    CraftyItem item = info ? held.item : CRAFTY_NO_ITEM;
    if (info && info->tool == CRAFTY_TOOL_SHEARS && patient.kind->wool)
        return shear(&patient);
    if (item && !patient.creature->owner &&
        is_listed(patient.kind->gifts, patient.kind->gift_count, item))
        return tame(&patient);
    CraftyCare care = item && is_listed(patient.kind->foods, patient.kind->food_count, item)
                          ? feed(&patient)
                          : CRAFTY_CARE_NONE;
    if (care != CRAFTY_CARE_NONE || patient.creature->owner != patient.number)
        return care;
    patient.creature->sits = !patient.creature->sits;
    send(&patient, CRAFTY_CREATURE_SAT, patient.creature->sits ? 1 : 0);
    return CRAFTY_CARE_DONE;
}
