/* Converts keys, mouse and gamepads into the input of controllers. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_CONTROLLER_INPUT_H
#define CAIRN_SRC_SCENE_COMPONENT_CONTROLLER_INPUT_H

#include <cairn/scene/camera.h>

typedef struct CniLook {
    float right, up;
} CniLook;

typedef struct CniControls {
    CniLook move;       /* at most 1 along each axis; up is forward */
    CniLook mouse;      /* pixels */
    CniLook stick_look; /* degrees per second */
    float rise;         /* -1 to 1 */
    bool fast, slow, jump;
    bool capture, release; /* requests to capture and release the mouse */
} CniControls;

/* Returns the input of this tick; nothing is held in a world without input. */
CniControls cni_controls(const CnWorld *world);

#endif
