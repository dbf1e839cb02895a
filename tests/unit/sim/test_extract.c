/* test-labels: threads */
/* Extraction in a world: resources, systems, and what a world without them does not notice. */
#include "extract_world.h"
#include "guards.h"

#include <string.h>

enum { BODIES = 2000 };

static CnHeap *heap;
static CnWorld *world;
static CnOutbox *outbox;

static int make_all(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    outbox = cn_outbox_create(&(CnOutboxDesc){.allocator = cn_heap_tag(heap, "outbox")}, NULL);
    return world && outbox && cn_extract_add(world, outbox, NULL) ? 0 : -1;
}

static int drop_all(void **state)
{
    (void)state;
    cn_world_destroy(world);
    cn_outbox_destroy(outbox);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

#define EXTRACT_TEST(name) cmocka_unit_test_setup_teardown(name, make_all, drop_all)

static CnTickSnapshot newest(void)
{
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
    return *pair.current;
}

static void a_tick_shows_what_its_systems_push(void **state)
{
    (void)state;
    add_extract_systems(world);
    spawn_bodies(world, 900);
    run_extract_tick(world, outbox, 5);
    CnTickSnapshot seen = newest();
    assert_int_equal(seen.render.tick, 5);
    assert_int_equal(seen.render.item_count, 900);
    assert_int_equal(seen.render.light_count, 100);
    assert_true(seen.ui.item_count > 0);
    CnAudioCommand command;
    assert_true(cn_outbox_next_audio(outbox, &command));
    assert_int_equal(command.tick, 5);
}

static void a_snapshot_stays_when_the_world_is_gone(void **state)
{
    (void)state;
    add_extract_systems(world);
    CnEntity body =
        cn_spawn(world, cn_with(Place, {{3, 0, 0}, {0, 0, 0, 1}}), cn_with(Body, {8, 0}));
    run_extract_tick(world, outbox, 1);
    cn_world_destroy(world);
    world = NULL;
    CnTickSnapshot seen = newest();
    assert_int_equal(seen.render.items[0].entity.id, body.id);
    assert_true(seen.render.items[0].position.x == 3);
    assert_int_equal(seen.render.items[0].mesh, 8);
}

static uint32_t wave_of(const CnScheduled *systems, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(systems[i].name, name) == 0)
            return systems[i].wave;
    fail_msg("%s is not scheduled", name);
    return UINT32_MAX;
}

static void systems_of_render_ui_and_audio_share_a_wave(void **state)
{
    (void)state;
    add_extract_systems(world);
    CnScheduled systems[8];
    uint32_t count = 0;
    assert_true(cn_stage_systems(world, CN_STAGE_PRE_EXTRACT, systems, 8, &count, NULL));
    assert_int_equal(count, 4);
    assert_int_equal(wave_of(systems, count, "show_bodies"), 0);
    assert_int_equal(wave_of(systems, count, "show_steps"), 0);
    assert_int_equal(wave_of(systems, count, "sound_steps"), 0);
    assert_int_equal(wave_of(systems, count, "show_lamps"), 1);
}

static void the_state_hash_does_not_see_extraction(void **state)
{
    (void)state;
    CnWorld *plain = cn_world_create(NULL, NULL);
    cn_spawn(plain, cn_with(Body, {1, 2}));
    cn_spawn(world, cn_with(Body, {1, 2}));
    assert_int_equal(cn_world_hash(plain), cn_world_hash(world));
    cn_world_destroy(plain);
}

static void loading_a_world_keeps_its_outbox(void **state)
{
    (void)state;
    CnSnapshot saved;
    cn_spawn(world, cn_with(Body, {1, 2}));
    assert_true(cn_world_save(world, &saved, NULL));
    assert_true(cn_world_load(world, saved.bytes, saved.size, NULL));
    assert_ptr_equal(cn_resource(world, CnRenderOut)->outbox, outbox);
    assert_ptr_equal(cn_resource(world, CnUiOut)->outbox, outbox);
    assert_ptr_equal(cn_resource(world, CnAudioOut)->outbox, outbox);
    cn_snapshot_free(&saved);
}

static void adding_again_turns_the_world_to_another_outbox(void **state)
{
    (void)state;
    CnOutbox *other = cn_outbox_create(NULL, NULL);
    assert_true(cn_extract_add(world, other, NULL));
    assert_ptr_equal(cn_resource(world, CnRenderOut)->outbox, other);
    assert_ptr_equal(cn_resource(world, CnUiOut)->outbox, other);
    assert_ptr_equal(cn_resource(world, CnAudioOut)->outbox, other);
    cn_outbox_destroy(other);
}

/* ---- Steady state ---- */

static void run_steady_ticks(CnJobPool *pool)
{
    cn_world_set_jobs(world, pool);
    add_extract_systems(world);
    spawn_bodies(world, BODIES);
    CnSnapshotPair pair;
    CnAudioCommand command;
    uint64_t calls = 0;
    for (uint64_t tick = 0; tick < 63; tick++) {
        if (tick == 10)
            calls = cn_heap_stats(heap).calls;
        run_extract_tick(world, outbox, tick);
        if (tick % 7 == 3)
            assert_true(cn_outbox_acquire(outbox, &pair));
        if (tick % 7 == 6)
            cn_outbox_release(outbox);
        while (cn_outbox_next_audio(outbox, &command)) {
        }
    }
    assert_int_equal(cn_heap_stats(heap).calls - calls, 0);
}

static void ticks_after_the_first_few_make_no_heap_call(void **state)
{
    (void)state;
    run_steady_ticks(NULL);
}

static void ticks_on_a_pool_make_no_heap_call(void **state)
{
    (void)state;
    CnJobPool *pool = cn_job_pool_create(&(CnJobPoolDesc){.workers = 2}, NULL);
    assert_non_null(pool);
    run_steady_ticks(pool);
    cn_world_set_jobs(world, NULL);
    cn_job_pool_destroy(pool);
}

/* ---- Guards ---- */

#ifdef CN_GUARDS
static void push_undeclared(CnSystemContext *context)
{
    cn_extract_items(cn_resource_mut(context->world, CnRenderOut), 1);
}

static void a_system_that_does_not_declare_its_output_is_wrong(void **state)
{
    (void)state;
    cn_system_add(world,
                  &(CnSystemDesc){.name = "undeclared",
                                  .run = push_undeclared,
                                  .stage = CN_STAGE_PRE_EXTRACT,
                                  .access = {cn_writes(CnUiOut)}},
                  NULL);
    cn_outbox_begin(outbox, 1, 0);
    EXPECT_GUARD(cn_world_update(world, EXTRACT_DT, NULL));
    assert_non_null(strstr(guard_message(), "CnRenderOut"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXTRACT_TEST(a_tick_shows_what_its_systems_push),
        EXTRACT_TEST(a_snapshot_stays_when_the_world_is_gone),
        EXTRACT_TEST(systems_of_render_ui_and_audio_share_a_wave),
        EXTRACT_TEST(the_state_hash_does_not_see_extraction),
        EXTRACT_TEST(loading_a_world_keeps_its_outbox),
        EXTRACT_TEST(adding_again_turns_the_world_to_another_outbox),
        EXTRACT_TEST(ticks_after_the_first_few_make_no_heap_call),
        EXTRACT_TEST(ticks_on_a_pool_make_no_heap_call),
#ifdef CN_GUARDS
        EXTRACT_TEST(a_system_that_does_not_declare_its_output_is_wrong),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
