/*
 * A simulation as the commands set it up, from options or from the settings of a recording: a world
 * that comes with the program (--demo), or a scene file.
 */
#ifndef TOOLS_CAIRN_SESSION_H
#define TOOLS_CAIRN_SESSION_H

#include <cairn/plugin.h>
#include <cairn/scene.h>
#include <cairn/sim.h>

#include "options.h"
#include "project.h"

#define MAX_SCENES 64u

typedef struct SessionDesc {
    const char *demo;   /* or else: */
    const char *scene;  /* a file; NULL: an empty scene */
    const char *beside; /* without a scene: a file whose folder has the files; NULL: no files */
    OptionList also;    /* further scenes, which scripts may go to */
    bool trust_scripts;
    uint32_t entities; /* of a demo; 0: as many as it likes */
    uint32_t threads;  /* 0: one per core */
    uint32_t tick_hz;
    uint64_t seed;
    uint64_t hand; /* seed of the hand that plays a demo; 0: nobody does */
    OptionList plugins;
} SessionDesc;

typedef struct Session {
    SessionDesc desc;
    CnHeap *heap;
    CnJobPool *jobs;
    CnSim *sim; /* of the demo, or of the active scene */
    CnPluginHost *hosts[MAX_SCENES];
    uint32_t host_count;
    Project project;
    CnScenes *scenes; /* NULL: a demo */
} Session;

/* The options that most commands share, for tables of options. */
#define SESSION_OPTIONS(desc)                                                                      \
    {"--demo",                                                                                     \
     "NAME",                                                                                       \
     "a world that comes with the program: swarm, boxes, fair or empty",                           \
     OPTION_TEXT,                                                                                  \
     &(desc)->demo,                                                                                \
     0,                                                                                            \
     0},                                                                                           \
        {"--entities",                                                                             \
         "N",                                                                                      \
         "of a demo (swarm: 10,000, boxes: 1,000, fair: 2,000)",                                   \
         OPTION_U32,                                                                               \
         &(desc)->entities,                                                                        \
         1,                                                                                        \
         4000000},                                                                                 \
        {"--also",                                                                                 \
         "SCENE",                                                                                  \
         "another scene that scripts may go to; may be repeated",                                  \
         OPTION_LIST,                                                                              \
         &(desc)->also,                                                                            \
         0,                                                                                        \
         0},                                                                                       \
        {"--trust-scripts",                                                                        \
         NULL,                                                                                     \
         "run scripts with all of Lua and without budgets",                                        \
         OPTION_FLAG,                                                                              \
         &(desc)->trust_scripts,                                                                   \
         0,                                                                                        \
         0},                                                                                       \
        {"--seed", "N", "of all that is random (1)", OPTION_U64, &(desc)->seed, 0, 0},             \
        {"--threads", "N", "that ticks use; 0: one per core (1)", OPTION_U32, &(desc)->threads,    \
         0,           256},                                                                        \
        {"--hz", "N", "ticks a second (60)", OPTION_U32, &(desc)->tick_hz, 1, 1000},               \
    {                                                                                              \
        "--plugin", "FILE", "a shared library to load; may be repeated", OPTION_LIST,              \
            &(desc)->plugins, 0, 0                                                                 \
    }

#define SESSION_DEFAULTS                                                                           \
    {                                                                                              \
        .threads = 1, .tick_hz = 60, .seed = 1                                                     \
    }

/* The names of the demos; NULL behind the last. */
const char *session_demo_name(size_t index);

/* False after a message on stderr; session_end in any case. */
bool session_begin(Session *session, const SessionDesc *desc);
void session_end(Session *session);

bool is_json_path(const char *path);
/* Writes the whole state to a file, as JSON if that is its extension; JSON leaves out what plugins keep
 * outside of the world. */
bool session_save(const Session *session, const char *path);

/* What a recording keeps, and back. */
bool session_settings(const SessionDesc *desc, char *text, size_t text_bytes);
/* The texts lie in static memory. */
bool session_from_settings(SessionDesc *desc, const char *text);

/* False after a message on stderr: there are scripts, and none of them runs any more, or `strict` and
 * there was any error of a script of the active scene. */
bool session_check_scripts(const Session *session, bool strict);

/* Prints how the world stands. */
void session_report(const Session *session);

/* Runs ticks, with the hand's input, and shows on a terminal how far it has come. With `one_scene`, a
 * switch to another scene is an error. */
bool session_run(Session *session, uint64_t ticks, bool one_scene);
/* One frame of real time; `one_scene` as above. */
bool session_frame(Session *session, double seconds, bool one_scene);
/* Reads plugins and scripts again whose files have changed, and tells so. */
void session_reload(Session *session);

/* Whether a file can be put there: its folder exists, or is made because --make-folders asks for it.
 * Called before the work whose result is written. A path of NULL is fine. */
bool prepare_output(const char *path, bool make_folders);

/* The option for tables of commands that write files. */
#define MAKE_FOLDERS_OPTION(value)                                                                 \
    {                                                                                              \
        "--make-folders", NULL, "make folders of written files that do not exist", OPTION_FLAG,    \
            &(value), 0, 0                                                                         \
    }

/* Prints "cairn: " and the error to stderr; returns false. */
bool report(const CnError *error);

#endif
