#include "play.h"

#include "crafty/save/signals.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/recording.h"
#include "crafty/world/viewpoint.h"
#include "frame.h"
#include "headless.h"
#include "mod_notes.h"
#include "mod_reload.h"

#include <cairn/base/console.h>
#include <cairn/base/log.h>

/* Of the engine's default scene, so that the random streams of worlds that are not saved are those
 * of any program with this seed. */
#define SCENE "Main"
#define IDLE_SCENE "Idle" /* of frames without a world */

/* With a single image, no other frame can be late. */
#define IMAGE_UPLOAD (8u << 20)
/* GPU capacity per column of chunks in a quarter of the visible square; rarely needed in full. */
#define QUADS_OF_A_COLUMN 40000u
#define MIN_QUADS (4u << 20)
#define FINE_FAR_QUADS (4u << 20)
#define FARTHEST_DEFAULT 32u

/* ---- The world ---- */

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

/* Returns whether the world continues what was saved. */
static bool is_continued(const CraftyPlay *play)
{
    return play->save && !crafty_save_is_new(play->save);
}

static bool open_save(CraftyPlay *play, const CraftyPlayDesc *desc, CnError *error)
{
    if (desc->online)
        return true;
    if (desc->replay) {
        play->replay = crafty_world_replay_open(cn_native_files(), desc->replay, error);
        return play->replay != NULL;
    }
    if (desc->path && !cn_copy_text(play->path, sizeof play->path, cn_text(desc->path)))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the world is too long");
    if (desc->path)
        play->save =
            crafty_save_open(&(CraftySaveDesc){.path = desc->path,
                                               .mode = desc->read_only ? CN_STORE_READ_ONLY
                                                                       : CN_STORE_OPEN_OR_CREATE,
                                               .name = desc->name,
                                               .seed = desc->seed,
                                               .has_seed = desc->has_seed},
                             error);
    if (play->save && !desc->read_only)
        crafty_signals_catch();
    return play->save || !desc->path;
}

const CraftyMods *crafty_play_mods(const CraftyPlay *play)
{
    return crafty_session_mods_code(play->mods);
}

/* The landscape behind the title has no mods. */
static bool find_mods(const CraftyOptions *options, CraftyPlay *play, CnError *error)
{
    CraftySessionModsDesc desc = {.extra = play->is_backdrop ? NULL : options->mods,
                                  .without = options->no_mods || play->online,
                                  .save = play->save,
                                  .recorded =
                                      play->replay ? crafty_world_replay_mods(play->replay) : NULL};
    play->mods = crafty_session_mods_create(&desc, error);
    return play->mods != NULL;
}

/* The textures are decoded on the thread that opens the world. */
static bool make_tiles(CraftyPlay *play, CraftyTerrainDesc *desc, CnError *error)
{
    play->tiles = crafty_world_tiles_create(NULL, crafty_play_mods(play), error);
    if (play->tiles)
        desc->textures = crafty_world_tiles_bytes(play->tiles, &desc->texture_bytes);
    return play->tiles != NULL;
}

static bool make_terrain(const Crafty *crafty, CraftyPlay *play, uint64_t seed, CnError *error)
{
    const CraftyOptions *options = &crafty->options;
    CraftyTerrainDesc desc = {.seed = seed,
                              .content = crafty_mods_content(crafty_session_mods_code(play->mods)),
                              .max_quads = room_for_quads(crafty),
                              .upload_bytes = options->engine.headless && !options->tour
                                                  ? IMAGE_UPLOAD
                                                  : crafty->settings.upload_bytes};
    if (play->save) {
        desc.hooks = crafty_save_hooks(play->save);
        desc.palettes = crafty_save_palettes(play->save);
    }
    if (play->replay) {
        desc.hooks = crafty_world_replay_hooks(play->replay);
        desc.palettes = crafty_world_replay_palettes(play->replay);
    }
    if (play->online) {
        const CraftyWelcome *welcome =
            crafty_net_client_welcome(crafty_online_client(play->online));
        desc.hooks = crafty_net_client_hooks(crafty_online_client(play->online));
        desc.palettes = (CraftyPalettes){welcome->blocks, welcome->items};
    }
    if (!make_tiles(play, &desc, error))
        return false;
    play->terrain = crafty_terrain_create(&desc, error);
    if (!play->terrain)
        return false;
    CraftyWorld *world = crafty_terrain_world(play->terrain);
    return (!play->save || crafty_save_attach(play->save, world, error)) &&
           (!play->replay || crafty_world_replay_attach(play->replay, world, error));
}

/* A new world may have been created with rules. */
static CraftyPlayerMode start_mode(const CraftyOptions *options, const CraftyPlay *play)
{
    const CraftyWorldIdentity *identity = play->save ? crafty_save_identity(play->save) : NULL;
    return identity && identity->has_rules ? (CraftyPlayerMode)identity->mode : options->mode;
}

static void plan(const CraftyOptions *options, CraftyPlay *play)
{
    CraftyWorld *world = crafty_terrain_world(play->terrain);
    if (play->replay || play->online) {
        play->pose = play->replay
                         ? crafty_world_replay_start(play->replay)->pose
                         : crafty_net_client_start(crafty_online_client(play->online))->pose;
        return;
    }
    play->pose = options->has_camera  ? options->camera
                 : is_continued(play) ? crafty_save_summary(play->save)->pose
                                      : crafty_find_spawn(world);
    if (start_mode(options, play) != CRAFTY_MODE_SPECTATOR && !options->has_camera &&
        !is_continued(play))
        play->pose.position = crafty_ground_near(world, play->pose.position);
    if (!options->tour && !play->is_backdrop)
        return;
    play->on_tour = true;
    crafty_tour_plan(&play->tour, play->is_backdrop ? "flight" : options->tour, world, &play->pose);
    play->pose = play->tour.keys[0].pose;
}

/* Blocks stand still in tours and images, but not in a world that is played and saved. */
static bool is_still(const CraftyOptions *options, const CraftyPlay *play)
{
    bool is_played = play->save && !play->is_read_only;
    return play->on_tour || (options->engine.headless && !is_played);
}

static CraftyStart start_of(const CraftyOptions *options, const CraftyPlay *play, uint64_t seed)
{
    if (play->replay)
        return *crafty_world_replay_start(play->replay);
    if (play->online) {
        CraftyStart start = *crafty_net_client_start(crafty_online_client(play->online));
        start.viewer = crafty_start_viewer(crafty_start_mode(&start));
        return start;
    }
    const CraftyWorldIdentity *identity = play->save ? crafty_save_identity(play->save) : NULL;
    return (CraftyStart){
        .seed = seed,
        .viewer =
            play->on_tour ? CRAFTY_VIEWER_TOUR : crafty_start_viewer(start_mode(options, play)),
        .mode = start_mode(options, play),
        .commands = identity && identity->has_rules && identity->commands,
        .keep_inventory = identity && identity->has_rules && identity->keep_inventory,
        .pose = play->pose,
        .hours = options->hours,
        .has_weather = options->has_weather,
        .weather = options->weather,
        .difficulty =
            is_still(options, play) && !options->is_lively ? CRAFTY_NO_CREATURES : CRAFTY_NORMAL,
        .freeze_blocks = is_still(options, play) && !options->is_lively,
        .torches = is_continued(play) ? 0 : (uint32_t)options->torches};
}

void crafty_play_go_on_loading(Crafty *crafty)
{
    CraftyStreamView eye = crafty_frame_view_of_pose(crafty, &crafty->play->pose);
    crafty_terrain_load(crafty->play->terrain, &eye);
}

static bool make_world(const Crafty *crafty, CraftyPlay *play, const CraftyPlayDesc *desc,
                       CnError *error)
{
    if (!open_save(play, desc, error) || !find_mods(&crafty->options, play, error))
        return false;
    uint64_t seed = play->save     ? crafty_save_identity(play->save)->seed
                    : play->replay ? crafty_world_replay_start(play->replay)->seed
                    : play->online
                        ? crafty_net_client_start(crafty_online_client(play->online))->seed
                        : desc->seed;
    if (!make_terrain(crafty, play, seed, error))
        return false;
    crafty_log_step(crafty, "terrain");
    plan(&crafty->options, play);
    crafty_log_step(crafty, "spawn");
    CraftyWorld *world = crafty_terrain_world(play->terrain);
    play->sim = (CraftySimDesc){.voxels = crafty_world_voxels(world),
                                .items = crafty_world_items(world),
                                .recipes = crafty_world_recipes(world),
                                .block_rules = crafty_world_block_rules(world),
                                .families = crafty_world_families(world),
                                .creatures = crafty_world_creatures(world),
                                .trades = crafty_world_trades(world),
                                .weather = crafty_world_weather(world),
                                .biomes = crafty_world_biomes(world),
                                .terrain = crafty_world_terrain(world),
                                .villages = crafty_world_villages(world),
                                .mods = crafty_session_mods_code(play->mods),
                                .start = start_of(&crafty->options, play, seed)};
    return true;
}

void crafty_play_destroy(CraftyPlay *play)
{
    if (!play)
        return;
    crafty_mod_hud_fini(&play->mod_hud);
    crafty_online_leave(play->online);
    crafty_terrain_destroy(play->terrain);
    crafty_world_tiles_destroy(play->tiles);
    crafty_save_close(play->save);
    crafty_session_mods_destroy(play->mods);
    crafty_world_replay_close(play->replay);
    cn_free(cn_system_allocator(), play, sizeof *play);
}

CraftyPlay *crafty_play_create(const Crafty *crafty, const CraftyPlayDesc *desc, CnError *error)
{
    CraftyPlay *play = cn_alloc_zeroed(cn_system_allocator(), sizeof *play);
    if (!play) {
        cn_error_memory(error, "a world");
        return NULL;
    }
    crafty_mod_hud_init(&play->mod_hud, NULL);
    play->is_read_only = desc->read_only;
    play->is_backdrop = desc->backdrop;
    play->online = desc->online;
    play->number = desc->online
                       ? crafty_net_client_welcome(crafty_online_client(desc->online))->player
                       : CRAFTY_FIRST_PLAYER;
    play->is_loading = !crafty->options.engine.headless;
    if (make_world(crafty, play, desc, error))
        return play;
    crafty_play_destroy(play);
    return NULL;
}

bool crafty_play_begin(Crafty *crafty, const CraftyPlayDesc *desc, CnError *error)
{
    CN_ASSERT(!crafty->play, "a world is open");
    crafty->play = crafty_play_create(crafty, desc, error);
    if (crafty->play)
        crafty_play_go_on_loading(crafty);
    return crafty->play != NULL;
}

/* ---- Simulation and client ---- */

/* The camera is where the recording begins, which may be in the middle of a game. */
static bool begin_replay(CraftyPlay *play, CnError *error)
{
    CnSim *sim = cn_scene_sim(play->scene);
    if (!crafty_world_replay_restore(play->replay, sim, error) ||
        !cn_replay_begin(crafty_world_replay_cn(play->replay), sim, error))
        return false;
    const CnWorld *world = cn_sim_world(sim);
    const CnTransform *transform = cn_get(world, cn_camera_active(world), CnTransform);
    if (transform) {
        CnVec3 angles = cn_quat_to_euler(transform->rotation);
        play->pose = (CraftyPose){transform->position, angles.y, angles.x};
    }
    return true;
}

static bool make_scene(Crafty *crafty, CnError *error)
{
    CraftyPlay *play = crafty->play;
    CnScenes *scenes = cn_engine_scenes(crafty->engine);
    CnPlugin plugin = crafty_sim_plugin(&play->sim);
    CnSceneDesc desc = {.name = SCENE};
    if (play->save) {
        const CraftyWorldIdentity *identity = crafty_save_identity(play->save);
        desc.has_seed = true;
        desc.seed = identity->random_seed;
        desc.tick_hz = identity->tick_hz;
    }
    if (play->replay) {
        const CnReplayInfo *info = cn_replay_info(crafty_world_replay_cn(play->replay));
        desc.has_seed = true;
        desc.seed = info->seed;
        desc.tick_hz = info->tick_hz;
    }
    if (play->online) {
        const CraftyWelcome *welcome =
            crafty_net_client_welcome(crafty_online_client(play->online));
        desc.has_seed = true;
        desc.seed = welcome->random_seed;
        desc.tick_hz = welcome->tick_hz;
    }
    play->scene = cn_scene_create(scenes, &desc, error);
    return play->scene && cn_sim_add_plugin(cn_scene_sim(play->scene), &plugin, error) &&
           (!is_continued(play) ||
            crafty_save_restore(play->save, cn_scene_sim(play->scene), error)) &&
           (!play->replay || begin_replay(play, error)) && cn_scenes_switch(scenes, SCENE, error);
}

/* Connects the client to the simulation: it sends actions and commands, and reads
 * events. */
static bool connect(Crafty *crafty, CnError *error)
{
    CraftyPlay *play = crafty->play;
    CnWorld *world = cn_scene_world(play->scene);
    play->camera = cn_camera_active(world);
    play->connection = crafty_connection_create(world, play->number, error);
    if (!play->connection ||
        (play->online && !crafty_online_enter(play->online, cn_scene_sim(play->scene), &play->sim,
                                              play->camera, play->connection, error)))
        return false;
    /* In a recording nobody captures the mouse. */
    cn_engine_set_player(crafty->engine, play->replay ? UINT32_MAX : play->number);
    play->hand_events = cn_event_reader_create(cn_channel(world, CraftyHandEvent), error);
    play->player_events = cn_event_reader_create(cn_channel(world, CraftyPlayerEvent), error);
    bool has_creatures = cn_component_find(world, cn_type_CraftyCreatureEvent.name).id != 0;
    if (has_creatures)
        play->creature_events =
            cn_event_reader_create(cn_channel(world, CraftyCreatureEvent), error);
    bool has_effects = cn_component_find(world, cn_type_CraftyModEffect.name).id != 0;
    if (has_effects)
        play->mod_effects = cn_event_reader_create(cn_channel(world, CraftyModEffect), error);
    if (has_effects && !play->mod_effects)
        return false;
    return play->hand_events && play->player_events && (play->creature_events || !has_creatures) &&
           (play->is_backdrop || crafty_game_sound_enter(crafty, world, error)) &&
           crafty_player_view_add(play->view, world, error) &&
           crafty_chat_screen_begin(&crafty->chat, world, play->connection, error) &&
           crafty_lamps_add(world, crafty_terrain_lamps(play->terrain), error);
}

static bool begin_recording(Crafty *crafty, CnError *error)
{
    CraftyPlay *play = crafty->play;
    if (!crafty->options.record)
        return true;
    play->recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = crafty->options.record,
                                   .sim = cn_scene_sim(play->scene),
                                   .world = crafty_terrain_world(play->terrain),
                                   .start = &play->sim.start,
                                   .save = play->save,
                                   .mods = crafty_session_mods_running(play->mods)},
        error);
    return play->recorder != NULL;
}

void crafty_play_begin_watch(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    CnGpuInfo info = cn_gpu_info(cn_engine_gpu(crafty->engine));
    char gpu[sizeof info.name + sizeof info.driver + 2];
    play->watch = NULL;
    if (!play->save || play->is_read_only)
        return;
    cn_format(gpu, sizeof gpu, "%s, %s", info.name, info.driver);
    play->watch = crafty_crash_watch_begin(
        &(CraftyCrashWatchDesc){.program = "crafty",
                                .world_path = play->path,
                                .gpu = gpu,
                                .sim = cn_scene_sim(play->scene),
                                .world = crafty_terrain_world(play->terrain),
                                .start = &play->sim.start,
                                .save = play->save,
                                .mods = crafty_session_mods_running(play->mods)});
}

static void send(CraftyPlay *play, CraftyCommand command)
{
    crafty_connection_send_command(play->connection, &command);
}

/* A saved player may hold keys and have captured the mouse, and the options may ask for another
 * place, time or weather. All of it is input of the first tick. */
static void continue_saved(Crafty *crafty)
{
    const CraftyOptions *options = &crafty->options;
    CraftyPlay *play = crafty->play;
    crafty_connection_send_actions(play->connection, &(CnActions){0});
    send(play, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = false});
    if (options->has_camera)
        send(play, (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE,
                                   .position = options->camera.position,
                                   .yaw = options->camera.yaw,
                                   .pitch = options->camera.pitch});
    if (options->has_time)
        send(play, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME, .value = options->hours});
    if (options->has_weather)
        send(play, (CraftyCommand){.kind = CRAFTY_COMMAND_WEATHER_NOW,
                                   .choice = (uint8_t)options->weather});
}

/* In a window the features of the world are created while the loading screen is shown. */
static bool show(Crafty *crafty, CnError *error)
{
    CraftyPlay *play = crafty->play;
    play->shown.blocks = crafty_terrain_view(play->terrain);
    play->emitters = crafty_emitters_create(error);
    if (!play->emitters)
        return false;
    play->shown.particles = crafty_emitters_particles(play->emitters);
    play->view = crafty_player_view_create(error);
    if (!play->view)
        return false;
    crafty_player_view_set(play->view, crafty->options.perspective);
    play->shown.models = crafty_player_view_models(play->view);
    crafty_creature_view_set_mods(crafty_player_view_creatures(play->view), crafty_play_mods(play));
    if (play->is_backdrop)
        play->shown.preview = crafty->backdrop.preview;
    if (play->save && !play->is_read_only) {
        play->thumbnail =
            crafty_thumbnail_create(crafty_world_jobs(crafty_terrain_world(play->terrain)), error);
        if (!play->thumbnail)
            return false;
        play->shown.preview = crafty_thumbnail_preview(play->thumbnail);
        crafty_thumbnail_request(play->thumbnail); /* drivers compile the shader in a first frame */
    }
    return !crafty->options.engine.headless ||
           crafty_preset(cn_engine_renderer(crafty->engine), &crafty->settings, &play->shown,
                         error);
}

bool crafty_play_enter(Crafty *crafty, CnError *error)
{
    crafty_play_go_on_loading(crafty);
    if (!show(crafty, error) || !make_scene(crafty, error) || !connect(crafty, error) ||
        !begin_recording(crafty, error))
        return false;
    crafty_controls_reset(crafty->controls);
    crafty_menu_reset(&crafty->menu);
    crafty_hints_reset(&crafty->hints);
    crafty_menu_send_settings(&crafty->menu, crafty->play->connection, &crafty->preferences,
                              is_continued(crafty->play));
    if (is_continued(crafty->play))
        continue_saved(crafty);
    crafty_saving_begin(crafty->play);
    crafty_play_begin_watch(crafty);
    crafty_mod_reload_begin(crafty);
    crafty_mod_notes(&crafty->chat.log, crafty->play->mods, crafty->play->save);
    if (crafty->play->is_loading && !crafty->play->on_tour)
        cn_sim_pause(cn_scene_sim(crafty->play->scene), true);
    return !crafty->options.engine.headless ||
           (crafty_headless_warm_up(crafty, error) &&
            crafty_headless_load(crafty, &crafty->play->pose, error));
}

bool crafty_play_open(Crafty *crafty, const CraftyPlayDesc *desc, CnError *error)
{
    if (!crafty_play_begin(crafty, desc, error))
        return false;
    if (crafty_play_enter(crafty, error))
        return true;
    crafty_play_close(crafty);
    return false;
}

/* ---- Closing ---- */

bool crafty_play_finish_recording(CraftyPlay *play)
{
    CnError error = {0};
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    bool finished = !play->recorder || crafty_world_recorder_finish(play->recorder, &error);
    crafty_world_recorder_destroy(play->recorder);
    play->recorder = NULL;
    if (!finished)
        cn_print_error("%s", cn_error_text(&error, text, sizeof text));
    return finished;
}

bool crafty_play_idle(CnEngine *engine, CnError *error)
{
    CnScenes *scenes = cn_engine_scenes(engine);
    CnScene *idle = cn_scenes_find(scenes, IDLE_SCENE);
    if (!idle) {
        idle = cn_scene_create(scenes, &(CnSceneDesc){.name = IDLE_SCENE}, error);
        if (!idle)
            return false;
        CnWorld *world = cn_scene_world(idle);
        if (!cn_add(world, cn_object(world, "Camera"), CnCamera)) {
            cn_engine_destroy_scene(engine, idle);
            return cn_error_memory(error, "a scene");
        }
    }
    return cn_scenes_switch(scenes, IDLE_SCENE, error);
}

void crafty_play_close(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    if (!play)
        return;
    crafty_game_sound_leave(crafty);
    crafty_mod_reload_end(play);
    crafty_world_recorder_destroy(play->recorder);
    crafty_crash_watch_end(play->watch, crafty_saving_is_done(play));
    if (play->replay && play->scene)
        cn_replay_end(crafty_world_replay_cn(play->replay), cn_scene_sim(play->scene));
    if (play->hand_events)
        cn_event_reader_destroy(play->hand_events);
    if (play->player_events)
        cn_event_reader_destroy(play->player_events);
    if (play->creature_events)
        cn_event_reader_destroy(play->creature_events);
    if (play->mod_effects)
        cn_event_reader_destroy(play->mod_effects);
    crafty_chat_screen_end(&crafty->chat);
    crafty_online_leave(play->online);
    play->online = NULL;
    crafty_connection_destroy(play->connection);
    if (crafty->engine) {
        crafty_preset_clear(cn_engine_renderer(crafty->engine));
        crafty_hud_destroy(&crafty->hud, cn_engine_renderer(crafty->engine));
    }
    if (play->scene) {
        CnError error = {0};
        if (!crafty_play_idle(crafty->engine, &error)) /* the engine creates a scene of its own */
            CN_LOG_WARNING("crafty", "%s", error.message);
        cn_engine_destroy_scene(crafty->engine, play->scene);
    }
    if (crafty->engine)
        cn_engine_set_camera(crafty->engine, &(CnRenderCamera){0});
    crafty_player_view_destroy(play->view);
    crafty_thumbnail_destroy(play->thumbnail);
    crafty_emitters_destroy(play->emitters);
    crafty_play_destroy(play);
    crafty->play = NULL;
}
