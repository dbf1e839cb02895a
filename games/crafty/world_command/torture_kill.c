/* A child process that plays and saves is killed at any moment. */
#include "torture.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SESSIONS 3u
#define MAX_KILL_MS 300u
#define START_MS 60000u /* for the first save of a child */

/* What the child tells its parent, in one write each. */
typedef struct Message {
    bool is_durable;    /* else a save begins */
    uint32_t number;    /* of the save, from 1 */
    TortureState state; /* of the save */
} Message;

static bool tell(int pipe, Message message)
{
    return write(pipe, &message, sizeof message) == sizeof message;
}

/* Plays until it is killed; 0: all saves were made. */
static int play(const char *path, uint64_t seed, int pipe)
{
    TortureGame game;
    CnRandom random = cn_random_make(seed, "torture");
    CnError error = {0};
    if (!torture_game_open(&game, path, NULL, &error) ||
        !tell(pipe, (Message){.state = torture_game_state(&game)}))
        return 1;
    uint32_t durable = 0;
    for (uint32_t number = 1; number <= TORTURE_MAX_SAVES; number++) {
        if (!torture_game_play(&game, &random, &error) ||
            !tell(pipe, (Message){.number = number, .state = torture_game_state(&game)}) ||
            !torture_game_save(&game, &error))
            return 1;
        if (cn_random_bool(&random, 0.5))
            crafty_save_flush(game.save, START_MS, &error);
        while (durable < cn_store_durable(crafty_save_store(game.save)))
            if (!tell(pipe, (Message){.is_durable = true, .number = ++durable}))
                return 1;
    }
    torture_game_close(&game);
    return 0;
}

/* Reads one message. Returns false at the end, or when `until_ns` has passed. */
static bool receive(int pipe, uint64_t until_ns, TortureSaves *saves)
{
    Message message;
    struct pollfd waiting = {.fd = pipe, .events = POLLIN};
    uint64_t now = cn_clock_ns();
    int left_ms = until_ns > now ? (int)((until_ns - now) / 1000000u) : 0;
    if (poll(&waiting, 1, left_ms) <= 0 || read(pipe, &message, sizeof message) != sizeof message ||
        message.number > TORTURE_MAX_SAVES)
        return false;
    if (message.is_durable)
        saves->durable = message.number;
    else {
        saves->states[message.number] = message.state;
        saves->count = message.number;
    }
    return true;
}

static bool watch(pid_t child, int pipe, CnRandom *random, TortureSaves *saves, CnError *error)
{
    uint64_t start = cn_clock_ns(), until = start + START_MS * 1000000ull;
    bool has_started = receive(pipe, until, saves); /* the state at the start */
    until = cn_clock_ns() + (1 + cn_random_below(random, MAX_KILL_MS)) * 1000000ull;
    while (has_started && cn_clock_ns() < until && receive(pipe, until, saves))
        continue;
    kill(child, SIGKILL);
    while (has_started && receive(pipe, 0, saves)) /* what was told before the end */
        continue;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return cn_error_set(error, CN_ERROR_IO, "the game could not be played or saved");
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        return cn_error_set(error, CN_ERROR_IO, "the game crashed (signal %d)", WTERMSIG(status));
    return has_started || cn_error_set(error, CN_ERROR_IO, "the game did not start");
}

static bool run_session(const char *path, CnRandom *random, TortureSaves *saves, CnError *error)
{
    int ends[2];
    if (pipe(ends))
        return cn_file_set_errno(error, "create a pipe for", path, errno);
    uint64_t seed = cn_random_u64(random);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(play(path, seed, ends[1]));
    }
    close(ends[1]);
    bool done = child > 0 ? watch(child, ends[0], random, saves, error)
                          : cn_file_set_errno(error, "start a process for", path, errno);
    close(ends[0]);
    return done;
}

bool torture_kill(TortureRound *round, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    CnRandom random = cn_random_make(round->seed, "torture");
    TortureSaves saves;
    if (!cn_format(path, sizeof path, "%s/kill.crafty", round->folder))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", path, "the path is too long");
    for (uint32_t i = 0; i < SESSIONS; i++) {
        saves = (TortureSaves){.was_new = i == 0};
        if (!run_session(path, &random, &saves, error))
            return false;
        round->saves += saves.count;
        /* The second session begins with a new world if the first one saved nothing. */
        TortureSaves expected = saves;
        expected.was_new |= saves.states[0].tick == 0;
        if (!torture_check_saves(&expected, path, NULL, error))
            return false;
    }
    return true;
}
