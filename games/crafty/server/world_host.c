#include "world_host.h"

#include "console.h"
#include "event_log.h"
#include "pace.h"

#include "crafty/crash/crash_watch.h"
#include "crafty/crash/recover.h"
#include "crafty/mods/session_mods.h"
#include "crafty/replay/world_recorder.h"
#include "crafty/save/world_seed.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define FIRST_HOURS 9.5f
#define FLUSH_MS 30000u
#define HURRY_MS 3000u
#define FLUSH_STEP_MS 100u
#define CALL_SECONDS 10
#define HANG_NS UINT64_C(20000000000)
#define STATS_TICKS 60u

/* A request that waits, shared by the caller and the thread of the world. */
typedef struct Call {
    CraftyWorldRequest request;
    CraftyServerSettings *settings;
    CnTextBuilder reply;
    bool is_done, is_abandoned, succeeded;
    uint64_t answer_at; /* the tick after which lines are answered; 0: not begun */
    struct Call *next;
} Call;

struct CraftyWorldHost {
    CraftyWorldHostDesc desc;
    CraftyServerSettings settings;
    CraftyWorldSettings *world; /* of the settings */
    char path[CN_STORE_PATH_BYTES], key_path[CN_STORE_PATH_BYTES];
    pthread_t thread;
    pthread_mutex_t mutex; /* of calls and error */
    pthread_cond_t changed;
    Call *calls;
    CnError error;
    pthread_rwlock_t store_lock;
    _Atomic int state;
    _Atomic int end; /* -1: runs on */
    _Atomic bool hurries, wants_store;
    _Atomic uint64_t ticked_ns;
    bool is_saved;
    /* Of the thread. */
    CraftySave *save;
    CraftySessionMods *mods;
    CraftySession *session;
    CraftyWorldRecorder *recorder;
    CraftyCrashWatch *watch;
    CraftyServerConsole console;
    void *network;
    CraftyPace pace;
    uint64_t save_began_ns, save_began_tick; /* 0: none is in progress */
    uint64_t last_save_ns;
    bool save_failed;
};

/* The session, mods and crash reports are set up one world at a time. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* ---- Events ---- */

static void log_error(CraftyWorldHost *host, const char *event, const CnError *error)
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
    log_error(host, event, error);
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

/* ---- Opening ---- */

static bool open_save(CraftyWorldHost *host, CnError *error)
{
    CraftySaveDesc desc = {.path = host->path, .name = host->world->name};
    bool is_uri = crafty_settings_is_uri(host->path);
    if (!is_uri && !cn_file_make_folder_of(cn_native_files(), host->path, error))
        return false;
    desc.has_seed = host->world->seed[0];
    if (!crafty_seed_from_text(host->world->seed, &desc.seed, error))
        return false;
    if (!is_uri)
        crafty_recovery_offer("crafty-server", host->path, host->desc.continues,
                              host->settings.mods[0] ? host->settings.mods : NULL);
    host->save = crafty_save_open(&desc, error);
    return host->save;
}

/* A world that was created with rules keeps them. */
static CraftyStart start_of(const CraftyWorldHost *host)
{
    const CraftyWorldIdentity *identity = crafty_save_identity(host->save);
    const CraftyWorldSettings *world = host->world;
    bool has_rules = identity && identity->has_rules;
    CraftyPlayerMode mode = (CraftyPlayerMode)(has_rules ? identity->mode : world->mode);
    return (CraftyStart){.viewer = crafty_start_viewer(mode),
                         .difficulty = (CraftyDifficulty)world->difficulty,
                         .mode = mode,
                         .commands = has_rules ? identity->commands : world->commands,
                         .keep_inventory =
                             has_rules ? identity->keep_inventory : world->keep_inventory,
                         .hours = FIRST_HOURS};
}

static bool open_session(CraftyWorldHost *host, CnError *error)
{
    const CraftyServerSettings *settings = &host->settings;
    host->mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){.extra = settings->mods[0] ? settings->mods : NULL,
                                 .without = host->desc.no_mods,
                                 .save = host->save},
        error);
    if (!host->mods)
        return false;
    host->session =
        crafty_session_create(&(CraftySessionDesc){.start = start_of(host),
                                                   .finds_spawn = true,
                                                   .threads = settings->threads,
                                                   .tick_hz = settings->tick_rate,
                                                   .save = host->save,
                                                   .mods = crafty_session_mods_code(host->mods)},
                              error);
    return host->session;
}

static bool open_recorder(CraftyWorldHost *host, CnError *error)
{
    if (!host->desc.record)
        return true;
    host->recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = host->desc.record,
                                   .sim = crafty_session_sim(host->session),
                                   .world = crafty_session_world(host->session),
                                   .start = crafty_session_start(host->session),
                                   .save = host->save,
                                   .mods = crafty_session_mods_running(host->mods)},
        error);
    return host->recorder;
}

static void begin_watch(CraftyWorldHost *host)
{
    if (!crafty_settings_is_uri(host->path))
        host->watch = crafty_crash_watch_begin(
            &(CraftyCrashWatchDesc){.program = "crafty-server",
                                    .world_path = host->path,
                                    .sim = crafty_session_sim(host->session),
                                    .world = crafty_session_world(host->session),
                                    .start = crafty_session_start(host->session),
                                    .save = host->save,
                                    .mods = crafty_session_mods_running(host->mods),
                                    .instance = host->desc.index});
}

static bool open_network(CraftyWorldHost *host, CnError *error)
{
    if (!host->desc.network)
        return true;
    host->network =
        host->desc.network->open(&(CraftyServerNetworkDesc){.session = host->session,
                                                            .save = host->save,
                                                            .settings = &host->settings,
                                                            .world = host->world,
                                                            .index = host->desc.index,
                                                            .key_path = host->key_path,
                                                            .accounts = host->desc.accounts,
                                                            .metrics = host->desc.metrics,
                                                            .submit_line = host->desc.submit_line,
                                                            .server = host->desc.server},
                                 error);
    return host->network;
}

static bool open_world(CraftyWorldHost *host, CnError *error)
{
    bool done = open_save(host, error) && open_session(host, error) && open_recorder(host, error);
    if (!done)
        return false;
    begin_watch(host);
    return crafty_server_console_begin(&host->console,
                                       cn_sim_world(crafty_session_sim(host->session)), error) &&
           open_network(host, error);
}

/* ---- Saving ---- */

static uint64_t now_seconds(void)
{
    return (uint64_t)time(NULL);
}

/* Notes a save that has become durable. */
static void note_saved(CraftyWorldHost *host)
{
    CraftyWorldMetrics *metrics = host->desc.metrics;
    if (!host->save_began_ns || crafty_save_is_building(host->save) ||
        crafty_save_durable_tick(host->save) < host->save_began_tick)
        return;
    crafty_histogram_add(&metrics->save, cn_clock_ns() - host->save_began_ns);
    atomic_fetch_add(&metrics->saves, 1);
    atomic_store(&metrics->saved_at, now_seconds());
    host->save_began_ns = 0;
}

static bool begin_or_continue(CraftyWorldHost *host, CnError *error)
{
    CraftyWorld *world = crafty_session_world(host->session);
    CnSim *sim = crafty_session_sim(host->session);
    uint64_t pause_ns = host->settings.autosave * UINT64_C(1000000000), now = cn_clock_ns();
    bool is_due = !crafty_save_is_building(host->save) && host->save_began_ns == 0 &&
                  now - host->last_save_ns >= pause_ns;
    if (!is_due)
        return crafty_save_continue(host->save, world, error);
    host->save_began_ns = host->last_save_ns = now;
    host->save_began_tick = cn_sim_tick(sim);
    return crafty_save_begin(host->save, world, sim, error);
}

/* A failed save is reported once; the next one contains everything. */
static void save_if_due(CraftyWorldHost *host)
{
    CnError error = {0};
    CnStoreStatus status = {0};
    bool done = begin_or_continue(host, &error);
    if (!done)
        host->save_began_ns = 0;
    note_saved(host);
    if (done) {
        cn_store_status(crafty_save_store(host->save), &status);
        done = status.state == CN_STORE_OK;
        error = status.error;
    }
    if (!done && !host->save_failed) {
        atomic_fetch_add(&host->desc.metrics->saves_failed, 1);
        log_error(host, "save_failed", &error);
        if (host->network && host->desc.network->say)
            host->desc.network->say(host->network, "The server cannot save at the moment.");
    } else if (done && host->save_failed) {
        CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "save_works_again",
                     CRAFTY_FIELD("world", host->world->name));
    }
    host->save_failed = !done;
}

/* Waits until everything submitted is durable; shorter once the server hurries. */
static bool flush(CraftyWorldHost *host, CnError *error)
{
    uint64_t begin_ns = cn_clock_ns();
    for (;;) {
        uint64_t limit_ms = atomic_load(&host->hurries) ? HURRY_MS : FLUSH_MS;
        if (crafty_save_flush(host->save, FLUSH_STEP_MS, error))
            return true;
        if (cn_clock_ns() - begin_ns > limit_ms * 1000000)
            return false;
        cn_error_clear(error);
    }
}

static bool save_now(CraftyWorldHost *host, CnError *error)
{
    host->save_began_ns = cn_clock_ns();
    host->save_began_tick = cn_sim_tick(crafty_session_sim(host->session));
    bool done = crafty_save_write(host->save, crafty_session_world(host->session),
                                  crafty_session_sim(host->session), error) &&
                flush(host, error);
    if (done)
        note_saved(host);
    else
        atomic_fetch_add(&host->desc.metrics->saves_failed, 1);
    host->save_began_ns = 0;
    return done;
}

/* ---- Requests ---- */

static void append_players(CraftyWorldHost *host, CnTextBuilder *reply)
{
    const CraftyServerNetwork *network = host->desc.network;
    size_t bytes = CRAFTY_LISTED_PLAYERS * sizeof(CraftyServerPlayer);
    CraftyServerPlayer *players = cn_alloc(NULL, bytes);
    uint32_t count = players && host->network && network->players
                         ? network->players(host->network, players, CRAFTY_LISTED_PLAYERS)
                         : 0;
    char id[CRAFTY_ACCOUNT_ID_TEXT_BYTES];
    for (uint32_t i = 0; i < count && i < CRAFTY_LISTED_PLAYERS; i++)
        cn_text_append_format(reply, "%s  %s  %s  %s  %u ms  %s\n", players[i].name,
                              crafty_role_name(players[i].role), host->world->name,
                              players[i].address, players[i].ping_ms,
                              crafty_account_id_text(&players[i].id, id));
    cn_free(NULL, players, bytes);
}

static bool kick(CraftyWorldHost *host, const CraftyWorldRequest *request)
{
    const CraftyServerNetwork *network = host->desc.network;
    if (!host->network)
        return false;
    if (request->has_ban)
        return network->kick_banned &&
               network->kick_banned(host->network, &request->ban, request->text) > 0;
    return network->kick && network->kick(host->network, &request->id, request->text);
}

static void change_settings(CraftyWorldHost *host, const CraftyServerSettings *settings)
{
    host->settings = *settings;
    host->world = &host->settings.worlds[host->desc.index];
    if (host->network && host->desc.network->reload)
        host->desc.network->reload(host->network);
}

/* What was said, and notices of the game. */
static void log_lines(CraftyWorldHost *host)
{
    CnTextBuilder lines;
    cn_array_init(&lines, cn_system_allocator());
    crafty_server_console_drain(&host->console, &lines);
    CnText rest = {lines.items, lines.count}, line;
    while (cn_text_split(&rest, '\n', &line)) {
        char text[CRAFTY_CONSOLE_LINE_BYTES];
        cn_copy_text(text, sizeof text, line);
        CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "chat", CRAFTY_FIELD("world", host->world->name),
                     CRAFTY_FIELD("line", text));
    }
    cn_array_fini(&lines);
}

/* Lines are sent to the next tick, and answered after it. Returns whether the call is done. */
static bool carry_out_line(CraftyWorldHost *host, Call *call)
{
    uint64_t tick = cn_sim_tick(crafty_session_sim(host->session));
    if (call->answer_at == 0) {
        log_lines(host);
        call->answer_at = tick + 1;
        size_t size = strlen(call->request.text);
        call->succeeded =
            crafty_server_console_feed(&host->console, call->request.text, (uint32_t)size) == 0 &&
            crafty_server_console_feed(&host->console, "\n", 1) == 0;
        if (!call->succeeded)
            cn_text_append_format(&call->reply, "a line has at most %u bytes of plain text\n",
                                  CRAFTY_COMMAND_TEXT_BYTES - 1);
        return !call->succeeded;
    }
    if (tick < call->answer_at)
        return false;
    crafty_server_console_drain(&host->console, &call->reply);
    return true;
}

static bool carry_out(CraftyWorldHost *host, Call *call)
{
    const CraftyServerNetwork *network = host->desc.network;
    const CraftyWorldRequest *request = &call->request;
    CnError error = {0};
    call->succeeded = true;
    switch (request->kind) {
    case CRAFTY_WORLD_LINE:
        return carry_out_line(host, call);
    case CRAFTY_WORLD_SAVE:
        call->succeeded = save_now(host, &error);
        if (!call->succeeded)
            cn_text_append_format(&call->reply, "%s\n", error.message);
        return true;
    case CRAFTY_WORLD_LIST:
        append_players(host, &call->reply);
        return true;
    case CRAFTY_WORLD_KICK:
        call->succeeded = kick(host, request);
        return true;
    case CRAFTY_WORLD_REPLY:
        if (host->network && network->reply)
            network->reply(host->network, &request->id, request->text);
        return true;
    default:
        change_settings(host, call->settings);
        return true;
    }
}

static void free_call(Call *call)
{
    cn_array_fini(&call->reply);
    cn_free(NULL, call->settings, sizeof *call->settings);
    cn_free(NULL, call, sizeof *call);
}

/* With the mutex held. */
static void finish_first(CraftyWorldHost *host)
{
    Call *call = host->calls;
    host->calls = call->next;
    if (call->is_abandoned)
        free_call(call);
    else
        call->is_done = true;
    pthread_cond_broadcast(&host->changed);
}

/* Carries out requests in order, until one has to wait for a tick. */
static void answer_calls(CraftyWorldHost *host)
{
    pthread_mutex_lock(&host->mutex);
    for (Call *call; (call = host->calls);) {
        pthread_mutex_unlock(&host->mutex);
        bool is_done = carry_out(host, call);
        pthread_mutex_lock(&host->mutex);
        if (!is_done)
            break;
        finish_first(host);
    }
    pthread_mutex_unlock(&host->mutex);
}

static void refuse_calls(CraftyWorldHost *host)
{
    pthread_mutex_lock(&host->mutex);
    while (host->calls) {
        host->calls->succeeded = false;
        cn_text_append_format(&host->calls->reply, "the world %s is closed\n", host->world->name);
        finish_first(host);
    }
    pthread_mutex_unlock(&host->mutex);
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
        save_if_due(host);
        uint64_t end_ns = cn_clock_ns();
        crafty_histogram_add(&metrics->tick, end_ns - begin_ns);
        atomic_store(&host->ticked_ns, end_ns);
        answer_calls(host);
        log_lines(host);
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
    host->is_saved = save_now(host, &error);
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
    bool done = atomic_load(&host->end) >= 0 || open_world(host, error);
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
    refuse_calls(host);
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
    refuse_calls(host);
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

/* Appends the call and waits for it, with the mutex held. Returns whether it is done. */
static bool wait_for(CraftyWorldHost *host, Call *call)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += CALL_SECONDS;
    Call **last = &host->calls;
    while (*last)
        last = &(*last)->next;
    *last = call;
    while (!call->is_done)
        if (pthread_cond_timedwait(&host->changed, &host->mutex, &until) == ETIMEDOUT)
            break;
    call->is_abandoned = !call->is_done;
    return call->is_done;
}

static Call *make_call(const CraftyWorldRequest *request)
{
    Call *call = cn_alloc_zeroed(NULL, sizeof *call);
    if (!call)
        return NULL;
    call->request = *request;
    cn_array_init(&call->reply, cn_system_allocator());
    if (!request->settings)
        return call;
    call->settings = cn_alloc(NULL, sizeof *call->settings);
    if (call->settings) {
        *call->settings = *request->settings;
        return call;
    }
    free_call(call);
    return NULL;
}

bool crafty_world_host_call(CraftyWorldHost *host, const CraftyWorldRequest *request,
                            CnTextBuilder *reply)
{
    Call *call = make_call(request);
    if (!call)
        return false;
    pthread_mutex_lock(&host->mutex);
    bool runs = crafty_world_host_state(host) == CRAFTY_WORLD_RUNS;
    bool is_done = runs && wait_for(host, call), is_abandoned = call->is_abandoned;
    pthread_mutex_unlock(&host->mutex);
    if (!is_done)
        cn_text_append_format(reply, "the world %s %s\n", crafty_world_host_name(host),
                              runs ? "does not answer" : "does not run");
    if (is_abandoned)
        return false; /* freed by the thread of the world */
    bool succeeded = is_done && call->succeeded;
    cn_text_append(reply, (CnText){call->reply.items, call->reply.count});
    free_call(call);
    return succeeded;
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
