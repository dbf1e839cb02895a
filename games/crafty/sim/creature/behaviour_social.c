/* Behaviour towards players and relatives: tame, tempted, in love, young. */
#include "behaviours.h"

#define BREED_DISTANCE 1.6f
#define OWNER_TELEPORT 24.0f

/* ---- Tame ---- */

bool crafty_sit_wants(CraftyThink *think)
{
    return think->actor->creature->owner && think->actor->creature->sits;
}

bool crafty_sit_act(CraftyThink *think)
{
    return think->actor->creature->sits;
}

static bool is_owner(const CraftyThink *think, const CraftyWatcher *watcher)
{
    return watcher->number == think->actor->creature->owner;
}

bool crafty_owner_wants(CraftyThink *think)
{
    const CraftyActor *actor = think->actor;
    if (!actor->creature->owner || actor->creature->sits)
        return false;
    const CraftyWatcher *owner = crafty_think_player(think, CRAFTY_ACTIVE_DISTANCE, is_owner);
    float near = think->behaviour->distance;
    if (!owner || crafty_distance2(owner->feet, actor->position) < near * near)
        return false;
    actor->mind->target = owner->entity;
    return true;
}

bool crafty_owner_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnVec3 feet;
    if (!crafty_think_target(think, &feet))
        return false;
    actor->look = feet;
    actor->looks = true;
    if (crafty_distance2(feet, actor->transform->position) > OWNER_TELEPORT * OWNER_TELEPORT) {
        actor->transform->position = cn_vec3_add(feet, cn_vec3(0, 0.05f, 0));
        actor->body->fall = 0;
        return false;
    }
    return crafty_think_go(think, feet, crafty_think_speed(think), 2.5f) != CRAFTY_ARRIVED;
}

/* ---- Food ---- */

static bool holds_food(const CraftyThink *think, const CraftyWatcher *watcher)
{
    const CraftyCreatureKind *kind = think->actor->kind;
    for (uint32_t i = 0; i < kind->food_count && watcher->held; i++)
        if (kind->foods[i] == watcher->held)
            return true;
    for (uint32_t i = 0; i < kind->gift_count && watcher->held; i++)
        if (kind->gifts[i] == watcher->held && !think->actor->creature->owner)
            return true;
    return false;
}

bool crafty_tempt_wants(CraftyThink *think)
{
    const CraftyWatcher *player =
        crafty_think_player(think, think->behaviour->distance, holds_food);
    think->actor->mind->target = player ? player->entity : (CnEntity){0};
    return player != NULL;
}

bool crafty_tempt_act(CraftyThink *think)
{
    CnVec3 feet;
    if (!crafty_think_target(think, &feet))
        return false;
    think->actor->look = cn_vec3_add(feet, cn_vec3(0, CRAFTY_PLAYER_EYE, 0));
    think->actor->looks = true;
    if (crafty_think_go(think, feet, crafty_think_speed(think), 2.0f) == CRAFTY_ARRIVED)
        crafty_think_stop(think);
    return true;
}

/* ---- Love ---- */

typedef struct Partner {
    const CraftyThink *think;
    const CraftyActor *found;
    float nearest;
} Partner;

static bool consider(void *user, const CraftyActor *other)
{
    Partner *partner = user;
    float d = crafty_distance2(other->position, partner->think->actor->position);
    if (other->loves && other->is_adult && !other->is_dead && d < partner->nearest) {
        partner->found = other;
        partner->nearest = d;
    }
    return true;
}

bool crafty_breed_wants(CraftyThink *think)
{
    Partner partner = {.think = think, .nearest = 1e9f};
    if (!think->actor->creature->love || think->actor->creature->growth)
        return false;
    crafty_think_near(think, think->behaviour->distance, think->actor->kind->number, consider,
                      &partner);
    think->actor->mind->target = partner.found ? partner.found->entity : (CnEntity){0};
    return partner.found != NULL;
}

bool crafty_breed_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnVec3 feet;
    if (!actor->creature->love || !crafty_think_target(think, &feet))
        return false;
    if (crafty_distance2(feet, actor->transform->position) < BREED_DISTANCE * BREED_DISTANCE) {
        actor->did |= CRAFTY_DID_BREED;
        actor->target = actor->mind->target;
        return false;
    }
    return crafty_think_go(think, feet, crafty_think_speed(think), 1) != CRAFTY_BLOCKED;
}

/* ---- The young ---- */

static bool adopt(void *user, const CraftyActor *other)
{
    Partner *parent = user;
    float d = crafty_distance2(other->position, parent->think->actor->position);
    if (other->is_adult && !other->is_dead && d < parent->nearest) {
        parent->found = other;
        parent->nearest = d;
    }
    return true;
}

bool crafty_parent_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    float distance = think->behaviour->distance;
    if (!actor->creature->growth)
        return false;
    const CraftyActor *parent = crafty_think_find(think, actor->mind->parent, distance);
    if (!parent || parent->is_dead) {
        Partner other = {.think = think, .nearest = 1e9f};
        crafty_think_near(think, distance, actor->kind->number, adopt, &other);
        parent = other.found;
        actor->mind->parent = parent ? parent->entity : (CnEntity){0};
    }
    /* Each one keeps another distance, so that they walk in a row. */
    float near = 1.2f + 0.5f * (float)(actor->creature->seed % 5);
    if (!parent || crafty_distance2(parent->position, actor->position) < near * near)
        return false;
    actor->mind->target = parent->entity;
    return true;
}

bool crafty_parent_act(CraftyThink *think)
{
    CnVec3 feet;
    float near = 1.0f + 0.5f * (float)(think->actor->creature->seed % 5);
    if (!crafty_think_target(think, &feet))
        return false;
    return crafty_think_go(think, feet, crafty_think_speed(think), near) == CRAFTY_GOING;
}
