#include "input/action_map_internal.h"

/* ---- Creation ---- */

static void copy_action(CnActionMap *map, const CnActionDesc *desc)
{
    uint32_t number = map->count++;
    CnActionDesc *action = &map->actions[number];
    *action = *desc;
    cn_copy_text(map->names[number], CN_ACTION_NAME_BYTES, cn_text(desc->name));
    action->name = map->names[number];
    action->bindings = map->bindings[number];
    map->default_counts[number] = desc->binding_count;
    for (uint32_t i = 0; i < desc->binding_count; i++)
        map->bindings[number][i] = map->defaults[number][i] = desc->bindings[i];
}

static bool copy_actions(CnActionMap *map, const CnActionMapDesc *desc, CnError *error)
{
    for (uint32_t l = 0; l < CN_MAX_ACTION_LISTS; l++) {
        CnActionList list = desc->lists[l];
        if (list.count > CN_MAX_ACTIONS - map->count)
            return cn_error_set(error, CN_ERROR_LIMIT, "there are more than %u actions",
                                CN_MAX_ACTIONS);
        /* Each list before it is copied, because the copy has no room for wrong ones. */
        if (!cn_action_list_check(list, error))
            return false;
        for (uint32_t i = 0; i < list.count; i++)
            copy_action(map, &list.actions[i]);
    }
    return cn_action_list_check(cn_action_map_actions(map), error);
}

CnActionMap *cn_action_map_create(const CnActionMapDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    CnActionMap *map = cn_alloc_zeroed(desc->allocator, sizeof *map);
    if (!map) {
        cn_error_memory(error, "an action map");
        return NULL;
    }
    map->allocator = desc->allocator;
    if (!copy_actions(map, desc, error) || !cn_action_map_set_gamepad(map, desc->gamepad, error)) {
        cn_action_map_destroy(map);
        return NULL;
    }
    map->default_gamepad = desc->gamepad;
    return map;
}

void cn_action_map_destroy(CnActionMap *map)
{
    if (map)
        cn_free(map->allocator, map, sizeof *map);
}

/* ---- Use ---- */

CnActionList cn_action_map_actions(const CnActionMap *map)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    return (CnActionList){map->actions, map->count};
}

uint32_t cn_action_map_gamepad(const CnActionMap *map)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    return map->gamepad;
}

bool cn_action_map_set_gamepad(CnActionMap *map, uint32_t gamepad, CnError *error)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    if (gamepad > CN_GAMEPAD_COUNT)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "there is no gamepad %u; gamepads are numbered 1 to %u", gamepad,
                            CN_GAMEPAD_COUNT);
    map->gamepad = gamepad;
    return true;
}

void cni_input_map_bind(CnActionMap *map, uint32_t number, const CnBinding *bindings,
                        uint32_t count)
{
    if (count)
        memmove(map->bindings[number], bindings, count * sizeof *bindings);
    map->actions[number].binding_count = count;
}

bool cn_action_map_bind(CnActionMap *map, const char *name, const CnBinding *bindings,
                        uint32_t count, CnError *error)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "input", NULL);
    CnAction action = cn_action_find(cn_action_map_actions(map), name);
    if (!action.number)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no action \"%s\"", name);
    if (count > CN_MAX_BINDINGS)
        return cn_error_set(error, CN_ERROR_LIMIT, "action \"%s\" has more than %u bindings", name,
                            CN_MAX_BINDINGS);
    uint32_t number = action.number - 1u;
    for (uint32_t i = 0; i < count; i++)
        if (!cn_binding_check(&map->actions[number], &bindings[i], error))
            return false;
    cni_input_map_bind(map, number, bindings, count);
    return true;
}

void cn_action_map_reset(CnActionMap *map)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    for (uint32_t i = 0; i < map->count; i++)
        cni_input_map_bind(map, i, map->defaults[i], map->default_counts[i]);
    map->gamepad = map->default_gamepad;
}

void cn_action_map_evaluate(const CnActionMap *map, const CnInputState *input,
                            const CnGamepadState *gamepads, CnActions *actions)
{
    CN_ASSERT(map, "%s: map is NULL", __func__);
    cn_actions_evaluate(cn_action_map_actions(map), input, gamepads, map->gamepad, actions);
}
