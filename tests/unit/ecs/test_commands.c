#include "world_internals.h"

CN_COMPONENT(Story, (text, words, 1000)); /* larger than a slot */
CN_COMPONENT(Note, (text, words, 256));   /* fills a slot */
CN_COMPONENT(Friend, (f32, trust));

static CnCommands *commands;

static int make_commands(void **state)
{
    if (make_world(state))
        return -1;
    cn_register(world, Position);
    cn_register(world, Velocity);
    cn_register(world, Health, .default_value = &(Health){50, 50});
    cn_register(world, Mass);
    cn_register(world, Enemy);
    cn_register(world, Frozen);
    cn_register(world, Story);
    cn_register(world, Note);
    commands = cn_commands_create(world, NULL);
    return commands ? 0 : -1;
}

/* ---- Recording and flushing ---- */

static void nothing_happens_before_the_flush(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3})),
             other = cn_entity_create(world);
    cn_defer_set(commands, entity, Health, {4, 5});
    cn_defer_remove(commands, entity, Position);
    cn_defer_destroy(commands, other);
    assert_false(cn_has(world, entity, Health));
    assert_true(cn_has(world, entity, Position));
    assert_true(cn_is_alive(world, other));
    assert_true(cn_flush(world));
    assert_int_equal(cn_get(world, entity, Health)->most, 5);
    assert_false(cn_has(world, entity, Position));
    assert_false(cn_is_alive(world, other));
}

static void the_value_is_copied_when_it_is_recorded(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    Health value = {1, 2};
    cn_defer_set_component(commands, entity, cn_id(world, Health), &value);
    value.now = 9;
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 1);
}

static void each_kind_of_command_does_what_its_immediate_twin_does(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1})), parent = cn_entity_create(world);
    cn_defer_add(commands, entity, Health);
    cn_defer_add(commands, entity, Mass); /* is there: changes nothing */
    cn_defer_set(commands, entity, Position, {1, 2, 3});
    cn_defer_add(commands, entity, Enemy);
    cn_defer_remove(commands, entity, Frozen); /* is not there */
    cn_defer_set_parent(commands, entity, parent);
    assert_true(cn_flush(world));
    assert_int_equal(cn_get(world, entity, Health)->now, 50);
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 1);
    assert_number_equal(cn_get(world, entity, Position)->z, 3);
    assert_true(cn_has(world, entity, Enemy));
    assert_entity_equal(cn_parent(world, entity), parent);
    assert_int_equal(cn_world_stats(world).skipped_commands, 0);
}

static void a_buffer_counts_its_commands_and_is_empty_after_the_flush(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    assert_int_equal(cn_commands_count(commands), 0);
    cn_defer_add(commands, entity, Enemy);
    cn_defer_set(commands, entity, Health, {1, 1});
    cn_defer_spawn(commands, cn_with(Health, {1, 1}), cn_with(Mass, {1}));
    cn_defer_set_parent(commands, entity, (CnEntity){0});
    cn_defer_destroy(commands, entity);
    assert_int_equal(cn_commands_count(commands), 5);
    cn_flush(world);
    assert_int_equal(cn_commands_count(commands), 0);
    assert_true(cn_flush(world));
}

static void a_buffer_knows_its_world(void **state)
{
    (void)state;
    assert_ptr_equal(cn_commands_world(commands), world);
}

static void flushing_nothing_succeeds(void **state)
{
    (void)state;
    assert_true(cn_flush(world));
}

static void a_buffer_is_used_again_after_the_flush(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    for (int i = 0; i < 5; i++) {
        cn_defer_set(commands, entity, Health, {i, i});
        cn_flush(world);
        assert_int_equal(cn_get(world, entity, Health)->now, i);
    }
}

static void destroying_a_buffer_drops_what_it_holds(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    cn_defer_destroy(commands, entity);
    cn_defer_add(commands, entity, Enemy);
    cn_defer_spawn(commands, cn_with(Health, {1, 1}));
    cn_commands_destroy(commands);
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, entity));
    assert_false(cn_has(world, entity, Enemy));
    assert_int_equal(cn_entity_count(world), 1);
}

/* ---- Order ---- */

static void the_last_value_recorded_wins(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world), other = cn_entity_create(world);
    cn_defer_set(commands, entity, Health, {1, 1});
    cn_defer_set(commands, other, Health, {7, 7});
    cn_defer_set(commands, entity, Health, {2, 2});
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
    assert_int_equal(cn_get(world, other, Health)->now, 7);
}

static void adding_and_removing_follow_the_order_of_recording(void **state)
{
    (void)state;
    CnEntity gone = cn_entity_create(world), kept = cn_spawn(world, cn_with(Health, {1, 1}));
    cn_defer_set(commands, gone, Health, {2, 2});
    cn_defer_remove(commands, gone, Health);
    cn_defer_remove(commands, kept, Health);
    cn_defer_set(commands, kept, Health, {3, 3});
    cn_flush(world);
    assert_false(cn_has(world, gone, Health));
    assert_int_equal(cn_get(world, kept, Health)->now, 3);
}

static void a_component_removed_and_added_again_holds_its_default(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 1}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_defer_remove(commands, entity, Health);
    cn_defer_add(commands, entity, Health);
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 50);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter_changed(query, since);
    assert_true(cn_query_next(&it, &view));
}

static void changes_come_before_destructions(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    cn_defer_destroy(commands, entity);
    cn_defer_set(commands, entity, Health, {1, 1});
    assert_true(cn_flush(world));
    assert_false(cn_is_alive(world, entity));
    assert_int_equal(cn_world_stats(world).skipped_commands, 0);
}

static void parents_are_set_after_changes_and_before_destructions(void **state)
{
    (void)state;
    CnEntity child = cn_entity_create(world), parent = cn_entity_create(world);
    cn_defer_destroy(commands, parent);
    cn_defer_set_parent(commands, child, parent);
    cn_flush(world);
    assert_false(cn_is_alive(world, child)); /* went with its parent */
}

static void buffers_are_merged_in_order_of_creation(void **state)
{
    (void)state;
    CnCommands *second = cn_commands_create(world, NULL);
    CnEntity entity = cn_entity_create(world);
    cn_defer_set(second, entity, Health, {2, 2});
    cn_defer_set(commands, entity, Health, {1, 1});
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
}

static void a_destroyed_buffer_leaves_the_order_of_the_others(void **state)
{
    (void)state;
    CnCommands *second = cn_commands_create(world, NULL), *third = cn_commands_create(world, NULL);
    CnEntity entity = cn_entity_create(world);
    cn_commands_destroy(commands);
    cn_defer_set(third, entity, Health, {3, 3});
    cn_defer_set(second, entity, Health, {2, 2});
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 3);
}

/* ---- Folding ---- */

static void the_changes_of_one_entity_are_one_move(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1})), other = cn_entity_create(world);
    cn_defer_set(commands, entity, Position, {1, 2, 3});
    cn_defer_set(commands, entity, Velocity, {4, 5, 6});
    cn_defer_set(commands, other, Health, {7, 8}); /* in between */
    cn_defer_remove(commands, entity, Mass);
    cn_defer_add(commands, entity, Enemy);
    uint32_t structure = structure_changes();
    cn_flush(world);
    assert_int_equal(structure_changes(), structure + 2);
    assert_number_equal(cn_get(world, entity, Velocity)->z, 6);
    assert_false(cn_has(world, entity, Mass));
    assert_true(cn_has(world, entity, Enemy));
}

static void changes_that_cancel_out_move_no_entity(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Mass, {1}));
    cn_defer_add(commands, entity, Enemy);
    cn_defer_remove(commands, entity, Enemy);
    uint32_t structure = structure_changes();
    cn_flush(world);
    assert_int_equal(structure_changes(), structure);
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 1);
}

static void changes_to_a_new_entity_are_folded_into_its_spawning(void **state)
{
    (void)state;
    CnEntity entity = cn_defer_spawn(commands, cn_with(Position, {1, 2, 3}), cn_with_tag(Frozen));
    cn_defer_set(commands, entity, Health, {4, 5});
    cn_defer_remove(commands, entity, Frozen);
    cn_flush(world);
    for (uint32_t i = 0; i < world->archetypes.count; i++)
        if (world->archetypes.items[i] != archetype_of(entity)) /* no stop on the way */
            assert_false(world->archetypes.items[i]->has_spare ||
                         world->archetypes.items[i]->head.chunk_count);
    assert_number_equal(cn_get(world, entity, Position)->x, 1);
    assert_int_equal(cn_get(world, entity, Health)->now, 4);
    assert_false(cn_has(world, entity, Frozen));
}

static void changes_from_several_buffers_are_folded_too(void **state)
{
    (void)state;
    CnCommands *second = cn_commands_create(world, NULL);
    CnEntity entity = cn_entity_create(world);
    cn_defer_set(commands, entity, Position, {1, 2, 3});
    cn_defer_set(second, entity, Velocity, {4, 5, 6});
    uint32_t structure = structure_changes();
    cn_flush(world);
    assert_int_equal(structure_changes(), structure + 1);
    assert_number_equal(cn_get(world, entity, Position)->x, 1);
    assert_number_equal(cn_get(world, entity, Velocity)->x, 4);
}

static void many_entities_that_change_alike_keep_their_values(void **state)
{
    (void)state;
    CnEntity entities[2000];
    for (int i = 0; i < 2000; i++)
        entities[i] = cn_spawn(world, cn_with(Mass, {(double)i}));
    for (int i = 0; i < 2000; i++)
        if (i % 7)
            cn_defer_set(commands, entities[i], Health, {i, -i});
    for (int i = 0; i < 2000; i += 3)
        cn_defer_add(commands, entities[i], Enemy);
    for (int i = 0; i < 2000; i += 5)
        cn_defer_remove(commands, entities[i], Mass);
    assert_true(cn_flush(world));
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(cn_has(world, entities[i], Health), i % 7 != 0);
        assert_int_equal(cn_has(world, entities[i], Enemy), i % 3 == 0);
        if (i % 7)
            assert_int_equal(cn_get(world, entities[i], Health)->most, -i);
        if (i % 5)
            assert_number_equal(cn_get(world, entities[i], Mass)->kilograms, i);
        else
            assert_false(cn_has(world, entities[i], Mass));
    }
}

/* ---- Spawning ---- */

static void a_spawned_id_is_usable_before_the_flush(void **state)
{
    (void)state;
    CnEntity entity = cn_defer_spawn(commands, cn_with(Position, {1, 2, 3})), parent;
    assert_false(cn_entity_is_null(entity));
    assert_false(cn_is_alive(world, entity)); /* not yet */
    cn_defer_set(commands, entity, Health, {4, 5});
    parent = cn_defer_spawn(commands, cn_with_tag(Enemy));
    cn_defer_set_parent(commands, entity, parent);
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, entity));
    assert_number_equal(cn_get(world, entity, Position)->y, 2);
    assert_int_equal(cn_get(world, entity, Health)->now, 4);
    assert_entity_equal(cn_parent(world, entity), parent);
}

static void a_spawned_entity_may_be_destroyed_in_the_same_flush(void **state)
{
    (void)state;
    CnEntity entity = cn_defer_spawn(commands, cn_with(Position, {0}));
    cn_defer_destroy(commands, entity);
    assert_true(cn_flush(world));
    assert_false(cn_is_alive(world, entity));
    assert_int_equal(cn_entity_count(world), 0);
}

static void spawned_values_may_be_left_to_their_defaults(void **state)
{
    (void)state;
    CnEntity entity = cn_defer_spawn(commands, cn_with_default(Health), cn_with_default(Mass));
    CnEntity bare = cn_defer_spawn_values(commands, NULL, 0);
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 50);
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 0);
    assert_int_equal(cn_entity_components(world, bare, NULL, 0), 0);
}

static void spawning_alike_again_and_again_keeps_each_value(void **state)
{
    (void)state;
    CnEntity entities[40];
    for (int i = 0; i < 40; i++) {
        if (i % 3 == 0)
            entities[i] = cn_defer_spawn(commands, cn_with_default(Health), cn_with(Mass, {1}));
        else if (i % 3 == 1)
            entities[i] = cn_defer_spawn(commands, cn_with(Health, {i, i}), cn_with(Mass, {2}));
        else
            entities[i] = cn_defer_spawn(commands, cn_with(Health, {i, i}), cn_with_default(Mass));
    }
    assert_true(cn_flush(world));
    for (int i = 0; i < 40; i++) {
        const double masses[] = {1, 2, 0};
        assert_int_equal(cn_get(world, entities[i], Health)->now, i % 3 ? i : 50);
        assert_number_equal(cn_get(world, entities[i], Mass)->kilograms, masses[i % 3]);
    }
}

static void many_that_are_spawned_alike_take_later_changes_one_by_one(void **state)
{
    (void)state;
    CnCommands *second = cn_commands_create(world, NULL);
    CnEntity entities[3000];
    for (int i = 0; i < 3000; i++)
        entities[i] = cn_defer_spawn(commands, cn_with(Position, {(float)i, 1, 2}),
                                     cn_with(Mass, {(double)i}));
    for (int i = 0; i < 3000; i += 3)
        cn_defer_set(commands, entities[i], Health, {i, -i});
    for (int i = 0; i < 3000; i += 5)
        cn_defer_remove(second, entities[i], Mass);
    for (int i = 0; i < 3000; i += 15)
        cn_defer_set(second, entities[i], Position, {(float)-i, 3, 4});
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), 3000);
    for (int i = 0; i < 3000; i++) {
        const Position *position = cn_get(world, entities[i], Position);
        assert_number_equal(position->x, i % 15 ? i : -i);
        assert_number_equal(position->z, i % 15 ? 2 : 4);
        assert_int_equal(cn_has(world, entities[i], Health), i % 3 == 0);
        assert_int_equal(cn_has(world, entities[i], Mass), i % 5 != 0);
        if (i % 5)
            assert_number_equal(cn_get(world, entities[i], Mass)->kilograms, i);
        if (i % 3 == 0)
            assert_int_equal(cn_get(world, entities[i], Health)->most, -i);
    }
    CnWorldStats stats = cn_world_stats(world);
    assert_int_equal(stats.skipped_commands + stats.failed_commands, 0);
}

static void a_component_given_twice_to_a_spawn_takes_the_later_value(void **state)
{
    (void)state;
    CnEntity entity = cn_defer_spawn(commands, cn_with(Health, {1, 1}), cn_with(Health, {2, 2}));
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
}

static void spawned_ids_are_distinct_from_all_others(void **state)
{
    (void)state;
    CnCommands *second = cn_commands_create(world, NULL);
    CnEntity old[300], ids[900];
    cn_spawn_many(world, 300, old, cn_with(Mass, {0}));
    cn_destroy_many(world, old, 150); /* numbers to reuse */
    for (int i = 0; i < 300; i++) {
        ids[3 * i] = cn_defer_spawn(commands, cn_with(Mass, {1}));
        ids[3 * i + 1] = cn_defer_spawn(second, cn_with(Mass, {2}));
        ids[3 * i + 2] = cn_spawn(world, cn_with(Mass, {3})); /* immediate ones in between */
    }
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), 150 + 900);
    for (int i = 0; i < 900; i++)
        assert_number_equal(cn_get(world, ids[i], Mass)->kilograms, i % 3 + 1);
}

static void numbers_that_were_reserved_and_not_used_are_free_again(void **state)
{
    (void)state;
    CnEntity entity = {0};
    for (int i = 0; i < 1000; i++) {
        entity = cn_defer_spawn(commands, cn_with(Mass, {1}));
        cn_flush(world);
        cn_destroy(world, entity);
    }
    assert_true(cn_entity_index(entity) < 3 * CNI_ECS_PAGE_SLOTS);
    assert_int_equal(cn_world_stats(world).retired_slots, 0);
}

static void short_lived_buffers_use_up_no_numbers(void **state)
{
    (void)state;
    uint32_t highest = 0;
    for (int i = 0; i < 200; i++) {
        CnCommands *brief = cn_commands_create(world, NULL);
        CnEntity entity = cn_defer_spawn(brief, cn_with(Mass, {1}));
        cn_flush(world);
        highest = cn_entity_index(entity) > highest ? cn_entity_index(entity) : highest;
        cn_destroy(world, entity);
        cn_commands_destroy(brief);
    }
    assert_true(highest < 8 * CNI_ECS_PAGE_SLOTS);
}

/* ---- Stale entities ---- */

static void what_targets_the_dead_is_skipped_and_counted(void **state)
{
    (void)state;
    CnEntity dead = cn_spawn(world, cn_with(Mass, {1})), alive = cn_entity_create(world);
    cn_defer_set(commands, dead, Health, {1, 1});
    cn_defer_set(commands, alive, Health, {2, 2});
    cn_defer_add(commands, dead, Enemy);
    cn_defer_set_parent(commands, alive, dead);
    cn_defer_destroy(commands, dead);
    cn_destroy(world, dead);
    assert_true(cn_flush(world));
    assert_int_equal(cn_world_stats(world).skipped_commands, 4);
    assert_int_equal(cn_world_stats(world).failed_commands, 0);
    assert_int_equal(cn_get(world, alive, Health)->now, 2);
}

static void the_new_occupant_of_a_slot_is_spared(void **state)
{
    (void)state;
    CnEntity stale = cn_entity_create(world);
    cn_defer_set(commands, stale, Health, {1, 1});
    cn_defer_destroy(commands, stale);
    cn_destroy(world, stale);
    CnEntity occupant = cn_entity_create(world);
    cn_defer_set(commands, occupant, Mass, {2});
    cn_defer_add(commands, occupant, Enemy);
    assert_int_equal(cn_entity_index(occupant), cn_entity_index(stale));
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, occupant));
    assert_false(cn_has(world, occupant, Health));
    assert_number_equal(cn_get(world, occupant, Mass)->kilograms, 2);
    assert_true(cn_has(world, occupant, Enemy));
}

static void destroying_twice_skips_the_second(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    cn_defer_destroy(commands, entity);
    cn_defer_destroy(commands, entity);
    assert_true(cn_flush(world));
    assert_int_equal(cn_world_stats(world).skipped_commands, 1);
}

static void an_earlier_buffer_cannot_reach_what_a_later_one_spawns(void **state)
{
    (void)state;
    CnCommands *second = cn_commands_create(world, NULL);
    CnEntity entity = cn_defer_spawn(second, cn_with(Mass, {1}));
    cn_defer_set(commands, entity, Health, {1, 1}); /* comes before the spawning */
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, entity));
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 1);
    assert_int_equal(cn_world_stats(world).skipped_commands, 1);
    cn_defer_set(commands, entity, Health, {2, 2});
    cn_flush(world);
    assert_int_equal(cn_get(world, entity, Health)->now, 2);
}

static void a_pair_whose_target_died_is_left_out(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), entity = cn_entity_create(world);
    CnComponent pair = cn_pair(world, cn_id(world, Friend), target);
    cn_defer_set_component(commands, entity, pair, &(Friend){1});
    cn_defer_set(commands, entity, Mass, {3});
    cn_destroy(world, target);
    for (int i = 0; i < 5; i++) /* its id is not given to another pair meanwhile */
        assert_int_not_equal(cn_pair(world, cn_id(world, Friend), cn_entity_create(world)).id,
                             pair.id);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), 1);
    assert_number_equal(cn_get(world, entity, Mass)->kilograms, 3);
}

/* ---- Large values ---- */

static void values_larger_than_a_slot_are_stored_aside_and_counted(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    for (int i = 0; i < 100; i++)
        cn_defer_set(commands, entity, Story, {"once upon a time"});
    CnEntity spawned = cn_defer_spawn(commands, cn_with(Story, {"the end"}));
    cn_defer_set(commands, entity, Note, {"fits"});
    assert_int_equal(cn_world_stats(world).oversize_commands, 101);
    assert_true(cn_flush(world));
    assert_string_equal(cn_get(world, entity, Story)->words, "once upon a time");
    assert_string_equal(cn_get(world, spawned, Story)->words, "the end");
    assert_string_equal(cn_get(world, entity, Note)->words, "fits");
}

static void a_buffer_in_use_makes_no_heap_call(void **state)
{
    (void)state;
    CnEntity entities[500];
    cn_spawn_many(world, 500, entities, cn_with(Mass, {0}));
    uint64_t calls = 0;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 500; i++) {
            cn_defer_set(commands, entities[i], Health, {i, i});
            cn_defer_set(commands, entities[i], Story, {"again"});
            cn_defer_destroy(commands, cn_defer_spawn(commands, cn_with(Mass, {1})));
        }
        cn_flush(world);
        for (int i = 0; i < 500; i++)
            cn_defer_remove(commands, entities[i], Health);
        cn_flush(world);
        if (round == 4)
            calls = heap_calls();
    }
    assert_int_equal(heap_calls(), calls);
}

#define COMMAND_TEST(name) cmocka_unit_test_setup_teardown(name, make_commands, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COMMAND_TEST(nothing_happens_before_the_flush),
        COMMAND_TEST(the_value_is_copied_when_it_is_recorded),
        COMMAND_TEST(each_kind_of_command_does_what_its_immediate_twin_does),
        COMMAND_TEST(a_buffer_counts_its_commands_and_is_empty_after_the_flush),
        COMMAND_TEST(a_buffer_knows_its_world),
        COMMAND_TEST(flushing_nothing_succeeds),
        COMMAND_TEST(a_buffer_is_used_again_after_the_flush),
        COMMAND_TEST(destroying_a_buffer_drops_what_it_holds),
        COMMAND_TEST(the_last_value_recorded_wins),
        COMMAND_TEST(adding_and_removing_follow_the_order_of_recording),
        COMMAND_TEST(a_component_removed_and_added_again_holds_its_default),
        COMMAND_TEST(changes_come_before_destructions),
        COMMAND_TEST(parents_are_set_after_changes_and_before_destructions),
        COMMAND_TEST(buffers_are_merged_in_order_of_creation),
        COMMAND_TEST(a_destroyed_buffer_leaves_the_order_of_the_others),
        COMMAND_TEST(the_changes_of_one_entity_are_one_move),
        COMMAND_TEST(changes_that_cancel_out_move_no_entity),
        COMMAND_TEST(changes_to_a_new_entity_are_folded_into_its_spawning),
        COMMAND_TEST(changes_from_several_buffers_are_folded_too),
        COMMAND_TEST(many_entities_that_change_alike_keep_their_values),
        COMMAND_TEST(a_spawned_id_is_usable_before_the_flush),
        COMMAND_TEST(a_spawned_entity_may_be_destroyed_in_the_same_flush),
        COMMAND_TEST(spawned_values_may_be_left_to_their_defaults),
        COMMAND_TEST(spawning_alike_again_and_again_keeps_each_value),
        COMMAND_TEST(many_that_are_spawned_alike_take_later_changes_one_by_one),
        COMMAND_TEST(a_component_given_twice_to_a_spawn_takes_the_later_value),
        COMMAND_TEST(spawned_ids_are_distinct_from_all_others),
        COMMAND_TEST(numbers_that_were_reserved_and_not_used_are_free_again),
        COMMAND_TEST(short_lived_buffers_use_up_no_numbers),
        COMMAND_TEST(what_targets_the_dead_is_skipped_and_counted),
        COMMAND_TEST(the_new_occupant_of_a_slot_is_spared),
        COMMAND_TEST(destroying_twice_skips_the_second),
        COMMAND_TEST(an_earlier_buffer_cannot_reach_what_a_later_one_spawns),
        COMMAND_TEST(a_pair_whose_target_died_is_left_out),
        COMMAND_TEST(values_larger_than_a_slot_are_stored_aside_and_counted),
        COMMAND_TEST(a_buffer_in_use_makes_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
