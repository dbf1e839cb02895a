#include "controls.h"

#include "crafty/save/user_paths.h"
#include "crafty/sim/actions.h"

#include <limits.h>

struct CraftyControls {
    CnActionMap *map;
    char file[PATH_MAX]; /* empty: default bindings */
    CnAction sneak, sprint, look, look_rate;
    bool toggles_sneak, toggles_sprint, inverts_y;
    bool sneaks, sprints;    /* toggled on */
    CnActions actions;       /* of the last frame */
    CnActions added;         /* to those of the next frame */
    uint64_t client_pressed; /* bits of CraftyClientAction in the last frame */
    CnActions sent;          /* what the simulation has without another message */
    bool is_idle;            /* nothing is sent as held */
    CnActions of_frame;      /* that the simulation has got in the last frame */
};

/* ---- Creation ---- */

static bool read_bindings(CnActionMap *map, const char *path, CnError *error)
{
    CnError reason = {0};
    if (cn_action_map_read(map, cn_native_files(), path, &reason))
        return true;
    if (!reason.line) /* the file cannot be read */
        return cn_error_set(error, reason.code, "%s", reason.message);
    char message[CN_ERROR_MESSAGE_BYTES];
    cn_format(message, sizeof message,
              "%s; correct the bindings, or delete the file to use the default ones",
              reason.message);
    return cn_error_set_at(error, reason.code, reason.file[0] ? reason.file : path, reason.line,
                           reason.column, "%s", message);
}

CraftyControls *crafty_controls_create(const char *bindings, CnError *error)
{
    CraftyControls *controls = cn_alloc_zeroed(cn_system_allocator(), sizeof *controls);
    if (!controls) {
        cn_error_memory(error, "the controls");
        return NULL;
    }
    controls->map = cn_action_map_create(
        &(CnActionMapDesc){.lists = {crafty_actions(), crafty_client_actions()}}, error);
    controls->sneak = cn_action_find(crafty_actions(), "slow");
    controls->sprint = cn_action_find(crafty_actions(), "fast");
    controls->look = cn_action_find(crafty_actions(), "look");
    controls->look_rate = cn_action_find(crafty_actions(), "look_rate");
    if (controls->map && (!bindings || read_bindings(controls->map, bindings, error))) {
        cn_copy_text(controls->file, sizeof controls->file, cn_text(bindings));
        return controls;
    }
    crafty_controls_destroy(controls);
    return NULL;
}

void crafty_controls_destroy(CraftyControls *controls)
{
    if (!controls)
        return;
    cn_action_map_destroy(controls->map);
    cn_free(cn_system_allocator(), controls, sizeof *controls);
}

const char *crafty_controls_file(const CraftyControls *controls)
{
    return controls->file[0] ? controls->file : NULL;
}

bool crafty_controls_find_file(char *path, size_t path_bytes)
{
    CnFileInfo info;
    CnFileSystem *files = cn_native_files();
    return crafty_config_path("bindings.json", path, path_bytes) &&
           files->info(files, path, &info, NULL);
}

CnActionMap *crafty_controls_map(CraftyControls *controls)
{
    return controls->map;
}

bool crafty_controls_save(CraftyControls *controls, CnError *error)
{
    char own[PATH_MAX];
    const char *path = controls->file;
    CnFileSystem *files = cn_native_files();
    if (!path[0]) {
        if (!crafty_config_path("bindings.json", own, sizeof own))
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "there is no folder for settings; set HOME or XDG_CONFIG_HOME");
        path = own;
    }
    if (!cn_file_make_folder_of(files, path, error) ||
        !cn_action_map_write(controls->map, files, path, error))
        return false;
    if (path == own)
        cn_copy_text(controls->file, sizeof controls->file, cn_text(own));
    return true;
}

void crafty_controls_set_preferences(CraftyControls *controls, const CraftyPreferences *preferences)
{
    controls->toggles_sneak = preferences->toggles_sneak;
    controls->toggles_sprint = preferences->toggles_sprint;
    controls->inverts_y = preferences->inverts_y;
}

/* ---- Actions of the client ---- */

/* Keys that no text field uses as text. */
static bool is_function_key(CnControl control)
{
    return control.kind == CN_CONTROL_KEY &&
           (control.code == CN_KEY_ESCAPE ||
            (control.code >= CN_KEY_F1 && control.code <= CN_KEY_F12) ||
            (control.code >= CN_KEY_F13 && control.code <= CN_KEY_F24));
}

bool crafty_controls_pressed(const CraftyControls *controls, CnEngine *engine,
                             CraftyClientAction action)
{
    uint32_t number = crafty_actions().count + (uint32_t)action;
    const CnActionDesc *desc = &cn_action_map_actions(controls->map).actions[number];
    CnRect area;
    if (controls->client_pressed >> action & 1u || !engine)
        return controls->client_pressed >> action & 1u;
    bool takes_text = cn_ui_wants_text(cn_engine_ui(engine), &area);
    for (uint32_t i = 0; i < desc->binding_count; i++) {
        CnControl control = desc->bindings[i].control;
        if (control.kind == CN_CONTROL_KEY && cn_engine_key_pressed(engine, control.code) &&
            (!takes_text || is_function_key(control)))
            return true;
    }
    return false;
}

/* ---- Frames ---- */

static void set_bit(uint64_t *bits, CnAction action, bool on)
{
    uint64_t bit = action.number ? UINT64_C(1) << (action.number - 1) : 0;
    *bits = on ? *bits | bit : *bits & ~bit;
}

/* A press switches the action on or off; it stays so when the control is released. */
static void toggle(CnActions *actions, CnAction action, bool *is_on)
{
    bool was_on = *is_on;
    if (cn_action_pressed(actions, action))
        *is_on = !*is_on;
    set_bit(&actions->held, action, *is_on);
    set_bit(&actions->pressed, action, *is_on && !was_on);
    set_bit(&actions->released, action, !*is_on && was_on);
}

/* Returns what is sent: the actions of the simulation, as the preferences want them. */
static CnActions sent_actions(CraftyControls *controls)
{
    CnActions actions = controls->is_idle ? (CnActions){0} : controls->actions;
    uint64_t own = (UINT64_C(1) << crafty_actions().count) - 1;
    actions.held &= own;
    actions.pressed &= own;
    actions.released &= own;
    if (controls->toggles_sneak)
        toggle(&actions, controls->sneak, &controls->sneaks);
    if (controls->toggles_sprint)
        toggle(&actions, controls->sprint, &controls->sprints);
    if (controls->inverts_y) {
        actions.axes[controls->look.axis + 1u] *= -1;
        actions.axes[controls->look_rate.axis + 1u] *= -1;
    }
    return actions;
}

/* Removes what covers only one tick. */
static CnActions lasting(CnActions actions)
{
    uint32_t relative = cn_actions_relative_axes(crafty_actions());
    actions.pressed = actions.released = 0;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        if (relative >> i & 1u)
            actions.axes[i] = 0;
    return actions;
}

/* Axes are compared as numbers: a scale of -1 makes -0 of 0. */
static bool is_same(const CnActions *a, const CnActions *b)
{
    bool same = a->held == b->held && a->pressed == b->pressed && a->released == b->released;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        same &= a->axes[i] == b->axes[i];
    return same;
}

static void add_actions(CnActions *to, const CnActions *from)
{
    to->held |= from->held;
    to->pressed |= from->pressed;
    to->released |= from->released;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        to->axes[i] += from->axes[i];
}

void crafty_controls_add(CraftyControls *controls, const CnActions *actions)
{
    controls->added = *actions;
}

void crafty_controls_frame(CraftyControls *controls, const CnInputDevices *devices,
                           CraftyConnection *connection)
{
    cn_action_map_evaluate(controls->map, &devices->input, &devices->gamepads, &controls->actions);
    add_actions(&controls->actions, &controls->added);
    controls->added = (CnActions){0};
    controls->client_pressed = controls->actions.pressed >> crafty_actions().count;
    controls->of_frame = (CnActions){0};
    if (!connection)
        return;
    CnActions actions = sent_actions(controls), lasts = lasting(actions);
    bool is_known = is_same(&actions, &lasts) && is_same(&controls->sent, &lasts);
    if (!is_known && !crafty_connection_send_actions(connection, &actions))
        return;
    controls->sent = lasts;
    controls->of_frame = actions;
}

void crafty_controls_set_idle(CraftyControls *controls, bool is_idle)
{
    controls->is_idle = is_idle;
}

const CnActions *crafty_controls_actions(const CraftyControls *controls)
{
    return &controls->of_frame;
}

void crafty_controls_reset(CraftyControls *controls)
{
    controls->sent = (CnActions){0};
    controls->sneaks = controls->sprints = false;
}
