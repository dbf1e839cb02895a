/* Breakage: ids that are dead, null or forged, given to everything that takes an entity. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "guards.h"

#include <string.h>

CN_COMPONENT(Likes, (f32, amount));

/* ---- Bad ids, and a world that they must not touch ---- */

#define MAX_BAD 24u

static CnEntity bad_ids[MAX_BAD];
static uint32_t bad_count;
static CnEntity witness, parent, child;
static CnCommands *commands;

static uint32_t reports; /* of guards, which go on after telling */

static void note_report(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)user;
    assert_true(strstr(message, "is dead") || strstr(message, "never created"));
    reports++;
}

/* Where there are guards, each of these calls was reported as the mistake it is. */
static void assert_reported(uint32_t calls)
{
#ifdef CN_GUARDS
    assert_int_equal(reports, calls);
#else
    (void)calls;
    assert_int_equal(reports, 0);
#endif
}

static void add_bad(CnEntity id)
{
    assert_true(bad_count < MAX_BAD);
    bad_ids[bad_count++] = id;
}

static int make_bad_ids(void **state)
{
    if (make_world(state))
        return -1;
    bad_count = reports = 0;
    cn_id(world, Likes), cn_id(world, Health), cn_id(world, Frozen), cn_id(world, Velocity);
    commands = cn_commands_create(world, NULL);
    witness = cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Mass, {4}));
    parent = cn_spawn(world, cn_with(Position, {5, 6, 7}));
    child = cn_spawn(world, cn_with(Position, {8, 9, 10}));
    cn_set_parent(world, child, parent);
    CnEntity dead = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    CnEntity reused = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    cn_destroy(world, reused);
    CnEntity now_there = cn_spawn(world, cn_with(Position, {0, 0, 0}));
    cn_destroy(world, dead);

    uint32_t index = cn_entity_index(witness), generation = cn_entity_generation(witness);
    add_bad((CnEntity){0});
    add_bad(dead);
    add_bad(reused);
    /* Of a living slot: before, after, and the even ones that no entity ever has. */
    add_bad(cn_entity_make(index, generation - 1));
    add_bad(cn_entity_make(index, generation + 1));
    add_bad(cn_entity_make(index, generation + 2));
    add_bad(cn_entity_make(index, 0));
    add_bad(cn_entity_make(index, UINT32_MAX));
    /* Of a dead slot: what it says now, and what it will say next. */
    add_bad(cn_entity_make(cn_entity_index(dead), cn_entity_generation(dead) + 1));
    add_bad(cn_entity_make(cn_entity_index(dead), cn_entity_generation(dead) + 2));
    add_bad(cn_entity_make(cn_entity_index(now_there), cn_entity_generation(now_there) + 1));
    /* Never used, beyond the pages, beyond all limits. */
    add_bad(cn_entity_make(4000, 1));
    add_bad(cn_entity_make(4096, 1));
    add_bad(cn_entity_make(1u << 24, 1));
    add_bad(cn_entity_make(CN_MAX_ENTITIES, 1));
    add_bad(cn_entity_make(UINT32_MAX, 1));
    add_bad(cn_entity_make(UINT32_MAX, UINT32_MAX));
    cn_assert_set_handler(note_report, NULL);
    return 0;
}

static int drop_bad_ids(void **state)
{
    cn_assert_set_handler(NULL, NULL);
    return drop_world(state);
}

static CnEntity remade(uint64_t n)
{
    return bad_ids[n];
}

/* Nothing that was there is different, and nothing came or went. */
static void assert_untouched(void)
{
    assert_int_equal(cn_entity_count(world), 4);
    assert_int_equal(cn_entity_components(world, witness, NULL, 0), 2);
    assert_number_equal(cn_get(world, witness, Position)->y, 2);
    assert_number_equal(cn_get(world, witness, Mass)->kilograms, 4);
    assert_number_equal(cn_get(world, parent, Position)->x, 5);
    assert_entity_equal(cn_parent(world, child), parent);
    assert_int_equal(cn_child_count(world, parent), 1);
    assert_world_sound(world);
}

#define FOR_EACH_BAD(id)                                                                           \
    for (uint32_t n_ = 0; n_ < bad_count; n_++)                                                    \
        for (CnEntity id = remade(n_), *once_ = &id; once_; once_ = NULL)

#define BAD_ID_TEST(name) cmocka_unit_test_setup_teardown(name, make_bad_ids, drop_bad_ids)

/* ---- Entities ---- */

static void none_of_them_is_alive(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    assert_false(cn_is_alive(world, id));
}

static void destroy_refuses_them(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    assert_false(cn_destroy(world, id));
    assert_untouched();
}

static void destroy_many_skips_them(void **state)
{
    (void)state;
    assert_int_equal(cn_destroy_many(world, bad_ids, bad_count), 0);
    assert_untouched();
    CnEntity mixed[] = {bad_ids[1], witness, bad_ids[2], witness, bad_ids[0], parent, child};
    assert_int_equal(cn_destroy_many(world, mixed, CN_COUNT_OF(mixed)), 2);
    assert_int_equal(cn_entity_count(world), 1);
    assert_world_sound(world);
}

/* ---- Components ---- */

static void add_refuses_them(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        assert_false(cn_add(world, id, Mass));
        assert_false(cn_add(world, id, Frozen));
    }
    assert_reported(2 * bad_count);
    assert_untouched();
}

static void set_refuses_them(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        assert_false(cn_set(world, id, Position, {0, 0, 0}));
        assert_false(cn_set(world, id, Health, {0, 0}));
    }
    assert_reported(2 * bad_count);
    assert_untouched();
}

static void remove_refuses_them(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        assert_false(cn_remove(world, id, Position));
        assert_false(cn_remove(world, id, Frozen));
    }
    assert_reported(2 * bad_count);
    assert_untouched();
}

static void change_refuses_them(void **state)
{
    (void)state;
    CnValue values[] = {cn_with(Health, {1, 2}), cn_with_tag(Frozen)};
    CnComponent removed[] = {cn_id(world, Position)};
    FOR_EACH_BAD(id)
    assert_false(cn_change(world, id, &(CnChange){values, 2, removed, 1}));
    assert_reported(bad_count);
    assert_untouched();
}

static void they_have_nothing(void **state)
{
    (void)state;
    Position value = {7, 7, 7};
    const CnField *y = cn_component_field(world, cn_id(world, Position), "y");
    FOR_EACH_BAD(id)
    {
        assert_false(cn_has(world, id, Position));
        assert_null(cn_get(world, id, Position));
        assert_null(cn_get_mut(world, id, Position));
        assert_false(cn_read(world, id, Position, &value));
        assert_null(cn_get_field(world, id, cn_id(world, Position), y));
        assert_null(cn_get_field_mut(world, id, cn_id(world, Position), y));
        assert_int_equal(cn_entity_components(world, id, NULL, 0), 0);
    }
    assert_number_equal(value.x, 7);
    assert_untouched();
}

static void fields_by_name_say_that_they_are_not_alive(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        float value = 3;
        CnError error = {0};
        assert_false(cn_read_field(world, id, "Position", "y", &value, sizeof value, &error));
        assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
        assert_non_null(strstr(error.message, "not alive"));
        cn_error_clear(&error);
        assert_false(cn_write_field(world, id, "Position", "y", &value, sizeof value, &error));
        assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
        assert_number_equal(value, 3);
    }
    assert_untouched();
}

static void queries_do_not_match_them(void **state)
{
    (void)state;
    CnQuery *all = cn_query_acquire(world, &(CnQueryDesc){.all = {{.type = NULL}}}, NULL);
    CnQuery *positions = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    FOR_EACH_BAD(id)
    {
        assert_false(cn_query_matches(all, id));
        assert_false(cn_query_matches(positions, id));
    }
}

/* ---- Relations ---- */

static void a_bad_child_gets_no_parent(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        assert_false(cn_set_parent(world, id, parent));
        assert_false(cn_set_parent(world, id, (CnEntity){0}));
        assert_false(cn_set_parent(world, id, id));
    }
    assert_untouched();
}

static void a_bad_parent_gets_no_child(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    if (id.id) /* the null parent detaches */
        assert_false(cn_set_parent(world, child, id));
    assert_untouched();
}

static void they_have_no_family(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        assert_entity_null(cn_parent(world, id));
        assert_entity_null(cn_first_child(world, id));
        assert_entity_null(cn_next_sibling(world, id));
        assert_int_equal(cn_child_count(world, id), 0);
        assert_int_equal(cn_depth(world, id), 0);
    }
}

static void they_are_no_target_of_a_pair(void **state)
{
    (void)state;
    CnComponent likes = cn_id(world, Likes);
    FOR_EACH_BAD(id)
    {
        assert_int_equal(cn_pair(world, likes, id).id, 0);
        assert_int_equal(cn_pair_find(world, likes, id).id, 0);
        assert_entity_null(cn_pair_target(world, id, likes, 0));
    }
    assert_untouched();
}

static void the_node_of_the_tree_cannot_be_changed_by_hand(void **state)
{
    (void)state;
    /* Also in a world that has no tree yet. */
    drop_bad_ids(state);
    assert_int_equal(make_world(state), 0);
    CnEntity e = cn_spawn(world, cn_with(Mass, {1})), f = cn_entity_create(world);
    CnComponent node = cn_id(world, CnNode);
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_add_component(world, e, node));
    EXPECT_GUARD(cn_set(world, e, CnNode, {.depth = 5}));
    EXPECT_GUARD(cn_spawn(world, cn_with(CnNode, {.depth = 5})));
#else
    assert_false(cn_add_component(world, e, node));
    assert_false(cn_set(world, e, CnNode, {.depth = 5}));
    assert_entity_null(cn_spawn(world, cn_with(CnNode, {.depth = 5})));
#endif
    assert_true(cn_set_parent(world, e, f));
    assert_entity_equal(cn_parent(world, e), f);
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_remove_component(world, e, node));
#else
    assert_false(cn_remove_component(world, e, node));
#endif
    assert_world_sound(world);
}

static void trees_of_null_components_have_no_addresses(void **state)
{
    (void)state;
    CnTreeOrder order;
    void *addresses[2] = {&order, &order};
    assert_true(cn_tree_order(world, &order));
    assert_int_equal(order.count, 2);
    cn_tree_addresses(world, &order, (CnComponent){0}, addresses);
    assert_null(addresses[0]);
    assert_null(addresses[1]);
}

/* ---- Commands ---- */

static void commands_on_them_are_skipped_and_counted(void **state)
{
    (void)state;
    uint64_t recorded = 0;
    FOR_EACH_BAD(id)
    {
        recorded += cn_defer_add(commands, id, Frozen);
        recorded += cn_defer_set(commands, id, Health, {1, 2});
        recorded += cn_defer_set(commands, id, Position, {0, 0, 0});
        recorded += cn_defer_remove(commands, id, Position);
        recorded += cn_defer_destroy(commands, id);
        recorded += cn_defer_set_parent(commands, id, parent);
        if (id.id)
            recorded += cn_defer_set_parent(commands, child, id);
    }
    assert_true(cn_flush(world));
    assert_int_equal(cn_world_stats(world).skipped_commands, recorded);
    assert_untouched();
}

static void commands_on_them_do_not_disturb_those_on_the_living(void **state)
{
    (void)state;
    FOR_EACH_BAD(id)
    {
        cn_defer_set(commands, id, Health, {1, 2});
        cn_defer_set(commands, witness, Health, {3, 4});
        cn_defer_remove(commands, id, Position);
        cn_defer_add(commands, witness, Frozen);
        cn_defer_remove(commands, witness, Mass);
        cn_defer_destroy(commands, id);
    }
    assert_true(cn_flush(world));
    assert_int_equal(cn_get(world, witness, Health)->now, 3);
    assert_true(cn_has(world, witness, Frozen));
    assert_false(cn_has(world, witness, Mass));
    assert_int_equal(cn_entity_count(world), 4);
    assert_world_sound(world);
}

/* ---- Ids that are promised but not alive ---- */

static void a_reserved_id_is_not_alive_before_the_flush(void **state)
{
    (void)state;
    CnEntity promised = cn_defer_spawn(commands, cn_with(Position, {1, 1, 1}));
    add_bad(promised);
    assert_false(cn_is_alive(world, promised));
    assert_false(cn_destroy(world, promised));
    assert_false(cn_set(world, promised, Health, {1, 2}));
    assert_false(cn_set_parent(world, promised, parent));
    assert_false(cn_set_parent(world, child, promised));
    assert_int_equal(cn_pair(world, cn_id(world, Likes), promised).id, 0);
    assert_null(cn_get(world, promised, Position));
    assert_int_equal(cn_entity_count(world), 4);
    assert_true(cn_flush(world));
    assert_true(cn_is_alive(world, promised));
    assert_number_equal(cn_get(world, promised, Position)->x, 1);
    assert_world_sound(world);
}

static void an_id_promised_by_a_dropped_buffer_never_lives(void **state)
{
    (void)state;
    CnEntity promised[100];
    for (uint32_t i = 0; i < 100; i++)
        promised[i] = cn_defer_spawn(commands, cn_with(Position, {1, 1, 1}));
    cn_commands_destroy(commands);
    for (uint32_t i = 0; i < 10000; i++) {
        CnEntity e = cn_entity_create(world);
        for (uint32_t j = 0; j < 100; j++)
            assert_int_not_equal(e.id, promised[j].id);
    }
    for (uint32_t i = 0; i < 100; i++)
        assert_false(cn_is_alive(world, promised[i]));
    assert_world_sound(world);
}

static void an_id_survives_a_million_reuses_of_its_slot_without_coming_back(void **state)
{
    (void)state;
    CnEntity first = cn_entity_create(world);
    cn_destroy(world, first);
    for (uint32_t i = 0; i < 1000000; i++) {
        CnEntity e = cn_entity_create(world);
        assert_int_not_equal(e.id, first.id);
        cn_destroy(world, e);
    }
    assert_false(cn_is_alive(world, first));
    assert_untouched();
}

int main(void)
{
    const struct CMUnitTest breakage[] = {
        BAD_ID_TEST(none_of_them_is_alive),
        BAD_ID_TEST(destroy_refuses_them),
        BAD_ID_TEST(destroy_many_skips_them),
        BAD_ID_TEST(add_refuses_them),
        BAD_ID_TEST(set_refuses_them),
        BAD_ID_TEST(remove_refuses_them),
        BAD_ID_TEST(change_refuses_them),
        BAD_ID_TEST(they_have_nothing),
        BAD_ID_TEST(fields_by_name_say_that_they_are_not_alive),
        BAD_ID_TEST(queries_do_not_match_them),
        BAD_ID_TEST(a_bad_child_gets_no_parent),
        BAD_ID_TEST(a_bad_parent_gets_no_child),
        BAD_ID_TEST(they_have_no_family),
        BAD_ID_TEST(they_are_no_target_of_a_pair),
        BAD_ID_TEST(the_node_of_the_tree_cannot_be_changed_by_hand),
        BAD_ID_TEST(trees_of_null_components_have_no_addresses),
        BAD_ID_TEST(commands_on_them_are_skipped_and_counted),
        BAD_ID_TEST(commands_on_them_do_not_disturb_those_on_the_living),
        BAD_ID_TEST(a_reserved_id_is_not_alive_before_the_flush),
        BAD_ID_TEST(an_id_promised_by_a_dropped_buffer_never_lives),
        BAD_ID_TEST(an_id_survives_a_million_reuses_of_its_slot_without_coming_back),
    };
    return cmocka_run_group_tests(breakage, NULL, NULL);
}
