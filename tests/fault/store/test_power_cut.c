/* test-labels: threads */
/*
 * Power cuts while a store is written, on a simulated disk that loses, tears and reorders what was
 * not synced. CAIRN_CUTS=10000 runs more of them.
 */
#include "cmocka_tests.h"
#include "cut_disk.h"
#include "store_model.h"

#include <cairn/base/log.h>

#include <stdio.h>

enum { DEFAULT_CUTS = 300, SESSION_TICKS = 40, DISKS = 10 };

typedef struct Run {
    CutDisk *disk;
    CnStoreDurability durability;
    TestRandom random;
    StoreModel states[SESSION_TICKS + 1]; /* after each tick of this session */
    uint32_t count;                       /* states of this session */
    uint64_t durable_tick;
    uint64_t cuts, cuts_while_open, recovered_later; /* statistics */
    uint64_t unreadable, lost, wrong_state, dropped_bytes;
} Run;

static uint32_t cut_count(void)
{
    const char *number = getenv("CAIRN_CUTS");
    return number ? (uint32_t)strtoul(number, NULL, 10) : DEFAULT_CUTS;
}

static CnStore *open_store(Run *run, CnError *error)
{
    CnStoreDesc desc = model_desc("world");
    desc.sqlite_vfs = cut_disk_name(run->disk);
    desc.durability = run->durability;
    return cn_store_create(&desc, error);
}

/* Waits until a batch is durable, the power is cut, or the file turns out to be damaged. */
static bool wait_for(Run *run, CnStore *store, uint64_t number)
{
    CnStoreStatus status = {0};
    while (cn_store_durable(store) < number && !cut_disk_is_cut(run->disk)) {
        cn_store_flush(store, 2, &(CnError){0});
        cn_store_status(store, &status);
        if (status.state == CN_STORE_FAILED)
            return false;
    }
    return true;
}

/* Saves ticks until the power is cut or the session ends. */
static void play(Run *run, CnStore *store)
{
    uint64_t first_tick = run->states[0].tick;
    uint64_t ticks[SESSION_TICKS + 1] = {0}; /* by batch */
    for (uint32_t i = 0; i < SESSION_TICKS && !cut_disk_is_cut(run->disk); i++) {
        CnStoreBatch *batch = cn_store_batch_create(store, NULL);
        StoreModel next = run->states[run->count - 1];
        assert_true(batch && model_tick(&next, &run->random, batch));
        uint64_t number = cn_store_submit(store, batch);
        assert_true(number > 0 && number <= SESSION_TICKS);
        ticks[number] = next.tick;
        run->states[run->count++] = next;
        if (test_random_chance(&run->random, 70) && /* else several share a commit */
            !wait_for(run, store, number)) {
            run->unreadable++;
            break;
        }
    }
    uint64_t durable = cn_store_durable(store);
    run->durable_tick = durable ? ticks[durable] : first_tick;
}

/* The store must hold the state after one of the ticks, not before the last durable one. */
static void check(Run *run, CnStore *store)
{
    StoreHash found;
    CnError error = {0};
    if (!store_hash(store, &found, &error) || found.damaged) {
        run->unreadable++;
        return;
    }
    if (found.tick < run->durable_tick)
        run->lost++;
    if (found.tick > run->durable_tick)
        run->recovered_later++;
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->states[i].tick != found.tick)
            continue;
        if (model_hash(&run->states[i]) != found.hash)
            run->wrong_state++;
        run->states[0] = run->states[i];
        run->count = 1;
        return;
    }
    run->wrong_state++;
}

static void start_over(Run *run)
{
    run->states[0] = model_start();
    run->count = 1;
    run->durable_tick = 0;
}

static void cut_once(Run *run)
{
    CnError error = {0};
    CnStore *store = open_store(run, &error);
    if (!store) { /* the cut before left something that cannot be opened */
        run->unreadable++;
        cut_disk_destroy(run->disk);
        run->disk = cut_disk_create(test_random(&run->random));
        start_over(run);
        store = open_store(run, &error);
        assert_non_null(store);
    }
    check(run, store);
    if (run->count != 1)
        start_over(run);
    run->durable_tick = run->states[0].tick;
    cut_disk_cut_after(run->disk, 1 + test_random_below(&run->random, 150));
    if (test_random_chance(&run->random, 10)) {
        cn_store_destroy(store); /* a cut while closing or opening */
        run->cuts_while_open++;
        store = open_store(run, &error);
    }
    if (store)
        play(run, store);
    cn_store_destroy(store);
    cut_disk_reboot(run->disk);
    run->cuts++;
}

static void cut_often(Run *run, uint64_t seed, uint32_t cuts)
{
    *run = (Run){.durability = run->durability, .random = {seed}};
    run->disk = cut_disk_create(seed);
    start_over(run);
    for (uint32_t i = 0; i < cuts; i++)
        cut_once(run);
    CnStore *store = open_store(run, &(CnError){0});
    if (store)
        check(run, store);
    else
        run->unreadable++;
    cn_store_destroy(store);
    run->dropped_bytes = cut_disk_dropped_bytes(run->disk);
    printf("%llu cuts (%llu while closing or opening): %llu unreadable, %llu lost, %llu in a wrong "
           "state; %llu had saved more than was reported; %llu KiB of unsynced writes dropped\n",
           (unsigned long long)run->cuts, (unsigned long long)run->cuts_while_open,
           (unsigned long long)run->unreadable, (unsigned long long)run->lost,
           (unsigned long long)run->wrong_state, (unsigned long long)run->recovered_later,
           (unsigned long long)run->dropped_bytes / 1024);
    cut_disk_destroy(run->disk);
}

static void nothing_durable_is_lost_by_power_cuts(void **state)
{
    (void)state;
    uint32_t cuts = cut_count();
    for (uint32_t i = 0; i < DISKS; i++) {
        Run run = {.durability = CN_STORE_DURABLE};
        cut_often(&run, 100 + i, (cuts + DISKS - 1) / DISKS);
        assert_int_equal(run.unreadable, 0);
        assert_int_equal(run.lost, 0);
        assert_int_equal(run.wrong_state, 0);
        assert_true(run.dropped_bytes > 0); /* the cuts hit unfinished commits */
    }
}

/* Otherwise the test above could not fail. */
static void without_syncs_power_cuts_do_lose_data(void **state)
{
    (void)state;
    Run run = {.durability = CN_STORE_NOT_DURABLE};
    cut_often(&run, 7, DEFAULT_CUTS);
    assert_true(run.lost > 0);
    assert_true(run.unreadable + run.wrong_state > 0);
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
        cmocka_unit_test(nothing_durable_is_lost_by_power_cuts),
        cmocka_unit_test(without_syncs_power_cuts_do_lose_data),
    };
    return cmocka_run_group_tests(tests, silence, NULL);
}
