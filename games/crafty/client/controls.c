#include "controls.h"

#include "config_path.h"
#include "crafty/sim/actions.h"

#include <limits.h>

struct CraftyControls {
    CnActionMap *map;
    char file[PATH_MAX]; /* empty: default bindings */
    CnActions actions;   /* of the last frame */
    CnActions sent;      /* what the simulation has without another message */
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
    controls->map = cn_action_map_create(&(CnActionMapDesc){.lists = {crafty_actions()}}, error);
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

/* ---- Frames ---- */

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

void crafty_controls_frame(CraftyControls *controls, const CnInputDevices *devices,
                           CraftyConnection *connection)
{
    cn_action_map_evaluate(controls->map, &devices->input, &devices->gamepads, &controls->actions);
    CnActions lasts = lasting(controls->actions);
    if (!connection)
        return;
    if (is_same(&controls->actions, &lasts) && is_same(&controls->sent, &lasts))
        return;
    if (crafty_connection_send_actions(connection, &controls->actions))
        controls->sent = lasts;
}

void crafty_controls_reset(CraftyControls *controls)
{
    controls->sent = (CnActions){0};
}
