#include "options.h"

#include "crafty/save/world_seed.h"
#include "crafty/sim/command.h"
#include "crafty/world/torches.h"
#include "tour.h"

#include <cairn/base/console.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parsing ---- */

bool crafty_parse_camera(const char *text, CraftyPose *pose)
{
    float values[5];
    for (uint32_t i = 0; i < 5; i++) {
        char *end;
        values[i] = strtof(text, &end);
        bool is_number = end != text && values[i] - values[i] == 0;
        if (!is_number || *end != (i < 4 ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    for (uint32_t i = 0; i < 3; i++)
        if (values[i] < -CRAFTY_MAX_COORDINATE || values[i] > CRAFTY_MAX_COORDINATE)
            return false;
    if (values[3] < -360 || values[3] > 360 || values[4] < -90 || values[4] > 90)
        return false;
    *pose = (CraftyPose){{values[0], values[1], values[2]}, values[3], values[4]};
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool crafty_parse_time(const char *text, float *hours)
{
    size_t colon = strcspn(text, ":");
    if (colon < 1 || colon > 2 || strlen(text) != colon + 3 || !is_digit(text[0]) ||
        !is_digit(text[colon - 1]) || !is_digit(text[colon + 1]) || !is_digit(text[colon + 2]))
        return false;
    int hour = atoi(text), minute = atoi(text + colon + 1);
    if (hour > 23 || minute > 59)
        return false;
    *hours = (float)hour + (float)minute / 60;
    return true;
}

/* ---- The table ---- */

/* Option values that need further parsing. */
typedef struct Texts {
    const char *seed, *camera, *time, *weather, *quality, *mode, *view;
} Texts;

#define OWN_OPTIONS 30

static void fill_table(CraftyOptions *options, Texts *texts, CnOption table[OWN_OPTIONS])
{
    const CnOption own[OWN_OPTIONS] = {
        {"--world", "NAME",
         "open or create a world and save it while it is played; also a path. A headless run with "
         "--out or --video only looks at it",
         CN_OPTION_TEXT, &options->world, 0, 0},
        {"--connect", "ADDRESS", "play on a server: its address or name, with or without a port",
         CN_OPTION_TEXT, &options->connect, 0, 0},
        {"--name", "NAME", "of the player on the server", CN_OPTION_TEXT, &options->name, 0, 0},
        {"--net-sim", "TEXT",
         "simulate a network between here and the server, such as latency=100,loss=2%",
         CN_OPTION_TEXT, &options->conditions, 0, 0},
        {"--worlds", "FOLDER", "folder of worlds (default $XDG_DATA_HOME/crafty/worlds)",
         CN_OPTION_TEXT, &options->worlds, 0, 0},
        {"--mods", "FOLDER", "also run all mods of this folder, or this one mod", CN_OPTION_TEXT,
         &options->mods, 0, 0},
        {"--no-mods", NULL, "run no mods; what they added stays in the world", CN_OPTION_FLAG,
         &options->no_mods, 0, 0},
        {"--seed", "TEXT", "world seed: a number, or any text (default 42)", CN_OPTION_TEXT,
         &texts->seed, 0, 0},
        {"--camera", "X,Y,Z,YAW,PITCH",
         "camera position and direction in degrees; yaw 0 looks along -z, 90 along -x (default: "
         "a position near the origin)",
         CN_OPTION_TEXT, &texts->camera, 0, 0},
        {"--time", "HH:MM", "time of day (default 09:30)", CN_OPTION_TEXT, &texts->time, 0, 0},
        {"--weather", "W",
         "clear, cloudy, overcast, light-rain, rain, light-snow, snow, light-fog or fog; constant",
         CN_OPTION_TEXT, &texts->weather, 0, 0},
        {"--quality", "Q", "low, medium, high or ultra (default: by device)", CN_OPTION_TEXT,
         &texts->quality, 0, 0},
        {"--on", "EFFECTS", "effects to enable, such as dof,god-rays; see docs/crafty.md",
         CN_OPTION_TEXT, &options->effects_on, 0, 0},
        {"--off", "EFFECTS", "effects to disable, such as clouds,bloom, or all", CN_OPTION_TEXT,
         &options->effects_off, 0, 0},
        {"--view-distance", "D", "chunks in each direction (default: by quality)", CN_OPTION_NUMBER,
         &options->view_distance, CRAFTY_MIN_DISTANCE, CRAFTY_MAX_DISTANCE},
        {"--mode", "MODE",
         "of the player of a new world: survival, creative or spectator, who flies through blocks "
         "(default: survival; spectator with --headless or --camera)",
         CN_OPTION_TEXT, &texts->mode, 0, 0},
        {"--walk", NULL, "the same as --mode creative", CN_OPTION_FLAG, &options->walks, 0, 0},
        {"--view", "VIEW",
         "hand, back or front: the player's hand, or the player from behind or from the front "
         "(default: hand in a window; images and tours show neither)",
         CN_OPTION_TEXT, &texts->view, 0, 0},
        {"--torches", "N",
         "for screenshots: torches to place in the cave around the camera (default 0)",
         CN_OPTION_NUMBER, &options->torches, 0, CRAFTY_MAX_TORCHES},
        {"--tour", "NAME", crafty_tour_names(), CN_OPTION_TEXT, &options->tour, 0, 0},
        {"--screenshots", "FOLDER", "folder for the screenshots of a tour", CN_OPTION_TEXT,
         &options->screenshots, 0, 0},
        {"--frames", "N", "quit after N frames (default with --headless: 32, or the whole tour)",
         CN_OPTION_NUMBER, &options->frames, 1, 0},
        {"--bindings", "FILE",
         "keys, mouse and gamepad (default: crafty/bindings.json in ~/.config, if it exists)",
         CN_OPTION_TEXT, &options->bindings, 0, 0},
        {"--record", "FILE", "record the session, for --replay", CN_OPTION_TEXT, &options->record,
         0, 0},
        {"--replay", "FILE",
         "play a recording: in a window, or without one with --video, --out or --verify",
         CN_OPTION_TEXT, &options->replay, 0, 0},
        {"--verify", NULL, "with --replay: only compare the state after each tick", CN_OPTION_FLAG,
         &options->verifies, 0, 0},
        {"--continue", NULL,
         "if the world ended unexpectedly, go on from its last tick instead of its last save",
         CN_OPTION_FLAG, &options->continues, 0, 0},
        {"--settings", "FILE",
         "settings of the menu, kept between runs (default: crafty/settings.json in ~/.config)",
         CN_OPTION_TEXT, &options->settings, 0, 0},
        {"--print-stats", NULL, "print statistics as JSON at the end", CN_OPTION_FLAG,
         &options->print_stats, 0, 0},
    };
    memcpy(table, own, sizeof own);
}

static bool wrong(const char *name, const char *wanted, const char *text)
{
    cn_print_error("%s needs %s, not \"%s\"", name, wanted, text);
    return false;
}

static bool check_effects(const char *option, const char *names)
{
    CraftySettings settings = {0};
    CnError error = {0};
    if (!names || crafty_effects_switch(&settings, names, true, &error))
        return true;
    cn_print_error("%s: %s", option, error.message);
    return false;
}

/* A recording has its own world and start. */
static bool check_replay(CraftyOptions *options)
{
    const char *other = options->world         ? "--world"
                        : options->record      ? "--record"
                        : options->tour        ? "--tour"
                        : options->has_seed    ? "--seed"
                        : options->has_camera  ? "--camera"
                        : options->has_time    ? "--time"
                        : options->has_weather ? "--weather"
                        : options->continues   ? "--continue"
                                               : NULL;
    if (options->replay && other) {
        cn_print_error("--replay and %s cannot be combined: a recording has its own world", other);
        return false;
    }
    if (options->verifies && !options->replay) {
        fprintf(stderr, "--verify requires --replay FILE\n");
        return false;
    }
    if (options->continues && !options->world && options->engine.headless) {
        fprintf(stderr, "--continue requires --world NAME without a window\n");
        return false;
    }
    if (options->replay && (options->engine.video_path || options->engine.image_path))
        options->engine.headless = true;
    return true;
}

/* Images and cameras are not of a game. */
static bool read_mode(CraftyOptions *options, const char *text)
{
    if (text && !crafty_mode_parse(text, &options->mode))
        return wrong("--mode", "survival, creative or spectator", text);
    if (text && options->walks) {
        fprintf(stderr, "--mode and --walk cannot be combined: --walk is --mode creative\n");
        return false;
    }
    bool is_image = options->engine.headless || options->has_camera || options->tour;
    if (!text)
        options->mode = options->walks ? CRAFTY_MODE_CREATIVE
                        : is_image     ? CRAFTY_MODE_SPECTATOR
                                       : CRAFTY_MODE_SURVIVAL;
    return true;
}

static bool read_view(CraftyOptions *options, const char *text)
{
    if (!text)
        return true;
    bool is_back = strcmp(text, "back") == 0, is_front = strcmp(text, "front") == 0;
    if (!is_back && !is_front && strcmp(text, "hand") != 0)
        return wrong("--view", "hand, back or front", text);
    options->perspective = is_back    ? CRAFTY_FROM_BEHIND
                           : is_front ? CRAFTY_FROM_THE_FRONT
                                      : CRAFTY_FIRST_PERSON;
    options->shows_hand = true;
    return true;
}

static bool understand(CraftyOptions *options, const Texts *texts)
{
    options->has_seed = texts->seed != NULL;
    options->has_camera = texts->camera != NULL;
    options->has_time = texts->time != NULL;
    options->has_weather = texts->weather != NULL;
    options->has_quality = texts->quality != NULL;
    if (texts->seed && (!*texts->seed || !crafty_seed_from_text(texts->seed, &options->seed, NULL)))
        return wrong("--seed", "a number or a text", texts->seed);
    if (texts->camera && !crafty_parse_camera(texts->camera, &options->camera))
        return wrong(
            "--camera",
            "five numbers such as 10,80,-3.5,90,-10: a position within 8,000,000 blocks of the "
            "origin, a yaw of -360 to 360 and a pitch of -90 to 90 degrees",
            texts->camera);
    if (texts->time && !crafty_parse_time(texts->time, &options->hours))
        return wrong("--time", "a time of day such as 18:30", texts->time);
    if (texts->weather && !crafty_weather_parse(texts->weather, &options->weather))
        return wrong("--weather",
                     "clear, cloudy, overcast, light-rain, rain, light-snow, snow, light-fog or "
                     "fog",
                     texts->weather);
    if (texts->quality && !crafty_quality_parse(texts->quality, &options->quality))
        return wrong("--quality", "low, medium, high or ultra", texts->quality);
    if (!read_mode(options, texts->mode) || !read_view(options, texts->view))
        return false;
    if (options->tour && !crafty_tour_exists(options->tour))
        return wrong("--tour", crafty_tour_names(), options->tour);
    if (options->tour && options->has_camera) {
        fprintf(stderr, "--tour and --camera cannot be combined: a tour moves the camera\n");
        return false;
    }
    if (options->screenshots && !options->tour) {
        fprintf(stderr, "--screenshots requires --tour\n");
        return false;
    }
    if (options->connect && (options->world || options->replay || options->tour ||
                             options->record || options->has_seed)) {
        fprintf(stderr, "--connect cannot be combined with --world, --replay, --tour, --record and "
                        "--seed: the server has the world\n");
        return false;
    }
    if ((options->name || options->conditions) && !options->connect) {
        fprintf(stderr, "--name and --net-sim require --connect ADDRESS\n");
        return false;
    }
    if (options->world && options->tour) {
        fprintf(stderr, "--world and --tour cannot be combined\n");
        return false;
    }
    if (options->mods && options->no_mods) {
        fprintf(stderr, "--mods and --no-mods cannot be combined\n");
        return false;
    }
    if (!check_replay(options))
        return false;
    if (options->settings && options->engine.headless) {
        fprintf(stderr, "--settings and --headless cannot be combined: images do not depend on "
                        "settings of the player\n");
        return false;
    }
    return check_effects("--on", options->effects_on) &&
           check_effects("--off", options->effects_off);
}

/* Options that say which world to show leave no choice to the player. */
static bool shows_list(const CraftyOptions *options)
{
    return !options->engine.headless && !options->world && !options->connect &&
           !options->has_seed && !options->has_camera && !options->tour && !options->record &&
           !options->replay;
}

CnOptionsResult crafty_options_read(CraftyOptions *options, int count, char **arguments)
{
    const CnVsync not_given = (CnVsync)-1;
    *options = (CraftyOptions){
        .seed = CRAFTY_SEED, .hours = 9.5f, .engine = {.title = "Crafty", .vsync = not_given}};
    Texts texts = {0};
    CnOption table[OWN_OPTIONS];
    fill_table(options, &texts, table);
    options->engine.options = table;
    CnOptionsResult result = cn_engine_read_options(&options->engine, count, arguments);
    options->engine.options = NULL;
    options->has_vsync = options->engine.vsync != not_given;
    if (!options->has_vsync)
        options->engine.vsync = CN_VSYNC_ON;
    if (result == CN_OPTIONS_CONTINUE && !understand(options, &texts))
        return CN_OPTIONS_INVALID;
    options->engine.seed = options->seed;
    options->shows_list = shows_list(options);
    return result;
}
