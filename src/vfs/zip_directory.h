/*
 * Checks the directory of a zip archive before PhysicsFS reads it: archives come from outside, and
 * PhysicsFS spends memory for each part of each path and time quadratic in their number.
 */
#ifndef CAIRN_SRC_VFS_ZIP_DIRECTORY_H
#define CAIRN_SRC_VFS_ZIP_DIRECTORY_H

#include <cairn/base/error.h>
#include <cairn/base/memory.h>
#include <cairn/base/origin.h>

#define CNI_VFS_ZIP_MAX_ENTRIES 16384u /* files and folders, including folders only in paths */
#define CNI_VFS_ZIP_MAX_DEPTH 32u

/* Returns false and an error that names `path` if the file is not a zip archive, is damaged or
 * exceeds a limit. The budget limits the unpacked bytes of all files. */
bool cni_vfs_zip_check(int descriptor, uint64_t size, const char *path, const CnBudget *budget,
                       CnAllocator *allocator, CnError *error);

#endif
