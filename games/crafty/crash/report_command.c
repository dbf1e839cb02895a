/* The command `crafty report`. */
#include "crash_report.h"

#include "session_file.h"

#include <cairn/base/console.h>
#include <cairn/base/file.h>

#include <stdio.h>
#include <string.h>

static const char *const recording_suffixes[] = CRAFTY_RECORDING_SUFFIXES;

static int fail(const char *program, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("%s: %s", program, cn_error_text(error, text, sizeof text));
    return 1;
}

static int print(const char *program, CnTextBuilder *text)
{
    bool done = fwrite(text->items, 1, text->count, stdout) == text->count && fflush(stdout) == 0;
    if (!done)
        fprintf(stderr, "%s: cannot write the report\n", program);
    return !done;
}

/* ---- One report ---- */

static bool read_file(const char *path, CnFileBytes *bytes, CnError *error)
{
    CnFileSystem *files = cn_native_files();
    CnFileInfo info;
    if (!files->info(files, path, &info, error))
        return false;
    if (info.size_bytes > CRAFTY_REPORT_BYTES)
        return cn_file_set_error(error, CN_ERROR_LIMIT, "read", path,
                                 "it is too large for a crash report");
    return cn_file_read_all(files, path, NULL, bytes, error);
}

/* Names the recordings beside the report. */
static bool append_recordings(const char *path, CnTextBuilder *text)
{
    CnFileSystem *files = cn_native_files();
    size_t size = strlen(path), suffix = strlen(CRAFTY_REPORT_SUFFIX);
    if (!cn_text_ends_with(cn_text(path), cn_text(CRAFTY_REPORT_SUFFIX)))
        return true;
    bool done = true;
    for (uint32_t i = 0; i < CN_COUNT_OF(recording_suffixes) && done; i++) {
        char recording[CRAFTY_CRASH_PATH_BYTES], shown[CRAFTY_CRASH_PATH_BYTES];
        CnFileInfo info;
        CnError error = {0};
        if (cn_format(recording, sizeof recording, "%.*s%s", (int)(size - suffix), path,
                      recording_suffixes[i]) &&
            files->info(files, recording, &info, &error))
            done = cn_text_append_format(text, "\nLast minute: crafty --replay %s\n",
                                         cn_text_escape(cn_text(recording), shown, sizeof shown));
    }
    return done;
}

static int show_report(const char *program, const char *path, bool as_json)
{
    CnFileBytes bytes = {0};
    CraftyReport report;
    CraftySymbols symbols;
    CnError error = {0};
    CnTextBuilder text;
    if (!read_file(path, &bytes, &error))
        return fail(program, &error);
    if (!crafty_report_read(&report, (CnText){(const char *)bytes.data, bytes.size}, &error)) {
        cn_file_bytes_free(&bytes);
        char shown[256];
        cn_print_error("%s: %s: %s", program, cn_text_escape(cn_text(path), shown, sizeof shown),
                       error.message);
        return 1;
    }
    cn_array_init(&text, NULL);
    crafty_symbols_open(&symbols);
    bool written = as_json ? crafty_report_write_json(&report, &text)
                           : crafty_report_write_text(&report, &symbols, &text) &&
                                 append_recordings(path, &text);
    crafty_symbols_close(&symbols);
    if (!written)
        cn_error_memory(&error, "the report");
    int status = written ? print(program, &text) : fail(program, &error);
    cn_array_fini(&text);
    crafty_report_fini(&report);
    cn_file_bytes_free(&bytes);
    return status;
}

/* ---- The list ---- */

typedef struct List {
    const char *folder;
    CnTextBuilder text;
    uint32_t count;
    bool as_json;
} List;

static bool list_report(const char *name, bool is_directory, void *user)
{
    List *list = user;
    CnFileSystem *files = cn_native_files();
    char path[CRAFTY_CRASH_PATH_BYTES], shown[CRAFTY_CRASH_PATH_BYTES];
    CnFileInfo info;
    CnError error = {0};
    if (is_directory || !cn_text_ends_with(cn_text(name), cn_text(CRAFTY_REPORT_SUFFIX)) ||
        !crafty_crash_path(list->folder, name, "", path) ||
        !files->info(files, path, &info, &error) || info.size_bytes == 0)
        return true;
    char date[CRAFTY_DATE_BYTES];
    crafty_date((time_t)(info.modified_ns / 1000000000), date);
    cn_text_escape(cn_text(path), shown, sizeof shown);
    if (list->as_json)
        cn_text_append_format(&list->text, "%s  {\"date\": \"%s\", \"file\": \"%s\"}",
                              list->count ? ",\n" : "", date, shown);
    else
        cn_text_append_format(&list->text, "%s  %s\n", date, shown);
    list->count++;
    return true;
}

static int show_list(const char *program, bool as_json)
{
    char folder[CRAFTY_CRASH_PATH_BYTES];
    CnFileSystem *files = cn_native_files();
    CnError error = {0};
    List list = {.folder = folder, .as_json = as_json};
    cn_array_init(&list.text, NULL);
    if (!crafty_crash_folder(folder, &error))
        return fail(program, &error);
    cn_text_append(&list.text, cn_text(as_json ? "[\n" : ""));
    bool listed = files->list(files, folder, list_report, &list, &error);
    if (as_json)
        cn_text_append(&list.text, cn_text(list.count ? "\n]\n" : "]\n"));
    else if (listed && list.count == 0)
        cn_text_append(&list.text, cn_text("There are no crash reports.\n"));
    int status = listed ? print(program, &list.text) : fail(program, &error);
    cn_array_fini(&list.text);
    return status;
}

int crafty_report_command(const char *program, int count, char **arguments)
{
    const char *path = NULL;
    bool as_json = false;
    for (int i = 0; i < count; i++) {
        if (strcmp(arguments[i], "--json") == 0) {
            as_json = true;
        } else if (strcmp(arguments[i], "--help") == 0) {
            printf("usage: %s report [FILE] [--json]\n\n"
                   "Shows a crash report; without FILE, lists the reports.\n",
                   program);
            return 0;
        } else if (arguments[i][0] == '-' || path) {
            cn_print_error("%s: unknown argument %s; see %s report --help", program, arguments[i],
                           program);
            return 2;
        } else {
            path = arguments[i];
        }
    }
    return path ? show_report(program, path, as_json) : show_list(program, as_json);
}
