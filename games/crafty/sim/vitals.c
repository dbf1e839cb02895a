#include "vitals.h"

#include "block_effects.h"
#include "drops.h"
#include "inventory.h"
#include "mod/mod_notes.h"
#include "motion.h"
#include "player_index.h"
#include "rules.h"
#include "systems.h"

#define HURT_PAUSE 30u   /* ticks for which the same cause does not hurt again */
#define SAFE_FALL 3.0f   /* blocks */
#define AIR_RETURNS 4.0f /* seconds of air per second */
#define DROWN_SECONDS 1.0f
#define DROWN_DAMAGE 2.0f
#define LAVA_DAMAGE 4.0f
#define VOID_DEPTH 32.0f /* blocks below the world */
#define VOID_DAMAGE 4.0f
#define TOUCH 0.02f /* blocks that are so near are touched */

#define EXHAUSTION_FOOD 4.0f /* takes one point of food */
#define EXHAUSTION_SECOND 0.02f
#define EXHAUSTION_HEAL 1.5f
#define HEALING_FOOD 18.0f
#define HEAL_SECONDS 4.0f

static bool is_protected(const CraftyPlayer *player, CraftyDamage cause)
{
    return player->mode != CRAFTY_MODE_SURVIVAL && cause != CRAFTY_DAMAGE_VOID &&
           cause != CRAFTY_DAMAGE_COMMAND;
}

bool crafty_player_is_dead(const CnWorld *world, CnEntity player)
{
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    return vitals && vitals->dead;
}

bool crafty_player_is_helpless(const CnWorld *world, CnEntity player)
{
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    return vitals && (vitals->dead || vitals->sleep_ticks);
}

static void send(CnWorld *world, CnEntity player, CraftyPlayerEventKind kind, CraftyDamage cause,
                 float value)
{
    const CnTransform *transform = cn_get(world, player, CnTransform);
    crafty_player_event_send(world, &(CraftyPlayerEvent){.player = player,
                                                         .kind = (uint8_t)kind,
                                                         .count = (uint16_t)cause,
                                                         .value = value,
                                                         .position = transform ? transform->position
                                                                               : cn_vec3(0, 0, 0)});
}

bool crafty_vitals_hurt(CnWorld *world, CnEntity entity, float damage, CraftyDamage cause)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyVitals *old = cn_get(world, entity, CraftyVitals);
    uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    if (!player || !old || old->dead || !(damage > 0) || is_protected(player, cause))
        return false;
    bool is_recent = old->hurt_tick && tick < old->hurt_tick + HURT_PAUSE;
    if (is_recent && old->cause == cause && cause != CRAFTY_DAMAGE_COMMAND)
        return false;
    if (cause != CRAFTY_DAMAGE_COMMAND && !crafty_mods_ask_hurt(world, entity, &damage, cause))
        return false;
    CraftyVitals *vitals = cn_get_mut(world, entity, CraftyVitals);
    float lost = damage < vitals->health ? damage : vitals->health;
    vitals->health -= lost;
    vitals->hurt_tick = tick ? tick : 1; /* 0: never */
    vitals->cause = (uint8_t)cause;
    vitals->eating = 0;
    vitals->sleep_ticks = 0;
    send(world, entity, CRAFTY_PLAYER_HURT, cause, lost);
    if (vitals->health > 0)
        return true;
    vitals->dead = true;
    send(world, entity, CRAFTY_PLAYER_DIED, cause, 0);
    return true;
}

bool crafty_vitals_eat(CnWorld *world, CnEntity entity, float food)
{
    CraftyVitals *vitals = cn_get_mut(world, entity, CraftyVitals);
    if (!vitals || vitals->dead || vitals->food >= CRAFTY_MAX_FOOD || !(food > 0))
        return false;
    vitals->food = vitals->food + food < CRAFTY_MAX_FOOD ? vitals->food + food : CRAFTY_MAX_FOOD;
    return true;
}

void crafty_vitals_exhaust(CnWorld *world, CnEntity entity, float exhaustion)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    CraftyVitals *vitals = cn_get_mut(world, entity, CraftyVitals);
    if (player && vitals && player->mode == CRAFTY_MODE_SURVIVAL && exhaustion > 0)
        vitals->exhaustion += exhaustion;
}

/* ---- What happens to a player in a tick ---- */

typedef struct Life {
    CnWorld *world;
    CnVoxels *voxels;
    CnEntity entity;
    CraftyVitals *vitals; /* valid until the structure of the world changes */
    CnVec3 eye;
    float dt;
} Life;

static CnCell cell_of(CnVec3 point)
{
    return (CnCell){(int32_t)cn_floorf(point.x), (int32_t)cn_floorf(point.y),
                    (int32_t)cn_floorf(point.z)};
}

static void hurt(const Life *life, float damage, CraftyDamage cause)
{
    crafty_vitals_hurt(life->world, life->entity, damage, cause);
}

static void fall(const Life *life)
{
    float damage = cn_floorf(life->vitals->landed - SAFE_FALL + 0.5f);
    if (damage > 0)
        hurt(life, damage, CRAFTY_DAMAGE_FALL);
}

static void breathe(const Life *life)
{
    CraftyVitals *vitals = life->vitals;
    CnBlock block = cn_voxels_get(life->voxels, cell_of(life->eye));
    bool is_under = cn_voxels_blocks(life->voxels)->flags[block] & CN_BLOCK_IS_WATER;
    float air = vitals->air + (is_under ? -life->dt : life->dt * AIR_RETURNS);
    vitals->air = air < 0 ? 0 : air > CRAFTY_MAX_AIR ? CRAFTY_MAX_AIR : air;
    vitals->drown_wait = vitals->air > 0 ? 0 : vitals->drown_wait + life->dt;
    if (vitals->drown_wait < DROWN_SECONDS)
        return;
    vitals->drown_wait = 0;
    hurt(life, DROWN_DAMAGE, CRAFTY_DAMAGE_DROWNING);
}

static void hunger(const Life *life)
{
    CraftyVitals *vitals = life->vitals;
    vitals->exhaustion += EXHAUSTION_SECOND * life->dt;
    if (vitals->exhaustion >= EXHAUSTION_FOOD) {
        vitals->exhaustion -= EXHAUSTION_FOOD;
        vitals->food = vitals->food > 1 ? vitals->food - 1 : 0;
    }
    bool heals = vitals->food >= HEALING_FOOD && vitals->health < CRAFTY_MAX_HEALTH;
    bool starves = !(vitals->food > 0) && vitals->health > 1;
    vitals->heal_wait = heals || starves ? vitals->heal_wait + life->dt : 0;
    if (vitals->heal_wait < HEAL_SECONDS)
        return;
    vitals->heal_wait = 0;
    if (starves) {
        hurt(life, vitals->health < 2 ? vitals->health - 1 : 1, CRAFTY_DAMAGE_HUNGER);
        return;
    }
    vitals->exhaustion += EXHAUSTION_HEAL;
    vitals->health =
        vitals->health < CRAFTY_MAX_HEALTH - 1 ? vitals->health + 1 : CRAFTY_MAX_HEALTH;
}

/* Returns the effects of all blocks that the body touches: CRAFTY_BLOCK_HEATS only of those below
 * the feet. */
static uint8_t touched(const Life *life)
{
    CnVoxelBox box = crafty_player_box(life->eye);
    CnVec3 touch = {TOUCH, TOUCH, TOUCH};
    CnCell low = cell_of(cn_vec3_sub(box.min, touch)), high = cell_of(cn_vec3_add(box.max, touch));
    int32_t feet = cell_of(box.min).y;
    uint8_t effects = 0;
    for (int32_t z = low.z; z <= high.z; z++)
        for (int32_t y = low.y; y <= high.y; y++)
            for (int32_t x = low.x; x <= high.x; x++) {
                uint8_t own = crafty_block_effects_at(life->world, (CnCell){x, y, z});
                effects |= y < feet ? own : (uint8_t)(own & ~CRAFTY_BLOCK_HEATS);
            }
    return effects;
}

static void touch_blocks(const Life *life)
{
    uint8_t effects = touched(life);
    const CraftyMotion *motion = cn_get(life->world, life->entity, CraftyMotion);
    bool walks_carefully = motion && motion->sneaks;
    if (effects & CRAFTY_BLOCK_BURNS)
        hurt(life, LAVA_DAMAGE, CRAFTY_DAMAGE_LAVA);
    else if (effects & CRAFTY_BLOCK_STINGS)
        hurt(life, 1, CRAFTY_DAMAGE_CACTUS);
    else if ((effects & CRAFTY_BLOCK_HEATS) && !walks_carefully)
        hurt(life, 1, CRAFTY_DAMAGE_HEAT);
}

/* What does not fit into the world, because too many stacks lie there already, the player keeps. */
static void drop_all(const Life *life)
{
    const CraftyRules *rules = cn_resource(life->world, CraftyRules);
    life->vitals->dropped = true;
    crafty_inventory_close(life->world, life->entity); /* what is carried goes to the slots */
    if (rules && rules->keep_inventory)
        return;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        CraftyPlayer *player = cn_get_mut(life->world, life->entity, CraftyPlayer);
        CraftyStack stack = *crafty_player_slot(player, i);
        float sine, cosine;
        cn_sincosf((float)i, &sine, &cosine);
        if (crafty_stack_is_empty(stack) ||
            !crafty_drop_spawn(life->world, life->eye, cn_vec3(2 * sine, 3, 2 * cosine), stack,
                               CRAFTY_DROP_THROWN_WAIT)
                 .id)
            continue;
        player = cn_get_mut(life->world, life->entity, CraftyPlayer);
        *crafty_player_slot(player, i) = (CraftyStack){0};
    }
}

static void live(CnWorld *world, CnEntity entity, float dt)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CnTransform *transform = cn_get(world, entity, CnTransform);
    Life life = {.world = world,
                 .voxels = cn_resource(world, CraftyBlocks)->voxels,
                 .entity = entity,
                 .vitals = cn_get_mut(world, entity, CraftyVitals),
                 .eye = transform->position,
                 .dt = dt};
    bool is_below = life.eye.y < (float)CN_WORLD_BOTTOM - VOID_DEPTH;
    if (player->mode == CRAFTY_MODE_SURVIVAL && !life.vitals->dead) {
        fall(&life);
        breathe(&life);
        hunger(&life);
        touch_blocks(&life);
    }
    if (is_below && player->mode != CRAFTY_MODE_SPECTATOR)
        hurt(&life, VOID_DAMAGE, CRAFTY_DAMAGE_VOID);
    if (life.vitals->dead && !life.vitals->dropped)
        drop_all(&life);
}

/* Drops are new entities, so players are collected first. */
static void run_vitals(CnSystemContext *context)
{
    uint32_t count;
    const CnEntity *players = crafty_player_list(context, CRAFTY_LIST_VITALS, &count);
    for (uint32_t i = 0; i < count; i++)
        live(context->world, players[i], context->dt);
}

bool crafty_vitals_register(CnWorld *world, CnError *error)
{
    static const CraftyVitals full = {
        .health = CRAFTY_MAX_HEALTH, .food = CRAFTY_MAX_FOOD, .air = CRAFTY_MAX_AIR};
    CnComponentDesc vitals = {.type = &cn_type_CraftyVitals, .default_value = &full};
    return cn_component_register(world, &vitals, error).id &&
           crafty_player_events_add(world, error);
}

bool crafty_vitals_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {
        .name = "CraftyVitals",
        .run = run_vitals,
        .stage = CN_STAGE_UPDATE,
        .query = {.all = {cn_reads(CraftyPlayer), cn_writes(CraftyVitals), cn_reads(CnTransform)}},
        .alone = true}; /* accesses the voxel world */
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
