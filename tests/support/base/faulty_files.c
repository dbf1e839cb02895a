#include "faulty_files.h"

#include <string.h>

static FaultyFiles *faulty_of(CnFileSystem *fs)
{
    return (FaultyFiles *)fs;
}

/* Counts the operation; false when it is the one to fail. */
static bool let_pass(CnFileSystem *fs, FaultyOperation operation, CnError *error)
{
    FaultyFiles *faulty = faulty_of(fs);
    uint32_t of_kind = faulty->seen[operation]++;
    uint32_t of_all = faulty->seen[FAULT_ANY]++;
    uint32_t number = faulty->operation == FAULT_ANY ? of_all : of_kind;
    bool is_watched = faulty->operation == operation || faulty->operation == FAULT_ANY;
    bool is_cut = faulty->has_failed && faulty->kind == FAULT_POWER_CUT;
    if (!is_cut && (!is_watched || number != faulty->nth))
        return true;
    faulty->has_failed = true;
    return cn_error_set(error, CN_ERROR_IO, "injected fault");
}

static bool faulty_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                        CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    *file = NULL;
    if (!let_pass(fs, FAULT_OPEN, error) || !under->open(under, path, mode, file, error))
        return false;
    faulty_of(fs)->open_files++;
    return true;
}

static void faulty_close(CnFileSystem *fs, CnFile *file)
{
    CnFileSystem *under = faulty_of(fs)->under;
    if (file)
        faulty_of(fs)->open_files--;
    under->close(under, file);
}

static bool faulty_read(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                        size_t *done, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    *done = 0;
    return let_pass(fs, FAULT_READ, error) &&
           under->read(under, file, offset, bytes, size, done, error);
}

static bool faulty_write(CnFileSystem *fs, CnFile *file, uint64_t offset, const void *bytes,
                         size_t size, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    bool was_cut = faulty_of(fs)->has_failed && faulty_of(fs)->kind == FAULT_POWER_CUT;
    if (let_pass(fs, FAULT_WRITE, error))
        return under->write(under, file, offset, bytes, size, error);
    if (!was_cut)
        under->write(under, file, offset, bytes, size / 2, NULL);
    return false;
}

static bool faulty_sync(CnFileSystem *fs, CnFile *file, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_SYNC, error) && under->sync(under, file, error);
}

static bool faulty_truncate(CnFileSystem *fs, CnFile *file, uint64_t size, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_TRUNCATE, error) && under->truncate(under, file, size, error);
}

static bool faulty_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_INFO, error) && under->info(under, path, info, error);
}

static bool faulty_rename(CnFileSystem *fs, const char *from, const char *to, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_RENAME, error) && under->rename(under, from, to, error);
}

static bool faulty_remove(CnFileSystem *fs, const char *path, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_REMOVE, error) && under->remove(under, path, error);
}

static bool faulty_make_folder(CnFileSystem *fs, const char *path, CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_MAKE_FOLDER, error) && under->make_folder(under, path, error);
}

static bool faulty_list(CnFileSystem *fs, const char *path,
                        bool (*visit)(const char *name, bool is_directory, void *user), void *user,
                        CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_LIST, error) && under->list(under, path, visit, user, error);
}

static bool faulty_find_target(CnFileSystem *fs, const char *path, CnFileWriteTarget *target,
                               CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_FIND_TARGET, error) &&
           under->find_write_target(under, path, target, error);
}

static bool faulty_copy_attributes(CnFileSystem *fs, CnFile *file, const CnFileWriteTarget *from,
                                   CnError *error)
{
    CnFileSystem *under = faulty_of(fs)->under;
    return let_pass(fs, FAULT_COPY_ATTRIBUTES, error) &&
           under->copy_attributes(under, file, from, error);
}

void faulty_files_init(FaultyFiles *faulty, CnFileSystem *under)
{
    *faulty = (FaultyFiles){
        .files =
            {
                .open = faulty_open,
                .close = faulty_close,
                .read = faulty_read,
                .write = faulty_write,
                .sync = faulty_sync,
                .truncate = faulty_truncate,
                .info = faulty_info,
                .rename = faulty_rename,
                .remove = faulty_remove,
                .make_folder = faulty_make_folder,
                .list = faulty_list,
                .find_write_target = faulty_find_target,
                .copy_attributes = faulty_copy_attributes,
            },
        .under = under,
    };
}

void faulty_files_fail(FaultyFiles *faulty, FaultyOperation operation, uint32_t nth, FaultKind kind)
{
    faulty->operation = operation;
    faulty->kind = kind;
    faulty->nth = nth;
    faulty->has_failed = false;
    memset(faulty->seen, 0, sizeof faulty->seen);
}
