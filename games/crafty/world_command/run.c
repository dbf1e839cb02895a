#include "run.h"

#include "world_command.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define TERMINAL_NS 100000000ull /* between updates of a line */
#define PLAIN_NS 2000000000ull   /* between lines */

/* ---- Text ---- */

void crafty_world_print(CraftyWorldRun *run, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (run->options->json)
        return;
    crafty_world_end_task(run);
    va_start(arguments, format);
    cn_format_v(line, sizeof line, format, arguments);
    va_end(arguments);
    cn_print("%s", line);
}

void crafty_world_size_text(uint64_t bytes, char text[16])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double size = (double)bytes;
    uint32_t unit = 0;
    while (size >= 1000 && unit + 1 < CN_COUNT_OF(units)) {
        size /= 1000;
        unit++;
    }
    cn_format(text, 16, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

void crafty_world_time_text(int64_t unix_ms, char text[32])
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm local;
    if (!localtime_r(&seconds, &local) || !strftime(text, 32, "%Y-%m-%d %H:%M", &local))
        cn_copy_text(text, 32, cn_text("?"));
}

/* ---- JSON ---- */

void crafty_json_text(json_t *object, const char *name, const char *text)
{
    char escaped[4 * CN_STORE_PATH_BYTES];
    if (!cn_text_is_utf8(cn_text(text)))
        text = cn_text_escape(cn_text(text), escaped, sizeof escaped);
    json_object_set_new(object, name, json_string(text));
}

void crafty_json_number(json_t *object, const char *name, int64_t number)
{
    json_object_set_new(object, name, json_integer(number));
}

void crafty_json_real(json_t *object, const char *name, double number)
{
    json_t *value = json_real(number); /* NULL: not finite */
    json_object_set_new(object, name, value ? value : json_null());
}

void crafty_json_flag(json_t *object, const char *name, bool flag)
{
    json_object_set_new(object, name, json_boolean(flag));
}

json_t *crafty_json_object(json_t *object, const char *name)
{
    json_t *own = json_object();
    return json_object_set_new(object, name, own) ? NULL : own;
}

json_t *crafty_json_array(json_t *object, const char *name)
{
    json_t *array = json_array();
    return json_object_set_new(object, name, array) ? NULL : array;
}

json_t *crafty_json_append(json_t *array)
{
    json_t *object = json_object();
    return json_array_append_new(array, object) ? NULL : object;
}

/* ---- Progress ---- */

static volatile sig_atomic_t canceled;

static void cancel(int signal_number)
{
    (void)signal_number;
    canceled = 1;
}

static void catch_signals(void)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = cancel};
    sigemptyset(&action.sa_mask);
    for (uint32_t i = 0; i < CN_COUNT_OF(signals); i++)
        sigaction(signals[i], &action, NULL);
}

void crafty_world_begin_task(CraftyWorldRun *run, const char *task)
{
    crafty_world_end_task(run);
    run->task = task;
    run->shown_ns = cn_clock_ns(); /* short work shows nothing */
}

void crafty_world_end_task(CraftyWorldRun *run)
{
    if (run->is_showing)
        fputs("\r\033[K", stderr);
    run->is_showing = false;
}

bool crafty_world_progress(uint64_t done, uint64_t total, void *user)
{
    CraftyWorldRun *run = user;
    bool is_terminal = isatty(STDERR_FILENO) != 0;
    uint64_t now = cn_clock_ns();
    run->was_canceled |= canceled != 0;
    if (canceled)
        return false;
    if (run->options->json || run->options->quiet ||
        now - run->shown_ns < (is_terminal ? TERMINAL_NS : PLAIN_NS))
        return true;
    char line[128], shown[256];
    run->shown_ns = now;
    if (total > 0)
        cn_format(line, sizeof line, "%s: %u %%", run->task,
                  (uint32_t)(100.0 * (double)done / (double)total));
    else
        cn_format(line, sizeof line, "%s: %" PRIu64, run->task, done);
    if (is_terminal) {
        cn_text_escape(cn_text(line), shown, sizeof shown);
        fputs("\r\033[K", stderr);
        fputs(shown, stderr);
    } else
        cn_print_error("%s", line);
    run->is_showing = is_terminal;
    return true;
}

/* ---- The whole ---- */

bool crafty_world_find(CraftyWorldRun *run, char path[CN_STORE_PATH_BYTES], CnError *error)
{
    return crafty_worlds_find(run->folder, run->options->first, path, error);
}

static bool (*const actions[CRAFTY_WORLD_ACTION_COUNT])(CraftyWorldRun *run, CnError *error) = {
    [CRAFTY_WORLD_LIST] = crafty_world_list,
    [CRAFTY_WORLD_CREATE] = crafty_world_create_action,
    [CRAFTY_WORLD_INFO] = crafty_world_info,
    [CRAFTY_WORLD_RENAME] = crafty_world_rename_action,
    [CRAFTY_WORLD_COPY] = crafty_world_copy_action,
    [CRAFTY_WORLD_BACKUP] = crafty_world_backup_action,
    [CRAFTY_WORLD_RESTORE] = crafty_world_restore_action,
    [CRAFTY_WORLD_EXPORT] = crafty_world_export_action,
    [CRAFTY_WORLD_IMPORT] = crafty_world_import_action,
    [CRAFTY_WORLD_VERIFY] = crafty_world_verify_action,
    [CRAFTY_WORLD_REPAIR] = crafty_world_repair_action,
    [CRAFTY_WORLD_COMPACT] = crafty_world_compact_action,
    [CRAFTY_WORLD_DELETE] = crafty_world_delete_action,
    [CRAFTY_WORLD_TORTURE] = crafty_world_torture_action,
};

static bool set_folder(CraftyWorldRun *run, CnError *error)
{
    const char *worlds = run->options->worlds;
    if (!worlds)
        return crafty_worlds_folder(run->folder, error);
    return cn_format(run->folder, sizeof run->folder, "%s", worlds) ||
           cn_error_set(error, CN_ERROR_LIMIT, "the path of --worlds has more than %u bytes",
                        CN_STORE_PATH_BYTES - 1);
}

static bool print_json(CraftyWorldRun *run, bool done, const CnError *error)
{
    if (!done) {
        json_t *problem = crafty_json_object(run->json, "error");
        crafty_json_text(problem, "code", cn_error_code_name(error->code));
        crafty_json_text(problem, "message", error->message);
    }
    char *text = json_dumps(run->json, JSON_INDENT(2));
    bool printed = text && puts(text) >= 0 && fflush(stdout) == 0;
    free(text);
    if (!printed)
        fputs("crafty world: the JSON cannot be written\n", stderr);
    return printed;
}

int crafty_world_command(int count, char **arguments)
{
    CraftyWorldOptions options;
    CraftyWorldParse parsed = crafty_world_options_read(&options, count, arguments);
    if (parsed != CRAFTY_WORLD_RUN)
        return parsed == CRAFTY_WORLD_HELPED ? 0 : 2;
    CnError error = {0};
    CraftyWorldRun run = {.options = &options, .json = json_object(), .task = "working"};
    catch_signals();
    bool done = set_folder(&run, &error) && actions[options.action](&run, &error);
    crafty_world_end_task(&run);
    bool printed = true;
    if (options.json)
        printed = print_json(&run, done, &error);
    else if (!done) {
        char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
        cn_print_error("crafty world %s: %s", crafty_world_action_name(options.action),
                       cn_error_text(&error, text, sizeof text));
    } else
        printed = fflush(stdout) == 0;
    json_decref(run.json);
    return done && printed && !run.found_damage ? 0 : 1;
}
