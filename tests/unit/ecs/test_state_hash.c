/* What the hash of a world depends on, and what it does not. */
#include "snapshot_fixture.h"

static void assert_same_hash(void)
{
    assert_int_equal(cn_world_hash(world), cn_world_hash(other));
}

static void assert_other_hash(void)
{
    assert_int_not_equal(cn_world_hash(world), cn_world_hash(other));
}

/* ---- It depends on ---- */

static void a_value_matters(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_spawn(other, cn_with(Position, {1, 2, 4}));
    assert_other_hash();
}

static void the_name_of_a_component_matters(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_spawn(other, cn_with(Velocity, {1, 2, 3}));
    assert_other_hash();
}

static void a_tag_matters(void **state)
{
    (void)state;
    cn_spawn(world, cn_with_tag(Frozen));
    cn_spawn(other, cn_with_tag(Enemy));
    assert_other_hash();
}

static void the_generation_of_a_dead_slot_matters(void **state)
{
    (void)state;
    cn_destroy(world, cn_entity_create(world));
    for (int i = 0; i < 2; i++)
        cn_destroy(other, cn_entity_create(other));
    assert_other_hash();
}

static void the_order_of_free_slots_matters(void **state)
{
    (void)state;
    CnEntity a[3], b[3];
    cn_spawn_many(world, 3, a, cn_with_tag(Enemy));
    cn_spawn_many(other, 3, b, cn_with_tag(Enemy));
    cn_destroy(world, a[2]);
    cn_destroy(world, a[1]);
    cn_destroy(other, b[2]);
    cn_destroy(other, b[0]);
    cn_destroy(world, a[0]);
    cn_destroy(other, b[1]);
    assert_other_hash();
}

static void the_order_of_rows_matters(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    CnEntity c = cn_entity_create(other), d = cn_entity_create(other);
    cn_add(world, a, Enemy);
    cn_add(world, b, Enemy);
    cn_add(other, d, Enemy);
    cn_add(other, c, Enemy);
    assert_other_hash();
}

static void the_target_of_a_pair_matters(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(other);
    CnEntity x = cn_entity_create(world), y = cn_entity_create(other);
    cn_add_component(world, a, cn_pair(world, cn_id(world, RichKnows), a));
    cn_add_component(other, b, cn_pair(other, cn_id(other, RichKnows), y));
    (void)x;
    assert_other_hash();
}

static void a_resource_matters(void **state)
{
    (void)state;
    cn_resource_set(world, RichClock, {1});
    assert_other_hash();
    cn_resource_set(other, RichClock, {2});
    assert_other_hash();
    cn_resource_set(other, RichClock, {1});
    assert_same_hash();
}

/* ---- It does not depend on ---- */

static void the_order_of_registration_does_not_matter(void **state)
{
    (void)state;
    cn_register(world, Position);
    cn_register(world, RichAll);
    cn_register(other, RichAll);
    cn_register(other, Enemy);
    cn_register(other, Position);
    for (int i = 0; i < 50; i++) {
        cn_spawn(world, cn_with(Position, {1, 2, (float)i}), cn_with(RichAll, {.b = i}),
                 cn_with_tag(Enemy));
        cn_spawn(other, cn_with(Position, {1, 2, (float)i}), cn_with(RichAll, {.b = i}),
                 cn_with_tag(Enemy));
    }
    assert_same_hash();
}

static void the_layout_does_not_matter(void **state)
{
    (void)state;
    cn_register(world, Position, .layout = CN_LAYOUT_FIELDS);
    cn_register(world, RichPadded, .layout = CN_LAYOUT_FIELDS);
    for (int i = 0; i < 500; i++) {
        cn_spawn(world, cn_with(Position, {1, 2, (float)i}), cn_with(RichPadded, {1, 2, 3}));
        cn_spawn(other, cn_with(Position, {1, 2, (float)i}), cn_with(RichPadded, {1, 2, 3}));
    }
    assert_same_hash();
}

static void padding_does_not_matter(void **state)
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
    cn_resource_set_value(world, cn_id(world, RichPadded), &a);
    cn_resource_set_value(other, cn_id(other, RichPadded), &b);
    assert_same_hash();
}

static void bytes_behind_a_text_do_not_matter(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(RichLabel, {.text = "ab\0cd"}));
    cn_spawn(other, cn_with(RichLabel, {.text = "ab\0ef"}));
    assert_same_hash();
}

static void archetypes_without_rows_do_not_matter(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with_tag(Enemy), cn_with(Position, {1, 2, 3}));
    cn_spawn(other, cn_with_tag(Enemy), cn_with(Position, {1, 2, 3}));
    cn_add(world, e, Burning);
    cn_remove(world, e, Burning);
    assert_same_hash();
    cn_world_trim(world);
    assert_same_hash();
}

static void registered_components_do_not_matter(void **state)
{
    (void)state;
    cn_register(world, Position);
    assert_same_hash();
}

static void transient_components_do_not_matter(void **state)
{
    (void)state;
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    CnEntity e = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(RichCache, {4}));
    cn_spawn(other, cn_with(Position, {1, 2, 3}));
    assert_same_hash();
    cn_set(world, e, RichSocket, {1});
    cn_resource_set(world, RichCache, {9});
    assert_same_hash();
}

static void the_first_archetype_with_rows_gives_a_group_its_place(void **state)
{
    (void)state;
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    /* Position with cache comes first, but is empty: the group stands behind Velocity. */
    CnEntity first = cn_spawn(world, cn_with(RichCache, {4}), cn_with(Position, {1, 2, 3}));
    cn_destroy(world, first);
    cn_spawn(world, cn_with(Velocity, {1, 2, 3}));
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_destroy(other, cn_entity_create(other));
    cn_spawn(other, cn_with(Velocity, {1, 2, 3}));
    cn_spawn(other, cn_with(Position, {1, 2, 3}));
    assert_same_hash();
    reload(world, other);
    assert_same_hash();
}

static void entities_with_only_transient_components_stand_first(void **state)
{
    (void)state;
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_spawn(world, cn_with(RichCache, {4}));
    cn_spawn(other, cn_with(Position, {1, 2, 3}));
    cn_entity_create(other);
    assert_same_hash();
    reload(world, other);
    assert_same_hash();
}

static void hashing_takes_no_memory(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    uint64_t calls = cn_heap_stats(heap).calls;
    cn_world_hash(world);
    cn_world_hash_component(world, cn_id(world, RichAll));
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

/* ---- One component ---- */

static void the_component_that_differs_is_found(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Velocity, {1, 2, 3}));
    cn_spawn(other, cn_with(Velocity, {1, 2, 4}), cn_with(Position, {1, 2, 3}));
    assert_int_equal(cn_world_hash_component(world, cn_id(world, Position)),
                     cn_world_hash_component(other, cn_id(other, Position)));
    assert_int_not_equal(cn_world_hash_component(world, cn_id(world, Velocity)),
                         cn_world_hash_component(other, cn_id(other, Velocity)));
}

static void the_hash_of_a_component_has_its_resource(void **state)
{
    (void)state;
    cn_resource_set(world, RichClock, {1});
    cn_resource_set(other, RichClock, {2});
    assert_int_not_equal(cn_world_hash_component(world, cn_id(world, RichClock)),
                         cn_world_hash_component(other, cn_id(other, RichClock)));
}

static void the_hash_of_a_component_has_its_entities(void **state)
{
    (void)state;
    cn_spawn(world, cn_with_tag(Enemy));
    cn_entity_create(other);
    cn_spawn(other, cn_with_tag(Enemy));
    assert_int_not_equal(cn_world_hash_component(world, cn_id(world, Enemy)),
                         cn_world_hash_component(other, cn_id(other, Enemy)));
}

static void a_component_keeps_its_hash_when_loaded(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    reload(world, other);
    for (uint32_t id = 1; id <= cn_component_limit(world); id++) {
        CnComponentInfo info;
        if (!cn_component_info(world, (CnComponent){id}, &info) || info.pair_kind.id)
            continue;
        CnComponent loaded = cn_component_find(other, info.name);
        if (loaded.id)
            assert_int_equal(cn_world_hash_component(world, (CnComponent){id}),
                             cn_world_hash_component(other, loaded));
    }
}

static void what_is_not_saved_has_the_hash_0(void **state)
{
    (void)state;
    CnComponent cache = cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    assert_int_equal(cn_world_hash_component(world, cache), 0);
    assert_int_equal(cn_world_hash_component(world, cn_id(world, RichSocket)), 0);
    assert_int_equal(cn_world_hash_component(world, (CnComponent){0}), 0);
    assert_int_equal(cn_world_hash_component(world, (CnComponent){12345}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(a_value_matters),
        TWO_WORLDS_TEST(the_name_of_a_component_matters),
        TWO_WORLDS_TEST(a_tag_matters),
        TWO_WORLDS_TEST(the_generation_of_a_dead_slot_matters),
        TWO_WORLDS_TEST(the_order_of_free_slots_matters),
        TWO_WORLDS_TEST(the_order_of_rows_matters),
        TWO_WORLDS_TEST(the_target_of_a_pair_matters),
        TWO_WORLDS_TEST(a_resource_matters),
        TWO_WORLDS_TEST(the_order_of_registration_does_not_matter),
        TWO_WORLDS_TEST(the_layout_does_not_matter),
        TWO_WORLDS_TEST(padding_does_not_matter),
        TWO_WORLDS_TEST(bytes_behind_a_text_do_not_matter),
        TWO_WORLDS_TEST(archetypes_without_rows_do_not_matter),
        TWO_WORLDS_TEST(registered_components_do_not_matter),
        TWO_WORLDS_TEST(transient_components_do_not_matter),
        TWO_WORLDS_TEST(the_first_archetype_with_rows_gives_a_group_its_place),
        TWO_WORLDS_TEST(entities_with_only_transient_components_stand_first),
        TWO_WORLDS_TEST(hashing_takes_no_memory),
        TWO_WORLDS_TEST(the_component_that_differs_is_found),
        TWO_WORLDS_TEST(the_hash_of_a_component_has_its_resource),
        TWO_WORLDS_TEST(the_hash_of_a_component_has_its_entities),
        TWO_WORLDS_TEST(a_component_keeps_its_hash_when_loaded),
        TWO_WORLDS_TEST(what_is_not_saved_has_the_hash_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
