/*
 * A server that runs until it is told to end: worlds, console, accounts, backups, metrics.
 *
 *     return crafty_server_run(&options, &network);
 *
 * Signals: SIGTERM and SIGINT save and end, a second one makes that take at most a few seconds;
 * SIGHUP reads the settings again and opens the file of the log again; SIGUSR1 saves and starts the
 * program again, with the same process id and arguments.
 */
#ifndef CRAFTY_SERVER_SERVER_H
#define CRAFTY_SERVER_SERVER_H

#include "network.h"
#include "options.h"

/* Exit statuses. */
#define CRAFTY_EXIT_DONE 0
#define CRAFTY_EXIT_FAILED 1 /* a world failed, or something is not saved; see the log */
#define CRAFTY_EXIT_SETTINGS                                                                       \
    2 /* the command line or the settings are wrong; nothing was started                           \
       */

/* Returns the exit status. `network` NULL: nobody can connect. `done` is called for each world,
 * with the session, after it was saved at the end; may be NULL. */
int crafty_server_run(const CraftyServerOptions *options, const CraftyServerNetwork *network,
                      int (*done)(CraftySession *session));
/* Checks the settings, prints the problems, and returns the exit status. */
int crafty_server_check_settings(const CraftyServerOptions *options);
/* Prints the default settings, or writes them to a file that must not exist. `path` NULL: prints
 * them. Returns the exit status. */
int crafty_server_write_settings(const char *path);
/* `crafty-server account LINE...`: a command about accounts while no server runs. */
int crafty_server_account_command(const CraftyServerOptions *options, int count, char **words);

#endif
