/*
 * Watches folders of the operating system and reports which files have changed.
 *
 *     CnError error = {0};
 *     CnFileWatch *watch = cn_file_watch_create(NULL, &error);
 *     cn_file_watch_add(watch, &(CnWatchedFolder){.path = "levels", .is_recursive = true}, &error);
 *     CnFileChanges changes;
 *     if (cn_file_watch_poll(watch, cn_clock_ns(), &changes))
 *         for (uint32_t i = 0; i < changes.count; i++)
 *             puts(changes.paths[i]); // "levels/cave.json"
 *     cn_file_watch_destroy(watch);
 *
 * A file is reported when it was written and closed, replaced by renaming another file over it,
 * moved, or removed; each once, however often it changed. The report is made when nothing has
 * changed for a short time, so that the steps in which an editor or an exporter saves its files
 * appear as one change.
 *
 * The operating system notifies the watch (inotify), so a poll without changes is one system call,
 * whatever the number of files. Symbolic links are not followed, and files and folders whose names
 * begin with a dot are ignored. Changes that other machines make in a network file system are not
 * reported.
 *
 * One thread at a time uses a watch.
 */
#ifndef CAIRN_BASE_FILE_WATCH_H
#define CAIRN_BASE_FILE_WATCH_H

#include <cairn/base/error.h>
#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

#define CN_FILE_WATCH_MAX_FOLDERS 8192u  /* with all their subfolders */
#define CN_FILE_WATCH_MAX_DEPTH 32u      /* of subfolders */
#define CN_FILE_WATCH_MAX_CHANGES 16384u /* per report; more are counted as dropped */

typedef struct CnFileWatch CnFileWatch;

typedef struct CnFileWatchDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    uint32_t settle_ms;     /* time without changes before a report; 0 selects 20 */
    uint32_t longest_ms;    /* a report is made after this time in any case; 0 selects 500 */
} CnFileWatchDesc;

/* Creates a watch of no folders. `desc` may be NULL. Returns NULL and an error on failure. */
CN_API CnFileWatch *cn_file_watch_create(const CnFileWatchDesc *desc, CnError *error);
/* Frees the watch; NULL is ignored. */
CN_API void cn_file_watch_destroy(CnFileWatch *watch);

typedef struct CnWatchedFolder {
    const char *path;   /* of the operating system */
    const char *prefix; /* of reported paths, such as "assets://"; NULL: `path` and a '/' */
    bool is_recursive;  /* also its subfolders, including those that are created later */
} CnWatchedFolder;

/* Watches another folder; the same folder may be watched with several prefixes. Adding the same
 * folder with the same prefix again has no effect. Fails if the folder does not exist, or a limit
 * of the watch or of the operating system is reached; what was added until then stays watched. */
CN_API bool cn_file_watch_add(CnFileWatch *watch, const CnWatchedFolder *folder, CnError *error);
/* Stops watching all folders, and discards what was not reported. */
CN_API void cn_file_watch_clear(CnFileWatch *watch);
/* Returns the number of watched folders, including subfolders. */
CN_API uint32_t cn_file_watch_folder_count(const CnFileWatch *watch);

typedef struct CnFileChanges {
    const char *const *paths; /* in the order of the first change; valid until the next poll */
    uint32_t count;
    uint32_t dropped; /* changes that are missing because there were too many */
} CnFileChanges;

/* Collects changes, and returns whether there is a report at this time, which never decreases
 * between calls. When the operating system lost changes, all files are reported. */
CN_API bool cn_file_watch_poll(CnFileWatch *watch, uint64_t now_ns, CnFileChanges *changes);

CN_EXTERN_C_END

#endif
