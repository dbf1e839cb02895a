#include "cut_disk.h"

#include <cairn/sim/random.h>

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 16, MAX_NODES = 64, SECTOR_BYTES = 512 };

typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

/* A write since the last sync; without bytes, a truncation to `offset`. */
typedef struct Change {
    size_t offset, size;
    uint8_t *bytes;
} Change;

/* The content of a file, whatever its name. */
typedef struct Node {
    bool is_used;
    bool syncs_folder; /* with its first sync */
    Bytes current, synced;
    Change *changes;
    size_t change_count, change_capacity;
    uint32_t open_count;
} Node;

typedef struct Name {
    char path[512];
    int current, durable; /* nodes; -1: none */
} Name;

struct CutDisk {
    sqlite3_vfs vfs; /* first */
    char name[48];
    pthread_mutex_t lock;
    CnRandom random;
    Name names[MAX_NAMES];
    Node nodes[MAX_NODES];
    uint64_t changes, cut_at, dropped_bytes;
    bool is_cut;
    DiskFault fault;
    uint64_t skip, fail, calls;
};

typedef struct DiskFile {
    sqlite3_file base; /* first */
    CutDisk *disk;
    int node;
} DiskFile;

static void *must(void *block)
{
    if (!block)
        abort();
    return block;
}

/* ---- Bytes ---- */

static void resize(Bytes *bytes, size_t size)
{
    if (size > bytes->capacity) {
        bytes->capacity = size + size / 2 + 4096;
        bytes->data = must(realloc(bytes->data, bytes->capacity));
    }
    if (size > bytes->size)
        memset(bytes->data + bytes->size, 0, size - bytes->size);
    bytes->size = size;
}

static void store_bytes(Bytes *bytes, size_t offset, const uint8_t *from, size_t size)
{
    if (offset + size > bytes->size)
        resize(bytes, offset + size);
    memcpy(bytes->data + offset, from, size);
}

static void copy_bytes(Bytes *to, const Bytes *from)
{
    to->size = 0;
    resize(to, from->size);
    if (from->size)
        memcpy(to->data, from->data, from->size);
}

/* ---- Nodes and names ---- */

static void forget_changes(Node *node)
{
    for (size_t i = 0; i < node->change_count; i++)
        free(node->changes[i].bytes);
    node->change_count = 0;
}

static void release_node(Node *node)
{
    forget_changes(node);
    free(node->changes);
    free(node->current.data);
    free(node->synced.data);
    *node = (Node){0};
}

static void collect_nodes(CutDisk *disk)
{
    for (int i = 0; i < MAX_NODES; i++) {
        bool is_named = disk->nodes[i].open_count > 0;
        for (int k = 0; k < MAX_NAMES; k++)
            is_named |= disk->names[k].path[0] &&
                        (disk->names[k].current == i || disk->names[k].durable == i);
        if (disk->nodes[i].is_used && !is_named)
            release_node(&disk->nodes[i]);
    }
}

static int new_node(CutDisk *disk)
{
    collect_nodes(disk);
    for (int i = 0; i < MAX_NODES; i++) {
        if (!disk->nodes[i].is_used) {
            disk->nodes[i].is_used = true;
            return i;
        }
    }
    abort();
}

static Name *find_name(CutDisk *disk, const char *path)
{
    for (int i = 0; i < MAX_NAMES; i++)
        if (strcmp(disk->names[i].path, path) == 0)
            return &disk->names[i];
    return NULL;
}

static Name *find_or_add_name(CutDisk *disk, const char *path)
{
    Name *name = find_name(disk, path);
    for (int i = 0; i < MAX_NAMES && !name; i++) {
        if (!disk->names[i].path[0]) {
            name = &disk->names[i];
            snprintf(name->path, sizeof name->path, "%s", path);
            name->current = name->durable = -1;
        }
    }
    return must(name);
}

static void sync_folder(CutDisk *disk)
{
    for (int i = 0; i < MAX_NAMES; i++)
        disk->names[i].durable = disk->names[i].current;
}

/* ---- Faults ---- */

/* Whether this call fails. The caller holds the lock. */
static bool fails(CutDisk *disk, DiskFault kind)
{
    if (disk->is_cut)
        return true;
    if (disk->fault != kind && disk->fault != DISK_FAULT_ANY)
        return false;
    uint64_t call = disk->calls++;
    return call >= disk->skip && call - disk->skip < disk->fail;
}

/* Counts a call that changes something. Returns whether the power is gone. */
static bool is_gone(CutDisk *disk)
{
    disk->changes++;
    if (disk->cut_at && disk->changes >= disk->cut_at)
        disk->is_cut = true;
    return disk->is_cut;
}

/* ---- Files ---- */

static Node *lock_node(sqlite3_file *file)
{
    DiskFile *own = (DiskFile *)file;
    pthread_mutex_lock(&own->disk->lock);
    return &own->disk->nodes[own->node];
}

static int unlock(sqlite3_file *file, int code)
{
    pthread_mutex_unlock(&((DiskFile *)file)->disk->lock);
    return code;
}

static void add_change(Node *node, size_t offset, const void *bytes, size_t size)
{
    if (node->change_count == node->change_capacity) {
        node->change_capacity = node->change_capacity * 2 + 16;
        node->changes = must(realloc(node->changes, node->change_capacity * sizeof *node->changes));
    }
    Change *change = &node->changes[node->change_count++];
    *change = (Change){offset, size, NULL};
    if (size) {
        change->bytes = must(malloc(size));
        memcpy(change->bytes, bytes, size);
    }
}

static int disk_close(sqlite3_file *file)
{
    lock_node(file)->open_count--;
    return unlock(file, SQLITE_OK);
}

static int disk_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    CutDisk *disk = ((DiskFile *)file)->disk;
    Node *node = lock_node(file);
    if (fails(disk, DISK_FAULT_READ))
        return unlock(file, SQLITE_IOERR_READ);
    size_t at = (size_t)offset, wanted = (size_t)size;
    size_t there = at < node->current.size ? node->current.size - at : 0;
    if (there > wanted)
        there = wanted;
    if (disk->fault != DISK_FAULT_ANY && fails(disk, DISK_FAULT_SHORT_READ))
        there /= 2;
    if (there)
        memcpy(bytes, node->current.data + at, there);
    memset((uint8_t *)bytes + there, 0, wanted - there);
    return unlock(file, there < wanted ? SQLITE_IOERR_SHORT_READ : SQLITE_OK);
}

static int disk_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    CutDisk *disk = ((DiskFile *)file)->disk;
    Node *node = lock_node(file);
    size_t at = (size_t)offset, wanted = (size_t)size;
    bool extends = at + wanted > node->current.size;
    int code = SQLITE_OK;
    if (fails(disk, DISK_FAULT_WRITE)) {
        code = SQLITE_IOERR_WRITE;
        wanted /= 2;
    } else if (disk->fault != DISK_FAULT_ANY && extends && fails(disk, DISK_FAULT_FULL)) {
        code = SQLITE_FULL;
        wanted /= 2;
    }
    if (is_gone(disk)) /* the write may still arrive in part */
        code = SQLITE_IOERR_WRITE;
    if (wanted) {
        add_change(node, at, bytes, wanted);
        store_bytes(&node->current, at, bytes, wanted);
    }
    return unlock(file, code);
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    CutDisk *disk = ((DiskFile *)file)->disk;
    Node *node = lock_node(file);
    if (fails(disk, DISK_FAULT_WRITE) || is_gone(disk))
        return unlock(file, SQLITE_IOERR_TRUNCATE);
    add_change(node, (size_t)size, NULL, 0);
    resize(&node->current, (size_t)size);
    return unlock(file, SQLITE_OK);
}

static int disk_sync(sqlite3_file *file, int flags)
{
    (void)flags;
    CutDisk *disk = ((DiskFile *)file)->disk;
    Node *node = lock_node(file);
    if (fails(disk, DISK_FAULT_SYNC) || is_gone(disk))
        return unlock(file, SQLITE_IOERR_FSYNC);
    copy_bytes(&node->synced, &node->current);
    forget_changes(node);
    if (node->syncs_folder)
        sync_folder(disk);
    node->syncs_folder = false;
    return unlock(file, SQLITE_OK);
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)lock_node(file)->current.size;
    return unlock(file, SQLITE_OK);
}

static int disk_lock(sqlite3_file *file, int level)
{
    (void)file, (void)level;
    return SQLITE_OK;
}

static int disk_is_reserved(sqlite3_file *file, int *result)
{
    (void)file;
    *result = 0;
    return SQLITE_OK;
}

static int disk_control(sqlite3_file *file, int operation, void *argument)
{
    (void)file, (void)operation, (void)argument;
    return SQLITE_NOTFOUND;
}

static int disk_sector(sqlite3_file *file)
{
    (void)file;
    return SECTOR_BYTES;
}

static int disk_device(sqlite3_file *file)
{
    (void)file;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE; /* as SQLite's own VFS assumes */
}

static const sqlite3_io_methods methods = {.iVersion = 1,
                                           .xClose = disk_close,
                                           .xRead = disk_read,
                                           .xWrite = disk_write,
                                           .xTruncate = disk_truncate,
                                           .xSync = disk_sync,
                                           .xFileSize = disk_size,
                                           .xLock = disk_lock,
                                           .xUnlock = disk_lock,
                                           .xCheckReservedLock = disk_is_reserved,
                                           .xFileControl = disk_control,
                                           .xSectorSize = disk_sector,
                                           .xDeviceCharacteristics = disk_device};

/* ---- The VFS ---- */

static int open_node(CutDisk *disk, const char *path, int flags)
{
    Name *name = find_or_add_name(disk, path);
    if (name->current >= 0)
        return name->current;
    if (!(flags & SQLITE_OPEN_CREATE) || is_gone(disk))
        return -1;
    name->current = new_node(disk);
    int kinds = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
    disk->nodes[name->current].syncs_folder = (flags & kinds) != 0;
    return name->current;
}

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                     int *out_flags)
{
    CutDisk *disk = (CutDisk *)vfs;
    DiskFile *own = (DiskFile *)file;
    *own = (DiskFile){.disk = disk};
    pthread_mutex_lock(&disk->lock);
    int node =
        fails(disk, DISK_FAULT_OPEN) ? -1 : open_node(disk, path ? path : "temporary", flags);
    if (node >= 0) {
        own->base.pMethods = &methods;
        own->node = node;
        disk->nodes[node].open_count++;
        if (out_flags)
            *out_flags = flags;
    }
    return unlock(file, node >= 0 ? SQLITE_OK : SQLITE_CANTOPEN);
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int syncs)
{
    CutDisk *disk = (CutDisk *)vfs;
    pthread_mutex_lock(&disk->lock);
    Name *name = find_name(disk, path);
    int code = SQLITE_OK;
    if (fails(disk, DISK_FAULT_WRITE) || is_gone(disk)) {
        code = SQLITE_IOERR_DELETE;
    } else if (!name || name->current < 0) {
        code = SQLITE_IOERR_DELETE_NOENT;
    } else {
        name->current = -1;
        if (syncs)
            sync_folder(disk);
        collect_nodes(disk);
    }
    pthread_mutex_unlock(&disk->lock);
    return code;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
    (void)flags;
    CutDisk *disk = (CutDisk *)vfs;
    pthread_mutex_lock(&disk->lock);
    Name *name = find_name(disk, path);
    *result = name && name->current >= 0;
    int code = disk->is_cut ? SQLITE_IOERR_ACCESS : SQLITE_OK;
    pthread_mutex_unlock(&disk->lock);
    return code;
}

static int disk_full_path(sqlite3_vfs *vfs, const char *path, int size, char *full)
{
    (void)vfs;
    snprintf(full, (size_t)size, "%s", path);
    return SQLITE_OK;
}

static int disk_random(sqlite3_vfs *vfs, int size, char *bytes)
{
    CutDisk *disk = (CutDisk *)vfs;
    pthread_mutex_lock(&disk->lock);
    for (int i = 0; i < size; i++)
        bytes[i] = (char)cn_random_below(&disk->random, 256);
    pthread_mutex_unlock(&disk->lock);
    return size;
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return microseconds;
}

static int disk_time(sqlite3_vfs *vfs, double *now)
{
    (void)vfs;
    *now = 2460000.5;
    return SQLITE_OK;
}

CutDisk *cut_disk_create(uint64_t seed)
{
    static int number;
    CutDisk *disk = must(calloc(1, sizeof *disk));
    disk->random = cn_random_make(seed, "disk");
    pthread_mutex_init(&disk->lock, NULL);
    snprintf(disk->name, sizeof disk->name, "cut-disk-%d", number++);
    disk->vfs = (sqlite3_vfs){.iVersion = 1,
                              .szOsFile = sizeof(DiskFile),
                              .mxPathname = 511,
                              .zName = disk->name,
                              .xOpen = disk_open,
                              .xDelete = disk_delete,
                              .xAccess = disk_access,
                              .xFullPathname = disk_full_path,
                              .xRandomness = disk_random,
                              .xSleep = disk_sleep,
                              .xCurrentTime = disk_time};
    if (sqlite3_vfs_register(&disk->vfs, 0) != SQLITE_OK)
        abort();
    return disk;
}

void cut_disk_destroy(CutDisk *disk)
{
    sqlite3_vfs_unregister(&disk->vfs);
    for (int i = 0; i < MAX_NODES; i++)
        release_node(&disk->nodes[i]);
    pthread_mutex_destroy(&disk->lock);
    free(disk);
}

const char *cut_disk_name(const CutDisk *disk)
{
    return disk->name;
}

/* ---- Cuts ---- */

typedef enum Loss { LOSE_ALL, KEEP_ALL, KEEP_FIRST, KEEP_SOME_WRITES, KEEP_SOME_SECTORS } Loss;

static bool chance(CutDisk *disk, uint32_t percent)
{
    return cn_random_below(&disk->random, 100) < percent;
}

static void keep_sectors(CutDisk *disk, Bytes *to, const Change *change, uint32_t percent)
{
    for (size_t at = 0; at < change->size;) {
        size_t end = (change->offset + at) / SECTOR_BYTES * SECTOR_BYTES + SECTOR_BYTES;
        size_t size = end - change->offset - at;
        if (size > change->size - at)
            size = change->size - at;
        size_t kept = chance(disk, percent) ? size : 0;
        if (kept && chance(disk, 2)) /* torn within the sector */
            kept = cn_random_below(&disk->random, (uint32_t)size);
        if (kept)
            store_bytes(to, change->offset + at, change->bytes + at, kept);
        disk->dropped_bytes += size - kept;
        at += size;
    }
}

static void keep_change(CutDisk *disk, Bytes *to, const Change *change, uint32_t percent)
{
    if (change->bytes)
        keep_sectors(disk, to, change, percent);
    else
        resize(to, change->offset);
}

static void shuffle(CutDisk *disk, Node *node)
{
    for (size_t i = node->change_count; i > 1; i--) {
        size_t k = cn_random_below(&disk->random, (uint32_t)i);
        Change other = node->changes[i - 1];
        node->changes[i - 1] = node->changes[k];
        node->changes[k] = other;
    }
}

/* Sets the node to what survives. */
static void lose(CutDisk *disk, Node *node)
{
    Loss loss = (Loss)cn_random_below(&disk->random, 5);
    size_t count = node->change_count;
    if (loss == KEEP_FIRST)
        count = cn_random_below(&disk->random, (uint32_t)count + 1);
    if ((loss == KEEP_SOME_WRITES || loss == KEEP_SOME_SECTORS) && chance(disk, 50))
        shuffle(disk, node);
    for (size_t i = 0; i < node->change_count; i++) {
        bool kept = loss == KEEP_ALL || (loss == KEEP_FIRST && i < count) ||
                    (loss == KEEP_SOME_WRITES && chance(disk, 50)) || loss == KEEP_SOME_SECTORS;
        bool is_last = i + 1 == node->change_count && disk->is_cut;
        uint32_t percent = loss == KEEP_SOME_SECTORS || is_last ? 50 : 100;
        if (kept)
            keep_change(disk, &node->synced, &node->changes[i], percent);
        else
            disk->dropped_bytes += node->changes[i].size;
    }
    forget_changes(node);
    copy_bytes(&node->current, &node->synced);
}

void cut_disk_cut_after(CutDisk *disk, uint64_t calls)
{
    pthread_mutex_lock(&disk->lock);
    disk->cut_at = calls ? disk->changes + calls : 0;
    pthread_mutex_unlock(&disk->lock);
}

bool cut_disk_is_cut(CutDisk *disk)
{
    pthread_mutex_lock(&disk->lock);
    bool is_cut = disk->is_cut;
    pthread_mutex_unlock(&disk->lock);
    return is_cut;
}

void cut_disk_reboot(CutDisk *disk)
{
    pthread_mutex_lock(&disk->lock);
    for (int i = 0; i < MAX_NAMES; i++) {
        Name *name = &disk->names[i];
        if (name->current != name->durable && chance(disk, 50))
            name->current = name->durable;
        name->durable = name->current;
    }
    collect_nodes(disk);
    for (int i = 0; i < MAX_NODES; i++)
        if (disk->nodes[i].is_used)
            lose(disk, &disk->nodes[i]);
    disk->cut_at = 0;
    disk->is_cut = false;
    disk->fault = DISK_FAULT_NONE;
    pthread_mutex_unlock(&disk->lock);
}

void cut_disk_set_file(CutDisk *disk, const char *path, const void *bytes, size_t size)
{
    pthread_mutex_lock(&disk->lock);
    memset(disk->names, 0, sizeof disk->names);
    Name *name = find_or_add_name(disk, path);
    name->current = name->durable = new_node(disk);
    Node *node = &disk->nodes[name->current];
    store_bytes(&node->current, 0, bytes, size);
    copy_bytes(&node->synced, &node->current);
    pthread_mutex_unlock(&disk->lock);
}

void cut_disk_fail(CutDisk *disk, DiskFault fault, uint64_t skip, uint64_t count)
{
    pthread_mutex_lock(&disk->lock);
    disk->fault = fault;
    disk->skip = skip;
    disk->fail = count;
    disk->calls = 0;
    pthread_mutex_unlock(&disk->lock);
}

uint64_t cut_disk_calls(CutDisk *disk)
{
    pthread_mutex_lock(&disk->lock);
    uint64_t calls = disk->calls;
    pthread_mutex_unlock(&disk->lock);
    return calls;
}

uint64_t cut_disk_changes(CutDisk *disk)
{
    pthread_mutex_lock(&disk->lock);
    uint64_t changes = disk->changes;
    pthread_mutex_unlock(&disk->lock);
    return changes;
}

uint64_t cut_disk_dropped_bytes(CutDisk *disk)
{
    pthread_mutex_lock(&disk->lock);
    uint64_t bytes = disk->dropped_bytes;
    pthread_mutex_unlock(&disk->lock);
    return bytes;
}
