/* Allocations that fail, of the engine and of SQLite: an error, nothing lost, nothing leaked. */
#include "cut_disk.h"
#include "failing_heap.h"
#include "store_fixture.h"
#include "store_model.h"

#include <sqlite3.h>
#include <stdatomic.h>

/* ---- The engine's allocations ---- */

/* Everything that a program does with a store. Returns false if memory ran out. */
static bool use(CnAllocator *allocator, void *user)
{
    (void)user;
    CutDisk *disk = cut_disk_create(1);
    CnStoreDesc desc = model_desc("world");
    desc.allocator = allocator;
    desc.sqlite_vfs = cut_disk_name(disk);
    CnError error = {0};
    CnStore *store = cn_store_create(&desc, &error);
    CnStoreBatch *batch = store ? cn_store_batch_create(store, &error) : NULL;
    uint8_t bytes[3000] = {1};
    bool done = batch &&
                cn_store_batch_put(batch, MODEL_CHUNKS, cn_store_number(1), bytes, 3000, &error) &&
                cn_store_batch_append(batch, MODEL_EDITS, "e", 1, &error);
    if (done && cn_store_submit(store, batch)) {
        batch = NULL;
        done = cn_store_flush(store, 50, &error); /* memory does not come back here */
    }
    cn_store_batch_destroy(batch);
    CnU8Array value;
    cn_array_init(&value, allocator);
    bool found;
    StoreHash hash;
    done = done && cn_store_get(store, MODEL_CHUNKS, cn_store_number(1), &value, &found, &error) &&
           found && store_hash(store, &hash, &error);
    if (!done)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    cn_array_fini(&value);
    cn_store_destroy(store);
    cut_disk_destroy(disk);
    return done;
}

static void every_allocation_of_a_store_may_fail(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(use, NULL) > 5);
}

/* ---- SQLite's allocations ---- */

static sqlite3_mem_methods original;
static _Atomic int64_t allocations_left = INT64_MAX;
static _Atomic int64_t failing_allocations;

static bool may_allocate(void)
{
    if (atomic_fetch_sub(&allocations_left, 1) > 0)
        return true;
    return atomic_fetch_sub(&failing_allocations, 1) <= 0;
}

static void *fail_malloc(int size)
{
    return may_allocate() ? original.xMalloc(size) : NULL;
}

static void *fail_realloc(void *block, int size)
{
    return may_allocate() ? original.xRealloc(block, size) : NULL;
}

static void fail_after(int64_t count, int64_t failing)
{
    atomic_store(&failing_allocations, failing);
    atomic_store(&allocations_left, count);
}

/* Saves while the n-th allocation of SQLite fails once. */
static bool save_with_fault(int64_t nth)
{
    CutDisk *disk = cut_disk_create(1);
    CnStoreDesc desc = model_desc("world");
    desc.sqlite_vfs = cut_disk_name(disk);
    CnError error = {0};
    fail_after(nth, 1);
    CnStore *store = cn_store_create(&desc, &error);
    if (!store) {
        assert_true(error.code == CN_ERROR_MEMORY);
        store = cn_store_create(&desc, &error); /* now it works */
    }
    assert_non_null(store);
    StoreModel model = model_start();
    TestRandom random = {5};
    for (uint32_t i = 0; i < 10; i++) {
        CnStoreBatch *batch = cn_store_batch_create(store, NULL);
        assert_true(batch && model_tick(&model, &random, batch) && cn_store_submit(store, batch));
        assert_true(cn_store_flush(store, FLUSH_MS, &error));
    }
    StoreHash found;
    if (!store_hash(store, &found, &error)) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_true(store_hash(store, &found, &error));
    }
    assert_true(found.hash == model_hash(&model) && !found.damaged);
    bool was_hit = atomic_load(&allocations_left) < 0;
    fail_after(INT64_MAX, 0);
    cn_store_destroy(store);
    cut_disk_destroy(disk);
    return was_hit;
}

static void every_allocation_of_sqlite_may_fail(void **state)
{
    (void)state;
    int64_t nth = 0;
    while (save_with_fault(nth))
        nth += nth < 400 ? 1 : 17;
    assert_true(nth > 200);
}

static void sqlite_may_be_out_of_memory_for_good(void **state)
{
    (void)state;
    for (int64_t nth = 0; nth < 300; nth += 3) {
        CutDisk *disk = cut_disk_create(1);
        CnStoreDesc desc = model_desc("world");
        desc.sqlite_vfs = cut_disk_name(disk);
        CnError error = {0};
        fail_after(nth, INT64_MAX);
        CnStore *store = cn_store_create(&desc, &error);
        assert_true(store || error.code == CN_ERROR_MEMORY);
        cn_store_destroy(store);
        fail_after(INT64_MAX, 0);
        store = cn_store_create(&desc, &error);
        assert_non_null(store);
        cn_store_destroy(store);
        cut_disk_destroy(disk);
    }
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    sqlite3_mem_methods failing = original;
    failing.xMalloc = fail_malloc;
    failing.xRealloc = fail_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); /* every allocation counts */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_store_may_fail),
        cmocka_unit_test(every_allocation_of_sqlite_may_fail),
        cmocka_unit_test(sqlite_may_be_out_of_memory_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
