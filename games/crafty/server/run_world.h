/*
 * Runs a number of ticks of a world that is kept in a file, as fast as possible: saves it every few
 * seconds, and at the end, also when a signal (SIGTERM, SIGINT, SIGHUP) ends the program. Servers
 * in real time are in server.h.
 */
#ifndef CRAFTY_SERVER_RUN_WORLD_H
#define CRAFTY_SERVER_RUN_WORLD_H

#include "options.h"
#include "crafty/replay/session.h"

/* Opens or creates the world of the options and runs it. `done` is called with the session before
 * it is closed, after everything is saved; its result is returned. Returns 1 after printing an
 * error. */
int crafty_run_world(const CraftyServerOptions *options, int (*done)(CraftySession *session));

#endif
