/* The frame loop: the steps of a frame, hooks and termination. */
#include "engine/engine_internal.h"

#include <cairn/base/clock.h>

#include <string.h>

#define MINIMISED_SLEEP_NS UINT64_C(10000000)

/* ---- Hooks ---- */

static CniEngineHook *add_hook(CniEngineHooks *hooks)
{
    return hooks->count < CN_ENGINE_MAX_HOOKS ? &hooks->items[hooks->count++] : NULL;
}

static bool add_engine_hook(CniEngineHooks *hooks, CnEngineHook hook, void *user)
{
    CniEngineHook *added = add_hook(hooks);
    if (added)
        *added = (CniEngineHook){.call.engine = hook, .user = user};
    return added != NULL;
}

bool cn_engine_before_frame(CnEngine *engine, CnEngineHook hook, void *user)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return add_engine_hook(&engine->before_frame, hook, user);
}

bool cn_engine_after_ticks(CnEngine *engine, CnEngineHook hook, void *user)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return add_engine_hook(&engine->after_ticks, hook, user);
}

bool cn_engine_after_frame(CnEngine *engine, CnEngineHook hook, void *user)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return add_engine_hook(&engine->after_frame, hook, user);
}

bool cn_engine_before_render(CnEngine *engine, CnRenderHook hook, void *user)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CniEngineHook *added = add_hook(&engine->before_render);
    if (added)
        *added = (CniEngineHook){.call.render = hook, .user = user};
    return added != NULL;
}

static void call_hooks(CnEngine *engine, const CniEngineHooks *hooks)
{
    for (uint32_t i = 0; i < hooks->count; i++)
        hooks->items[i].call.engine(engine, hooks->items[i].user);
}

/* ---- Steps of a frame ---- */

static bool is_last(const CnEngine *engine)
{
    return engine->is_over || (engine->desc.frames && engine->frame + 1 >= engine->desc.frames);
}

/* If a frame lasts a whole number of ticks, the newest snapshot is drawn without interpolation. */
static float alpha_of(const CnEngine *engine, const CnSim *sim)
{
    if (engine->is_fixed && cn_sim_clock(sim)->tick_hz % engine->desc.fps == 0)
        return 1;
    return cn_tick_clock_alpha_f32(cn_sim_clock(sim));
}

float cn_engine_alpha(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    const CnSim *sim = cn_engine_sim(engine);
    return sim ? alpha_of(engine, sim) : 1;
}

/* Called while the renderer is idle. */
static void make_packet(CnEngine *engine, const CnCanvas *canvas)
{
    CniEngineFramePacket *packet = &engine->packet;
    CnSim *sim = cn_engine_sim(engine);
    const CnTime *time = cn_sim_time(sim);
    packet->frame_desc =
        (CnFrameDesc){.alpha = alpha_of(engine, sim),
                      .lens = engine->lens,
                      .camera = engine->camera,
                      .time = time->elapsed,
                      .delta = (float)time->delta,
                      .canvas = canvas,
                      .wait_for_assets = engine->is_fixed,
                      .read_back = cni_engine_capture_needs_frame(engine, is_last(engine))};
    cn_engine_size(engine, &packet->frame_desc.width, &packet->frame_desc.height);
    packet->number = engine->frame;
    packet->before_render = engine->before_render;
    cni_engine_acquire_snapshots(engine, packet);
}

static void after_submit(CnEngine *engine)
{
    CnError error = {0};
    if (!engine->is_drawn)
        return;
    engine->is_drawn = false;
    cni_engine_overlay_measure(engine);
    call_hooks(engine, &engine->after_frame);
    if (engine->packet.frame_desc.read_back && engine->error.code == CN_OK &&
        !cni_engine_capture_frame(engine, &error))
        cni_engine_fail(engine, &error);
}

static bool advance(CnEngine *engine, double seconds)
{
    CnError error = {0};
    uint64_t begin_ns = cn_clock_ns();
    if (!cni_engine_need_scene(engine, &error) ||
        !cn_scenes_frame(engine->scenes, seconds, &error) || !cni_engine_need_scene(engine, &error))
        return cni_engine_fail(engine, &error);
    engine->tick_ms = (float)(cn_seconds(cn_clock_ns() - begin_ns) * 1e3);
    if (engine->window)
        cni_engine_window_follow_controllers(engine->window);
    return true;
}

static void finish(CnEngine *engine)
{
    CnError error = {0};
    cni_engine_draw_wait(engine);
    after_submit(engine);
    bool is_steady = cni_engine_check_result(engine, &error); /* before files are written */
    if (!cni_engine_capture_end(engine, is_steady ? &error : NULL) || !is_steady)
        cni_engine_fail(engine, &error);
    if (!cni_engine_sound_finish(engine, &error))
        cni_engine_fail(engine, &error);
}

/* ---- Frames ---- */

bool cn_engine_frame_with_delta(CnEngine *engine, double seconds)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(!engine->in_frame, "cn_engine_frame was called during a frame");
    if (engine->is_over || engine->in_frame)
        return false;
    engine->in_frame = true;
    if (engine->window)
        cni_engine_window_poll(engine->window);
    cni_engine_check_frame(engine);
    cni_engine_hot_reload_frame(engine);
    cni_engine_notify_scene(engine);
    cni_engine_script_game_update(engine);
    cni_engine_overlay_begin(engine, seconds);
    call_hooks(engine, &engine->before_frame);
    memset(engine->keys_pressed, 0, sizeof engine->keys_pressed);
    engine->buttons_pressed = 0;
    engine->is_close_requested = false;
    cn_input_devices_begin_tick(&engine->devices);
    bool goes_on = advance(engine, seconds);
    if (goes_on) {
        cni_engine_script_game_update(engine);
        cni_engine_script_ui_draw(engine);
        call_hooks(engine, &engine->after_ticks);
        cni_engine_sound_frame(engine, seconds);
    }
    const CnCanvas *canvas = cni_engine_overlay_end(engine);
    cni_engine_draw_wait(engine);
    after_submit(engine);
    if (goes_on && engine->error.code == CN_OK) {
        make_packet(engine, canvas);
        cni_engine_draw_packet(engine);
        if (!engine->render_thread.is_there)
            after_submit(engine);
    }
    engine->is_over |= is_last(engine);
    engine->frame++;
    cni_engine_capture_progress(engine);
    if (engine->is_over)
        finish(engine);
    engine->in_frame = false;
    return !engine->is_over;
}

static void rest_while_minimised(const CnEngine *engine)
{
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    if (!engine->is_fixed && (!width || !height))
        cn_clock_sleep_ns(MINIMISED_SLEEP_NS);
}

bool cn_engine_frame(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    rest_while_minimised(engine);
    uint64_t now_ns = cn_clock_ns();
    /* so that the first frame has something to draw */
    double seconds =
        engine->frame ? cn_seconds(now_ns - engine->last_ns) : 1.0 / engine->desc.tick_hz;
    engine->last_ns = now_ns;
    if (engine->is_fixed)
        seconds = 1.0 / engine->desc.fps;
    return cn_engine_frame_with_delta(engine, seconds);
}

int cn_engine_run(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    while (cn_engine_frame(engine)) {
    }
    if (engine->error.code != CN_OK) {
        char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
        CN_LOG_ERROR("engine", "%s", cn_error_text(&engine->error, text, sizeof text));
    }
    return engine->status;
}
