#include "crash_watch.h"

#include "crash_handler.h"
#include "last_minute.h"
#include "session_file.h"

#include <cairn/base/log.h>

#include <stdlib.h>
#include <unistd.h>

static const char *const recording_suffixes[] = CRAFTY_RECORDING_SUFFIXES;

struct CraftyCrashWatch {
    const CnSim *sim;
    CraftySessionFile session;
    CraftyBackgroundFiles *files;
    CraftyLastMinute *last_minute;
    char recordings[2][CRAFTY_CRASH_PATH_BYTES];
    bool has_handler;
};

static bool begin_recording(CraftyCrashWatch *watch, const CraftyCrashWatchDesc *desc,
                            CnError *error)
{
    watch->files = crafty_background_files_create(error);
    if (!watch->files)
        return false;
    watch->last_minute = crafty_last_minute_create(
        &(CraftyLastMinuteDesc){.files = watch->files,
                                .paths = {watch->recordings[0], watch->recordings[1]},
                                .sim = desc->sim,
                                .world = desc->world,
                                .start = desc->start,
                                .save = desc->save,
                                .mods = desc->mods},
        error);
    return watch->last_minute != NULL;
}

static bool describe(const CraftyCrashWatchDesc *desc, CraftySessionInfo *info, CnError *error)
{
    *info = (CraftySessionInfo){0};
    cn_copy_text(info->program, sizeof info->program, cn_text(desc->program));
    cn_copy_text(info->world, sizeof info->world, cn_text(crafty_save_identity(desc->save)->name));
    char *absolute = realpath(desc->world_path, NULL);
    bool fits = absolute && cn_copy_text(info->path, sizeof info->path, cn_text(absolute));
    free(absolute);
    return fits ||
           cn_error_set(error, CN_ERROR_NOT_FOUND, "the path of the world cannot be resolved");
}

static bool begin_handler(CraftyCrashWatch *watch, const CraftyCrashWatchDesc *desc,
                          const char *report, CnError *error)
{
    if (desc->instance > 0)
        return true;
    watch->has_handler =
        crafty_crash_handler_begin(&(CraftyCrashHandlerDesc){.program = desc->program,
                                                             .path = report,
                                                             .flush = crafty_background_files_flush,
                                                             .user = watch->files},
                                   error);
    return watch->has_handler;
}

/* The files of further worlds of a process have the number of the world in their names. */
static void make_name(const CraftyCrashWatchDesc *desc, char name[CRAFTY_CRASH_NAME_BYTES])
{
    crafty_crash_name(desc->program, name);
    size_t size = strlen(name);
    if (desc->instance > 0)
        cn_format(name + size, CRAFTY_CRASH_NAME_BYTES - size, "-%u", desc->instance);
}

static bool begin(CraftyCrashWatch *watch, const CraftyCrashWatchDesc *desc, CnError *error)
{
    char folder[CRAFTY_CRASH_PATH_BYTES], name[CRAFTY_CRASH_NAME_BYTES],
        report[CRAFTY_CRASH_PATH_BYTES];
    CraftySessionInfo info;
    if (!crafty_crash_folder(folder, error) || !describe(desc, &info, error))
        return false;
    crafty_unclean_sessions_dismiss_world(folder, info.path);
    crafty_crash_folder_clean(folder);
    make_name(desc, name);
    bool fits = crafty_crash_path(folder, name, CRAFTY_REPORT_SUFFIX, report);
    for (uint32_t i = 0; i < 2; i++)
        fits = fits && crafty_crash_path(folder, name, recording_suffixes[i], watch->recordings[i]);
    if (!fits)
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the crash report is too long");
    if (!crafty_session_file_create(&watch->session, folder, name, &info, error) ||
        !begin_recording(watch, desc, error) || !begin_handler(watch, desc, report, error))
        return false;
    /* Otherwise there is nothing to go on from until the first autosave. */
    if (crafty_save_is_new(desc->save) &&
        !crafty_save_write(desc->save, desc->world, desc->sim, error))
        CN_LOG_WARNING("crafty", "the new world is not saved yet: %s", error->message);
    if (desc->instance > 0)
        return true;
    crafty_crash_handler_set_world(info.world);
    crafty_crash_handler_set_gpu(desc->gpu ? desc->gpu : "");
    return true;
}

CraftyCrashWatch *crafty_crash_watch_begin(const CraftyCrashWatchDesc *desc)
{
    CnError error = {0};
    CraftyCrashWatch *watch = cn_alloc_zeroed(cn_system_allocator(), sizeof *watch);
    if (!watch) {
        CN_LOG_WARNING("crafty", "a crash would not be reported: out of memory");
        return NULL;
    }
    watch->sim = desc->sim;
    watch->session.file = -1;
    if (begin(watch, desc, &error))
        return watch;
    CN_LOG_WARNING("crafty", "a crash would not be reported: %s", error.message);
    crafty_crash_watch_end(watch, true);
    return NULL;
}

void crafty_crash_watch_tick(CraftyCrashWatch *watch)
{
    if (!watch)
        return;
    uint64_t tick = cn_sim_tick(watch->sim);
    crafty_last_minute_tick(watch->last_minute);
    if (watch->has_handler)
        crafty_crash_handler_set_tick(tick);
    crafty_crash_test(tick);
}

void crafty_crash_watch_end(CraftyCrashWatch *watch, bool saved)
{
    if (!watch)
        return;
    if (watch->has_handler)
        crafty_crash_handler_end();
    crafty_last_minute_destroy(watch->last_minute);
    crafty_background_files_destroy(watch->files);
    for (uint32_t i = 0; i < 2 && saved; i++)
        unlink(watch->recordings[i]);
    if (saved)
        crafty_session_file_remove(&watch->session);
    else
        crafty_session_file_abandon(&watch->session);
    cn_free(cn_system_allocator(), watch, sizeof *watch);
}
