#include "screen.h"

#include "crafty/sim/day.h"
#include "crafty/sim/place.h"
#include "debug_info.h"
#include "interface.h"
#include "use_prompt.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>

#define MEMORY_FRAMES 60u

/* ---- Loading ---- */

/* Pending uploads count as one chunk. */
static float share_loaded(Crafty *crafty)
{
    CraftyTerrainStats stats = crafty_terrain_stats(crafty->play->terrain);
    uint32_t waiting = stats.voxels.waiting + stats.voxels.running;
    waiting += stats.view.waiting_bytes > 0;
    if (waiting > crafty->play->max_waiting)
        crafty->play->max_waiting = waiting;
    return waiting ? 1 - (float)waiting / (float)(crafty->play->max_waiting + 1) : 1;
}

static bool make_icons(Crafty *crafty, CnError *error)
{
    CraftyPlay *play = crafty->play;
    CraftyItemIconsDesc desc = {.items = play->sim.items,
                                .blocks = cn_voxels_blocks(crafty_terrain_voxels(play->terrain)),
                                .tiles = crafty_world_tiles(play->tiles),
                                .mods = crafty_play_mods(play)};
    return crafty_hud_create(&crafty->hud, cn_engine_renderer(crafty->engine), &desc, error);
}

static bool make_all(Crafty *crafty, CnError *error)
{
    CnRenderer *renderer = cn_engine_renderer(crafty->engine);
    return crafty_preset_change(renderer, &crafty->settings, &crafty->play->shown, error) &&
           make_icons(crafty, error);
}

void crafty_screen_loading(Crafty *crafty)
{
    CnError error = {0};
    float share = share_loaded(crafty);
    crafty_hud_loading(cn_engine_canvas(crafty->engine), share);
    if (crafty->play->frame == 0)
        return;
    if (crafty->play->frame == 1 && !make_all(crafty, &error)) {
        crafty_world_menu_fail(crafty, &error);
        return;
    }
    if (crafty->play->frame == 1)
        crafty_interface_set_brightness(crafty);
    crafty->play->is_loading = share < 1;
    if (crafty->play->is_loading)
        return;
    crafty_log_step(crafty, "play");
    cn_sim_pause(cn_scene_sim(crafty->play->scene), false);
}

/* ---- Playing ---- */

/* The file is written when the page is left, not with every motion of a slider. */
static void keep_choices(Crafty *crafty, CraftyMenuPage page)
{
    if (page == CRAFTY_MENU_SETTINGS && crafty->menu.page != page)
        crafty_settings_keep(crafty);
}

/* Beside the engine's overlay, on its first page. Reading the memory takes longer than the rest. */
static void show_debug_info(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    const CnWorld *world = cn_engine_world(crafty->engine);
    const CnTransform *eye = cn_get(world, play->camera, CnTransform);
    const CraftyPlayer *player = cn_get(world, play->camera, CraftyPlayer);
    const CraftyPlace *place = cn_get(world, play->camera, CraftyPlace);
    const CnOverlayData *overlay = cn_engine_overlay(crafty->engine);
    CraftyDebugLines lines;
    if (overlay->page != CN_OVERLAY_SUMMARY)
        return;
    if (crafty->frame % MEMORY_FRAMES == 0 || !play->memory_bytes)
        play->memory_bytes = crafty_process_bytes();
    CraftyDebugInfo info = {.feet = eye->position,
                            .forward = cn_quat_rotate(eye->rotation, cn_vec3(0, 0, -1)),
                            .biome = place ? (CnBiome)place->biome : CN_BIOME_GRASSY_PLAINS,
                            .seed = play->sim.start.seed,
                            .tick = cn_sim_tick(cn_engine_sim(crafty->engine)),
                            .mode =
                                player ? crafty_mode_name((CraftyPlayerMode)player->mode) : NULL,
                            .days = cn_resource(world, CraftyDay)->days,
                            .hours = crafty_day_hours(world),
                            .terrain = crafty_terrain_stats(play->terrain),
                            .memory_bytes = play->memory_bytes};
    if (player)
        info.feet.y -= CRAFTY_PLAYER_EYE;
    info.light = cn_voxels_light(crafty_terrain_voxels(play->terrain),
                                 (CnCell){(int32_t)cn_floorf(info.feet.x),
                                          (int32_t)cn_floorf(info.feet.y + 0.1f),
                                          (int32_t)cn_floorf(info.feet.z)});
    crafty_debug_info_fill(&lines, &info);
    crafty_debug_info_draw(cn_engine_canvas(crafty->engine), &lines, crafty->hud.icons.text_size);
}

/* Hints follow what the player does, and are visible while nothing else is open. */
static void show_hints(Crafty *crafty, bool aims)
{
    CraftyPlay *play = crafty->play;
    CnEngine *engine = crafty->engine;
    const CnWorld *world = cn_engine_world(engine);
    if (!crafty->preferences.hints || play->replay || play->on_tour)
        return;
    CraftyHintsView view = {.world = world,
                            .player = play->camera,
                            .items = play->sim.items,
                            .has_list = crafty->menu.page == CRAFTY_MENU_INVENTORY,
                            .hours = crafty_day_hours(world),
                            .seconds = aims ? (float)cn_engine_time(engine)->unscaled_delta : 0};
    if (crafty_hints_frame(&crafty->hints, &crafty->file.choices.hints_done, &view)) {
        crafty->file.is_changed = true;
        crafty_settings_keep(crafty);
    }
    if (aims && crafty->menu.page == CRAFTY_MENU_CLOSED && !crafty->menu.hides_interface &&
        cn_engine_overlay(engine)->page == CN_OVERLAY_OFF)
        crafty_hints_draw(&crafty->hints, &crafty->glyphs, cn_engine_canvas(engine),
                          crafty->hud.icons.text_size);
}

/* What the use button does, while nothing else is open. */
static void show_use_prompt(Crafty *crafty, bool aims)
{
    CraftyPlay *play = crafty->play;
    CnEngine *engine = crafty->engine;
    if (aims && !play->replay && !play->on_tour && crafty->menu.page == CRAFTY_MENU_CLOSED &&
        !crafty->menu.hides_interface)
        crafty_use_prompt_draw(cn_engine_world(engine), play->camera, &crafty->glyphs,
                               cn_engine_canvas(engine), crafty->hud.icons.text_size);
}

/* Below the HUD of the game, which mods do not cover. */
static void show_mod_hud(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    bool is_open = crafty->menu.page == CRAFTY_MENU_CLOSED || crafty->menu.page == CRAFTY_MENU_CHAT;
    if (!is_open || crafty->menu.hides_interface)
        return;
    crafty_mod_hud_draw(&play->mod_hud,
                        &(CraftyModHudFrame){.canvas = cn_engine_canvas(crafty->engine),
                                             .icons = &crafty->hud.icons,
                                             .camera = play->shown_camera});
    char key[CN_CONTROL_TEXT_BYTES];
    CraftyDevice device = crafty->glyphs.device;
    CnControl start = (CnControl)CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_START);
    bool has_pad = crafty_device_is_gamepad(device);
    crafty_mod_errors_draw(&play->mod_errors, cn_engine_canvas(crafty->engine),
                           crafty->hud.icons.text_size,
                           has_pad ? crafty_control_label(start, device, key) : "Esc");
}

/* For tests of windows and for reports of players; CAIRN_LOG=debug shows it. */
static void log_event(const CraftyItems *items, const CraftyPlayerEvent *event)
{
    const CraftyItemInfo *info = crafty_items_info(items, event->item);
    if (info && event->kind == CRAFTY_PLAYER_PICKED_UP)
        CN_LOG_DEBUG("crafty", "the player picked up %u %s", event->count, info->name);
    if (info && event->kind == CRAFTY_PLAYER_CRAFTED)
        CN_LOG_DEBUG("crafty", "the player crafted %u %s", event->count, info->name);
    if (info && event->kind == CRAFTY_PLAYER_TRADED)
        CN_LOG_DEBUG("crafty", "the player traded for %u %s", event->count, info->name);
}

/* Shows what happened to the player since the last frame. */
static void show_events(Crafty *crafty)
{
    const CraftyItems *items = crafty->play->sim.items;
    for (const CraftyPlayerEvent *event;
         (event = cn_read_next(crafty->play->player_events, CraftyPlayerEvent));)
        if (event->player.id == crafty->play->camera.id) {
            crafty_hud_event(&crafty->hud, items, event);
            log_event(items, event);
        }
}

/* What lets the game have the input, on the device that was used last. */
static void describe_start(CraftyDevice device, char *text, size_t text_bytes)
{
    char play[CN_CONTROL_TEXT_BYTES], menu[CN_CONTROL_TEXT_BYTES];
    if (device == CRAFTY_DEVICE_TOUCH)
        cn_format(text, text_bytes, "Touch the screen to play");
    else if (crafty_device_is_gamepad(device))
        cn_format(
            text, text_bytes, "%s to play  ·  %s for menu and controls",
            crafty_control_label((CnControl)CN_CONTROL_GAMEPAD_AXIS_OF(CN_GAMEPAD_RIGHT_TRIGGER),
                                 device, play),
            crafty_control_label((CnControl)CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_START), device,
                                 menu));
    else
        cn_format(text, text_bytes, "Click to play  ·  Esc for menu and controls");
}

/* Takes over what mods show and what is wrong with them; changes are logged like events. */
static void follow_mods(Crafty *crafty, const CnWorld *world)
{
    CraftyModHudView *view = &crafty->play->mod_hud.view;
    CraftyModErrors *errors = &crafty->play->mod_errors;
    uint32_t elements = view->element_count, dialog = view->dialog.number;
    uint64_t state = errors->state;
    crafty_mod_hud_frame(&crafty->play->mod_hud, world, crafty->play->number);
    crafty_mod_errors_frame(errors, crafty_play_mods(crafty->play), crafty->play->tiles);
    if (view->element_count != elements)
        CN_LOG_DEBUG("mods", "mods show %u elements", view->element_count);
    if (view->dialog.number && view->dialog.number != dialog)
        CN_LOG_DEBUG("mods", "the mod %s asks: %s", view->dialog.mod, view->dialog.text);
    if (errors->state != state)
        CN_LOG_DEBUG("mods", "errors of mods: %s", errors->count ? errors->texts[0] : "none");
}

void crafty_screen_frame(Crafty *crafty, bool aims)
{
    CnEngine *engine = crafty->engine;
    const CnWorld *world = cn_engine_world(engine);
    CraftyTuning before = crafty_interface_tuning(crafty);
    CraftyMenuPage page = crafty->menu.page;
    char save_text[CN_ERROR_MESSAGE_BYTES + 32], start[128];
    describe_start(crafty->glyphs.device, start, sizeof start);
    crafty_saving_text(crafty->play, save_text, sizeof save_text);
    bool was_paused = crafty->menu.is_paused;
    if (aims && !crafty->play->has_played)
        CN_LOG_DEBUG("crafty", "the mouse is captured");
    crafty->play->has_played |= aims;
    CraftyHudView view = {.player = cn_get(world, crafty->play->camera, CraftyPlayer),
                          .vitals = cn_get(world, crafty->play->camera, CraftyVitals),
                          .is_still = crafty->preferences.reduces_motion,
                          .items = crafty->play->sim.items,
                          .aims = aims,
                          .start = crafty->play->has_played ? NULL : start,
                          .warning = crafty->play->saving.is_failing ? save_text : NULL,
                          .seconds = (float)cn_engine_time(engine)->unscaled_delta};
    crafty_hud_sleep(&crafty->hud, cn_engine_canvas(engine), &view);
    follow_mods(crafty, world);
    bool changed =
        crafty_menu_frame(&crafty->menu, engine,
                          &(CraftyMenuView){.player = crafty->play->camera,
                                            .is_alone = !crafty->play || !crafty->play->online,
                                            .has_list = crafty->worlds.screen != NULL,
                                            .save_text = crafty->play->save ? save_text : NULL,
                                            .connection = crafty->play->connection,
                                            .chat = &crafty->chat,
                                            .mod_errors = &crafty->play->mod_errors,
                                            .dialog = &crafty->play->mod_hud.view.dialog,
                                            .settings = crafty_interface_settings(crafty),
                                            .icons = &crafty->hud.icons});
    crafty_interface_apply(crafty, &before, changed);
    keep_choices(crafty, page);
    if (crafty->menu.is_paused && !was_paused)
        crafty_saving_now(crafty->play);
    if (crafty->menu.quits)
        crafty_leave(crafty, CRAFTY_LEAVE_PROGRAM);
    else if (crafty->menu.leaves_world)
        crafty_leave(crafty, CRAFTY_LEAVE_WORLD);
    crafty->menu.quits = crafty->menu.leaves_world = false;
    show_events(crafty);
    if (crafty->glyphs.device == CRAFTY_DEVICE_TOUCH && crafty->menu.page == CRAFTY_MENU_CLOSED)
        crafty_touch_controls_draw(&crafty->touch, cn_engine_canvas(engine),
                                   crafty->hud.icons.text_size);
    view.has_screen =
        crafty->menu.page != CRAFTY_MENU_CLOSED && crafty->menu.page != CRAFTY_MENU_PAUSE;
    view.is_hidden = crafty->menu.hides_interface;
    show_mod_hud(crafty);
    crafty_hud_draw(&crafty->hud, cn_engine_canvas(engine), &view);
    crafty_game_sound_captions(crafty);
    show_debug_info(crafty);
    show_hints(crafty, aims);
    show_use_prompt(crafty, aims);
}
