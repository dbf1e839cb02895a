/*
 * Zip archives: the check of their directory, and PhysicsFS behind it. An archive is refused, or
 * all of its files can be listed, and read or refused.
 */
#include "fuzz_surface.h"
#include "zip_file.h"

#include "vfs/zip_directory.h"

#include <cairn/vfs.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_BYTES = 1024, MAX_FILES = 64 };

static const char *const words[] = {"PK\1\2", "PK\3\4", "PK\5\6", "PK\6\7", "../",
                                    "a/",     "//",     "\\",     "a/b/c/", NULL};

/* A file "a" of forty 'x', deflated. */
static const uint8_t deflated[] = {
    80, 75, 3, 4, 20, 0, 0, 0,  8,  0,   0,   0,  33,  0, 240, 113, 26, 196, 6,  0,  0, 0,
    40, 0,  0, 0, 1,  0, 0, 0,  97, 171, 168, 32, 14,  0, 0,   80,  75, 1,   2,  20, 0, 20,
    0,  0,  0, 8, 0,  0, 0, 33, 0,  240, 113, 26, 196, 6, 0,   0,   0,  40,  0,  0,  0, 1,
    0,  0,  0, 0, 0,  0, 0, 0,  0,  0,   0,   0,  0,   0, 0,   0,   0,  97,  80, 75, 5, 6,
    0,  0,  0, 0, 1,  0, 1, 0,  47, 0,   0,   0,  37,  0, 0,   0,   0,  0};

static void add_seeds(FuzzSeeds *seeds)
{
    static const ZipEntry entries[] = {
        {"a/b/c.txt", "some text", false},
        {"a/d.txt", "more", false},
        {"e", "", false},
        {"f/", "", false},
        {"link", "a/d.txt", true},
    };
    uint8_t bytes[MAX_BYTES];
    for (uint32_t i = 1; i <= CN_COUNT_OF(entries); i += 2)
        fuzz_add(seeds, bytes, zip_make(entries, i, bytes, sizeof bytes));
    fuzz_add(seeds, deflated, sizeof deflated);
}

typedef struct Listing {
    CnFileSystem *files;
    char folder[CN_VFS_PATH_BYTES];
    uint32_t *left; /* files to read */
    uint32_t depth;
} Listing;

static bool read_listed(const char *name, bool is_directory, void *user)
{
    const Listing *above = user;
    Listing below = *above;
    CnFileBytes bytes;
    if (!cn_format(below.folder, sizeof below.folder, "%s%s%s", above->folder,
                   above->depth ? "/" : "", name) ||
        !(*above->left)--)
        return false;
    FUZZ_CHECK(cn_vfs_path_valid(cn_text(below.folder), NULL));
    below.depth++;
    FUZZ_CHECK(below.depth <= CNI_VFS_ZIP_MAX_DEPTH);
    if (is_directory)
        below.files->list(below.files, below.folder, read_listed, &below, NULL);
    else if (cn_file_read_all(below.files, below.folder, NULL, &bytes, NULL))
        cn_file_bytes_free(&bytes);
    return *above->left > 0;
}

static bool run(const uint8_t *bytes, size_t size)
{
    static int descriptor = -1;
    static CnVfs *vfs; /* kept: starting PhysicsFS takes time */
    static char path[64];
    if (!vfs) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
        vfs = cn_vfs_create(NULL, NULL);
        FUZZ_CHECK(descriptor >= 0 && vfs);
        cn_format(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    CnError error = {0};
    FUZZ_CHECK(ftruncate(descriptor, 0) == 0);
    FUZZ_CHECK(pwrite(descriptor, bytes, size, 0) == (ssize_t)size);
    bool accepted = cn_vfs_mount(vfs, "zip", path, CN_MOUNT_READ, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    if (!accepted)
        return false;
    uint32_t left = MAX_FILES;
    Listing root = {.files = cn_vfs_files(vfs), .folder = "zip://", .left = &left};
    root.files->list(root.files, root.folder, read_listed, &root, NULL);
    FUZZ_CHECK(cn_vfs_unmount(vfs, "zip", NULL));
    return true;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = MAX_BYTES, .words = words, .add_seeds = add_seeds, .run = run};
