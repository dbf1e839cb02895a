#include "frame.h"

#include "crafty/save/signals.h"
#include "crafty/sim/creature/creature_care.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/place.h"
#include "creature_effects.h"
#include "headless.h"
#include "interface.h"
#include "mod_effects.h"
#include "mod_reload.h"
#include "screen.h"
#include "tour_camera.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/log.h>

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* The first frames create resources and are not timed. */
#define WARM_UP_FRAMES 8u
/* Chunks that must be loaded around the player before the game starts. */
#define FIRST_RADIUS 3u
/* How long the end may take if the disk is slow. */
#define FLUSH_MS 30000u
/* A run of a given length gets its thumbnail this many frames before its end. */
#define PICTURE_FRAMES 8u
/* Frames between two samples of memory use. */
#define MEMORY_FRAMES 16u

/* ---- Streaming ---- */

CraftyStreamView crafty_frame_view(const Crafty *crafty, CnVec3 position, CnQuat rotation)
{
    const CraftySettings *settings = &crafty->settings;
    uint32_t radius = settings->view_distance;
    bool is_near = crafty->play->is_loading; /* load the ground to stand on first */
    if (crafty->play->is_backdrop && radius > CRAFTY_BACKDROP_DISTANCE)
        radius = CRAFTY_BACKDROP_DISTANCE;
    bool has_far = settings->effects & CRAFTY_FAR && !is_near;
    return (CraftyStreamView){.position = position,
                              .forward = cn_quat_rotate(rotation, cn_vec3(0, 0, -1)),
                              .radius = is_near && radius > FIRST_RADIUS ? FIRST_RADIUS : radius,
                              .height = settings->view_height,
                              .far_edge = has_far ? settings->far_edge : 0,
                              .far_detail = settings->far_detail};
}

CraftyStreamView crafty_frame_view_of_pose(const Crafty *crafty, const CraftyPose *pose)
{
    return crafty_frame_view(crafty, pose->position, crafty_pose_rotation(pose));
}

/* ---- Frame ---- */

float crafty_frame_seconds(const Crafty *crafty)
{
    return 1.0f / (float)(crafty->options.engine.fps ? crafty->options.engine.fps : 60);
}

/* Returns whether the hand would touch a creature instead of a block. */
static bool touches_creature(CnWorld *world, CnEntity player)
{
    const CnTransform *eye = cn_get(world, player, CnTransform);
    return eye && crafty_creature_in_reach(world, eye->position,
                                           cn_quat_rotate(eye->rotation, cn_vec3(0, 0, -1)))
                      .id;
}

/* Reports the block that the player aims at and breaks, and shows what the hand did since the last
 * frame. */
static void show_hand(Crafty *crafty, CnWorld *world)
{
    bool aims = crafty_player_aims(world, crafty->play->camera) &&
                !touches_creature(world, crafty->play->camera);
    const CraftyHand *hand = cn_get(world, crafty->play->camera, CraftyHand);
    const CnBlockTable *blocks = cn_voxels_blocks(crafty_terrain_voxels(crafty->play->terrain));
    CnBlockAim aim = {.crack_stage = -1};
    if (hand)
        aim =
            (CnBlockAim){.exists = aims && hand->aiming && !crafty->menu.hides_interface,
                         .is_bright = crafty->preferences.bright_outline,
                         .is_prop = cn_block_is_plain_prop(blocks, hand->target_block),
                         .block = hand->target_block,
                         .cell = {hand->target_cell[0], hand->target_cell[1], hand->target_cell[2]},
                         .crack_stage = hand->breaking ? hand->crack_stage : -1};
    cn_block_view_set_aim(crafty->play->shown.blocks, &aim);
    for (const CraftyHandEvent *event;
         (event = cn_read_next(crafty->play->hand_events, CraftyHandEvent));) {
        CnInteractEvent interact = crafty_hand_interact_event(event);
        if (interact.kind == CN_INTERACT_BREAK || interact.kind == CN_INTERACT_PLACE)
            CN_LOG_DEBUG("crafty", "%s a block at %d %d %d",
                         interact.kind == CN_INTERACT_BREAK ? "broke" : "placed", event->cell[0],
                         event->cell[1], event->cell[2]);
        crafty_emitters_interact(crafty->play->emitters,
                                 crafty_terrain_voxels(crafty->play->terrain), &interact, 1);
    }
}

/* Shows what happened to creatures since the last frame. */
static void show_creature_events(Crafty *crafty, const CnWorld *world, CnVec3 eye)
{
    CraftyPlay *play = crafty->play;
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    CraftyCreatureEffects effects = {.emitters = play->emitters,
                                     .voxels = crafty_terrain_voxels(play->terrain),
                                     .kinds = list ? list->kinds : NULL,
                                     .eye = eye};
    for (const CraftyCreatureEvent *event;
         (event = cn_read_next(play->creature_events, CraftyCreatureEvent));)
        if (crafty->settings.effects & CRAFTY_PARTICLES)
            crafty_creature_effect(&effects, event);
}

static void show_mod_effects(Crafty *crafty, CnVec3 eye)
{
    CraftyPlay *play = crafty->play;
    for (const CraftyModEffect *effect;
         (effect = cn_read_next(play->mod_effects, CraftyModEffect));)
        if (crafty->settings.effects & CRAFTY_PARTICLES)
            crafty_mod_particles(play->emitters, crafty_terrain_voxels(play->terrain), effect, eye);
}

static void let_fly(Crafty *crafty, const CnWorld *world, CnVec3 eye)
{
    /* Fewer on CPUs, which draw particles one by one. */
    static const float densities[] = {
        [CRAFTY_LOW] = 0.2f, [CRAFTY_MEDIUM] = 0.6f, [CRAFTY_HIGH] = 1, [CRAFTY_ULTRA] = 1};
    if (!(crafty->settings.effects & CRAFTY_PARTICLES))
        return;
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    const CraftyPlace *place = cn_get(world, crafty->play->camera, CraftyPlace);
    float density = densities[crafty->quality];
    CraftyBiomes biomes = crafty_world_biomes(crafty_terrain_world(crafty->play->terrain));
    double seconds = cn_engine_time(crafty->engine)->delta; /* of the previous frame */
    crafty_emitters_frame(
        crafty->play->emitters,
        &(CraftyEmittersFrame){.voxels = crafty_terrain_voxels(crafty->play->terrain),
                               .lamps = crafty_terrain_lamps(crafty->play->terrain),
                               .generator = biomes.generator,
                               .scratch = biomes.scratch,
                               .eye = eye,
                               .biome = place ? (CnBiome)place->biome : CN_BIOME_GRASSY_PLAINS,
                               .rain = weather ? weather->rain * density : 0,
                               .snow = weather ? weather->snow * density : 0,
                               .seconds = (float)seconds});
}

/* ---- View of the player ---- */

/* Degrees per pixel; 0 while the simulation does not follow the mouse. */
static float sensitivity_of(const CnWorld *world, CnEntity player)
{
    const CnFlyCamera *fly = cn_get(world, player, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, player, CnPlayerController);
    return !crafty_player_aims(world, player) ? 0
           : fly                              ? fly->sensitivity
           : walker                           ? walker->sensitivity
                                              : 0;
}

static CraftyViewOptions view_options(const CraftyPreferences *preferences)
{
    return (CraftyViewOptions){.bobs = preferences->bobbing,
                               .kicks_fov = !preferences->reduces_motion,
                               .reduces_motion = preferences->reduces_motion};
}

/* Images without a window, and tours, show the view of the simulation, and the hand only on
 * request. */
static void show_player(Crafty *crafty, CnEngine *engine)
{
    CraftyPlay *play = crafty->play;
    uint32_t width, height;
    cn_engine_size(engine, &width, &height);
    bool is_image = cn_engine_is_headless(engine) || play->on_tour;
    CraftyShownView shown;
    CraftyPlayerViewFrame frame = {.world = cn_engine_world(engine),
                                   .voxels = crafty_terrain_voxels(play->terrain),
                                   .items = play->sim.items,
                                   .player = play->camera,
                                   .alpha = cn_engine_alpha(engine),
                                   .seconds = (float)cn_engine_time(engine)->unscaled_delta,
                                   .aspect = height ? (float)width / (float)height : 1,
                                   .options = view_options(&crafty->preferences),
                                   .shows_hand = is_image ? crafty->options.shows_hand
                                                          : !crafty->menu.hides_interface,
                                   .moves_camera = !is_image};
    crafty_player_view_frame(play->view, &frame, &shown);
    play->shown_camera = shown.camera;
    cn_engine_set_camera(engine, &shown.camera);
    CraftyLens lens = crafty->lens;
    lens.fov *= shown.fov_factor;
    play->shown_camera.fov = crafty_lens_cn(&lens).fov;
    cn_engine_set_lens(engine, crafty_lens_cn(&lens));
}

/* The frames of a recording show everything that is there. */
static void wait_for_terrain(Crafty *crafty, const CraftyStreamView *eye)
{
    CnError error = {0};
    crafty->is_untimed = true;
    if (!crafty_headless_wait(crafty, eye, &error))
        cn_print_error("%s", error.message);
}

static CraftyStreamView stream_view(Crafty *crafty, const CnWorld *world)
{
    const CnTransform *transform = cn_get(world, crafty->play->camera, CnTransform);
    CraftyStreamView eye = crafty_frame_view(crafty, transform->position, transform->rotation);
    eye.seconds = (float)cn_engine_time(crafty->engine)->unscaled_delta;
    eye.times = &crafty->times;
    return eye;
}

/* Without the server there is nothing to play. */
static void poll_server(Crafty *crafty)
{
    CnError error = {0};
    if (crafty->play && crafty->play->online && !crafty_online_poll(crafty->play->online, &error)) {
        cn_print_error("%s", error.message);
        cn_engine_quit(crafty->engine, 1);
    }
}

void crafty_frame_before(CnEngine *engine, void *user)
{
    Crafty *crafty = user;
    poll_server(crafty);
    if (cn_engine_close_requested(engine) || crafty_signal_received())
        crafty_leave(crafty, CRAFTY_LEAVE_PROGRAM);
    crafty_interface_begin(crafty);
    cn_engine_set_lens(engine, crafty_lens_cn(&crafty->lens));
    if (!crafty->play || crafty_backdrop_is_open(crafty)) {
        crafty_backdrop_frame(crafty);
        if (crafty->recovery.is_open)
            crafty_recovery_dialog_frame(crafty);
        else
            crafty_world_menu_frame(crafty);
        return;
    }
    if (crafty_is_leaving(crafty)) {
        crafty_leave_frame(crafty);
        return;
    }
    crafty_crash_watch_tick(crafty->play->watch);
    if (crafty->frame + PICTURE_FRAMES == crafty->all_frames)
        crafty_saving_picture(crafty->play);
    crafty_saving_frame(crafty->play);
    crafty_mod_reload_frame(crafty);
    const CnWorld *world = cn_engine_world(engine);
    crafty_player_view_input(crafty->play->view, crafty_controls_actions(crafty->controls),
                             sensitivity_of(world, crafty->play->camera));
    if (crafty->menu.page == CRAFTY_MENU_CLOSED &&
        crafty_controls_pressed(crafty->controls, engine, CRAFTY_CLIENT_VIEW))
        crafty_player_view_cycle(crafty->play->view);
    CraftyStreamView eye = stream_view(crafty, world);
    if (crafty->play->on_tour) { /* the camera gets there in the next tick */
        CraftyPose pose = crafty_tour_camera_frame(crafty);
        eye = crafty_frame_view_of_pose(crafty, &pose);
    }
    crafty_phase_end(&crafty->times, CRAFTY_PHASE_CAMERA);
    if (crafty->play->is_loading) {
        crafty_terrain_load(crafty->play->terrain, &eye);
        crafty_screen_loading(crafty);
        return;
    }
    if (!cn_engine_is_headless(engine))
        crafty_screen_frame(crafty, crafty_player_aims(world, crafty->play->camera));
    crafty_phase_end(&crafty->times, CRAFTY_PHASE_EFFECTS);
}

/* Shows what the ticks did in the frame that follows them: edits, the block aimed at, particles and
 * the view of the player. */
void crafty_frame_after_ticks(CnEngine *engine, void *user)
{
    Crafty *crafty = user;
    crafty_game_sound_frame(crafty);
    CraftyPlay *play = crafty->play;
    if (!play || play->is_loading || crafty_is_leaving(crafty) || crafty_backdrop_is_open(crafty))
        return;
    crafty_phase_end(&crafty->times, CRAFTY_PHASE_TICKS);
    CnWorld *world = cn_engine_world(engine);
    CraftyStreamView eye = stream_view(crafty, world);
    if (play->replay && cn_engine_is_headless(engine))
        wait_for_terrain(crafty, &eye);
    else
        crafty_terrain_stream(play->terrain, &eye);
    show_hand(crafty, world);
    if (play->creature_events)
        show_creature_events(crafty, world, eye.position);
    if (play->mod_effects)
        show_mod_effects(crafty, eye.position);
    let_fly(crafty, world, eye.position);
    show_player(crafty, engine);
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
    if (crafty->play)
        times->waiting_bytes = cn_block_view_stats(crafty->play->shown.blocks).waiting_bytes;
}

void crafty_frame_after(CnEngine *engine, void *user)
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
                            .terrain = crafty->play ? crafty->play->terrain : NULL};
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
    bool writes = crafty->options.engine.image_path && crafty->frame + 1 == crafty->all_frames;
    return crafty->frame >= WARM_UP_FRAMES && !writes && !crafty->is_untimed;
}

/* Runs between frames, outside of the measured time, because it visits every chunk. */
static void look_at_memory(Crafty *crafty)
{
    if (crafty->play && crafty->options.print_stats && crafty->frame % MEMORY_FRAMES == 0)
        crafty_stats_memory(&crafty->stats, cn_engine_renderer(crafty->engine),
                            crafty->play->terrain, 2 * crafty->frame >= crafty->all_frames);
}

static bool print_error(const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("%s", cn_error_text(error, text, sizeof text));
    return false;
}

/* After the last frame, also after an error: what was played is not lost. */
static bool save_at_the_end(const Crafty *crafty)
{
    CnError error = {0};
    CraftyPlay *play = crafty->play;
    char loss[128];
    if (crafty_saving_finish(play, crafty->leave.gives_up ? 0 : FLUSH_MS, &error))
        return true;
    print_error(&error);
    crafty_saving_loss(play, loss, sizeof loss);
    cn_print_error("%s", loss);
    return false;
}

static bool report_replay(CraftyPlay *play)
{
    const CnReplayDifference *difference =
        cn_replay_difference(crafty_world_replay_cn(play->replay));
    if (difference->found)
        cn_print_error("the game differs from its recording: %s The state hash is %016" PRIx64
                       ", recorded %016" PRIx64 ".",
                       difference->text, difference->hash, difference->recorded_hash);
    return !difference->found;
}

/* A tour runs by the clock in a window, and by the number of frames in a capture. */
static void advance_tour(Crafty *crafty, uint64_t now_ns)
{
    CraftyPlay *play = crafty->play;
    if (play->is_loading || play->frame == 0)
        play->first_ns = now_ns;
    play->frame++;
    play->tour_seconds = crafty->options.engine.headless
                             ? (float)play->frame * crafty_frame_seconds(crafty)
                             : (float)cn_seconds(now_ns - play->first_ns);
}

int crafty_run(Crafty *crafty)
{
    uint64_t last_ns = cn_clock_ns();
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
        if (crafty->play)
            advance_tour(crafty, now_ns);
        crafty_leave_end(crafty);
        crafty_recovery_dialog_end(crafty);
        crafty_world_menu_end(crafty);
    }
    if (crafty->play && crafty->play->on_tour && !crafty->play->is_backdrop &&
        isatty(STDERR_FILENO))
        fputc('\n', stderr); /* ends the progress line */
    bool is_saved = !crafty->play || save_at_the_end(crafty);
    bool is_same = !crafty->play || !crafty->play->replay || report_replay(crafty->play);
    bool is_recorded = !crafty->play || crafty_play_finish_recording(crafty->play);
    const CnError *error = cn_engine_error(crafty->engine);
    if (error->code != CN_OK) {
        print_error(error);
        return 1;
    }
    return !is_saved || !is_same || !is_recorded ||
           (crafty->options.print_stats && !print_stats(crafty));
}
