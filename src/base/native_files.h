/* What the files of native file access share. */
#ifndef CAIRN_BASE_NATIVE_FILES_H
#define CAIRN_BASE_NATIVE_FILES_H

#include <cairn/base/file.h>

/* Refuses paths that are NULL, empty or too long. */
bool cni_native_check_path(const char *path, const char *action, CnError *error);
/* find_target of the native file system. */
bool cni_native_find_target(CnFileSystem *fs, const char *path, CnFileTarget *target,
                            CnError *error);
/* Writes all bytes to a pipe or device that was opened with O_NONBLOCK. Fails when its reader goes, or
 * takes nothing for ten seconds; a reader that goes raises no signal. */
bool cni_native_write_stream(int descriptor, const char *path, const void *bytes, size_t size,
                             CnError *error);

#endif
