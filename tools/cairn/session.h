/*
 * A simulation as set up by the commands, from options or from the settings of a recording: a
 * built-in world (--demo), or a scene file.
 */
#ifndef TOOLS_CAIRN_SESSION_H
#define TOOLS_CAIRN_SESSION_H

#include <cairn/plugin.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>

#include "options.h"
#include "project.h"

#include <cairn/engine/hot_reload.h>
#include <limits.h>

#define MAX_SCENES 64u

typedef struct SessionDesc {
    const char *demo;   /* or: */
    const char *scene;  /* a file; NULL: an empty scene */
    const char *beside; /* without a scene: a file in the folder to mount; NULL: no files */
    OptionList also;    /* further scenes to which scripts may switch */
    bool trust_scripts;
    bool watch;        /* scenes can be reloaded; see session_watch */
    uint32_t entities; /* of a demo; 0: its default */
    uint32_t threads;  /* 0: one per core */
    uint32_t tick_hz;
    uint64_t seed;
    uint64_t hand; /* seed of the generated input of a demo; 0: no input */
    OptionList plugins;
} SessionDesc;

typedef struct Session {
    SessionDesc desc;
    CnHeap *heap;
    CnJobPool *jobs;
    CnSim *sim; /* of the demo, or of the active scene */
    CnPluginHost *hosts[MAX_SCENES];
    uint32_t host_count;
    CnScriptSystemDesc lua_plugins[MAX_LIST]; /* of the options in desc.plugins */
    Project project;
    CnScenes *scenes;        /* NULL: a demo */
    CnHotReload *hot_reload; /* NULL: files are not watched */
} Session;

/* Options that most commands share, for option tables. */
#define SESSION_OPTIONS(desc)                                                                      \
    {                                                                                              \
        "--demo",                                                                                  \
        "NAME",                                                                                    \
        "a built-in world: swarm, boxes, fair or empty",                                           \
        OPTION_TEXT,                                                                               \
        &(desc)->demo,                                                                             \
        0,                                                                                         \
        0},                                                                                        \
        {"--entities",                                                                             \
         "N",                                                                                      \
         "number of entities of a demo (swarm: 10,000, boxes: 1,000, fair: 2,000)",                \
         OPTION_U32,                                                                               \
         &(desc)->entities,                                                                        \
         1,                                                                                        \
         4000000},                                                                                 \
        {"--also",                                                                                 \
         "SCENE",                                                                                  \
         "another scene that scripts may switch to; may be repeated",                              \
         OPTION_LIST,                                                                              \
         &(desc)->also,                                                                            \
         0,                                                                                        \
         0},                                                                                       \
        {"--trust-scripts",                                                                        \
         NULL,                                                                                     \
         "run scripts with the full Lua library and without limits",                               \
         OPTION_FLAG,                                                                              \
         &(desc)->trust_scripts,                                                                   \
         0,                                                                                        \
         0},                                                                                       \
        {"--seed", "N", "seed of all random numbers (1)", OPTION_U64, &(desc)->seed, 0, 0},        \
        {"--threads", "N", "number of threads; 0: one per core (1)", OPTION_U32, &(desc)->threads, \
         0,           256},                                                                        \
        {"--hz", "N", "ticks per second (60)", OPTION_U32, &(desc)->tick_hz, 1, 1000},             \
    {                                                                                              \
        "--plugin", "FILE", "load a shared library or a Lua file with systems; may be repeated",   \
            OPTION_LIST, &(desc)->plugins, 0, 0                                                    \
    }

#define SESSION_DEFAULTS                                                                           \
    {                                                                                              \
        .threads = 1, .tick_hz = 60, .seed = 1                                                     \
    }

/* Returns the names of the demos; NULL beyond the last. */
const char *session_demo_name(size_t index);
/* Returns whether the value of --demo names a demo; prints an error otherwise. NULL is valid: no
 * demo. */
bool session_check_demo(const char *command, const char *name);

/* Returns false after printing an error to stderr; call session_end in any case. */
bool session_begin(Session *session, const SessionDesc *desc);
void session_end(Session *session);

bool is_json_path(const char *path);
/* Writes the whole state to a file, as JSON if it has that extension; JSON omits state sections of
 * plugins. */
bool session_save(const Session *session, const char *path);

/* Writes the settings as text for a recording. */
bool session_settings(const SessionDesc *desc, char *text, size_t text_bytes);

/* What a recording says about its session. */
typedef struct RecordedSettings {
    bool is_demo;
    bool has_trusted_scripts;
    uint32_t entities;   /* of a demo */
    uint64_t seed;       /* of a scene */
    char name[PATH_MAX]; /* of the demo, or the path of the scene */
} RecordedSettings;

/* Returns false if another program wrote the text, or it is damaged. */
bool recorded_settings_read(RecordedSettings *settings, const char *text);
/* Applies settings, which must outlive `desc`. Scripts run as they did when recorded: a recording
 * of sandboxed scripts stays in the sandbox, and one of trusted scripts is refused unless
 * `desc->trust_scripts`, which only the command line sets, allows it. */
bool session_from_settings(SessionDesc *desc, const RecordedSettings *settings, CnError *error);

/* Returns false after printing an error to stderr when there are scripts and all of them have
 * stopped, or, with `strict`, when any script of the active scene had an error. */
bool session_check_scripts(const Session *session, bool strict);

/* Prints the state of the world. */
void session_report(const Session *session);

/* Runs ticks with generated input, and displays the progress on a terminal. With `one_scene`,
 * switching to another scene is an error. */
bool session_run(Session *session, uint64_t ticks, bool one_scene);
/* Runs one frame of real time; `one_scene` as above. */
bool session_frame(Session *session, double seconds, bool one_scene);
/* Watches the files of the project, and the folders of the plugins. */
bool session_watch(Session *session);
/* Reloads plugins, scripts, scenes and prefabs if files have changed. */
void session_reload(Session *session);

/* Checks that a file can be written: its folder exists, or is created because of --make-folders.
 * Called before the work whose result is written. `path` may be NULL. */
bool prepare_output(const char *path, bool make_folders);

/* The option for commands that write files. */
#define MAKE_FOLDERS_OPTION(value)                                                                 \
    {                                                                                              \
        "--make-folders", NULL, "create missing folders of output files", OPTION_FLAG, &(value),   \
            0, 0                                                                                   \
    }

/* Prints "cairn: " and the error to stderr; returns false. */
bool report(const CnError *error);

#endif
