/* Memory of archetypes: extents that grow, hold several chunks, are shared and are freed. */
#include "world_internals.h"

#include "check_world.h"
#include "failing_heap.h"

CN_COMPONENT(Wide, (u32, words, 120)); /* 64 rows to a chunk, 2,048 to the largest extent */

static CnEntity entities[10000];

static CniEcsArchetype *spawn_wide(uint32_t count)
{
    assert_true(count <= CN_COUNT_OF(entities));
    assert_true(cn_spawn_many(world, count, entities, cn_with_default(Wide)));
    for (uint32_t i = 0; i < count; i++)
        cn_get_mut(world, entities[i], Wide)->words[119] = i;
    return archetype_of(entities[0]);
}

static uint32_t extent_of(CnEntity entity)
{
    return world->chunk_extents.items[chunk_of(entity) - world->chunks.items];
}

static void assert_values(uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        assert_int_equal(cn_get(world, entities[i], Wide)->words[119], i);
}

static CnQuery *wide_ones(void)
{
    return cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Wide)}, .none = {cn_tag(Enemy)}}, NULL);
}

static CnQuery *enemies(void)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Wide), cn_tag(Enemy)}}, NULL);
}

/* ---- Growth ---- */

static void an_extent_doubles_up_to_its_largest_size(void **state)
{
    (void)state;
    const CniEcsArchetype *archetype = spawn_wide(1);
    assert_int_equal(archetype->full_capacity, 64);
    assert_int_equal(archetype->extent_capacity, 32 * 64);
    uint32_t expected = 64;
    for (uint32_t rows = 1; rows <= 3 * 2048; rows++) {
        expected = rows > expected && expected < 2048 ? expected * 2 : expected;
        assert_int_equal(archetype->head.stride, expected);
        assert_int_equal(archetype->head.chunk_count, (rows + 63) / 64);
        cn_spawn(world, cn_with_default(Wide));
    }
}

static void the_largest_extent_has_at_most_1_mib(void **state)
{
    (void)state;
    const CniEcsArchetype *some[] = {
        archetype_of(cn_spawn(world, cn_with_tag(Enemy))),
        archetype_of(cn_spawn(world, cn_with_default(Position), cn_with_default(Velocity))),
        archetype_of(cn_spawn(world, cn_with_default(Mass), cn_with_default(Health))),
        archetype_of(cn_spawn(world, cn_with_default(Wide))),
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(some); i++) {
        uint32_t bytes = some[i]->extent_capacity * some[i]->row_bytes;
        assert_true(bytes <= CN_EXTENT_BYTES && bytes > CN_EXTENT_BYTES / 2);
        assert_int_equal(some[i]->extent_capacity % some[i]->full_capacity, 0);
    }
}

static void values_of_both_layouts_survive_every_step_of_growth(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    cn_register(world, Velocity, .layout = CN_LAYOUT_FIELDS);
    static CnEntity many[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        many[i] = cn_spawn(world, cn_with(Position, {(float)i, 0, 1}),
                           cn_with(Velocity, {0, (float)i, -(float)i}));
    assert_world_sound(world);
    for (uint32_t i = 0; i < COUNT; i++) {
        Velocity v;
        assert_true(cn_read(world, many[i], Velocity, &v));
        assert_number_equal(cn_get(world, many[i], Position)->x, i);
        assert_number_equal(v.y, i);
        assert_number_equal(v.z, -(double)i);
    }
}

static void columns_of_chunks_in_one_extent_are_adjacent(void **state)
{
    (void)state;
    cn_register(world, Velocity, .layout = CN_LAYOUT_FIELDS);
    assert_true(
        cn_spawn_many(world, 200000, NULL, cn_with_default(Position), cn_with_default(Velocity)));
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Position), cn_reads(Velocity)}}, NULL);
    CnChunkView view;
    const Position *position = NULL;
    const float *z = NULL;
    uint32_t chunks = 0, breaks = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view); chunks++) {
        breaks += cn_column_const(&view, Position) != position;
        breaks += cn_field_const(&view, Velocity, z) != z;
        position = cn_column_const(&view, Position) + view.count;
        z = cn_field_const(&view, Velocity, z) + view.count;
    }
    assert_int_equal(chunks, (200000 + 1023) / 1024);
    assert_int_equal(breaks, 2 * ((chunks + 31) / 32));
}

static void a_write_marks_one_chunk_of_an_extent_as_changed(void **state)
{
    (void)state;
    spawn_wide(1000);
    uint64_t since = cn_world_advance_tick(world) - 1;
    cn_get_mut(world, entities[500], Wide)->words[0] = 1;
    CnChunkView view;
    uint32_t seen = 0;
    for (CnQueryIter it = cn_query_iter_changed(wide_ones(), since); cn_query_next(&it, &view);
         seen++)
        assert_entity_equal(view.entities[0], entities[500 / 64 * 64]);
    assert_int_equal(seen, 1);
}

static void count_share(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)lane;
    assert_true(view->count <= 64);
    *(uint32_t *)user += 1;
}

static void an_extent_is_handed_to_jobs_chunk_by_chunk(void **state)
{
    (void)state;
    spawn_wide(3000);
    uint32_t shares = 0;
    cn_query_parallel(wide_ones(), NULL, count_share, &shares);
    assert_int_equal(shares, (3000 + 63) / 64);
}

/* ---- Small archetypes ---- */

static void an_archetype_of_one_entity_has_64_rows_and_no_extent_record(void **state)
{
    (void)state;
    CnComponent health = cn_id(world, Health);
    for (uint32_t i = 0; i < 1000; i++) {
        CnEntity target = cn_spawn(world, cn_with_tag(Enemy));
        CnEntity entity = cn_spawn(world, cn_with_default(Position));
        assert_true(cn_add_component(world, entity, cn_pair(world, health, target)));
        assert_int_equal(archetype_of(entity)->head.stride, CN_CHUNK_MIN_ROWS);
        assert_int_equal(extent_of(entity), CNI_ECS_ABSENT);
    }
    assert_int_equal(world->extents.capacity, 0);
    assert_world_sound(world);
}

/* ---- Chunks of one archetype in another ---- */

static void an_archetype_that_moves_as_a_whole_keeps_its_memory(void **state)
{
    (void)state;
    spawn_wide(5000);
    const void *before = cn_get(world, entities[4321], Wide);
    CnQuery *without = wide_ones(), *with = enemies();
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(cn_query_set(without, cn_with_tag(Enemy)));
        assert_true(cn_query_remove(with, cn_id(world, Enemy)));
        calls = i ? calls : heap_calls(); /* the first time, lists of chunks are made */
    }
    assert_int_equal(heap_calls(), calls);
    assert_ptr_equal(cn_get(world, entities[4321], Wide), before);
    assert_world_sound(world);
}

static void an_extent_that_two_archetypes_share_goes_with_the_last_of_them(void **state)
{
    (void)state;
    CniEcsArchetype *archetype = spawn_wide(3000);
    CnEntity other = cn_spawn(world, cn_with_default(Wide), cn_with_tag(Enemy));
    assert_true(cn_query_set(wide_ones(), cn_with_tag(Enemy)));
    CnEntity again = cn_spawn(world, cn_with_default(Wide)); /* in the chunk that was left */
    assert_ptr_equal(archetype_of(again), archetype);
    assert_int_equal(extent_of(again), extent_of(entities[2900]));
    assert_world_sound(world);
    cn_destroy_many(world, entities, 3000);
    assert_world_sound(world);
    cn_destroy(world, again);
    cn_destroy(world, other);
    cn_world_trim(world);
    assert_world_sound(world);
    for (uint32_t i = 0; i < world->extents.count; i++)
        assert_true(world->free_extent != 0);
}

/* ---- Giving back ---- */

static void growth_gives_the_memory_it_outgrows_back(void **state)
{
    (void)state;
    uint64_t before = cn_heap_stats(heap).live_bytes;
    CniEcsArchetype *archetype = spawn_wide(1024); /* half of the largest extent */
    uint64_t taken = cn_heap_stats(heap).live_bytes - before;
    assert_true(taken < 1024 * archetype->row_bytes * 3 / 2);
}

static void trimming_shrinks_an_archetype_that_lost_most_of_its_rows(void **state)
{
    (void)state;
    CniEcsArchetype *archetype = spawn_wide(2000);
    assert_int_equal(archetype->head.stride, 2048);
    cn_destroy_many(world, entities + 70, 1930);
    uint64_t before = cn_heap_stats(heap).live_bytes;
    cn_world_trim(world);
    assert_int_equal(archetype->head.stride, 128);
    assert_true(cn_heap_stats(heap).live_bytes < before / 2);
    assert_values(0, 70);
    assert_world_sound(world);
}

static void trimming_twice_moves_nothing_the_second_time(void **state)
{
    (void)state;
    spawn_wide(2000);
    cn_destroy_many(world, entities + 70, 1930);
    cn_world_trim(world);
    uint32_t structure = structure_changes();
    uint64_t bytes = cn_heap_stats(heap).live_bytes;
    cn_world_trim(world);
    assert_int_equal(structure_changes(), structure);
    assert_int_equal(cn_heap_stats(heap).live_bytes, bytes);
}

static void only_the_last_large_archetype_that_was_emptied_keeps_its_extent(void **state)
{
    (void)state;
    CniEcsArchetype *first = spawn_wide(2000);
    cn_destroy_many(world, entities, 2000);
    assert_true(first->has_spare);
    assert_true(cn_spawn_many(world, 2000, entities, cn_with_default(Wide), cn_with_tag(Enemy)));
    CniEcsArchetype *second = archetype_of(entities[0]);
    cn_destroy_many(world, entities, 2000);
    assert_false(first->has_spare);
    assert_true(second->has_spare);
    assert_world_sound(world);
    spawn_wide(100);
    assert_values(0, 100);
}

/* ---- Out of memory ---- */

static bool grow_and_move(CnAllocator *allocator, void *user)
{
    (void)user;
    world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world)
        return false;
    uint32_t count = 0;
    bool done = cn_id(world, Wide).id && cn_id(world, Enemy).id;
    for (; done && count < 2500; count++) {
        entities[count] = cn_spawn(world, cn_with(Wide, {{count}}));
        done = !cn_entity_is_null(entities[count]);
        if (!done)
            break;
        cn_get_mut(world, entities[count], Wide)->words[119] = count;
    }
    assert_int_equal(cn_entity_count(world), count);
    assert_world_sound(world);
    CnEntity other = {0};
    if (done)
        other = cn_spawn(world, cn_with(Wide, {{7}}), cn_with_tag(Enemy));
    if (!cn_entity_is_null(other)) {
        CnQuery *query = wide_ones();
        done = query && cn_query_set(query, cn_with_tag(Enemy));
        assert_int_equal(cn_get(world, other, Wide)->words[0], 7);
    } else {
        done = false;
    }
    assert_world_sound(world);
    assert_values(0, count);
    cn_world_destroy(world);
    return done;
}

static void nothing_is_lost_when_memory_ends_while_extents_grow_and_move(void **state)
{
    (void)state;
    QUIETLY(run_with_failing_allocations(grow_and_move, NULL));
    world = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_extent_doubles_up_to_its_largest_size),
        WORLD_TEST(the_largest_extent_has_at_most_1_mib),
        WORLD_TEST(values_of_both_layouts_survive_every_step_of_growth),
        WORLD_TEST(columns_of_chunks_in_one_extent_are_adjacent),
        WORLD_TEST(a_write_marks_one_chunk_of_an_extent_as_changed),
        WORLD_TEST(an_extent_is_handed_to_jobs_chunk_by_chunk),
        WORLD_TEST(an_archetype_of_one_entity_has_64_rows_and_no_extent_record),
        WORLD_TEST(an_archetype_that_moves_as_a_whole_keeps_its_memory),
        WORLD_TEST(an_extent_that_two_archetypes_share_goes_with_the_last_of_them),
        WORLD_TEST(growth_gives_the_memory_it_outgrows_back),
        WORLD_TEST(trimming_shrinks_an_archetype_that_lost_most_of_its_rows),
        WORLD_TEST(trimming_twice_moves_nothing_the_second_time),
        WORLD_TEST(only_the_last_large_archetype_that_was_emptied_keeps_its_extent),
        cmocka_unit_test(nothing_is_lost_when_memory_ends_while_extents_grow_and_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
