/* What controllers make of keys, mouse and gamepads. */
#ifndef CAIRN_SCENE_CONTROLLER_INPUT_H
#define CAIRN_SCENE_CONTROLLER_INPUT_H

#include <cairn/scene/camera.h>

typedef struct CniLook {
    float right, up;
} CniLook;

typedef struct CniControls {
    CniLook move;       /* of at most length 1 along each axis; up is forward */
    CniLook mouse;      /* pixels */
    CniLook stick_look; /* degrees a second */
    float rise;         /* -1 to 1 */
    bool fast, slow, jump;
    bool capture, release; /* the mouse was asked for, or given back */
} CniControls;

/* Of this tick; nothing is held in a world without input. */
CniControls cni_controls(const CnWorld *world);

#endif
