/* Converts actions into the input of controllers. */
#ifndef CAIRN_SRC_SCENE_COMPONENT_CONTROLLER_INPUT_H
#define CAIRN_SRC_SCENE_COMPONENT_CONTROLLER_INPUT_H

#include <cairn/input/player_actions.h>

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

/* The actions of controllers in a list; those that the list does not have are all zeros. */
typedef struct CniSceneControllerActions {
    CnAction move, look, look_rate, rise, fast, slow, jump, capture, release;
} CniSceneControllerActions;

CniSceneControllerActions cni_scene_controller_find_actions(CnActionList list);
CniSceneControllerInput cni_scene_controller_input(const CniSceneControllerActions *found,
                                                   const CnActions *actions);
/* Returns the input of objects without CnPlayerActions: the default bindings, evaluated on the
 * world's device state. Nothing is held in a world without input. */
CniSceneControllerInput cni_scene_controller_default_input(const CnWorld *world);

#endif
