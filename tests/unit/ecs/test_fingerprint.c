/* Fingerprints: what they depend on, and which entity they identify. */
#include "random.h"
#include "snapshot_fixture.h"

CN_COMPONENT(Padded, (u8, small), (u64, large), (text, label, 7));

static CnFingerprint fingerprint_of(const CnWorld *of, const char *name)
{
    CnFingerprint fingerprint;
    cn_world_fingerprint_component(of, cn_component_find(of, name), &fingerprint);
    return fingerprint;
}

static void assert_located(const CnFingerprint *a, const CnFingerprint *b, uint32_t index)
{
    uint32_t found = UINT32_MAX;
    assert_true(cn_fingerprint_locate(a, b, &found));
    assert_int_equal(found, index);
    found = UINT32_MAX;
    assert_true(cn_fingerprint_locate(b, a, &found));
    assert_int_equal(found, index);
}

static bool is_located(const CnFingerprint *a, const CnFingerprint *b)
{
    uint32_t index;
    return cn_fingerprint_locate(a, b, &index);
}

static void fill(CnWorld *to, CnEntity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = cn_spawn(to, cn_with(Position, {(float)i, 2, 3}));
        if (i % 3 == 0)
            cn_add(to, entities[i], Frozen);
    }
}

/* ---- What it depends on ---- */

static void an_empty_component_has_zeros(void **state)
{
    (void)state;
    cn_register(world, Position);
    CnFingerprint zeros = {0}, found = fingerprint_of(world, "Position");
    assert_true(cn_fingerprint_equal(&found, &zeros));
}

static void what_is_not_saved_has_zeros(void **state)
{
    (void)state;
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    cn_spawn(world, cn_with(RichCache, {1}));
    cn_resource_set(world, RichCache, {4});
    CnFingerprint zeros = {0}, found = fingerprint_of(world, "RichCache");
    assert_true(cn_fingerprint_equal(&found, &zeros));
}

static void the_order_of_rows_does_not_matter(void **state)
{
    (void)state;
    CnEntity a[50], b[50];
    for (uint32_t i = 0; i < 50; i++) {
        a[i] = cn_entity_create(world);
        b[i] = cn_entity_create(other);
    }
    for (uint32_t i = 0; i < 50; i++) {
        cn_set(world, a[i], Position, {(float)i, 0, 0});
        cn_set(other, b[49 - i], Position, {(float)(49 - i), 0, 0});
    }
    assert_int_not_equal(cn_world_hash(world), cn_world_hash(other));
    CnFingerprint one = fingerprint_of(world, "Position"), two = fingerprint_of(other, "Position");
    assert_true(cn_fingerprint_equal(&one, &two));
    assert_int_equal(one.count, 50);
}

static void layout_and_archetypes_do_not_matter(void **state)
{
    (void)state;
    cn_register(other, Position, .layout = CN_LAYOUT_FIELDS);
    cn_register(other, Padded, .layout = CN_LAYOUT_FIELDS);
    for (uint32_t i = 0; i < 3000; i++) {
        cn_spawn(world, cn_with(Position, {(float)i, 1, 2}), cn_with(Padded, {1, i, "x"}));
        CnEntity e =
            cn_spawn(other, cn_with(Position, {(float)i, 1, 2}), cn_with(Padded, {1, i, "x"}));
        if (i % 2)
            cn_add(other, e, Frozen);
    }
    CnFingerprint one = fingerprint_of(world, "Position"), two = fingerprint_of(other, "Position");
    assert_true(cn_fingerprint_equal(&one, &two));
    one = fingerprint_of(world, "Padded");
    two = fingerprint_of(other, "Padded");
    assert_true(cn_fingerprint_equal(&one, &two));
}

static void padding_and_what_follows_a_text_do_not_matter(void **state)
{
    (void)state;
    Padded clean, dirty;
    memset(&clean, 0, sizeof clean);
    memset(&dirty, 0xee, sizeof dirty);
    clean.small = dirty.small = 1;
    clean.large = dirty.large = 2;
    strcpy(clean.label, "ab");
    strcpy(dirty.label, "ab");
    cn_set_component(world, cn_entity_create(world), cn_id(world, Padded), &clean);
    cn_set_component(other, cn_entity_create(other), cn_id(other, Padded), &dirty);
    CnFingerprint one = fingerprint_of(world, "Padded"), two = fingerprint_of(other, "Padded");
    assert_true(cn_fingerprint_equal(&one, &two));
}

static void a_resource_counts_apart_from_entities(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Health, {1, 2}));
    CnFingerprint before = fingerprint_of(world, "Health");
    cn_resource_set(world, Health, {3, 4});
    CnFingerprint after = fingerprint_of(world, "Health");
    assert_int_equal(before.resource, 0);
    assert_int_not_equal(after.resource, 0);
    assert_int_equal(before.sums[2], after.sums[2]);
    cn_resource_set(world, Health, {3, 5});
    assert_int_not_equal(fingerprint_of(world, "Health").resource, after.resource);
}

static void the_same_values_on_other_entities_differ(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    CnEntity c = cn_entity_create(other), d = cn_entity_create(other);
    cn_set(world, a, Mass, {1});
    cn_set(world, b, Mass, {2});
    cn_set(other, c, Mass, {2});
    cn_set(other, d, Mass, {1});
    CnFingerprint one = fingerprint_of(world, "Mass"), two = fingerprint_of(other, "Mass");
    assert_false(cn_fingerprint_equal(&one, &two));
    assert_false(is_located(&one, &two));
}

/* By the definition, one step at a time. */
static void the_sums_are_those_of_the_definition(void **state)
{
    (void)state;
    const uint64_t prime = (1ull << 61) - 1;
    CnEntity entities[150];
    CnFingerprint expected = {.count = 150};
    fill(world, entities, 150);
    for (uint32_t i = 0; i < 150; i++) {
        uint64_t hash = cn_hash_bytes(cn_get(world, entities[i], Position), sizeof(Position),
                                      entities[i].id * 0x9e3779b97f4a7c15u);
        unsigned __int128 term = hash % prime;
        for (uint32_t k = 0; k < 3; k++) {
            expected.sums[k] = (uint64_t)((expected.sums[k] + term) % prime);
            term = term * (cn_entity_index(entities[i]) + 1) % prime;
        }
    }
    CnFingerprint found = fingerprint_of(world, "Position");
    assert_true(cn_fingerprint_equal(&found, &expected));
}

/* ---- Which entity ---- */

static void equal_fingerprints_locate_nothing(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Mass, {1}));
    CnFingerprint one = fingerprint_of(world, "Mass");
    assert_false(is_located(&one, &one));
}

static void any_single_bit_is_located(void **state)
{
    (void)state;
    CnEntity entities[200];
    fill(world, entities, 200);
    CnFingerprint before = fingerprint_of(world, "Position");
    for (uint32_t i = 0; i < 200; i++)
        for (uint32_t bit = i % 5; bit < 96; bit += 5) {
            uint8_t *bytes = (uint8_t *)cn_get_mut(world, entities[i], Position);
            bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ (1u << bit % 8));
            CnFingerprint after = fingerprint_of(world, "Position");
            assert_located(&before, &after, cn_entity_index(entities[i]));
            bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ (1u << bit % 8));
        }
}

static void any_single_missing_entity_is_located(void **state)
{
    (void)state;
    CnEntity entities[200];
    fill(world, entities, 200);
    CnFingerprint position = fingerprint_of(world, "Position");
    CnFingerprint frozen = fingerprint_of(world, "Frozen");
    for (uint32_t i = 0; i < 200; i++) {
        Position value = *cn_get(world, entities[i], Position);
        bool was_frozen = cn_has(world, entities[i], Frozen);
        cn_remove(world, entities[i], Position);
        cn_remove(world, entities[i], Frozen);
        CnFingerprint without = fingerprint_of(world, "Position");
        assert_located(&position, &without, cn_entity_index(entities[i]));
        without = fingerprint_of(world, "Frozen");
        if (was_frozen)
            assert_located(&frozen, &without, cn_entity_index(entities[i]));
        cn_set_component(world, entities[i], cn_id(world, Position), &value);
        if (was_frozen)
            cn_add(world, entities[i], Frozen);
        CnFingerprint again = fingerprint_of(world, "Position");
        assert_true(cn_fingerprint_equal(&position, &again));
    }
}

static void another_generation_is_located(void **state)
{
    (void)state;
    CnEntity a[10], b[10];
    fill(world, a, 10);
    fill(other, b, 10);
    cn_destroy(other, b[4]);
    CnEntity again = cn_spawn(other, cn_with(Position, {4, 2, 3}));
    assert_int_equal(cn_entity_index(again), cn_entity_index(a[4]));
    CnFingerprint one = fingerprint_of(world, "Position"), two = fingerprint_of(other, "Position");
    assert_located(&one, &two, cn_entity_index(a[4]));
}

static void the_null_component_tells_which_entity_is_missing(void **state)
{
    (void)state;
    CnEntity entities[20];
    for (uint32_t i = 0; i < 20; i++) {
        cn_entity_create(world);
        entities[i] = cn_entity_create(other);
    }
    cn_destroy(other, entities[13]);
    CnFingerprint one = fingerprint_of(world, "none"), two = fingerprint_of(other, "none");
    assert_int_equal(one.count, 20);
    assert_located(&one, &two, cn_entity_index(entities[13]));
}

static void two_or_more_that_differ_are_not_taken_for_one(void **state)
{
    (void)state;
    TestRandom random = {1};
    CnEntity entities[300];
    fill(world, entities, 300);
    CnFingerprint before = fingerprint_of(world, "Position");
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t first = test_random_below(&random, 100), many = 2 + round % 3;
        for (uint32_t i = 0; i < many; i++)
            cn_get_mut(world, entities[first + i * 100 % 299], Position)->y += 1;
        CnFingerprint after = fingerprint_of(world, "Position");
        assert_false(is_located(&before, &after));
        for (uint32_t i = 0; i < many; i++)
            cn_get_mut(world, entities[first + i * 100 % 299], Position)->y -= 1;
    }
}

static void one_gone_and_another_new_are_not_taken_for_one(void **state)
{
    (void)state;
    CnEntity a[10], b[10];
    fill(world, a, 10);
    fill(other, b, 10);
    cn_remove(other, b[2], Position);
    CnFingerprint one = fingerprint_of(world, "Position");
    cn_set(other, cn_entity_create(other), Position, {1, 1, 1});
    CnFingerprint two = fingerprint_of(other, "Position");
    assert_int_equal(one.count, two.count);
    assert_false(is_located(&one, &two));
}

static void a_kind_has_the_pairs_of_its_entities(void **state)
{
    (void)state;
    CnEntity entities[10];
    fill(world, entities, 10);
    CnComponent kind = cn_id(world, RichLikes);
    for (uint32_t i = 0; i < 8; i++)
        cn_set_component(world, entities[i], cn_pair(world, kind, entities[i + 1]),
                         &(RichLikes){0.5f});
    CnFingerprint before = fingerprint_of(world, "RichLikes");
    uint64_t hash = cn_world_hash_component(world, kind);
    assert_int_equal(before.count, 8);
    cn_set_component(world, entities[5], cn_pair(world, kind, entities[2]), &(RichLikes){0.5f});
    cn_set_component(world, entities[5], cn_pair(world, kind, entities[3]), &(RichLikes){0.5f});
    CnFingerprint after = fingerprint_of(world, "RichLikes");
    assert_located(&before, &after, cn_entity_index(entities[5]));
    assert_int_not_equal(cn_world_hash_component(world, kind), hash);
}

static void the_target_of_a_pair_matters(void **state)
{
    (void)state;
    CnEntity a[4], b[4];
    fill(world, a, 4);
    fill(other, b, 4);
    cn_add_component(world, a[0], cn_pair(world, cn_id(world, RichKnows), a[1]));
    cn_add_component(other, b[0], cn_pair(other, cn_id(other, RichKnows), b[2]));
    CnFingerprint one = fingerprint_of(world, "RichKnows");
    CnFingerprint two = fingerprint_of(other, "RichKnows");
    assert_located(&one, &two, cn_entity_index(a[0]));
}

static void damaged_sums_are_no_trouble(void **state)
{
    (void)state;
    TestRandom random = {2};
    for (uint32_t i = 0; i < 10000; i++) {
        CnFingerprint one = {1, {0}, 0}, two = {1, {0}, 0};
        for (uint32_t k = 0; k < 3; k++) {
            one.sums[k] = test_random(&random);
            two.sums[k] = i % 2 ? test_random(&random) : UINT64_MAX;
        }
        assert_false(is_located(&one, &two));
    }
}

static void an_entity_is_found_by_its_index(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world);
    assert_int_equal(cn_entity_at(world, cn_entity_index(a)).id, a.id);
    cn_destroy(world, a);
    assert_int_equal(cn_entity_at(world, cn_entity_index(a)).id, 0);
    assert_int_equal(cn_entity_at(world, 5000000).id, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(an_empty_component_has_zeros),
        TWO_WORLDS_TEST(what_is_not_saved_has_zeros),
        TWO_WORLDS_TEST(the_order_of_rows_does_not_matter),
        TWO_WORLDS_TEST(layout_and_archetypes_do_not_matter),
        TWO_WORLDS_TEST(padding_and_what_follows_a_text_do_not_matter),
        TWO_WORLDS_TEST(a_resource_counts_apart_from_entities),
        TWO_WORLDS_TEST(the_same_values_on_other_entities_differ),
        TWO_WORLDS_TEST(the_sums_are_those_of_the_definition),
        TWO_WORLDS_TEST(equal_fingerprints_locate_nothing),
        TWO_WORLDS_TEST(any_single_bit_is_located),
        TWO_WORLDS_TEST(any_single_missing_entity_is_located),
        TWO_WORLDS_TEST(another_generation_is_located),
        TWO_WORLDS_TEST(the_null_component_tells_which_entity_is_missing),
        TWO_WORLDS_TEST(two_or_more_that_differ_are_not_taken_for_one),
        TWO_WORLDS_TEST(one_gone_and_another_new_are_not_taken_for_one),
        TWO_WORLDS_TEST(a_kind_has_the_pairs_of_its_entities),
        TWO_WORLDS_TEST(the_target_of_a_pair_matters),
        TWO_WORLDS_TEST(damaged_sums_are_no_trouble),
        TWO_WORLDS_TEST(an_entity_is_found_by_its_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
