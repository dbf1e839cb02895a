/*
 * Backups of worlds while they are played, on a thread of its own: made by the schedule of the
 * settings, read back completely, and removed when the settings say so.
 *
 *     CraftyBackups *backups = crafty_backups_create(&settings, hosts, metrics, count, &error);
 *     crafty_backups_set(backups, &settings);           // after a reload
 *     crafty_backups_request(backups, 0);               // one now
 *     crafty_backups_destroy(backups);                  // cancels one that is being written
 *
 * A backup is a file "<world> YYYY-MM-DD HH-MM-SS.crafty", like those of `crafty world backup`, and
 * `crafty world restore` restores it. Only files with such names in the folder of the schedule are
 * ever removed, and none of a world whose last backup failed.
 */
#ifndef CRAFTY_SERVER_BACKUPS_H
#define CRAFTY_SERVER_BACKUPS_H

#include "world_host.h"

typedef struct CraftyBackups CraftyBackups;

typedef struct CraftyBackupsDesc {
    const CraftyServerSettings *settings; /* copied */
    const char *worlds_folder;            /* of the default folder */
    CraftyWorldHost **hosts;
    CraftyWorldMetrics *metrics; /* of each */
    uint32_t count;
} CraftyBackupsDesc;

CraftyBackups *crafty_backups_create(const CraftyBackupsDesc *desc, CnError *error);
/* NULL is ignored. */
void crafty_backups_destroy(CraftyBackups *backups);
void crafty_backups_set(CraftyBackups *backups, const CraftyServerSettings *settings);
/* Makes a backup of a world soon; its result is in the log and in the metrics. */
void crafty_backups_request(CraftyBackups *backups, uint32_t world);

/* ---- Parts, for tests ---- */

/* Checks the structure of a backup and the checksum of each row. */
bool crafty_backup_verify(const char *path, CnError *error);
/* Returns the time in the name of a backup of `world`, in seconds since 1970; 0 if `file` is not
 * one. */
int64_t crafty_backup_time(const char *file, const char *world);
/* Writes the path of a new backup. */
bool crafty_backup_path(const char *folder, const char *world, int64_t now,
                        char path[CN_STORE_PATH_BYTES], CnError *error);
/* Returns the time of the newest backup of a world in the folder; 0: none. */
int64_t crafty_backups_newest(const char *folder, const char *world);
/* Removes old backups of a world. Returns how many. */
uint32_t crafty_backups_prune(const char *folder, const char *world,
                              const CraftyServerSettings *settings);

#endif
