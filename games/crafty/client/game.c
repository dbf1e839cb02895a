#include "game.h"

#include "crafty/sim/atmosphere.h"
#include "screen.h"
#include "crafty/world/torches.h"
#include "viewpoint.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/math.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOV 70.0f
#define NEAR_PLANE 0.1f
/* Frames drawn for a single image, so that temporal effects converge. */
#define IMAGE_FRAMES 32u
/* The first frames create resources and are not timed. */
#define WARM_UP_FRAMES 8u
/* With a single image, no other frame can be late. */
#define IMAGE_UPLOAD (8u << 20)
/* GPU capacity per column of chunks in a quarter of the visible square; rarely needed in full. */
#define QUADS_OF_A_COLUMN 40000u
#define MIN_QUADS (4u << 20)
#define FINE_FAR_QUADS (4u << 20)
#define FARTHEST_DEFAULT 32u
/* Chunks that must be loaded around the player before the game starts. */
#define FIRST_RADIUS 3u
/* Size in pixels of frames that are not displayed. Not a power of two, because drivers may use
 * other shaders for those. */
#define SMALL 40u
/* Frames between two samples of memory use. */
#define MEMORY_FRAMES 16u
#define PROGRESS_NS UINT64_C(250000000)

/* ---- Camera ---- */

static CraftyStreamView eye_of(const Crafty *crafty, CnVec3 position, CnQuat rotation)
{
    const CraftySettings *settings = &crafty->settings;
    uint32_t radius = settings->view_distance;
    bool is_near = crafty->is_loading; /* load the ground to stand on first */
    bool has_far = settings->effects & CRAFTY_FAR && !is_near;
    return (CraftyStreamView){.position = position,
                              .forward = cn_quat_rotate(rotation, cn_vec3(0, 0, -1)),
                              .radius = is_near && radius > FIRST_RADIUS ? FIRST_RADIUS : radius,
                              .height = settings->view_height,
                              .far_edge = has_far ? settings->far_edge : 0,
                              .far_detail = settings->far_detail};
}

static CnQuat rotation_of(const CraftyPose *pose)
{
    return cn_quat_from_euler(cn_vec3(pose->pitch, pose->yaw, 0));
}

static CraftyStreamView eye_of_pose(const Crafty *crafty, const CraftyPose *pose)
{
    return eye_of(crafty, pose->position, rotation_of(pose));
}

static void put_camera(Crafty *crafty, const CraftyPose *pose)
{
    CnTransform *transform =
        cn_get_mut(cn_engine_world(crafty->engine), crafty->camera, CnTransform);
    transform->position = pose->position;
    transform->rotation = rotation_of(pose);
}

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
    crafty->pose = options->has_camera ? options->camera : crafty_find_spawn(crafty->terrain);
    if (options->walks && !options->has_camera)
        crafty->pose.position = crafty_ground_near(crafty->terrain, crafty->pose.position);
    if (!options->tour)
        return;
    crafty->on_tour = true;
    crafty_tour_plan(&crafty->tour, options->tour, crafty->terrain, &crafty->pose);
    crafty->pose = crafty->tour.keys[0].pose;
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

static bool make_camera(Crafty *crafty, CnError *error)
{
    CnWorld *world = cn_engine_world(crafty->engine);
    if (!world)
        return cn_error_memory(error, "the world");
    crafty->camera = cn_object_create(world, "Camera", CN_NO_PARENT);
    crafty->sun = cn_object_create(world, "Sun", CN_NO_PARENT);
    CraftyPlayerMode mode = crafty->options.walks ? CRAFTY_PLAYER_WALKS : CRAFTY_PLAYER_FLIES;
    if (!cn_add(world, crafty->camera, CnCamera) ||
        (!crafty->on_tour && !crafty_player_make(world, crafty->camera, mode)) ||
        !cn_camera_set_perspective(world, crafty->camera, FOV, NEAR_PLANE,
                                   crafty_far_plane(&crafty->settings)) ||
        !cn_set(
            world, crafty->sun, CnLight,
            {.kind = CN_LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .intensity = 4, .shadows = true}))
        return cn_error_memory(error, "the camera");
    cn_resource_mut(world, CraftyDay)->light = crafty->sun;
    put_camera(crafty, &crafty->pose);
    return true;
}

static void before_frame(CnEngine *engine, void *user);
static void after_frame(CnEngine *engine, void *user);

/* Jobs load the world while the device is opened and shaders are compiled. */
static void go_on_loading(Crafty *crafty)
{
    CraftyStreamView eye = eye_of_pose(crafty, &crafty->pose);
    crafty_terrain_load(crafty->terrain, &eye);
}

static bool make_engine(Crafty *crafty, CnError *error)
{
    CnEngineDesc desc = engine_desc(crafty);
    crafty->all_frames = desc.frames;
    CnPlugin plugin = crafty_sim_plugin(&crafty->sim);
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
           make_camera(crafty, error) &&
           crafty_lamps_add(cn_engine_world(crafty->engine), crafty_terrain_lamps(crafty->terrain),
                            error) &&
           cn_engine_before_frame(crafty->engine, before_frame, crafty) &&
           cn_engine_after_frame(crafty->engine, after_frame, crafty);
}

/* CAIRN_LOG=debug shows the steps of the start. */
static void log_step(const Crafty *crafty, const char *step)
{
    CN_LOG_DEBUG("crafty", "%s after %.0f ms", step,
                 cn_seconds(cn_clock_ns() - crafty->begin_ns) * 1e3);
}

/* Disables everything except the blocks, or restores what was enabled. */
static void leave_only_blocks(CnRenderer *renderer, uint64_t *was_on, bool only)
{
    CnFeature *feature;
    for (uint32_t i = 0; (feature = cn_renderer_feature_at(renderer, i)) != NULL; i++) {
        bool is_blocks = feature == cn_renderer_feature(renderer, cn_feature_blocks.name) ||
                         feature == cn_renderer_feature(renderer, cn_feature_lit_blocks.name);
        if (only && cn_feature_is_enabled(feature))
            *was_on |= UINT64_C(1) << i;
        if (*was_on >> i & 1 && !is_blocks)
            cn_feature_set_enabled(feature, !only);
    }
}

/* Uploads pending meshes by drawing small empty frames, without affecting the temporal state of
 * other features. */
static bool upload_all(Crafty *crafty, CnError *error)
{
    CnRenderer *renderer = cn_engine_renderer(crafty->engine);
    /* Long enough ago for the blocks to have faded in. */
    CnFrameDesc picture = {
        .time = cn_engine_time(crafty->engine)->elapsed - 60, .width = SMALL, .height = SMALL};
    uint64_t waiting = crafty_terrain_stats(crafty->terrain).view.waiting_bytes,
             before = UINT64_MAX;
    uint64_t was_on = 0;
    bool is_fine = true;
    leave_only_blocks(renderer, &was_on, true);
    while (is_fine && waiting && waiting < before) {
        is_fine = cn_renderer_draw(renderer, &picture, error);
        before = waiting;
        waiting = crafty_terrain_stats(crafty->terrain).view.waiting_bytes;
    }
    leave_only_blocks(renderer, &was_on, false);
    return is_fine;
}

/* CPU drivers compile shaders on first use, in a thread of their own. Drawing a small frame of the
 * chunks loaded so far starts this while the others load. */
static bool warm_up(Crafty *crafty, CnError *error)
{
    const CraftyPose *pose = &crafty->pose;
    CnRenderSnapshot snapshot = {.camera = {.valid = true,
                                            .position = pose->position,
                                            .rotation = rotation_of(pose),
                                            .fov = FOV * CN_PIF / 180,
                                            .near_plane = NEAR_PLANE,
                                            .far_plane = crafty->settings.far_edge},
                                 .atmosphere = {.valid = true,
                                                .to_sun = {0, 1, 0},
                                                .to_moon = {0, -1, 0},
                                                .cloud_cover = 0.5f,
                                                .cloud_bottom = pose->position.y + 100,
                                                .cloud_top = pose->position.y + 140}};
    CnFrameDesc picture = {.current = &snapshot,
                           .time = cn_engine_time(crafty->engine)->elapsed - 60,
                           .width = SMALL,
                           .height = SMALL};
    go_on_loading(crafty);
    return !crafty_uses_baked_lighting(&crafty->settings) ||
           cn_renderer_draw(cn_engine_renderer(crafty->engine), &picture, error);
}

/* Without a window, loads the whole world before the first frame. */
static bool load_all(Crafty *crafty, const CraftyPose *pose, CnError *error)
{
    CraftyStreamView eye = eye_of_pose(crafty, pose);
    crafty_terrain_wait(crafty->terrain, &eye);
    log_step(crafty, "chunks");
    return upload_all(crafty, error);
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

static bool build(Crafty *crafty, CnError *error)
{
    const CraftyOptions *options = &crafty->options;
    if (options->screenshots &&
        !make_folder(options->screenshots, options->engine.make_folders, error))
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
    crafty_torches_place(crafty_terrain_voxels(crafty->terrain), crafty->pose.position,
                         (uint32_t)options->torches);
    crafty->sim = (CraftySimDesc){.voxels = crafty_terrain_voxels(crafty->terrain),
                                  .hours = options->hours,
                                  .has_weather = options->has_weather,
                                  .weather = options->weather,
                                  .freeze_blocks = headless || crafty->on_tour};
    go_on_loading(crafty);
    if (!make_engine(crafty, error))
        return false;
    log_step(crafty, "engine");
    return !headless || (warm_up(crafty, error) && load_all(crafty, &crafty->pose, error));
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
    cn_engine_destroy(crafty->engine);
    crafty_emitters_destroy(crafty->emitters);
    crafty_terrain_destroy(crafty->terrain);
    cn_free(cn_system_allocator(), crafty, sizeof *crafty);
}

/* ---- Frame ---- */

static float frame_seconds(const Crafty *crafty)
{
    return 1.0f / (float)(crafty->options.engine.fps ? crafty->options.engine.fps : 60);
}

/* Takes the screenshot in the last frame before the next key, when everything has settled. */
static void take_screenshot(Crafty *crafty, uint32_t key)
{
    const CraftyTour *tour = &crafty->tour;
    const CraftyOptions *options = &crafty->options;
    char path[512];
    CnError error = {0};
    if (!options->screenshots || key < crafty->next_screenshot_key || !tour->keys[key].name[0] ||
        key + 1 == tour->count ||
        crafty->tour_seconds + 1.5f * frame_seconds(crafty) < tour->keys[key + 1].seconds)
        return;
    crafty->next_screenshot_key = key + 1;
    crafty->is_untimed = true;
    if (!cn_format(path, sizeof path, "%s/%s.png", options->screenshots, tour->keys[key].name))
        cn_error_set(&error, CN_ERROR_LIMIT, "the path is too long");
    else
        cn_engine_screenshot(crafty->engine, path, &error);
    if (error.code != CN_OK)
        fprintf(stderr, "cannot write screenshot %s: %s\n", tour->keys[key].name, error.message);
}

/* Prints one line that is updated in a terminal; elsewhere one line per stop. */
static void show_progress(Crafty *crafty, bool is_new_key)
{
    const CraftyTourKey *key = &crafty->tour.keys[crafty->tour_key];
    bool is_terminal = isatty(STDERR_FILENO) != 0;
    uint64_t now_ns = cn_clock_ns();
    if (is_terminal ? now_ns - crafty->progress_ns < PROGRESS_NS : !is_new_key || !key->name[0])
        return;
    crafty->progress_ns = now_ns;
    float seconds = crafty->options.frames ? (float)crafty->all_frames * frame_seconds(crafty)
                                           : crafty_tour_seconds(&crafty->tour);
    fprintf(stderr, "%s%s: %s %.1f of %.0f s, %.1f ms per frame%s", is_terminal ? "\r" : "",
            crafty->options.tour, key->name[0] ? key->name : "", (double)crafty->tour_seconds,
            (double)seconds, crafty_stats_last_ms(&crafty->stats), is_terminal ? "   " : "\n");
}

/* A tour has its own clock, and weather changes at once at the camera. */
static void update_weather_place(CnWorld *world, const CraftyTourMoment *moment, bool is_new_key,
                                 bool jumps)
{
    cn_resource_mut(world, CraftyDay)->speed = 0;
    crafty_day_set_hours(world, moment->hours);
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    if (is_new_key && jumps)
        crafty_weather_hold(world, moment->weather);
    weather->held = true;
    weather->kind = (uint8_t)moment->weather;
}

/* If more frames are requested than the tour has, it runs back and forth. */
static float tour_time(const Crafty *crafty)
{
    float length = crafty_tour_seconds(&crafty->tour);
    float phase = cn_fmodf(crafty->tour_seconds, 2 * length);
    return !crafty->options.frames ? crafty->tour_seconds
           : phase < length        ? phase
                                   : 2 * length - phase;
}

static void follow_tour(Crafty *crafty)
{
    CnEngine *engine = crafty->engine;
    CraftyTourMoment moment = crafty_tour_at(&crafty->tour, tour_time(crafty));
    const CraftyTourKey *key = &crafty->tour.keys[moment.key];
    CnError error = {0};
    if (moment.key != crafty->tour_key && key->jumps && cn_engine_is_headless(engine)) {
        crafty->is_untimed = true;
        if (!load_all(crafty, &moment.pose, &error))
            fprintf(stderr, "%s\n", error.message);
    }
    bool is_new_key = moment.key != crafty->tour_key || crafty->frame == 0;
    crafty->tour_key = moment.key;
    put_camera(crafty, &moment.pose);
    update_weather_place(cn_engine_world(engine), &moment, is_new_key,
                         key->jumps || crafty->frame == 0);
    take_screenshot(crafty, moment.key);
    show_progress(crafty, is_new_key);
    if (!crafty->options.frames && crafty->tour_seconds >= crafty_tour_seconds(&crafty->tour))
        cn_engine_quit(engine, 0);
}

/* Reports the block that the player aims at and breaks. */
static bool show_hand(Crafty *crafty, CnWorld *world)
{
    CraftyHand *hand = cn_resource_mut(world, CraftyHand);
    bool aims = crafty_player_aims(world, crafty->camera);
    const CnInteract *interact = &hand->interact;
    cn_block_view_set_aim(
        crafty->shown.blocks,
        &(CnBlockAim){.exists = aims && interact->aiming,
                      .is_prop = (cn_block_flags[interact->target.block] & CN_BLOCK_IS_PROP) != 0,
                      .cell = interact->target.cell,
                      .crack_stage = interact->breaking ? interact->crack_stage : -1});
    crafty_emitters_interact(crafty->emitters, crafty_terrain_voxels(crafty->terrain), hand->events,
                             hand->event_count);
    hand->event_count = 0;
    return aims;
}

static void let_fly(Crafty *crafty, CnWorld *world, CnVec3 eye)
{
    /* Fewer on CPUs, which draw particles one by one. */
    static const float densities[] = {
        [CRAFTY_LOW] = 0.2f, [CRAFTY_MEDIUM] = 0.6f, [CRAFTY_HIGH] = 1, [CRAFTY_ULTRA] = 1};
    if (!(crafty->settings.effects & CRAFTY_PARTICLES))
        return;
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    const CraftyPlace *place = cn_resource(world, CraftyPlace);
    float density = densities[crafty->quality];
    CraftyBiomes biomes = crafty_terrain_biomes(crafty->terrain);
    double seconds = cn_engine_time(crafty->engine)->delta; /* of the previous frame */
    crafty_emitters_frame(crafty->emitters,
                          &(CraftyEmittersFrame){.voxels = crafty_terrain_voxels(crafty->terrain),
                                                 .lamps = crafty_terrain_lamps(crafty->terrain),
                                                 .generator = biomes.generator,
                                                 .scratch = biomes.scratch,
                                                 .eye = eye,
                                                 .biome = (CnBiome)place->biome,
                                                 .rain = weather ? weather->rain * density : 0,
                                                 .snow = weather ? weather->snow * density : 0,
                                                 .seconds = (float)seconds});
}

/* Weather depends on the biome; fog depends on the water and rock above the camera. */
static void show_place(Crafty *crafty, CnWorld *world, CnVec3 eye)
{
    CnCell cell = {(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y), (int32_t)cn_floorf(eye.z)};
    CraftyBiomes biomes = crafty_terrain_biomes(crafty->terrain);
    CnColumn column = cn_generate_column(biomes.generator, biomes.scratch, cell.x, cell.z);
    CraftyPlace *place = cn_resource_mut(world, CraftyPlace);
    place->biome = column.biome;
    place->water_above = crafty_water_above(crafty_terrain_voxels(crafty->terrain), eye);
    place->shelter =
        crafty_shelter(crafty_terrain_voxels(crafty->terrain), eye, place->water_above);
}

static void before_frame(CnEngine *engine, void *user)
{
    Crafty *crafty = user;
    CnWorld *world = cn_engine_world(engine);
    if (crafty->on_tour)
        follow_tour(crafty);
    const CnTransform *transform = cn_get(world, crafty->camera, CnTransform);
    show_place(crafty, world, transform->position);
    CraftyStreamView eye = eye_of(crafty, transform->position, transform->rotation);
    eye.seconds = (float)cn_engine_time(engine)->unscaled_delta;
    eye.times = &crafty->times;
    crafty_phase_end(&crafty->times, CRAFTY_PHASE_CAMERA);
    if (crafty->is_loading) {
        crafty_terrain_load(crafty->terrain, &eye);
        crafty_screen_loading(crafty);
        return;
    }
    crafty_terrain_stream(crafty->terrain, &eye);
    bool aims = show_hand(crafty, world);
    let_fly(crafty, world, transform->position);
    if (!cn_engine_is_headless(engine))
        crafty_screen_frame(crafty, aims);
    crafty_phase_end(&crafty->times, CRAFTY_PHASE_EFFECTS);
}

/* Adds the phases that the engine and the renderer measure. */
static void note_drawing(Crafty *crafty)
{
    CnRenderer *renderer = cn_engine_renderer(crafty->engine);
    CnRendererStats stats = cn_renderer_stats(renderer);
    const CnOverlayData *overlay = cn_engine_overlay(crafty->engine);
    uint32_t last = (overlay->frame_next + CN_OVERLAY_FRAMES - 1) % CN_OVERLAY_FRAMES;
    CraftyFrameTimes *times = &crafty->times;
    times->phase_ms[CRAFTY_PHASE_TICKS] = overlay->tick_ms[last];
    times->phase_ms[CRAFTY_PHASE_GPU_WAIT] = stats.wait_microseconds * 1e-3f;
    times->phase_ms[CRAFTY_PHASE_RECORD] = stats.cpu_microseconds * 1e-3f;
    times->phase_ms[CRAFTY_PHASE_SUBMIT] = stats.submit_microseconds * 1e-3f;
    times->gpu_ms = overlay->gpu_ms[last];
    times->waiting_bytes = cn_block_view_stats(crafty->shown.blocks).waiting_bytes;
}

static void after_frame(CnEngine *engine, void *user)
{
    Crafty *crafty = user;
    if (!crafty->options.print_stats) /* accessing the renderer waits until it has drawn */
        return;
    if (crafty->frame >= WARM_UP_FRAMES)
        crafty_stats_passes(&crafty->stats, cn_engine_renderer(engine));
    note_drawing(crafty);
}

/* ---- Main loop ---- */

static bool print_stats(Crafty *crafty)
{
    CnGpuInfo info = cn_gpu_info(cn_engine_gpu(crafty->engine));
    CraftyStatsView view = {.device = info.name,
                            .quality = crafty_quality_name(crafty->quality),
                            .view_distance = crafty->settings.view_distance,
                            .frames = crafty->frame,
                            .renderer = cn_engine_renderer(crafty->engine),
                            .terrain = crafty->terrain};
    cn_engine_size(crafty->engine, &view.width, &view.height);
    CnTextBuilder text;
    cn_array_init(&text, cn_system_allocator());
    bool is_written = crafty_stats_write(&crafty->stats, &view, &text) &&
                      fwrite(text.items, 1, text.count, stdout) == text.count && !fflush(stdout);
    cn_array_fini(&text);
    if (!is_written)
        fprintf(stderr, "cannot write the statistics\n");
    return is_written;
}

/* Excludes the first frames, frames that wait for terrain after a jump of the tour, and frames that
 * write a screenshot. */
static bool is_timed(const Crafty *crafty)
{
    bool writes = crafty->options.engine.out && crafty->frame + 1 == crafty->all_frames;
    return crafty->frame >= WARM_UP_FRAMES && !writes && !crafty->is_untimed;
}

/* Runs between frames, outside of the measured time, because it visits every chunk. */
static void look_at_memory(Crafty *crafty)
{
    if (crafty->options.print_stats && crafty->frame % MEMORY_FRAMES == 0)
        crafty_stats_memory(&crafty->stats, cn_engine_renderer(crafty->engine), crafty->terrain,
                            2 * crafty->frame >= crafty->all_frames);
}

int crafty_run(Crafty *crafty)
{
    uint64_t first_ns = cn_clock_ns(), last_ns = first_ns;
    bool goes_on = true;
    while (goes_on) {
        crafty->is_untimed = false;
        crafty_frame_times_begin(&crafty->times, crafty->frame);
        goes_on = cn_engine_frame(crafty->engine);
        crafty_frame_times_end(&crafty->times);
        uint64_t now_ns = cn_clock_ns();
        if (crafty->frame == 0 && crafty->options.print_stats) {
            cn_gpu_wait(cn_engine_gpu(crafty->engine), NULL);
            now_ns = cn_clock_ns();
            crafty->stats.first_frame_ms = cn_seconds(now_ns - crafty->begin_ns) * 1e3;
        }
        if (is_timed(crafty)) {
            crafty_stats_frame(&crafty->stats, cn_seconds(now_ns - last_ns) * 1e3);
            crafty_longest_frames_add(&crafty->stats.longest, &crafty->times);
        }
        look_at_memory(crafty);
        last_ns = cn_clock_ns();
        crafty->frame++;
        if (crafty->is_loading)
            first_ns = now_ns;
        crafty->tour_seconds = crafty->options.engine.headless
                                   ? (float)crafty->frame * frame_seconds(crafty)
                                   : (float)cn_seconds(now_ns - first_ns);
    }
    if (crafty->on_tour && isatty(STDERR_FILENO))
        fputc('\n', stderr); /* ends the progress line */
    const CnError *error = cn_engine_error(crafty->engine);
    if (error->code != CN_OK) {
        char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
        fprintf(stderr, "%s\n", cn_error_text(error, text, sizeof text));
        return 1;
    }
    return crafty->options.print_stats && !print_stats(crafty);
}
