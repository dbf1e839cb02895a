#include "world_internals.h"

CN_COMPONENT(Block, (u8, bytes, 600)); /* 64 rows need more than a chunk */
CN_COMPONENT(Bytes4, (u8, bytes, 4));
CN_COMPONENT(Bytes12, (u8, bytes, 12));
CN_COMPONENT(Bytes16, (u8, bytes, 16));
CN_COMPONENT(Bytes20, (u8, bytes, 20));

static CnEntity spawn_moving(float x)
{
    return cn_spawn(world, cn_with(Position, {x, x + 1, x + 2}),
                    cn_with(Velocity, {-x, -x - 1, -x - 2}));
}

/* ---- Identity ---- */

static void entities_with_equal_components_share_an_archetype(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with_default(Position), cn_with_tag(Enemy));
    CnEntity b = cn_spawn(world, cn_with_tag(Enemy), cn_with_default(Position));
    CnEntity c = cn_spawn(world, cn_with_default(Position));
    cn_add(world, c, Enemy);
    assert_ptr_equal(archetype_of(a), archetype_of(b));
    assert_ptr_equal(archetype_of(a), archetype_of(c));
}

static void entities_with_other_components_lie_in_other_archetypes(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with_default(Position));
    CnEntity b = cn_spawn(world, cn_with_default(Position), cn_with_tag(Enemy));
    assert_ptr_not_equal(archetype_of(a), archetype_of(b));
}

static void the_mask_has_one_bit_per_component(void **state)
{
    (void)state;
    CnComponent position = cn_register(world, Position), velocity = cn_register(world, Velocity),
                frozen = cn_register(world, Frozen);
    const CniEcsArchetype *archetype =
        archetype_of(cn_spawn(world, cn_with_default(Position), cn_with_tag(Frozen)));
    assert_true(cni_ecs_archetype_has(archetype, position.id));
    assert_true(cni_ecs_archetype_has(archetype, frozen.id));
    assert_false(cni_ecs_archetype_has(archetype, velocity.id));
    uint64_t bits = (uint64_t)1 << position.id | (uint64_t)1 << frozen.id;
    assert_int_equal(archetype->words[0], bits);
}

static void a_mask_grows_with_the_highest_component(void **state)
{
    (void)state;
    CnComponent last = {0};
    for (int i = 0; i < 300; i++) {
        char name[16];
        cn_format(name, sizeof name, "Tag%d", i);
        CnType type = {.name = name, .alignment = 1};
        last = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    }
    CnEntity entity = cn_entity_create(world);
    cn_add_component(world, entity, last);
    assert_int_equal(last.id, 300);
    assert_int_equal(archetype_of(entity)->word_count, 300 / 64 + 1);
    assert_true(cn_has_component(world, entity, last));
    assert_false(cn_has_component(world, entity, (CnComponent){299}));
    assert_false(cn_has_component(world, entity, (CnComponent){60000}));
}

static void an_archetype_is_found_by_its_hash_and_never_made_twice(void **state)
{
    (void)state;
    uint32_t ids[2] = {cn_register(world, Position).id, cn_register(world, Velocity).id};
    CniEcsArchetype *made = cni_ecs_archetype_find_or_create(world, ids, 2);
    uint32_t count = world->archetypes.count;
    assert_ptr_equal(cni_ecs_archetype_find_or_create(world, ids, 2), made);
    assert_ptr_equal(archetype_of(spawn_moving(0)), made);
    assert_ptr_not_equal(cni_ecs_archetype_find_or_create(world, ids, 1), made);
    assert_true(world->archetypes.count >= count);
}

static void many_archetypes_are_all_found_again(void **state)
{
    (void)state;
    CnComponent tags[12];
    for (int i = 0; i < 12; i++) {
        char name[16];
        cn_format(name, sizeof name, "Tag%d", i);
        CnType type = {.name = name, .alignment = 1};
        tags[i] = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    }
    for (int round = 0; round < 2; round++) {
        for (uint32_t mask = 0; mask < 4096; mask++) {
            CnEntity entity = cn_entity_create(world);
            for (uint32_t i = 0; i < 12; i++)
                if (mask >> i & 1u)
                    cn_add_component(world, entity, tags[i]);
            assert_int_equal(archetype_of(entity)->id_count, __builtin_popcount(mask));
        }
        assert_int_equal(cn_world_stats(world).archetypes, 4096);
    }
}

/* ---- Columns ---- */

static void each_component_with_data_is_a_column_of_its_own(void **state)
{
    (void)state;
    CnEntity entities[3];
    for (int i = 0; i < 3; i++)
        entities[i] = spawn_moving((float)(10 * i));
    const Position *p = cn_get(world, entities[0], Position);
    const Velocity *v = cn_get(world, entities[0], Velocity);
    for (int i = 0; i < 3; i++) {
        assert_entity_equal(cni_ecs_chunk_entities(chunk_of(entities[0]))[i], entities[i]);
        assert_number_equal(p[i].x, 10 * i);
        assert_number_equal(v[i].y, -10 * i - 1);
    }
}

static void only_components_with_data_have_columns(void **state)
{
    (void)state;
    const CniEcsArchetype *archetype = archetype_of(
        cn_spawn(world, cn_with_default(Position), cn_with_tag(Enemy), cn_with_default(Health)));
    assert_int_equal(archetype->id_count, 3);
    assert_int_equal(archetype->column_count, 2);
    assert_int_equal(archetype->row_bytes, 8 + sizeof(Position) + sizeof(Health));
}

static void a_column_is_found_by_its_component(void **state)
{
    (void)state;
    CnEntity entity = spawn_moving(0);
    cn_add(world, entity, Frozen);
    const CniEcsArchetype *archetype = archetype_of(entity);
    uint32_t position = cn_id(world, Position).id, velocity = cn_id(world, Velocity).id;
    assert_int_equal(cni_ecs_archetype_column(archetype, position)->component, position);
    assert_int_equal(cni_ecs_archetype_column(archetype, velocity)->component, velocity);
    assert_null(cni_ecs_archetype_column(archetype, cn_id(world, Frozen).id));
    assert_null(cni_ecs_archetype_column(archetype, cn_id(world, Health).id));
}

static void every_column_begins_at_a_multiple_of_64_bytes(void **state)
{
    (void)state;
    cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    for (int i = 0; i < 3000; i++)
        cn_spawn(world, cn_with_default(Mass), cn_with_default(Position), cn_with_default(Health),
                 cn_with_default(Velocity));
    CnQuery *query = cn_query_acquire(world,
                                      &(CnQueryDesc){.all = {cn_reads(Mass), cn_reads(Position),
                                                             cn_reads(Health), cn_reads(Velocity)}},
                                      NULL);
    CnChunkView view = {0};
    uint32_t chunks = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view); chunks++) {
        assert_int_equal((uintptr_t)view.entities % 64, 0);
        assert_int_equal((uintptr_t)cn_column_const(&view, Mass) % 64, 0);
        assert_int_equal((uintptr_t)cn_column_const(&view, Position) % 64, 0);
        assert_int_equal((uintptr_t)cn_column_const(&view, Velocity) % 64, 0);
        assert_int_equal((uintptr_t)cn_field_const(&view, Health, now) % 64, 0);
        assert_int_equal((uintptr_t)cn_field_const(&view, Health, most) % 64, 0);
    }
    assert_true(chunks > 1);
}

/* ---- Chunks ---- */

static void a_full_chunk_fills_32_kib_with_a_multiple_of_64_rows(void **state)
{
    (void)state;
    const CniEcsArchetype *archetype = archetype_of(spawn_moving(0));
    uint32_t capacity = archetype->full_capacity, row_bytes = archetype->row_bytes;
    assert_int_equal(row_bytes, 32);
    assert_int_equal(capacity % CN_CHUNK_MIN_ROWS, 0);
    assert_true(capacity * row_bytes <= CN_CHUNK_BYTES);
    assert_true((capacity + CN_CHUNK_MIN_ROWS) * row_bytes > CN_CHUNK_BYTES);
}

static void large_rows_still_come_64_to_a_chunk(void **state)
{
    (void)state;
    const CniEcsArchetype *archetype = archetype_of(cn_spawn(world, cn_with_default(Block)));
    assert_int_equal(archetype->full_capacity, CN_CHUNK_MIN_ROWS);
}

static void rows_without_data_come_4096_to_a_chunk(void **state)
{
    (void)state;
    const CniEcsArchetype *archetype = archetype_of(cn_spawn(world, cn_with_tag(Enemy)));
    assert_int_equal(archetype->full_capacity, CN_CHUNK_MAX_ROWS);
}

static void the_first_chunk_starts_small_and_doubles(void **state)
{
    (void)state;
    CnEntity first = spawn_moving(7);
    uint32_t expected = CN_CHUNK_MIN_ROWS;
    for (uint32_t rows = 1; rows <= archetype_of(first)->full_capacity; rows++) {
        if (rows > expected)
            expected *= 2;
        assert_int_equal(chunk_of(first)->capacity, expected);
        assert_int_equal(archetype_of(first)->head.chunk_count, 1);
        spawn_moving((float)rows);
    }
    assert_int_equal(archetype_of(first)->head.chunk_count, 2);
    assert_number_equal(cn_get(world, first, Velocity)->z, -9);
}

static void growth_of_the_first_chunk_keeps_all_rows(void **state)
{
    (void)state;
    cn_register(world, Velocity, .layout = CN_LAYOUT_FIELDS);
    CnEntity entities[1000];
    for (int i = 0; i < 1000; i++)
        entities[i] = spawn_moving((float)i);
    for (int i = 0; i < 1000; i++) {
        Velocity v;
        assert_true(cn_read(world, entities[i], Velocity, &v));
        assert_number_equal(cn_get(world, entities[i], Position)->x, i);
        assert_number_equal(v.z, -i - 2);
    }
}

static void all_chunks_but_the_last_are_full(void **state)
{
    (void)state;
    CnEntity entities[4000];
    assert_true(cn_spawn_many(world, 4000, entities, cn_with(Position, {0})));
    for (int i = 0; i < 4000; i += 3)
        cn_destroy(world, entities[i]);
    const CniEcsArchetype *archetype = archetype_of(entities[1]);
    uint32_t rows = 0;
    for (uint32_t c = 0; c < archetype->head.chunk_count; c++) {
        rows += nth_chunk(archetype, c)->count;
        if (c + 1 < archetype->head.chunk_count)
            assert_int_equal(nth_chunk(archetype, c)->count, archetype->full_capacity);
    }
    assert_int_equal(rows, cn_entity_count(world));
}

static void an_emptied_archetype_keeps_one_chunk_for_its_next_entity(void **state)
{
    (void)state;
    CnEntity entity = spawn_moving(1);
    cn_destroy(world, entity);
    uint64_t calls = heap_calls();
    for (int i = 0; i < 100; i++)
        cn_destroy(world, spawn_moving(1));
    assert_int_equal(heap_calls(), calls);
}

static void memory_of_chunks_is_used_again(void **state)
{
    (void)state;
    CnEntity entities[5000];
    for (int round = 0; round < 2; round++) {
        cn_spawn_many(world, 5000, entities, cn_with(Position, {0}));
        cn_destroy_many(world, entities, 5000);
    }
    uint64_t calls = heap_calls(), bytes = cn_heap_stats(heap).live_bytes;
    for (int round = 0; round < 10; round++) {
        cn_spawn_many(world, 5000, entities, cn_with(Position, {0}));
        cn_destroy_many(world, entities, 5000);
    }
    assert_int_equal(heap_calls(), calls);
    assert_int_equal(cn_heap_stats(heap).live_bytes, bytes);
}

static void trimming_gives_the_memory_of_empty_archetypes_back(void **state)
{
    (void)state;
    CnEntity entities[20000], kept = cn_spawn(world, cn_with(Health, {3, 3}));
    cn_spawn_many(world, 20000, entities, cn_with(Position, {0}), cn_with(Velocity, {0}));
    uint64_t full = cn_heap_stats(heap).live_bytes;
    cn_destroy_many(world, entities, 20000);
    cn_world_trim(world);
    CnWorldStats stats = cn_world_stats(world);
    assert_true(cn_heap_stats(heap).live_bytes < full / 2);
    assert_int_equal(stats.archetypes, 2); /* the empty one and that of Health */
    assert_int_equal(cn_get(world, kept, Health)->now, 3);
    CnEntity again = spawn_moving(5);
    assert_number_equal(cn_get(world, again, Position)->x, 5);
}

/* ---- Rows ---- */

static void removal_swaps_the_last_row_into_the_hole(void **state)
{
    (void)state;
    CnEntity a = spawn_moving(1), b = spawn_moving(2), c = spawn_moving(3);
    CniEcsRowRef hole = place_of(a);
    cn_destroy(world, a);
    assert_int_equal(place_of(c).row, hole.row);
    assert_int_equal(place_of(c).chunk, hole.chunk);
    assert_number_equal(cn_get(world, c, Position)->x, 3);
    assert_number_equal(cn_get(world, c, Velocity)->x, -3);
    assert_number_equal(cn_get(world, b, Position)->x, 2);
    assert_int_equal(chunk_of(b)->count, 2);
}

static void removal_of_the_last_row_moves_no_entity(void **state)
{
    (void)state;
    CnEntity a = spawn_moving(1), b = spawn_moving(2);
    cn_destroy(world, b);
    assert_int_equal(place_of(a).row, 0);
    assert_number_equal(cn_get(world, a, Position)->x, 1);
}

static void a_hole_in_one_chunk_is_filled_from_the_last(void **state)
{
    (void)state;
    CnEntity entities[3000];
    for (int i = 0; i < 3000; i++)
        entities[i] = spawn_moving((float)i);
    CniEcsRowRef hole = place_of(entities[5]);
    cn_destroy(world, entities[5]);
    assert_int_equal(place_of(entities[2999]).chunk, hole.chunk);
    assert_int_equal(place_of(entities[2999]).row, hole.row);
    assert_number_equal(cn_get(world, entities[2999], Velocity)->x, -2999);
}

/* Full chunks arrive before the small one that was there. */
static void a_row_behind_chunks_that_arrived_whole_fills_a_hole_with_its_values(void **state)
{
    (void)state;
    CnEntity last = spawn_moving(77), full[1024];
    cn_add(world, last, Enemy);
    uint32_t count = archetype_of(last)->full_capacity;
    assert_true(count <= CN_COUNT_OF(full));
    for (uint32_t i = 0; i < count; i++)
        full[i] = spawn_moving((float)i);
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag(Position)}, .none = {cn_tag(Enemy)}}, NULL);
    assert_true(cn_query_set(query, cn_with_tag(Enemy)));
    assert_int_equal(place_of(last).row, 0);
    assert_int_equal(chunk_of(last)->position, 1);
    cn_remove(world, full[3], Enemy);
    assert_number_equal(cn_get(world, last, Position)->y, 78);
    assert_number_equal(cn_get(world, last, Velocity)->z, -79);
    assert_number_equal(cn_get(world, full[3], Position)->y, 4);
    assert_number_equal(cn_get(world, full[3], Velocity)->z, -5);
}

static void moving_to_another_archetype_keeps_shared_values(void **state)
{
    (void)state;
    CnEntity other = spawn_moving(1), entity = spawn_moving(2), last = spawn_moving(3);
    cn_set(world, entity, Health, {7, 8});
    assert_number_equal(cn_get(world, entity, Position)->x, 2);
    assert_number_equal(cn_get(world, entity, Velocity)->z, -4);
    assert_int_equal(cn_get(world, entity, Health)->most, 8);
    cn_remove(world, entity, Position);
    assert_number_equal(cn_get(world, entity, Velocity)->z, -4);
    assert_int_equal(cn_get(world, entity, Health)->now, 7);
    assert_number_equal(cn_get(world, other, Position)->x, 1);
    assert_number_equal(cn_get(world, last, Position)->x, 3);
}

static void assert_sized_values(CnEntity entity, double n)
{
    uint8_t byte = (uint8_t)n;
    assert_int_equal(cn_get(world, entity, Bytes4)->bytes[3], byte);
    assert_true(cn_get(world, entity, Mass)->kilograms == n);
    assert_int_equal(cn_get(world, entity, Bytes12)->bytes[11], byte);
    assert_int_equal(cn_get(world, entity, Bytes16)->bytes[15], byte);
    assert_int_equal(cn_get(world, entity, Bytes20)->bytes[19], byte);
}

static void values_of_every_size_move_with_a_tag_and_with_each_other(void **state)
{
    (void)state;
    CnEntity entities[5];
    for (uint8_t n = 0; n < 5; n++) {
        entities[n] = cn_spawn(world, cn_with(Bytes20, {.bytes[19] = n}));
        cn_set(world, entities[n], Mass, {n});
        cn_set(world, entities[n], Bytes4, {.bytes[3] = n});
        cn_set(world, entities[n], Bytes16, {.bytes[15] = n});
        cn_set(world, entities[n], Bytes12, {.bytes[11] = n});
    }
    for (uint32_t round = 0; round < 2; round++) {
        for (uint8_t n = 0; n < 5; n++) {
            cn_add(world, entities[n], Frozen);
            cn_remove(world, entities[n], Bytes16);
            cn_remove(world, entities[n], Bytes20);
        }
        for (uint8_t n = 0; n < 5; n++) {
            cn_set(world, entities[n], Bytes20, {.bytes[19] = n});
            cn_remove(world, entities[n], Frozen);
            cn_set(world, entities[n], Bytes16, {.bytes[15] = n});
        }
        for (uint32_t n = 0; n < 5; n++)
            assert_sized_values(entities[n], n);
    }
}

static void an_archetype_of_tags_alone_keeps_only_ids(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with_tag(Enemy)), b = cn_spawn(world, cn_with_tag(Enemy));
    const CniEcsArchetype *archetype = archetype_of(a);
    assert_int_equal(archetype->column_count, 0);
    assert_int_equal(archetype->row_bytes, sizeof(CnEntity));
    cn_add(world, a, Frozen);
    assert_int_equal(place_of(b).row, 0);
    cn_remove(world, a, Frozen);
    assert_ptr_equal(archetype_of(a), archetype);
    assert_int_equal(chunk_of(a)->count, 2);
}

/* ---- The graph ---- */

static void adding_caches_the_edge_in_both_directions(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Position));
    CniEcsArchetype *before = archetype_of(entity);
    uint32_t velocity = cn_id(world, Velocity).id;
    assert_null(edge_of(before, velocity));
    cn_add(world, entity, Velocity);
    assert_ptr_equal(edge_of(before, velocity), archetype_of(entity));
    assert_ptr_equal(edge_of(archetype_of(entity), velocity), before);
}

static void removing_caches_the_edge_in_both_directions(void **state)
{
    (void)state;
    uint32_t ids[2] = {cn_id(world, Position).id, cn_id(world, Velocity).id};
    CniEcsArchetype *both = cni_ecs_archetype_find_or_create(world, ids, 2);
    CnEntity entity = spawn_moving(1);
    assert_ptr_equal(archetype_of(entity), both);
    assert_null(edge_of(both, ids[0]));
    cn_remove(world, entity, Position);
    assert_ptr_equal(edge_of(both, ids[0]), archetype_of(entity));
    assert_ptr_equal(edge_of(archetype_of(entity), ids[0]), both);
}

static void a_known_transition_makes_no_archetype_and_no_heap_call(void **state)
{
    (void)state;
    CnEntity entity = spawn_moving(1);
    cn_add(world, entity, Enemy);
    cn_remove(world, entity, Enemy);
    uint32_t archetypes = world->archetypes.count;
    uint64_t calls = heap_calls();
    for (int i = 0; i < 100; i++) {
        cn_add(world, entity, Enemy);
        cn_remove(world, entity, Enemy);
    }
    assert_int_equal(world->archetypes.count, archetypes);
    assert_int_equal(heap_calls(), calls);
}

static void an_archetype_has_many_edges(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    CnComponent tags[100];
    for (int i = 0; i < 100; i++) {
        char name[16];
        cn_format(name, sizeof name, "Tag%d", i);
        CnType type = {.name = name, .alignment = 1};
        tags[i] = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
        cn_add_component(world, entity, tags[i]);
        cn_remove_component(world, entity, tags[i]);
    }
    const CniEcsArchetype *root = world->archetypes.items[0];
    for (int i = 0; i < 100; i++)
        assert_ptr_equal(edge_of(edge_of(root, tags[i].id), tags[i].id), root);
}

static void a_trimmed_archetype_leaves_no_edge_behind(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Position));
    cn_add(world, entity, Enemy);
    cn_remove(world, entity, Enemy);
    cn_world_trim(world);
    assert_null(edge_of(archetype_of(entity), cn_id(world, Enemy).id));
    cn_add(world, entity, Enemy);
    assert_true(cn_has(world, entity, Enemy));
}

/* ---- Component index ---- */

static void each_component_lists_its_archetypes(void **state)
{
    (void)state;
    const CniEcsArchetype *a = archetype_of(cn_spawn(world, cn_with_default(Health)));
    const CniEcsArchetype *b =
        archetype_of(cn_spawn(world, cn_with_default(Health), cn_with_tag(Enemy)));
    const CniEcsComponent *health = cni_ecs_component_get(world, cn_id(world, Health).id);
    const CniEcsComponent *enemy = cni_ecs_component_get(world, cn_id(world, Enemy).id);
    assert_int_equal(health->archetypes.count, 2);
    assert_ptr_equal(health->archetypes.items[0].archetype, a);
    assert_ptr_equal(health->archetypes.items[1].archetype, b);
    assert_int_equal(enemy->archetypes.count, 1);
    assert_ptr_equal(enemy->archetypes.items[0].archetype, b);
}

static void a_trimmed_archetype_comes_back_in_its_old_place(void **state)
{
    (void)state;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    CnQuery *enemies = cn_query_acquire(world, &(CnQueryDesc){.none = {cn_tag(Frozen)}}, NULL);
    cn_destroy(world, cn_spawn(world, cn_with_default(Health), cn_with_tag(Enemy)));
    CnEntity second = cn_spawn(world, cn_with_default(Health), cn_with_tag(Burning));
    uint32_t before = cn_world_stats(world).archetypes;
    cn_world_trim(world);
    assert_int_equal(cn_query_archetype_count(query), 1);
    assert_true(cn_world_stats(world).archetypes < before);
    /* One that is made now does not see it either. */
    CnQuery *late = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Health)}}, NULL);
    assert_int_equal(cn_query_archetype_count(late), 1);
    CnEntity first = cn_spawn(world, cn_with_default(Health), cn_with_tag(Enemy));
    CnQuery *queries[] = {query, late};
    for (uint32_t i = 0; i < 2; i++) {
        CnChunkView view = {0};
        CnQueryIter it = cn_query_iter(queries[i]);
        do
            assert_true(cn_query_next(&it, &view));
        while (!view.count);
        assert_entity_equal(view.entities[0], first);
        assert_true(cn_query_next(&it, &view));
        assert_entity_equal(view.entities[0], second);
    }
    assert_int_equal(cn_query_count(enemies), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(entities_with_equal_components_share_an_archetype),
        WORLD_TEST(entities_with_other_components_lie_in_other_archetypes),
        WORLD_TEST(the_mask_has_one_bit_per_component),
        WORLD_TEST(a_mask_grows_with_the_highest_component),
        WORLD_TEST(an_archetype_is_found_by_its_hash_and_never_made_twice),
        WORLD_TEST(many_archetypes_are_all_found_again),
        WORLD_TEST(each_component_with_data_is_a_column_of_its_own),
        WORLD_TEST(only_components_with_data_have_columns),
        WORLD_TEST(a_column_is_found_by_its_component),
        WORLD_TEST(every_column_begins_at_a_multiple_of_64_bytes),
        WORLD_TEST(a_full_chunk_fills_32_kib_with_a_multiple_of_64_rows),
        WORLD_TEST(large_rows_still_come_64_to_a_chunk),
        WORLD_TEST(rows_without_data_come_4096_to_a_chunk),
        WORLD_TEST(the_first_chunk_starts_small_and_doubles),
        WORLD_TEST(growth_of_the_first_chunk_keeps_all_rows),
        WORLD_TEST(all_chunks_but_the_last_are_full),
        WORLD_TEST(an_emptied_archetype_keeps_one_chunk_for_its_next_entity),
        WORLD_TEST(memory_of_chunks_is_used_again),
        WORLD_TEST(trimming_gives_the_memory_of_empty_archetypes_back),
        WORLD_TEST(removal_swaps_the_last_row_into_the_hole),
        WORLD_TEST(removal_of_the_last_row_moves_no_entity),
        WORLD_TEST(a_hole_in_one_chunk_is_filled_from_the_last),
        WORLD_TEST(a_row_behind_chunks_that_arrived_whole_fills_a_hole_with_its_values),
        WORLD_TEST(moving_to_another_archetype_keeps_shared_values),
        WORLD_TEST(values_of_every_size_move_with_a_tag_and_with_each_other),
        WORLD_TEST(an_archetype_of_tags_alone_keeps_only_ids),
        WORLD_TEST(adding_caches_the_edge_in_both_directions),
        WORLD_TEST(removing_caches_the_edge_in_both_directions),
        WORLD_TEST(a_known_transition_makes_no_archetype_and_no_heap_call),
        WORLD_TEST(an_archetype_has_many_edges),
        WORLD_TEST(a_trimmed_archetype_leaves_no_edge_behind),
        WORLD_TEST(each_component_lists_its_archetypes),
        WORLD_TEST(a_trimmed_archetype_comes_back_in_its_old_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
