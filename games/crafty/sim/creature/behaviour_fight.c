/* Fear and anger: panic, avoiding, attacks, fuses, and zombies in the sun. */
#include "behaviours.h"

#define TICKS_PER_SECOND 60.0f
#define BURN_TICKS 60u  /* between two losses of health in the sun */
#define FUSE_KEEPS 1.5f /* times the distance at which the fuse goes out */

static CnVec3 away_from(CraftyThink *think, CnVec3 danger, float distance)
{
    CnVec3 at = think->actor->position, way = cn_vec3_sub(at, danger);
    way.y = think->actor->kind->medium == CRAFTY_MEDIUM_GROUND ? 0 : way.y;
    way.x += cn_random_f32_range(&think->random, -1, 1);
    way.z += cn_random_f32_range(&think->random, -1, 1);
    float length = cn_sqrtf(cn_vec3_dot(way, way));
    return length > 0.01f ? cn_vec3_add(at, cn_vec3_scale(way, distance / length))
                          : cn_vec3_add(at, cn_vec3(distance, 0, 0));
}

/* ---- Fear ---- */

bool crafty_panic_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnVec3 danger = actor->position;
    if (actor->creature->hurt_ticks == 0 || actor->mind->anger == 0)
        return false;
    actor->mind->target = actor->mind->attacker;
    crafty_think_target(think, &danger);
    actor->mind->goal = away_from(think, danger, 10);
    return true;
}

bool crafty_panic_act(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    if (crafty_think_is_over(think)) {
        mind->anger = 0;
        return false;
    }
    if (crafty_think_steer(think, mind->goal, crafty_think_speed(think), 1) != CRAFTY_GOING) {
        mind->goal = away_from(think, mind->goal, 6);
        mind->stuck = 0;
    }
    return true;
}

bool crafty_avoid_wants(CraftyThink *think)
{
    const CraftyWatcher *player = crafty_think_player(think, think->behaviour->distance, NULL);
    if (!player)
        return false;
    think->actor->mind->goal = away_from(think, player->feet, think->behaviour->distance + 2);
    return true;
}

bool crafty_avoid_act(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    return crafty_think_steer(think, mind->goal, crafty_think_speed(think), 0.6f) == CRAFTY_GOING &&
           mind->ticks < 2 * TICKS_PER_SECOND;
}

/* ---- Anger ---- */

static bool is_prey(const CraftyThink *think, const CraftyWatcher *watcher)
{
    (void)think;
    return watcher->is_target;
}

/* Sees players, or still knows where the last one went. */
bool crafty_attack_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    const CraftyWatcher *player = crafty_think_player(think, think->behaviour->distance, is_prey);
    if (!player)
        return false;
    bool hunts = actor->mind->behaviour < actor->kind->behaviour_count &&
                 &actor->kind->behaviours[actor->mind->behaviour] == think->behaviour;
    if (!hunts && !crafty_think_sees(think, player->eye))
        return false;
    actor->mind->target = player->entity;
    return true;
}

static bool chase(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    const CraftyCreatureKind *kind = actor->kind;
    CnVec3 feet;
    if (!crafty_think_target(think, &feet))
        return false;
    CnVec3 way = cn_vec3_sub(feet, actor->transform->position);
    float reach = kind->reach + kind->width / 2 + 0.3f;
    actor->look = cn_vec3_add(feet, cn_vec3(0, 1.4f, 0));
    actor->looks = true;
    bool is_near = way.x * way.x + way.z * way.z < reach * reach && way.y < 2 && way.y > -2;
    if (!is_near || crafty_creature_behaviour(kind, CRAFTY_BEHAVIOUR_FUSE)) {
        crafty_think_go(think, feet, crafty_think_speed(think), 0.8f);
        return true;
    }
    if (!actor->mind->attack_wait) {
        actor->mind->attack_wait = (uint16_t)(kind->attack_seconds * TICKS_PER_SECOND);
        actor->did |= CRAFTY_DID_ATTACK;
        actor->target = actor->mind->target;
    }
    return true;
}

bool crafty_attack_act(CraftyThink *think)
{
    return chase(think);
}

/* Tame ones also help their owner. */
bool crafty_revenge_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CraftyMind *mind = actor->mind;
    CnVec3 feet;
    for (uint32_t i = 0; i < think->work->watcher_count && actor->creature->owner; i++) {
        const CraftyWatcher *owner = &think->work->watchers[i];
        if (owner->number != actor->creature->owner || !owner->attacked.id ||
            owner->attacked.id == actor->entity.id)
            continue;
        const CraftyActor *other = crafty_think_find(think, owner->attacked, 24);
        if (!other || other->is_dead || other->owner == actor->creature->owner)
            continue;
        mind->attacker = owner->attacked;
        mind->anger = (uint16_t)(think->behaviour->seconds * TICKS_PER_SECOND);
    }
    if (!mind->anger || !mind->attacker.id || actor->creature->growth)
        return false;
    for (uint32_t i = 0; i < think->work->watcher_count; i++) {
        const CraftyWatcher *watcher = &think->work->watchers[i];
        if (watcher->entity.id == mind->attacker.id &&
            (!watcher->is_target || watcher->number == actor->creature->owner))
            return false;
    }
    mind->target = mind->attacker;
    float far = think->behaviour->distance;
    return crafty_think_target(think, &feet) && crafty_distance2(feet, actor->position) < far * far;
}

bool crafty_revenge_act(CraftyThink *think)
{
    if (crafty_think_is_over(think)) {
        think->actor->mind->anger = 0;
        return false;
    }
    return chase(think);
}

/* ---- Hunting ---- */

typedef struct Quarry {
    const CraftyThink *think;
    const CraftyActor *found;
    float nearest;
} Quarry;

/* Hunters spare those who belong to somebody. */
static bool smell(void *user, const CraftyActor *other)
{
    Quarry *quarry = user;
    float d = crafty_distance2(other->position, quarry->think->actor->position);
    if (!other->is_dead && !other->is_kept && d < quarry->nearest) {
        quarry->found = other;
        quarry->nearest = d;
    }
    return true;
}

bool crafty_hunt_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    Quarry quarry = {.think = think, .nearest = 1e9f};
    if (actor->creature->owner || actor->creature->growth ||
        !crafty_think_chance(think, think->behaviour->chance))
        return false;
    for (uint32_t i = 0; i < actor->kind->prey_count; i++)
        crafty_think_near(think, think->behaviour->distance, actor->kind->prey[i], smell, &quarry);
    actor->mind->target = quarry.found ? quarry.found->entity : (CnEntity){0};
    return quarry.found != NULL;
}

bool crafty_hunt_act(CraftyThink *think)
{
    return !think->actor->creature->owner && !crafty_think_is_over(think) && chase(think);
}

/* ---- Creepers ---- */

bool crafty_fuse_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    const CraftyWatcher *player = crafty_think_player(think, think->behaviour->distance, is_prey);
    if (!player || !crafty_think_sees(think, player->eye))
        return false;
    actor->mind->target = player->entity;
    actor->did |= CRAFTY_DID_FUSE;
    return true;
}

bool crafty_fuse_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnVec3 feet;
    float far = think->behaviour->distance * FUSE_KEEPS;
    if (!crafty_think_target(think, &feet) ||
        crafty_distance2(feet, actor->transform->position) > far * far) {
        actor->creature->fuse = 0;
        return false;
    }
    actor->look = cn_vec3_add(feet, cn_vec3(0, 1.4f, 0));
    actor->looks = true;
    actor->creature->fuse++;
    if ((float)actor->creature->fuse >= actor->kind->attack_seconds * TICKS_PER_SECOND)
        actor->did |= CRAFTY_DID_EXPLODE;
    return true;
}

/* ---- The sun ---- */

/* Looks up to the end of the known blocks. */
static bool is_under_sky(CraftyThink *think, CnCell cell)
{
    for (int32_t up = 1; up <= 15; up++)
        if (crafty_think_traits(think, (CnCell){cell.x, cell.y + up, cell.z}) &
            (CRAFTY_PATH_SOLID | CRAFTY_PATH_SHAPED))
            return false;
    return true;
}

bool crafty_shelter_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnCell own = crafty_cell_of(cn_vec3_add(actor->position, cn_vec3(0, 0.5f, 0)));
    if (think->work->is_night || actor->body->swims || !is_under_sky(think, own))
        return false;
    int32_t reach = (int32_t)think->behaviour->distance;
    actor->mind->goal = away_from(think, actor->position, 8);
    for (uint32_t i = 0; i < 24; i++) {
        CnCell cell = {own.x + (int32_t)cn_random_range(&think->random, -reach, reach), own.y,
                       own.z + (int32_t)cn_random_range(&think->random, -reach, reach)};
        if ((crafty_think_traits(think, cell) & CRAFTY_PATH_SOLID) || is_under_sky(think, cell))
            continue;
        actor->mind->goal = cn_vec3((float)cell.x + 0.5f, (float)cell.y, (float)cell.z + 0.5f);
        break;
    }
    return true;
}

/* Until it is in the shade; then or soon, it looks around again. */
bool crafty_shelter_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnCell own = crafty_cell_of(cn_vec3_add(actor->transform->position, cn_vec3(0, 0.5f, 0)));
    bool is_new = (think->work->tick + actor->creature->seed) % CRAFTY_DECIDE_TICKS == 0;
    return crafty_think_go(think, actor->mind->goal, crafty_think_speed(think), 0.7f) ==
               CRAFTY_GOING &&
           actor->mind->ticks < 10 * TICKS_PER_SECOND && !(is_new && !is_under_sky(think, own));
}

bool crafty_think_would_burn(CraftyThink *think, CnVec3 at)
{
    return !think->work->is_night &&
           crafty_creature_behaviour(think->actor->kind, CRAFTY_BEHAVIOUR_SHELTER) &&
           is_under_sky(think, crafty_cell_of(cn_vec3_add(at, cn_vec3(0, 0.5f, 0))));
}

/* Whatever it does: those who attack burn, too. */
void crafty_creature_burn(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    uint64_t turn = think->work->tick + actor->creature->seed;
    if (turn % BURN_TICKS != 0 || actor->body->swims ||
        !crafty_think_would_burn(think, actor->transform->position))
        return;
    actor->did |= CRAFTY_DID_SUFFER;
    actor->value = 1;
}
