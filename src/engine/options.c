/* Command-line options, and cn_engine_main. */
#include "engine/engine_internal.h"

#include <cairn/base/console.h>
#include <cairn/sim/tick_clock.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Values ---- */

static bool wrong(const char *name, const char *wanted, const char *text)
{
    cn_print_error("%s needs %s, not \"%s\"", name, wanted, text);
    return false;
}

/* Digits only: no sign, no spaces. */
static bool read_digits(const char **text, uint64_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static bool read_number(const CnOption *option, const char *text)
{
    uint64_t number, most = option->maximum ? option->maximum : UINT64_MAX;
    const char *at = text;
    if (read_digits(&at, &number) && !*at && number >= option->minimum && number <= most) {
        *(uint64_t *)option->value = number;
        return true;
    }
    char wanted[80];
    cn_format(wanted, sizeof wanted, "a number from %" PRIu64 " to %" PRIu64, option->minimum,
              most);
    return wrong(option->name, wanted, text);
}

static bool read_size(const char *text, CnEngineDesc *desc)
{
    uint64_t width, height;
    const char *at = text;
    if (read_digits(&at, &width) && *at++ == 'x' && read_digits(&at, &height) && !*at && width &&
        height && width <= CNI_ENGINE_MAX_SIZE && height <= CNI_ENGINE_MAX_SIZE) {
        desc->width = (uint32_t)width;
        desc->height = (uint32_t)height;
        return true;
    }
    return wrong("--size", "a size such as 1280x720, up to 16384x16384", text);
}

static bool read_vsync(const char *text, CnVsync *vsync)
{
    static const char *const names[] = {
        [CN_VSYNC_ON] = "on", [CN_VSYNC_OFF] = "off", [CN_VSYNC_MAILBOX] = "mailbox"};
    for (size_t i = 0; i < CN_COUNT_OF(names); i++)
        if (!strcmp(text, names[i])) {
            *vsync = (CnVsync)i;
            return true;
        }
    return wrong("--vsync", "on, off or mailbox", text);
}

static bool read_switch(const char *name, const char *text, CnSwitch *value)
{
    *value = !strcmp(text, "on")    ? CN_SWITCH_ON
             : !strcmp(text, "off") ? CN_SWITCH_OFF
                                    : CN_SWITCH_DEFAULT;
    return *value != CN_SWITCH_DEFAULT || wrong(name, "on or off", text);
}

/* ---- The table ---- */

/* Values that are converted before they are stored in the description. */
typedef struct Values {
    const char *size, *vsync, *render_thread, *hot_reload;
    uint64_t fps, tick_hz, threads, resize_every, script_mib;
} Values;

#define ENGINE_OPTIONS 31
#define MAX_SCRIPT_MIB (1u << 20)

static void fill_table(CnEngineDesc *desc, Values *values, CnOption table[ENGINE_OPTIONS])
{
    const CnOption options[ENGINE_OPTIONS] = {
        {"--headless", NULL, "render without a window", CN_OPTION_FLAG, &desc->headless, 0, 0},
        {"--frames", "N", "stop after N frames (headless: 1)", CN_OPTION_NUMBER, &desc->frames, 1,
         0},
        {"--size", "WxH", "size of the image (1280x720)", CN_OPTION_TEXT, &values->size, 0, 0},
        {"--out", "FILE", "save the last frame as PNG; every frame with %04d or a folder",
         CN_OPTION_TEXT, &desc->image_path, 0, 0},
        {"--video", "FILE", "save all frames as a video, with ffmpeg", CN_OPTION_TEXT,
         &desc->video_path, 0, 0},
        {"--audio-out", "FILE", "save the sound as WAV, without a device", CN_OPTION_TEXT,
         &desc->audio_path, 0, 0},
        {"--no-audio", NULL, "no sound", CN_OPTION_FLAG, &desc->no_audio, 0, 0},
        {"--audio-device", "NAME", "audio device to use, as OpenAL names it", CN_OPTION_TEXT,
         &desc->audio_device, 0, 0},
        {"--fps", "N", "frame rate of captures and headless runs (60)", CN_OPTION_NUMBER,
         &values->fps, 1, 1000},
        {"--graph", "FILE", "save a diagram of the passes as .svg or .dot", CN_OPTION_TEXT,
         &desc->graph_path, 0, 0},
        {"--saves", "DIR", "folder for saved games of scripts", CN_OPTION_TEXT, &desc->save_folder,
         0, 0},
        {"--make-folders", NULL, "create missing folders for these files", CN_OPTION_FLAG,
         &desc->make_folders, 0, 0},
        {"--overlay", NULL, "show the performance overlay, as F3 does", CN_OPTION_FLAG,
         &desc->overlay, 0, 0},
        {"--fullscreen", NULL, "start in fullscreen mode, as F11 does", CN_OPTION_FLAG,
         &desc->fullscreen, 0, 0},
        {"--gpu", "NAME", "GPU to use: part of its name, its number, or null", CN_OPTION_TEXT,
         &desc->gpu, 0, 0},
        {"--validation", NULL, "enable the Vulkan validation layers", CN_OPTION_FLAG,
         &desc->validation, 0, 0},
        {"--vsync", "MODE", "vertical sync: on, off or mailbox (on)", CN_OPTION_TEXT,
         &values->vsync, 0, 0},
        {"--render-thread", "MODE", "render thread: on or off (on with a window)", CN_OPTION_TEXT,
         &values->render_thread, 0, 0},
        {"--tick-hz", "N", "ticks per second (60)", CN_OPTION_NUMBER, &values->tick_hz, 1,
         CN_TICK_HZ_MAX},
        {"--threads", "N", "threads for ticks; 0: one per core", CN_OPTION_NUMBER, &values->threads,
         0, CN_JOBS_MAX_WORKERS},
        {"--seed", "N", "seed of the random numbers", CN_OPTION_NUMBER, &desc->seed, 0, 0},
        {"--hot-reload", "MODE",
         "reload changed files, show errors: on or off (on in debug windows)", CN_OPTION_TEXT,
         &values->hot_reload, 0, 0},
        {"--trust-scripts", NULL, "run scripts with the full Lua library and without limits",
         CN_OPTION_FLAG, &desc->trust_scripts, 0, 0},
        {"--trust", "FOLDER", "the same for one folder, such as scripts://; may be repeated",
         CN_OPTION_LIST, desc->trusted, 0, CN_ENGINE_MAX_TRUSTED},
        {"--script-memory", "MIB", "memory of the scripts of one owner in MiB (64)",
         CN_OPTION_NUMBER, &values->script_mib, 1, MAX_SCRIPT_MIB},
        {"--script-tick", "N", "instructions of the scripts of one owner per tick (10 million)",
         CN_OPTION_NUMBER, &desc->script_instructions_per_tick, 1, 0},
        {"--script-call", "N", "instructions of one call of a script (2 million)", CN_OPTION_NUMBER,
         &desc->script_instructions_per_call, 1, 0},
        {"--cache", NULL, "cache pipelines and models in ~/.cache/cairn", CN_OPTION_FLAG,
         &desc->cache, 0, 0},
        {"--check", NULL, "fail on allocations in steady frames, growth or GPU errors",
         CN_OPTION_FLAG, &desc->check, 0, 0},
        {"--resize-every", "N", "change the image size every N frames", CN_OPTION_NUMBER,
         &values->resize_every, 1, UINT32_MAX},
    };
    memcpy(table, options, sizeof options);
}

static bool apply(CnEngineDesc *desc, const Values *values)
{
    if (values->size && !read_size(values->size, desc))
        return false;
    if (values->vsync && !read_vsync(values->vsync, &desc->vsync))
        return false;
    if (values->render_thread &&
        !read_switch("--render-thread", values->render_thread, &desc->render_thread))
        return false;
    if (values->hot_reload && !read_switch("--hot-reload", values->hot_reload, &desc->hot_reload))
        return false;
    if (values->script_mib)
        desc->script_memory_bytes = (size_t)values->script_mib << 20;
    desc->fps = (uint32_t)values->fps;
    desc->tick_hz = (uint32_t)values->tick_hz;
    desc->threads = (uint32_t)values->threads;
    desc->resize_every = (uint32_t)values->resize_every;
    if (desc->gpu && !strcmp(desc->gpu, "null"))
        desc->backend = CN_GPU_NULL;
    if (desc->headless && !desc->frames)
        desc->frames = 1;
    return true;
}

/* ---- Reading ---- */

static bool is_free(const CnOption *option)
{
    return option->name[0] != '-';
}

static const CnOption *find(const CnOption *option, CnText name)
{
    for (; option && option->name; option++)
        if (cn_text_equal(cn_text(option->name), name))
            return option;
    return NULL;
}

/* Skips options that the program replaces with its own (`own`). */
static void print_table(const CnOption *option, const CnOption *own)
{
    for (; option && option->name; option++) {
        if (find(own, cn_text(option->name)))
            continue;
        char left[64];
        cn_format(left, sizeof left, is_free(option) ? "%s" : "%s %s", option->name,
                  option->argument ? option->argument : "");
        cn_print("  %-22s %s", left, option->help);
    }
}

static void print_help(const char *program, const CnOption *own, const CnOption *engine)
{
    const char *free_name = "";
    for (const CnOption *option = own; option && option->name; option++)
        if (is_free(option))
            free_name = option->name;
    cn_print("usage: %s [options]%s%s", program, *free_name ? " " : "", free_name);
    printf("\n");
    print_table(own, NULL);
    print_table(engine, own);
    cn_print("  %-22s %s", "--help", "print this help");
}

static const CnOption *find_free(const CnOption *option)
{
    for (; option && option->name; option++)
        if (is_free(option))
            return option;
    return NULL;
}

static bool report_error(const char *what, const char *about)
{
    cn_print_error("%s %s (try --help)", what, about);
    return false;
}

static bool report_missing(const CnOption *option)
{
    cn_print_error("%s needs a value: %s %s (try --help)", option->name, option->name,
                   option->argument ? option->argument : "VALUE");
    return false;
}

static bool add_to_list(const CnOption *option, const char *text)
{
    const char **list = option->value;
    for (uint64_t i = 0; i < option->maximum; i++)
        if (!list[i]) {
            list[i] = text;
            return true;
        }
    cn_print_error("%s may be given at most %" PRIu64 " times", option->name, option->maximum);
    return false;
}

static bool take_value(const CnOption *option, const char *text)
{
    if (option->kind == CN_OPTION_NUMBER)
        return read_number(option, text);
    if (option->kind == CN_OPTION_LIST)
        return add_to_list(option, text);
    *(const char **)option->value = text;
    return true;
}

/* *index is the last argument that was consumed. */
static bool take(const CnOption *own, const CnOption *engine, int count, char **arguments,
                 int *index)
{
    const char *argument = arguments[*index];
    if (argument[0] != '-') {
        const CnOption *free_one = find_free(own);
        if (!free_one || *(const char **)free_one->value)
            return report_error("unexpected argument", argument);
        return take_value(free_one, argument);
    }
    const char *equals = strchr(argument, '=');
    CnText name = {argument, equals ? (size_t)(equals - argument) : strlen(argument)};
    const CnOption *option = find(own, name);
    if (!option)
        option = find(engine, name);
    if (!option)
        return report_error("unknown option", argument);
    if (option->kind == CN_OPTION_FLAG) {
        *(bool *)option->value = true;
        return !equals || report_error("no value is allowed in", argument);
    }
    if (!equals && ++*index == count)
        return report_missing(option);
    return take_value(option, equals ? equals + 1 : arguments[*index]);
}

CnOptionsResult cn_engine_read_options(CnEngineDesc *desc, int count, char **arguments)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    Values values = {.fps = desc->fps,
                     .tick_hz = desc->tick_hz,
                     .threads = desc->threads,
                     .resize_every = desc->resize_every};
    CnOption table[ENGINE_OPTIONS];
    fill_table(desc, &values, table);
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "--help") || !strcmp(arguments[i], "-h")) {
            print_help(arguments[0], desc->options, table);
            return CN_OPTIONS_HELP_PRINTED;
        }
        if (!take(desc->options, table, count, arguments, &i))
            return CN_OPTIONS_INVALID;
    }
    return apply(desc, &values) ? CN_OPTIONS_CONTINUE : CN_OPTIONS_INVALID;
}

/* ---- cn_engine_main ---- */

static int fail(const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("%s", cn_error_text(error, text, sizeof text));
    return 1;
}

int cn_engine_main(const CnEngineDesc *desc, int count, char **arguments, CnEngineStart start,
                   void *user)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnError error = {0};
    CnEngineDesc all = *desc;
    CnOptionsResult result = cn_engine_read_options(&all, count, arguments);
    if (result != CN_OPTIONS_CONTINUE)
        return result == CN_OPTIONS_HELP_PRINTED ? 0 : 2;
    CnEngine *engine = cn_engine_create(&all, &error);
    if (!engine)
        return fail(&error);
    int status = start && !start(engine, user, &error) ? fail(&error) : cn_engine_run(engine);
    cn_engine_destroy(engine);
    return status;
}
