/*
 * File access through a table of functions, so that tests can inject faults and the engine can
 * mount archives.
 *
 *     CnError error = {0};
 *     CnFileBytes bytes;
 *     if (cn_file_read_all(cn_native_files(), "level.json", NULL, &bytes, &error))
 *         cn_file_bytes_free(&bytes);
 *
 * Paths are UTF-8 and use '/'. Native files are thread-safe as long as only one thread at a time
 * uses a given CnFile.
 */
#ifndef CAIRN_BASE_FILE_H
#define CAIRN_BASE_FILE_H

#include <cairn/base/error.h>
#include <cairn/base/memory.h>
#include <cairn/base/origin.h>

CN_EXTERN_C_BEGIN

typedef struct CnFile CnFile;
typedef struct CnFileSystem CnFileSystem;

typedef enum CnFileMode {
    CN_FILE_READ,   /* the file must exist */
    CN_FILE_WRITE,  /* the file is created or truncated */
    CN_FILE_APPEND, /* the file is created if missing; writes go to the end */
    CN_FILE_UPDATE, /* the file must exist; for reading and writing */
    CN_FILE_NEW     /* for writing; nothing, not even a symbolic link, may exist at the path */
} CnFileMode;

#define CN_FILE_PATH_BYTES 4096u /* size of the longest path, including the terminating zero */

typedef struct CnFileInfo {
    uint64_t size_bytes;
    int64_t modified_ns; /* nanoseconds since 1970 */
    bool is_directory;
} CnFileInfo;

typedef enum CnFileWriteTargetKind {
    CN_FILE_WRITE_TARGET_MISSING, /* nothing exists at this path yet */
    CN_FILE_WRITE_TARGET_REGULAR, /* replaced as a whole, by renaming another file over it */
    CN_FILE_WRITE_TARGET_STREAM   /* a pipe or a character device; bytes are written to it */
} CnFileWriteTargetKind;

/* Describes what a path refers to when its content is to be replaced. */
typedef struct CnFileWriteTarget {
    CnFileWriteTargetKind kind;
    uint32_t permissions;          /* of a regular file: the nine permission bits of chmod */
    uint32_t owner, group;         /* of a regular file */
    char path[CN_FILE_PATH_BYTES]; /* with symbolic links resolved */
} CnFileWriteTarget;

/* An implementation of a file system. Functions that return bool return false and fill `error`
 * on failure; `error` may be NULL. */
struct CnFileSystem {
    bool (*open)(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                 CnError *error);
    void (*close)(CnFileSystem *fs, CnFile *file);
    /* Reads up to `size` bytes at `offset`. *done is less than `size` only at the end of the
     * file. */
    bool (*read)(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                 size_t *done, CnError *error);
    /* Writes all bytes or fails. `offset` is ignored in append mode. */
    bool (*write)(CnFileSystem *fs, CnFile *file, uint64_t offset, const void *bytes, size_t size,
                  CnError *error);
    /* Flushes the file to stable storage. */
    bool (*sync)(CnFileSystem *fs, CnFile *file, CnError *error);
    bool (*truncate)(CnFileSystem *fs, CnFile *file, uint64_t size, CnError *error);
    bool (*info)(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error);
    bool (*rename)(CnFileSystem *fs, const char *from, const char *to, CnError *error);
    bool (*remove)(CnFileSystem *fs, const char *path, CnError *error); /* file or empty folder */
    /* Creates a folder and its parents. Succeeds if the folder already exists. */
    bool (*make_folder)(CnFileSystem *fs, const char *path, CnError *error);
    /* Visits the names in a folder in byte order, without "." and "..". Stops when `visit`
     * returns false. */
    bool (*list)(CnFileSystem *fs, const char *path,
                 bool (*visit)(const char *name, bool is_directory, void *user), void *user,
                 CnError *error);
    /* Determines what a write to `path` would replace. Fails for folders, sockets, block devices
     * and files that may not be written. NULL: every path refers to a regular file. */
    bool (*find_write_target)(CnFileSystem *fs, const char *path, CnFileWriteTarget *target,
                              CnError *error);
    /* Gives a new file the permissions of the file that it will replace, and its owner where the
     * process is allowed to. NULL: the file system has no permissions. */
    bool (*copy_attributes)(CnFileSystem *fs, CnFile *file, const CnFileWriteTarget *from,
                            CnError *error);
    /* Returns the budget of an open file, valid as long as the file system; see origin.h. NULL:
     * files were opened by a person, cn_budget_of(CN_ORIGIN_USER). */
    const CnBudget *(*budget)(CnFileSystem *fs, CnFile *file);
};

/* Returns the operating system's file system. */
CN_API CnFileSystem *cn_native_files(void);

typedef struct CnFileBytes {
    uint8_t *data; /* `size` bytes, followed by a zero byte that is not counted */
    size_t size;
    CnAllocator *allocator;
    const CnBudget *budget; /* of the file, with its origin; NULL: that of CN_ORIGIN_USER */
} CnFileBytes;

/* Reads a whole file into memory from `allocator` (NULL: the system allocator). It may have as many
 * bytes as its budget allows, at most 1 GiB. On failure *bytes is empty. */
CN_API bool cn_file_read_all(CnFileSystem *fs, const char *path, CnAllocator *allocator,
                             CnFileBytes *bytes, CnError *error);
/* Frees the bytes; does nothing if they are empty. */
CN_API void cn_file_bytes_free(CnFileBytes *bytes);
/* Replaces the content of a file. A regular file is replaced atomically: a temporary file
 * with an unpredictable name is written beside it, synced and renamed over it, so that after a
 * crash the file holds either the old or the new content. The new file has the permissions of the
 * old one; other hard links keep the old content. A symbolic link is kept, and the file it points
 * to is replaced. Pipes and character devices are written to; a pipe without a reader is an error.
 * Folders, sockets, block devices, files that may not be written, and paths whose folder does not
 * exist are errors. */
CN_API bool cn_file_write_all(CnFileSystem *fs, const char *path, const void *bytes, size_t size,
                              CnError *error);

/* Creates the folder that contains `path`, and its parents. */
CN_API bool cn_file_make_folder_of(CnFileSystem *fs, const char *path, CnError *error);
/* Fails with CN_ERROR_NOT_FOUND if the folder that contains `path` does not exist. Programs call
 * it before a long computation whose result they write to `path`. */
CN_API bool cn_file_check_folder_of(CnFileSystem *fs, const char *path, CnError *error);

/* ---- For implementations of CnFileSystem ---- */

/* Fills the error with "cannot <action> '<path>': <reason>" and returns false. A long path is
 * shortened to its end. */
CN_API bool cn_file_set_error(CnError *error, CnErrorCode code, const char *action,
                              const char *path, const char *reason);
/* Like cn_file_set_error, with the code and the reason of an errno value. */
CN_API bool cn_file_set_errno(CnError *error, const char *action, const char *path,
                              int error_number);
/* Wraps a descriptor that was opened for this mode into a native file, which then owns the
 * descriptor; on failure the caller keeps it. `path` is used in messages. */
CN_API bool cn_native_file_adopt(int descriptor, CnFileMode mode, const char *path, CnFile **file,
                                 CnError *error);

CN_EXTERN_C_END

#endif
