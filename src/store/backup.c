/* Copies of an open store: written under a temporary name, synced, then renamed. */
#include "store/store_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static bool sync_path(const char *path, int flags)
{
    int descriptor = open(path, flags | O_CLOEXEC);
    bool done = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return done;
}

static bool sync_folder_of(const char *path)
{
    char folder[CN_STORE_PATH_BYTES];
    cn_copy_text(folder, sizeof folder, cn_text(path));
    char *slash = strrchr(folder, '/');
    if (!slash)
        return sync_path(".", O_RDONLY | O_DIRECTORY);
    slash[slash == folder] = '\0';
    return sync_path(folder, O_RDONLY | O_DIRECTORY);
}

bool cni_store_copy_begin(const char *path, char *temporary, size_t temporary_bytes, CnError *error)
{
    if (access(path, F_OK) == 0)
        return cn_file_set_error(error, CN_ERROR_EXISTS, "write", path, "it already exists");
    if (!cn_format(temporary, temporary_bytes, "%s.part", path))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", path, "the path is too long");
    if (unlink(temporary) && errno != ENOENT) /* of an interrupted copy */
        return cn_file_set_errno(error, "replace", temporary, errno);
    return true;
}

bool cni_store_copy_end(const char *temporary, const char *path, CnError *error)
{
    /* link fails if the name was taken meanwhile; rename would replace that file. */
    bool done = sync_path(temporary, O_RDWR) &&
                (link(temporary, path) == 0 ? unlink(temporary) == 0
                                            : errno != EEXIST && rename(temporary, path) == 0) &&
                sync_folder_of(path);
    return done || cn_file_set_errno(error, "write", path, errno);
}

static bool copy_all(CnStore *store, const char *path, CnStoreProgress progress, void *user,
                     CnError *error)
{
    void *copy = NULL;
    uint64_t done_pages = 0, total_pages = 0;
    bool done = false, is_canceled = false;
    while (!done) {
        pthread_mutex_lock(&store->lock);
        bool ok = store->backend->copy_step(store->connection, path, &copy, is_canceled,
                                            &done_pages, &total_pages, &done, error);
        pthread_mutex_unlock(&store->lock);
        if (!ok)
            return false;
        if (is_canceled)
            return cn_file_set_error(error, CN_ERROR_LIMIT, "write", path, "it was canceled");
        is_canceled = !done && progress && !progress(done_pages, total_pages, user);
    }
    return true;
}

bool cni_store_copy(CnStore *store, const char *path, CnStoreProgress progress, void *user,
                    CnError *error)
{
    char temporary[CN_STORE_PATH_BYTES + 8];
    if (!cni_store_copy_begin(path, temporary, sizeof temporary, error))
        return false;
    if (copy_all(store, temporary, progress, user, error) &&
        cni_store_copy_end(temporary, path, error))
        return true;
    unlink(temporary);
    return false;
}

bool cn_store_backup(CnStore *store, const char *path, CnStoreProgress progress, void *user,
                     CnError *error)
{
    CN_ASSERT(store && path, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    return cni_store_copy(store, path, progress, user, error);
}
