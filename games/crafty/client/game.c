#include "game.h"

#include "crafty/world/viewpoint.h"
#include "frame.h"
#include "headless.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Frames drawn for a single image, so that temporal effects converge. */
#define IMAGE_FRAMES 32u
/* With a single image, no other frame can be late. */
#define IMAGE_UPLOAD (8u << 20)
/* GPU capacity per column of chunks in a quarter of the visible square; rarely needed in full. */
#define QUADS_OF_A_COLUMN 40000u
#define MIN_QUADS (4u << 20)
#define FINE_FAR_QUADS (4u << 20)
#define FARTHEST_DEFAULT 32u

/* ---- Start ---- */

static void choose_settings(Crafty *crafty, CraftyQuality quality)
{
    const CraftyOptions *options = &crafty->options;
    crafty->quality = quality;
    crafty->settings = crafty_settings(quality);
    if (options->effects_off && !strcmp(options->effects_off, "all")) /* except for --on */
        crafty->settings.effects = 0;
    if (options->effects_on) /* validated by the options */
        crafty_effects_switch(&crafty->settings, options->effects_on, true, NULL);
    if (options->effects_off && strcmp(options->effects_off, "all") != 0)
        crafty_effects_switch(&crafty->settings, options->effects_off, false, NULL);
    if (options->view_distance)
        crafty->settings.view_distance = (uint32_t)options->view_distance;
}

static void plan(Crafty *crafty)
{
    const CraftyOptions *options = &crafty->options;
    CraftyWorld *world = crafty_terrain_world(crafty->terrain);
    crafty->pose = options->has_camera ? options->camera : crafty_find_spawn(world);
    if (options->walks && !options->has_camera)
        crafty->pose.position = crafty_ground_near(world, crafty->pose.position);
    if (!options->tour)
        return;
    crafty->on_tour = true;
    crafty_tour_plan(&crafty->tour, options->tour, world, &crafty->pose);
    crafty->pose = crafty->tour.keys[0].pose;
}

static CraftyStart start_of(const Crafty *crafty)
{
    const CraftyOptions *options = &crafty->options;
    return (CraftyStart){.seed = options->seed,
                         .viewer = crafty->on_tour  ? CRAFTY_VIEWER_TOUR
                                   : options->walks ? CRAFTY_VIEWER_WALKS
                                                    : CRAFTY_VIEWER_FLIES,
                         .pose = crafty->pose,
                         .hours = options->hours,
                         .has_weather = options->has_weather,
                         .weather = options->weather,
                         .freeze_blocks = options->engine.headless || crafty->on_tour,
                         .torches = (uint32_t)options->torches};
}

/* Defaults for options that were not given. */
static CnEngineDesc engine_desc(const Crafty *crafty)
{
    CnEngineDesc desc = crafty->options.engine;
    uint64_t tour_frames =
        (uint64_t)(crafty_tour_seconds(&crafty->tour) * (float)(desc.fps ? desc.fps : 60));
    desc.frames = crafty->options.frames;
    if (desc.headless && !desc.frames)
        desc.frames = crafty->on_tour ? tour_frames : IMAGE_FRAMES;
    return desc;
}

/* Connects the client to the simulation: it sends actions and commands, reads events, and draws
 * through a lens of its own. */
static bool connect(Crafty *crafty, CnError *error)
{
    CnWorld *world = cn_engine_world(crafty->engine);
    if (!world)
        return cn_error_memory(error, "the world");
    crafty->camera = cn_camera_active(world);
    crafty->connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, error);
    if (!crafty->connection)
        return false;
    cn_engine_set_player(crafty->engine, CRAFTY_FIRST_PLAYER);
    crafty->hand_events = cn_event_reader_create(cn_channel(world, CraftyHandEvent), error);
    if (!crafty->hand_events)
        return false;
    crafty->lens = (CraftyLens){.fov = CRAFTY_FOV,
                                .near_plane = CRAFTY_NEAR_PLANE,
                                .far_plane = crafty_far_plane(&crafty->settings)};
    return crafty_lamps_add(world, crafty_terrain_lamps(crafty->terrain), error) &&
           crafty_lens_add(world, &crafty->lens, error);
}

static bool begin_recording(Crafty *crafty, CnError *error)
{
    CnTextBuilder settings;
    if (!crafty->options.record)
        return true;
    cn_array_init(&settings, cn_system_allocator());
    if (!crafty_recording_write(&crafty->sim.start, cn_voxels_blocks(crafty->sim.voxels),
                                crafty->sim.items, &settings)) {
        cn_array_fini(&settings);
        return cn_error_memory(error, "the settings of the recording");
    }
    crafty->recorder = cn_recorder_create(cn_engine_sim(crafty->engine),
                                          &(CnRecorderDesc){.files = cn_native_files(),
                                                            .path = crafty->options.record,
                                                            .settings = settings.items,
                                                            .keyframe_ticks = UINT32_MAX},
                                          error);
    cn_array_fini(&settings);
    return crafty->recorder != NULL;
}

/* Jobs load the world while the device is opened and shaders are compiled. */
static void go_on_loading(Crafty *crafty)
{
    CraftyStreamView eye = crafty_frame_view_of_pose(crafty, &crafty->pose);
    crafty_terrain_load(crafty->terrain, &eye);
}

static bool make_engine(Crafty *crafty, CnError *error)
{
    CnEngineDesc desc = engine_desc(crafty);
    crafty->all_frames = desc.frames;
    CnPlugin plugin = crafty_sim_plugin(&crafty->sim);
    desc.own_input = true;
    desc.plugins = &plugin;
    desc.plugin_count = 1;
    crafty->engine = cn_engine_create(&desc, error);
    if (!crafty->engine)
        return false;
    CnGpuInfo info = cn_gpu_info(cn_engine_gpu(crafty->engine));
    if (!crafty->options.has_quality)
        choose_settings(crafty, crafty_quality_for(info.kind));
    go_on_loading(crafty);
    if (!crafty->options.engine.width)
        cn_engine_set_size(crafty->engine, crafty->settings.width, crafty->settings.height);
    crafty->shown.blocks = crafty_terrain_view(crafty->terrain);
    crafty->emitters = crafty_emitters_create(error);
    if (!crafty->emitters)
        return false;
    crafty->shown.particles = crafty_emitters_particles(crafty->emitters);
    CnRenderer *renderer = cn_engine_renderer(crafty->engine);
    return (desc.headless
                ? crafty_preset(renderer, &crafty->settings, &crafty->shown, error)
                : cn_renderer_add_feature(renderer, &cn_feature_ui, NULL, error) != NULL) &&
           connect(crafty, error) && begin_recording(crafty, error) &&
           cn_engine_before_frame(crafty->engine, crafty_frame_before, crafty) &&
           cn_engine_after_frame(crafty->engine, crafty_frame_after, crafty);
}

/* CAIRN_LOG=debug shows the steps of the start. */
static void log_step(const Crafty *crafty, const char *step)
{
    CN_LOG_DEBUG("crafty", "%s after %.0f ms", step,
                 cn_seconds(cn_clock_ns() - crafty->begin_ns) * 1e3);
}

/* The terrain is created before the device is known. The device determines the view distance, and
 * in a window the player can change it, so this assumes a large one. Unused capacity is only
 * reserved address space. */
static uint32_t room_for_quads(const Crafty *crafty)
{
    bool is_known = crafty->options.engine.headless &&
                    (crafty->options.has_quality || crafty->options.view_distance);
    uint32_t distance = is_known ? crafty->settings.view_distance : FARTHEST_DEFAULT;
    uint32_t quads = distance * distance * QUADS_OF_A_COLUMN;
    quads += crafty->settings.far_detail == CN_LOD_FINE ? FINE_FAR_QUADS : 0;
    return quads > MIN_QUADS ? quads : MIN_QUADS;
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

static bool build(Crafty *crafty, CnError *error)
{
    const CraftyOptions *options = &crafty->options;
    if (options->screenshots &&
        !make_folder(options->screenshots, options->engine.make_folders, error))
        return false;
    if (!make_controls(crafty, error))
        return false;
    choose_settings(crafty, options->has_quality ? options->quality : CRAFTY_LOW);
    bool headless = options->engine.headless;
    crafty->terrain = crafty_terrain_create(
        &(CraftyTerrainDesc){.seed = options->seed,
                             .max_quads = room_for_quads(crafty),
                             .upload_bytes = headless && !options->tour
                                                 ? IMAGE_UPLOAD
                                                 : crafty->settings.upload_bytes},
        error);
    if (!crafty->terrain)
        return false;
    log_step(crafty, "terrain");
    plan(crafty);
    log_step(crafty, "spawn");
    crafty->sim =
        (CraftySimDesc){.voxels = crafty_terrain_voxels(crafty->terrain),
                        .items = crafty_world_items(crafty_terrain_world(crafty->terrain)),
                        .biomes = crafty_world_biomes(crafty_terrain_world(crafty->terrain)),
                        .start = start_of(crafty)};
    go_on_loading(crafty);
    if (!make_engine(crafty, error))
        return false;
    log_step(crafty, "engine");
    return !headless || (crafty_headless_warm_up(crafty, error) &&
                         crafty_headless_load(crafty, &crafty->pose, error));
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
    crafty->menu.sensitivity = 1;
    crafty->is_loading = !options->engine.headless;
    if (build(crafty, error)) {
        crafty->stats.start_ms = cn_seconds(cn_clock_ns() - crafty->begin_ns) * 1e3;
        return crafty;
    }
    crafty_destroy(crafty);
    return NULL;
}

void crafty_destroy(Crafty *crafty)
{
    if (!crafty)
        return;
    cn_recorder_destroy(crafty->recorder);
    crafty_connection_destroy(crafty->connection);
    cn_engine_destroy(crafty->engine);
    crafty_controls_destroy(crafty->controls);
    crafty_emitters_destroy(crafty->emitters);
    crafty_terrain_destroy(crafty->terrain);
    cn_free(cn_system_allocator(), crafty, sizeof *crafty);
}
