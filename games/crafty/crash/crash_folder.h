/*
 * Where crash reports, recordings of the last minute and the files of running sessions are:
 * $XDG_STATE_HOME/crafty/crashes or ~/.local/state/crafty/crashes. The files of one session have
 * the same name, such as crafty-20261118-093000-4711, and these suffixes.
 */
#ifndef CRAFTY_CRASH_CRASH_FOLDER_H
#define CRAFTY_CRASH_CRASH_FOLDER_H

#include <cairn/base/error.h>

#include <time.h>

#define CRAFTY_CRASH_PATH_BYTES 1024u
#define CRAFTY_CRASH_NAME_BYTES 64u
#define CRAFTY_DATE_BYTES 24u

#define CRAFTY_SESSION_SUFFIX ".session" /* exists while a world is open; see session_file.h */
#define CRAFTY_REPORT_SUFFIX ".report"   /* empty unless the program crashed; see crash_report.h */
#define CRAFTY_RECORDING_SUFFIXES                                                                  \
    {                                                                                              \
        "-a.cnr", "-b.cnr"                                                                         \
    } /* the last minute; see last_minute.h */

/* Writes the path of the folder and creates it. Returns false and an error if neither
 * XDG_STATE_HOME nor HOME is an absolute path, or if it cannot be created. */
bool crafty_crash_folder(char path[CRAFTY_CRASH_PATH_BYTES], CnError *error);
/* Writes the name of the files of this process. */
void crafty_crash_name(const char *program, char name[CRAFTY_CRASH_NAME_BYTES]);
/* Writes FOLDER/NAME SUFFIX. Returns false if it does not fit. */
bool crafty_crash_path(const char *folder, const char *name, const char *suffix,
                       char path[CRAFTY_CRASH_PATH_BYTES]);
/* Writes a date such as "2026-11-18 09:30:00 UTC". Async-signal-safe. */
void crafty_date(time_t seconds, char text[CRAFTY_DATE_BYTES]);

#endif
