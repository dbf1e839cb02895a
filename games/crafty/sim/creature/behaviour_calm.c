/* What creatures do on their own: wander, look, graze, visit flowers, hang, flock. */
#include "behaviours.h"

#define TICKS_PER_SECOND 60.0f
#define ARRIVED 0.8f
#define LONGEST_WANDER 600u /* ticks */
#define EDGE 6.0f           /* blocks of the active area that nobody wanders into */

const CraftyBehaviourCode crafty_behaviour_code[CRAFTY_BEHAVIOUR_COUNT] = {
    [CRAFTY_BEHAVIOUR_PANIC] = {crafty_panic_wants, NULL, crafty_panic_act},
    [CRAFTY_BEHAVIOUR_FUSE] = {crafty_fuse_wants, NULL, crafty_fuse_act},
    [CRAFTY_BEHAVIOUR_ATTACK] = {crafty_attack_wants, crafty_attack_wants, crafty_attack_act},
    [CRAFTY_BEHAVIOUR_REVENGE] = {crafty_revenge_wants, crafty_revenge_wants, crafty_revenge_act},
    [CRAFTY_BEHAVIOUR_HUNT] = {crafty_hunt_wants, NULL, crafty_hunt_act},
    [CRAFTY_BEHAVIOUR_SHELTER] = {crafty_shelter_wants, NULL, crafty_shelter_act},
    [CRAFTY_BEHAVIOUR_SIT] = {crafty_sit_wants, crafty_sit_wants, crafty_sit_act},
    [CRAFTY_BEHAVIOUR_TEMPT] = {crafty_tempt_wants, crafty_tempt_wants, crafty_tempt_act},
    [CRAFTY_BEHAVIOUR_BREED] = {crafty_breed_wants, crafty_breed_wants, crafty_breed_act},
    [CRAFTY_BEHAVIOUR_FOLLOW_OWNER] = {crafty_owner_wants, NULL, crafty_owner_act},
    [CRAFTY_BEHAVIOUR_FOLLOW_PARENT] = {crafty_parent_wants, NULL, crafty_parent_act},
    [CRAFTY_BEHAVIOUR_FLOCK] = {crafty_flock_wants, NULL, crafty_flock_act},
    [CRAFTY_BEHAVIOUR_AVOID] = {crafty_avoid_wants, NULL, crafty_avoid_act},
    [CRAFTY_BEHAVIOUR_HANG] = {crafty_hang_wants, NULL, crafty_hang_act},
    [CRAFTY_BEHAVIOUR_VISIT] = {crafty_visit_wants, NULL, crafty_visit_act},
    [CRAFTY_BEHAVIOUR_GRAZE] = {crafty_graze_wants, NULL, crafty_graze_act},
    [CRAFTY_BEHAVIOUR_LOOK] = {crafty_look_wants, NULL, crafty_look_act},
    [CRAFTY_BEHAVIOUR_WANDER] = {crafty_wander_wants, NULL, crafty_wander_act},
    [CRAFTY_BEHAVIOUR_SCRIPT] = {NULL, crafty_script_keeps, crafty_script_act},
};

bool crafty_think_chance(CraftyThink *think, float per_second)
{
    float chance = per_second * (float)CRAFTY_DECIDE_TICKS / TICKS_PER_SECOND;
    return cn_random_f32(&think->random) < chance;
}

float crafty_think_speed(const CraftyThink *think)
{
    return think->actor->kind->speed * think->behaviour->speed;
}

bool crafty_think_is_over(const CraftyThink *think)
{
    return (float)think->actor->mind->ticks > think->behaviour->seconds * TICKS_PER_SECOND;
}

/* ---- Wandering ---- */

static bool is_good_place(CraftyThink *think, CnVec3 at)
{
    uint8_t traits = crafty_think_traits(think, crafty_cell_of(at));
    if (think->actor->kind->medium == CRAFTY_MEDIUM_WATER)
        return traits & CRAFTY_PATH_WATER;
    return !(traits & (CRAFTY_PATH_SOLID | CRAFTY_PATH_HURTS | CRAFTY_PATH_WATER));
}

/* Beyond, it would rest until a player comes, and nobody takes its place. */
static bool is_outside(const CraftyThink *think, CnVec3 at)
{
    const float most = CRAFTY_ACTIVE_DISTANCE - EDGE;
    for (uint32_t i = 0; i < think->work->watcher_count; i++) {
        float x = think->work->watchers[i].feet.x - at.x,
              z = think->work->watchers[i].feet.z - at.z;
        if (x * x + z * z < most * most)
            return false;
    }
    return true;
}

bool crafty_wander_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    float distance = think->behaviour->distance;
    if (!crafty_think_chance(think, think->behaviour->chance))
        return false;
    CnVec3 goal = actor->position;
    goal.x += cn_random_f32_range(&think->random, -distance, distance);
    goal.z += cn_random_f32_range(&think->random, -distance, distance);
    if (actor->kind->medium != CRAFTY_MEDIUM_GROUND) {
        goal.y += cn_random_f32_range(&think->random, -3, 3);
        if (!is_good_place(think, goal))
            return false;
    }
    actor->mind->goal = goal;
    return !is_outside(think, goal) && !crafty_think_would_burn(think, goal);
}

/* Flying creatures stay near the ground. */
static void hold_height(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnCell cell = crafty_cell_of(actor->transform->position);
    if (actor->kind->medium != CRAFTY_MEDIUM_AIR)
        return;
    for (int32_t down = 1; down <= 6; down++)
        if (crafty_think_traits(think, (CnCell){cell.x, cell.y - down, cell.z}) &
            (CRAFTY_PATH_SOLID | CRAFTY_PATH_WATER | CRAFTY_PATH_SHAPED))
            return;
    actor->wish.y = actor->wish.y > -0.8f ? -0.8f : actor->wish.y;
}

bool crafty_wander_act(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    CraftyGoing going = crafty_think_steer(think, mind->goal, crafty_think_speed(think), ARRIVED);
    hold_height(think);
    return going == CRAFTY_GOING && mind->ticks < LONGEST_WANDER;
}

/* ---- Looking ---- */

bool crafty_look_wants(CraftyThink *think)
{
    if (!crafty_think_chance(think, think->behaviour->chance))
        return false;
    const CraftyWatcher *player = crafty_think_player(think, think->behaviour->distance, NULL);
    think->actor->mind->target = player ? player->entity : (CnEntity){0};
    return player != NULL;
}

bool crafty_look_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    for (uint32_t i = 0; i < think->work->watcher_count; i++)
        if (think->work->watchers[i].entity.id == actor->mind->target.id) {
            actor->look = think->work->watchers[i].eye;
            actor->looks = true;
        }
    return actor->looks && !crafty_think_is_over(think);
}

/* ---- Grazing ---- */

static CnCell below(const CraftyActor *actor)
{
    CnVec3 at = actor->transform->position;
    return crafty_cell_of(cn_vec3(at.x, at.y - 0.3f, at.z));
}

bool crafty_graze_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    float hungry = actor->creature->sheared ? 4 : 1; /* its wool grows again */
    return actor->body->grounded && crafty_think_chance(think, hungry * think->behaviour->chance) &&
           crafty_window_get(think->view, below(actor)) == think->work->grass;
}

bool crafty_graze_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    if (!crafty_think_is_over(think))
        return true;
    if (crafty_window_get(think->view, below(actor)) == think->work->grass) {
        actor->did |= CRAFTY_DID_EAT;
        actor->cell = below(actor);
    }
    return false;
}

/* ---- Flowers ---- */

bool crafty_visit_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    if (think->work->is_night || !crafty_think_chance(think, think->behaviour->chance))
        return false;
    int32_t reach = (int32_t)think->behaviour->distance;
    CnCell own = crafty_cell_of(actor->position);
    for (uint32_t i = 0; i < 24; i++) { /* a few looks around find one sooner or later */
        CnCell cell = {own.x + (int32_t)cn_random_range(&think->random, -reach, reach), own.y,
                       own.z + (int32_t)cn_random_range(&think->random, -reach, reach)};
        for (int32_t down = 2; down >= -6; down--) {
            cell.y = own.y + down;
            if (!crafty_creature_flower(think->work->kinds, crafty_window_get(think->view, cell)))
                continue;
            actor->mind->goal =
                cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.7f, (float)cell.z + 0.5f);
            return true;
        }
    }
    return false;
}

bool crafty_visit_act(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    CraftyGoing going = crafty_think_steer(think, mind->goal, crafty_think_speed(think), 0.3f);
    if (going == CRAFTY_BLOCKED)
        return false;
    if (going == CRAFTY_ARRIVED) {
        think->actor->wish = cn_vec3(0, 0, 0);
        mind->stuck = (uint16_t)(mind->stuck + think->actor->steps);
        return (float)mind->stuck < think->behaviour->seconds * TICKS_PER_SECOND;
    }
    return mind->ticks < LONGEST_WANDER;
}

/* ---- Hanging ---- */

static bool is_ceiling(CraftyThink *think, CnCell cell)
{
    return (crafty_think_traits(think, (CnCell){cell.x, cell.y + 1, cell.z}) & CRAFTY_PATH_SOLID) &&
           !(crafty_think_traits(think, cell) & (CRAFTY_PATH_SOLID | CRAFTY_PATH_WATER));
}

bool crafty_hang_wants(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    if (think->work->is_night || !crafty_think_chance(think, think->behaviour->chance))
        return false;
    CnCell cell = crafty_cell_of(actor->position);
    for (int32_t up = 0; up <= (int32_t)think->behaviour->distance; up++, cell.y++) {
        if (!is_ceiling(think, cell))
            continue;
        float height = actor->kind->height * crafty_creature_scale(actor->kind, actor->creature);
        actor->mind->goal =
            cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.99f - height, (float)cell.z + 0.5f);
        return true;
    }
    return false;
}

/* Only the night, the ceiling, a player or a blow ends it early: others come first in the list. */
bool crafty_hang_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnVec3 goal = actor->mind->goal;
    if (crafty_distance2(actor->transform->position, goal) > 0.04f)
        return crafty_think_steer(think, goal, crafty_think_speed(think), 0.1f) != CRAFTY_BLOCKED ||
               actor->mind->ticks < 60;
    actor->is_still = true;
    CnCell cell = crafty_cell_of(goal);
    return is_ceiling(think, cell) && !think->work->is_night && !crafty_think_is_over(think);
}

/* ---- Flocking ---- */

typedef struct Flock {
    const CraftyThink *think;
    CnVec3 middle, motion, away;
    uint32_t count;
} Flock;

static bool join(void *user, const CraftyActor *other)
{
    Flock *flock = user;
    const CraftyActor *own = flock->think->actor;
    if (other->is_dead)
        return true;
    CnVec3 way = cn_vec3_sub(own->position, other->position);
    float d = cn_vec3_dot(way, way);
    flock->middle = cn_vec3_add(flock->middle, other->position);
    flock->motion = cn_vec3_add(flock->motion, other->velocity);
    if (d < 1)
        flock->away = cn_vec3_add(flock->away, way);
    return ++flock->count < 12;
}

bool crafty_flock_wants(CraftyThink *think)
{
    Flock flock = {.think = think};
    if (!crafty_think_chance(think, think->behaviour->chance) ||
        is_outside(think, think->actor->position))
        return false;
    crafty_think_near(think, think->behaviour->distance, think->actor->kind->number, join, &flock);
    return flock.count > 0;
}

/* Cohesion, alignment and separation, with a little drift of its own. */
bool crafty_flock_act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    if ((think->work->tick + actor->creature->seed) % 4 == 0 || actor->mind->ticks <= 1) {
        Flock flock = {.think = think};
        crafty_think_near(think, think->behaviour->distance, think->actor->kind->number, join,
                          &flock);
        if (!flock.count)
            return false;
        float part = 1 / (float)flock.count;
        CnVec3 to = cn_vec3_sub(cn_vec3_scale(flock.middle, part), actor->position);
        CnVec3 want = cn_vec3_add(cn_vec3_scale(to, 0.35f), cn_vec3_scale(flock.motion, part));
        want = cn_vec3_add(want, cn_vec3_scale(flock.away, 1.5f));
        want.x += cn_random_f32_range(&think->random, -0.6f, 0.6f);
        want.y = 0.4f * want.y + cn_random_f32_range(&think->random, -0.3f, 0.3f);
        want.z += cn_random_f32_range(&think->random, -0.6f, 0.6f);
        actor->mind->goal = cn_vec3_add(actor->position, cn_vec3_scale(want, 2));
    }
    crafty_think_steer(think, actor->mind->goal, crafty_think_speed(think), 0.2f);
    hold_height(think);
    return !crafty_think_is_over(think);
}
