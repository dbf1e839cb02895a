#include "server_signals.h"

#include <cairn/base/api.h>

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

/* Signal handlers have no other way to pass data on. */
static atomic_uint ends, reloads, restarts;
static atomic_int wake_file = -1;

static void note(int number)
{
    int before = errno;
    atomic_fetch_add(number == SIGHUP ? &reloads : number == SIGUSR1 ? &restarts : &ends, 1);
    ssize_t written = write(atomic_load(&wake_file), &(uint64_t){1}, sizeof(uint64_t));
    (void)written; /* full: it wakes anyway */
    errno = before;
}

static void all_of(sigset_t *set)
{
    sigemptyset(set);
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++)
        sigaddset(set, numbers[i]);
}

void crafty_server_signals_begin(int wake)
{
    sigset_t set;
    atomic_store(&wake_file, wake);
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++) {
        struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}, before;
        sigemptyset(&action.sa_mask);
        bool is_ignored = !sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_IGN;
        if (numbers[i] != SIGHUP || !is_ignored)
            sigaction(numbers[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    all_of(&set);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

CraftyServerSignals crafty_server_signals_take(void)
{
    return (CraftyServerSignals){.ends = atomic_exchange(&ends, 0),
                                 .reloads = atomic_exchange(&reloads, 0),
                                 .restarts = atomic_exchange(&restarts, 0)};
}

void crafty_server_signals_hold(void)
{
    sigset_t set;
    all_of(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}
