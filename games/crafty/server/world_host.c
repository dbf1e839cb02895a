#include "world_host_internal.h"

#include <cairn/base/clock.h>

#include <errno.h>
#include <time.h>

#define HANG_NS UINT64_C(20000000000)
#define STATS_TICKS 60u

/* The session, mods and crash reports are set up one world at a time. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* ---- Events ---- */

void crafty_world_host_log_error(CraftyWorldHost *host, const char *event, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, event, CRAFTY_FIELD("world", host->world->name),
                 CRAFTY_FIELD("reason", cn_error_text(error, text, sizeof text)));
}

static void fail(CraftyWorldHost *host, const char *event, const CnError *error)
{
    pthread_mutex_lock(&host->mutex);
    if (host->error.code == CN_OK)
        host->error = *error;
    pthread_mutex_unlock(&host->mutex);
    crafty_world_host_log_error(host, event, error);
}

static void set_state(CraftyWorldHost *host, CraftyWorldState state)
{
    pthread_mutex_lock(&host->mutex);
    atomic_store(&host->state, (int)state);
    atomic_store(&host->desc.metrics->is_up, state == CRAFTY_WORLD_RUNS);
    pthread_cond_broadcast(&host->changed);
    pthread_mutex_unlock(&host->mutex);
    host->desc.state_changed(host->desc.server);
}

/* ---- Ticks ---- */

static void update_metrics(CraftyWorldHost *host)
{
    CraftyWorldMetrics *metrics = host->desc.metrics;
    CnVoxelsStats stats = cn_voxels_stats(crafty_world_voxels(crafty_session_world(host->session)));
    const struct {
        const char *tag;
        uint64_t bytes;
    } memory[] = {{"blocks", stats.block_bytes},
                  {"light", stats.light_bytes},
                  {"meshes", stats.mesh_bytes},
                  {"voxels_other", stats.other_bytes}};
    atomic_store(&metrics->chunks, stats.chunks);
    for (uint32_t i = 0; i < CN_COUNT_OF(memory); i++)
        crafty_metrics_set_memory(metrics, memory[i].tag, memory[i].bytes);
}

static void wait_until(CraftyWorldHost *host, uint64_t until_ns)
{
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000),
                             .tv_nsec = (long)(until_ns % 1000000000)};
    if (host->network && host->desc.network->wait)
        host->desc.network->wait(host->network, until_ns);
    while (cn_clock_ns() < until_ns &&
           clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static bool run_tick(CraftyWorldHost *host, CnError *error)
{
    const CraftyServerNetwork *network = host->desc.network;
    if (host->network && network->before_tick && !network->before_tick(host->network, error))
        return false;
    if (!cn_sim_tick_n(crafty_session_sim(host->session), 1, error))
        return false;
    return !host->network || !network->after_tick || network->after_tick(host->network, error);
}

static bool run_ticks(CraftyWorldHost *host, CnError *error)
{
    CraftyWorldMetrics *metrics = host->desc.metrics;
    CnSim *sim = crafty_session_sim(host->session);
    crafty_pace_begin(&host->pace, cn_sim_clock(sim)->tick_hz, cn_clock_ns());
    host->last_save_ns = cn_clock_ns();
    while (atomic_load(&host->end) < 0) {
        CraftyPaceStep step = crafty_pace_next(&host->pace, cn_clock_ns());
        atomic_fetch_add(&metrics->ticks_late, step.is_late);
        atomic_fetch_add(&metrics->ticks_skipped, step.skipped);
        wait_until(host, step.due_ns);
        uint64_t begin_ns = cn_clock_ns();
        if (!run_tick(host, error))
            return false;
        crafty_crash_watch_tick(host->watch);
        crafty_world_host_save_if_due(host);
        uint64_t end_ns = cn_clock_ns();
        crafty_histogram_add(&metrics->tick, end_ns - begin_ns);
        atomic_store(&host->ticked_ns, end_ns);
        crafty_world_host_answer_calls(host);
        crafty_world_host_log_lines(host);
        if (host->pace.tick % STATS_TICKS == 1)
            update_metrics(host);
    }
    return true;
}

/* ---- Closing ---- */

static bool finish_recording(CraftyWorldHost *host, CnError *error)
{
    bool done = !host->recorder || crafty_world_recorder_finish(host->recorder, error);
    crafty_world_recorder_destroy(host->recorder);
    return done;
}

/* Saves also after an error in a tick: what was played is not lost. */
static void save_at_end(CraftyWorldHost *host)
{
    CnError error = {0};
    if (!finish_recording(host, &error))
        fail(host, "recording_failed", &error);
    cn_error_clear(&error);
    host->is_saved = crafty_world_host_save_now(host, &error);
    crafty_crash_watch_end(host->watch, host->is_saved);
    if (!host->is_saved)
        fail(host, "save_failed", &error);
    else if (host->desc.done && host->desc.done(host->session))
        host->is_saved = false;
}

/* Of a world that never ran. */
static void abandon(CraftyWorldHost *host, bool is_open)
{
    crafty_world_recorder_destroy(host->recorder);
    crafty_crash_watch_end(host->watch, true);
    host->is_saved = is_open;
}

static void close_network(CraftyWorldHost *host)
{
    int end = atomic_load(&host->end);
    if (host->network)
        host->desc.network->close(host->network,
                                  end < 0 ? CRAFTY_SERVER_FAILED : (CraftyServerEnd)end);
    atomic_store(&host->desc.metrics->players, 0);
}

static void close_world(CraftyWorldHost *host)
{
    crafty_server_console_end(&host->console);
    crafty_session_destroy(host->session);
    crafty_session_mods_destroy(host->mods);
    atomic_store(&host->wants_store, true);
    pthread_rwlock_wrlock(&host->store_lock); /* backups end */
    crafty_save_close(host->save);
    host->save = NULL;
    pthread_rwlock_unlock(&host->store_lock);
}

static bool begin(CraftyWorldHost *host, CnError *error)
{
    pthread_mutex_lock(&opening);
    bool done = atomic_load(&host->end) >= 0 || crafty_world_host_open(host, error);
    pthread_mutex_unlock(&opening);
    return done;
}

static void *run(void *user)
{
    CraftyWorldHost *host = user;
    CnError error = {0};
    bool is_open = begin(host, &error), ran = is_open;
    if (!is_open)
        fail(host, "world_not_opened", &error);
    if (is_open && host->session) {
        CRAFTY_EVENT(
            CN_LOG_LEVEL_INFO, "world_opened", CRAFTY_FIELD("world", host->world->name),
            CRAFTY_FIELD("store", crafty_settings_is_uri(host->path) ? "postgresql" : host->path),
            CRAFTY_NUMBER("tick", cn_sim_tick(crafty_session_sim(host->session))),
            CRAFTY_NUMBER("tick_rate", cn_sim_clock(crafty_session_sim(host->session))->tick_hz));
        atomic_store(&host->ticked_ns, cn_clock_ns());
        set_state(host, CRAFTY_WORLD_RUNS);
        ran = run_ticks(host, &error);
        if (!ran)
            fail(host, "world_failed", &error);
    }
    set_state(host, CRAFTY_WORLD_CLOSING);
    crafty_world_host_refuse_calls(host);
    close_network(host);
    pthread_mutex_lock(&opening);
    if (is_open && host->session)
        save_at_end(host);
    else
        abandon(host, is_open);
    close_world(host);
    pthread_mutex_unlock(&opening);
    if (is_open)
        CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "world_closed", CRAFTY_FIELD("world", host->world->name),
                     CRAFTY_FIELD("saved", host->is_saved ? "yes" : "no"));
    set_state(host, ran && host->is_saved ? CRAFTY_WORLD_CLOSED : CRAFTY_WORLD_FAILED);
    crafty_world_host_refuse_calls(host);
    return NULL;
}

/* ---- The interface ---- */

static void fini(CraftyWorldHost *host)
{
    pthread_mutex_destroy(&host->mutex);
    pthread_cond_destroy(&host->changed);
    pthread_rwlock_destroy(&host->store_lock);
    cn_free(NULL, host, sizeof *host);
}

CraftyWorldHost *crafty_world_host_create(const CraftyWorldHostDesc *desc, CnError *error)
{
    CraftyWorldHost *host = cn_alloc_zeroed(NULL, sizeof *host);
    pthread_condattr_t monotonic;
    if (!host) {
        cn_error_memory(error, "a world");
        return NULL;
    }
    host->desc = *desc;
    host->settings = *desc->settings;
    host->world = &host->settings.worlds[desc->index];
    cn_copy_text(host->path, sizeof host->path, cn_text(desc->path));
    cn_copy_text(host->key_path, sizeof host->key_path, cn_text(desc->key_path));
    atomic_store(&host->end, -1);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&host->mutex, NULL);
    pthread_cond_init(&host->changed, &monotonic);
    pthread_rwlock_init(&host->store_lock, NULL);
    pthread_condattr_destroy(&monotonic);
    if (!pthread_create(&host->thread, NULL, run, host))
        return host;
    fini(host);
    cn_error_memory(error, "the thread of a world");
    return NULL;
}

bool crafty_world_host_destroy(CraftyWorldHost *host)
{
    pthread_join(host->thread, NULL);
    bool is_saved = crafty_world_host_state(host) == CRAFTY_WORLD_CLOSED;
    fini(host);
    return is_saved;
}

void crafty_world_host_wait_opened(CraftyWorldHost *host)
{
    pthread_mutex_lock(&host->mutex);
    while (crafty_world_host_state(host) == CRAFTY_WORLD_OPENING)
        pthread_cond_wait(&host->changed, &host->mutex);
    pthread_mutex_unlock(&host->mutex);
}

CraftyWorldState crafty_world_host_state(const CraftyWorldHost *host)
{
    return (CraftyWorldState)atomic_load(&host->state);
}

const char *crafty_world_host_name(const CraftyWorldHost *host)
{
    return host->desc.metrics->name;
}

CnError crafty_world_host_error(CraftyWorldHost *host)
{
    pthread_mutex_lock(&host->mutex);
    CnError error = host->error;
    pthread_mutex_unlock(&host->mutex);
    return error;
}

bool crafty_world_host_is_healthy(const CraftyWorldHost *host)
{
    CraftyWorldState state = crafty_world_host_state(host);
    if (state == CRAFTY_WORLD_FAILED)
        return false;
    return state != CRAFTY_WORLD_RUNS || cn_clock_ns() < atomic_load(&host->ticked_ns) + HANG_NS;
}

void crafty_world_host_stop(CraftyWorldHost *host, CraftyServerEnd end)
{
    atomic_store(&host->end, (int)end);
}

void crafty_world_host_hurry(CraftyWorldHost *host)
{
    atomic_store(&host->hurries, true);
}

CnStore *crafty_world_host_acquire_store(CraftyWorldHost *host)
{
    pthread_rwlock_rdlock(&host->store_lock);
    if (crafty_world_host_state(host) == CRAFTY_WORLD_RUNS && host->save)
        return crafty_save_store(host->save);
    pthread_rwlock_unlock(&host->store_lock);
    return NULL;
}

void crafty_world_host_release_store(CraftyWorldHost *host)
{
    pthread_rwlock_unlock(&host->store_lock);
}

bool crafty_world_host_wants_store(const CraftyWorldHost *host)
{
    return atomic_load(&host->wants_store) || crafty_world_host_state(host) >= CRAFTY_WORLD_CLOSING;
}
