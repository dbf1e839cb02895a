/* Every allocation of saving and loading fails once. */
#include "check_world.h"
#include "cmocka_tests.h"
#include "rich_world.h"

/* The worlds themselves are made while nothing fails. */
static CnHeap *heap;

static CnWorld *make_target(void)
{
    CnWorld *world = rich_world_create(cn_heap_tag(heap, "target"));
    assert_non_null(world);
    /* Pairs that are kept, that go, and that go but are named by a query. */
    CnComponent likes = cn_id(world, RichLikes);
    CnEntity e = cn_spawn(world, cn_with(RichPosition, {1, 2, 3}));
    CnComponent pair = cn_pair(world, likes, e);
    assert_true(cn_add_component(world, e, pair));
    assert_non_null(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(pair)}}, NULL));
    assert_non_null(
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(RichPosition)}}, NULL));
    return world;
}

static CnSnapshot make_data(void)
{
    /* Registered in another order, with components that the target does not know. */
    CnWorld *world =
        cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "source")}, NULL);
    CnType unknown = {.name = "Unknown", .size = 8, .alignment = 4, .field_count = 2};
    unknown.fields = (const CnField[]){{"a", CN_FIELD_F32, 1, 0, 4}, {"b", CN_FIELD_U32, 1, 4, 4}};
    CnComponent id = cn_component_register(world, &(CnComponentDesc){.type = &unknown}, NULL);
    assert_true(id.id && rich_world_register(world) && rich_world_fill(world));
    CnEntity e = cn_entity_create(world);
    assert_true(cn_set_component(world, e, id, &(uint32_t[2]){1, 2}));
    assert_true(cn_set_component(world, e, cn_pair(world, id, e), &(uint32_t[2]){3, 4}));
    assert_non_null(cn_resource_set_value(world, cn_pair(world, id, e), NULL));
    assert_non_null(cn_resource_set_value(world, id, NULL));
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    uint8_t *copy = cn_alloc(NULL, snapshot.size);
    memcpy(copy, snapshot.bytes, snapshot.size);
    CnSnapshot data = {.bytes = copy, .size = snapshot.size, .capacity = snapshot.size};
    cn_snapshot_free(&snapshot);
    cn_world_destroy(world);
    return data;
}

static int make_heap(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    return heap ? 0 : -1;
}

static int drop_heap(void **state)
{
    (void)state;
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static void a_save_that_fails_leaves_nothing(void **state)
{
    (void)state;
    CnWorld *world = make_target();
    CnHeapStats before = cn_heap_stats(heap);
    bool saved = false;
    for (uint64_t n = 0; !saved; n++) {
        assert_true(n < 10);
        CnSnapshot snapshot;
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        saved = cn_world_save(world, &snapshot, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_int_equal(error.code, saved ? CN_OK : CN_ERROR_MEMORY);
        assert_true(saved == (snapshot.bytes != NULL));
        cn_snapshot_free(&snapshot);
        assert_int_equal(cn_heap_stats(heap).live_bytes, before.live_bytes);
    }
    cn_world_destroy(world);
}

/* After a failed load: unchanged, or empty and as good as new. */
static void check_failed(CnWorld *world, uint64_t hash, const CnError *error, CnSnapshot data,
                         uint64_t data_hash, uint32_t *emptied)
{
    assert_int_equal(error->code, CN_ERROR_MEMORY);
    assert_world_sound(world);
    bool is_empty = strstr(error->message, "without entities") != NULL;
    *emptied += is_empty;
    if (is_empty)
        assert_int_equal(cn_entity_count(world), 0);
    else
        assert_int_equal(cn_world_hash(world), hash);
    assert_int_equal(cn_resource(world, RichClock)->tick, 77);
    assert_true(cn_spawn(world, cn_with(RichPosition, {1, 2, 3})).id != 0);
    assert_true(cn_world_load(world, data.bytes, data.size, NULL));
    assert_world_sound(world);
    assert_int_equal(cn_world_hash(world), data_hash);
}

static void a_load_that_fails_leaves_a_world_unchanged_or_empty(void **state)
{
    (void)state;
    CnSnapshot data = make_data();
    CnWorld *world = make_target();
    assert_true(cn_world_load(world, data.bytes, data.size, NULL));
    uint64_t data_hash = cn_world_hash(world);
    cn_world_destroy(world);
    bool loaded = false;
    uint32_t emptied = 0, n = 0;
    for (; !loaded; n++) {
        assert_true(n < 10000);
        world = make_target();
        uint64_t hash = cn_world_hash(world);
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        loaded = cn_world_load(world, data.bytes, data.size, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (!loaded)
            check_failed(world, hash, &error, data, data_hash, &emptied);
        cn_world_destroy(world);
        assert_int_equal(cn_heap_tag_stats(heap, "target").live_blocks, 0);
    }
    assert_true(emptied > 0 && emptied < n - 1);
    cn_free(NULL, data.bytes, data.capacity);
}

static void bad_data_and_no_memory_change_nothing(void **state)
{
    (void)state;
    CnSnapshot data = make_data();
    CnWorld *world = make_target();
    uint64_t hash = cn_world_hash(world);
    data.bytes[data.size - 9] ^= 1; /* in the last resource */
    for (uint64_t n = 0; n < 200; n++) {
        cn_heap_fail_after(heap, n);
        assert_false(cn_world_load(world, data.bytes, data.size, NULL));
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_int_equal(cn_world_hash(world), hash);
    }
    cn_world_destroy(world);
    cn_free(NULL, data.bytes, data.capacity);
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_save_that_fails_leaves_nothing, make_heap, drop_heap),
        cmocka_unit_test_setup_teardown(a_load_that_fails_leaves_a_world_unchanged_or_empty,
                                        make_heap, drop_heap),
        cmocka_unit_test_setup_teardown(bad_data_and_no_memory_change_nothing, make_heap,
                                        drop_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
