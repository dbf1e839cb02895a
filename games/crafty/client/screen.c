#include "screen.h"

#include <cairn/base/log.h>

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

static bool make_all(Crafty *crafty, CnError *error)
{
    CnRenderer *renderer = cn_engine_renderer(crafty->engine);
    return crafty_preset_change(renderer, &crafty->settings, &crafty->play->shown, error) &&
           crafty_hud_create(&crafty->hud, renderer,
                             cn_voxels_blocks(crafty_terrain_voxels(crafty->play->terrain)), error);
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
    crafty->play->is_loading = share < 1;
    if (crafty->play->is_loading)
        return;
    crafty_log_step(crafty, "play");
    cn_sim_pause(cn_scene_sim(crafty->play->scene), false);
}

/* ---- Playing ---- */

/* Applies the settings to the renderer; restores the old ones if that fails. */
static void change_settings(Crafty *crafty, CraftyQuality quality_before,
                            const CraftySettings *before)
{
    CnError error = {0};
    if (!crafty_preset_change(cn_engine_renderer(crafty->engine), &crafty->settings,
                              &crafty->play->shown, &error)) {
        crafty->quality = quality_before;
        crafty->settings = *before;
        cn_copy_text(crafty->menu.error_text, sizeof crafty->menu.error_text,
                     cn_text(error.message));
    }
    crafty->lens.far_plane = crafty_far_plane(&crafty->settings);
}

static CraftyTuning tuning_of(const Crafty *crafty)
{
    return (CraftyTuning){crafty->quality, crafty->settings.effects, crafty->settings.view_distance,
                          crafty->lens.fov, crafty->menu.sensitivity};
}

/* The file is written when the page is left, not with every motion of a slider. */
static void note_choices(Crafty *crafty, const CraftyTuning *before, CraftyMenuPage page)
{
    CraftyTuning after = tuning_of(crafty);
    if (crafty_choices_note(&crafty->file.choices, before, &after))
        crafty->file.is_changed = true;
    if (page == CRAFTY_MENU_SETTINGS && crafty->menu.page != page)
        crafty_settings_keep(crafty);
}

static void fill_overlay(Crafty *crafty, CnVec3 eye)
{
    CnOverlayData *overlay = cn_engine_overlay(crafty->engine);
    if (overlay->page == CN_OVERLAY_OFF)
        return;
    CraftyTerrainStats stats = crafty_terrain_stats(crafty->play->terrain);
    cn_format(overlay->more[0], sizeof overlay->more[0], "position %.1f %.1f %.1f", (double)eye.x,
              (double)eye.y, (double)eye.z);
    cn_format(overlay->more[1], sizeof overlay->more[1],
              "%u of %u chunks, %u pending, %u far tiles", stats.view.drawn_chunks,
              stats.view.chunks, stats.voxels.waiting, stats.view.far_tiles);
    cn_format(overlay->more[2], sizeof overlay->more[2], "%.2f of %.2f million quads",
              (double)stats.view.drawn_quads * 1e-6, (double)stats.view.quads * 1e-6);
}

void crafty_screen_frame(Crafty *crafty, bool aims)
{
    CnEngine *engine = crafty->engine;
    const CnWorld *world = cn_engine_world(engine);
    CraftySettings before = crafty->settings;
    CraftyQuality quality = crafty->quality;
    CraftyTuning tuning = tuning_of(crafty);
    CraftyMenuPage page = crafty->menu.page;
    char save_text[CN_ERROR_MESSAGE_BYTES + 32];
    crafty_saving_text(crafty->play, save_text, sizeof save_text);
    bool was_paused = crafty->menu.is_paused;
    if (aims && !crafty->play->has_played)
        CN_LOG_DEBUG("crafty", "the mouse is captured");
    crafty->play->has_played |= aims;
    fill_overlay(crafty, cn_get(world, crafty->play->camera, CnTransform)->position);
    if (crafty_menu_frame(
            &crafty->menu, engine,
            &(CraftyMenuView){.player = crafty->play->camera,
                              .is_alone = true,
                              .has_list = crafty->worlds.screen != NULL,
                              .save_text = crafty->play->save ? save_text : NULL,
                              .items = crafty->play->sim.items,
                              .bindings = crafty_controls_file(crafty->controls),
                              .connection = crafty->play->connection,
                              .lens = &crafty->lens,
                              .quality = &crafty->quality,
                              .settings = &crafty->settings,
                              .refused = cn_block_view_stats(crafty->play->shown.blocks).refused,
                              .icons = &crafty->hud.icons}))
        change_settings(crafty, quality, &before);
    note_choices(crafty, &tuning, page);
    if (crafty->menu.is_paused && !was_paused)
        crafty_saving_now(crafty->play);
    if (crafty->menu.quits)
        crafty_leave(crafty, CRAFTY_LEAVE_PROGRAM);
    else if (crafty->menu.leaves_world)
        crafty_leave(crafty, CRAFTY_LEAVE_WORLD);
    crafty->menu.quits = crafty->menu.leaves_world = false;
    crafty_hud_draw(&crafty->hud, cn_engine_canvas(engine),
                    &(CraftyHudView){.player = cn_get(world, crafty->play->camera, CraftyPlayer),
                                     .items = crafty->play->sim.items,
                                     .aims = aims,
                                     .hints = !crafty->play->has_played,
                                     .warning = crafty->play->saving.is_failing ? save_text : NULL,
                                     .seconds = (float)cn_engine_time(engine)->unscaled_delta});
}
