/* Internals shared by the files that implement native file access. */
#ifndef CAIRN_SRC_BASE_FILE_NATIVE_FILES_H
#define CAIRN_SRC_BASE_FILE_NATIVE_FILES_H

#include <cairn/base/file.h>

/* Rejects paths that are NULL, empty or too long. */
bool cni_base_native_check_path(const char *path, const char *action, CnError *error);
/* The find_write_target function of the native file system. */
bool cni_base_native_find_write_target(CnFileSystem *fs, const char *path,
                                       CnFileWriteTarget *target, CnError *error);
/* Writes all bytes to a pipe or device that was opened with O_NONBLOCK. Fails when the reader
 * closes it, or reads nothing for ten seconds; no signal is raised. */
bool cni_base_native_write_stream(int descriptor, const char *path, const void *bytes, size_t size,
                                  CnError *error);

#endif
