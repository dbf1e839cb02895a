/* Frames: what happens before and after each one, and the main loop. */
#ifndef CRAFTY_CLIENT_FRAME_H
#define CRAFTY_CLIENT_FRAME_H

#include "game.h"

/* Hooks of the engine; `user` is the Crafty. */
void crafty_frame_before(CnEngine *engine, void *user);
void crafty_frame_after_ticks(CnEngine *engine, void *user);
void crafty_frame_after(CnEngine *engine, void *user);

/* Returns what is streamed around a camera with the current settings. */
CraftyStreamView crafty_frame_view(const Crafty *crafty, CnVec3 position, CnQuat rotation);
CraftyStreamView crafty_frame_view_of_pose(const Crafty *crafty, const CraftyPose *pose);
/* Returns the duration of a frame of a capture. */
float crafty_frame_seconds(const Crafty *crafty);

#endif
