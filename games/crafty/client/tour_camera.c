#include "tour_camera.h"

#include "backdrop.h"
#include "frame.h"
#include "headless.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/math.h>

#include <stdio.h>
#include <unistd.h>

#define PROGRESS_NS UINT64_C(250000000)

/* Takes the screenshot in the last frame before the next key, when everything has settled. */
static void take_screenshot(Crafty *crafty, uint32_t key)
{
    const CraftyTour *tour = &crafty->play->tour;
    const CraftyOptions *options = &crafty->options;
    char path[512];
    CnError error = {0};
    if (!options->screenshots || key < crafty->play->next_screenshot_key ||
        !tour->keys[key].name[0] || key + 1 == tour->count ||
        crafty->play->tour_seconds + 1.5f * crafty_frame_seconds(crafty) <
            tour->keys[key + 1].seconds)
        return;
    crafty->play->next_screenshot_key = key + 1;
    crafty->is_untimed = true;
    if (!cn_format(path, sizeof path, "%s/%s.png", options->screenshots, tour->keys[key].name))
        cn_error_set(&error, CN_ERROR_LIMIT, "the path is too long");
    else
        cn_engine_screenshot(crafty->engine, path, &error);
    if (error.code != CN_OK)
        cn_print_error("cannot write screenshot %s: %s", tour->keys[key].name, error.message);
}

/* Prints one line that is updated in a terminal; elsewhere one line per stop. */
static void show_progress(Crafty *crafty, bool is_new_key)
{
    const CraftyTourKey *key = &crafty->play->tour.keys[crafty->play->tour_key];
    bool is_terminal = isatty(STDERR_FILENO) != 0;
    uint64_t now_ns = cn_clock_ns();
    if (is_terminal ? now_ns - crafty->progress_ns < PROGRESS_NS : !is_new_key || !key->name[0])
        return;
    crafty->progress_ns = now_ns;
    float seconds = crafty->options.frames
                        ? (float)crafty->all_frames * crafty_frame_seconds(crafty)
                        : crafty_tour_seconds(&crafty->play->tour);
    char line[256], shown[256];
    cn_format(line, sizeof line, "%s: %s %.1f of %.0f s, %.1f ms per frame", crafty->options.tour,
              key->name, (double)crafty->play->tour_seconds, (double)seconds,
              crafty_stats_last_ms(&crafty->stats));
    cn_text_escape(cn_text(line), shown, sizeof shown);
    fputs(is_terminal ? "\r" : "", stderr);
    fputs(shown, stderr);
    fputs(is_terminal ? "   " : "\n", stderr);
}

static void send(const Crafty *crafty, CraftyCommand command)
{
    crafty_connection_send_command(crafty->play->connection, &command);
}

/* A tour has its own clock, and weather changes at once at the camera. */
static void send_moment(const Crafty *crafty, const CraftyTourMoment *moment, bool is_new_key,
                        bool jumps)
{
    CraftyCommandKind weather = jumps ? CRAFTY_COMMAND_WEATHER_NOW : CRAFTY_COMMAND_WEATHER;
    send(crafty, (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE,
                                 .position = moment->pose.position,
                                 .yaw = moment->pose.yaw,
                                 .pitch = moment->pose.pitch});
    if (crafty->play->frame == 0)
        send(crafty, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME_SPEED, .value = 0});
    send(crafty, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME, .value = moment->hours});
    if (is_new_key)
        send(crafty, (CraftyCommand){.kind = (uint8_t)weather, .choice = (uint8_t)moment->weather});
}

/* If more frames are requested than the tour has, it runs back and forth, as behind the title. */
static float tour_time(const Crafty *crafty)
{
    float length = crafty_tour_seconds(&crafty->play->tour);
    float seconds = crafty->play->tour_seconds;
    if (crafty->play->is_backdrop)
        seconds *= crafty->preferences.reduces_motion ? 0 : CRAFTY_BACKDROP_SPEED;
    float phase = cn_fmodf(seconds, 2 * length);
    return !crafty->options.frames && !crafty->play->is_backdrop ? seconds
           : phase < length                                      ? phase
                                                                 : 2 * length - phase;
}

CraftyPose crafty_tour_camera_frame(Crafty *crafty)
{
    CnEngine *engine = crafty->engine;
    CraftyTourMoment moment = crafty_tour_at(&crafty->play->tour, tour_time(crafty));
    const CraftyTourKey *key = &crafty->play->tour.keys[moment.key];
    CnError error = {0};
    if (moment.key != crafty->play->tour_key && key->jumps && cn_engine_is_headless(engine)) {
        crafty->is_untimed = true;
        if (!crafty_headless_load(crafty, &moment.pose, &error))
            cn_print_error("%s", error.message);
    }
    bool is_new_key = moment.key != crafty->play->tour_key || crafty->play->frame == 0;
    crafty->play->tour_key = moment.key;
    send_moment(crafty, &moment, is_new_key, key->jumps || crafty->play->frame == 0);
    if (crafty->play->is_backdrop)
        return moment.pose;
    take_screenshot(crafty, moment.key);
    show_progress(crafty, is_new_key);
    if (!crafty->options.frames &&
        crafty->play->tour_seconds >= crafty_tour_seconds(&crafty->play->tour))
        cn_engine_quit(engine, 0);
    return moment.pose;
}
