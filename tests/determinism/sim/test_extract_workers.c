/* test-labels: threads */
/* What a tick shows does not depend on the number of threads that ran it. */
#include "extract_world.h"
#include "jobs.h"

enum { TICKS = 12, BODIES = 3000 };

typedef struct TestSnapshot {
    uint64_t items, lights, ui, audio;
} TestSnapshot;

static uint64_t hash_audio(CnOutbox *outbox)
{
    uint64_t hash = 0;
    CnAudioCommand command;
    while (cn_outbox_next_audio(outbox, &command))
        hash = cn_hash_bytes(&command, sizeof command, hash);
    return hash;
}

static void show_with(CnJobPool *pool, TestSnapshot *shown)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    CnOutbox *outbox = cn_outbox_create(NULL, NULL);
    assert_true(cn_extract_add(world, outbox, NULL));
    cn_world_set_jobs(world, pool);
    add_extract_systems(world);
    spawn_bodies(world, BODIES);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        run_extract_tick(world, outbox, tick);
        CnSnapshotPair pair;
        assert_true(cn_outbox_acquire(outbox, &pair));
        const CnRenderSnapshot *render = &pair.current->render;
        const CnUiSnapshot *ui = &pair.current->ui;
        assert_int_equal(render->item_count, BODIES);
        shown[tick] = (TestSnapshot){
            cn_hash_bytes(render->items, render->item_count * sizeof *render->items, 0),
            cn_hash_bytes(render->lights, render->light_count * sizeof *render->lights, 0),
            cn_hash_bytes(ui->items, ui->item_count * sizeof *ui->items, 0),
            hash_audio(outbox),
        };
        cn_outbox_release(outbox);
    }
    cn_world_destroy(world);
    cn_outbox_destroy(outbox);
}

static void a_tick_shows_the_same_for_any_number_of_workers(void **state)
{
    (void)state;
    static const uint32_t worker_counts[] = {0, 1, 3};
    TestSnapshot expected[TICKS], shown[TICKS];
    show_with(NULL, expected);
    for (uint32_t tick = 1; tick < TICKS; tick++)
        assert_true(expected[tick].items != expected[tick - 1].items);
    for (uint32_t w = 0; w < CN_COUNT_OF(worker_counts); w++) {
        CnJobPool *pool = create_pool(worker_counts[w], 0);
        show_with(pool, shown);
        assert_memory_equal(shown, expected, sizeof shown);
        cn_job_pool_destroy(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tick_shows_the_same_for_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
