/* What mods decide: orders, which the behaviour "script" carries out. */
#include "behaviours.h"

#define TICKS_PER_SECOND 60
#define NEAR 0.8f

/* An order is kept in the mind: with a target, goal.x tells whether it is attacked. */
#define ATTACKS 1.0f

bool crafty_script_keeps(CraftyThink *think)
{
    return (float)think->actor->mind->ticks < think->behaviour->seconds * TICKS_PER_SECOND;
}

bool crafty_script_act(CraftyThink *think)
{
    CraftyMind *mind = think->actor->mind;
    if (mind->target.id)
        return mind->goal.x == ATTACKS ? crafty_attack_act(think) : crafty_tempt_act(think);
    if (crafty_think_go(think, mind->goal, crafty_think_speed(think), NEAR) == CRAFTY_ARRIVED)
        crafty_think_stop(think);
    return true;
}

bool crafty_creature_order(CnWorld *world, CnEntity entity, uint32_t behaviour,
                           const CraftyOrder *order)
{
    const CraftyCreatureKind *kind = crafty_creature_kind_of(world, entity);
    if (!kind || behaviour >= kind->behaviour_count ||
        kind->behaviours[behaviour].kind != CRAFTY_BEHAVIOUR_SCRIPT)
        return false;
    CraftyMind *mind = cn_get_mut(world, entity, CraftyMind);
    if (!mind)
        return false;
    bool is_own = mind->behaviour == behaviour;
    if (!is_own && mind->behaviour < behaviour) /* busy with something more important */
        return true;
    if (order->kind == CRAFTY_ORDER_NONE) {
        mind->behaviour = is_own ? CRAFTY_NO_BEHAVIOUR : mind->behaviour;
        return true;
    }
    mind->behaviour = (uint8_t)behaviour;
    mind->ticks = 0;
    mind->target = order->kind == CRAFTY_ORDER_GO ? (CnEntity){0} : order->target;
    mind->goal = order->kind == CRAFTY_ORDER_GO
                     ? order->goal
                     : cn_vec3(order->kind == CRAFTY_ORDER_ATTACK ? ATTACKS : 0, 0, 0);
    return true;
}
