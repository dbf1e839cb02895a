/* Internals shared by the files of vfs. */
#ifndef CAIRN_SRC_VFS_VFS_INTERNAL_H
#define CAIRN_SRC_VFS_VFS_INTERNAL_H

#include <cairn/vfs.h>

#include <stdatomic.h>

/* ---- virtual_path.c ---- */

/* A valid virtual path, split into its parts. */
typedef struct CniVfsPath {
    const char *whole;
    CnText scheme;
    const char *rest; /* within `whole`; "" is the root of the scheme */
} CniVfsPath;

bool cni_vfs_path_split(const char *path, CniVfsPath *split, CnError *error);
bool cni_vfs_part_valid(CnText part);
bool cni_vfs_scheme_valid(CnText scheme);

/* ---- listing.c: names from several folders ---- */

typedef struct CniVfsListing {
    CnArena names;
    CN_ARRAY(struct CniVfsListingEntry) entries;
} CniVfsListing;

void cni_vfs_listing_init(CniVfsListing *listing, CnAllocator *allocator);
void cni_vfs_listing_fini(CniVfsListing *listing);
/* Ignores names that no virtual path can contain. Returns false when out of memory. */
bool cni_vfs_listing_add(CniVfsListing *listing, const char *name, bool is_directory);
/* Visits the names in byte order; a name that was added several times is visited once, as first
 * added. */
void cni_vfs_listing_visit(CniVfsListing *listing,
                           bool (*visit)(const char *name, bool is_directory, void *user),
                           void *user);

/* ---- mount_folder.c: below the descriptor of a folder; symbolic links are never followed ---- */

bool cni_vfs_folder_open_file(int folder, const CniVfsPath *path, CnFileMode mode, CnFile **file,
                              CnError *error);
bool cni_vfs_folder_info(int folder, const CniVfsPath *path, CnFileInfo *info, CnError *error);
bool cni_vfs_folder_list(int folder, const CniVfsPath *path, CniVfsListing *listing,
                         CnError *error);
bool cni_vfs_folder_rename(int folder, const CniVfsPath *from, const CniVfsPath *to,
                           CnError *error);
bool cni_vfs_folder_remove(int folder, const CniVfsPath *path, CnError *error);
bool cni_vfs_folder_find_write_target(int folder, const CniVfsPath *path, CnFileWriteTarget *target,
                                      CnError *error);
bool cni_vfs_folder_make(int folder, const CniVfsPath *path, CnError *error);

/* ---- mount_archive.c: PhysicsFS ---- */

#define CNI_VFS_ARCHIVE_NAME_BYTES 32u

typedef struct CniVfsArchiveFile CniVfsArchiveFile; /* an open file of an archive */

/* Reference-counted: each acquire needs a release. */
bool cni_vfs_physfs_acquire(CnError *error);
void cni_vfs_physfs_release(void);

/* Generates a name that is unique in the process. */
bool cni_vfs_archive_mount(const char *native, const CnBudget *budget, CnAllocator *allocator,
                           char *name, CnError *error);
void cni_vfs_archive_unmount(const char *name);
bool cni_vfs_archive_open_file(const char *name, const CniVfsPath *path, CnAllocator *allocator,
                               CniVfsArchiveFile **file, CnError *error);
void cni_vfs_archive_close_file(CniVfsArchiveFile *file);
bool cni_vfs_archive_read(CniVfsArchiveFile *file, uint64_t offset, void *bytes, size_t size,
                          size_t *done, CnError *error);
bool cni_vfs_archive_info(const char *name, const CniVfsPath *path, CnFileInfo *info,
                          CnError *error);
bool cni_vfs_archive_list(const char *name, const CniVfsPath *path, CniVfsListing *listing,
                          CnError *error);

#endif
