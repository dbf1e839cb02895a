/* Choosing behaviours: the first of the list whose conditions hold is active. */
#include "behaviours.h"

static bool wants(CraftyThink *think)
{
    const CraftyBehaviourCode *code = &crafty_behaviour_code[think->behaviour->kind];
    return code->wants && code->wants(think);
}

/* ---- Errands, which come before all behaviours ---- */

#define ERRAND_TICKS 1200u
#define ERRAND_NEAR 0.6f /* blocks */

static void run_errand(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    CraftyGoing going = crafty_think_go(think, mind->goal, think->actor->kind->speed, ERRAND_NEAR);
    mind->ticks = (uint16_t)(mind->ticks + think->actor->steps);
    if (going != CRAFTY_ARRIVED && mind->ticks < ERRAND_TICKS)
        return;
    mind->behaviour = CRAFTY_NO_BEHAVIOUR;
    crafty_think_stop(think);
}

bool crafty_creature_send(CnWorld *world, CnEntity entity, CnVec3 goal)
{
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    CraftyMind *mind = cn_get_mut(world, entity, CraftyMind);
    CraftyWalk *walk = cn_get_mut(world, entity, CraftyWalk);
    if (!creature || !mind || !walk || !(creature->health > 0))
        return false;
    mind->behaviour = CRAFTY_ERRAND;
    mind->ticks = 0;
    mind->goal = goal;
    walk->status = CRAFTY_WALK_NONE;
    return true;
}

/* ---- Behaviours ---- */

void crafty_creature_decide(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CraftyMind *mind = actor->mind;
    const CraftyCreatureKind *kind = actor->kind;
    if (mind->behaviour == CRAFTY_ERRAND)
        return;
    for (uint32_t i = 0; i < kind->behaviour_count; i++) {
        think->behaviour = &kind->behaviours[i];
        bool is_active = mind->behaviour == i;
        const CraftyBehaviourCode *code = &crafty_behaviour_code[think->behaviour->kind];
        if (is_active && (code->keeps ? code->keeps(think) : true))
            return;
        if (is_active) {
            mind->behaviour = CRAFTY_NO_BEHAVIOUR;
            crafty_think_stop(think);
            continue;
        }
        CnEntity target = mind->target;
        CnVec3 goal = mind->goal;
        if (wants(think)) {
            mind->behaviour = (uint8_t)i;
            mind->ticks = 0;
            crafty_think_stop(think);
            return;
        }
        mind->target = target;
        mind->goal = goal;
    }
}

void crafty_creature_act(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    if (mind->behaviour == CRAFTY_ERRAND) {
        run_errand(think);
        return;
    }
    if (mind->behaviour >= think->actor->kind->behaviour_count) {
        mind->behaviour = CRAFTY_NO_BEHAVIOUR;
        return;
    }
    think->behaviour = &think->actor->kind->behaviours[mind->behaviour];
    const CraftyBehaviourCode *code = &crafty_behaviour_code[think->behaviour->kind];
    if (mind->ticks < UINT16_MAX - think->actor->steps)
        mind->ticks = (uint16_t)(mind->ticks + think->actor->steps);
    if (code->act && code->act(think))
        return;
    mind->behaviour = CRAFTY_NO_BEHAVIOUR;
    crafty_think_stop(think);
}
