#include "binding_rows.h"

#include "crafty/sim/actions.h"

#include <string.h>

/* ---- Rows ---- */

static bool is_hidden(const char *name)
{
    return !strcmp(name, "capture_mouse") || !strcmp(name, "release_mouse") ||
           !strcmp(name, "look"); /* the mouse itself */
}

static CraftySection section_of(const char *name)
{
    static const char *const movement[] = {"move", "look_rate", "rise",      "fast",
                                           "slow", "jump",      "toggle_fly"};
    for (uint32_t i = 0; i < CN_COUNT_OF(movement); i++)
        if (!strcmp(name, movement[i]))
            return CRAFTY_SECTION_MOVEMENT;
    return cn_action_find(crafty_actions(), name).number ? CRAFTY_SECTION_HANDS
                                                         : CRAFTY_SECTION_INTERFACE;
}

static const char *direction_title(const char *name, uint32_t component, CraftyRowPart part)
{
    static const struct {
        const char *name, *positive, *negative, *analog;
        uint32_t component;
    } titles[] = {{"move", "Move right", "Move left", "Move with stick", 0},
                  {"move", "Move forward", "Move back", "", 1},
                  {"look_rate", "Look right", "Look left", "Look with stick", 0},
                  {"look_rate", "Look up", "Look down", "", 1},
                  {"rise", "Fly up", "Fly down", "Fly with stick", 0},
                  {"next_slot", "Next slot", "Previous slot", "Change slot with wheel", 0}};
    for (uint32_t i = 0; i < CN_COUNT_OF(titles); i++)
        if (!strcmp(titles[i].name, name) && titles[i].component == component)
            return part == CRAFTY_ROW_POSITIVE   ? titles[i].positive
                   : part == CRAFTY_ROW_NEGATIVE ? titles[i].negative
                                                 : titles[i].analog;
    return NULL;
}

static void add_row(CraftyBindingRow *rows, uint32_t *count, CraftyBindingRow row, const char *name)
{
    const char *title =
        row.part == CRAFTY_ROW_BUTTON ? NULL : direction_title(name, row.component, row.part);
    if (*count == CRAFTY_MAX_BINDING_ROWS)
        return;
    if (title)
        cn_copy_text(row.title, sizeof row.title, cn_text(title));
    else
        cn_format(row.title, sizeof row.title, "%s%s", crafty_action_title(name),
                  row.part == CRAFTY_ROW_POSITIVE   ? " +"
                  : row.part == CRAFTY_ROW_NEGATIVE ? " -"
                                                    : "");
    rows[(*count)++] = row;
}

static void add_action(CraftyBindingRow *rows, uint32_t *count, const CnActionDesc *action,
                       uint32_t number, CraftySection section)
{
    CraftyBindingRow row = {.action = number, .section = section};
    if (action->kind == CN_ACTION_BUTTON) {
        add_row(rows, count, row, action->name);
        return;
    }
    for (uint32_t i = action->kind == CN_ACTION_AXIS2 ? 2 : 1; i-- > 0;) { /* forward first */
        row.component = i;
        row.part = CRAFTY_ROW_POSITIVE;
        add_row(rows, count, row, action->name);
        row.part = CRAFTY_ROW_NEGATIVE;
        add_row(rows, count, row, action->name);
    }
    row.part = CRAFTY_ROW_ANALOG;
    add_row(rows, count, row, action->name);
}

uint32_t crafty_binding_rows(CnActionList list, CraftyBindingRow rows[CRAFTY_MAX_BINDING_ROWS])
{
    uint32_t count = 0;
    for (uint32_t section = 0; section < CRAFTY_SECTION_COUNT; section++)
        for (uint32_t i = 0; i < list.count; i++)
            if (!is_hidden(list.actions[i].name) &&
                section_of(list.actions[i].name) == (CraftySection)section)
                add_action(rows, &count, &list.actions[i], i, (CraftySection)section);
    return count;
}

/* ---- Controls ---- */

static bool is_in(CnControl control, CraftyColumn column)
{
    bool is_gamepad =
        control.kind == CN_CONTROL_GAMEPAD_BUTTON || control.kind == CN_CONTROL_GAMEPAD_AXIS;
    return cn_control_valid(control) && is_gamepad == (column == CRAFTY_COLUMN_GAMEPAD);
}

/* Returns the control of a binding that belongs to a row, or none. */
static CnControl part_of(const CnBinding *binding, const CraftyBindingRow *row, CraftyColumn column)
{
    CnControl none = {0};
    CnControl control = row->part == CRAFTY_ROW_NEGATIVE ? binding->negative : binding->control;
    bool is_analog = row->part != CRAFTY_ROW_BUTTON && cn_control_valid(binding->control) &&
                     !cn_control_is_button(binding->control);
    if (!is_in(control, column) || is_analog != (row->part == CRAFTY_ROW_ANALOG))
        return none;
    return row->part == CRAFTY_ROW_ANALOG || binding->component == row->component ? control : none;
}

static bool is_stored(const CraftyRowControl *controls, uint32_t count, CraftyRowControl control)
{
    for (uint32_t i = 0; i < count; i++)
        if (cn_control_equal(controls[i].control, control.control) &&
            controls[i].is_negative == control.is_negative)
            return true;
    return false;
}

uint32_t crafty_binding_controls(CnActionList list, const CraftyBindingRow *row,
                                 CraftyColumn column,
                                 CraftyRowControl controls[CRAFTY_MAX_ROW_CONTROLS])
{
    const CnActionDesc *action = &list.actions[row->action];
    uint32_t count = 0;
    for (uint32_t i = 0; i < action->binding_count; i++) {
        const CnBinding *binding = &action->bindings[i];
        CraftyRowControl control = {part_of(binding, row, column),
                                    row->part == CRAFTY_ROW_BUTTON && binding->scale < 0};
        bool is_other_axis = row->part == CRAFTY_ROW_ANALOG && binding->component == 1;
        if (cn_control_valid(control.control) && !is_other_axis &&
            count < CRAFTY_MAX_ROW_CONTROLS && !is_stored(controls, count, control))
            controls[count++] = control;
    }
    return count;
}

/* ---- Changes ---- */

typedef struct Bindings {
    CnBinding items[CN_MAX_BINDINGS + 2];
    uint32_t count;
} Bindings;

/* Copies the bindings of the action without those of the row and column. */
static Bindings without(const CnActionDesc *action, const CraftyBindingRow *row,
                        CraftyColumn column)
{
    Bindings bindings = {.count = 0};
    for (uint32_t i = 0; i < action->binding_count; i++) {
        CnBinding binding = action->bindings[i];
        if (cn_control_valid(part_of(&binding, row, column))) {
            if (row->part == CRAFTY_ROW_NEGATIVE)
                binding.negative = (CnControl){0};
            else
                binding.control = (CnControl){0};
        }
        if (cn_control_valid(binding.control) || cn_control_valid(binding.negative))
            bindings.items[bindings.count++] = binding;
    }
    return bindings;
}

/* A direction joins a binding that has only the opposite one. */
static void add_direction(Bindings *bindings, const CraftyBindingRow *row, CraftyColumn column,
                          CnControl control)
{
    bool is_negative = row->part == CRAFTY_ROW_NEGATIVE;
    for (uint32_t i = 0; i < bindings->count; i++) {
        CnBinding *binding = &bindings->items[i];
        CnControl other = is_negative ? binding->control : binding->negative;
        CnControl own = is_negative ? binding->negative : binding->control;
        if (binding->component != row->component || cn_control_valid(own) ||
            !cn_control_is_button(other) || !is_in(other, column))
            continue;
        if (is_negative)
            binding->negative = control;
        else
            binding->control = control;
        return;
    }
    CnBinding binding = {.component = row->component};
    if (is_negative)
        binding.negative = control;
    else
        binding.control = control;
    bindings->items[bindings->count++] = binding;
}

/* Both axes of a stick, up being positive; or one axis, positive as it was moved. */
static void add_analog(Bindings *bindings, const CnActionDesc *action, CraftyRowControl control)
{
    CnControl axis = control.control;
    if (action->kind == CN_ACTION_AXIS2) {
        axis.code = (uint16_t)(axis.code & ~1u);
        bindings->items[bindings->count++] = (CnBinding){.control = axis};
        axis.code++;
        bindings->items[bindings->count++] =
            (CnBinding){.control = axis, .scale = -1, .component = 1};
        return;
    }
    bindings->items[bindings->count++] =
        (CnBinding){.control = axis, .scale = control.is_negative ? -1 : 0};
}

static bool refuse(CnError *error, const char *message)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "%s", message);
}

bool crafty_binding_set(CnActionMap *map, const CraftyBindingRow *row, CraftyColumn column,
                        CraftyRowControl control, CnError *error)
{
    const CnActionDesc *action = &cn_action_map_actions(map).actions[row->action];
    Bindings bindings = without(action, row, column);
    bool is_button = cn_control_is_button(control.control);
    if (cn_control_valid(control.control)) {
        if (!is_in(control.control, column))
            return refuse(error, "this control belongs to the other column");
        if (row->part == CRAFTY_ROW_ANALOG && is_button)
            return refuse(error, "move a stick or the wheel for this");
        if (row->part >= CRAFTY_ROW_POSITIVE && row->part <= CRAFTY_ROW_NEGATIVE && !is_button)
            return refuse(error, "press a key or a button for this");
        if (row->part == CRAFTY_ROW_ANALOG)
            add_analog(&bindings, action, control);
        else if (row->part == CRAFTY_ROW_BUTTON)
            bindings.items[bindings.count++] =
                (CnBinding){.control = control.control, .scale = control.is_negative ? -1 : 0};
        else
            add_direction(&bindings, row, column, control.control);
    }
    return cn_action_map_bind(map, action->name, bindings.items, bindings.count, error);
}

static const CnActionDesc *default_of(const char *name)
{
    CnActionList lists[] = {crafty_actions(), crafty_client_actions()};
    for (uint32_t i = 0; i < CN_COUNT_OF(lists); i++) {
        CnAction action = cn_action_find(lists[i], name);
        if (action.number)
            return &lists[i].actions[action.number - 1u];
    }
    return NULL;
}

bool crafty_binding_reset(CnActionMap *map, const CraftyBindingRow *row, CnError *error)
{
    const char *name = cn_action_map_actions(map).actions[row->action].name;
    const CnActionDesc *standard = default_of(name);
    return standard &&
           cn_action_map_bind(map, name, standard->bindings, standard->binding_count, error);
}

static bool is_same(const CnBinding *a, const CnBinding *b)
{
    return cn_control_equal(a->control, b->control) && cn_control_equal(a->negative, b->negative) &&
           a->scale == b->scale && a->dead_zone == b->dead_zone && a->component == b->component;
}

bool crafty_binding_is_default(CnActionList list, const CraftyBindingRow *row)
{
    const CnActionDesc *action = &list.actions[row->action], *standard = default_of(action->name);
    bool same = standard && standard->binding_count == action->binding_count;
    for (uint32_t i = 0; same && i < action->binding_count; i++)
        same = is_same(&action->bindings[i], &standard->bindings[i]);
    return same;
}

/* ---- Conflicts ---- */

/* Flying up and down uses the keys of jumping and sneaking. */
static bool may_share(const char *a, const char *b)
{
    return !strcmp(a, b) || !strcmp(a, "rise") || !strcmp(b, "rise");
}

static bool have_common(CnActionList list, const CraftyBindingRow *a, const CraftyBindingRow *b,
                        CraftyColumn column)
{
    CraftyRowControl first[CRAFTY_MAX_ROW_CONTROLS], second[CRAFTY_MAX_ROW_CONTROLS];
    uint32_t count = crafty_binding_controls(list, a, column, first);
    uint32_t others = crafty_binding_controls(list, b, column, second);
    for (uint32_t i = 0; i < count; i++)
        if (is_stored(second, others, first[i]))
            return true;
    return false;
}

uint32_t crafty_binding_conflict(CnActionList list, const CraftyBindingRow *rows, uint32_t count,
                                 uint32_t row, CraftyColumn column)
{
    const char *name = list.actions[rows[row].action].name;
    for (uint32_t i = 0; i < count; i++) {
        const char *other = list.actions[rows[i].action].name;
        bool is_same_row =
            i == row || (rows[i].action == rows[row].action && rows[i].part == CRAFTY_ROW_ANALOG);
        bool may = rows[i].action != rows[row].action && may_share(name, other);
        if (!is_same_row && !may && have_common(list, &rows[row], &rows[i], column))
            return i;
    }
    return UINT32_MAX;
}
