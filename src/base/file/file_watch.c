/*
 * File watching with inotify. Each watched folder has an entry with its path below a root; an
 * inode that is reached through several roots has one inotify number and several entries.
 */
#include <cairn/base/array.h>
#include <cairn/base/assert.h>
#include <cairn/base/file.h>
#include <cairn/base/file_watch.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETTLE_MS 20u
#define LONGEST_MS 500u
#define NS_PER_MS UINT64_C(1000000)
#define EVENT_BYTES 16384u
#define MAX_READS 64u /* per poll */

#define CHANGED (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
#define WATCHED (CHANGED | IN_CREATE | IN_ONLYDIR | IN_EXCL_UNLINK)

typedef struct Root {
    int folder; /* a descriptor */
    bool is_recursive;
    char *path, *prefix;
} Root;

typedef struct Folder {
    int number; /* of inotify */
    uint32_t root;
    uint32_t depth;
    char *path; /* below the root, "" or with a '/' at the end */
} Folder;

struct CnFileWatch {
    CnAllocator *allocator;
    int notify; /* descriptor */
    uint64_t settle_ns, longest_ns;
    CN_ARRAY(Root) roots;
    CN_ARRAY(Folder) folders;
    CnNames pending, reported;
    CN_ARRAY(const char *) paths; /* of `reported` */
    uint32_t dropped;
    uint64_t now_ns, first_ns, last_ns; /* of this poll, and of pending changes */
};

/* ---- Texts ---- */

static char *copy(CnFileWatch *watch, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *made = cn_alloc(watch->allocator, bytes);
    if (made)
        memcpy(made, text, bytes);
    return made;
}

static void drop_text(CnFileWatch *watch, char *text)
{
    if (text)
        cn_free(watch->allocator, text, strlen(text) + 1);
}

/* ---- Changes ---- */

static void add_change(CnFileWatch *watch, const Folder *folder, const char *name)
{
    char path[CN_FILE_PATH_BYTES];
    if (name[0] == '.' || !cn_format(path, sizeof path, "%s%s%s",
                                     watch->roots.items[folder->root].prefix, folder->path, name))
        return;
    if (!watch->pending.texts.count)
        watch->first_ns = watch->now_ns;
    watch->last_ns = watch->now_ns;
    CnText text = cn_text(path);
    bool is_full = watch->pending.texts.count >= CN_FILE_WATCH_MAX_CHANGES &&
                   !cn_name_find(&watch->pending, text).id;
    if (is_full || !cn_name_from_text(&watch->pending, text).id)
        watch->dropped++;
}

/* ---- Folders ---- */

static bool fail(const CnFileWatch *watch, uint32_t root, const char *path, int error_number,
                 CnError *error)
{
    char whole[CN_FILE_PATH_BYTES];
    cn_format(whole, sizeof whole, "%s/%s", watch->roots.items[root].path, path);
    if (error_number == ENOSPC)
        return cn_file_set_error(error, CN_ERROR_LIMIT, "watch", whole,
                                 "the operating system allows no more watches; raise "
                                 "fs.inotify.max_user_watches with sysctl");
    return cn_file_set_errno(error, "watch", whole, error_number);
}

static bool is_watched(const CnFileWatch *watch, uint32_t root, const char *path)
{
    for (uint32_t i = 0; i < watch->folders.count; i++)
        if (watch->folders.items[i].root == root && !strcmp(watch->folders.items[i].path, path))
            return true;
    return false;
}

/* Watches the folder behind a descriptor; does nothing if it is already watched. */
static bool add_folder(CnFileWatch *watch, int descriptor, Folder folder, CnError *error)
{
    char link[32];
    if (is_watched(watch, folder.root, folder.path))
        return true;
    if (watch->folders.count >= CN_FILE_WATCH_MAX_FOLDERS)
        return cn_error_set(error, CN_ERROR_LIMIT, "more than %u folders are watched",
                            CN_FILE_WATCH_MAX_FOLDERS);
    cn_format(link, sizeof link, "/proc/self/fd/%d", descriptor);
    folder.path = copy(watch, folder.path);
    if (!folder.path || !cn_array_reserve(&watch->folders, (uint64_t)watch->folders.count + 1)) {
        drop_text(watch, folder.path);
        return cn_error_memory(error, "watching folders");
    }
    folder.number = inotify_add_watch(watch->notify, link, WATCHED);
    if (folder.number < 0) {
        int reason = errno;
        fail(watch, folder.root, folder.path, reason, error);
        drop_text(watch, folder.path);
        return false;
    }
    watch->folders.items[watch->folders.count++] = folder;
    return true;
}

static bool is_folder(int parent, const struct dirent *entry)
{
    struct stat status;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(parent, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

static bool add_tree(CnFileWatch *watch, int parent, const char *name, const Folder *folder,
                     bool is_reported, CnError *error);

/* Visits the entries of a folder. With `is_reported`, its files count as changed. */
static bool visit(CnFileWatch *watch, DIR *opened, const Folder *folder, bool is_reported,
                  CnError *error)
{
    bool ok = true;
    for (const struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) {
        char path[CN_FILE_PATH_BYTES];
        if (entry->d_name[0] == '.')
            continue;
        if (!is_folder(dirfd(opened), entry)) {
            if (is_reported && entry->d_type != DT_LNK)
                add_change(watch, folder, entry->d_name);
        } else if (watch->roots.items[folder->root].is_recursive &&
                   cn_format(path, sizeof path, "%s%s/", folder->path, entry->d_name)) {
            Folder below = {.root = folder->root, .depth = folder->depth + 1, .path = path};
            ok = add_tree(watch, dirfd(opened), entry->d_name, &below, is_reported, error) && ok;
        }
    }
    return ok;
}

/* Watches a folder and those below it. A folder that is gone meanwhile is no error. */
static bool add_tree(CnFileWatch *watch, int parent, const char *name, const Folder *folder,
                     bool is_reported, CnError *error)
{
    if (folder->depth > CN_FILE_WATCH_MAX_DEPTH)
        return cn_error_set(error, CN_ERROR_LIMIT, "%s: folders deeper than %u are not watched",
                            folder->path, CN_FILE_WATCH_MAX_DEPTH);
    int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ||
               fail(watch, folder->root, folder->path, errno, error);
    bool ok = add_folder(watch, descriptor, *folder, error);
    DIR *opened = fdopendir(descriptor);
    if (!opened) {
        int reason = errno;
        close(descriptor);
        return fail(watch, folder->root, folder->path, reason, error);
    }
    ok = visit(watch, opened, folder, is_reported, error) && ok;
    closedir(opened);
    return ok;
}

static bool add_root_tree(CnFileWatch *watch, uint32_t root, bool is_reported, CnError *error)
{
    char path[] = "";
    const Folder folder = {.root = root, .path = path};
    return add_tree(watch, watch->roots.items[root].folder, ".", &folder, is_reported, error);
}

static void drop_folder(CnFileWatch *watch, uint32_t index)
{
    drop_text(watch, watch->folders.items[index].path);
    watch->folders.items[index] = watch->folders.items[--watch->folders.count];
}

static void drop_number(CnFileWatch *watch, int number)
{
    for (uint32_t i = watch->folders.count; i-- > 0;)
        if (watch->folders.items[i].number == number)
            drop_folder(watch, i);
}

static void drop_folders(CnFileWatch *watch)
{
    while (watch->folders.count) {
        inotify_rm_watch(watch->notify, watch->folders.items[0].number);
        drop_folder(watch, 0);
    }
}

/* Drops a folder that was moved away, with everything below it. */
static void drop_tree(CnFileWatch *watch, uint32_t root, const char *path)
{
    size_t size = strlen(path);
    for (uint32_t i = watch->folders.count; i-- > 0;) {
        const Folder *folder = &watch->folders.items[i];
        int number = folder->number;
        if (folder->root != root || strncmp(folder->path, path, size))
            continue;
        drop_folder(watch, i);
        bool is_used = false;
        for (uint32_t k = 0; k < watch->folders.count; k++)
            is_used |= watch->folders.items[k].number == number;
        if (!is_used)
            inotify_rm_watch(watch->notify, number);
    }
}

/* ---- Events ---- */

static void warn(const CnError *error)
{
    CN_LOG_WARNING("base", "%s", error->message);
}

/* A subfolder appeared, or is gone. */
static void take_folder_event(CnFileWatch *watch, Folder parent, const struct inotify_event *event)
{
    char path[CN_FILE_PATH_BYTES];
    CnError error = {0};
    const Root *root = &watch->roots.items[parent.root];
    if (!root->is_recursive || event->name[0] == '.' ||
        !cn_format(path, sizeof path, "%s%s/", parent.path, event->name))
        return;
    if (event->mask & (IN_DELETE | IN_MOVED_FROM)) {
        drop_tree(watch, parent.root, path);
        return;
    }
    const Folder folder = {.root = parent.root, .depth = parent.depth + 1, .path = path};
    if (!add_tree(watch, root->folder, path, &folder, true, &error))
        warn(&error);
}

static void take_event(CnFileWatch *watch, const struct inotify_event *event)
{
    if (event->mask & IN_IGNORED) {
        drop_number(watch, event->wd);
        return;
    }
    if (!event->len)
        return;
    /* Folders that are added meanwhile come at the end, and dropping moves only later ones. */
    for (uint32_t i = watch->folders.count; i-- > 0;) {
        if (i >= watch->folders.count || watch->folders.items[i].number != event->wd)
            continue;
        if (event->mask & IN_ISDIR)
            take_folder_event(watch, watch->folders.items[i], event);
        else if (event->mask & CHANGED)
            add_change(watch, &watch->folders.items[i], event->name);
    }
}

/* The operating system lost events: folders may be new, and any file may have changed. */
static void take_overflow(CnFileWatch *watch)
{
    CN_LOG_WARNING("base", "too many files changed at once; all watched files count as changed");
    drop_folders(watch); /* some may be gone */
    for (uint32_t i = 0; i < watch->roots.count; i++) {
        CnError error = {0};
        if (!add_root_tree(watch, i, true, &error))
            warn(&error);
    }
}

static void read_events(CnFileWatch *watch)
{
    _Alignas(struct inotify_event) char bytes[EVENT_BYTES];
    for (uint32_t n = 0; n < MAX_READS; n++) {
        ssize_t size = read(watch->notify, bytes, sizeof bytes);
        if (size <= 0)
            return;
        for (const char *at = bytes; at < bytes + size;) {
            const struct inotify_event *event = (const void *)at;
            if (event->mask & IN_Q_OVERFLOW)
                take_overflow(watch);
            else
                take_event(watch, event);
            at += sizeof *event + event->len;
        }
    }
}

/* ---- Interface ---- */

CnFileWatch *cn_file_watch_create(const CnFileWatchDesc *desc, CnError *error)
{
    CnFileWatchDesc options = desc ? *desc : (CnFileWatchDesc){0};
    CnFileWatch *watch = cn_alloc_zeroed(options.allocator, sizeof *watch);
    if (!watch) {
        cn_error_memory(error, "a file watch");
        return NULL;
    }
    watch->allocator = options.allocator;
    watch->settle_ns = NS_PER_MS * (options.settle_ms ? options.settle_ms : SETTLE_MS);
    watch->longest_ns = NS_PER_MS * (options.longest_ms ? options.longest_ms : LONGEST_MS);
    cn_array_init(&watch->roots, options.allocator);
    cn_array_init(&watch->folders, options.allocator);
    cn_array_init(&watch->paths, options.allocator);
    cn_names_init(&watch->pending, options.allocator);
    cn_names_init(&watch->reported, options.allocator);
    watch->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch->notify >= 0)
        return watch;
    cn_error_set(error, CN_ERROR_LIMIT, "files cannot be watched: %s; %s", strerror(errno),
                 "raise fs.inotify.max_user_instances with sysctl");
    cn_free(options.allocator, watch, sizeof *watch);
    return NULL;
}

static void drop_roots(CnFileWatch *watch)
{
    for (uint32_t i = 0; i < watch->roots.count; i++) {
        close(watch->roots.items[i].folder);
        drop_text(watch, watch->roots.items[i].path);
        drop_text(watch, watch->roots.items[i].prefix);
    }
    cn_array_clear(&watch->roots);
}

void cn_file_watch_clear(CnFileWatch *watch)
{
    CN_ASSERT(watch, "%s: watch is NULL", __func__);
    drop_folders(watch);
    drop_roots(watch);
    cn_names_fini(&watch->pending);
    watch->dropped = 0;
}

void cn_file_watch_destroy(CnFileWatch *watch)
{
    if (!watch)
        return;
    cn_file_watch_clear(watch);
    close(watch->notify);
    cn_names_fini(&watch->reported);
    cn_array_fini(&watch->paths);
    cn_array_fini(&watch->folders);
    cn_array_fini(&watch->roots);
    cn_free(watch->allocator, watch, sizeof *watch);
}

static bool make_root(CnFileWatch *watch, const CnWatchedFolder *folder, const char *prefix,
                      CnError *error)
{
    Root root = {.is_recursive = folder->is_recursive,
                 .path = copy(watch, folder->path),
                 .prefix = copy(watch, prefix)};
    root.folder = open(folder->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root.folder < 0)
        cn_file_set_errno(error, "watch", folder->path, errno);
    else if (root.path && root.prefix && cn_array_push(&watch->roots, root))
        return true;
    else
        cn_error_memory(error, "watching folders");
    if (root.folder >= 0)
        close(root.folder);
    drop_text(watch, root.path);
    drop_text(watch, root.prefix);
    return false;
}

bool cn_file_watch_add(CnFileWatch *watch, const CnWatchedFolder *folder, CnError *error)
{
    CN_ASSERT(watch, "%s: watch is NULL", __func__);
    CN_ASSERT(folder && folder->path, "%s: the path is NULL", __func__);
    char prefix[CN_FILE_PATH_BYTES];
    if (!cn_format(prefix, sizeof prefix, folder->prefix ? "%s" : "%s/",
                   folder->prefix ? folder->prefix : folder->path))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "watch", folder->path,
                                 "its path is too long");
    for (uint32_t i = 0; i < watch->roots.count; i++)
        if (!strcmp(watch->roots.items[i].path, folder->path) &&
            !strcmp(watch->roots.items[i].prefix, prefix))
            return true;
    return make_root(watch, folder, prefix, error) &&
           add_root_tree(watch, watch->roots.count - 1, false, error);
}

uint32_t cn_file_watch_folder_count(const CnFileWatch *watch)
{
    CN_ASSERT(watch, "%s: watch is NULL", __func__);
    return watch->folders.count;
}

/* Makes what is pending the report. */
static bool report(CnFileWatch *watch, CnFileChanges *changes)
{
    cn_array_clear(&watch->paths);
    if (!cn_array_reserve(&watch->paths, watch->pending.texts.count))
        return false; /* in the next poll */
    cn_names_fini(&watch->reported);
    watch->reported = watch->pending;
    cn_names_init(&watch->pending, watch->allocator);
    for (uint32_t i = 0; i < watch->reported.texts.count; i++)
        watch->paths.items[watch->paths.count++] = watch->reported.texts.items[i].data;
    *changes = (CnFileChanges){watch->paths.items, watch->paths.count, watch->dropped};
    watch->dropped = 0;
    return true;
}

bool cn_file_watch_poll(CnFileWatch *watch, uint64_t now_ns, CnFileChanges *changes)
{
    CN_ASSERT(watch, "%s: watch is NULL", __func__);
    CN_ASSERT(changes, "%s: changes is NULL", __func__);
    *changes = (CnFileChanges){0};
    watch->now_ns = now_ns;
    read_events(watch);
    if (!watch->pending.texts.count || (now_ns - watch->last_ns < watch->settle_ns &&
                                        now_ns - watch->first_ns < watch->longest_ns))
        return false;
    return report(watch, changes);
}
