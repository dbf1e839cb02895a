#include "postgres_server.h"

#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/clock.h>
#include <cairn/base/text.h>

#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { START_MS = 60000, POLL_MS = 10, PATH_BYTES = 512 };

typedef struct Server {
    Scratch scratch;
    char programs[PATH_BYTES]; /* the folder of initdb and postgres */
    int commands, answers;     /* pipes to and from the watching process */
    pid_t watcher;
} Server;

static Server server;

/* ---- The watching process ---- */

static bool become_unprivileged(const struct passwd *user)
{
    if (geteuid() != 0)
        return true;
    return user && setgroups(0, NULL) == 0 && setgid(user->pw_gid) == 0 &&
           setuid(user->pw_uid) == 0;
}

static const struct passwd *find_user(void)
{
    const struct passwd *user = getpwnam("postgres");
    return user ? user : getpwnam("nobody");
}

/* Starts a program as the unprivileged user. Its output goes to the file `log`. */
static pid_t launch(char *const *arguments, const struct passwd *user)
{
    pid_t parent = getpid(), child = fork();
    if (child)
        return child;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    if (!become_unprivileged(user) || chdir(server.scratch.folder))
        _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (getppid() != parent)
        _exit(126);
    int log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (int i = 3; i < 64; i++)
        close(i);
    execv(arguments[0], arguments);
    _exit(127);
}

static bool initialise(const struct passwd *user)
{
    char program[PATH_BYTES + 16];
    cn_format(program, sizeof program, "%s/initdb", server.programs);
    char *arguments[] = {program, "-D",          "data",   "-A",        "trust", "-U",
                         "cairn", "--no-locale", "-EUTF8", "--no-sync", NULL};
    pid_t child = launch(arguments, user);
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static pid_t launch_server(const struct passwd *user)
{
    char program[PATH_BYTES + 16], sockets[PATH_BYTES];
    cn_format(program, sizeof program, "%s/postgres", server.programs);
    cn_format(sockets, sizeof sockets, "unix_socket_directories=%s", server.scratch.folder);
    char *arguments[] = {program,
                         "-D",
                         "data",
                         "-c",
                         sockets,
                         "-c",
                         "listen_addresses=",
                         "-c",
                         "fsync=on",
                         "-c",
                         "shared_buffers=16MB",
                         "-c",
                         "max_connections=20",
                         "-c",
                         "restart_after_crash=on",
                         NULL};
    return launch(arguments, user);
}

/* The server's file says that it accepts connections, and is not that of an earlier one. */
static bool is_ready(pid_t process)
{
    char path[PATH_BYTES], line[PATH_BYTES] = "";
    cn_format(path, sizeof path, "%s/data/postmaster.pid", server.scratch.folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool is_own = fgets(line, sizeof line, file) && atol(line) == (long)process;
    for (int i = 2; is_own && i <= 8; i++)
        is_own = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    return is_own && strncmp(line, "ready", 5) == 0;
}

/* The first attempts after SIGKILL fail until the processes of the old server have ended. */
static pid_t run_until_ready(const struct passwd *user)
{
    uint64_t deadline_ns = cn_clock_ns() + (uint64_t)START_MS * 1000000u;
    pid_t process = 0;
    while (cn_clock_ns() < deadline_ns) {
        if (!process && (process = launch_server(user)) < 0)
            return 0;
        if (is_ready(process))
            return process;
        if (waitpid(process, NULL, WNOHANG) == process)
            process = 0;
        cn_clock_sleep_ns((uint64_t)POLL_MS * 1000000u);
    }
    return 0;
}

static void end_server(pid_t *process, int signal)
{
    if (!*process)
        return;
    kill(*process, signal);
    waitpid(*process, NULL, 0);
    *process = 0;
}

static void watch(int commands, int answers)
{
    const struct passwd *user = geteuid() == 0 ? find_user() : NULL;
    pid_t process = 0;
    uint8_t command;
    if (user && chown(server.scratch.folder, user->pw_uid, user->pw_gid))
        _exit(1);
    bool is_initialised = initialise(user);
    while (read(commands, &command, 1) == 1) {
        if (command)
            end_server(&process, command);
        else if (is_initialised)
            process = run_until_ready(user);
        uint8_t answer = command || process;
        if (write(answers, &answer, 1) != 1)
            break;
    }
    end_server(&process, SIGQUIT);
    scratch_fini(&server.scratch);
    _exit(0);
}

/* ---- For tests ---- */

static bool find_programs(void)
{
    glob_t found;
    bool exists = glob("/usr/lib/postgresql/*/bin/postgres", 0, NULL, &found) == 0;
    if (exists) {
        const char *last = found.gl_pathv[found.gl_pathc - 1];
        cn_copy_text(server.programs, sizeof server.programs,
                     (CnText){last, strlen(last) - strlen("/postgres")});
    }
    globfree(&found);
    return exists;
}

static void command(uint8_t number)
{
    uint8_t answer = 0;
    if (write(server.commands, &number, 1) != 1 || read(server.answers, &answer, 1) != 1 || !answer)
        fail_msg("the PostgreSQL server cannot be started: see %s/log", server.scratch.folder);
}

bool postgres_server_start(void)
{
    int commands[2], answers[2];
    if (server.watcher)
        return true;
    if (!find_programs())
        return false;
    scratch_init(&server.scratch);
    assert_int_equal(pipe2(commands, O_CLOEXEC), 0);
    assert_int_equal(pipe2(answers, O_CLOEXEC), 0);
    fflush(NULL);
    server.watcher = fork();
    assert_true(server.watcher >= 0);
    if (!server.watcher) {
        setpgid(0, 0); /* signals for the test's group are not for the server */
        close(commands[1]);
        close(answers[0]);
        watch(commands[0], answers[1]);
    }
    close(commands[0]);
    close(answers[1]);
    server.commands = commands[1];
    server.answers = answers[0];
    postgres_server_run();
    return true;
}

void postgres_server_run(void)
{
    command(0);
}

void postgres_server_kill(int signal)
{
    command((uint8_t)signal);
}

void postgres_server_stop(void)
{
    if (!server.watcher)
        return;
    close(server.commands);
    close(server.answers);
    waitpid(server.watcher, NULL, 0);
    server = (Server){0};
}

const char *postgres_server_folder(void)
{
    return server.scratch.folder;
}

void postgres_server_uri(const char *schema, char *uri, size_t uri_bytes)
{
    assert_true(cn_format(uri, uri_bytes, "postgresql://cairn@/postgres?host=%s&schema=%s",
                          server.scratch.folder, schema));
}

/* ---- SQL ---- */

static PGresult *execute(const char *schema, const char *sql)
{
    char uri[PATH_BYTES], options[PATH_BYTES];
    cn_format(options, sizeof options, "-csearch_path=%s\\ -cclient_min_messages=error", schema);
    cn_format(uri, sizeof uri, "host=%s dbname=postgres user=cairn options=%s",
              server.scratch.folder, options);
    PGconn *session = PQconnectdb(uri);
    PGresult *result = PQexec(session, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s", PQerrorMessage(session));
    PQfinish(session);
    return result;
}

void postgres_server_sql(const char *schema, const char *sql)
{
    PQclear(execute(schema, sql));
}

long long postgres_server_number(const char *schema, const char *sql)
{
    PGresult *result = execute(schema, sql);
    long long number = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    return number;
}
