/* Streams of a world: found by name, saved, loaded, hashed. */
#include "../ecs/ecs_fixture.h"

#include "guards.h"

#include <cairn/sim/random.h>

static CnWorld *make_other(void)
{
    CnWorld *other = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "other")}, NULL);
    assert_non_null(other);
    return other;
}

static CnComponent stream_of(CnWorld *in, const char *name)
{
    CnError error = {0};
    CnComponent stream = cn_random_stream(in, name, &error);
    if (!stream.id)
        fail_msg("%s", error.message);
    return stream;
}

static void save_and_load(const CnWorld *from, CnWorld *to)
{
    CnSnapshot snapshot;
    CnError error = {0};
    assert_true(cn_world_save(from, &snapshot, &error));
    if (!cn_world_load(to, snapshot.bytes, snapshot.size, &error))
        fail_msg("%s", error.message);
    cn_snapshot_free(&snapshot);
}

static void assert_same_numbers(CnRandom *a, CnRandom *b)
{
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cn_random_u64(a), cn_random_u64(b));
}

/* ---- Making ---- */

static void a_stream_is_made_from_the_seed_and_its_name(void **state)
{
    (void)state;
    assert_true(cn_random_seed(world, 42, NULL));
    CnComponent stream = stream_of(world, "weather");
    CnRandom expected = cn_random_make(42, "weather");
    assert_memory_equal(cn_random_of(world, stream), &expected, sizeof expected);
    assert_int_equal(cn_random_key(world, stream), expected.key);
}

static void without_a_seed_it_is_zero(void **state)
{
    (void)state;
    CnComponent stream = stream_of(world, "weather");
    assert_int_equal(cn_random_key(world, stream), cn_random_make(0, "weather").key);
}

static void a_stream_is_a_described_resource(void **state)
{
    (void)state;
    CnComponent stream = stream_of(world, "weather");
    assert_int_equal(cn_component_find(world, "random.weather").id, stream.id);
    assert_int_equal(cn_component_field(world, stream, "counter")->type, CN_FIELD_U64);
    assert_ptr_equal(cn_resource_get(world, stream), cn_random_of(world, stream));
}

static void the_same_name_finds_the_stream_as_it_stands(void **state)
{
    (void)state;
    CnComponent stream = stream_of(world, "weather");
    CnRandom *random = cn_random_of(world, stream);
    cn_random_u64(random);
    assert_int_equal(stream_of(world, "weather").id, stream.id);
    assert_ptr_equal(cn_random_of(world, stream), random);
    assert_int_equal(random->counter, 1);
}

static void streams_do_not_disturb_each_other(void **state)
{
    (void)state;
    cn_random_seed(world, 7, NULL);
    CnRandom *loot = cn_random_of(world, stream_of(world, "loot"));
    CnRandom *weather = cn_random_of(world, stream_of(world, "weather"));
    for (uint32_t i = 0; i < 10; i++)
        cn_random_u64(weather);
    CnRandom expected = cn_random_make(7, "loot");
    assert_same_numbers(loot, &expected);
}

static void a_generator_may_be_a_component_beside_streams(void **state)
{
    (void)state;
    CnComponent stream = stream_of(world, "weather");
    CnEntity entity = cn_spawn(world, cn_with(CnRandom, {3, 4}));
    assert_true(cn_id(world, CnRandom).id != stream.id);
    assert_int_equal(cn_get(world, entity, CnRandom)->key, 3);
    assert_int_equal(cn_random_of(world, stream)->counter, 0);
}

static void drawing_makes_no_heap_call(void **state)
{
    (void)state;
    CnComponent stream = stream_of(world, "weather");
    uint32_t items[10] = {0};
    uint64_t calls = cn_heap_stats(heap).calls;
    for (uint32_t i = 0; i < 100; i++) {
        CnRandom *random = cn_random_of(world, stream);
        cn_random_below(random, 6);
        cn_random_shuffle(random, items, 10);
        cn_random_unit3(random);
        cn_random_at(cn_random_key(world, stream), i, 0);
        assert_int_equal(stream_of(world, "weather").id, stream.id);
        cn_random_seed(world, i, NULL);
        calls += i == 0 ? cn_heap_stats(heap).calls - calls : 0; /* the first one makes the seed */
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

/* ---- Names ---- */

static void assert_no_stream(const char *name, CnErrorCode code)
{
    CnError error = {0};
    uint32_t components = cn_component_limit(world);
    assert_int_equal(cn_random_stream(world, name, &error).id, 0);
    assert_int_equal(error.code, code);
    assert_true(error.message[0] != 0);
    assert_int_equal(cn_random_stream(world, name, NULL).id, 0);
    assert_int_equal(cn_component_limit(world), components);
}

static void bad_names_are_errors(void **state)
{
    (void)state;
    assert_no_stream("", CN_ERROR_FORMAT);
    assert_no_stream(NULL, CN_ERROR_FORMAT);
    assert_no_stream("\xff", CN_ERROR_FORMAT);
    char name[CN_MAX_NAME_BYTES];
    memset(name, 'n', sizeof name);
    name[CN_MAX_NAME_BYTES - 1] = 0;
    assert_no_stream(name, CN_ERROR_FORMAT);
    name[CN_MAX_NAME_BYTES - 7] = 0; /* 57 bytes, and 7 of the prefix */
    assert_no_stream(name, CN_ERROR_FORMAT);
}

static void the_longest_name_is_taken(void **state)
{
    (void)state;
    char name[CN_MAX_NAME_BYTES - 7];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    assert_int_equal(cn_random_key(world, stream_of(world, name)), cn_random_make(0, name).key);
}

static void a_component_of_another_shape_is_not_taken_for_a_stream(void **state)
{
    (void)state;
    CnType type = cn_type_Health;
    type.name = "random.health";
    type.site = NULL;
    assert_true(cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL).id);
    assert_no_stream("health", CN_ERROR_MISMATCH);
    assert_true(cn_random_restore(world, NULL));
    assert_null(cn_resource_get(world, cn_component_find(world, "random.health")));
}

/* ---- Seed ---- */

static void seeding_restarts_all_streams(void **state)
{
    (void)state;
    CnRandom *a = cn_random_of(world, stream_of(world, "a"));
    CnRandom *b = cn_random_of(world, stream_of(world, "b"));
    cn_random_u64(a);
    assert_true(cn_random_seed(world, 5, NULL));
    CnRandom expected_a = cn_random_make(5, "a"), expected_b = cn_random_make(5, "b");
    assert_memory_equal(a, &expected_a, sizeof *a);
    assert_memory_equal(b, &expected_b, sizeof *b);
    assert_int_equal(cn_resource(world, CnRandomSeed)->seed, 5);
}

static void seeding_leaves_other_components_alone(void **state)
{
    (void)state;
    stream_of(world, "a");
    CnRandom *own = cn_resource_set(world, CnRandom, {1, 2});
    CnEntity entity = cn_spawn(world, cn_with(CnRandom, {3, 4}));
    cn_random_seed(world, 5, NULL);
    assert_int_equal(own->key, 1);
    assert_int_equal(own->counter, 2);
    assert_int_equal(cn_get(world, entity, CnRandom)->counter, 4);
}

static void the_order_of_making_and_seeding_does_not_matter(void **state)
{
    (void)state;
    CnWorld *other = make_other();
    CnComponent before = stream_of(world, "x");
    cn_random_seed(world, 8, NULL);
    cn_random_seed(other, 8, NULL);
    CnComponent after = stream_of(other, "x");
    assert_same_numbers(cn_random_of(world, before), cn_random_of(other, after));
    cn_world_destroy(other);
}

/* ---- State ---- */

static void a_draw_changes_the_hash_of_the_world(void **state)
{
    (void)state;
    CnRandom *random = cn_random_of(world, stream_of(world, "weather"));
    uint64_t before = cn_world_hash(world);
    cn_random_u64(random);
    assert_true(cn_world_hash(world) != before);
    random->counter--;
    assert_int_equal(cn_world_hash(world), before);
}

static void the_seed_is_part_of_the_hash(void **state)
{
    (void)state;
    cn_random_seed(world, 1, NULL);
    uint64_t before = cn_world_hash(world);
    cn_random_seed(world, 2, NULL);
    assert_true(cn_world_hash(world) != before);
}

static void a_loaded_world_goes_on_with_the_same_numbers(void **state)
{
    (void)state;
    CnWorld *other = make_other();
    cn_random_seed(world, 77, NULL);
    cn_random_seed(other, 78, NULL);
    CnComponent a = stream_of(world, "weather"), b = stream_of(other, "weather");
    cn_random_skip(cn_random_of(world, a), 1000);
    save_and_load(world, other);
    assert_int_equal(cn_world_hash(world), cn_world_hash(other));
    assert_same_numbers(cn_random_of(world, a), cn_random_of(other, b));
    assert_int_equal(cn_world_hash(world), cn_world_hash(other));
    assert_int_equal(cn_random_key(other, stream_of(other, "new")), cn_random_make(77, "new").key);
    cn_world_destroy(other);
}

static void a_world_that_loads_first_finds_the_streams_later(void **state)
{
    (void)state;
    CnWorld *other = make_other();
    cn_random_seed(world, 77, NULL);
    CnComponent a = stream_of(world, "weather");
    cn_random_skip(cn_random_of(world, a), 1000);
    save_and_load(world, other);
    CnComponent b = stream_of(other, "weather");
    assert_int_equal(cn_world_hash(world), cn_world_hash(other));
    assert_same_numbers(cn_random_of(world, a), cn_random_of(other, b));
    cn_world_destroy(other);
}

static void going_back_to_a_save_repeats_the_numbers(void **state)
{
    (void)state;
    CnRandom *random = cn_random_of(world, stream_of(world, "weather"));
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    uint64_t first = cn_random_u64(random);
    cn_random_u64(random);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_int_equal(cn_random_u64(random), first);
}

static void restore_makes_the_streams_that_the_data_lacked(void **state)
{
    (void)state;
    CnWorld *old = make_other();
    cn_random_seed(old, 21, NULL);
    cn_random_skip(cn_random_of(old, stream_of(old, "loot")), 9);
    cn_random_seed(world, 22, NULL);
    CnComponent loot = stream_of(world, "loot"), added = stream_of(world, "added");
    save_and_load(old, world);
    assert_null(cn_random_of(world, added));
    assert_int_equal(cn_random_key(world, added), 0);
    assert_true(cn_random_restore(world, NULL));
    CnRandom expected = cn_random_make(21, "added");
    assert_memory_equal(cn_random_of(world, added), &expected, sizeof expected);
    assert_int_equal(cn_random_of(world, loot)->counter, 9);
    cn_world_destroy(old);
}

static void a_pair_of_a_stream_is_not_a_stream(void **state)
{
    (void)state;
    CnComponent pair = cn_pair(world, stream_of(world, "weather"), cn_entity_create(world));
    assert_true(cn_random_restore(world, NULL));
    assert_null(cn_resource_get(world, pair));
}

/* ---- In systems ---- */

static CnComponent system_stream;

static void draw_once(CnSystemContext *context)
{
    cn_random_u64(cn_random_of(context->world, system_stream));
}

static void look_at_the_key(CnSystemContext *context)
{
    assert_true(cn_random_key(context->world, system_stream) != 0);
}

static void systems_declare_the_streams_they_use(void **state)
{
    (void)state;
    system_stream = stream_of(world, "weather");
    cn_system_add(world,
                  &(CnSystemDesc){.name = "draws",
                                  .run = draw_once,
                                  .stage = CN_STAGE_UPDATE,
                                  .access = {cn_writes_id(system_stream)}},
                  NULL);
    cn_system_add(world,
                  &(CnSystemDesc){.name = "looks",
                                  .run = look_at_the_key,
                                  .stage = CN_STAGE_UPDATE,
                                  .access = {cn_reads_id(system_stream)}},
                  NULL);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(cn_world_update(world, 0.01f, NULL));
    assert_int_equal(cn_random_of(world, system_stream)->counter, 5);
}

#ifdef CN_GUARDS
static void draw_without_leave(CnSystemContext *context)
{
    EXPECT_GUARD(cn_random_of(context->world, system_stream));
}
#endif

static void drawing_from_a_stream_that_is_only_read_is_a_wrong_call(void **state)
{
    (void)state;
#ifdef CN_GUARDS
    system_stream = stream_of(world, "weather");
    cn_system_add(world,
                  &(CnSystemDesc){.name = "draws",
                                  .run = draw_without_leave,
                                  .stage = CN_STAGE_UPDATE,
                                  .access = {cn_reads_id(system_stream)}},
                  NULL);
    cn_world_update(world, 0.01f, NULL);
    EXPECT_GUARD(cn_random_of(world, cn_id(world, Health)));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_stream_is_made_from_the_seed_and_its_name),
        WORLD_TEST(without_a_seed_it_is_zero),
        WORLD_TEST(a_stream_is_a_described_resource),
        WORLD_TEST(the_same_name_finds_the_stream_as_it_stands),
        WORLD_TEST(streams_do_not_disturb_each_other),
        WORLD_TEST(a_generator_may_be_a_component_beside_streams),
        WORLD_TEST(drawing_makes_no_heap_call),
        WORLD_TEST(bad_names_are_errors),
        WORLD_TEST(the_longest_name_is_taken),
        WORLD_TEST(a_component_of_another_shape_is_not_taken_for_a_stream),
        WORLD_TEST(seeding_restarts_all_streams),
        WORLD_TEST(seeding_leaves_other_components_alone),
        WORLD_TEST(the_order_of_making_and_seeding_does_not_matter),
        WORLD_TEST(a_draw_changes_the_hash_of_the_world),
        WORLD_TEST(the_seed_is_part_of_the_hash),
        WORLD_TEST(a_loaded_world_goes_on_with_the_same_numbers),
        WORLD_TEST(a_world_that_loads_first_finds_the_streams_later),
        WORLD_TEST(going_back_to_a_save_repeats_the_numbers),
        WORLD_TEST(restore_makes_the_streams_that_the_data_lacked),
        WORLD_TEST(a_pair_of_a_stream_is_not_a_stream),
        WORLD_TEST(systems_declare_the_streams_they_use),
        WORLD_TEST(drawing_from_a_stream_that_is_only_read_is_a_wrong_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
