/* Clones of worlds: equal state, equal development, and nothing shared. */
#include "check_world.h"
#include "ecs_fixture.h"
#include "rich_world.h"

#include <string.h>

CN_COMPONENT(Tick, (u64, count));
CN_COMPONENT(Spark, (u32, age), (entity, from));
CN_COMPONENT(Noise, (u32, loudness));
CN_TAG(Hot);

/* Spawns, destroys, changes, sends and counts depending on the state of the world. */
CN_SYSTEM(age_sparks, (write, Spark, spark))
{
    for (uint32_t i = 0; i < count; i++) {
        CnEntity entity = chunk->entities[i];
        spark[i].age++;
        if (spark[i].age % 20 == 0)
            cn_defer_spawn(context->commands, cn_with(Spark, {0, entity}),
                           cn_with(Position, {(float)spark[i].age, 0, 0}));
        if (spark[i].age % 7 == 0)
            cn_defer_add(context->commands, entity, Hot);
        if (spark[i].age > 40)
            cn_defer_destroy(context->commands, entity);
        if (spark[i].age % 3 == 0)
            cn_send(cn_channel(context->world, Noise), Noise, {spark[i].age});
    }
}

static void hear(CnSystemContext *context)
{
    CnChannel *channel = cn_channel(context->world, Noise);
    const Noise *events = cn_events(channel, Noise);
    Tick *tick = cn_resource_mut(context->world, Tick);
    for (uint32_t i = 0; i < cn_event_count(channel); i++)
        tick->count = tick->count * 31 + events[i].loudness;
}

static uint32_t disposed;

static void note_disposed(void *user)
{
    (void)user;
    disposed++;
}

/* Creates a world with systems that change it. */
static void fill(CnWorld *of)
{
    cn_register(of, Position);
    cn_register(of, Spark);
    cn_register(of, Hot);
    cn_resource_set(of, Tick, {1});
    cn_channel(of, Noise);
    assert_true(
        cn_system(of, age_sparks, .stage = CN_STAGE_UPDATE, .access = {cn_writes(Noise)}).id);
    assert_true(cn_system_add(of,
                              &(CnSystemDesc){.name = "hear",
                                              .run = hear,
                                              .stage = CN_STAGE_POST_UPDATE,
                                              .dispose = note_disposed,
                                              .access = {cn_writes(Tick), cn_reads(Noise)}},
                              NULL)
                    .id);
    for (uint32_t i = 0; i < 20; i++) {
        CnEntity e = cn_spawn(of, cn_with(Spark, {i, {0}}));
        if (i % 4 == 0)
            cn_set_parent(of, cn_spawn(of, cn_with(Position, {1, 2, 3})), e);
    }
}

static void run(CnWorld *of, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++)
        assert_true(cn_world_update(of, 1.0f / 60, NULL));
}

static CnWorld *make_clone(void)
{
    CnError error = {0};
    CnWorld *copy = cn_world_clone(world, NULL, &error);
    if (!copy)
        fail_msg("%s", error.message);
    assert_world_sound(copy);
    return copy;
}

/* ---- The same state ---- */

static void an_empty_world_can_be_cloned(void **state)
{
    (void)state;
    CnWorld *copy = make_clone();
    assert_true(cn_world_hash(copy) == cn_world_hash(world));
    cn_world_destroy(copy);
}

static void a_clone_has_the_same_hash(void **state)
{
    (void)state;
    fill(world);
    run(world, 30);
    CnWorld *copy = make_clone();
    assert_true(cn_world_hash(copy) == cn_world_hash(world));
    cn_world_destroy(copy);
}

static void a_clone_of_a_world_with_everything_saves_the_same_bytes(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    cn_register(world, RichSocket, .flags = CN_COMPONENT_COPYABLE);
    cn_flush(world);
    CnWorld *copy = make_clone();
    CnSnapshot a = {0}, b = {0};
    assert_true(cn_world_save(world, &a, NULL) && cn_world_save(copy, &b, NULL));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    cn_snapshot_free(&a);
    cn_snapshot_free(&b);
    cn_world_destroy(copy);
}

static void a_clone_has_transient_components_and_values(void **state)
{
    (void)state;
    cn_register(world, Mass, .flags = CN_COMPONENT_TRANSIENT);
    CnEntity entity = cn_spawn(world, cn_with(Mass, {3}));
    CnWorld *copy = make_clone();
    assert_number_equal(cn_get(copy, entity, Mass)->kilograms, 3);
    cn_world_destroy(copy);
}

static void a_clone_has_the_change_ticks(void **state)
{
    (void)state;
    CnEntity old = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with_tag(Frozen));
    cn_get_mut(world, old, Position)->x = 5;
    uint64_t seen = cn_world_tick(world);
    cn_world_advance_tick(world);
    CnWorld *copy = make_clone();
    CnQuery *query = cn_query_acquire(copy, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    CnChunkView view = {0};
    uint32_t changed = 0;
    for (CnQueryIter it = cn_query_iter_changed(query, seen); cn_query_next(&it, &view);)
        changed++;
    assert_int_equal(changed, 0);
    cn_get_mut(copy, old, Position)->x = 6;
    for (CnQueryIter it = cn_query_iter_changed(query, seen); cn_query_next(&it, &view);)
        changed++;
    assert_int_equal(changed, 1);
    assert_int_equal(cn_world_tick(copy), cn_world_tick(world));
    cn_world_destroy(copy);
}

static void pairs_and_parents_are_those_of_the_original(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world), c = cn_entity_create(world);
    CnComponent kind = cn_register(world, Mass);
    cn_set_component(world, a, cn_pair(world, kind, b), &(Mass){1});
    cn_set_component(world, a, cn_pair(world, kind, c), &(Mass){2});
    cn_set_parent(world, b, a);
    cn_set_parent(world, c, a);
    CnWorld *copy = make_clone();
    for (uint32_t n = 0; n < 3; n++)
        assert_entity_equal(cn_pair_target(copy, a, kind, n), cn_pair_target(world, a, kind, n));
    assert_entity_equal(cn_first_child(copy, a), b);
    cn_destroy(copy, b);
    assert_entity_equal(cn_pair_target(copy, a, kind, 0), c);
    assert_entity_null(cn_pair_target(copy, a, kind, 1));
    assert_true(cn_is_alive(world, b));
    cn_world_destroy(copy);
}

static void events_that_wait_are_in_the_clone(void **state)
{
    (void)state;
    CnChannel *channel = cn_channel(world, Noise);
    cn_send(channel, Noise, {3});
    cn_send(channel, Noise, {4});
    CnWorld *copy = make_clone();
    CnChannel *copied = cn_channel(copy, Noise);
    assert_ptr_not_equal(copied, channel);
    assert_int_equal(cn_event_count(copied), 2);
    assert_int_equal(cn_events(copied, Noise)[1].loudness, 4);
    cn_send(copied, Noise, {5});
    assert_int_equal(cn_event_count(channel), 2);
    cn_world_destroy(copy);
}

/* ---- Independence ---- */

static void both_go_the_same_way(void **state)
{
    (void)state;
    fill(world);
    run(world, 30);
    CnWorld *copy = make_clone();
    for (uint32_t i = 0; i < 100; i++) {
        run(world, 1);
        run(copy, 1);
        assert_true(cn_world_hash(copy) == cn_world_hash(world));
    }
    assert_true(cn_entity_count(world) > 20);
    cn_world_destroy(copy);
}

static void what_happens_in_one_is_not_seen_in_the_other(void **state)
{
    (void)state;
    fill(world);
    run(world, 30);
    CnWorld *copy = make_clone();
    uint64_t before = cn_world_hash(world);
    run(copy, 50);
    assert_true(cn_world_hash(world) == before);
    uint64_t after = cn_world_hash(copy);
    assert_true(after != before);
    run(world, 50);
    assert_true(cn_world_hash(world) == after);
    cn_world_destroy(copy);
}

static void a_clone_outlives_its_original(void **state)
{
    (void)state;
    fill(world);
    run(world, 10);
    CnWorld *copy = make_clone();
    uint64_t before = cn_world_hash(copy);
    cn_world_destroy(world);
    assert_true(cn_world_hash(copy) == before);
    run(copy, 10);
    world = copy; /* the fixture ends it */
}

static void a_clone_can_be_cloned(void **state)
{
    (void)state;
    fill(world);
    run(world, 10);
    CnWorld *copy = make_clone();
    CnWorld *again = cn_world_clone(copy, NULL, NULL);
    assert_non_null(again);
    cn_world_destroy(copy);
    run(again, 20);
    run(world, 20);
    assert_true(cn_world_hash(again) == cn_world_hash(world));
    cn_world_destroy(again);
}

static uint32_t added;

static void note_added(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)of, (void)entity, (void)component, (void)user;
    added++;
}

static void hooks_are_shared_and_not_called_by_cloning(void **state)
{
    (void)state;
    added = 0;
    cn_register(world, Health, .hooks = {.on_add = {note_added, NULL}});
    cn_spawn(world, cn_with(Health, {1, 2}));
    CnWorld *copy = make_clone();
    assert_int_equal(added, 1);
    cn_spawn(copy, cn_with(Health, {1, 2}));
    assert_int_equal(added, 2);
    cn_world_destroy(copy);
}

static void systems_of_a_clone_are_not_disposed_of(void **state)
{
    (void)state;
    fill(world);
    disposed = 0;
    CnWorld *copy = make_clone();
    cn_world_destroy(copy);
    assert_int_equal(disposed, 0);
}

static void handles_and_whether_systems_are_enabled_stay(void **state)
{
    (void)state;
    fill(world);
    CnSystem system = cn_system_find(world, "age_sparks");
    cn_system_enable(world, system, false);
    CnWorld *copy = make_clone();
    assert_int_equal(cn_system_find(copy, "age_sparks").id, system.id);
    uint64_t before = cn_world_hash_component(copy, cn_id(copy, Spark));
    run(copy, 3);
    assert_true(cn_world_hash_component(copy, cn_id(copy, Spark)) == before);
    cn_world_destroy(copy);
}

/* ---- What is refused ---- */

static void assert_refused(const char *part)
{
    CnError error = {0};
    assert_null(cn_world_clone(world, NULL, &error));
    if (!strstr(error.message, part))
        fail_msg("%s", error.message);
}

static void waiting_commands_are_refused(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    cn_register(world, Frozen);
    cn_defer_spawn(commands, cn_with_tag(Frozen));
    assert_refused("flush it first");
    cn_flush(world);
    cn_world_destroy(make_clone());
}

typedef struct Handle {
    void *memory;
} Handle;
CN_OPAQUE(Handle);

static void an_opaque_component_that_may_own_something_is_refused(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Handle, {NULL}));
    assert_refused("component Handle is opaque");
    cn_remove(world, entity, Handle);
    cn_world_destroy(make_clone());
    cn_resource_set(world, Handle, {NULL});
    assert_refused("component Handle is opaque");
}

static void an_opaque_component_that_says_so_is_copied(void **state)
{
    (void)state;
    cn_register(world, Handle, .flags = CN_COMPONENT_COPYABLE);
    CnEntity entity = cn_spawn(world, cn_with(Handle, {&added}));
    CnWorld *copy = make_clone();
    assert_ptr_equal(cn_get(copy, entity, Handle)->memory, &added);
    cn_world_destroy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_empty_world_can_be_cloned),
        WORLD_TEST(a_clone_has_the_same_hash),
        WORLD_TEST(a_clone_of_a_world_with_everything_saves_the_same_bytes),
        WORLD_TEST(a_clone_has_transient_components_and_values),
        WORLD_TEST(a_clone_has_the_change_ticks),
        WORLD_TEST(pairs_and_parents_are_those_of_the_original),
        WORLD_TEST(events_that_wait_are_in_the_clone),
        WORLD_TEST(both_go_the_same_way),
        WORLD_TEST(what_happens_in_one_is_not_seen_in_the_other),
        WORLD_TEST(a_clone_outlives_its_original),
        WORLD_TEST(a_clone_can_be_cloned),
        WORLD_TEST(hooks_are_shared_and_not_called_by_cloning),
        WORLD_TEST(systems_of_a_clone_are_not_disposed_of),
        WORLD_TEST(handles_and_whether_systems_are_enabled_stay),
        WORLD_TEST(waiting_commands_are_refused),
        WORLD_TEST(an_opaque_component_that_may_own_something_is_refused),
        WORLD_TEST(an_opaque_component_that_says_so_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
