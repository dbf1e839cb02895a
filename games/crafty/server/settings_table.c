#include "settings_table.h"

#include <stddef.h>

static const char *const modes[] = {"spectator", "creative", "survival", NULL};
static const char *const difficulties[] = {"", "peaceful", "normal", NULL};
static const char *const levels[] = {"trace", "debug", "info", "warning", "error", NULL};
static const char *const formats[] = {"text", "json", NULL};

#define AT(member)                                                                                 \
    offsetof(CraftyServerSettings, member), sizeof(((CraftyServerSettings *)0)->member)
#define AT_WORLD(member)                                                                           \
    offsetof(CraftyWorldSettings, member), sizeof(((CraftyWorldSettings *)0)->member)
#define TEXT CRAFTY_SETTING_TEXT
#define NUMBER CRAFTY_SETTING_NUMBER
#define SWITCH CRAFTY_SETTING_SWITCH
#define CHOICE CRAFTY_SETTING_CHOICE
#define DURATION CRAFTY_SETTING_DURATION
#define SIZE CRAFTY_SETTING_SIZE
#define ADDRESS CRAFTY_SETTING_ADDRESS
#define DAY 86400u

/* By section, in the order of the default file. */
const CraftySetting crafty_settings_table[] = {
    {"server", "name", TEXT, AT(name), 1, 64, NULL, "A Crafty server", true,
     "What lists of servers show: a name and one line about the server."},
    {"server", "description", TEXT, AT(description), 0, 100, NULL, "", true, NULL},
    {"server", "max_players", NUMBER, AT(max_players), 1, 2000, NULL, "20", true,
     "Players in each world at the same time."},
    {"server", "view_distance", NUMBER, AT(view_distance), 2, 40, NULL, "12", true,
     "How far players see others and changes, in chunks of 16 blocks."},
    {"server", "tick_rate", NUMBER, AT(tick_rate), 10, 120, NULL, "60", false,
     "Ticks per second of a new world; a world keeps its rate. Games are made for 60."},
    {"server", "snapshot_rate", NUMBER, AT(snapshot_rate), 1, 60, NULL, "20", true,
     "Updates per second to each player, and the most that each player is sent per second."},
    {"server", "bandwidth", SIZE, AT(bandwidth), 2000, 100000000, NULL, "12 kB", true, NULL},
    {"server", "threads", NUMBER, AT(threads), 0, 256, NULL, "1", false,
     "Threads of the ticks of each world; 0: one per core."},
    {"server", "allow_list", SWITCH, AT(allow_list), 0, 1, NULL, "off", true,
     "On: only players that \"allow\" has named may join."},
    {"server", "worlds", TEXT, AT(worlds_folder), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL, "",
     false, "The folder of worlds; empty: $XDG_DATA_HOME/crafty/worlds."},
    {"server", "accounts", TEXT, AT(accounts), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL, "", false,
     "The file of accounts and bans; empty: accounts.json in the folder of worlds."},
    {"server", "key", TEXT, AT(key), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL, "", false,
     "The key that identifies the server; empty: server.key in the folder of worlds. It is\n"
     "created when it is missing. Keep a copy: players trust this key."},
    {"server", "mods", TEXT, AT(mods), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL, "", false,
     "A folder of mods that run in every world, beside those that a world has."},

    {"network", "bind", ADDRESS, AT(bind), 0, 0, NULL, "::", false,
     "The address to listen on: \"::\" for all, \"127.0.0.1\" for this computer only."},
    {"network", "port", NUMBER, AT(port), 1, 65535, NULL, "25700", false,
     "The UDP port of the first world; each further world has the next one."},
    {"network", "announce", SWITCH, AT(announce), 0, 1, NULL, "on", true,
     "On: answers queries for lists of servers, also in the local network."},
    {"network", "idle_timeout", DURATION, AT(idle_timeout), 5, 600, NULL, "30 s", true,
     "A player from whom nothing was heard for this long is disconnected."},
    {"network", "handshake_timeout", DURATION, AT(handshake_timeout), 1, 60, NULL, "10 s", true,
     "Time to connect and log in."},
    {"network", "connections_per_address", NUMBER, AT(connections_per_address), 1, 2000, NULL, "8",
     true, "Connections from one address at the same time, and attempts per minute."},
    {"network", "handshakes_per_address", NUMBER, AT(handshakes_per_address), 1, 60000, NULL, "60",
     true, NULL},

    {"game", "mode", CHOICE, AT(mode), 0, 0, modes, "survival", false,
     "Rules of new worlds; a world that was created with rules keeps them.\n"
     "mode is survival, creative or spectator."},
    {"game", "difficulty", CHOICE, AT(difficulty), 0, 0, difficulties, "normal", false,
     "normal or peaceful."},
    {"game", "keep_inventory", SWITCH, AT(keep_inventory), 0, 1, NULL, "off", false,
     "On: who dies keeps all items."},
    {"game", "commands", SWITCH, AT(commands), 0, 1, NULL, "off", false,
     "On: every player may use commands such as /time. Operators always may."},

    {"saving", "autosave", DURATION, AT(autosave), 1, 600, NULL, "5 s", true,
     "How often changes are saved: at most this much is lost in a power cut."},

    {"backups", "every", DURATION, AT(backup_every), 0, 30 * DAY, NULL, "6 h", true,
     "A backup of every world while it is played, such as \"30 min\", \"6 h\" or \"1 d\";\n"
     "\"never\" makes none. Each backup is read back completely after it was written."},
    {"backups", "keep_hourly", NUMBER, AT(keep_hourly), 0, 1000, NULL, "24", true,
     "How many are kept: the last one of this many hours, days and weeks."},
    {"backups", "keep_daily", NUMBER, AT(keep_daily), 0, 1000, NULL, "14", true, NULL},
    {"backups", "keep_weekly", NUMBER, AT(keep_weekly), 0, 1000, NULL, "8", true, NULL},
    {"backups", "folder", TEXT, AT(backup_folder), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL, "",
     true,
     "Where they are; empty: backups/scheduled in the folder of worlds. Another disk is safer."},

    {"log", "level", CHOICE, AT(log_level), 0, 0, levels, "info", true,
     "trace, debug, info, warning or error."},
    {"log", "format", CHOICE, AT(log_format), 0, 0, formats, "text", true,
     "text, or json with one object per line."},
    {"log", "file", TEXT, AT(log_file), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL, "", true,
     "Empty: the standard error, which is the journal under systemd. A file is opened again on\n"
     "SIGHUP, so that logrotate can move it."},

    {"metrics", "enabled", SWITCH, AT(metrics), 0, 1, NULL, "off", false,
     "On: http://BIND:PORT/metrics for Prometheus, and /health. Without authentication, so\n"
     "leave it on a loopback address, or protect it by a firewall."},
    {"metrics", "bind", ADDRESS, AT(metrics_bind), 0, 0, NULL, "127.0.0.1", false, NULL},
    {"metrics", "port", NUMBER, AT(metrics_port), 0, 65535, NULL, "9570", false, NULL},

    {"console", "local", SWITCH, AT(console), 0, 1, NULL, "on", false,
     "On: lines of the standard input are commands; \"help\" lists them."},
    {"console", "remote", SWITCH, AT(remote_console), 0, 1, NULL, "off", true,
     "On: operators may use the same commands from the game."},

    {CRAFTY_SETTINGS_WORLD, "store", TEXT, AT_WORLD(store), 0, CRAFTY_SETTINGS_PATH_BYTES - 1, NULL,
     "", false,
     "Where the world is: a file, or postgresql://user@host/database; empty: a file with the\n"
     "name of the world in the folder of worlds. It is created when it is missing."},
    {CRAFTY_SETTINGS_WORLD, "seed", TEXT, AT_WORLD(seed), 0, 64, NULL, "", false,
     "Of a new world: a number or any text; empty: random."},
    {CRAFTY_SETTINGS_WORLD, "mode", CHOICE, AT_WORLD(mode), 0, 0, modes, NULL, false,
     "What is not set is that of [game] and [server]."},
    {CRAFTY_SETTINGS_WORLD, "difficulty", CHOICE, AT_WORLD(difficulty), 0, 0, difficulties, NULL,
     false, NULL},
    {CRAFTY_SETTINGS_WORLD, "keep_inventory", SWITCH, AT_WORLD(keep_inventory), 0, 1, NULL, NULL,
     false, NULL},
    {CRAFTY_SETTINGS_WORLD, "commands", SWITCH, AT_WORLD(commands), 0, 1, NULL, NULL, false, NULL},
    {CRAFTY_SETTINGS_WORLD, "max_players", NUMBER, AT_WORLD(max_players), 1, 2000, NULL, NULL, true,
     NULL},
    {CRAFTY_SETTINGS_WORLD, "port", NUMBER, AT_WORLD(port), 1, 65535, NULL, NULL, false, NULL},
};
const uint32_t crafty_settings_count = CN_COUNT_OF(crafty_settings_table);

/* ---- Names ---- */

const CraftySetting *crafty_setting_find(CnText section, CnText key)
{
    for (uint32_t i = 0; i < crafty_settings_count; i++)
        if (cn_text_equal(section, cn_text(crafty_settings_table[i].section)) &&
            cn_text_equal(key, cn_text(crafty_settings_table[i].key)))
            return &crafty_settings_table[i];
    return NULL;
}

typedef struct Names {
    const char *section; /* NULL: sections are enumerated */
    uint32_t next;
} Names;

static const char *next_name(void *user)
{
    Names *names = user;
    while (names->next < crafty_settings_count) {
        const CraftySetting *setting = &crafty_settings_table[names->next++];
        if (!names->section)
            return setting->section;
        if (!strcmp(setting->section, names->section))
            return setting->key;
    }
    return NULL;
}

const char *crafty_setting_similar(const char *section, const char *name)
{
    return cn_text_most_similar(name, next_name, &(Names){.section = section});
}
