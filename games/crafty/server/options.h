/* Command-line options of the server. */
#ifndef CRAFTY_SERVER_OPTIONS_H
#define CRAFTY_SERVER_OPTIONS_H

#include "crafty/sim/mode.h"

#include <stdbool.h>
#include <stdint.h>

#define CRAFTY_SERVER_ASSIGNMENTS 64u

typedef struct CraftyServerOptions {
    uint64_t seed;
    uint64_t ticks;
    uint64_t threads;      /* of the ticks; 0: one per core */
    const char *replay;    /* a recording to play; NULL: none */
    const char *record;    /* file for a recording of the session; NULL: none */
    const char *world;     /* name or path of a world to open or create; NULL: none is kept */
    const char *worlds;    /* folder of worlds; NULL: that of the user */
    CraftyPlayerMode mode; /* of the player of a new world */
    const char *mods;      /* a folder of mods that all run; NULL: none */
    bool no_mods;          /* none run */
    bool has_seed, has_ticks, has_mode, has_threads;
    const char *config;                                 /* file of settings; NULL: the defaults */
    const char *assignments[CRAFTY_SERVER_ASSIGNMENTS]; /* "section.key=value" */
    uint32_t assignment_count;
    bool checks_config, writes_config;
    char **arguments;                  /* of the program */
    char port_text[32], bind_text[96]; /* assignments of --port and --bind */
    bool continues; /* a world that ended unexpectedly goes on from its last tick */
} CraftyServerOptions;

typedef enum CraftyServerParse {
    CRAFTY_SERVER_RUN,
    CRAFTY_SERVER_HELPED, /* the help was printed */
    CRAFTY_SERVER_INVALID /* an error was printed */
} CraftyServerParse;

/* Parses the command line and prints errors and help. Strings point into `arguments`. */
CraftyServerParse crafty_server_options_read(CraftyServerOptions *options, int count,
                                             char **arguments);

#endif
