/*
 * What the local player sees of bodies: the camera in first and third person, the hand, figures of
 * players, drops and creatures; and the texts of signs.
 *
 *     CraftyPlayerView *view = crafty_player_view_create(&error);
 *     crafty_player_view_add(view, world, &error);        // once, to a world
 *     crafty_player_view_input(view, &actions, degrees);  // before the ticks
 *     CraftyPlayerViewFrame frame = {.world = world, .player = player, .alpha = alpha};
 *     crafty_player_view_frame(view, &frame, &shown);     // after the ticks
 *
 * The models are drawn by the Block models features, which use crafty_player_view_models.
 */
#ifndef CRAFTY_CLIENT_PLAYER_VIEW_H
#define CRAFTY_CLIENT_PLAYER_VIEW_H

#include "bodies.h"
#include "camera_motion.h"
#include "creature_view.h"
#include "drop_models.h"
#include "figure.h"
#include "held_item.h"
#include "sign_text.h"

#include <cairn/input.h>

#define CRAFTY_CAMERA_DISTANCE 4.0f /* blocks, in third person */

typedef struct CraftyPlayerView CraftyPlayerView;

/* Returns NULL and an error when out of memory. */
CraftyPlayerView *crafty_player_view_create(CnError *error);
/* Adds the systems that note positions. */
bool crafty_player_view_add(CraftyPlayerView *view, CnWorld *world, CnError *error);
/* After the features that draw its models, and the world. NULL is ignored. */
void crafty_player_view_destroy(CraftyPlayerView *view);
CnBlockModels *crafty_player_view_models(const CraftyPlayerView *view);
CraftyCreatureView *crafty_player_view_creatures(const CraftyPlayerView *view);

/* Notes the actions that were sent to the simulation in this frame, and the sensitivity of the
 * mouse there: degrees per pixel, 0 while the mouse is not captured. */
void crafty_player_view_input(CraftyPlayerView *view, const CnActions *actions, float sensitivity);
/* Shows the player from the next perspective: first person, from behind, from the front. */
void crafty_player_view_cycle(CraftyPlayerView *view);
void crafty_player_view_set(CraftyPlayerView *view, CraftyPerspective perspective);
CraftyPerspective crafty_player_view_perspective(const CraftyPlayerView *view);

typedef struct CraftyPlayerViewFrame {
    const CnWorld *world;
    CnVoxels *voxels;
    const CraftyItems *items;
    CnEntity player; /* the local one; may be the camera of a tour */
    float alpha;     /* cn_engine_alpha */
    float seconds;   /* since the last frame */
    float aspect;    /* of the image */
    CraftyViewOptions options;
    bool shows_hand;   /* in first person */
    bool moves_camera; /* otherwise the camera is that of the simulation */
} CraftyPlayerViewFrame;

/* A camera that is not valid: that of the simulation is used. */
typedef struct CraftyShownView {
    CnRenderCamera camera;
    float fov_factor; /* of the field of view of the lens */
} CraftyShownView;

/* Publishes the models of this frame, and returns its camera. */
void crafty_player_view_frame(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame,
                              CraftyShownView *shown);

/* Returns how far the camera can be from the eye in a direction, at most CRAFTY_CAMERA_DISTANCE:
 * blocks in between do not hide the player, and the image does not cut into them. */
float crafty_camera_distance(CnVoxels *voxels, CnVec3 eye, CnVec3 direction);

#endif
