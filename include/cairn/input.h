/*
 * cairn/input: named actions, bound to keys, mouse and gamepads by a file, and an input of its own
 * for each player.
 *
 *     static const CnBinding jump[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_SPACE)}};
 *     static const CnActionDesc descs[] = {
 *         {.name = "jump", .bindings = jump, .binding_count = 1}};
 *
 *     CnError error = {0};
 *     CnActionMap *map = cn_action_map_create(&(CnActionMapDesc){.lists = {{descs, 1}}}, &error);
 *     cn_action_map_read(map, cn_native_files(), "bindings.json", &error);
 *     cn_action_map_destroy(map);
 */
#ifndef CAIRN_INPUT_H
#define CAIRN_INPUT_H

#include <cairn/input/action.h>
#include <cairn/input/action_map.h>
#include <cairn/input/control.h>
#include <cairn/input/player_actions.h>

#endif
