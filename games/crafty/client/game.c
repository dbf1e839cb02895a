#include "game.h"

#include "crafty/crash/recover.h"
#include "crafty/save/user_paths.h"
#include "crafty/save/world_path.h"
#include "frame.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/log.h>

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Frames drawn for a single image, so that temporal effects converge. */
#define IMAGE_FRAMES 32u

/* ---- Start ---- */

static void choose_settings(Crafty *crafty, CraftyQuality quality)
{
    const CraftyOptions *options = &crafty->options;
    crafty->quality = quality;
    crafty->settings = crafty_settings(quality);
    if (!options->has_quality) /* the file's effects belong to its quality */
        crafty_choices_apply(&crafty->file.choices, &crafty->settings);
    if (options->effects_off && !strcmp(options->effects_off, "all")) /* except for --on */
        crafty->settings.effects = 0;
    if (options->effects_on) /* validated by the options */
        crafty_effects_switch(&crafty->settings, options->effects_on, true, NULL);
    if (options->effects_off && strcmp(options->effects_off, "all") != 0)
        crafty_effects_switch(&crafty->settings, options->effects_off, false, NULL);
    if (options->view_distance)
        crafty->settings.view_distance = (uint32_t)options->view_distance;
}

/* Of a whole recording. The first frame shows its start. */
static uint64_t frames_of(const CnReplay *replay, uint32_t fps)
{
    const CnReplayInfo *info = cn_replay_info(replay);
    double seconds = (double)info->tick_count / info->tick_hz;
    return (uint64_t)(seconds * (fps ? fps : 60)) + 1;
}

/* Defaults for options that were not given. */
static CnEngineDesc engine_desc(const Crafty *crafty)
{
    CnEngineDesc desc = crafty->options.engine;
    const CraftyTour *tour = crafty->play && crafty->play->on_tour ? &crafty->play->tour : NULL;
    desc.frames = crafty->options.frames;
    if (desc.headless && !desc.frames)
        desc.frames =
            tour ? (uint64_t)(crafty_tour_seconds(tour) * (float)(desc.fps ? desc.fps : 60))
                 : IMAGE_FRAMES;
    if (desc.headless && crafty->play && crafty->play->replay && !crafty->options.frames)
        desc.frames = frames_of(crafty_world_replay_cn(crafty->play->replay), desc.fps);
    return desc;
}

static bool make_engine(Crafty *crafty, CnError *error)
{
    CnEngineDesc desc = engine_desc(crafty);
    crafty->all_frames = desc.frames;
    desc.own_input = desc.own_close = desc.own_keys = true;
    const CraftyChoices *choices = &crafty->file.choices;
    if (crafty->options.has_vsync)
        crafty->preferences.vsync = desc.vsync;
    crafty->preferences.fullscreen |= desc.fullscreen;
    desc.vsync = crafty->preferences.vsync;
    desc.fullscreen = crafty->preferences.fullscreen;
    crafty->engine = cn_engine_create(&desc, error);
    if (!crafty->engine)
        return false;
    CnGpuInfo info = cn_gpu_info(cn_engine_gpu(crafty->engine));
    crafty->device_quality = crafty_quality_for(info.kind);
    if (!crafty->options.has_quality && !choices->has_quality)
        choose_settings(crafty, crafty->device_quality);
    if (!crafty->options.engine.width)
        cn_engine_set_size(crafty->engine, crafty->settings.width, crafty->settings.height);
    crafty->lens = (CraftyLens){.fov = crafty->preferences.fov,
                                .near_plane = CRAFTY_NEAR_PLANE,
                                .far_plane = crafty_far_plane(&crafty->settings)};
    return (desc.headless || cn_renderer_add_feature(cn_engine_renderer(crafty->engine),
                                                     &cn_feature_ui, NULL, error)) &&
           cn_engine_before_frame(crafty->engine, crafty_frame_before, crafty) &&
           cn_engine_after_ticks(crafty->engine, crafty_frame_after_ticks, crafty) &&
           cn_engine_after_frame(crafty->engine, crafty_frame_after, crafty);
}

void crafty_log_step(const Crafty *crafty, const char *step)
{
    CN_LOG_DEBUG("crafty", "%s after %.0f ms", step,
                 cn_seconds(cn_clock_ns() - crafty->begin_ns) * 1e3);
}

/* Checks the screenshot folder before the frames are drawn rather than after. */
static bool make_folder(const char *path, bool with_parents, CnError *error)
{
    CnFileSystem *files = cn_native_files();
    if (!with_parents && !cn_file_check_folder_of(files, path, error))
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "create the folder", path,
                                 "its parent does not exist; create it, or use --make-folders");
    return files->make_folder(files, path, error) &&
           (!access(path, W_OK | X_OK) ||
            cn_error_set(error, CN_ERROR_IO, "cannot write to %s", path));
}

/* The player's own file is for windows only, so that images do not depend on it. */
static bool make_controls(Crafty *crafty, CnError *error)
{
    char own[PATH_MAX];
    const char *path = crafty->options.bindings;
    if (!path && !crafty->options.engine.headless && crafty_controls_find_file(own, sizeof own))
        path = own;
    crafty->controls = crafty_controls_create(path, error);
    return crafty->controls != NULL;
}

/* The player's settings are for windows only, so that images do not depend on them. */
static void load_settings(Crafty *crafty)
{
    char own[CN_FILE_PATH_BYTES];
    const char *path = crafty->options.settings;
    CnTextBuilder problems;
    if (crafty->options.engine.headless)
        return;
    if (!path && crafty_config_path("settings.json", own, sizeof own))
        path = own;
    cn_array_init(&problems, cn_system_allocator());
    crafty_settings_file_load(&crafty->file, cn_native_files(), path, &problems);
    CnText line, rest = {problems.items, problems.count};
    while (cn_text_split(&rest, '\n', &line))
        cn_print_error("%.*s", (int)line.size, line.data);
    cn_array_fini(&problems);
    crafty->preferences = crafty_choices_preferences(&crafty->file.choices);
    crafty_controls_set_preferences(crafty->controls, &crafty->preferences);
}

/* The lines that the player typed in earlier sessions, for windows only, too. */
static void load_chat(Crafty *crafty)
{
    char own[CN_FILE_PATH_BYTES];
    bool is_kept =
        !crafty->options.engine.headless && crafty_config_path("chat_history.txt", own, sizeof own);
    crafty_chat_screen_init(&crafty->chat, is_kept ? own : NULL);
}

/* A run without a window that writes images or a video only looks at a saved world. */
static bool begin_world(Crafty *crafty, CnError *error)
{
    const CraftyOptions *options = &crafty->options;
    const CnEngineDesc *engine = &options->engine;
    char path[CN_STORE_PATH_BYTES];
    CraftyPlayDesc desc = {
        .seed = options->seed, .has_seed = options->has_seed, .replay = options->replay};
    if (options->world) {
        if (!crafty_world_path(options->world, options->worlds, path, error))
            return false;
        desc.path = path;
        desc.read_only = engine->headless && (engine->image_path || engine->video_path);
        if (!desc.read_only && !cn_file_make_folder_of(cn_native_files(), path, error))
            return false;
        if (!desc.read_only && (engine->headless || options->continues))
            crafty_recovery_offer("crafty", path, options->continues, options->mods);
    }
    if (options->connect) {
        desc.online = crafty_online_connect(
            &(CraftyOnlineDesc){.server = options->connect,
                                .name = options->name,
                                .conditions = options->conditions,
                                .view_distance = crafty->settings.view_distance},
            error);
        if (!desc.online)
            return false;
    }
    return crafty_play_begin(crafty, &desc, error);
}

/* In a window, a dialog comes before the world or the list of worlds. */
static bool offers_to_continue(Crafty *crafty)
{
    const CraftyOptions *options = &crafty->options;
    char path[CN_STORE_PATH_BYTES];
    CnError error = {0};
    return options->world && !options->engine.headless && !options->continues &&
           crafty_world_path(options->world, options->worlds, path, &error) &&
           crafty_recovery_dialog_offer(crafty, path);
}

static bool build(Crafty *crafty, CnError *error)
{
    const CraftyOptions *options = &crafty->options;
    if (options->screenshots &&
        !make_folder(options->screenshots, options->engine.make_folders, error))
        return false;
    if (!make_controls(crafty, error))
        return false;
    load_settings(crafty);
    load_chat(crafty);
    const CraftyChoices *choices = &crafty->file.choices;
    choose_settings(crafty, options->has_quality   ? options->quality
                            : choices->has_quality ? choices->quality
                                                   : CRAFTY_LOW);
    bool has_world = !options->no_world && !options->shows_list && !offers_to_continue(crafty);
    if (!crafty_world_menu_create(crafty, error) || (has_world && !begin_world(crafty, error)) ||
        !make_engine(crafty, error))
        return false;
    crafty_log_step(crafty, "engine");
    if (!crafty_game_sound_create(crafty, error))
        return false;
    if (options->shows_list)
        crafty_recovery_dialog_offer(crafty, NULL);
    return has_world ? crafty_play_enter(crafty, error) : crafty_play_idle(crafty->engine, error);
}

Crafty *crafty_create(const CraftyOptions *options, CnError *error)
{
    Crafty *crafty = cn_alloc_zeroed(cn_system_allocator(), sizeof *crafty);
    if (!crafty) {
        cn_error_memory(error, "the game");
        return NULL;
    }
    crafty->begin_ns = cn_clock_ns();
    crafty->options = *options;
    crafty->preferences = crafty_preferences_default();
    if (build(crafty, error)) {
        crafty->stats.start_ms = cn_seconds(cn_clock_ns() - crafty->begin_ns) * 1e3;
        return crafty;
    }
    crafty_destroy(crafty);
    return NULL;
}

void crafty_settings_keep(Crafty *crafty)
{
    CnError error = {0};
    if (!crafty_settings_file_save(&crafty->file, &error))
        cn_print_error("the settings are not kept: %s", error.message);
}

void crafty_destroy(Crafty *crafty)
{
    if (!crafty)
        return;
    crafty_settings_keep(crafty);
    crafty_settings_file_close(&crafty->file);
    crafty_backdrop_close(crafty);
    crafty_play_close(crafty);
    crafty_inventory_screen_fini(&crafty->menu.inventory);
    crafty_world_menu_destroy(crafty);
    crafty_game_sound_destroy(crafty);
    cn_engine_destroy(crafty->engine);
    crafty_controls_destroy(crafty->controls);
    cn_free(cn_system_allocator(), crafty, sizeof *crafty);
}
