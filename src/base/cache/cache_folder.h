/* Files in a private folder, by the descriptor of the folder: opened only if they belong to the
 * user, replaced atomically. Symbolic links are never followed. */
#ifndef CAIRN_SRC_BASE_CACHE_CACHE_FOLDER_H
#define CAIRN_SRC_BASE_CACHE_CACHE_FOLDER_H

#include <cairn/base/error.h>

#include <sys/uio.h>

typedef enum CniBasePublishMode {
    CNI_BASE_PUBLISH_REPLACE, /* an existing file is replaced */
    CNI_BASE_PUBLISH_NEW      /* fails with EEXIST; the content is synced before it gets its name */
} CniBasePublishMode;

/* Writes the path of the user's cache folder. Fails if neither XDG_CACHE_HOME nor HOME is an
 * absolute path. */
bool cni_base_cache_folder_path(char *path, size_t path_bytes, CnError *error);
/* Opens a folder, creating it and its parents for the user only. Returns a descriptor; -1 and an
 * error if it cannot be created, is a link, belongs to another user or may be written by others. */
int cni_base_private_folder_open(const char *path, CnError *error);
/* Opens a regular file for reading. Returns a descriptor; -1 if it is missing, with *reason NULL,
 * or if it must not be used, with the reason. */
int cni_base_private_file_open(int folder, const char *name, uint64_t *size, const char **reason);
/* Reads exactly `size` bytes. */
bool cni_base_private_file_read(int file, void *bytes, size_t size);
/* Writes a file that only the user may read. It gets its name when it is complete. Returns 0 or an
 * error number. */
int cni_base_private_file_publish(int folder, const char *name, const struct iovec *parts,
                                  int part_count, CniBasePublishMode mode);
/* The same on file systems without unnamed files. */
int cni_base_private_file_publish_named(int folder, const char *name, const struct iovec *parts,
                                        int part_count, CniBasePublishMode mode);

#endif
