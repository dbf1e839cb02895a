/*
 * The file of a session: it exists while a world is open and is locked by the program, so that a
 * file that is not locked belongs to a program that ended unexpectedly, by a crash, kill -9 or a
 * power cut.
 *
 *     CraftySessionFile file;
 *     crafty_session_file_create(&file, folder, name, &info, &error);
 *     crafty_session_file_remove(&file);                    // at a clean end
 *
 *     CraftyUncleanSession session;
 *     if (crafty_unclean_session_find(folder, NULL, &session))
 *         puts(session.info.world);
 */
#ifndef CRAFTY_CRASH_SESSION_FILE_H
#define CRAFTY_CRASH_SESSION_FILE_H

#include "crash_folder.h"

#include "crafty/save/world_info.h"

#include <cairn/store/table.h>

#define CRAFTY_SESSION_FILE_BYTES 16384u /* at most */

typedef struct CraftySessionInfo {
    char program[32];
    char started[CRAFTY_DATE_BYTES];
    char world[CRAFTY_WORLD_NAME_BYTES];
    char path[CN_STORE_PATH_BYTES]; /* of the world, absolute */
    uint32_t attempts;              /* to continue it */
} CraftySessionInfo;

/* Reads the content of a file. Returns false and an error if it is malformed. */
bool crafty_session_info_read(CraftySessionInfo *info, const char *text, size_t size,
                              CnError *error);

typedef struct CraftySessionFile {
    int file; /* -1: none */
    char path[CRAFTY_CRASH_PATH_BYTES];
} CraftySessionFile;

/* Creates and locks the file; `started` and `attempts` of `info` are not used. */
bool crafty_session_file_create(CraftySessionFile *session, const char *folder, const char *name,
                                const CraftySessionInfo *info, CnError *error);
/* Unlocks and removes it. */
void crafty_session_file_remove(CraftySessionFile *session);
/* Unlocks it and lets it stay: the next start offers to continue. */
void crafty_session_file_abandon(CraftySessionFile *session);

/* A session that ended unexpectedly. */
typedef struct CraftyUncleanSession {
    char name[CRAFTY_CRASH_NAME_BYTES]; /* of its files in the folder */
    CraftySessionInfo info;
    bool has_report;
} CraftyUncleanSession;

/* Finds the last one that ended unexpectedly; with `world_path`, of this world. Returns false if
 * there is none. Files that are malformed are ignored, and those whose world does not exist. */
bool crafty_unclean_session_find(const char *folder, const char *world_path,
                                 CraftyUncleanSession *session);
/* Reads one by its name. Returns false and an error if it does not exist, or is running. */
bool crafty_unclean_session_read(const char *folder, const char *name,
                                 CraftyUncleanSession *session, CnError *error);
/* Notes, durably, that continuing is tried. */
bool crafty_unclean_session_attempt(const char *folder, const CraftyUncleanSession *session,
                                    CnError *error);
/* Forgets the session; its report stays, and its recordings if it has one. */
void crafty_unclean_session_dismiss(const char *folder, const CraftyUncleanSession *session);
/* Forgets all sessions of a world except the ones that run. */
void crafty_unclean_sessions_dismiss_world(const char *folder, const char *world_path);

/* Removes the oldest reports and their recordings beyond CRAFTY_KEPT_REPORTS, and empty reports and
 * recordings that belong to no session. */
#define CRAFTY_KEPT_REPORTS 10u
void crafty_crash_folder_clean(const char *folder);

#endif
