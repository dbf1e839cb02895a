/* test-labels: slow */
/*
 * Faults while worlds are created, renamed, copied, backed up, restored, deleted, compacted and
 * repaired: whichever system call or allocation fails, once or from then on, the world is there
 * under one of its names, with everything in it.
 *
 * The test replaces functions of the C library, also for SQLite.
 */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/save/save_internal.h>
#include <crafty/save/world_repair.h>
#include <crafty/save/worlds.h>

#include <cairn/base/file.h>
#include <cairn/base/log.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_CALLS = 3000 };

/* ---- Faults ---- */

typedef enum FaultKind { FAULT_NONE, FAULT_CALLS, FAULT_MEMORY, FAULT_READ } FaultKind;

static atomic_int fault_kind;
static atomic_long calls_left; /* until the first one that fails */
static atomic_bool fails_on;   /* all later ones fail as well */
static atomic_bool has_failed;

static void begin_faults(FaultKind kind, long after, bool all)
{
    atomic_store(&calls_left, after);
    atomic_store(&fails_on, all);
    atomic_store(&has_failed, false);
    atomic_store(&fault_kind, kind);
}

static void end_faults(void)
{
    atomic_store(&fault_kind, FAULT_NONE);
}

static bool fails(FaultKind kind)
{
    if (atomic_load(&fault_kind) != (int)kind)
        return false;
    long left = atomic_fetch_sub(&calls_left, 1);
    if (left > 1 || (left < 1 && !atomic_load(&fails_on)))
        return false;
    atomic_store(&has_failed, true);
    errno = kind == FAULT_MEMORY ? ENOMEM : left % 2 ? EIO : ENOSPC;
    return true;
}

/* Defines a function that fails or calls that of the C library. */
#define REPLACE(type, name, parameters, arguments)                                                 \
    type name parameters;                                                                          \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*own) parameters;                                                              \
        if (!own)                                                                                  \
            *(void **)&own = dlsym(RTLD_NEXT, #name);                                              \
        return fails(FAULT_CALLS) ? (type)-1 : own arguments;                                      \
    }

REPLACE(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
REPLACE(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at),
        (fd, bytes, size, at))
REPLACE(ssize_t, pread64, (int fd, void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
REPLACE(int, ftruncate, (int fd, off_t size), (fd, size))
REPLACE(int, ftruncate64, (int fd, off64_t size), (fd, size))
REPLACE(int, unlink, (const char *path), (path))
REPLACE(int, rename, (const char *from, const char *to), (from, to))
REPLACE(int, renameat2,
        (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
        (from_folder, from, to_folder, to, flags))
REPLACE(int, link, (const char *from, const char *to), (from, to))
REPLACE(int, mkdir, (const char *path, mode_t mode), (path, mode))

ssize_t read(int fd, void *bytes, size_t size)
{
    static ssize_t (*own)(int fd, void *bytes, size_t size);
    if (!own)
        *(void **)&own = dlsym(RTLD_NEXT, "read");
    return fails(FAULT_READ) ? -1 : own(fd, bytes, size);
}

/* The content of files matters here, not the power: a sync only counts. */
int fsync(int fd)
{
    (void)fd;
    return fails(FAULT_CALLS) ? -1 : 0;
}

int fdatasync(int fd)
{
    (void)fd;
    return fails(FAULT_CALLS) ? -1 : 0;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HAS_MEMORY_FAULTS 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    return fails(FAULT_MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(FAULT_MEMORY) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(FAULT_MEMORY) ? NULL : __libc_realloc(block, size);
}
int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = fails(FAULT_MEMORY) ? NULL : __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
#else
#define HAS_MEMORY_FAULTS 0
#endif

/* ---- The world ---- */

#define SEED 4242u
#define MARKER "marker"

static Scratch scratch;
static CnFileBytes pristine, damaged; /* files of the world */
static char home[CN_STORE_PATH_BYTES];
static uint8_t marker[20000];

static void make_marker(const char *path)
{
    CnError error = {0};
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_OPEN);
    CnStore *store = cn_store_create(&desc, &error);
    CnStoreBatch *batch = cn_store_batch_create(store, &error);
    for (uint32_t i = 0; i < sizeof marker; i++)
        marker[i] = (uint8_t)cn_hash_mix(i + 1);
    assert_true(cn_store_batch_put(batch, CRAFTY_SAVE_COPY, cn_store_text(MARKER), marker,
                                   sizeof marker, &error));
    cn_store_submit(store, batch);
    assert_true(cn_store_flush(store, 60000, &error));
    cn_store_destroy(store);
}

static int make_files(void **state)
{
    (void)state;
    CnError error = {0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    assert_true(crafty_worlds_create(
        scratch.folder, &(CraftyNewWorld){.name = "Home", .seed = SEED}, home, &error));
    make_marker(home);
    assert_true(cn_file_read_all(cn_native_files(), home, NULL, &pristine, &error));
    assert_true(cn_file_read_all(cn_native_files(), home, NULL, &damaged, &error));
    memset(damaged.data, 0, 100); /* the start of the file */
    scratch_fini(&scratch);
    return 0;
}

static int drop_files(void **state)
{
    (void)state;
    cn_file_bytes_free(&pristine);
    cn_file_bytes_free(&damaged);
    return 0;
}

static void put_file(const char *name, const CnFileBytes *bytes)
{
    CnError error = {0};
    char path[CN_STORE_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", scratch.folder, name);
    if (!cn_file_make_folder_of(cn_native_files(), path, &error) ||
        !cn_file_write_all(cn_native_files(), path, bytes->data, bytes->size, &error))
        fail_msg("%s", error.message);
}

/* Returns whether the world is complete in this file. */
static bool is_complete(const char *path)
{
    CnError error = {0};
    CnU8Array bytes;
    CraftySaveInfo info;
    bool found = false;
    CnStoreDesc desc = crafty_save_store_desc(path, CN_STORE_READ_ONLY);
    cn_array_init(&bytes, cn_system_allocator());
    bool complete = crafty_save_read_info(path, &info, &error) && info.identity.seed == SEED;
    CnStore *store = complete ? cn_store_create(&desc, &error) : NULL;
    complete =
        store &&
        cn_store_get(store, CRAFTY_SAVE_COPY, cn_store_text(MARKER), &bytes, &found, &error) &&
        found && bytes.count == sizeof marker && memcmp(bytes.items, marker, sizeof marker) == 0;
    cn_store_destroy(store);
    cn_array_fini(&bytes);
    return complete;
}

static uint32_t count_complete(CraftyWorldsPlace place)
{
    CraftyWorldList list;
    CnError error = {0};
    uint32_t count = 0;
    if (!crafty_worlds_list(scratch.folder, place, &list, &error))
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < list.count; i++)
        count += is_complete(list.items[i].path);
    crafty_worlds_list_free(&list);
    return count;
}

/* ---- Operations ---- */

typedef struct Operation {
    bool (*run)(CnError *error);
    bool keeps_world; /* in the folder itself, also if it fails */
    uint32_t copies;  /* complete worlds at all places after it succeeded */
} Operation;

static char result[CN_STORE_PATH_BYTES];

static bool run_create(CnError *error)
{
    return crafty_worlds_create(scratch.folder, &(CraftyNewWorld){.name = "New"}, result, error);
}

static bool run_rename(CnError *error)
{
    return crafty_worlds_rename(home, "Renamed", result, error);
}

static bool run_copy(CnError *error)
{
    return crafty_worlds_copy(home, "Copy", NULL, NULL, result, error);
}

static bool run_back_up(CnError *error)
{
    return crafty_worlds_back_up(home, NULL, NULL, NULL, result, error);
}

static bool run_restore(CnError *error)
{
    char backup[CN_STORE_PATH_BYTES];
    snprintf(backup, sizeof backup, "%s/backups/Home 2020-01-01 00-00-00.crafty", scratch.folder);
    return crafty_worlds_restore(scratch.folder, backup, NULL, NULL, NULL, result, error);
}

static bool run_delete(CnError *error)
{
    return crafty_worlds_delete(home, CRAFTY_WORLDS_DELETE, result, error);
}

static bool run_undelete(CnError *error)
{
    char deleted[CN_STORE_PATH_BYTES];
    snprintf(deleted, sizeof deleted, "%s/deleted/Home 2020-01-01 00-00-00.crafty", scratch.folder);
    return crafty_worlds_undelete(scratch.folder, deleted, "Other", result, error);
}

static bool run_compact(CnError *error)
{
    return crafty_worlds_compact(home, NULL, NULL, error);
}

static bool run_export(CnError *error)
{
    char file[CN_STORE_PATH_BYTES];
    snprintf(file, sizeof file, "%s/exported.crafty", scratch.folder);
    return crafty_worlds_export(home, file, NULL, NULL, error);
}

static bool run_import(CnError *error)
{
    return crafty_worlds_import(scratch.folder, &(CraftyWorldsImport){.file = home}, result, error);
}

/* The file is damaged, but all its rows can be saved. */
static bool run_repair(CnError *error)
{
    CraftyWorldRepair repair;
    bool done = crafty_world_repair(&(CraftyWorldRepairDesc){.path = home}, &repair, error);
    crafty_world_repair_free(&repair);
    return done;
}

/* ---- Every fault ---- */

static void begin_case(const Operation *operation)
{
    scratch_init(&scratch);
    snprintf(home, sizeof home, "%s/Home.crafty", scratch.folder);
    put_file("Home.crafty", operation->run == run_repair ? &damaged : &pristine);
    if (operation->run == run_restore)
        put_file("backups/Home 2020-01-01 00-00-00.crafty", &pristine);
    if (operation->run == run_undelete)
        put_file("deleted/Home 2020-01-01 00-00-00.crafty", &pristine);
}

/* A repair that failed is tried again, if need be with the file from the backups: it must still be
 * there, with everything that can be saved. */
static void check_damaged(bool done)
{
    CnError error = {0};
    CraftyWorldList backups;
    if (done || is_complete(home))
        return;
    if (access(home, F_OK)) {
        if (!crafty_worlds_list(scratch.folder, CRAFTY_WORLDS_BACKUPS, &backups, &error) ||
            backups.count == 0)
            fail_msg("the damaged world is gone: %s", error.message);
        assert_int_equal(rename(backups.items[0].path, home), 0);
        crafty_worlds_list_free(&backups);
    }
    if (!run_repair(&error))
        fail_msg("%s", error.message);
}

static void check_case(const Operation *operation, bool done, long at)
{
    if (operation->run == run_repair)
        check_damaged(done);
    uint32_t playable = count_complete(CRAFTY_WORLDS_PLAYABLE);
    uint32_t all =
        playable + count_complete(CRAFTY_WORLDS_BACKUPS) + count_complete(CRAFTY_WORLDS_DELETED);
    if (all == 0 || (operation->keeps_world && playable == 0))
        fail_msg("call %ld fails, and the world is lost", at);
    if (done && all < operation->copies)
        fail_msg("call %ld fails, and success is reported with %u copies", at, all);
}

static void run_all(const Operation *operation, FaultKind kind, bool all)
{
    long at = 1;
    /* The first allocations one by one, then every ninth. */
    for (; at < MAX_CALLS; at += kind == FAULT_MEMORY && at > 40 ? 9 : 1) {
        CnError error = {0};
        begin_case(operation);
        begin_faults(kind, at, all);
        bool done = operation->run(&error);
        bool is_over = !atomic_load(&has_failed);
        end_faults();
        check_case(operation, done, at);
        if (!done && error.message[0] == 0)
            fail_msg("call %ld fails without a message", at);
        if (is_over && !done)
            fail_msg("without a fault: %s", error.message);
        scratch_fini(&scratch);
        if (is_over)
            break;
    }
    assert_true(at > 5 && at < MAX_CALLS);
}

static void repair_loses_only_what_an_unreadable_sector_holds(void **state)
{
    (void)state;
    CnError error = {0};
    begin_case(&(Operation){.run = run_repair});
    begin_faults(FAULT_READ, 1, false); /* the first sector: the structure of the file */
    bool done = run_repair(&error);
    end_faults();
    if (!done)
        fail_msg("%s", error.message);
    assert_true(atomic_load(&has_failed));
    assert_true(is_complete(home));
    scratch_fini(&scratch);
}

#define OPERATION_TESTS(name, keeps, count)                                                        \
    static const Operation name##_operation = {run_##name, keeps, count};                          \
    static void name##_with_one_failing_call(void **state)                                         \
    {                                                                                              \
        (void)state;                                                                               \
        run_all(&name##_operation, FAULT_CALLS, false);                                            \
    }                                                                                              \
    static void name##_on_a_disk_that_fails_from_then_on(void **state)                             \
    {                                                                                              \
        (void)state;                                                                               \
        run_all(&name##_operation, FAULT_CALLS, true);                                             \
    }                                                                                              \
    static void name##_with_one_failing_allocation(void **state)                                   \
    {                                                                                              \
        (void)state;                                                                               \
        if (!HAS_MEMORY_FAULTS)                                                                    \
            skip(); /* the sanitizer owns malloc */                                                \
        run_all(&name##_operation, FAULT_MEMORY, false);                                           \
    }

OPERATION_TESTS(create, true, 1)
OPERATION_TESTS(rename, true, 1)
OPERATION_TESTS(copy, true, 2)
OPERATION_TESTS(back_up, true, 2)
OPERATION_TESTS(restore, false, 2)
OPERATION_TESTS(delete, false, 1)
OPERATION_TESTS(undelete, true, 2)
OPERATION_TESTS(compact, true, 1)
OPERATION_TESTS(export, true, 1)
OPERATION_TESTS(import, true, 2)
OPERATION_TESTS(repair, false, 1)

#define LIST(name)                                                                                 \
    cmocka_unit_test(name##_with_one_failing_call),                                                \
        cmocka_unit_test(name##_on_a_disk_that_fails_from_then_on),                                \
        cmocka_unit_test(name##_with_one_failing_allocation)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repair_loses_only_what_an_unreadable_sector_holds),
        LIST(create),
        LIST(rename),
        LIST(copy),
        LIST(back_up),
        LIST(restore),
        LIST(delete),
        LIST(undelete),
        LIST(compact),
        LIST(export),
        LIST(import),
        LIST(repair),
    };
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
