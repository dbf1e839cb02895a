#include "plugin/elf_table.h"

#include <cairn/plugin.h>
#include <cairn/sim.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PATH_BYTES 512u
#define MAX_LIBRARY_BYTES (256 << 20)

typedef struct Library {
    void *handle;
    int file; /* the copy; kept open as long as the library, so that each has a unique path */
    const CnPluginTable *table;
} Library;

typedef struct Loaded {
    char path[MAX_PATH_BYTES];
    char name[CN_MAX_NAME_BYTES];
    int64_t modified_ns;
    Library library;
    CnError reload_error; /* why the newest library is not in use; CN_OK: it is */
} Loaded;

struct CnPluginHost {
    CnSim *sim;
    CnAllocator *allocator;
    CN_ARRAY(Loaded *) loaded; /* in order of loading */
};

/* ---- Opening a library ---- */

/* Returns why a file must not be loaded: somebody else could change what this process executes.
 * The user's own group may write, because it usually has no other member. NULL: it may. */
static const char *reason_to_distrust(const struct stat *status)
{
    if (!S_ISREG(status->st_mode))
        return "it is not a regular file";
    if (status->st_uid != geteuid() && status->st_uid != 0)
        return "it belongs to another user";
    bool is_open = status->st_mode & 002 || (status->st_mode & 020 && status->st_gid != getegid());
    return is_open ? "others may write to it" : NULL;
}

static bool read_bytes(int file, uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(file, bytes + done, size - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return false;
    }
    return true;
}

static bool read_open_file(int file, const char *path, CnAllocator *allocator, CnFileBytes *bytes,
                           CnError *error)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return cn_file_set_errno(error, "load", path, errno);
    const char *reason = reason_to_distrust(&status);
    if (reason)
        return cn_file_set_error(error, CN_ERROR_PERMISSION, "load", path, reason);
    if (status.st_size > MAX_LIBRARY_BYTES)
        return cn_file_set_error(error, CN_ERROR_LIMIT, "load", path, "it is larger than 256 MiB");
    bytes->size = (size_t)status.st_size;
    bytes->data = cn_alloc(allocator, bytes->size + 1);
    if (!bytes->data)
        return cn_error_memory(error, "%s", path);
    return read_bytes(file, bytes->data, bytes->size) ||
           cn_file_set_error(error, CN_ERROR_IO, "load", path, "it changes while it is read");
}

static bool read_library(const char *path, CnAllocator *allocator, CnFileBytes *bytes,
                         CnError *error)
{
    *bytes = (CnFileBytes){.allocator = allocator};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return cn_file_set_errno(error, "load", path, errno);
    bool ok = read_open_file(file, path, allocator, bytes, error);
    close(file);
    if (!ok)
        cn_file_bytes_free(bytes);
    return ok;
}

/* The library is opened from a copy in memory, because the dynamic linker treats the same file
 * as the same library even if its content has changed, and a compiler may write to the file
 * while its code runs. The copy has the bytes that were checked, and nobody can change it. Returns
 * -1 and an error when it cannot be made. */
static int copy_to_memory(const CnFileBytes *bytes, const char *path, CnError *error)
{
    int file = memfd_create("cairn-plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    size_t written = 0;
    while (file >= 0 && written < bytes->size) {
        ssize_t n = write(file, bytes->data + written, bytes->size - written);
        if (n <= 0 && errno != EINTR)
            break;
        written += n > 0 ? (size_t)n : 0;
    }
    if (file >= 0 && written == bytes->size &&
        fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return file;
    if (file >= 0)
        close(file);
    cn_error_set(error, CN_ERROR_IO, "%s: out of memory for a copy", path);
    return -1;
}

static bool check_head(const CniPluginTableHead *head, const char *path, CnError *error)
{
    if (head->size < offsetof(CnPluginTable, plugin) || head->abi != CN_PLUGIN_ABI)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "%s was compiled for plugin interface %u; this program has %u", path,
                            head->abi, CN_PLUGIN_ABI);
    if (head->size != sizeof(CnPluginTable) || head->sizes != CN_PLUGIN_SIZES)
        return cn_error_set(
            error, CN_ERROR_VERSION,
            "%s was compiled with different headers of the same interface; compile it "
            "again",
            path);
    if (head->guards != CNI_PLUGIN_GUARDS)
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s was compiled %s guards, this program %s",
                            path, head->guards ? "with" : "without",
                            head->guards ? "without" : "with");
    return true;
}

/* The table in memory, after the dynamic linker and the library's constructors have run. */
static bool check_table(const CnPluginTable *table, const char *path, CnError *error)
{
    const CniPluginTableHead head = {table->size, table->abi, table->sizes, table->guards};
    if (!check_head(&head, path, error))
        return false;
    const char *name = table->plugin.name;
    if (!name || !name[0] || strlen(name) >= CN_MAX_NAME_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "%s has no name of 1 to %u bytes", path,
                            CN_MAX_NAME_BYTES - 1);
    return true;
}

/* Reads and checks the library before any of its code can run. Returns a copy of it; -1 and an
 * error when it must not be loaded. */
static int open_checked(const char *path, CnAllocator *allocator, CnError *error)
{
    CnFileBytes bytes;
    CniPluginTableHead head;
    if (!read_library(path, allocator, &bytes, error))
        return -1;
    int file = cni_plugin_read_table(bytes.data, bytes.size, path, &head, error) &&
                       check_head(&head, path, error)
                   ? copy_to_memory(&bytes, path, error)
                   : -1;
    cn_file_bytes_free(&bytes);
    return file;
}

static void close_library(Library *library)
{
    if (library->handle) {
        dlclose(library->handle);
        close(library->file);
    }
    *library = (Library){0};
}

static bool open_library(const char *path, CnAllocator *allocator, Library *library, CnError *error)
{
    char place[64];
    *library = (Library){0};
    int file = open_checked(path, allocator, error);
    if (file < 0)
        return false;
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    library->handle = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    library->file = file;
    if (!library->handle) {
        const char *why = dlerror();
        close(file);
        return cn_error_set(error, CN_ERROR_FORMAT, "%s cannot be loaded: %s", path,
                            why ? why : "the linker gives no reason");
    }
    library->table = dlsym(library->handle, "cn_plugin_table");
    if (!library->table)
        cn_error_set(error, CN_ERROR_NOT_FOUND,
                     "%s has no symbol cn_plugin_table: it is not a plugin", path);
    if (!library->table || !check_table(library->table, path, error)) {
        close_library(library);
        return false;
    }
    return true;
}

/* ---- The host ---- */

CnPluginHost *cn_plugin_host_create(CnSim *sim, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CnAllocator *allocator = cn_sim_allocator(sim);
    CnPluginHost *host = cn_alloc_zeroed(allocator, sizeof *host);
    if (!host) {
        cn_error_memory(error, "a plugin host");
        return NULL;
    }
    host->sim = sim;
    host->allocator = allocator;
    cn_array_init(&host->loaded, allocator);
    return host;
}

static void forget(CnPluginHost *host, Loaded *loaded)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < host->loaded.count; i++)
        if (host->loaded.items[i] != loaded)
            host->loaded.items[n++] = host->loaded.items[i];
    host->loaded.count = n;
    close_library(&loaded->library);
    cn_free(host->allocator, loaded, sizeof *loaded);
}

void cn_plugin_host_destroy(CnPluginHost *host)
{
    if (!host)
        return;
    /* In reverse order of loading, so that no plugin is removed before those that need it. */
    while (host->loaded.count) {
        Loaded *last = host->loaded.items[host->loaded.count - 1];
        cn_sim_remove_plugin(host->sim, last->name, NULL);
        forget(host, last);
    }
    cn_array_fini(&host->loaded);
    cn_free(host->allocator, host, sizeof *host);
}

static Loaded *find(const CnPluginHost *host, const char *name)
{
    for (uint32_t i = 0; i < host->loaded.count; i++)
        if (!strcmp(host->loaded.items[i]->name, name))
            return host->loaded.items[i];
    return NULL;
}

static int64_t modified_ns(const char *path)
{
    CnFileInfo info;
    return cn_native_files()->info(cn_native_files(), path, &info, NULL) ? info.modified_ns : 0;
}

bool cn_plugin_load(CnPluginHost *host, const char *path, CnError *error)
{
    CN_ASSERT(host, "%s: host is NULL", __func__);
    if (strlen(path) >= MAX_PATH_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of a plugin is too long");
    Loaded *loaded = cn_alloc_zeroed(host->allocator, sizeof *loaded);
    if (!loaded || !cn_array_reserve(&host->loaded, (uint64_t)host->loaded.count + 1)) {
        cn_free(host->allocator, loaded, sizeof *loaded);
        return cn_error_memory(error, "%s", path);
    }
    cn_copy_text(loaded->path, sizeof loaded->path, cn_text(path));
    loaded->modified_ns = modified_ns(path);
    if (!open_library(path, host->allocator, &loaded->library, error)) {
        cn_free(host->allocator, loaded, sizeof *loaded);
        return false;
    }
    const CnPlugin *plugin = &loaded->library.table->plugin;
    cn_copy_text(loaded->name, sizeof loaded->name, cn_text(plugin->name));
    if (!cn_sim_add_plugin(host->sim, plugin, error)) {
        forget(host, loaded);
        return false;
    }
    host->loaded.items[host->loaded.count++] = loaded;
    return true;
}

bool cn_plugin_unload(CnPluginHost *host, const char *name, CnError *error)
{
    CN_ASSERT(host, "%s: host is NULL", __func__);
    Loaded *loaded = find(host, name);
    if (!loaded)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "no plugin named %s is loaded", name);
    if (!cn_sim_remove_plugin(host->sim, name, error))
        return false;
    forget(host, loaded);
    return true;
}

/* ---- Reloading ---- */

/* Keeps the old library until the new one is known to be valid. */
static bool replace(CnPluginHost *host, Loaded *loaded, CnError *error)
{
    Library fresh;
    if (!open_library(loaded->path, host->allocator, &fresh, error))
        return false;
    if (strcmp(fresh.table->plugin.name, loaded->name)) {
        cn_error_set(error, CN_ERROR_MISMATCH, "%s now contains plugin %s instead of %s",
                     loaded->path, fresh.table->plugin.name, loaded->name);
        close_library(&fresh);
        return false;
    }
    if (cn_sim_replace_plugin(host->sim, &fresh.table->plugin, error)) {
        close_library(&loaded->library);
        loaded->library = fresh;
        return true;
    }
    close_library(&fresh);
    if (!cn_sim_has_plugin(host->sim, loaded->name))
        forget(host, loaded);
    return false;
}

static bool is_loaded(const CnPluginHost *host, const Loaded *loaded)
{
    for (uint32_t i = 0; i < host->loaded.count; i++)
        if (host->loaded.items[i] == loaded)
            return true;
    return false;
}

static bool reload(CnPluginHost *host, Loaded *loaded, CnError *error)
{
    CnError wrong = {0};
    bool done = replace(host, loaded, &wrong);
    if (is_loaded(host, loaded)) /* the simulation may have lost it */
        loaded->reload_error = wrong;
    if (!done && error)
        *error = wrong;
    return done;
}

bool cn_plugin_reload(CnPluginHost *host, const char *name, CnError *error)
{
    CN_ASSERT(host, "%s: host is NULL", __func__);
    Loaded *loaded = find(host, name);
    if (!loaded)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "no plugin named %s is loaded", name);
    loaded->modified_ns = modified_ns(loaded->path);
    return reload(host, loaded, error);
}

uint32_t cn_plugin_reload_changed(CnPluginHost *host, CnError *error)
{
    CN_ASSERT(host, "%s: host is NULL", __func__);
    uint32_t reloaded = 0;
    for (uint32_t i = host->loaded.count; i-- > 0;) {
        Loaded *loaded = host->loaded.items[i];
        int64_t modified = modified_ns(loaded->path);
        if (!modified || modified == loaded->modified_ns)
            continue;
        loaded->modified_ns = modified;
        reloaded += reload(host, loaded, error);
    }
    return reloaded;
}

/* ---- Status ---- */

uint32_t cn_plugin_errors(const CnPluginHost *host, CnError *errors, uint32_t capacity)
{
    CN_ASSERT(host, "%s: host is NULL", __func__);
    CN_ASSERT(errors || !capacity, "%s: errors is NULL", __func__);
    uint32_t count = 0;
    for (uint32_t i = 0; i < host->loaded.count && count < capacity; i++)
        if (host->loaded.items[i]->reload_error.code)
            errors[count++] = host->loaded.items[i]->reload_error;
    return count;
}

const char *cn_plugin_path(const CnPluginHost *host, uint32_t index)
{
    CN_ASSERT(host, "%s: host is NULL", __func__);
    return index < host->loaded.count ? host->loaded.items[index]->path : NULL;
}
