/* A simulation as the commands set it up: from options, or from the settings of a recording. */
#ifndef TOOLS_CAIRN_SESSION_H
#define TOOLS_CAIRN_SESSION_H

#include <cairn/plugin.h>
#include <cairn/sim.h>

#include "options.h"

typedef struct SessionDesc {
    const char *demo;
    uint32_t entities;
    uint32_t threads; /* 0: one per core */
    uint32_t tick_hz;
    uint64_t seed;
    uint64_t hand; /* seed of the hand that plays; 0: nobody does */
    OptionList plugins;
} SessionDesc;

typedef struct Session {
    SessionDesc desc;
    CnHeap *heap;
    CnJobPool *jobs;
    CnSim *sim;
    CnPluginHost *plugins;
} Session;

/* The options that most commands share, for tables of options. */
#define SESSION_OPTIONS(desc)                                                                      \
    {"--demo",                                                                                     \
     "NAME",                                                                                       \
     "a world that comes with the program: swarm or empty",                                        \
     OPTION_TEXT,                                                                                  \
     &(desc)->demo,                                                                                \
     0,                                                                                            \
     0},                                                                                           \
        {"--entities", "N", "how many (10,000)", OPTION_U32, &(desc)->entities, 1, 4000000},       \
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
        .entities = 10000, .threads = 1, .tick_hz = 60, .seed = 1                                  \
    }

/* False after a message on stderr; session_end in any case. */
bool session_begin(Session *session, const SessionDesc *desc);
void session_end(Session *session);

/* Writes the whole state to a file. */
bool session_save(const Session *session, const char *path);

/* What a recording keeps, and back. */
void session_settings(const SessionDesc *desc, char *text, size_t text_bytes);
bool session_from_settings(SessionDesc *desc, const char *text);

/* Prints how the demo stands. */
void session_report(const Session *session);

/* Runs ticks, with the hand's input, and shows on a terminal how far it has come. */
bool session_run(Session *session, uint64_t ticks);

/* Prints "cairn: " and the error to stderr; returns false. */
bool report(const CnError *error);

#endif
