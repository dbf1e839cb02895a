/* Dispatches events to the engine's own keys, the user interface and the active scene. */
#include "engine/engine_internal.h"

#include <cairn/base/math.h>

/* Uses the first free number in the file name. */
bool cn_engine_screenshot_numbered(CnEngine *engine, CnError *error)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    char path[64];
    CnFileInfo info;
    CnFileSystem *files = cn_native_files();
    do
        cn_format(path, sizeof path, "screenshot-%04u.png", ++engine->capture.screenshots);
    while (files->info(files, path, &info, NULL));
    return cn_engine_screenshot(engine, path, error);
}

/* Handles the engine's own keys. */
static bool take_key(CnEngine *engine, uint32_t key)
{
    switch (key) {
    case CN_KEY_F2:
        cn_engine_screenshot_numbered(engine, NULL);
        return true;
    case CN_KEY_F3:
        cn_engine_show_overlay(engine,
                               (CnOverlayPage)((engine->overlay.page + 1) % CN_OVERLAY_PAGE_COUNT));
        return true;
    case CN_KEY_F4:
        return cni_engine_errors_toggle(engine);
    case CN_KEY_F11:
        if (engine->window)
            cni_engine_window_set_fullscreen(engine->window,
                                             !cni_engine_window_is_fullscreen(engine->window));
        return true;
    default:
        return false;
    }
}

/* Presses consumed by the user interface do not reach the scene; releases always do. */
static bool is_taken_by_ui(const CnEngine *engine, const CnInputEvent *event)
{
    switch ((CnInputKind)event->kind) {
    case CN_INPUT_MOUSE_BUTTON:
        return event->pressed && cn_ui_wants_mouse(engine->ui);
    case CN_INPUT_WHEEL:
        return cn_ui_wants_mouse(engine->ui);
    case CN_INPUT_KEY:
    case CN_INPUT_GAMEPAD_BUTTON:
        return event->pressed && cn_ui_wants_keyboard(engine->ui) &&
               !cni_engine_script_ui_passes(engine, event);
    case CN_INPUT_TEXT:
        return cn_ui_wants_keyboard(engine->ui);
    default:
        return false;
    }
}

static void note_pad(CnEngine *engine, const CnInputEvent *event)
{
    if (event->kind == CN_INPUT_GAMEPAD_CONNECTED)
        engine->pads |= 1u << event->device;
    else if (event->kind == CN_INPUT_GAMEPAD_DISCONNECTED)
        engine->pads &= ~(1u << event->device);
}

void cn_engine_send(CnEngine *engine, const CnInputEvent *event)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(event, "%s: event is NULL", __func__);
    if (!cn_input_event_valid(event))
        return;
    if (event->kind == CN_INPUT_KEY && event->pressed && !engine->desc.own_keys &&
        take_key(engine, event->code))
        return;
    if (event->kind == CN_INPUT_QUIT) {
        engine->is_close_requested = true;
        if (!engine->desc.own_close)
            cn_engine_quit(engine, 0);
    }
    note_pad(engine, event);
    if (event->kind == CN_INPUT_KEY && event->pressed)
        engine->keys_pressed[event->code >> 6] |= UINT64_C(1) << (event->code & 63u);
    if (event->kind == CN_INPUT_GAMEPAD_BUTTON && event->pressed)
        engine->buttons_pressed |= UINT64_C(1) << event->code;
    cn_ui_input_event(&engine->ui_input, event);
    if (is_taken_by_ui(engine, event))
        return;
    cn_input_devices_apply(&engine->devices, event);
    CnSim *sim = engine->desc.own_input ? NULL : cn_engine_sim(engine);
    if (sim)
        cn_input_push(cn_sim_input(sim), event);
}

const CnInputDevices *cn_engine_devices(const CnEngine *engine)
{
    return &engine->devices;
}

void cn_engine_set_player(CnEngine *engine, uint32_t player)
{
    engine->player = player;
}

void cn_engine_set_lens(CnEngine *engine, CnLens lens)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(lens.fov == 0 || (lens.fov > 0 && lens.fov < CN_PIF && lens.near_plane > 0 &&
                                lens.far_plane > lens.near_plane),
              "these values do not define a perspective projection");
    engine->lens = lens;
}

void cn_engine_set_camera(CnEngine *engine, const CnRenderCamera *camera)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(camera, "%s: camera is NULL", __func__);
    engine->camera = *camera;
}

bool cn_engine_key_pressed(const CnEngine *engine, uint32_t key)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return key < CN_KEY_COUNT && (engine->keys_pressed[key >> 6] >> (key & 63u) & 1u);
}

bool cn_engine_gamepad_pressed(const CnEngine *engine, uint32_t button)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return button < CN_GAMEPAD_BUTTON_COUNT && (engine->buttons_pressed >> button & 1u);
}

CnGamepadKind cn_engine_gamepad_kind(const CnEngine *engine, uint32_t gamepad)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->window && gamepad < CN_GAMEPAD_COUNT
               ? cni_engine_window_gamepad_kind(engine->window, gamepad)
               : CN_GAMEPAD_KIND_OTHER;
}

bool cn_engine_close_requested(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->is_close_requested;
}

void cni_engine_clear_notified_scene(CnEngine *engine)
{
    if (!engine->notified_scene)
        return;
    cn_query_release(engine->flying);
    cn_query_release(engine->walking);
    engine->flying = engine->walking = NULL;
    engine->notified_scene = NULL;
}

static void begin_notifying(CnEngine *engine, CnScene *scene)
{
    CnWorld *world = cn_scene_world(scene);
    cni_engine_clear_notified_scene(engine);
    engine->notified_scene = scene;
    engine->notified_width = engine->notified_height = 0;
    engine->flying = cn_query_acquire(world,
                                      &(CnQueryDesc){.all = {cn_reads(CnFlyCamera)},
                                                     .optional = {cn_reads(CnPlayerActions)},
                                                     .none = {cn_tag(CnInactive)}},
                                      NULL);
    engine->walking = cn_query_acquire(world,
                                       &(CnQueryDesc){.all = {cn_reads(CnPlayerController)},
                                                      .optional = {cn_reads(CnPlayerActions)},
                                                      .none = {cn_tag(CnInactive)}},
                                       NULL);
    for (uint32_t i = 0; i < CN_GAMEPAD_COUNT && !engine->desc.own_input; i++)
        if (engine->pads >> i & 1u)
            cn_input_gamepad_connected(cn_sim_input(cn_scene_sim(scene)), i, true);
}

void cni_engine_notify_scene(CnEngine *engine)
{
    CnScene *scene = cn_engine_scene(engine);
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    if (!scene)
        return;
    if (scene != engine->notified_scene)
        begin_notifying(engine, scene);
    if (!width || !height || (width == engine->notified_width && height == engine->notified_height))
        return;
    cn_sim_set_window_size(cn_scene_sim(scene), width, height);
    if (!engine->desc.own_input)
        cn_script_send_window_size(cn_sim_input(cn_scene_sim(scene)), width, height);
    engine->notified_width = width;
    engine->notified_height = height;
}

/* Returns whether the object in this row belongs to the player of the window. */
static bool is_own(const CnEngine *engine, const CnChunkView *view, uint32_t row)
{
    const CnPlayerActions *players = cn_column_const(view, CnPlayerActions);
    return !engine->player || (players && players[row].player == engine->player);
}

bool cni_engine_wants_pointer(const CnEngine *engine)
{
    CnChunkView view;
    bool wants = false;
    if (!engine->notified_scene || !engine->flying || !engine->walking)
        return false;
    for (CnQueryIter it = cn_query_iter(engine->flying); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            wants |= cn_column_const(&view, CnFlyCamera)[i].captured && is_own(engine, &view, i);
    for (CnQueryIter it = cn_query_iter(engine->walking); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            wants |=
                cn_column_const(&view, CnPlayerController)[i].captured && is_own(engine, &view, i);
    return wants;
}
