/* Converts keys, mouse and gamepads into the input of controllers. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_CONTROLLER_INPUT_H
#define CAIRN_SRC_SCENE_COMPONENT_CONTROLLER_INPUT_H

#include <cairn/scene/camera.h>

typedef struct CniSceneInputAxes {
    float right, up;
} CniSceneInputAxes;

typedef struct CniSceneControllerInput {
    CniSceneInputAxes move;       /* at most 1 along each axis; up is forward */
    CniSceneInputAxes mouse;      /* pixels */
    CniSceneInputAxes stick_look; /* degrees per second */
    float rise;                   /* -1 to 1 */
    bool fast, slow, jump;
    bool capture, release; /* requests to capture and release the mouse */
} CniSceneControllerInput;

/* Returns the input of this tick; nothing is held in a world without input. */
CniSceneControllerInput cni_scene_controller_input(const CnWorld *world);

#endif
