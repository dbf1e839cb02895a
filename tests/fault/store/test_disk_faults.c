/* test-labels: threads */
/* Calls of the disk that fail: nothing is lost, and saving goes on when they work again. */
#include "cmocka_tests.h"
#include "cut_disk.h"
#include "store_model.h"

#include <cairn/base/log.h>

enum { TICKS = 30, FLUSH_MS = 20000, CALLS = 400 };

static CnStoreDesc desc_on(const CutDisk *disk)
{
    CnStoreDesc desc = model_desc("world");
    desc.sqlite_vfs = cut_disk_name(disk);
    return desc;
}

static void submit_tick(CnStore *store, StoreModel *model, TestRandom *random)
{
    CnStoreBatch *batch = cn_store_batch_create(store, NULL);
    assert_true(batch && model_tick(model, random, batch));
    assert_true(cn_store_submit(store, batch) > 0);
}

static void assert_contains(const CutDisk *disk, const StoreModel *model)
{
    CnError error = {0};
    CnStoreDesc desc = desc_on(disk);
    CnStore *store = cn_store_create(&desc, &error);
    if (!store)
        fail_msg("%s", error.message);
    StoreHash found;
    assert_true(store_hash(store, &found, &error) && !found.damaged);
    assert_true(found.tick == model->tick && found.hash == model_hash(model));
    cn_store_destroy(store);
}

/* Saves ticks while the n-th call fails. Returns false once there are fewer calls than n. */
static bool save_with_fault(DiskFault fault, uint64_t nth, uint64_t count)
{
    CutDisk *disk = cut_disk_create(nth);
    CnStoreDesc desc = desc_on(disk);
    CnError error = {0};
    CnStore *store = cn_store_create(&desc, &error);
    assert_non_null(store);
    StoreModel model = model_start();
    TestRandom random = {nth};
    cut_disk_fail(disk, fault, nth, count);
    for (uint32_t i = 0; i < TICKS; i++) {
        submit_tick(store, &model, &random);
        if (!cn_store_flush(store, count == 1 ? FLUSH_MS : 3, &error)) {
            assert_true(count > 1 && error.message[0]);
            cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0); /* it works again */
            assert_true(cn_store_flush(store, FLUSH_MS, &error));
        }
    }
    bool was_hit = cut_disk_calls(disk) > nth || count > 1;
    cn_store_destroy(store);
    cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0);
    assert_contains(disk, &model);
    cut_disk_destroy(disk);
    return was_hit;
}

static void every_call_may_fail_once_while_saving(void **state)
{
    (void)state;
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < CALLS && save_with_fault((DiskFault)fault, nth, 1);)
            nth += nth < 60 ? 1 : 13;
}

static void saving_goes_on_when_a_failing_disk_works_again(void **state)
{
    (void)state;
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < 40; nth += 7)
            save_with_fault((DiskFault)fault, nth, UINT64_MAX);
}

/* Opens, and opens again, while the n-th call fails: an error with a message, or success. */
static bool open_with_fault(DiskFault fault, uint64_t nth)
{
    CutDisk *disk = cut_disk_create(nth + 1);
    CnStoreDesc desc = desc_on(disk);
    CnError error = {0};
    StoreModel model = model_start();
    TestRandom random = {nth};
    CnStore *store = cn_store_create(&desc, &error);
    assert_non_null(store);
    for (uint32_t i = 0; i < 8; i++)
        submit_tick(store, &model, &random);
    assert_true(cn_store_flush(store, FLUSH_MS, &error));
    if (nth % 2) { /* leaves a write-ahead log, as a crash does */
        cut_disk_cut_after(disk, 1);
        cn_store_destroy(store);
        cut_disk_reboot(disk);
    } else {
        cn_store_destroy(store);
    }
    cut_disk_fail(disk, fault, nth, 1);
    store = cn_store_create(&desc, &error);
    bool was_hit = cut_disk_calls(disk) > nth;
    if (!store)
        assert_true(was_hit && error.code != CN_OK && error.message[0]);
    cn_store_destroy(store);
    cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0);
    assert_contains(disk, &model);
    cut_disk_destroy(disk);
    return was_hit;
}

static void every_call_may_fail_while_opening(void **state)
{
    (void)state;
    for (int fault = DISK_FAULT_WRITE; fault < DISK_FAULT_COUNT; fault++)
        for (uint64_t nth = 0; nth < CALLS; nth++)
            if (!open_with_fault((DiskFault)fault, nth))
                break;
}

static void a_full_disk_is_named_and_waited_for(void **state)
{
    (void)state;
    CutDisk *disk = cut_disk_create(3);
    CnStoreDesc desc = desc_on(disk);
    CnError error = {0};
    CnStore *store = cn_store_create(&desc, &error);
    assert_non_null(store);
    StoreModel model = model_start();
    TestRandom random = {3};
    cut_disk_fail(disk, DISK_FAULT_FULL, 0, UINT64_MAX);
    for (uint32_t i = 0; i < 5; i++)
        submit_tick(store, &model, &random);
    assert_false(cn_store_flush(store, 30, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "the disk is full: free some space"));
    assert_non_null(strstr(error.message, "5 batches are not saved yet"));
    CnStoreStatus status;
    cn_store_status(store, &status);
    assert_int_equal(status.state, CN_STORE_RETRYING);
    assert_true(status.durable == 0 && status.submitted == 5 && status.retries > 0);
    StoreHash found; /* what is committed can still be read */
    assert_true(store_hash(store, &found, &error));
    cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0);
    assert_true(cn_store_flush(store, FLUSH_MS, &error));
    cn_store_status(store, &status);
    assert_int_equal(status.state, CN_STORE_OK);
    cn_store_destroy(store);
    assert_contains(disk, &model);
    cut_disk_destroy(disk);
}

static void a_full_queue_gives_the_batch_back(void **state)
{
    (void)state;
    CutDisk *disk = cut_disk_create(4);
    CnStoreDesc desc = desc_on(disk);
    desc.queue_capacity = 4;
    CnStore *store = cn_store_create(&desc, NULL);
    assert_non_null(store);
    StoreModel model = model_start();
    TestRandom random = {4};
    cut_disk_fail(disk, DISK_FAULT_SYNC, 0, UINT64_MAX);
    for (uint32_t i = 0; i < 4; i++)
        submit_tick(store, &model, &random);
    CnStoreBatch *batch = cn_store_batch_create(store, NULL);
    assert_true(batch && model_tick(&model, &random, batch));
    assert_true(cn_store_submit(store, batch) == 0);
    assert_true(model_tick(&model, &random, batch)); /* it may grow meanwhile */
    cut_disk_fail(disk, DISK_FAULT_NONE, 0, 0);
    assert_true(cn_store_flush(store, FLUSH_MS, NULL));
    assert_true(cn_store_submit(store, batch) == 5);
    cn_store_destroy(store);
    assert_contains(disk, &model);
    cut_disk_destroy(disk);
}

static int silence(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_may_fail_once_while_saving),
        cmocka_unit_test(saving_goes_on_when_a_failing_disk_works_again),
        cmocka_unit_test(every_call_may_fail_while_opening),
        cmocka_unit_test(a_full_disk_is_named_and_waited_for),
        cmocka_unit_test(a_full_queue_gives_the_batch_back),
    };
    return cmocka_run_group_tests(tests, silence, NULL);
}
