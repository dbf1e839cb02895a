/* Limits: components, masks, archetypes, names, fields, terms and values. */
#include "ecs_fixture.h"

#include "check_world.h"
#include "guards.h"

#include <stdio.h>
#include <string.h>

static CnComponent register_tag(uint32_t number, CnError *error)
{
    char name[CN_MAX_NAME_BYTES];
    snprintf(name, sizeof name, "tag %u", number);
    CnType type = {.name = name, .alignment = 1};
    return cn_component_register(world, &(CnComponentDesc){.type = &type}, error);
}

static CnComponent id(uint32_t number)
{
    return (CnComponent){number};
}

/* ---- As many components as there can be ---- */

static int fill_with_components(void **state)
{
    int made = make_world(state);
    for (uint32_t i = 1; made == 0 && i <= CN_MAX_COMPONENTS; i++)
        if (register_tag(i, NULL).id != i)
            return -1;
    return made;
}

#define FULL_TEST(name) cmocka_unit_test_setup_teardown(name, fill_with_components, drop_world)

static void the_last_component_id_can_be_registered(void **state)
{
    (void)state;
    CnComponentInfo info;
    assert_int_equal(cn_component_limit(world), CN_MAX_COMPONENTS);
    assert_int_equal(cn_world_stats(world).components, CN_MAX_COMPONENTS);
    assert_true(cn_component_info(world, id(CN_MAX_COMPONENTS), &info));
    assert_string_equal(info.name, "tag 65536");
    assert_int_equal(cn_component_find(world, "tag 65536").id, CN_MAX_COMPONENTS);
}

static void the_registration_after_the_last_one_is_a_clear_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_int_equal(register_tag(CN_MAX_COMPONENTS + 1, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "tag 65537"));
    assert_non_null(strstr(error.message, "65536"));
    assert_int_equal(cn_component_limit(world), CN_MAX_COMPONENTS);
}

static void what_is_registered_is_still_found_when_no_more_fit(void **state)
{
    (void)state;
    CnError error = {0};
    assert_int_equal(register_tag(77, &error).id, 77);
    assert_int_equal(error.code, CN_OK);
}

static void a_c_type_beyond_the_limit_fails_where_it_is_used(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    QUIETLY({
        assert_int_equal(cn_id(world, Position).id, 0);
        assert_entity_null(cn_spawn(world, cn_with(Position, {1, 2, 3})));
        assert_false(cn_set(world, e, Position, {1, 2, 3}));
        assert_false(cn_add(world, e, Frozen));
        assert_null(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL));
        assert_null(cn_resource_set(world, Position, {1, 2, 3}));
        assert_null(cn_channel(world, Position));
    });
    assert_false(cn_has(world, e, Position));
    assert_world_sound(world);
}

static void a_pair_beyond_the_limit_is_null(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    QUIETLY(assert_int_equal(cn_pair(world, id(9), e).id, 0));
    assert_world_sound(world);
}

static void entities_carry_the_lowest_and_the_highest_component(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    assert_true(cn_add_component(world, e, id(CN_MAX_COMPONENTS)));
    assert_true(cn_add_component(world, e, id(1)));
    assert_true(cn_add_component(world, e, id(CN_MAX_COMPONENTS - 1)));
    CnComponent have[4];
    assert_int_equal(cn_entity_components(world, e, have, 4), 3);
    assert_int_equal(have[0].id, 1);
    assert_int_equal(have[1].id, CN_MAX_COMPONENTS - 1);
    assert_int_equal(have[2].id, CN_MAX_COMPONENTS);
    assert_true(cn_remove_component(world, e, id(CN_MAX_COMPONENTS)));
    assert_false(cn_has_component(world, e, id(CN_MAX_COMPONENTS)));
    assert_true(cn_has_component(world, e, id(1)));
    assert_world_sound(world);
}

static void queries_match_the_highest_components(void **state)
{
    (void)state;
    CnComponent last = id(CN_MAX_COMPONENTS), before = id(CN_MAX_COMPONENTS - 64), first = id(1);
    CnQuery *all =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(last), cn_tag_id(first)}}, NULL);
    CnQuery *any =
        cn_query_acquire(world, &(CnQueryDesc){.any = {cn_tag_id(last), cn_tag_id(before)}}, NULL);
    CnQuery *none = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag_id(first)}, .none = {cn_tag_id(last)}}, NULL);
    CnEntity low = cn_entity_create(world), high = cn_entity_create(world);
    CnEntity both = cn_entity_create(world);
    cn_add_component(world, low, first);
    cn_add_component(world, high, before);
    cn_add_component(world, both, first);
    cn_add_component(world, both, last);
    assert_int_equal(cn_query_count(all), 1);
    assert_true(cn_query_matches(all, both));
    assert_int_equal(cn_query_count(any), 2);
    assert_false(cn_query_matches(any, low));
    assert_int_equal(cn_query_count(none), 1);
    assert_true(cn_query_matches(none, low));
    assert_world_sound(world);
}

static void one_entity_carries_a_thousand_components(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    for (uint32_t i = 1; i <= 1000; i++)
        assert_true(cn_add_component(world, e, id(i * 65)));
    assert_int_equal(cn_entity_components(world, e, NULL, 0), 1000);
    for (uint32_t i = 1; i <= 1000; i++)
        assert_true(cn_has_component(world, e, id(i * 65)));
    for (uint32_t i = 1; i <= 1000; i += 2)
        assert_true(cn_remove_component(world, e, id(i * 65)));
    assert_int_equal(cn_entity_components(world, e, NULL, 0), 500);
}

/* ---- Archetypes ---- */

#define SET_TAGS 12u

/* Entities with every set of twelve tags: 4,096 archetypes. */
static void spawn_every_set(CnEntity *entities)
{
    CnComponent tags[SET_TAGS];
    for (uint32_t i = 0; i < SET_TAGS; i++)
        tags[i] = register_tag(i, NULL);
    for (uint32_t set = 0; set < 1u << SET_TAGS; set++) {
        CnValue values[SET_TAGS];
        uint32_t count = 0;
        for (uint32_t i = 0; i < SET_TAGS; i++)
            if (set >> i & 1u)
                values[count++] = (CnValue){.component = tags[i]};
        entities[set] = cn_spawn_values(world, values, count);
        assert_true(entities[set].id);
    }
}

static CnEntity sets[1u << SET_TAGS];

static CnQuery *query_of_tag(uint32_t tag)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(register_tag(tag, NULL))}},
                            NULL);
}

static uint32_t visited(CnQuery *query)
{
    uint32_t chunks = 0;
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        chunks++;
    return chunks;
}

static void an_entity_moves_a_million_times(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    CnEntity other = cn_spawn(world, cn_with(Position, {4, 5, 6}), cn_with_tag(Frozen));
    for (uint32_t i = 0; i < 500000; i++) {
        cn_set(world, e, Mass, {(double)i});
        cn_remove(world, e, Mass);
    }
    const Position *p = cn_get(world, e, Position);
    assert_number_equal(p->x, 1);
    assert_number_equal(p->z, 3);
    assert_number_equal(cn_get(world, other, Position)->y, 5);
    assert_true(cn_world_stats(world).archetypes <= 5);
    assert_world_sound(world);
}

static void a_thousand_entities_move_through_a_thousand_archetypes(void **state)
{
    (void)state;
    enum { COUNT = 1000, TAGS = 10 };
    static CnEntity entities[COUNT];
    CnComponent tags[TAGS];
    for (uint32_t i = 0; i < TAGS; i++)
        tags[i] = register_tag(i, NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        entities[i] = cn_spawn(world, cn_with(Health, {(int32_t)i, 7}));
    /* Gray's code: each step toggles one tag, and all sets come by. */
    for (uint32_t step = 1; step <= 1u << TAGS; step++)
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t bit = (uint32_t)__builtin_ctz(step) % TAGS;
            if (!cn_has_component(world, entities[i], tags[bit]))
                cn_add_component(world, entities[i], tags[bit]);
            else
                cn_remove_component(world, entities[i], tags[bit]);
        }
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(cn_get(world, entities[i], Health)->now, (int32_t)i);
    assert_world_sound(world);
}

static void queries_skip_thousands_of_empty_archetypes(void **state)
{
    (void)state;
    spawn_every_set(sets);
    CnQuery *query = query_of_tag(3);
    assert_int_equal(cn_query_archetype_count(query), 1u << (SET_TAGS - 1));
    assert_int_equal(cn_destroy_many(world, sets, 1u << SET_TAGS), 1u << SET_TAGS);
    CnWorldStats stats = cn_world_stats(world);
    assert_true(stats.empty_archetypes >= 1u << SET_TAGS);
    assert_int_equal(stats.chunks, 0);
    assert_int_equal(visited(query), 0);
    assert_int_equal(cn_query_count(query), 0);
    assert_world_sound(world);
}

static void trim_drops_empty_archetypes(void **state)
{
    (void)state;
    spawn_every_set(sets);
    CnQuery *query = query_of_tag(3);
    cn_destroy_many(world, sets, 1u << SET_TAGS);
    cn_world_trim(world);
    assert_int_equal(cn_world_stats(world).archetypes, 1);
    assert_int_equal(cn_query_archetype_count(query), 0);
    assert_world_sound(world);
}

static void trim_keeps_archetypes_with_entities(void **state)
{
    (void)state;
    spawn_every_set(sets);
    CnQuery *query = query_of_tag(3);
    for (uint32_t set = 0; set < 1u << SET_TAGS; set++)
        if (set % 64 != 8)
            cn_destroy(world, sets[set]);
    cn_world_trim(world);
    assert_int_equal(cn_world_stats(world).archetypes, (1u << SET_TAGS) / 64 + 1);
    assert_int_equal(cn_query_count(query), (1u << SET_TAGS) / 64);
    assert_int_equal(visited(query), (1u << SET_TAGS) / 64);
    assert_world_sound(world);
}

static void archetypes_come_back_after_a_trim(void **state)
{
    (void)state;
    spawn_every_set(sets);
    CnQuery *query = query_of_tag(3);
    cn_destroy_many(world, sets, 1u << SET_TAGS);
    cn_world_trim(world);
    spawn_every_set(sets);
    assert_int_equal(cn_query_count(query), 1u << (SET_TAGS - 1));
    for (uint32_t set = 0; set < 1u << SET_TAGS; set++)
        assert_int_equal(cn_query_matches(query, sets[set]), set >> 3 & 1u);
    assert_world_sound(world);
}

static void a_trim_after_each_spawn_changes_nothing(void **state)
{
    (void)state;
    CnEntity entities[64];
    for (uint32_t i = 0; i < 64; i++) {
        entities[i] = cn_spawn(world, cn_with(Health, {(int32_t)i, 0}));
        cn_world_trim(world);
        if (i % 2) {
            cn_add(world, entities[i], Frozen);
            cn_world_trim(world);
        }
        if (i % 3 == 0)
            cn_destroy(world, entities[i]);
        cn_world_trim(world);
    }
    for (uint32_t i = 0; i < 64; i++)
        if (i % 3)
            assert_int_equal(cn_get(world, entities[i], Health)->now, (int32_t)i);
    assert_world_sound(world);
}

/* ---- Names and fields ---- */

static const char long_name[] = "a name of sixty-three bytes, which is the longest there may be.";

static void a_name_may_have_63_bytes(void **state)
{
    (void)state;
    CN_STATIC_ASSERT(sizeof long_name == CN_MAX_NAME_BYTES, "63 bytes and the terminator");
    CnField field = {long_name, CN_FIELD_U32, 1, 0, 4};
    CnType type = {long_name, 4, 4, &field, 1, NULL};
    CnComponent component = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    assert_int_equal(cn_component_find(world, long_name).id, component.id);
    assert_non_null(cn_component_field(world, component, long_name));
    CnEntity e = cn_entity_create(world);
    uint32_t value = 5, seen = 0;
    cn_set_component(world, e, component, &value);
    assert_true(cn_read_field(world, e, long_name, long_name, &seen, sizeof seen, NULL));
    assert_int_equal(seen, 5);
}

static void names_that_cannot_be_are_clear_errors(void **state)
{
    (void)state;
    char too_long[CN_MAX_NAME_BYTES + 1];
    memset(too_long, 'x', CN_MAX_NAME_BYTES);
    too_long[CN_MAX_NAME_BYTES] = 0;
    const char *bad[] = {too_long, "", NULL, "\xff\xfe"};
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        CnType type = {.name = bad[i], .alignment = 1};
        assert_int_equal(cn_component_register(world, &(CnComponentDesc){.type = &type}, &error).id,
                         0);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        CnField field = {bad[i], CN_FIELD_U32, 1, 0, 4};
        CnType with_field = {"Fine", 4, 4, &field, 1, NULL};
        cn_error_clear(&error);
        assert_int_equal(
            cn_component_register(world, &(CnComponentDesc){.type = &with_field}, &error).id, 0);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
    assert_int_equal(cn_world_stats(world).components, 0);
}

static void kinds_with_long_names_keep_their_pairs_apart(void **state)
{
    (void)state;
    char names[2][CN_MAX_NAME_BYTES];
    CnComponent kinds[2];
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(names[i], long_name, sizeof long_name);
        names[i][CN_MAX_NAME_BYTES - 2] = (char)('A' + i);
        CnType type = {.name = names[i], .alignment = 1};
        kinds[i] = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    }
    CnEntity target = cn_entity_create(world), e = cn_entity_create(world);
    assert_true(cn_add_component(world, e, cn_pair(world, kinds[0], target)));
    assert_int_not_equal(cn_pair_any(world, kinds[0]).id, cn_pair_any(world, kinds[1]).id);
    assert_true(cn_has_component(world, e, cn_pair_any(world, kinds[0])));
    assert_false(cn_has_component(world, e, cn_pair_any(world, kinds[1])));
    assert_world_sound(world);
}

static CnField many_fields[CN_MAX_FIELDS + 1];
static char field_names[CN_MAX_FIELDS + 1][16];

static CnType type_of_fields(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        snprintf(field_names[i], sizeof field_names[i], "f%u", i);
        many_fields[i] = (CnField){field_names[i], CN_FIELD_U16, 1, i * 2, 2};
    }
    return (CnType){"Wide", count * 2, 2, many_fields, count, NULL};
}

static void a_component_may_have_240_fields(void **state)
{
    (void)state;
    CnType type = type_of_fields(CN_MAX_FIELDS);
    CnComponentDesc desc = {.type = &type, .layout = CN_LAYOUT_FIELDS};
    CnComponent wide = cn_component_register(world, &desc, NULL);
    uint16_t value[CN_MAX_FIELDS], seen[CN_MAX_FIELDS] = {0};
    for (uint16_t i = 0; i < CN_MAX_FIELDS; i++)
        value[i] = (uint16_t)(i * 3);
    CnEntity e = cn_entity_create(world);
    assert_true(cn_set_component(world, e, wide, value));
    cn_add(world, e, Frozen);
    assert_true(cn_read_component(world, e, wide, seen));
    assert_memory_equal(seen, value, sizeof value);
}

static void a_241st_field_is_a_clear_error(void **state)
{
    (void)state;
    CnError error = {0};
    CnType type = type_of_fields(CN_MAX_FIELDS + 1);
    assert_int_equal(cn_component_register(world, &(CnComponentDesc){.type = &type}, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "241"));
}

/* ---- Terms and values ---- */

static void every_list_of_a_query_may_be_full(void **state)
{
    (void)state;
    CnQueryDesc desc = {.all = {{.type = NULL}}};
    CnTerm *lists[] = {desc.all, desc.any, desc.none, desc.optional};
    CnComponent ids[4][CN_MAX_TERMS];
    for (uint32_t list = 0; list < 4; list++)
        for (uint32_t i = 0; i < CN_MAX_TERMS; i++) {
            char name[CN_MAX_NAME_BYTES];
            snprintf(name, sizeof name, "number %u", list * CN_MAX_TERMS + i);
            CnField field = {"n", CN_FIELD_U32, 1, 0, 4};
            CnType type = {name, 4, 4, &field, 1, NULL};
            ids[list][i] = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
            lists[list][i] = (CnTerm){NULL, ids[list][i], CN_ACCESS_WRITE};
        }
    CnQuery *query = cn_query_acquire(world, &desc, NULL);
    assert_non_null(query);
    CnEntity e = cn_entity_create(world);
    for (uint32_t i = 0; i < CN_MAX_TERMS; i++)
        cn_set_component(world, e, ids[0][i], &i);
    assert_int_equal(cn_query_count(query), 0);
    cn_set_component(world, e, ids[1][CN_MAX_TERMS - 1], &(uint32_t){77});
    cn_set_component(world, e, ids[3][CN_MAX_TERMS - 1], &(uint32_t){88});
    assert_int_equal(cn_query_count(query), 1);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    for (uint32_t i = 0; i < CN_MAX_TERMS; i++)
        assert_int_equal(*(const uint32_t *)cn_column_by_id(&view, ids[0][i], NULL), i);
    uint32_t *any = cn_column_by_id_mut(&view, ids[1][CN_MAX_TERMS - 1], NULL);
    assert_int_equal(*any, 77);
    assert_null(cn_column_by_id(&view, ids[1][0], NULL));
    assert_int_equal(*(const uint32_t *)cn_column_by_id(&view, ids[3][CN_MAX_TERMS - 1], NULL), 88);
    cn_add_component(world, e, ids[2][CN_MAX_TERMS - 1]);
    assert_int_equal(cn_query_count(query), 0);
}

static void a_query_composed_of_too_many_terms_is_refused(void **state)
{
    (void)state;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    uint32_t terms = 1;
    for (; query && terms < 200; terms++) {
        char name[CN_MAX_NAME_BYTES];
        snprintf(name, sizeof name, "number %u", terms);
        CnField field = {"n", CN_FIELD_U32, 1, 0, 4};
        CnType type = {name, 4, 4, &field, 1, NULL};
        CnComponent component =
            cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
        QUIETLY(query = cn_query_and(query, (CnTerm){NULL, component, CN_ACCESS_READ}, NULL));
    }
    /* A query never silently loses access to a component it was given. */
    assert_null(query);
    assert_true(terms > CN_MAX_TERMS);
    assert_world_sound(world);
}

static void a_spawn_takes_32_values(void **state)
{
    (void)state;
    CnValue values[CN_MAX_VALUES + 1];
    for (uint32_t i = 0; i < CN_COUNT_OF(values); i++)
        values[i] = (CnValue){.component = register_tag(i, NULL)};
    CnEntity e = cn_spawn_values(world, values, CN_MAX_VALUES);
    assert_int_equal(cn_entity_components(world, e, NULL, 0), CN_MAX_VALUES);
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_spawn_values(world, values, CN_MAX_VALUES + 1));
    EXPECT_GUARD(cn_change(world, e, &(CnChange){.set = values, .set_count = CN_MAX_VALUES + 1}));
#else
    assert_entity_null(cn_spawn_values(world, values, CN_MAX_VALUES + 1));
    assert_false(cn_change(world, e, &(CnChange){.set = values, .set_count = CN_MAX_VALUES + 1}));
#endif
    assert_int_equal(cn_entity_count(world), 1);
    assert_world_sound(world);
}

/* ---- Systems ---- */

static void do_nothing(CnSystemContext *context)
{
    (void)context;
}

static void a_system_may_have_a_name_of_63_bytes(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = long_name, .run = do_nothing};
    CnSystem system = cn_system_add(world, &desc, NULL);
    assert_true(system.id);
    assert_int_equal(cn_system_find(world, long_name).id, system.id);
    CnError error = {0};
    desc.name = "a name of sixty-four bytes, which is one more than there may be.";
    assert_int_equal(cn_system_add(world, &desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void a_system_may_wait_for_16_others_and_go_before_16(void **state)
{
    (void)state;
    static char names[2 * CN_MAX_ORDER][16];
    CnSystemDesc middle = {.name = "middle", .run = do_nothing};
    assert_true(cn_system_add(world, &(CnSystemDesc){.name = "first", .run = do_nothing}, NULL).id);
    for (uint32_t i = 0; i < 2 * CN_MAX_ORDER; i++) {
        /* Those that go later are registered earlier. */
        bool later = i < CN_MAX_ORDER;
        snprintf(names[i], sizeof names[i], "system %u", i);
        if (later)
            middle.before[i] = names[i];
        else
            middle.after[i - CN_MAX_ORDER] = names[i];
        CnSystemDesc desc = {.name = names[i], .run = do_nothing};
        assert_true(cn_system_add(world, &desc, NULL).id);
    }
    CnSystem added = cn_system_add(world, &middle, NULL);
    CnScheduled order[2 * CN_MAX_ORDER + 2];
    uint32_t count;
    assert_true(
        cn_stage_systems(world, CN_STAGE_PRE_STARTUP, order, CN_COUNT_OF(order), &count, NULL));
    assert_int_equal(count, CN_COUNT_OF(order));
    assert_string_equal(order[0].name, "first");
    assert_int_equal(order[1 + CN_MAX_ORDER].system.id, added.id);
    assert_string_equal(order[2 + CN_MAX_ORDER].name, "system 0");
}

int main(void)
{
    const struct CMUnitTest limits[] = {
        FULL_TEST(the_last_component_id_can_be_registered),
        FULL_TEST(the_registration_after_the_last_one_is_a_clear_error),
        FULL_TEST(what_is_registered_is_still_found_when_no_more_fit),
        FULL_TEST(a_c_type_beyond_the_limit_fails_where_it_is_used),
        FULL_TEST(a_pair_beyond_the_limit_is_null),
        FULL_TEST(entities_carry_the_lowest_and_the_highest_component),
        FULL_TEST(queries_match_the_highest_components),
        FULL_TEST(one_entity_carries_a_thousand_components),
        WORLD_TEST(an_entity_moves_a_million_times),
        WORLD_TEST(a_thousand_entities_move_through_a_thousand_archetypes),
        WORLD_TEST(queries_skip_thousands_of_empty_archetypes),
        WORLD_TEST(trim_drops_empty_archetypes),
        WORLD_TEST(trim_keeps_archetypes_with_entities),
        WORLD_TEST(archetypes_come_back_after_a_trim),
        WORLD_TEST(a_trim_after_each_spawn_changes_nothing),
        WORLD_TEST(a_name_may_have_63_bytes),
        WORLD_TEST(names_that_cannot_be_are_clear_errors),
        WORLD_TEST(kinds_with_long_names_keep_their_pairs_apart),
        WORLD_TEST(a_component_may_have_240_fields),
        WORLD_TEST(a_241st_field_is_a_clear_error),
        WORLD_TEST(every_list_of_a_query_may_be_full),
        WORLD_TEST(a_query_composed_of_too_many_terms_is_refused),
        WORLD_TEST(a_spawn_takes_32_values),
        WORLD_TEST(a_system_may_have_a_name_of_63_bytes),
        WORLD_TEST(a_system_may_wait_for_16_others_and_go_before_16),
    };
    return cmocka_run_group_tests(limits, NULL, NULL);
}
