/*
 * Movement of the view that is not part of the simulation: the eye glides over steps, sinks when
 * the player sneaks, bobs with the distance walked, rolls when the player is hurt, and the field of
 * view widens while sprinting. Also the look of the mouse, without the delay of a tick.
 *
 *     CraftyCameraMotion motion = {0};
 *     CraftyEye eye = {.position = position, .rotation = rotation, .grounded = true};
 *     CraftyViewOptions options = {.bobs = true, .kicks_fov = true};
 *     CraftyCamera camera = crafty_camera_motion_frame(&motion, &eye, &options, seconds);
 *
 * Everything is a function of what the simulation shows and of the time between frames; nothing of
 * it flows back into the simulation.
 */
#ifndef CRAFTY_CLIENT_CAMERA_MOTION_H
#define CRAFTY_CLIENT_CAMERA_MOTION_H

#include "crafty/sim/motion.h"

typedef enum CraftyPerspective {
    CRAFTY_FIRST_PERSON,
    CRAFTY_FROM_BEHIND,
    CRAFTY_FROM_THE_FRONT,
    CRAFTY_PERSPECTIVE_COUNT
} CraftyPerspective;

/* Settings of the player. */
typedef struct CraftyViewOptions {
    bool bobs;           /* the view and the hand bob while walking */
    bool kicks_fov;      /* the field of view widens while sprinting */
    bool reduces_motion; /* neither roll nor bobbing nor kick */
    bool is_left_handed; /* the hand is on the left side */
} CraftyViewOptions;

/* The player as the simulation shows it in this frame, between two ticks. */
typedef struct CraftyEye {
    CnVec3 position; /* of the eye */
    CnQuat rotation;
    bool grounded, sneaks, sprints;
    bool is_hurt; /* since the last frame */
} CraftyEye;

typedef struct CraftyCameraMotion {
    bool has_last;
    CnVec3 last;    /* position in the last frame */
    float step;     /* blocks by which the eye is still below its position, after a step */
    float sneak;    /* 0 to 1 */
    float walked;   /* blocks, on the ground */
    float bob;      /* amplitude, 0 to 1 */
    float kick;     /* of the field of view, 0 to 1 */
    float hurt;     /* seconds since the player was hurt */
    bool is_rolled; /* it rolls because of that */
} CraftyCameraMotion;

typedef struct CraftyCamera {
    CnVec3 position;
    CnQuat rotation;
    float fov_factor; /* of the field of view */
    CnVec2 bob;       /* offset of the view, for the hand; x to the right, y up; blocks */
} CraftyCamera;

/* Advances the motion by a frame. A jump over several blocks, as by a teleport, restarts it. */
CraftyCamera crafty_camera_motion_frame(CraftyCameraMotion *motion, const CraftyEye *eye,
                                        const CraftyViewOptions *options, float seconds);

/* ---- Look ---- */

/*
 * Mouse motion reaches the simulation with the next tick. Until then the view already shows it:
 * the rotation of the last tick, turned by the motion that was sent since. Steady turning, as by a
 * stick, is continued between ticks, so that it is smooth at every frame rate. After the tick both
 * agree.
 */
typedef struct CraftyLook {
    CnVec2 sent;                /* degrees to the right and up, sent and not part of a tick yet */
    float yaw, pitch;           /* of the last tick; degrees */
    float yaw_rate, pitch_rate; /* by which a tick turns without the mouse */
    bool has_last;
} CraftyLook;

/* Notes mouse motion that was sent to the simulation: degrees to the right and up. */
void crafty_look_add(CraftyLook *look, float right, float up);
/* Returns the rotation to draw. `rotation`: of the last tick; `ticks`: run since the last call;
 * `alpha`: as cn_engine_alpha; `is_steady`: something else than the mouse turns the player. */
CnQuat crafty_look_frame(CraftyLook *look, CnQuat rotation, uint32_t ticks, float alpha,
                         bool is_steady);

#endif
