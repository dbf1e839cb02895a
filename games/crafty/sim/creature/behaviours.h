/* The table of behaviours. Each one reads the creature's surroundings and writes its mind, its wish
 * and what it did. */
#ifndef CRAFTY_SIM_CREATURE_BEHAVIOURS_H
#define CRAFTY_SIM_CREATURE_BEHAVIOURS_H

#include "creature_internal.h"

typedef struct CraftyBehaviourCode {
    bool (*wants)(CraftyThink *think); /* whether to begin; may choose target and goal */
    bool (*keeps)(CraftyThink *think); /* whether to go on; NULL: until it ends itself */
    bool (*act)(CraftyThink *think);   /* in every tick; returns false when it is done */
} CraftyBehaviourCode;

extern const CraftyBehaviourCode crafty_behaviour_code[CRAFTY_BEHAVIOUR_COUNT];

/* Returns whether something with this chance per second happens, once per decision. */
bool crafty_think_chance(CraftyThink *think, float per_second);
float crafty_think_speed(const CraftyThink *think);
bool crafty_think_is_over(const CraftyThink *think);
/* Returns whether the creature burns in the sun at this position. */
bool crafty_think_would_burn(CraftyThink *think, CnVec3 at);

bool crafty_panic_wants(CraftyThink *think);
bool crafty_panic_act(CraftyThink *think);
bool crafty_fuse_wants(CraftyThink *think);
bool crafty_fuse_act(CraftyThink *think);
bool crafty_attack_wants(CraftyThink *think);
bool crafty_attack_act(CraftyThink *think);
bool crafty_revenge_wants(CraftyThink *think);
bool crafty_revenge_act(CraftyThink *think);
bool crafty_hunt_wants(CraftyThink *think);
bool crafty_hunt_act(CraftyThink *think);
bool crafty_shelter_wants(CraftyThink *think);
bool crafty_shelter_act(CraftyThink *think);
bool crafty_avoid_wants(CraftyThink *think);
bool crafty_avoid_act(CraftyThink *think);

bool crafty_sit_wants(CraftyThink *think);
bool crafty_sit_act(CraftyThink *think);
bool crafty_tempt_wants(CraftyThink *think);
bool crafty_tempt_act(CraftyThink *think);
bool crafty_breed_wants(CraftyThink *think);
bool crafty_breed_act(CraftyThink *think);
bool crafty_owner_wants(CraftyThink *think);
bool crafty_owner_act(CraftyThink *think);
bool crafty_parent_wants(CraftyThink *think);
bool crafty_parent_act(CraftyThink *think);

bool crafty_flock_wants(CraftyThink *think);
bool crafty_flock_act(CraftyThink *think);
bool crafty_hang_wants(CraftyThink *think);
bool crafty_hang_act(CraftyThink *think);
bool crafty_visit_wants(CraftyThink *think);
bool crafty_visit_act(CraftyThink *think);
bool crafty_graze_wants(CraftyThink *think);
bool crafty_graze_act(CraftyThink *think);
bool crafty_look_wants(CraftyThink *think);
bool crafty_look_act(CraftyThink *think);
bool crafty_wander_wants(CraftyThink *think);
bool crafty_wander_act(CraftyThink *think);

bool crafty_script_keeps(CraftyThink *think);
bool crafty_script_act(CraftyThink *think);

#endif
