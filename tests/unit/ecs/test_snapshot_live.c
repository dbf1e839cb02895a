/* What the rest of a world sees of a load: pairs, queries, hooks, systems, change ticks. */
#include "snapshot_fixture.h"

/* ---- Pairs ---- */

static void a_pair_comes_back_with_its_value(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    cn_set_component(world, bob, cn_pair(world, cn_id(world, RichLikes), alice),
                     &(RichLikes){0.75f});
    reload(world, other);
    CnComponent likes = cn_id(other, RichLikes), pair = cn_pair_find(other, likes, alice);
    assert_true(pair.id != 0);
    assert_entity_equal(cn_pair_target(other, bob, likes, 0), alice);
    assert_number_equal(((const RichLikes *)cn_get_component(other, bob, pair))->how_much, 0.75f);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void a_loaded_pair_goes_with_its_target(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    cn_add_component(world, bob, cn_pair(world, cn_id(world, RichKnows), alice));
    reload(world, other);
    CnComponent knows = cn_id(other, RichKnows);
    assert_true(cn_has_component(other, bob, cn_pair_any(other, knows)));
    cn_destroy(other, alice);
    assert_entity_null(cn_pair_target(other, bob, knows, 0));
    assert_false(cn_has_component(other, bob, cn_pair_any(other, knows)));
    assert_world_sound(other);
}

static void a_query_for_any_pair_sees_loaded_ones(void **state)
{
    (void)state;
    CnComponent knows = cn_id(other, RichKnows);
    CnQuery *query = cn_query_acquire(
        other, &(CnQueryDesc){.all = {cn_tag_id(cn_pair_any(other, knows))}}, NULL);
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    cn_add_component(world, bob, cn_pair(world, cn_id(world, RichKnows), alice));
    reload(world, other);
    assert_int_equal(cn_query_count(query), 1);
    assert_true(cn_query_matches(query, bob));
}

static void a_query_for_a_pair_lives_on_when_its_target_is_in_the_data(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    CnComponent pair = cn_pair(world, cn_id(world, RichKnows), alice);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(pair)}}, NULL);
    CnSnapshot without = save(world);
    cn_add_component(world, bob, pair);
    CnSnapshot with = save(world);
    load(world, &without);
    assert_int_equal(cn_query_count(query), 0);
    cn_add_component(world, bob, cn_pair(world, cn_id(world, RichKnows), alice));
    assert_int_equal(cn_query_count(query), 1);
    load(world, &with);
    assert_int_equal(cn_query_count(query), 1);
    cn_snapshot_free(&without);
    cn_snapshot_free(&with);
}

static void a_query_for_a_pair_matches_nothing_when_its_target_is_gone(void **state)
{
    (void)state;
    CnEntity e[3];
    for (int i = 0; i < 3; i++)
        e[i] = cn_entity_create(other);
    CnComponent knows = cn_id(other, RichKnows), pair = cn_pair(other, knows, e[2]);
    cn_add_component(other, e[0], pair);
    CnQuery *query = cn_query_acquire(other, &(CnQueryDesc){.all = {cn_tag_id(pair)}}, NULL);
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    cn_add_component(world, a, cn_pair(world, cn_id(world, RichKnows), b));
    reload(world, other);
    assert_int_equal(cn_query_count(query), 0);
    cn_add_component(other, b, cn_pair(other, knows, a)); /* may not take the old pair's id */
    assert_int_equal(cn_query_count(query), 0);
}

static void pairs_that_the_data_lacks_are_gone(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(other);
    CnComponent knows = cn_id(other, RichKnows);
    cn_add_component(other, e, cn_pair(other, knows, e));
    cn_resource_set_value(other, cn_pair(other, knows, e), NULL);
    cn_entity_create(world); /* the same id */
    reload(world, other);
    assert_true(cn_is_alive(other, e));
    assert_int_equal(cn_pair_find(other, knows, e).id, 0);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void targets_keep_their_order(void **state)
{
    (void)state;
    CnEntity e[20];
    CnComponent likes = cn_id(world, RichLikes);
    for (int i = 0; i < 20; i++)
        e[i] = cn_entity_create(world);
    for (int i = 1; i < 20; i++)
        cn_add_component(world, e[0], cn_pair(world, likes, e[(i * 7) % 19 + 1]));
    reload(world, other);
    for (uint32_t n = 0; n < 20; n++)
        assert_entity_equal(cn_pair_target(other, e[0], cn_id(other, RichLikes), n),
                            cn_pair_target(world, e[0], likes, n));
}

static void pairs_of_one_target_go_in_the_same_order(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), e[4];
    CnComponent likes = cn_id(world, RichLikes), knows = cn_id(world, RichKnows);
    CnComponent frozen = cn_id(world, RichFrozen);
    CnComponent pairs[] = {cn_pair(world, knows, target), cn_pair(world, likes, target),
                           cn_pair(world, frozen, target)};
    for (int i = 0; i < 4; i++) {
        e[i] = cn_spawn(world, cn_with(Position, {(float)i, 0, 0}));
        for (int p = 0; p < 3; p++)
            if (i != p)
                cn_add_component(world, e[i], pairs[(p + 2) % 3]);
    }
    cn_register(other, RichFrozen);
    cn_register(other, RichLikes);
    reload(world, other);
    cn_destroy(world, target);
    cn_destroy(other, target);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

static void a_resource_of_a_pair_comes_back(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    cn_resource_set_value(world, cn_pair(world, cn_id(world, RichLikes), e), &(RichLikes){3});
    reload(world, other);
    const RichLikes *likes =
        cn_resource_get(other, cn_pair_find(other, cn_id(other, RichLikes), e));
    assert_number_equal(likes->how_much, 3);
    reload(world, other);
    assert_ptr_equal(cn_resource_get(other, cn_pair_find(other, cn_id(other, RichLikes), e)),
                     likes);
}

static void a_resource_of_a_pair_goes_with_its_target(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    cn_resource_set_value(world, cn_pair(world, cn_id(world, RichLikes), e), &(RichLikes){3});
    reload(world, other);
    cn_destroy(other, e);
    assert_world_sound(other);
    cn_destroy(world, e);
    assert_int_equal(cn_world_hash(other), cn_world_hash(world));
}

/* ---- Queries ---- */

static void queries_match_what_was_loaded(void **state)
{
    (void)state;
    CnQuery *moving = cn_query_acquire(
        other, &(CnQueryDesc){.all = {cn_writes(Position)}, .none = {cn_tag(Frozen)}}, NULL);
    CnQuery *all = cn_query_acquire(other, &(CnQueryDesc){.none = {cn_tag(Frozen)}}, NULL);
    cn_spawn_many(other, 100, NULL, cn_with(Position, {1, 1, 1}));
    cn_spawn(world, cn_with(Position, {4, 0, 0}));
    cn_spawn(world, cn_with(Position, {5, 0, 0}), cn_with_tag(Frozen));
    cn_entity_create(world);
    reload(world, other);
    assert_int_equal(cn_query_count(moving), 1);
    assert_int_equal(cn_query_count(all), 2);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(moving);
    assert_true(cn_query_next(&it, &view));
    assert_number_equal(cn_column(&view, Position)[0].x, 4);
    cn_spawn(other, cn_with(Position, {6, 0, 0}), cn_with_tag(Enemy));
    assert_int_equal(cn_query_count(moving), 2);
}

static void everything_counts_as_changed(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {4, 0, 0}));
    CnQuery *query = cn_query_acquire(other, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    uint64_t before = cn_world_tick(other);
    reload(world, other);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter_changed(query, before);
    assert_true(cn_query_next(&it, &view));
}

/* ---- Hooks and systems ---- */

static int hook_calls;

static void count_call(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)in, (void)entity, (void)component, (void)user;
    hook_calls++;
}

static void hooks_are_not_called(void **state)
{
    (void)state;
    CnHook hook = {count_call, NULL};
    cn_register(other, Position, .hooks = {.on_add = hook, .on_set = hook, .on_remove = hook});
    cn_spawn(other, cn_with(Position, {1, 1, 1}));
    cn_spawn(world, cn_with(Position, {2, 2, 2}));
    hook_calls = 0;
    reload(world, other);
    assert_int_equal(hook_calls, 0);
    cn_destroy(other, cn_spawn(other, cn_with(Position, {3, 3, 3})));
    assert_int_equal(hook_calls, 3);
}

static void try_both(CnWorld *in, void *user)
{
    CnError *errors = user;
    CnSnapshot snapshot;
    if (!cn_world_save(in, &snapshot, &errors[0]))
        assert_null(snapshot.bytes);
    cn_snapshot_free(&snapshot);
    snapshot = save(other);
    assert_false(cn_world_load(in, snapshot.bytes, snapshot.size, &errors[1]));
    cn_snapshot_free(&snapshot);
}

static void try_in_hook(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component;
    try_both(in, user);
}

static void a_hook_can_neither_save_nor_load(void **state)
{
    (void)state;
    CnError errors[2] = {0};
    cn_register(world, Position, .hooks = {.on_add = {try_in_hook, errors}});
    CnEntity e = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    assert_int_equal(errors[0].code, CN_ERROR_PERMISSION);
    assert_int_equal(errors[1].code, CN_ERROR_PERMISSION);
    assert_true(cn_is_alive(world, e));
}

static void try_in_system(CnSystemContext *context)
{
    try_both(context->world, context->user);
}

static void a_system_can_save_but_not_load(void **state)
{
    (void)state;
    CnError errors[2] = {0};
    cn_system_add(
        world,
        &(CnSystemDesc){
            .name = "try", .run = try_in_system, .user = errors, .stage = CN_STAGE_UPDATE},
        NULL);
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_int_equal(errors[0].code, CN_OK);
    assert_int_equal(errors[1].code, CN_ERROR_PERMISSION);
}

/* ---- Command buffers ---- */

static void a_buffer_that_spawned_before_a_load_gives_the_ids_of_a_new_one(void **state)
{
    (void)state;
    CnCommands *used = cn_commands_create(world, NULL), *unused = cn_commands_create(other, NULL);
    CnEntity first = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    CnSnapshot snapshot = save(world);
    cn_defer_spawn(used, cn_with(Position, {1, 2, 3}));
    cn_flush(world);
    load(world, &snapshot);
    load(other, &snapshot);
    for (int i = 0; i < 5; i++) {
        /* Spawns after other commands take a shorter way. */
        cn_defer_set(used, first, Position, {4, 5, 6});
        cn_defer_set(unused, first, Position, {4, 5, 6});
        CnEntity a = cn_defer_spawn(used, cn_with(Position, {1, 2, 3}));
        CnEntity b = cn_defer_spawn(unused, cn_with(Position, {1, 2, 3}));
        assert_int_equal(a.id, b.id);
        cn_flush(world);
        cn_flush(other);
        assert_int_equal(cn_world_hash(world), cn_world_hash(other));
    }
    cn_snapshot_free(&snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(a_buffer_that_spawned_before_a_load_gives_the_ids_of_a_new_one),
        TWO_WORLDS_TEST(a_pair_comes_back_with_its_value),
        TWO_WORLDS_TEST(a_loaded_pair_goes_with_its_target),
        TWO_WORLDS_TEST(a_query_for_any_pair_sees_loaded_ones),
        TWO_WORLDS_TEST(a_query_for_a_pair_lives_on_when_its_target_is_in_the_data),
        TWO_WORLDS_TEST(a_query_for_a_pair_matches_nothing_when_its_target_is_gone),
        TWO_WORLDS_TEST(pairs_that_the_data_lacks_are_gone),
        TWO_WORLDS_TEST(targets_keep_their_order),
        TWO_WORLDS_TEST(pairs_of_one_target_go_in_the_same_order),
        TWO_WORLDS_TEST(a_resource_of_a_pair_comes_back),
        TWO_WORLDS_TEST(a_resource_of_a_pair_goes_with_its_target),
        TWO_WORLDS_TEST(queries_match_what_was_loaded),
        TWO_WORLDS_TEST(everything_counts_as_changed),
        TWO_WORLDS_TEST(hooks_are_not_called),
        TWO_WORLDS_TEST(a_hook_can_neither_save_nor_load),
        TWO_WORLDS_TEST(a_system_can_save_but_not_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
