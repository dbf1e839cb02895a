/* Shared by the files of the running server. */
#ifndef CRAFTY_SERVER_SERVER_INTERNAL_H
#define CRAFTY_SERVER_SERVER_INTERNAL_H

#include "backups.h"
#include "metrics_server.h"
#include "options.h"
#include "world_host.h"

#include <pthread.h>

#define CRAFTY_REMOTE_LINES 64u

struct CraftyServer {
    const CraftyServerOptions *options;
    CraftyServerSettings settings;
    char worlds_folder[CN_STORE_PATH_BYTES], accounts_path[CN_STORE_PATH_BYTES];
    char key_path[CN_STORE_PATH_BYTES];
    CraftyAccounts *accounts;
    CraftyServerMetrics metrics;
    CraftyWorldHost *hosts[CRAFTY_SERVER_WORLDS];
    uint32_t host_count;
    CraftyBackups *backups;
    CraftyMetricsServer *metrics_server;
    int wake; /* an eventfd */
    bool is_ending;
    CraftyServerEnd end;
    pthread_mutex_t remote_mutex; /* of the lines of the remote console */
    CraftyRemoteLine remote[CRAFTY_REMOTE_LINES];
    uint32_t remote_first, remote_count;
    _Atomic bool has_remote_console;
};

/* Reads the settings again and applies what can change at once. Appends what happened. */
bool crafty_server_reload(CraftyServer *server, CnTextBuilder *reply);

#endif
