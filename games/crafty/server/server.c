#include "server.h"

#include "commands.h"
#include "event_log.h"
#include "line_input.h"
#include "server_internal.h"
#include "server_settings.h"
#include "server_signals.h"
#include "service.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/file.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 250
#define ACCOUNTS_SECONDS 10
#define FIRST_FILE 3 /* after the standard ones */

/* ---- Reload ---- */

typedef struct Changes {
    CnTextBuilder *reply;
    uint32_t live, later;
} Changes;

static void note_change(const char *name, bool is_live, void *user)
{
    Changes *changes = user;
    *(is_live ? &changes->live : &changes->later) += 1;
    CRAFTY_EVENT(is_live ? CN_LOG_LEVEL_INFO : CN_LOG_LEVEL_WARNING,
                 is_live ? "setting_changed" : "setting_needs_restart",
                 CRAFTY_FIELD("setting", name));
    if (!is_live)
        cn_text_append_format(changes->reply, "%s changes at the next start\n", name);
}

static bool refuse_reload(CraftyServer *server, const CraftySettingsProblems *problems,
                          CnTextBuilder *reply)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    atomic_fetch_add(&server->metrics.reloads_failed, 1);
    for (uint32_t i = 0; i < problems->count && i < CRAFTY_SETTINGS_PROBLEMS; i++) {
        cn_error_text(&problems->items[i], text, sizeof text);
        CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "reload_failed", CRAFTY_FIELD("reason", text));
        cn_text_append_format(reply, "%s\n", text);
    }
    cn_text_append_format(reply, "nothing was changed\n");
    return false;
}

bool crafty_server_reload(CraftyServer *server, CnTextBuilder *reply)
{
    CraftyServerSettings fresh;
    CraftySettingsProblems problems;
    Changes changes = {.reply = reply};
    CnError error = {0};
    crafty_service_notify("RELOADING=1");
    bool is_valid = crafty_server_settings_load(&fresh, server->options, &problems);
    if (!is_valid) {
        crafty_service_notify("READY=1");
        return refuse_reload(server, &problems, reply);
    }
    crafty_settings_apply(&server->settings, &fresh, note_change, &changes);
    if (!crafty_server_open_log(&server->settings, &error))
        CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "log_not_opened", CRAFTY_FIELD("reason", error.message));
    atomic_store(&server->has_remote_console, server->settings.remote_console);
    crafty_backups_set(server->backups, &server->settings);
    CraftyWorldRequest request = {.kind = CRAFTY_WORLD_SETTINGS, .settings = &server->settings};
    for (uint32_t i = 0; i < server->host_count; i++)
        if (crafty_world_host_state(server->hosts[i]) == CRAFTY_WORLD_RUNS)
            crafty_world_host_call(server->hosts[i], &request, reply);
    atomic_fetch_add(&server->metrics.reloads, 1);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "reloaded", CRAFTY_NUMBER("changed", changes.live),
                 CRAFTY_NUMBER("at_next_start", changes.later));
    cn_text_append_format(reply, "%u settings changed, %u at the next start\n", changes.live,
                          changes.later);
    crafty_service_notify("READY=1");
    return true;
}

/* ---- Consoles ---- */

static void wake(void *user)
{
    CraftyServer *server = user;
    ssize_t written = write(server->wake, &(uint64_t){1}, sizeof(uint64_t));
    (void)written; /* full: it wakes anyway */
}

/* On the thread of a world. */
static bool submit_line(void *user, const CraftyRemoteLine *line)
{
    CraftyServer *server = user;
    if (!atomic_load(&server->has_remote_console))
        return false;
    pthread_mutex_lock(&server->remote_mutex);
    bool fits = server->remote_count < CRAFTY_REMOTE_LINES;
    if (fits)
        server->remote[(server->remote_first + server->remote_count++) % CRAFTY_REMOTE_LINES] =
            *line;
    pthread_mutex_unlock(&server->remote_mutex);
    wake(server);
    return fits;
}

static bool take_remote_line(CraftyServer *server, CraftyRemoteLine *line)
{
    pthread_mutex_lock(&server->remote_mutex);
    bool has_line = server->remote_count > 0;
    if (has_line) {
        *line = server->remote[server->remote_first];
        server->remote_first = (server->remote_first + 1) % CRAFTY_REMOTE_LINES;
        server->remote_count--;
    }
    pthread_mutex_unlock(&server->remote_mutex);
    return has_line;
}

static void run_remote_lines(CraftyServer *server)
{
    CraftyRemoteLine line;
    while (!server->is_ending && take_remote_line(server, &line)) {
        CnTextBuilder reply, ignored;
        CraftyCommandSender sender = {.name = line.name, .role = line.role};
        CraftyWorldRequest request = {.kind = CRAFTY_WORLD_REPLY, .id = line.id};
        cn_array_init(&reply, cn_system_allocator());
        cn_array_init(&ignored, cn_system_allocator());
        crafty_server_command(server, &sender, line.text, &reply);
        CnText rest = {reply.items, reply.count}, part;
        while (cn_text_split(&rest, '\n', &part)) { /* a request for each line */
            cn_copy_text(request.text, sizeof request.text, part);
            if (request.text[0])
                crafty_world_host_call(server->hosts[line.world], &request, &ignored);
        }
        cn_array_fini(&reply);
        cn_array_fini(&ignored);
    }
}

static void print_reply(const CnTextBuilder *reply)
{
    CnText rest = {reply->items, reply->count}, line;
    while (cn_text_split(&rest, '\n', &line))
        if (line.size > 0)
            cn_print_error("%.*s", (int)line.size, line.data);
}

static void run_local_lines(CraftyServer *server, CraftyLineInput *input)
{
    static const CraftyCommandSender console = {.name = "console", .role = CRAFTY_ROLE_OPERATOR};
    char line[CRAFTY_CONSOLE_LINE_BYTES];
    while (!server->is_ending && crafty_line_input_next(input, line)) {
        CnTextBuilder reply;
        cn_array_init(&reply, cn_system_allocator());
        crafty_server_command(server, &console, line, &reply);
        print_reply(&reply);
        cn_array_fini(&reply);
    }
    if (input->dropped > 0)
        cn_print_error("a line has at most %u bytes of UTF-8", CRAFTY_CONSOLE_LINE_BYTES - 1);
    input->dropped = 0;
}

/* ---- Running ---- */

static bool has_ended(const CraftyServer *server)
{
    for (uint32_t i = 0; i < server->host_count; i++)
        if (crafty_world_host_state(server->hosts[i]) < CRAFTY_WORLD_CLOSED)
            return false;
    return true;
}

static bool is_healthy(void *user)
{
    const CraftyServer *server = user;
    for (uint32_t i = 0; i < server->host_count; i++)
        if (!crafty_world_host_is_healthy(server->hosts[i]))
            return false;
    return true;
}

/* A world that has failed is no reason to restart the others, one that hangs is. */
static bool hangs(const CraftyServer *server)
{
    for (uint32_t i = 0; i < server->host_count; i++)
        if (crafty_world_host_state(server->hosts[i]) != CRAFTY_WORLD_FAILED &&
            !crafty_world_host_is_healthy(server->hosts[i]))
            return true;
    return false;
}

static void end_worlds(CraftyServer *server)
{
    static const char *const names[] = {"stop", "restart", "failure"};
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "ending", CRAFTY_FIELD("reason", names[server->end]));
    crafty_service_notify(server->end == CRAFTY_SERVER_RESTARTS ? "RELOADING=1" : "STOPPING=1");
    for (uint32_t i = 0; i < server->host_count; i++)
        crafty_world_host_stop(server->hosts[i], server->end);
}

static void take_signals(CraftyServer *server)
{
    CraftyServerSignals signals = crafty_server_signals_take();
    bool was_ending = server->is_ending;
    CnTextBuilder reply;
    if (signals.reloads > 0 && !was_ending) {
        cn_array_init(&reply, cn_system_allocator());
        crafty_server_reload(server, &reply);
        cn_array_fini(&reply);
    }
    if (signals.restarts > 0 && !was_ending) {
        server->is_ending = true;
        server->end = CRAFTY_SERVER_RESTARTS;
    }
    if (signals.ends > 0) {
        server->is_ending = true;
        server->end = CRAFTY_SERVER_STOPS;
    }
    if (signals.ends > 1 || (signals.ends > 0 && was_ending))
        for (uint32_t i = 0; i < server->host_count; i++)
            crafty_world_host_hurry(server->hosts[i]);
}

static void wait_for_work(CraftyServer *server, CraftyLineInput *input)
{
    bool reads = server->settings.console && !server->is_ending &&
                 crafty_line_input_may_read(input, STDIN_FILENO);
    struct pollfd polled[] = {{.fd = server->wake, .events = POLLIN},
                              {.fd = reads ? STDIN_FILENO : -1, .events = POLLIN}};
    uint64_t count;
    poll(polled, CN_COUNT_OF(polled), WAIT_MS);
    if (polled[0].revents && read(server->wake, &count, sizeof count) < 0 && errno != EAGAIN)
        return;
    if (polled[1].revents && crafty_line_input_read(input, STDIN_FILENO))
        run_local_lines(server, input);
}

static void save_accounts(CraftyServer *server, uint64_t *saved_ns, bool *failed)
{
    CnError error = {0};
    uint64_t now = cn_clock_ns();
    if (now - *saved_ns < ACCOUNTS_SECONDS * UINT64_C(1000000000))
        return;
    *saved_ns = now;
    bool done = crafty_accounts_save(server->accounts, &error);
    if (!done && !*failed)
        CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "accounts_not_saved",
                     CRAFTY_FIELD("reason", error.message));
    *failed = !done;
}

static void ping_watchdog(const CraftyServer *server)
{
    if (crafty_service_watchdog_us() > 0 && !hangs(server))
        crafty_service_notify("WATCHDOG=1");
}

static bool is_opening(const CraftyServer *server)
{
    for (uint32_t i = 0; i < server->host_count; i++)
        if (crafty_world_host_state(server->hosts[i]) == CRAFTY_WORLD_OPENING)
            return true;
    return false;
}

/* Until all worlds run, have failed or were stopped. */
static void wait_until_opened(CraftyServer *server)
{
    while (is_opening(server)) {
        CraftyLineInput none = {.is_over = true};
        wait_for_work(server, &none);
        CraftyServerSignals signals = crafty_server_signals_take();
        if (signals.ends > 0) {
            server->is_ending = true;
            for (uint32_t i = 0; i < server->host_count; i++)
                crafty_world_host_stop(server->hosts[i], CRAFTY_SERVER_STOPS);
        }
        ping_watchdog(server);
    }
}

/* Until all worlds have ended. */
static void run(CraftyServer *server)
{
    CraftyLineInput input = {0};
    uint64_t saved_ns = cn_clock_ns();
    bool told = false, accounts_failed = false;
    while (!has_ended(server)) {
        wait_for_work(server, &input);
        take_signals(server);
        run_remote_lines(server);
        save_accounts(server, &saved_ns, &accounts_failed);
        if (server->is_ending && !told)
            end_worlds(server);
        told = server->is_ending;
        ping_watchdog(server);
    }
}

/* ---- Start and end ---- */

static bool start_worlds(CraftyServer *server, const CraftyServerPaths *paths,
                         const CraftyServerNetwork *network, int (*done)(CraftySession *session),
                         CnError *error)
{
    const CraftyServerOptions *options = server->options;
    char path[CN_STORE_PATH_BYTES];
    server->metrics.world_count = server->settings.world_count;
    for (uint32_t i = 0; i < server->settings.world_count; i++) {
        CraftyWorldMetrics *metrics = &server->metrics.worlds[i];
        cn_copy_text(metrics->name, sizeof metrics->name, cn_text(server->settings.worlds[i].name));
        if (!crafty_server_world_path(paths, &server->settings.worlds[i], path, error))
            return false;
        server->hosts[i] =
            crafty_world_host_create(&(CraftyWorldHostDesc){.index = i,
                                                            .settings = &server->settings,
                                                            .path = path,
                                                            .key_path = paths->key,
                                                            .record = i ? NULL : options->record,
                                                            .no_mods = options->no_mods,
                                                            .continues = options->continues,
                                                            .accounts = server->accounts,
                                                            .metrics = metrics,
                                                            .network = network,
                                                            .submit_line = submit_line,
                                                            .state_changed = wake,
                                                            .done = done,
                                                            .server = server},
                                     error);
        if (!server->hosts[i])
            return false;
        server->host_count++;
    }
    wait_until_opened(server);
    return true;
}

static bool start_services(CraftyServer *server, const CraftyServerPaths *paths, CnError *error)
{
    const CraftyServerSettings *settings = &server->settings;
    server->backups = crafty_backups_create(&(CraftyBackupsDesc){.settings = settings,
                                                                 .worlds_folder = paths->worlds,
                                                                 .hosts = server->hosts,
                                                                 .metrics = server->metrics.worlds,
                                                                 .count = server->host_count},
                                            error);
    if (!server->backups || !settings->metrics)
        return server->backups;
    server->metrics_server =
        crafty_metrics_server_create(&(CraftyMetricsServerDesc){.metrics = &server->metrics,
                                                                .is_healthy = is_healthy,
                                                                .user = server,
                                                                .bind = settings->metrics_bind,
                                                                .port = settings->metrics_port},
                                     error);
    if (server->metrics_server)
        CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "metrics_served",
                     CRAFTY_FIELD("address", settings->metrics_bind),
                     CRAFTY_NUMBER("port", crafty_metrics_server_port(server->metrics_server)));
    return server->metrics_server;
}

static bool open_accounts(CraftyServer *server, const CraftyServerPaths *paths, CnError *error)
{
    if (!cn_file_make_folder_of(cn_native_files(), paths->accounts, error))
        return false;
    server->accounts = crafty_accounts_open(paths->accounts, error);
    return server->accounts;
}

static bool serve(CraftyServer *server, const CraftyServerNetwork *network,
                  int (*done)(CraftySession *session), CnError *error)
{
    CraftyServerPaths paths;
    if (!crafty_server_paths_find(&paths, &server->settings, error) ||
        !open_accounts(server, &paths, error) ||
        !start_worlds(server, &paths, network, done, error) ||
        !start_services(server, &paths, error))
        return false;
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "ready", CRAFTY_FIELD("name", server->settings.name),
                 CRAFTY_NUMBER("worlds", server->host_count));
    crafty_service_notify("READY=1\nSTATUS=The worlds are running.");
    run(server);
    return true;
}

/* Returns whether everything is saved and nothing failed. */
static bool close_all(CraftyServer *server)
{
    CnError error = {0};
    bool is_good = true;
    for (uint32_t i = 0; i < server->host_count; i++)
        crafty_world_host_stop(server->hosts[i], server->end);
    crafty_backups_destroy(server->backups);
    crafty_metrics_server_destroy(server->metrics_server);
    for (uint32_t i = 0; i < server->host_count; i++)
        is_good = crafty_world_host_destroy(server->hosts[i]) && is_good;
    if (!crafty_accounts_close(server->accounts, &error)) {
        CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "accounts_not_saved",
                     CRAFTY_FIELD("reason", error.message));
        is_good = false;
    }
    return is_good;
}

/* Executes the program that now has this name, which may be a newer one. */
static int execute_again(const CraftyServerOptions *options)
{
    crafty_server_signals_hold();
    crafty_event_log_close();
    close_range(FIRST_FILE, ~0u, 0);
    if (strchr(options->arguments[0], '/'))
        execv(options->arguments[0], options->arguments);
    else
        execvp(options->arguments[0], options->arguments);
    cn_print_error("crafty-server: cannot start again: error %d", errno);
    return CRAFTY_EXIT_FAILED;
}

int crafty_server_run(const CraftyServerOptions *options, const CraftyServerNetwork *network,
                      int (*done)(CraftySession *session))
{
    CraftySettingsProblems problems;
    CnError error = {0};
    CraftyServer *server = cn_alloc_zeroed(NULL, sizeof *server);
    if (!server) {
        cn_print_error("crafty-server: out of memory");
        return CRAFTY_EXIT_FAILED;
    }
    server->options = options;
    server->wake = -1;
    pthread_mutex_init(&server->remote_mutex, NULL);
    int status = CRAFTY_EXIT_SETTINGS;
    if (!crafty_server_settings_load(&server->settings, options, &problems)) {
        crafty_server_print_problems(&problems);
        goto end;
    }
    status = CRAFTY_EXIT_FAILED;
    if (!crafty_server_open_log(&server->settings, &error)) {
        cn_print_error("crafty-server: %s", error.message);
        goto end;
    }
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->metrics.started_at = (uint64_t)time(NULL);
    atomic_store(&server->has_remote_console, server->settings.remote_console);
    crafty_server_signals_begin(server->wake);
    bool served = serve(server, network, done, &error);
    if (!served)
        CRAFTY_EVENT(CN_LOG_LEVEL_ERROR, "not_started", CRAFTY_FIELD("reason", error.message));
    bool is_good = close_all(server) && served;
    CRAFTY_EVENT(is_good ? CN_LOG_LEVEL_INFO : CN_LOG_LEVEL_ERROR, "ended",
                 CRAFTY_FIELD("result", is_good ? "everything is saved" : "see above"));
    status = is_good ? CRAFTY_EXIT_DONE : CRAFTY_EXIT_FAILED;
    if (served && server->is_ending && server->end == CRAFTY_SERVER_RESTARTS)
        status = execute_again(options);
    crafty_event_log_close();
end:
    if (server->wake >= 0) {
        crafty_server_signals_begin(-1);
        close(server->wake);
    }
    pthread_mutex_destroy(&server->remote_mutex);
    cn_free(NULL, server, sizeof *server);
    return status;
}

int crafty_server_account_command(const CraftyServerOptions *options, int count, char **words)
{
    static const CraftyCommandSender sender = {.name = "console", .role = CRAFTY_ROLE_OPERATOR};
    CraftyServerSettings settings;
    CraftySettingsProblems problems;
    CraftyServerPaths paths;
    CnError error = {0};
    CnTextBuilder line, reply;
    if (!crafty_server_settings_load(&settings, options, &problems)) {
        crafty_server_print_problems(&problems);
        return CRAFTY_EXIT_SETTINGS;
    }
    CraftyAccounts *accounts =
        crafty_server_paths_find(&paths, &settings, &error) &&
                cn_file_make_folder_of(cn_native_files(), paths.accounts, &error)
            ? crafty_accounts_open(paths.accounts, &error)
            : NULL;
    if (!accounts) {
        cn_print_error("crafty-server: %s", error.message);
        return CRAFTY_EXIT_FAILED;
    }
    cn_array_init(&line, cn_system_allocator());
    cn_array_init(&reply, cn_system_allocator());
    for (int i = 0; i < count; i++)
        cn_text_append_format(&line, "%s%s", i ? " " : "", words[i]);
    const char *text = count > 0 && strcmp(words[0], "list") ? line.items : "accounts";
    bool done = crafty_accounts_command(accounts, &sender, text, NULL, &reply);
    CnText rest = {reply.items, reply.count}, part;
    while (cn_text_split(&rest, '\n', &part))
        if (part.size > 0)
            (done ? cn_print : cn_print_error)("%.*s", (int)part.size, part.data);
    done = crafty_accounts_close(accounts, &error) && done;
    cn_array_fini(&line);
    cn_array_fini(&reply);
    return done ? CRAFTY_EXIT_DONE : CRAFTY_EXIT_FAILED;
}
