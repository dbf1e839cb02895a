/*
 * Controllers: components that move their object by CnInputState and CnGamepadState, in Update.
 *
 *     cn_add(world, eye, CnFlyCamera);                                // as usual
 *     cn_set(world, eye, CnFlyCamera, {.speed = 8, .boost = 4, .sensitivity = 0.12f});
 *     cn_add(world, player, CnPlayerController);
 *
 * Fly camera: mouse turns, W A S D move along the view, E or space up, Q or control down, shift is
 * faster.
 *
 * Player: yaw turns the object, pitch turns its `head` (or the first camera below it, or the object
 * itself if that is the camera), which stands at the height `eye`. W A S D walk on the ground, shift
 * sprints, control sneaks, space jumps, also a few ticks after the ground was left. Who knows about
 * the ground (physics, voxels) sets `external`, moves the object by `velocity`, and writes `grounded`
 * and what became of the velocity. Without such a one the controller falls onto y = floor by itself.
 *
 * Gamepad, the first that is connected: left stick moves, right stick turns; pressing the left stick
 * is shift, B is control, A jumps; triggers fly down and up.
 *
 * Mouse is followed while `captured` is set; by itself it is set by a click (what the mouse has moved in that tick does
 * not count) and cleared by escape.
 * Pitch ends at 89 degrees. Who turns the object by its transform turns it: the controller goes on from
 * there. Objects that are not active stay as they are.
 */
#ifndef CAIRN_SCENE_CONTROLLER_H
#define CAIRN_SCENE_CONTROLLER_H

#include <cairn/scene/object.h>
#include <cairn/sim/input.h>

CN_EXTERN_C_BEGIN

/* speed in units a second, sensitivity in degrees a pixel, angles in degrees. Of a new one: 8, four
 * times faster with shift, 0.002 radians a pixel. */
CN_COMPONENT(CnFlyCamera, (f32, speed), (f32, boost), (f32, sensitivity), (f32, yaw), (f32, pitch),
             (bool, captured));

/* Speeds in units a second: walk 4.3, sprint 7, sneak 1.3, jump 11.5; gravity -28, falling at most at
 * terminal, -50; eye at 1.62; floor 0; mouse as above. */
CN_COMPONENT(CnPlayerController, (entity, head), (f32, walk), (f32, sprint), (f32, sneak),
             (f32, jump), (f32, gravity), (f32, terminal), (f32, sensitivity), (f32, eye),
             (f32, floor), (f32, yaw), (f32, pitch), (vec3, velocity), (u32, airborne_ticks),
             (bool, grounded), (bool, captured), (bool, external));

/* Components, how they are shown, and systems; cn_camera_add is part of it. Calling it again is
 * harmless. */
CN_API bool cn_controller_add(CnWorld *world, CnError *error);

CN_EXTERN_C_END

#endif
