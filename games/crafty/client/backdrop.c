#include "backdrop.h"

#include "frame.h"
#include "interface.h"
#include "tour_camera.h"

#include <cairn/base/log.h>

#define SEED 42u /* hills and water near the spawn */
#define FADE_SECONDS 1.5f
#define PICTURE_SECONDS 5.0f /* after which a picture is taken of what is there */
#define STILL_WIDTH 960u
#define STILL_HEIGHT 540u
#define FIRST_FRAME 2u      /* of the program: the title is drawn before */
#define SKIPPED_MEASURES 2u /* the first frames create resources */

bool crafty_backdrop_is_open(const Crafty *crafty)
{
    return crafty->play && crafty->play->is_backdrop;
}

CraftyLandscape crafty_backdrop_landscape(const Crafty *crafty)
{
    return crafty->preferences.landscape ? crafty->backdrop.landscape : (CraftyLandscape){0};
}

/* ---- Frames ---- */

/* The first frame draws with the UI feature alone; then the others are created. */
static void load(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    CnError error = {0};
    CraftyTerrainStats stats = crafty_terrain_stats(play->terrain);
    if (play->frame == 1) {
        if (!crafty_preset_change(cn_engine_renderer(crafty->engine), &crafty->settings,
                                  &play->shown, &error)) {
            CN_LOG_WARNING("crafty", "no landscape behind the title: %s", error.message);
            crafty->backdrop.is_given_up = true;
        }
        crafty_interface_set_brightness(crafty);
    }
    play->is_loading = play->frame < 2 || stats.voxels.waiting + stats.voxels.running > 0 ||
                       stats.view.waiting_bytes > 0;
    if (!play->is_loading)
        crafty_log_step(crafty, "landscape");
}

bool crafty_backdrop_measure(CraftyBackdrop *backdrop, float frame_ms)
{
    float limit_ms = CRAFTY_BACKDROP_SLOW_MS * (float)CRAFTY_BACKDROP_MEASURED;
    if (backdrop->measured >= SKIPPED_MEASURES + CRAFTY_BACKDROP_MEASURED ||
        backdrop->measured_ms > limit_ms)
        return false;
    if (++backdrop->measured > SKIPPED_MEASURES)
        backdrop->measured_ms += frame_ms;
    return backdrop->measured_ms > limit_ms;
}

/* Shows everything, if that does not take too long. */
static void request_picture(Crafty *crafty)
{
    CraftyBackdrop *backdrop = &crafty->backdrop;
    CraftyTerrainStats stats = crafty_terrain_stats(crafty->play->terrain);
    bool is_complete = stats.voxels.waiting + stats.voxels.running == 0;
    if (!backdrop->is_slow || cn_preview_is_requested(backdrop->preview) ||
        (!is_complete && backdrop->seconds < PICTURE_SECONDS))
        return;
    CN_LOG_DEBUG("crafty", "the landscape behind the title becomes a picture");
    cn_preview_request(backdrop->preview);
}

void crafty_backdrop_frame(Crafty *crafty)
{
    CraftyPlay *play = crafty->play;
    if (!crafty_backdrop_is_open(crafty) || crafty->backdrop.is_given_up)
        return;
    float seconds = (float)cn_engine_time(crafty->engine)->unscaled_delta;
    CraftyPose pose = crafty_tour_camera_frame(crafty);
    CraftyStreamView eye = crafty_frame_view_of_pose(crafty, &pose);
    eye.seconds = seconds;
    eye.times = &crafty->times;
    if (play->is_loading) {
        crafty_terrain_load(play->terrain, &eye);
        load(crafty);
        return;
    }
    crafty_terrain_stream(play->terrain, &eye);
    float visible = crafty->backdrop.landscape.visible + seconds / FADE_SECONDS;
    crafty->backdrop.landscape.visible = visible < 1 ? visible : 1;
    crafty->backdrop.seconds += seconds;
    if (crafty_backdrop_measure(&crafty->backdrop, seconds * 1000) ||
        crafty->preferences.reduces_motion)
        crafty->backdrop.is_slow = true;
    request_picture(crafty);
}

/* Keeps the picture as a texture, once it was drawn. */
static void take_picture(Crafty *crafty)
{
    CraftyBackdrop *backdrop = &crafty->backdrop;
    CnAllocator *allocator = cn_system_allocator();
    size_t bytes = (size_t)STILL_WIDTH * STILL_HEIGHT * 4;
    uint8_t *rgba = cn_alloc(allocator, bytes);
    if (rgba && cn_preview_take(backdrop->preview, rgba)) {
        CnImage image = {STILL_WIDTH, STILL_HEIGHT, rgba, allocator};
        backdrop->landscape.still = cn_texture_create(
            cn_engine_renderer(crafty->engine),
            &(CnTextureDesc){.name = "landscape", .image = &image, .clamp = true}, NULL);
        backdrop->is_given_up = true;
    }
    cn_free(allocator, rgba, bytes);
}

/* ---- Opening and closing ---- */

static void give_up(Crafty *crafty, const CnError *error)
{
    CN_LOG_WARNING("crafty", "no landscape behind the title: %s", error->message);
    crafty->backdrop.is_given_up = true;
}

static void enter(Crafty *crafty)
{
    CraftyBackdrop *backdrop = &crafty->backdrop;
    CnError error = {0};
    crafty->play = crafty_opening_take(backdrop->opening, &error);
    crafty_opening_destroy(backdrop->opening);
    backdrop->opening = NULL;
    backdrop->preview = cn_preview_create(NULL, STILL_WIDTH, STILL_HEIGHT, &error);
    if (crafty->play && backdrop->preview && crafty_play_enter(crafty, &error))
        return;
    give_up(crafty, &error);
    crafty_backdrop_close(crafty);
}

void crafty_backdrop_end(Crafty *crafty)
{
    CraftyBackdrop *backdrop = &crafty->backdrop;
    CnError error = {0};
    if (backdrop->is_slow && !backdrop->is_given_up)
        take_picture(crafty);
    if (backdrop->is_given_up || !crafty->preferences.landscape) {
        crafty_backdrop_close(crafty);
    } else if (backdrop->opening) {
        if (crafty_opening_is_done(backdrop->opening))
            enter(crafty);
    } else if (!crafty->play && crafty->frame >= FIRST_FRAME) {
        backdrop->opening = crafty_opening_create(
            crafty, &(CraftyPlayDesc){.seed = SEED, .backdrop = true}, &error);
        if (!backdrop->opening)
            give_up(crafty, &error);
    }
}

void crafty_backdrop_close(Crafty *crafty)
{
    CraftyBackdrop *backdrop = &crafty->backdrop;
    crafty_opening_destroy(backdrop->opening);
    if (crafty_backdrop_is_open(crafty))
        crafty_play_close(crafty);
    cn_preview_destroy(backdrop->preview);
    *backdrop = (CraftyBackdrop){.is_given_up = backdrop->is_given_up,
                                 .landscape.still = backdrop->landscape.still};
}
