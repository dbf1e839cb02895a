/*
 * The settings of a server: a text file, options of the command line above it, and defaults.
 *
 *     [server]
 *     name = Our server      # a comment
 *     max_players = 40
 *
 *     [world Home]
 *     seed = glacier
 *
 *     CraftyServerSettings settings;
 *     CraftySettingsProblems problems;
 *     crafty_settings_defaults(&settings);
 *     if (!crafty_settings_read(&settings, "server.conf", text, &problems))
 *         puts(problems.items[0].message);
 *
 * Reading is strict: an unknown section or key, a value of the wrong type or out of range, and a
 * key that occurs twice are problems with file and line, the expected value, and the most similar
 * name. All problems of a file are reported, not only the first one. settings_table.c lists all
 * settings with their defaults and comments; the default file and the comparison of two states
 * are made of the same table.
 */
#ifndef CRAFTY_SERVER_SETTINGS_H
#define CRAFTY_SERVER_SETTINGS_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CRAFTY_SERVER_PORT 25700u
#define CRAFTY_SERVER_METRICS_PORT 9570u
#define CRAFTY_SERVER_WORLDS 16u
#define CRAFTY_SETTINGS_TEXT_BYTES 128u
#define CRAFTY_SETTINGS_PATH_BYTES 512u
#define CRAFTY_SETTINGS_FILE_BYTES (256u << 10) /* of a file */
#define CRAFTY_SETTINGS_UNSET UINT32_MAX        /* in a world: that of [game] or [server] holds */

/* Numbers, choices, switches (0 or 1), durations in seconds and sizes in bytes are uint32_t, so
 * that one table describes them. */
typedef struct CraftyWorldSettings {
    char name[64];                          /* of the section, and of the world */
    char store[CRAFTY_SETTINGS_PATH_BYTES]; /* a path, or postgresql://...; "": by name */
    char seed[CRAFTY_SETTINGS_TEXT_BYTES];  /* of a new world; "": random */
    uint32_t mode;                          /* CraftyPlayerMode */
    uint32_t difficulty;                    /* CraftyDifficulty */
    uint32_t keep_inventory, commands;
    uint32_t max_players;
    uint32_t port; /* 0 or unset: the port of the server plus the position of the world */
} CraftyWorldSettings;

typedef enum CraftyLogFormat { CRAFTY_LOG_TEXT, CRAFTY_LOG_JSON } CraftyLogFormat;

typedef struct CraftyServerSettings {
    /* [server] */
    char name[CRAFTY_SETTINGS_TEXT_BYTES];
    char description[CRAFTY_SETTINGS_TEXT_BYTES];
    uint32_t max_players, view_distance, tick_rate, snapshot_rate, bandwidth, threads;
    uint32_t allow_list;
    char worlds_folder[CRAFTY_SETTINGS_PATH_BYTES]; /* "": that of the user */
    char accounts[CRAFTY_SETTINGS_PATH_BYTES];      /* "": beside the worlds */
    char key[CRAFTY_SETTINGS_PATH_BYTES];           /* "": beside the worlds */
    char mods[CRAFTY_SETTINGS_PATH_BYTES];          /* "": only those of the worlds */
    /* [network] */
    char bind[CRAFTY_SETTINGS_TEXT_BYTES];
    uint32_t port, announce;
    uint32_t idle_timeout, handshake_timeout;
    uint32_t connections_per_address, handshakes_per_address;
    /* [game] */
    uint32_t mode, difficulty, keep_inventory, commands;
    /* [saving] */
    uint32_t autosave;
    /* [backups] */
    uint32_t backup_every; /* 0: never */
    uint32_t keep_hourly, keep_daily, keep_weekly;
    char backup_folder[CRAFTY_SETTINGS_PATH_BYTES]; /* "": backups/scheduled beside the worlds */
    /* [log] */
    uint32_t log_level, log_format;            /* CnLogLevel, CraftyLogFormat */
    char log_file[CRAFTY_SETTINGS_PATH_BYTES]; /* "": standard error */
    /* [metrics] */
    uint32_t metrics;
    char metrics_bind[CRAFTY_SETTINGS_TEXT_BYTES];
    uint32_t metrics_port;
    /* [console] */
    uint32_t console, remote_console;
    /* [world NAME] */
    CraftyWorldSettings worlds[CRAFTY_SERVER_WORLDS];
    uint32_t world_count;
} CraftyServerSettings;

#define CRAFTY_SETTINGS_PROBLEMS 16u

typedef struct CraftySettingsProblems {
    CnError items[CRAFTY_SETTINGS_PROBLEMS]; /* the first ones */
    uint32_t count;                          /* of all */
} CraftySettingsProblems;

void crafty_settings_defaults(CraftyServerSettings *settings);
/* Reads the text of a file over what `settings` holds. `file` is for messages. Returns false if
 * there are problems; *settings is then unchanged. */
bool crafty_settings_read(CraftyServerSettings *settings, const char *file, CnText text,
                          CraftySettingsProblems *problems);
/* Sets one value, as the command line does: "network.port=4711". Worlds cannot be set. */
bool crafty_settings_set(CraftyServerSettings *settings, const char *assignment, CnError *error);
/* Checks what concerns several settings, such as ports that are used twice, and gives worlds what
 * they did not set. Call it after reading and setting. */
bool crafty_settings_finish(CraftyServerSettings *settings, const char *file,
                            CraftySettingsProblems *problems);
/* Reads the file over the defaults, the assignments over that, and finishes. `path` NULL: no
 * file. */
bool crafty_settings_load(CraftyServerSettings *settings, const char *path,
                          const char *const *assignments, uint32_t assignment_count,
                          CraftySettingsProblems *problems);

/* Appends the default file, with comments. Returns false when out of memory. */
bool crafty_settings_write_defaults(CnTextBuilder *text);

/* Compares two settings. Calls `changed` for each difference with the name, such as
 * "server.max_players", and whether it can change while the server runs. Those that can are copied
 * to `current`. */
void crafty_settings_apply(CraftyServerSettings *current, const CraftyServerSettings *fresh,
                           void (*changed)(const char *name, bool is_live, void *user), void *user);

/* Returns whether the store of a world is a database server instead of a file. */
bool crafty_settings_is_uri(const char *store);

#endif
