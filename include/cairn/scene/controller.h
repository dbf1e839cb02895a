/*
 * Controllers: components that move their object according to the actions of a player, in Update.
 *
 *     void add_controllers(CnWorld *world, CnEntity camera, CnEntity player)
 *     {
 *         cn_add(world, camera, CnFlyCamera);                              // default values
 *         cn_get_mut(world, camera, CnFlyCamera)->speed = 20;
 *         cn_add(world, player, CnPlayerController);
 *     }
 *
 * CnFlyCamera: the mouse rotates, W A S D move along the view direction, E or space move up, Q or
 * control move down, and shift moves faster.
 *
 * CnPlayerController: yaw rotates the object; pitch rotates its `head` (or the first camera below
 * it, or the object itself if that is the camera), which is placed at the height `eye`. W A S D
 * walk on the ground, shift sprints, control sneaks and space jumps, also for a few ticks after
 * leaving the ground. A system that handles collisions with the ground (physics, voxels) sets
 * `external`, moves the object by `velocity`, and writes `grounded` and the resulting velocity.
 * Otherwise the controller falls onto the plane y = floor.
 *
 * Gamepad (the first one connected): the left stick moves and the right stick rotates; pressing the
 * left stick acts as shift, B as control, and A jumps; the triggers fly down and up.
 *
 * Actions. The keys and sticks above are the default bindings of the actions in
 * cn_controller_actions: "move", "look" (mouse), "look_rate" (stick), "rise", "fast", "slow",
 * "jump", "capture_mouse" and "release_mouse". An object with CnPlayerActions reads the actions of
 * that player, by these names in the list given to cn_player_actions_add. Other objects use the
 * default bindings, evaluated on the world's CnInputState and CnGamepadState.
 *
 * The controller follows the mouse while `captured` is set. A click sets it (mouse motion in that
 * tick is ignored) and Escape clears it. Pitch is limited to 89 degrees. When other code rotates
 * the object through its transform, the controller continues from there. Inactive objects are not
 * moved.
 */
#ifndef CAIRN_SCENE_CONTROLLER_H
#define CAIRN_SCENE_CONTROLLER_H

#include <cairn/input/player_actions.h>
#include <cairn/scene/object.h>
#include <cairn/sim/input.h>

CN_EXTERN_C_BEGIN

/* speed is in units per second, sensitivity in degrees per pixel, and angles are in degrees.
 * Defaults: speed 8, boost 4 (the factor while shift is held), sensitivity 0.1146 (0.002
 * radians). */
CN_COMPONENT(CnFlyCamera, (f32, speed), (f32, boost), (f32, sensitivity), (f32, yaw), (f32, pitch),
             (bool, captured));

/* Speeds are in units per second. Defaults: walk 4.3, sprint 7, sneak 1.3, jump 11.5; gravity
 * -28; terminal, the limit of the falling speed, -50; eye 1.62; floor 0; sensitivity as above. */
CN_COMPONENT(CnPlayerController, (entity, head), (f32, walk), (f32, sprint), (f32, sneak),
             (f32, jump), (f32, gravity), (f32, terminal), (f32, sensitivity), (f32, eye),
             (f32, floor), (f32, yaw), (f32, pitch), (vec3, velocity), (u32, airborne_ticks),
             (bool, grounded), (bool, captured), (bool, external));

/* Returns the actions of controllers with their default bindings, for CnActionMapDesc and
 * cn_player_actions_add. Static: any thread, valid forever. */
CN_API CnActionList cn_controller_actions(void);

/* Adds the components, their reflection and the systems; includes cn_camera_add. Calling it
 * again has no effect. */
CN_API bool cn_controller_add(CnWorld *world, CnError *error);

CN_EXTERN_C_END

#endif
