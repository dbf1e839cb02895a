/*
 * Files behind a table, so that tests can inject faults and the engine can mount archives.
 *
 *     CnFileSystem *files = cn_native_files();
 *     CnFileBytes bytes;
 *     if (!cn_file_read_all(files, "level.json", allocator, &bytes, &error)) ...
 *     cn_file_bytes_free(&bytes);
 *
 * Paths are UTF-8 with '/'. Native files are thread-safe as long as one CnFile is used by one
 * thread at a time.
 */
#ifndef CAIRN_BASE_FILE_H
#define CAIRN_BASE_FILE_H

#include <cairn/base/error.h>
#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnFile CnFile;
typedef struct CnFileSystem CnFileSystem;

typedef enum CnFileMode {
    CN_FILE_READ,   /* must exist */
    CN_FILE_WRITE,  /* created or emptied */
    CN_FILE_APPEND, /* created if missing; writes go to the end */
    CN_FILE_UPDATE  /* must exist; read and write */
} CnFileMode;

#define CN_FILE_PATH_BYTES 4096u /* of the longest path, with its terminating zero */

typedef struct CnFileInfo {
    uint64_t size_bytes;
    int64_t modified_ns; /* since 1970 */
    bool is_directory;
} CnFileInfo;

typedef enum CnFileTargetKind {
    CN_FILE_TARGET_MISSING, /* there is nothing yet */
    CN_FILE_TARGET_REGULAR, /* replaced as a whole, by renaming another file over it */
    CN_FILE_TARGET_STREAM   /* a pipe or a character device: bytes are written to it */
} CnFileTargetKind;

/* What a path stands for when its content is to be replaced. */
typedef struct CnFileTarget {
    CnFileTargetKind kind;
    uint32_t permissions;          /* of a regular file: the nine bits of chmod */
    uint32_t owner, group;         /* of a regular file */
    char path[CN_FILE_PATH_BYTES]; /* with links followed to the file itself */
} CnFileTarget;

/* One implementation of a file system. Every function returns false and fills the error on
 * failure; `error` may be NULL. */
struct CnFileSystem {
    bool (*open)(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                 CnError *error);
    void (*close)(CnFileSystem *fs, CnFile *file);
    /* Reads up to `size` bytes at `offset`; *done is less only at the end of the file. */
    bool (*read)(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                 size_t *done, CnError *error);
    /* Writes all of it or fails. `offset` is ignored in append mode. */
    bool (*write)(CnFileSystem *fs, CnFile *file, uint64_t offset, const void *bytes, size_t size,
                  CnError *error);
    bool (*sync)(CnFileSystem *fs, CnFile *file, CnError *error); /* to stable storage */
    bool (*truncate)(CnFileSystem *fs, CnFile *file, uint64_t size, CnError *error);
    bool (*info)(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error);
    bool (*rename)(CnFileSystem *fs, const char *from, const char *to, CnError *error);
    bool (*remove)(CnFileSystem *fs, const char *path, CnError *error); /* file or empty folder */
    /* Creates the folder and its parents; an existing one is fine. */
    bool (*make_folder)(CnFileSystem *fs, const char *path, CnError *error);
    /* Visits the names in a folder in byte order, without "." and "..". Stops when visit returns
     * false. */
    bool (*list)(CnFileSystem *fs, const char *path,
                 bool (*visit)(const char *name, bool is_directory, void *user), void *user,
                 CnError *error);
    /* What a write to `path` would replace. Folders, sockets, block devices and files that may not be
     * written are refused. NULL: every path stands for a regular file. */
    bool (*find_target)(CnFileSystem *fs, const char *path, CnFileTarget *target, CnError *error);
    /* Gives a new file the permissions of the one that it is to replace, and its owner where the
     * process may do that. NULL: there are no permissions. */
    bool (*copy_attributes)(CnFileSystem *fs, CnFile *file, const CnFileTarget *from,
                            CnError *error);
};

/* The operating system's files. */
CN_API CnFileSystem *cn_native_files(void);

typedef struct CnFileBytes {
    uint8_t *data; /* `size` bytes and a terminating zero that is not counted */
    size_t size;
    CnAllocator *allocator;
} CnFileBytes;

/* Reads a whole file of at most 1 GiB. On failure *bytes is empty. */
CN_API bool cn_file_read_all(CnFileSystem *fs, const char *path, CnAllocator *allocator,
                             CnFileBytes *bytes, CnError *error);
CN_API void cn_file_bytes_free(CnFileBytes *bytes);
/* Replaces the content of a file. A regular file is replaced as a whole: a temporary file is written
 * beside it, synced and renamed over it, so that after a crash the old or the new content is there,
 * never a mix. The new file has the permissions of the old one; other hard links keep the old content.
 * A symbolic link stays, and the file that it leads to is replaced. A pipe or a character device is
 * written to; a pipe that nothing reads is refused. Folders, sockets, block devices and files that may
 * not be written are refused, and so is a path whose folder does not exist. */
CN_API bool cn_file_write_all(CnFileSystem *fs, const char *path, const void *bytes, size_t size,
                              CnError *error);

/* Makes the folder in which the file is to be, with its parents. */
CN_API bool cn_file_make_folder_of(CnFileSystem *fs, const char *path, CnError *error);
/* Fails with CN_ERROR_NOT_FOUND if the folder in which the file is to be does not exist. Programs call
 * it before long work whose result they write. */
CN_API bool cn_file_check_folder_of(CnFileSystem *fs, const char *path, CnError *error);

/* ---- For those who make a file system of their own ---- */

/* Fills the error with "cannot <action> '<path>': <reason>" and returns false. Of a long path the end
 * is shown. */
CN_API bool cn_file_refuse(CnError *error, CnErrorCode code, const char *action, const char *path,
                           const char *reason);
/* The same with the code and the reason of an errno. */
CN_API bool cn_file_refuse_errno(CnError *error, const char *action, const char *path,
                                 int error_number);
/* A native file from a descriptor that was opened for this mode; `path` is for messages. It owns the
 * descriptor, unless the call fails. */
CN_API bool cn_native_file_adopt(int descriptor, CnFileMode mode, const char *path, CnFile **file,
                                 CnError *error);

CN_EXTERN_C_END

#endif
