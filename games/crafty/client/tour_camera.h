/* The camera on a tour: commands for its pose, the time of day and the weather in each frame;
 * screenshots and progress. */
#ifndef CRAFTY_CLIENT_TOUR_CAMERA_H
#define CRAFTY_CLIENT_TOUR_CAMERA_H

#include "game.h"

/* Call at the start of a frame. Returns the pose of the camera after the next tick. */
CraftyPose crafty_tour_camera_frame(Crafty *crafty);

#endif
