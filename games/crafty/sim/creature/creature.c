#include "creature.h"

#include "creature_internal.h"
#include "creatures.h"
#include "difficulty.h"

#include "../drops.h"
#include "../mod/mod_quota.h"

#include <cairn/base/text.h>

#include <string.h>

#define ANGER_TICKS 900u
#define TICKS_PER_SECOND 60.0f
#define PUSH_LIMIT 20.0f

static const char *const difficulty_words[CRAFTY_DIFFICULTY_COUNT] = {"none", "peaceful", "normal"};

const char *crafty_difficulty_name(CraftyDifficulty difficulty)
{
    return difficulty < CRAFTY_DIFFICULTY_COUNT ? difficulty_words[difficulty] : "unknown";
}

bool crafty_difficulty_parse(const char *name, CraftyDifficulty *difficulty)
{
    for (uint32_t i = 0; i < CRAFTY_DIFFICULTY_COUNT; i++)
        if (strcmp(name, difficulty_words[i]) == 0) {
            *difficulty = (CraftyDifficulty)i;
            return true;
        }
    return false;
}

CraftyDifficulty crafty_difficulty(const CnWorld *world)
{
    const CraftyCreatureRules *state = cn_resource(world, CraftyCreatureRules);
    return state && state->difficulty < CRAFTY_DIFFICULTY_COUNT
               ? (CraftyDifficulty)state->difficulty
               : CRAFTY_NO_CREATURES;
}

bool crafty_difficulty_set(CnWorld *world, CraftyDifficulty difficulty)
{
    CraftyCreatureRules *state = cn_resource_mut(world, CraftyCreatureRules);
    if (state)
        state->difficulty = (uint8_t)difficulty;
    return state != NULL;
}

/* ---- Queries ---- */

CraftyCreatureWork *crafty_creature_work(const CnWorld *world)
{
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    return list ? list->work : NULL;
}

const CraftyCreatureKind *crafty_creature_kind_of(const CnWorld *world, CnEntity entity)
{
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    return list && creature ? crafty_creature_kind(list->kinds, creature->kind) : NULL;
}

float crafty_creature_scale(const CraftyCreatureKind *kind, const CraftyCreature *creature)
{
    return creature->growth ? kind->baby_scale : 1;
}

CnVoxelBox crafty_creature_box(const CraftyCreatureKind *kind, const CraftyCreature *creature,
                               CnVec3 at)
{
    float scale = crafty_creature_scale(kind, creature);
    float half = kind->width * scale / 2, height = kind->height * scale;
    return (CnVoxelBox){cn_vec3(at.x - half, at.y, at.z - half),
                        cn_vec3(at.x + half, at.y + height, at.z + half)};
}

uint32_t crafty_creature_count(CnWorld *world, uint32_t kind)
{
    const CraftyCreatureWork *work = crafty_creature_work(world);
    uint32_t count = 0;
    CnChunkView view;
    if (!work)
        return 0;
    if (!kind)
        return cn_query_count(work->creatures);
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            count += cn_column_const(&view, CraftyCreature)[i].kind == kind;
    return count;
}

void crafty_creature_event(CnWorld *world, CraftyCreatureEventKind kind, CnEntity entity,
                           uint16_t creature, CnVec3 position, CnEntity other, float value)
{
    CnChannel *channel = cn_channel(world, CraftyCreatureEvent);
    if (channel) /* it counts events for which it has no room */
        cn_send_value(channel, &(CraftyCreatureEvent){.entity = entity,
                                                      .other = other,
                                                      .kind = (uint8_t)kind,
                                                      .creature = creature,
                                                      .value = value,
                                                      .position = position});
}

/* ---- Spawning ---- */

static bool is_inside(CnVec3 at)
{
    const float limit = CN_CELL_LIMIT - 64;
    return at.x > -limit && at.x < limit && at.y > -limit && at.y < limit && at.z > -limit &&
           at.z < limit;
}

static uint32_t ticks_of(float seconds)
{
    return (uint32_t)(seconds * TICKS_PER_SECOND);
}

static CnQuat rotation_of(float yaw)
{
    CnQuat rotation = {0, 0, 0, 1};
    cn_sincosf(yaw * (CN_PIF / 360), &rotation.y, &rotation.w);
    return rotation;
}

CnEntity crafty_creature_spawn(CnWorld *world, const CraftyCreatureDesc *desc)
{
    const CraftyCreatureWork *work = crafty_creature_work(world);
    CraftyCreatureRules *state = cn_resource_mut(world, CraftyCreatureRules);
    const CraftyCreatureKind *kind =
        work ? crafty_creature_kind_find(work->kinds, desc->kind) : NULL;
    if (!kind || !state || !is_inside(desc->position) ||
        cn_query_count(work->creatures) >= CRAFTY_MAX_CREATURES ||
        !crafty_mods_may_add(world, CRAFTY_MOD_CREATURES))
        return (CnEntity){0};
    uint64_t bits = cn_random_at(state->key, ++state->seeds, 0);
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    transform.position = desc->position;
    transform.rotation = rotation_of(desc->yaw);
    CraftyCreature creature = {.kind = kind->number,
                               .health = kind->health,
                               .growth = desc->is_young ? ticks_of(kind->grow_seconds) : 0,
                               .owner = desc->owner,
                               .seed = (uint32_t)bits};
    if (desc->label)
        cn_copy_text(creature.label, sizeof creature.label, cn_text(desc->label));
    CraftyBody body = {.yaw = desc->yaw};
    CraftyMind mind = {.behaviour = CRAFTY_NO_BEHAVIOUR,
                       .parent = desc->parent,
                       .voice_wait = (uint32_t)(bits >> 32) % (ticks_of(kind->voice_seconds) + 1),
                       .egg_wait = ticks_of(kind->egg_seconds)};
    CraftyWalk walk = {0};
    const CnValue values[] = {{.type = &cn_type_CnTransform, .data = &transform},
                              {.type = &cn_type_CraftyCreature, .data = &creature},
                              {.type = &cn_type_CraftyBody, .data = &body},
                              {.type = &cn_type_CraftyMind, .data = &mind},
                              {.type = &cn_type_CraftyWalk, .data = &walk}};
    CnEntity entity = cn_spawn_values(world, values, CN_COUNT_OF(values));
    crafty_mods_added(world, CRAFTY_MOD_CREATURES, entity);
    if (entity.id)
        crafty_creature_event(world, CRAFTY_CREATURE_SPAWNED, entity, kind->number, desc->position,
                              (CnEntity){0}, 0);
    return entity;
}

void crafty_creature_remove(CnWorld *world, CnEntity entity)
{
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    const CnTransform *transform = cn_get(world, entity, CnTransform);
    if (!creature)
        return;
    if (transform)
        crafty_creature_event(world, CRAFTY_CREATURE_REMOVED, entity, creature->kind,
                              transform->position, (CnEntity){0}, 0);
    cn_destroy(world, entity);
}

bool crafty_creature_set_label(CnWorld *world, CnEntity entity, const char *label)
{
    CraftyCreature *creature = cn_get_mut(world, entity, CraftyCreature);
    if (!creature)
        return false;
    memset(creature->label, 0, sizeof creature->label);
    return cn_copy_text(creature->label, sizeof creature->label, cn_text(label));
}

/* ---- Damage ---- */

static void drop_items(CnWorld *world, const CraftyCreatureKind *kind,
                       const CraftyCreature *creature, CnVec3 at)
{
    const CraftyCreatureRules *state = cn_resource(world, CraftyCreatureRules);
    CnRandom random = cn_random_fork(state->key, creature->seed, UINT64_MAX);
    if (creature->growth) /* the young leave nothing */
        return;
    for (uint32_t i = 0; i < kind->drop_count; i++) {
        const CraftyCreatureDrop *drop = &kind->drops[i];
        bool is_wool = drop->item == kind->wool && creature->sheared;
        uint16_t count = (uint16_t)cn_random_range(&random, drop->low, drop->high);
        if (!cn_random_bool(&random, (double)drop->chance) || !count || is_wool)
            continue;
        CnCell cell = crafty_cell_of(cn_vec3_add(at, cn_vec3(0, kind->height / 2, 0)));
        crafty_drop_in_cell(world, cell, (CraftyStack){.item = drop->item, .count = count});
    }
}

static CnVec3 limited(CnVec3 velocity)
{
    float *values[3] = {&velocity.x, &velocity.y, &velocity.z};
    for (int i = 0; i < 3; i++)
        if (!(*values[i] > -PUSH_LIMIT))
            *values[i] = -PUSH_LIMIT;
        else if (*values[i] > PUSH_LIMIT)
            *values[i] = PUSH_LIMIT;
    return velocity;
}

bool crafty_creature_hurt(CnWorld *world, CnEntity entity, float damage, CnVec3 push,
                          CnEntity attacker)
{
    const CraftyCreatureKind *kind = crafty_creature_kind_of(world, entity);
    CraftyCreature *creature = cn_get_mut(world, entity, CraftyCreature);
    CraftyBody *body = cn_get_mut(world, entity, CraftyBody);
    CraftyMind *mind = cn_get_mut(world, entity, CraftyMind);
    const CnTransform *transform = cn_get(world, entity, CnTransform);
    if (!kind || !body || !mind || !transform || !(creature->health > 0) || !(damage > 0) ||
        creature->hurt_ticks > 0)
        return false;
    float lost = damage < creature->health ? damage : creature->health;
    CnVec3 at = transform->position;
    creature->health -= lost;
    creature->hurt_ticks = CRAFTY_HURT_TICKS;
    creature->sits = creature->sits && !attacker.id;
    body->velocity = limited(cn_vec3_add(body->velocity, push));
    body->grounded = body->grounded && !(push.y > 0);
    mind->attacker = attacker;
    mind->anger = ANGER_TICKS;
    crafty_creature_event(world, CRAFTY_CREATURE_WAS_HURT, entity, kind->number, at, attacker,
                          lost);
    if (creature->health > 0) {
        creature->state = CRAFTY_CREATURE_HURT;
        creature->state_ticks = 0;
        return true;
    }
    creature->state = CRAFTY_CREATURE_DIE;
    creature->state_ticks = 0;
    CraftyCreature dead = *creature; /* dropping moves entities */
    crafty_creature_event(world, CRAFTY_CREATURE_DIED, entity, kind->number, at, attacker, 0);
    drop_items(world, kind, &dead, at);
    return true;
}
