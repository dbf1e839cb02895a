/*
 * Signals of a server that runs. They are counted, and wake the thread that waits for a file.
 *
 *     crafty_server_signals_begin(wake);            // an eventfd
 *     CraftyServerSignals signals = crafty_server_signals_take();
 */
#ifndef CRAFTY_SERVER_SERVER_SIGNALS_H
#define CRAFTY_SERVER_SERVER_SIGNALS_H

#include <stdint.h>

/* How often each came since the last call. */
typedef struct CraftyServerSignals {
    uint32_t ends;     /* SIGTERM, SIGINT */
    uint32_t reloads;  /* SIGHUP, unless it was ignored at the start (nohup) */
    uint32_t restarts; /* SIGUSR1 */
} CraftyServerSignals;

void crafty_server_signals_begin(int wake);
CraftyServerSignals crafty_server_signals_take(void);
/* Holds signals back until the next crafty_server_signals_begin, also that of a program that this
 * one executes: none of them ends it before it has handlers. */
void crafty_server_signals_hold(void);

#endif
