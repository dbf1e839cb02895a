/* Where a run departs from its recording: tick, component, entity, and what is said about it. */
#include "replay_fixture.h"

#include <stdio.h>

static const SimWorldDesc usual = {.seed = 7};

static CnEntity victim;

static CnEntity nth_animal(CnWorld *world, uint32_t n)
{
    CnChunkView view;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(SimPlace)}}, NULL);
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        if (n < view.count)
            return view.entities[n];
        n -= view.count;
    }
    return (CnEntity){0};
}

static void flip_a_bit(CnSystemContext *context, uint64_t tick)
{
    if (tick != 33)
        return;
    victim = nth_animal(context->world, 11);
    uint8_t *bytes = (uint8_t *)cn_get_mut(context->world, victim, SimPlace);
    bytes[4] = (uint8_t)(bytes[4] ^ 1u);
}

static void change_a_resource(CnSystemContext *context, uint64_t tick)
{
    if (tick == 21)
        cn_resource_mut(context->world, SimScore)->died++;
}

static void add_an_entity(CnSystemContext *context, uint64_t tick)
{
    if (tick == 5)
        victim = cn_defer_spawn(context->commands, cn_with(SimPlace, {1, 2}));
}

static void remove_an_entity(CnSystemContext *context, uint64_t tick)
{
    if (tick == 8) {
        victim = nth_animal(context->world, 2);
        cn_defer_destroy(context->commands, victim);
    }
}

static void add_a_tag(CnSystemContext *context, uint64_t tick)
{
    if (tick == 9) {
        victim = nth_animal(context->world, 4);
        cn_defer_add(context->commands, victim, SimTired);
    }
}

static void change_two(CnSystemContext *context, uint64_t tick)
{
    for (uint32_t i = 0; i < 2 && tick == 12; i++)
        cn_get_mut(context->world, nth_animal(context->world, i), SimPlace)->x += 1;
}

static void draw_a_number(CnSystemContext *context, uint64_t tick)
{
    if (tick == 14)
        cn_random_u64(
            cn_random_of(context->world, cn_component_find(context->world, "random.wander")));
}

static void add_two_entities(CnSystemContext *context, uint64_t tick)
{
    for (uint32_t i = 0; i < 2 && tick == 0; i++)
        cn_defer_spawn(context->commands, cn_with(SimPlace, {1, 2}));
}

static CnReplayDifference find_sabotage(void (*sabotage)(CnSystemContext *context, uint64_t tick),
                                        const CnRecorderDesc *desc)
{
    Recording run = record_run(&usual, 60, desc);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    again.sabotage = sabotage;
    CnReplayDifference difference = compare(replay, &again, UINT64_MAX);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
    assert_true(difference.found);
    return difference;
}

static void assert_says(const CnReplayDifference *difference, const char *text)
{
    if (!strstr(difference->text, text))
        fail_msg("it says: %s", difference->text);
}

static void a_bit_is_named_by_tick_component_and_entity(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(flip_a_bit, NULL);
    assert_int_equal(difference.tick, 33);
    assert_false(difference.at_start);
    assert_string_equal(difference.component, "SimPlace");
    assert_true(difference.has_entity);
    assert_int_equal(difference.entity.id, victim.id);
    assert_says(&difference, "after tick 33: entity ");
    assert_says(&difference, "has a different SimPlace");
}

static void a_resource_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(change_a_resource, NULL);
    assert_int_equal(difference.tick, 21);
    assert_string_equal(difference.component, "SimScore");
    assert_false(difference.has_entity);
    assert_says(&difference, "the resource SimScore differs.");
}

static void a_component_may_be_a_resource_too(void **state)
{
    (void)state;
    SimWorld worlds[2];
    CnReplay *replay = NULL;
    for (uint32_t i = 0; i < 2; i++) {
        start(&worlds[i], &usual);
        CnWorld *world = cn_sim_world(worlds[i].sim);
        cn_resource_set(world, SimPlace, {1, 2});
        assert_true(cn_sim_start(worlds[i].sim, NULL));
        cn_spawn(world, cn_with(SimPlace, {3, 4}));
    }
    Recording run = record(&worlds[0], 5, NULL);
    replay = open_recording(&run);
    cn_resource_mut(cn_sim_world(worlds[1].sim), SimPlace)->y = 3;
    CnReplayDifference difference = compare(replay, &worlds[1], UINT64_MAX);
    assert_says(&difference, "the resource SimPlace differs");
    cn_resource_mut(cn_sim_world(worlds[1].sim), SimPlace)->y = 2;
    assert_same(replay, &worlds[1]);
    sim_world_fini(&worlds[0]);
    sim_world_fini(&worlds[1]);
    cn_replay_close(replay);
    free(run.bytes);
}

static void a_stream_of_random_numbers_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(draw_a_number, NULL);
    assert_int_equal(difference.tick, 14);
    assert_string_equal(difference.component, "random.wander");
}

static void an_added_entity_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(add_an_entity, NULL);
    assert_int_equal(difference.tick, 5);
    assert_string_equal(difference.component, "");
    assert_true(difference.has_entity);
    assert_int_equal(difference.entity.id, victim.id);
    assert_says(&difference, "did not exist; also differ: SimPlace.");
}

static void a_missing_entity_is_named_by_its_index(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(remove_an_entity, NULL);
    assert_int_equal(difference.tick, 8);
    assert_true(difference.has_entity);
    assert_int_equal(cn_entity_index(difference.entity), cn_entity_index(victim));
    assert_int_equal(cn_entity_generation(difference.entity), 0);
    assert_says(&difference, "is missing");
}

static void an_added_component_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(add_a_tag, NULL);
    assert_int_equal(difference.tick, 9);
    assert_string_equal(difference.component, "SimTired");
    assert_int_equal(difference.entity.id, victim.id);
    assert_says(&difference, "has an additional SimTired");
}

static void of_two_entities_only_the_component_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(change_two, NULL);
    assert_int_equal(difference.tick, 12);
    assert_string_equal(difference.component, "SimPlace");
    assert_false(difference.has_entity);
}

static void of_two_added_entities_none_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference = find_sabotage(add_two_entities, NULL);
    assert_int_equal(difference.tick, 0);
    assert_false(difference.at_start);
    assert_string_equal(difference.component, "");
    assert_false(difference.has_entity);
    assert_string_equal(difference.text,
                        "after tick 0: different entities exist; also differ: SimPlace.");
}

/* More than the text has room for. */
static void many_components_that_differ_are_named_as_far_as_they_fit(void **state)
{
    (void)state;
    SimWorld world;
    start(&world, &usual);
    for (uint32_t i = 0; i < 40; i++) {
        char name[40];
        snprintf(name, sizeof name, "AResourceWithALongName%u", i);
        const CnField field = {"value", CN_FIELD_U32, 1, 0, 4};
        CnType type = {.name = name, .size = 4, .alignment = 4, .fields = &field, .field_count = 1};
        CnWorld *own = cn_sim_world(world.sim);
        CnComponent id = cn_component_register(own, &(CnComponentDesc){.type = &type}, NULL);
        assert_non_null(cn_resource_set_value(own, id, &i));
    }
    Recording run = record(&world, 3, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, &usual);
    CnReplayDifference difference = compare(replay, &again, UINT64_MAX);
    assert_string_equal(difference.component, "AResourceWithALongName0");
    assert_says(&difference, "also differ: AResourceWithALongName1, AResourceWithALongName2");
    assert_true(strlen(difference.text) < sizeof difference.text);
    sim_world_fini(&again);
    sim_world_fini(&world);
    cn_replay_close(replay);
    free(run.bytes);
}

static void without_components_the_tick_is_named(void **state)
{
    (void)state;
    CnReplayDifference difference =
        find_sabotage(flip_a_bit, &(CnRecorderDesc){.without_components = true});
    assert_int_equal(difference.tick, 33);
    assert_string_equal(difference.component, "");
    assert_false(difference.has_entity);
    assert_says(&difference, "recorded without components");
}

static CnReplayDifference compare_with(const SimWorldDesc *desc)
{
    Recording run = record_run(&usual, 10, NULL);
    CnReplay *replay = open_recording(&run);
    SimWorld again;
    start(&again, desc);
    CnReplayDifference difference = compare(replay, &again, UINT64_MAX);
    sim_world_fini(&again);
    cn_replay_close(replay);
    free(run.bytes);
    assert_true(difference.found);
    return difference;
}

static void another_seed_differs_at_the_start(void **state)
{
    (void)state;
    CnReplayDifference difference = compare_with(&(SimWorldDesc){.seed = 8});
    assert_true(difference.at_start);
    assert_int_equal(difference.tick, 0);
    assert_says(&difference, "CnRandomSeed");
    assert_says(&difference, "different settings");
}

static void other_settings_differ_at_the_start(void **state)
{
    (void)state;
    CnReplayDifference difference = compare_with(&(SimWorldDesc){.seed = 7, .animals = 21});
    assert_true(difference.at_start);
    assert_int_equal(difference.tick, 0);
    assert_true(difference.has_entity);
    assert_says(&difference, ":1 did not exist; also differ: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bit_is_named_by_tick_component_and_entity),
        cmocka_unit_test(a_resource_is_named),
        cmocka_unit_test(a_component_may_be_a_resource_too),
        cmocka_unit_test(a_stream_of_random_numbers_is_named),
        cmocka_unit_test(an_added_entity_is_named),
        cmocka_unit_test(a_missing_entity_is_named_by_its_index),
        cmocka_unit_test(an_added_component_is_named),
        cmocka_unit_test(of_two_entities_only_the_component_is_named),
        cmocka_unit_test(of_two_added_entities_none_is_named),
        cmocka_unit_test(many_components_that_differ_are_named_as_far_as_they_fit),
        cmocka_unit_test(without_components_the_tick_is_named),
        cmocka_unit_test(another_seed_differs_at_the_start),
        cmocka_unit_test(other_settings_differ_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
