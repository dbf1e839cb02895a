#include <cairn/input/action.h>

/* ---- Checks ---- */

static bool is_gamepad_axis(CnControl control)
{
    return control.kind == CN_CONTROL_GAMEPAD_AXIS;
}

static bool is_none(CnControl control)
{
    return control.kind == CN_CONTROL_NONE;
}

/* Returns false for NaN. */
static bool in_range(float value, float limit)
{
    return value >= -limit && value <= limit;
}

/* Returns what is wrong with the controls, or NULL. */
static const char *wrong_controls(const CnActionDesc *action, const CnBinding *binding)
{
    CnControl control = binding->control, negative = binding->negative;
    if ((!is_none(control) && !cn_control_valid(control)) ||
        (!is_none(negative) && !cn_control_valid(negative)))
        return "there is no such control";
    if (is_none(control) && is_none(negative))
        return "a binding needs a control";
    if (action->kind == CN_ACTION_BUTTON && !is_none(negative))
        return "a button has no opposite direction; bind an axis, or remove \"negative\"";
    if (!is_none(negative) &&
        (!cn_control_is_button(negative) || (!is_none(control) && !cn_control_is_button(control))))
        return "\"negative\" combines two keys or buttons; for other controls use \"scale\": -1";
    if (control.kind == CN_CONTROL_MOUSE_MOTION && action->kind == CN_ACTION_BUTTON)
        return "motion of mouse and wheel cannot be bound to a button";
    if (control.kind == CN_CONTROL_MOUSE_MOTION && !action->relative)
        return "motion of mouse and wheel can be bound only to relative axes";
    if (is_gamepad_axis(control) && action->relative)
        return "sticks and triggers cannot be bound to relative axes";
    return NULL;
}

static const char *wrong_numbers(const CnActionDesc *action, const CnBinding *binding)
{
    bool is_button =
        !is_gamepad_axis(binding->control) && binding->control.kind != CN_CONTROL_MOUSE_MOTION;
    if (!in_range(binding->scale, CN_ACTION_MAX_SCALE))
        return "the scale must be a number from -1000 to 1000";
    if (is_button && binding->scale < 0)
        return "the scale of a key or button must be positive; use \"negative\" for a direction";
    if (action->kind == CN_ACTION_BUTTON && is_button && binding->scale != 0)
        return "a key or button that is bound to a button has no scale";
    if (!(binding->dead_zone >= -1 && binding->dead_zone < 1))
        return "the dead zone must be at least 0 and less than 1";
    if (binding->dead_zone != 0 && !is_gamepad_axis(binding->control))
        return "only sticks and triggers have a dead zone";
    if (binding->component > (action->kind == CN_ACTION_AXIS2 ? 1u : 0u))
        return "there is no such component; an axis2 has x (0) and y (1)";
    return NULL;
}

bool cn_binding_check(const CnActionDesc *action, const CnBinding *binding, CnError *error)
{
    CN_ASSERT(action, "%s: action is NULL", __func__);
    const char *wrong = wrong_controls(action, binding);
    if (!wrong)
        wrong = wrong_numbers(action, binding);
    return !wrong ||
           cn_error_set(error, CN_ERROR_MISMATCH, "action \"%s\": %s", action->name, wrong);
}

static bool is_name(const char *name)
{
    size_t size = 0;
    if (!name)
        return false;
    for (; name[size] && size < CN_ACTION_NAME_BYTES; size++) {
        char c = name[size];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return size > 0 && size < CN_ACTION_NAME_BYTES;
}

static uint32_t axis_count(const CnActionDesc *action)
{
    return action->kind == CN_ACTION_AXIS2 ? 2 : action->kind == CN_ACTION_AXIS ? 1 : 0;
}

static bool check_action(CnActionList list, uint32_t number, CnError *error)
{
    const CnActionDesc *action = &list.actions[number];
    if (!is_name(action->name))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "action %u: names have 1 to %u lower-case letters, digits and '_'",
                            number, CN_ACTION_NAME_BYTES - 1);
    if (action->kind < 0 || action->kind >= CN_ACTION_KIND_COUNT ||
        (action->relative && action->kind == CN_ACTION_BUTTON))
        return cn_error_set(error, CN_ERROR_MISMATCH, "action \"%s\": there is no such kind",
                            action->name);
    if (action->binding_count > CN_MAX_BINDINGS)
        return cn_error_set(error, CN_ERROR_LIMIT, "action \"%s\" has more than %u bindings",
                            action->name, CN_MAX_BINDINGS);
    for (uint32_t i = 0; i < number; i++)
        if (strcmp(list.actions[i].name, action->name) == 0)
            return cn_error_set(error, CN_ERROR_EXISTS, "there are two actions named \"%s\"",
                                action->name);
    for (uint32_t i = 0; i < action->binding_count; i++)
        if (!cn_binding_check(action, &action->bindings[i], error))
            return false;
    return true;
}

bool cn_action_list_check(CnActionList list, CnError *error)
{
    uint32_t axes = 0;
    if (list.count > CN_MAX_ACTIONS)
        return cn_error_set(error, CN_ERROR_LIMIT, "there are more than %u actions",
                            CN_MAX_ACTIONS);
    for (uint32_t i = 0; i < list.count; i++) {
        if (!check_action(list, i, error))
            return false;
        axes += axis_count(&list.actions[i]);
    }
    return axes <= CN_MAX_ACTION_AXES ||
           cn_error_set(error, CN_ERROR_LIMIT, "the actions have more than %u axes",
                        CN_MAX_ACTION_AXES);
}

/* ---- Lookup ---- */

CnAction cn_action_find(CnActionList list, const char *name)
{
    uint32_t axis = 0;
    CN_ASSERT(list.count <= CN_MAX_ACTIONS, "the list has too many actions");
    for (uint32_t i = 0; i < list.count && i < CN_MAX_ACTIONS; i++) {
        const CnActionDesc *action = &list.actions[i];
        if (strcmp(action->name, name) == 0)
            return (CnAction){(uint8_t)(i + 1), (uint8_t)action->kind, (uint8_t)axis};
        axis += axis_count(action);
    }
    return (CnAction){0, 0, 0};
}

uint32_t cn_actions_relative_axes(CnActionList list)
{
    uint32_t bits = 0, axis = 0;
    for (uint32_t i = 0; i < list.count && axis < CN_MAX_ACTION_AXES; i++)
        for (uint32_t n = axis_count(&list.actions[i]); n && axis < CN_MAX_ACTION_AXES; n--)
            bits |= (uint32_t)list.actions[i].relative << axis++;
    return bits;
}

/* ---- Conflicts ---- */

static bool is_bound(const CnActionDesc *action, CnControl control)
{
    for (uint32_t i = 0; i < action->binding_count; i++)
        if (cn_control_equal(action->bindings[i].control, control) ||
            cn_control_equal(action->bindings[i].negative, control))
            return true;
    return false;
}

/* Returns whether an earlier binding of the action has the control already. */
static bool is_repeated(const CnActionDesc *action, uint32_t binding, CnControl control)
{
    CnActionDesc before = *action;
    before.binding_count = binding;
    return is_bound(&before, control);
}

typedef struct ConflictOutput {
    CnActionConflict *conflicts;
    uint32_t capacity, count;
} ConflictOutput;

static void add_conflicts(ConflictOutput *output, CnControl control, uint32_t first,
                          CnActionList second, uint32_t begin)
{
    for (uint32_t i = begin; i < second.count; i++) {
        if (is_none(control) || !is_bound(&second.actions[i], control))
            continue;
        if (output->count < output->capacity)
            output->conflicts[output->count] = (CnActionConflict){control, first, i};
        output->count++;
    }
}

uint32_t cn_action_conflicts(CnActionList first, CnActionList second, CnActionConflict *conflicts,
                             uint32_t capacity)
{
    bool same = first.actions == second.actions;
    ConflictOutput output = {conflicts, capacity, 0};
    for (uint32_t i = 0; i < first.count; i++) {
        const CnActionDesc *action = &first.actions[i];
        for (uint32_t b = 0; b < action->binding_count; b++) {
            CnControl control = action->bindings[b].control;
            CnControl negative = action->bindings[b].negative;
            if (!is_repeated(action, b, control))
                add_conflicts(&output, control, i, second, same ? i + 1 : 0);
            if (!is_repeated(action, b, negative) && !cn_control_equal(control, negative))
                add_conflicts(&output, negative, i, second, same ? i + 1 : 0);
        }
    }
    return output.count;
}
