/*
 * How players move: CraftyMotion, and the system CraftyWalking of Update. Walks, sprints, sneaks,
 * jumps, swims, climbs, and flies in creative mode; spectators are moved by their CnFlyCamera.
 *
 *     crafty_motion_add(world, &error);
 *     if (cn_get(world, player, CraftyMotion)->sneaks)
 *         lower_the_camera(); // the body stays as it is; see crafty_player_eye
 *
 * Walking is 4.3 blocks a second, sprinting 7, sneaking 1.3. A player sprints forward with the
 * action "fast" or after tapping forward twice, until it stops, sneaks or is too hungry. A jump is
 * possible up to 6 ticks after leaving the ground, and only once then. A sneaking player does not
 * step over an edge. Blocks that can be climbed: those that are `climbable`.
 */
#ifndef CRAFTY_SIM_MOTION_H
#define CRAFTY_SIM_MOTION_H

#include "player.h"

#define CRAFTY_PREFERS_AUTO_JUMP 1u /* jumps onto blocks that are in the way */
#define CRAFTY_PREFERENCES_ALL 1u

/*
 * Fields:
 *     velocity         blocks per second, after collisions
 *     grounded         stands on something
 *     sprints, sneaks  as decided in this tick
 *     climbs           holds on to a ladder
 *     preferences      bits, CRAFTY_PREFERS_...; by CRAFTY_COMMAND_PREFERENCES
 *     airborne_ticks   since the player last stood
 *     forward_ticks    since forward was last pressed; for tapping twice
 *     jump_ticks       since jump was last pressed
 *     is_forward       forward was held in the last tick
 *     walked           blocks walked on the ground, modulo 1,024: for steps and bobbing
 */
CN_COMPONENT(CraftyMotion, (vec3, velocity), (bool, grounded), (bool, sprints), (bool, sneaks),
             (bool, climbs), (u8, preferences), (u8, airborne_ticks), (u8, forward_ticks),
             (u8, jump_ticks), (bool, is_forward), (f32, walked));

/* Returns whether the eye of a player is lower because it sneaks; not while it flies. */
bool crafty_player_is_low(const CnWorld *world, CnEntity player);
/* Returns the eye from which a player aims: CRAFTY_SNEAK_DROP lower while sneaking, as in the view.
 */
#define CRAFTY_SNEAK_DROP 0.2f /* blocks */
CnVec3 crafty_player_eye(const CnWorld *world, CnEntity player);

/* Pushes a player: the velocity along the ground fades within half a second. */
CN_COMPONENT(CraftyPush, (vec3, velocity));
void crafty_player_push(CnWorld *world, CnEntity player, CnVec3 velocity);

/* Adds the component and the system. Calling it again is harmless. */
bool crafty_motion_add(CnWorld *world, CnError *error);
/* Moves a player, or the camera of a tour, to a pose, at rest and without a fall. Returns false if
 * the entity is neither. */
bool crafty_player_teleport(CnWorld *world, CnEntity player, const CraftyPose *pose);

#endif
