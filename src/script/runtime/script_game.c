/*
 * The state of a game that scripts control: pause, time scale, size of the window, names of saved
 * games. As a state section:
 *
 *     u32 version, u32 flags (1: paused), f32 time scale, u32 width, u32 height, u32 number of
 *     names; for each name CN_SCRIPT_SAVE_NAME_BYTES bytes
 */
#include "script/runtime/runtime.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/loop.h>

#define VERSION 1u
#define HEAD_BYTES 24u
#define PHYSICS_STEP "physics.step"

void cni_script_game_init(CniScriptGameState *game)
{
    *game = (CniScriptGameState){.time_scale = 1,
                                 .applied_scale = 1,
                                 .width = CNI_SCRIPT_WIDTH,
                                 .height = CNI_SCRIPT_HEIGHT};
}

/* ---- Pause ---- */

void cni_script_game_apply_pause(CniScriptRuntime *runtime)
{
    CniScriptGameState *game = &runtime->game;
    CnWorld *world = runtime->shared.world;
    if (game->paused == game->systems_paused)
        return;
    game->systems_paused = game->paused;
    CnSystem physics = cn_system_find(world, PHYSICS_STEP);
    if (physics.id)
        cn_system_enable(world, physics, !game->paused);
    if (cn_scene_update_set(world))
        cn_system_set_enable(world, CN_SCENE_UPDATE, !game->paused);
}

/* ---- Names of saved games ---- */

bool cni_script_save_name_valid(CnText name)
{
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
            return false;
    }
    return name.size && name.size < CN_SCRIPT_SAVE_NAME_BYTES;
}

/* Returns the index of a name, or where it belongs. */
static uint32_t place_of(const CniScriptGameState *game, const char *name)
{
    uint32_t i = 0;
    while (i < game->save_count && strcmp(game->saves[i], name) < 0)
        i++;
    return i;
}

static void set_save(CniScriptGameState *game, const char *name, bool exists)
{
    uint32_t at = place_of(game, name);
    bool is_known = at < game->save_count && !strcmp(game->saves[at], name);
    if (is_known == exists || (exists && game->save_count == CN_SCRIPT_MAX_SAVES))
        return;
    char(*place)[CN_SCRIPT_SAVE_NAME_BYTES] = game->saves + at;
    if (!exists) {
        memmove(place, place + 1, (--game->save_count - at) * sizeof *place);
        return;
    }
    memmove(place + 1, place, (game->save_count++ - at) * sizeof *place);
    memset(place, 0, sizeof *place);
    memcpy(place, name, strlen(name));
}

/* ---- Messages ---- */

bool cni_script_game_send_save(CnInputSource source, const char *name, bool exists)
{
    uint8_t bytes[CN_SCRIPT_SAVE_NAME_BYTES] = {exists};
    size_t size = strlen(name);
    CN_ASSERT(size < sizeof bytes, "the name %s is too long", name);
    memcpy(bytes + 1, name, size);
    return cn_input_message(source, CN_SCRIPT_SAVE_MESSAGE, bytes, size + 1);
}

static void read_save(CniScriptGameState *game, const CnInputEvent *message)
{
    char name[CN_SCRIPT_SAVE_NAME_BYTES] = "";
    if (message->bytes < 2 || message->bytes > sizeof name || message->data[0] > 1)
        return;
    memcpy(name, message->data + 1, message->bytes - 1u);
    if (cni_script_save_name_valid((CnText){name, message->bytes - 1u}))
        set_save(game, name, message->data[0] != 0);
}

bool cn_script_send_window_size(CnInputSource source, uint32_t width, uint32_t height)
{
    CN_ASSERT(width && height && width <= CN_SCRIPT_MAX_WINDOW && height <= CN_SCRIPT_MAX_WINDOW,
              "a window of %u x %u pixels", width, height);
    uint32_t size[2] = {width, height};
    return cn_input_message(source, CN_SCRIPT_WINDOW_SIZE_MESSAGE, size, sizeof size);
}

static bool is_size(uint32_t size)
{
    return size >= 1 && size <= CN_SCRIPT_MAX_WINDOW;
}

static void read_window_size(CniScriptGameState *game, const CnInputEvent *message)
{
    uint32_t width = cn_load_u32(message->data), height = cn_load_u32(message->data + 4);
    if (message->bytes != 8 || !is_size(width) || !is_size(height))
        return;
    game->width = width;
    game->height = height;
}

void cni_script_game_begin_tick(CniScriptRuntime *runtime)
{
    CniScriptGameState *game = &runtime->game;
    uint32_t index = 0;
    for (const CnInputEvent *m;
         (m = cn_input_next_message(runtime->input, CN_SCRIPT_WINDOW_SIZE_MESSAGE, &index));)
        read_window_size(game, m);
    index = 0;
    for (const CnInputEvent *m;
         (m = cn_input_next_message(runtime->input, CN_SCRIPT_SAVE_MESSAGE, &index));)
        read_save(game, m);
}

/* ---- The state section ---- */

static bool save(void *user, CnU8Array *bytes, CnError *error)
{
    const CniScriptGameState *game = &((const CniScriptRuntime *)user)->game;
    CniScriptGameState initial;
    cni_script_game_init(&initial);
    if (!game->paused && game->time_scale == 1 && game->width == initial.width &&
        game->height == initial.height && !game->save_count)
        return true;
    uint32_t head[6] = {VERSION, game->paused, 0, game->width, game->height, game->save_count};
    memcpy(&head[2], &game->time_scale, 4);
    return (cn_bytes_append(bytes, head, sizeof head) &&
            cn_bytes_append(bytes, game->saves, game->save_count * sizeof *game->saves)) ||
           cn_error_memory(error, "saving the game of scripts");
}

static bool damaged(CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the saved game of scripts is damaged");
}

static bool read_names(CniScriptGameState *game, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bytes += CN_SCRIPT_SAVE_NAME_BYTES) {
        const char *name = (const char *)bytes;
        if (name[CN_SCRIPT_SAVE_NAME_BYTES - 1] || !cni_script_save_name_valid(cn_text(name)))
            return false;
        set_save(game, name, true);
    }
    return game->save_count == count;
}

static bool read_section(CniScriptGameState *game, const uint8_t *bytes, size_t size,
                         CnError *error)
{
    if (size < HEAD_BYTES)
        return damaged(error);
    if (cn_load_u32(bytes) != VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "the saved game of scripts has another version");
    uint32_t flags = cn_load_u32(bytes + 4), count = cn_load_u32(bytes + 20);
    memcpy(&game->time_scale, bytes + 8, 4);
    game->width = cn_load_u32(bytes + 12);
    game->height = cn_load_u32(bytes + 16);
    game->paused = flags & 1u;
    double scale = (double)game->time_scale;
    if (flags > 1 || !(scale >= CNI_SCRIPT_MIN_TIME_SCALE && scale <= CNI_SCRIPT_MAX_TIME_SCALE) ||
        !is_size(game->width) || !is_size(game->height) || count > CN_SCRIPT_MAX_SAVES ||
        size != HEAD_BYTES + count * CN_SCRIPT_SAVE_NAME_BYTES)
        return damaged(error);
    return read_names(game, bytes + HEAD_BYTES, count) || damaged(error);
}

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CniScriptRuntime *runtime = user;
    CniScriptGameState *game = &runtime->game, before = *game, read;
    cni_script_game_init(&read);
    bool done = !size || read_section(&read, bytes, size, error);
    if (!done)
        cni_script_game_init(&read);
    *game = read;
    game->systems_paused = before.systems_paused;
    game->applied_scale = before.applied_scale;
    cni_script_ui_clear(&runtime->ui);
    cni_script_game_apply_pause(runtime);
    return done;
}

static const char section_name[] = "ScriptGame";

bool cni_script_game_section_begin(CniScriptRuntime *runtime, CnError *error)
{
    CnStateSection section = {section_name, save, restore, runtime};
    return cn_sim_add_state_section(runtime->sim, &section, error);
}

void cni_script_game_section_end(CniScriptRuntime *runtime)
{
    cn_sim_remove_state_section(runtime->sim, section_name);
}
