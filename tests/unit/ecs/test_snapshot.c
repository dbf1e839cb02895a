/* What is saved comes back. */
#include "snapshot_fixture.h"

static void an_empty_world_comes_back_empty(void **state)
{
    (void)state;
    cn_spawn(other, cn_with(Position, {1, 2, 3}));
    reload(world, other);
    assert_int_equal(cn_entity_count(other), 0);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void a_world_with_everything_keeps_its_hash(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    reload(world, other);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void a_loaded_world_saves_the_same_bytes(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_register(other));
    assert_true(rich_world_fill(world) && rich_world_fill(other));
    CnSnapshot first = save(world);
    load(other, &first);
    CnSnapshot second = save(other);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    cn_snapshot_free(&first);
    cn_snapshot_free(&second);
}

static void a_world_can_load_what_it_saved(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    uint64_t hash = cn_world_hash(world);
    CnSnapshot snapshot = save(world);
    cn_world_clear(world);
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    load(world, &snapshot);
    assert_int_equal(cn_world_hash(world), hash);
    cn_snapshot_free(&snapshot);
}

static void values_of_every_type_come_back(void **state)
{
    (void)state;
    RichAll all = {.a = 1.5f, .b = -2, .c = -3, .d = -4, .e = -5, .f = -6, .g = 7, .h = 8, .i = 9};
    all.j = 10;
    all.k[1] = true;
    all.l = cn_entity_create(world);
    all.m = (CnVec2){1, 2};
    all.n = (CnVec3){3, 4, 5};
    all.o = (CnVec4){6, 7, 8, 9};
    all.p = (CnQuat){0, 1, 0, 0};
    all.q.m[15] = 16;
    memcpy(all.r, "four", 5);
    all.s[6] = 11;
    CnEntity e = cn_spawn(world, (CnValue){.type = &cn_type_RichAll, .data = &all});
    reload(world, other);
    const RichAll *loaded = cn_get(other, e, RichAll);
    for (uint32_t f = 0; f < cn_type_RichAll.field_count; f++) {
        const CnField *field = &cn_type_RichAll.fields[f];
        assert_memory_equal((const uint8_t *)loaded + field->offset,
                            (const uint8_t *)&all + field->offset, field->size);
    }
}

static void entities_that_were_there_are_gone(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        cn_spawn(world, cn_with_tag(Frozen));
    CnEntity old[10];
    cn_spawn_many(other, 10, old, cn_with(Position, {1, 1, 1}));
    reload(world, other);
    assert_int_equal(cn_entity_count(other), 5);
    assert_false(cn_is_alive(other, old[9]));
    assert_false(cn_has(other, old[0], Position));
}

static void rows_keep_their_order(void **state)
{
    (void)state;
    CnEntity entities[300];
    cn_spawn_many(world, 300, entities, cn_with(Position, {1, 2, 3}));
    for (int i = 0; i < 300; i += 7)
        cn_destroy(world, entities[i]);
    reload(world, other);
    CnQueryDesc desc = {.all = {cn_reads(Position)}};
    CnQueryIter a = cn_query_iter(cn_query_acquire(world, &desc, NULL));
    CnQueryIter b = cn_query_iter(cn_query_acquire(other, &desc, NULL));
    CnChunkView left, right;
    while (cn_query_next(&a, &left)) {
        assert_true(cn_query_next(&b, &right));
        assert_int_equal(left.count, right.count);
        assert_memory_equal(left.entities, right.entities, left.count * sizeof(CnEntity));
    }
    assert_false(cn_query_next(&b, &right));
}

static void rows_that_fill_many_chunks_come_back(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    CnEntity *entities = cn_alloc(NULL, COUNT * sizeof *entities);
    cn_spawn_many(world, COUNT, entities, cn_with(Position, {1, 2, 3}), cn_with_tag(Enemy));
    cn_get_mut(world, entities[COUNT - 1], Position)->x = 9;
    reload(world, other);
    assert_number_equal(cn_get(other, entities[COUNT - 1], Position)->x, 9);
    assert_number_equal(cn_get(other, entities[COUNT / 2], Position)->z, 3);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
    cn_free(NULL, entities, COUNT * sizeof *entities);
}

static void archetypes_keep_their_order(void **state)
{
    (void)state;
    cn_register(other, Velocity);
    cn_register(other, Position);
    cn_spawn(world, cn_with_tag(Enemy), cn_with(Position, {1, 0, 0}));
    cn_spawn(world, cn_with_tag(Enemy), cn_with(Velocity, {2, 0, 0}));
    cn_spawn(world, cn_with_tag(Enemy));
    reload(world, other);
    CnChunkView view = {0};
    CnQueryIter it =
        cn_query_iter(cn_query_acquire(other, &(CnQueryDesc){.all = {cn_tag(Enemy)}}, NULL));
    assert_true(cn_query_next(&it, &view)); /* Enemy alone is made on the way to the others */
    assert_false(cn_has(other, view.entities[0], Position));
    assert_true(cn_query_next(&it, &view));
    assert_true(cn_has(other, view.entities[0], Position));
    assert_true(cn_query_next(&it, &view));
    assert_true(cn_has(other, view.entities[0], Velocity));
}

static void archetypes_without_rows_keep_their_place(void **state)
{
    (void)state;
    CnEntity first = cn_spawn(world, cn_with_tag(Enemy), cn_with_tag(Frozen));
    cn_spawn(world, cn_with_tag(Enemy), cn_with_tag(Burning));
    cn_destroy(world, first);
    reload(world, other);
    CnEntity again = cn_spawn(other, cn_with_tag(Enemy), cn_with_tag(Frozen));
    CnChunkView view = {0};
    CnQueryIter it =
        cn_query_iter(cn_query_acquire(other, &(CnQueryDesc){.all = {cn_tag(Enemy)}}, NULL));
    assert_true(cn_query_next(&it, &view));
    assert_entity_equal(view.entities[0], again);
}

static void the_tree_comes_back(void **state)
{
    (void)state;
    CnEntity root = cn_entity_create(world), a = cn_entity_create(world);
    CnEntity b = cn_entity_create(world), leaf = cn_entity_create(world);
    cn_set_parent(world, a, root);
    cn_set_parent(world, b, root);
    cn_set_parent(world, leaf, b);
    reload(world, other);
    assert_entity_equal(cn_parent(other, leaf), b);
    assert_entity_equal(cn_first_child(other, root), a);
    assert_entity_equal(cn_next_sibling(other, a), b);
    assert_int_equal(cn_depth(other, leaf), 2);
    assert_true(cn_destroy(other, root));
    assert_int_equal(cn_entity_count(other), 0);
}

static void the_order_of_the_tree_follows_the_data(void **state)
{
    (void)state;
    CnEntity parent = cn_entity_create(world), child = cn_entity_create(world);
    cn_set_parent(world, child, parent);
    for (int i = 0; i < 3; i++)
        cn_set_parent(other, cn_entity_create(other), cn_entity_create(other));
    CnTreeOrder order;
    assert_true(cn_tree_order(other, &order));
    reload(world, other);
    assert_true(cn_tree_order(other, &order));
    assert_int_equal(order.count, 2);
    assert_entity_equal(order.entities[0], parent);
    assert_entity_equal(order.entities[1], child);
}

static void a_resource_comes_back(void **state)
{
    (void)state;
    cn_resource_set(world, RichSettings, {7, "title", true});
    reload(world, other);
    assert_int_equal(cn_resource(other, RichSettings)->seed, 7);
    assert_string_equal(cn_resource(other, RichSettings)->title, "title");
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void a_resource_that_is_there_keeps_its_address(void **state)
{
    (void)state;
    cn_resource_set(world, RichClock, {12});
    const RichClock *clock = cn_resource_set(other, RichClock, {1});
    reload(world, other);
    assert_ptr_equal(cn_resource(other, RichClock), clock);
    assert_int_equal(clock->tick, 12);
}

static void a_resource_that_the_data_lacks_is_removed(void **state)
{
    (void)state;
    cn_resource_set(other, RichClock, {1});
    reload(world, other);
    assert_null(cn_resource(other, RichClock));
}

static void a_transient_resource_stays(void **state)
{
    (void)state;
    cn_register(other, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    cn_resource_set(other, RichCache, {5});
    cn_resource_set(other, RichSocket, {6});
    cn_resource_set(world, RichClock, {12});
    reload(world, other);
    assert_int_equal(cn_resource(other, RichCache)->value, 5);
    assert_int_equal(cn_resource(other, RichSocket)->number, 6);
}

static void a_resource_without_data_comes_back(void **state)
{
    (void)state;
    cn_resource_set_value(world, cn_id(world, Frozen), NULL);
    reload(world, other);
    assert_non_null(cn_resource_get(other, cn_id(other, Frozen)));
}

static void transient_components_are_not_saved(void **state)
{
    (void)state;
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    CnEntity e = cn_spawn(world, cn_with(RichCache, {1}), cn_with(RichSocket, {2}),
                          cn_with(Position, {3, 0, 0}));
    reload(world, other);
    assert_int_equal(cn_component_find(other, "RichCache").id, 0);
    assert_int_equal(cn_component_find(other, "RichSocket").id, 0);
    assert_number_equal(cn_get(other, e, Position)->x, 3);
}

static void rows_that_differ_in_transient_components_are_joined_in_order(void **state)
{
    (void)state;
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    CnEntity e[4];
    e[0] = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    e[2] = cn_spawn(world, cn_with(Position, {2, 0, 0}), cn_with(RichCache, {1}));
    e[1] = cn_spawn(world, cn_with(Position, {1, 0, 0}));
    e[3] = cn_spawn(world, cn_with(Position, {3, 0, 0}), cn_with(RichCache, {1}));
    reload(world, other);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
    CnChunkView view = {0};
    CnQueryIter it =
        cn_query_iter(cn_query_acquire(other, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL));
    assert_true(cn_query_next(&it, &view));
    assert_int_equal(view.count, 4);
    for (int i = 0; i < 4; i++)
        assert_entity_equal(view.entities[i], e[i]);
}

static void padding_is_not_saved(void **state)
{
    (void)state;
    RichPadded a, b;
    memset(&a, 0x11, sizeof a);
    memset(&b, 0xee, sizeof b);
    a.small = b.small = 1;
    a.large = b.large = 2;
    a.middle = b.middle = 3;
    cn_spawn(world, (CnValue){.type = &cn_type_RichPadded, .data = &a});
    cn_spawn(other, (CnValue){.type = &cn_type_RichPadded, .data = &b});
    CnSnapshot first = save(world), second = save(other);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    cn_snapshot_free(&first);
    cn_snapshot_free(&second);
}

static void a_text_is_saved_up_to_its_terminator(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(RichLabel, {.text = "ab\0garbage"}));
    reload(world, other);
    assert_memory_equal(cn_get(other, a, RichLabel)->text, "ab\0\0\0\0\0\0\0\0\0", 12);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void a_text_without_terminator_is_cut_at_a_character(void **state)
{
    (void)state;
    RichLabel label;
    memcpy(label.text, "1234567890\xc3\xa4", 12);
    CnEntity a = cn_spawn(world, (CnValue){.type = &cn_type_RichLabel, .data = &label});
    memcpy(label.text, "ok\xff not\0", 9);
    CnEntity b = cn_spawn(world, (CnValue){.type = &cn_type_RichLabel, .data = &label});
    reload(world, other);
    assert_string_equal(cn_get(other, a, RichLabel)->text, "1234567890");
    assert_string_equal(cn_get(other, b, RichLabel)->text, "ok");
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(an_empty_world_comes_back_empty),
        TWO_WORLDS_TEST(a_world_with_everything_keeps_its_hash),
        TWO_WORLDS_TEST(a_loaded_world_saves_the_same_bytes),
        TWO_WORLDS_TEST(a_world_can_load_what_it_saved),
        TWO_WORLDS_TEST(values_of_every_type_come_back),
        TWO_WORLDS_TEST(entities_that_were_there_are_gone),
        TWO_WORLDS_TEST(rows_keep_their_order),
        TWO_WORLDS_TEST(rows_that_fill_many_chunks_come_back),
        TWO_WORLDS_TEST(archetypes_keep_their_order),
        TWO_WORLDS_TEST(archetypes_without_rows_keep_their_place),
        TWO_WORLDS_TEST(the_tree_comes_back),
        TWO_WORLDS_TEST(the_order_of_the_tree_follows_the_data),
        TWO_WORLDS_TEST(a_resource_comes_back),
        TWO_WORLDS_TEST(a_resource_that_is_there_keeps_its_address),
        TWO_WORLDS_TEST(a_resource_that_the_data_lacks_is_removed),
        TWO_WORLDS_TEST(a_transient_resource_stays),
        TWO_WORLDS_TEST(a_resource_without_data_comes_back),
        TWO_WORLDS_TEST(transient_components_are_not_saved),
        TWO_WORLDS_TEST(rows_that_differ_in_transient_components_are_joined_in_order),
        TWO_WORLDS_TEST(padding_is_not_saved),
        TWO_WORLDS_TEST(a_text_is_saved_up_to_its_terminator),
        TWO_WORLDS_TEST(a_text_without_terminator_is_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
