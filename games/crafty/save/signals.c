#include "signals.h"

#include <cairn/base/api.h>

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

static volatile sig_atomic_t received;

static void note(int number)
{
    received = number;
}

void crafty_signals_catch(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++) {
        struct sigaction action = {.sa_handler = note}, before;
        sigemptyset(&action.sa_mask);
        bool is_ignored = !sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_IGN;
        if (numbers[i] != SIGHUP || !is_ignored)
            sigaction(numbers[i], &action, NULL);
    }
}

int crafty_signal_received(void)
{
    return received;
}
