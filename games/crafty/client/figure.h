/*
 * Figures of players: head, body, arms and legs as boxes. Arms and legs swing with the distance
 * walked, the head follows the look, and the hand holds the item.
 *
 *     CraftyFigure figure = {0}; // one for each player
 *     CraftyFigureFrame frame = {.feet = feet, .yaw = 90, .speed = 4.3f, .seconds = dt};
 *     crafty_figure_frame(&figure, &frame, models); // every frame
 */
#ifndef CRAFTY_CLIENT_FIGURE_H
#define CRAFTY_CLIENT_FIGURE_H

#include "item_model.h"

typedef struct CraftyFigure {
    bool has_last;
    float body_yaw; /* degrees; follows the head and the way */
    float stride;   /* amplitude of the steps, 0 to 1 */
    float phase;    /* of the steps, radians */
    float sneak;    /* 0 to 1 */
    float swim;     /* 0 to 1: lies on the water */
    CnVec3 last;    /* position of the feet */
    CraftyLight light;
} CraftyFigure;

typedef struct CraftyFigureFrame {
    CnVec3 feet;
    float yaw, pitch; /* of the look, degrees: yaw 0 looks along -z, positive pitch up */
    bool sneaks, swims, grounded;
    float swing_ticks; /* as in CraftyHeldFrame */
    float hurt;        /* 0 to 1: just hurt */
    CraftyItemModel held;
    uint32_t number; /* of the player: selects the color of the shirt */
    bool is_left_handed;
    bool is_shadow; /* only its shadow is drawn */
    CraftyLight light;
    float seconds; /* since the last frame */
} CraftyFigureFrame;

/* Advances by a frame and adds the parts to the layer of the world. */
void crafty_figure_frame(CraftyFigure *figure, const CraftyFigureFrame *frame,
                         CnBlockModels *models);
/* Adds the arm of the local player to the layer of the hand. */
void crafty_figure_arm(CnBlockModels *models, const CnAffine *hand, bool is_left_handed,
                       CraftyLight light);

#endif
