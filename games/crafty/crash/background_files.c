#include "background_files.h"

#include "crash_folder.h"

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/memory.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define FILES 8u
#define FLUSH_ROUNDS 50u

typedef enum Operation { OPEN, WRITE, CLOSE, REMOVE } Operation;

/* A record of the ring, followed by `size` bytes: a path or data. */
typedef struct Record {
    uint32_t operation, file, size;
} Record;

/* Of the thread that writes into the ring. */
struct CnFile {
    uint32_t number;
    bool is_open;
    uint64_t size;
};

/* The positions count bytes; the ring holds those from `tail` to `head`. */
struct CraftyBackgroundFiles {
    CnFileSystem files; /* first */
    struct CnFile opened[FILES];
    uint8_t *ring;
    _Atomic uint64_t head, tail;
    atomic_bool is_over;
    pthread_t thread;
    bool has_thread;
    int descriptors[FILES]; /* of the background thread; -1: none */
    uint8_t *data;          /* of the record that it processes */
};

/* ---- The ring ---- */

static void copy_in(CraftyBackgroundFiles *files, uint64_t at, const void *bytes, size_t size)
{
    size_t offset = (size_t)(at % CRAFTY_BACKGROUND_RING_BYTES);
    size_t first = CRAFTY_BACKGROUND_RING_BYTES - offset;
    first = first < size ? first : size;
    memcpy(files->ring + offset, bytes, first);
    memcpy(files->ring, (const uint8_t *)bytes + first, size - first);
}

static void copy_out(const CraftyBackgroundFiles *files, uint64_t at, void *bytes, size_t size)
{
    size_t offset = (size_t)(at % CRAFTY_BACKGROUND_RING_BYTES);
    size_t first = CRAFTY_BACKGROUND_RING_BYTES - offset;
    first = first < size ? first : size;
    memcpy(bytes, files->ring + offset, first);
    memcpy((uint8_t *)bytes + first, files->ring, size - first);
}

static bool push(CraftyBackgroundFiles *files, Record record, const void *bytes)
{
    uint64_t head = atomic_load_explicit(&files->head, memory_order_relaxed);
    uint64_t used = head - atomic_load_explicit(&files->tail, memory_order_acquire);
    if (used + sizeof record + record.size > CRAFTY_BACKGROUND_RING_BYTES)
        return false;
    copy_in(files, head, &record, sizeof record);
    if (record.size > 0)
        copy_in(files, head + sizeof record, bytes, record.size);
    atomic_store_explicit(&files->head, head + sizeof record + record.size, memory_order_release);
    return true;
}

/* ---- The background thread ---- */

static void write_data(CraftyBackgroundFiles *files, const Record *record)
{
    int *descriptor = &files->descriptors[record->file];
    for (size_t done = 0; *descriptor >= 0 && done < record->size;) {
        ssize_t written = write(*descriptor, files->data + done, record->size - done);
        if (written >= 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            CN_LOG_WARNING("crafty", "the recording of the last minute ends: %s", strerror(errno));
            close(*descriptor);
            *descriptor = -1;
        }
    }
}

static void process(CraftyBackgroundFiles *files, const Record *record)
{
    int *descriptor = &files->descriptors[record->file];
    const char *path = (const char *)files->data; /* with its terminator */
    if (record->operation == WRITE) {
        write_data(files, record);
    } else if (record->operation == OPEN) {
        *descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (*descriptor < 0)
            CN_LOG_WARNING("crafty", "cannot record the last minute in '%s': %s", path,
                           strerror(errno));
    } else if (record->operation == CLOSE && *descriptor >= 0) {
        close(*descriptor);
        *descriptor = -1;
    } else if (record->operation == REMOVE) {
        unlink(path);
    }
}

static void process_all(CraftyBackgroundFiles *files)
{
    uint64_t tail = atomic_load_explicit(&files->tail, memory_order_relaxed);
    while (tail != atomic_load_explicit(&files->head, memory_order_acquire)) {
        Record record;
        copy_out(files, tail, &record, sizeof record);
        copy_out(files, tail + sizeof record, files->data, record.size);
        process(files, &record);
        tail += sizeof record + record.size;
        atomic_store_explicit(&files->tail, tail, memory_order_release);
    }
}

static void *run(void *user)
{
    CraftyBackgroundFiles *files = user;
    while (!atomic_load(&files->is_over)) {
        process_all(files);
        cn_clock_sleep_ns(CRAFTY_BACKGROUND_MS * 1000000ull);
    }
    process_all(files);
    return NULL;
}

/* ---- Functions of the file system ---- */

static bool full(CnError *error)
{
    return cn_error_set(error, CN_ERROR_LIMIT, "the disk is too slow for the recording");
}

static bool open_file(CnFileSystem *system, const char *path, CnFileMode mode, CnFile **file,
                      CnError *error)
{
    CraftyBackgroundFiles *files = (CraftyBackgroundFiles *)system;
    CN_ASSERT(mode == CN_FILE_WRITE, "files in the background are written");
    for (uint32_t i = 0; i < FILES; i++) {
        if (files->opened[i].is_open)
            continue;
        if (!push(files, (Record){OPEN, i, (uint32_t)strlen(path) + 1}, path))
            return full(error);
        files->opened[i] = (CnFile){.number = i, .is_open = true};
        *file = &files->opened[i];
        return true;
    }
    return cn_error_set(error, CN_ERROR_LIMIT, "more than %u files in the background", FILES);
}

/* Without room in the ring, the descriptor is reused by the next file of this number. */
static void close_file(CnFileSystem *system, CnFile *file)
{
    CraftyBackgroundFiles *files = (CraftyBackgroundFiles *)system;
    push(files, (Record){CLOSE, file->number, 0}, "");
    file->is_open = false;
}

static bool write_file(CnFileSystem *system, CnFile *file, uint64_t offset, const void *bytes,
                       size_t size, CnError *error)
{
    CraftyBackgroundFiles *files = (CraftyBackgroundFiles *)system;
    CN_ASSERT(offset == file->size, "files in the background are written in order");
    if (size > CRAFTY_BACKGROUND_FILE_BYTES - file->size)
        return cn_error_set(error, CN_ERROR_LIMIT, "the recording has %u MiB",
                            CRAFTY_BACKGROUND_FILE_BYTES >> 20);
    if (size > CRAFTY_BACKGROUND_RING_BYTES ||
        !push(files, (Record){WRITE, file->number, (uint32_t)size}, bytes))
        return full(error);
    file->size += size;
    return true;
}

bool crafty_background_files_remove(CraftyBackgroundFiles *files, const char *path)
{
    return push(files, (Record){REMOVE, 0, (uint32_t)strlen(path) + 1}, path);
}

void crafty_background_files_flush(void *user)
{
    CraftyBackgroundFiles *files = user;
    if (pthread_equal(pthread_self(), files->thread)) {
        process_all(files); /* it crashed itself; what it was doing is done again */
        return;
    }
    for (uint32_t i = 0; i < FLUSH_ROUNDS && atomic_load(&files->tail) != atomic_load(&files->head);
         i++)
        nanosleep(&(struct timespec){.tv_nsec = CRAFTY_BACKGROUND_MS * 1000000l}, NULL);
}

/* ---- Creation ---- */

CraftyBackgroundFiles *crafty_background_files_create(CnError *error)
{
    CnAllocator *allocator = cn_system_allocator();
    CraftyBackgroundFiles *files = cn_alloc_zeroed(allocator, sizeof *files);
    if (!files) {
        cn_error_memory(error, "files in the background");
        return NULL;
    }
    files->files = (CnFileSystem){.open = open_file, .close = close_file, .write = write_file};
    for (uint32_t i = 0; i < FILES; i++)
        files->descriptors[i] = -1;
    files->ring = cn_alloc(allocator, CRAFTY_BACKGROUND_RING_BYTES);
    files->data = cn_alloc(allocator, CRAFTY_BACKGROUND_RING_BYTES);
    if (files->ring && files->data)
        files->has_thread = pthread_create(&files->thread, NULL, run, files) == 0;
    if (files->has_thread) {
        pthread_setname_np(files->thread, "last-minute");
        return files;
    }
    cn_error_set(error, CN_ERROR_MEMORY, "cannot start a thread for files in the background");
    crafty_background_files_destroy(files);
    return NULL;
}

void crafty_background_files_destroy(CraftyBackgroundFiles *files)
{
    if (!files)
        return;
    atomic_store(&files->is_over, true);
    if (files->has_thread)
        pthread_join(files->thread, NULL);
    for (uint32_t i = 0; i < FILES; i++)
        if (files->descriptors[i] >= 0)
            close(files->descriptors[i]);
    cn_free(cn_system_allocator(), files->ring, CRAFTY_BACKGROUND_RING_BYTES);
    cn_free(cn_system_allocator(), files->data, CRAFTY_BACKGROUND_RING_BYTES);
    cn_free(cn_system_allocator(), files, sizeof *files);
}

CnFileSystem *crafty_background_files_cn(CraftyBackgroundFiles *files)
{
    return &files->files;
}
