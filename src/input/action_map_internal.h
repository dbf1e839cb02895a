/* The content of an action map: fixed tables, so that reading and rebinding allocate nothing. */
#ifndef CAIRN_SRC_INPUT_ACTION_MAP_INTERNAL_H
#define CAIRN_SRC_INPUT_ACTION_MAP_INTERNAL_H

#include <cairn/input/action_map.h>

struct CnActionMap {
    CnAllocator *allocator;
    uint32_t count;
    uint32_t gamepad, default_gamepad;
    CnActionDesc actions[CN_MAX_ACTIONS]; /* refer to the names and bindings below */
    char names[CN_MAX_ACTIONS][CN_ACTION_NAME_BYTES];
    CnBinding bindings[CN_MAX_ACTIONS][CN_MAX_BINDINGS];
    CnBinding defaults[CN_MAX_ACTIONS][CN_MAX_BINDINGS];
    uint32_t default_counts[CN_MAX_ACTIONS];
};

#define CNI_INPUT_FILE_VERSION 1

/* Replaces the bindings of an action; they have been checked. */
void cni_input_map_bind(CnActionMap *map, uint32_t number, const CnBinding *bindings,
                        uint32_t count);

#endif
