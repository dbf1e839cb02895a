#include "backups.h"

#include "backup_plan.h"
#include "event_log.h"

#include "crafty/save/save_internal.h"
#include "crafty/save/worlds.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>
#include <cairn/store/maintenance.h>

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define DATE_BYTES 20u    /* "YYYY-MM-DD HH-MM-SS" and a terminator */
#define RETRY_SECONDS 600 /* after a failure */
#define CHECK_SECONDS 1
#define MAX_FILES 8192u

struct CraftyBackups {
    CraftyBackupsDesc desc;
    char worlds_folder[CN_STORE_PATH_BYTES];
    pthread_t thread;
    pthread_mutex_t mutex; /* of the following */
    pthread_cond_t changed;
    CraftyServerSettings settings;
    bool is_requested[CRAFTY_SERVER_WORLDS];
    bool is_ending;
    /* Of the thread. */
    int64_t last[CRAFTY_SERVER_WORLDS], failed_at[CRAFTY_SERVER_WORLDS];
};

/* ---- Files ---- */

bool crafty_backup_path(const char *folder, const char *world, int64_t now,
                        char path[CN_STORE_PATH_BYTES], CnError *error)
{
    char base[CRAFTY_WORLD_NAME_BYTES], name[CRAFTY_WORLD_FILE_BYTES], date[DATE_BYTES];
    time_t seconds = (time_t)now;
    struct tm local;
    crafty_world_file_name(world, base);
    if (!localtime_r(&seconds, &local) || !strftime(date, sizeof date, "%Y-%m-%d %H-%M-%S", &local))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the clock of this computer is not set");
    cn_format(name, sizeof name, "%s %s", base, date);
    return cn_native_files()->make_folder(cn_native_files(), folder, error) &&
           crafty_world_free_path(folder, name, path, error);
}

int64_t crafty_backup_time(const char *file, const char *world)
{
    char base[CRAFTY_WORLD_NAME_BYTES];
    struct tm local = {.tm_isdst = -1};
    crafty_world_file_name(world, base);
    size_t size = strlen(base);
    const char *date = crafty_worlds_date_in(file);
    if (!date || date != file + size + 1 || memcmp(file, base, size) ||
        strcmp(date + DATE_BYTES - 1, CRAFTY_WORLD_SUFFIX))
        return 0;
    const char *end = strptime(date, "%Y-%m-%d %H-%M-%S", &local);
    return end == date + DATE_BYTES - 1 ? (int64_t)mktime(&local) : 0;
}

typedef struct Found {
    const char *world;
    CN_ARRAY(int64_t) times;
    CN_ARRAY(char *) names;
} Found;

static bool note_backup(const char *name, bool is_directory, void *user)
{
    Found *found = user;
    int64_t time = is_directory ? 0 : crafty_backup_time(name, found->world);
    if (time <= 0 || found->times.count == MAX_FILES)
        return true;
    char *copy = strdup(name);
    uint32_t at = found->times.count;
    if (!copy || !cn_array_push(&found->times, time) || !cn_array_push(&found->names, copy)) {
        found->times.count = found->names.count < at ? found->names.count : at;
        free(copy);
        return false;
    }
    for (; at > 0 && found->times.items[at - 1] < time; at--) { /* newest first */
        found->times.items[at] = found->times.items[at - 1];
        found->names.items[at] = found->names.items[at - 1];
    }
    found->times.items[at] = time;
    found->names.items[at] = copy;
    return true;
}

static void find_backups(Found *found, const char *folder, const char *world)
{
    found->world = world;
    cn_array_init(&found->times, cn_system_allocator());
    cn_array_init(&found->names, cn_system_allocator());
    cn_native_files()->list(cn_native_files(), folder, note_backup, found, &(CnError){0});
}

static void free_found(Found *found)
{
    for (uint32_t i = 0; i < found->names.count; i++)
        free(found->names.items[i]);
    cn_array_fini(&found->times);
    cn_array_fini(&found->names);
}

int64_t crafty_backups_newest(const char *folder, const char *world)
{
    Found found;
    find_backups(&found, folder, world);
    int64_t newest = found.times.count > 0 ? found.times.items[0] : 0;
    free_found(&found);
    return newest;
}

uint32_t crafty_backups_prune(const char *folder, const char *world,
                              const CraftyServerSettings *settings)
{
    Found found;
    uint32_t removed = 0;
    char path[CN_STORE_PATH_BYTES];
    find_backups(&found, folder, world);
    uint32_t count = found.times.count;
    bool *kept = cn_alloc_zeroed(NULL, count);
    if (kept)
        crafty_backup_plan_keep(
            &(CraftyBackupPlan){settings->keep_hourly, settings->keep_daily, settings->keep_weekly},
            found.times.items, kept, count);
    for (uint32_t i = 0; kept && i < count; i++)
        if (!kept[i] && cn_format(path, sizeof path, "%s/%s", folder, found.names.items[i]))
            removed += unlink(path) == 0;
    cn_free(NULL, kept, count);
    free_found(&found);
    return removed;
}

bool crafty_backup_verify(const char *path, CnError *error)
{
    CnStoreReport report;
    CnStoreDesc desc = {.path = path,
                        .mode = CN_STORE_READ_ONLY,
                        .application = CRAFTY_SAVE_APPLICATION,
                        .version = CRAFTY_SAVE_VERSION,
                        .tables = crafty_save_tables,
                        .table_count = CRAFTY_SAVE_TABLES};
    bool done = cn_store_check(&desc, NULL, &report, error);
    if (done && report.damage_count > 0)
        done = cn_error_set(error, CN_ERROR_FORMAT, "the backup is damaged: %s",
                            report.item_count > 0 ? report.items[0].message : "");
    if (done && report.row_count == 0)
        done = cn_error_set(error, CN_ERROR_FORMAT, "the backup is empty");
    cn_store_report_free(&report);
    return done;
}

/* ---- The thread ---- */

static bool goes_on(uint64_t done, uint64_t total, void *user)
{
    (void)done;
    (void)total;
    return !crafty_world_host_wants_store(user);
}

static bool copy(CraftyWorldHost *host, const char *path, CnError *error)
{
    CnStore *store = crafty_world_host_acquire_store(host);
    if (!store)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the world does not run");
    bool done = cn_store_backup(store, path, goes_on, host, error);
    crafty_world_host_release_store(host);
    return done;
}

/* A backup that cannot be read is removed: it must not push out one that can. */
static bool make_backup(CraftyBackups *backups, uint32_t world, const char *folder,
                        char path[CN_STORE_PATH_BYTES], CnError *error)
{
    CraftyWorldHost *host = backups->desc.hosts[world];
    if (!crafty_backup_path(folder, crafty_world_host_name(host), (int64_t)time(NULL), path,
                            error) ||
        !copy(host, path, error))
        return false;
    if (crafty_backup_verify(path, error))
        return true;
    unlink(path);
    return false;
}

static void back_up(CraftyBackups *backups, uint32_t world, const char *folder,
                    const CraftyServerSettings *settings)
{
    CraftyWorldMetrics *metrics = &backups->desc.metrics[world];
    char path[CN_STORE_PATH_BYTES] = "";
    CnError error = {0};
    uint64_t begin_ns = cn_clock_ns();
    int64_t now = (int64_t)time(NULL);
    if (!make_backup(backups, world, folder, path, &error)) {
        backups->failed_at[world] = now;
        if (crafty_world_host_wants_store(backups->desc.hosts[world]))
            return; /* it was canceled */
        atomic_fetch_add(&metrics->backups_failed, 1);
        CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "backup_failed", CRAFTY_FIELD("world", metrics->name),
                     CRAFTY_FIELD("reason", error.message));
        return;
    }
    uint32_t removed = crafty_backups_prune(folder, metrics->name, settings);
    uint64_t bytes = crafty_world_file_size(path);
    backups->last[world] = now;
    atomic_fetch_add(&metrics->backups, 1);
    atomic_store(&metrics->backup_at, (uint64_t)now);
    atomic_store(&metrics->backup_bytes, bytes);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "backup_done", CRAFTY_FIELD("world", metrics->name),
                 CRAFTY_FIELD("file", path), CRAFTY_NUMBER("bytes", bytes),
                 CRAFTY_NUMBER("milliseconds", (cn_clock_ns() - begin_ns) / 1000000),
                 CRAFTY_NUMBER("removed", removed));
}

static bool folder_of(const CraftyBackups *backups, const CraftyServerSettings *settings,
                      char folder[CN_STORE_PATH_BYTES])
{
    return settings->backup_folder[0]
               ? cn_format(folder, CN_STORE_PATH_BYTES, "%s", settings->backup_folder)
               : cn_format(folder, CN_STORE_PATH_BYTES, "%s/%s/scheduled", backups->worlds_folder,
                           CRAFTY_WORLDS_BACKUP_FOLDER);
}

static bool is_due(CraftyBackups *backups, uint32_t world, const char *folder, uint32_t every,
                   bool is_requested)
{
    int64_t now = (int64_t)time(NULL);
    if (crafty_world_host_state(backups->desc.hosts[world]) != CRAFTY_WORLD_RUNS)
        return false;
    if (is_requested)
        return true;
    if (backups->failed_at[world] && llabs(now - backups->failed_at[world]) < RETRY_SECONDS)
        return false;
    if (backups->last[world] == 0) {
        backups->last[world] = crafty_backups_newest(folder, backups->desc.metrics[world].name);
        if (backups->last[world] == 0) /* a new world: not before there is something in it */
            backups->last[world] = now;
    }
    return crafty_backup_is_due(backups->last[world], every, now);
}

static void *run(void *user)
{
    CraftyBackups *backups = user;
    char folder[CN_STORE_PATH_BYTES];
    pthread_mutex_lock(&backups->mutex);
    while (!backups->is_ending) {
        CraftyServerSettings settings = backups->settings;
        bool is_requested[CRAFTY_SERVER_WORLDS];
        memcpy(is_requested, backups->is_requested, sizeof is_requested);
        memset(backups->is_requested, 0, sizeof backups->is_requested);
        pthread_mutex_unlock(&backups->mutex);
        bool fits = folder_of(backups, &settings, folder);
        for (uint32_t i = 0; fits && i < backups->desc.count; i++)
            if (is_due(backups, i, folder, settings.backup_every, is_requested[i]))
                back_up(backups, i, folder, &settings);
        pthread_mutex_lock(&backups->mutex);
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += CHECK_SECONDS;
        if (!backups->is_ending)
            pthread_cond_timedwait(&backups->changed, &backups->mutex, &until);
    }
    pthread_mutex_unlock(&backups->mutex);
    return NULL;
}

/* ---- The interface ---- */

static void fini(CraftyBackups *backups)
{
    pthread_mutex_destroy(&backups->mutex);
    pthread_cond_destroy(&backups->changed);
    cn_free(NULL, backups, sizeof *backups);
}

CraftyBackups *crafty_backups_create(const CraftyBackupsDesc *desc, CnError *error)
{
    CraftyBackups *backups = cn_alloc_zeroed(NULL, sizeof *backups);
    pthread_condattr_t monotonic;
    if (!backups) {
        cn_error_memory(error, "backups");
        return NULL;
    }
    backups->desc = *desc;
    backups->settings = *desc->settings;
    cn_copy_text(backups->worlds_folder, sizeof backups->worlds_folder,
                 cn_text(desc->worlds_folder));
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&backups->mutex, NULL);
    pthread_cond_init(&backups->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (!pthread_create(&backups->thread, NULL, run, backups))
        return backups;
    fini(backups);
    cn_error_memory(error, "the thread of backups");
    return NULL;
}

void crafty_backups_destroy(CraftyBackups *backups)
{
    if (!backups)
        return;
    pthread_mutex_lock(&backups->mutex);
    backups->is_ending = true;
    pthread_cond_signal(&backups->changed);
    pthread_mutex_unlock(&backups->mutex);
    pthread_join(backups->thread, NULL);
    fini(backups);
}

void crafty_backups_set(CraftyBackups *backups, const CraftyServerSettings *settings)
{
    pthread_mutex_lock(&backups->mutex);
    backups->settings = *settings;
    pthread_cond_signal(&backups->changed);
    pthread_mutex_unlock(&backups->mutex);
}

void crafty_backups_request(CraftyBackups *backups, uint32_t world)
{
    pthread_mutex_lock(&backups->mutex);
    backups->is_requested[world] = true;
    pthread_cond_signal(&backups->changed);
    pthread_mutex_unlock(&backups->mutex);
}
