/* Data written by hand: what is well-formed but cannot be is refused, what can be is loaded. */
#include "snapshot_fixture.h"

static uint8_t bytes[1 << 20];
static size_t size;

static void put_u8(uint8_t value)
{
    bytes[size++] = value;
}

static void put_u32(uint32_t value)
{
    memcpy(bytes + size, &value, sizeof value);
    size += sizeof value;
}

static void put_u64(uint64_t value)
{
    memcpy(bytes + size, &value, sizeof value);
    size += sizeof value;
}

static void put_name(const char *name)
{
    put_u8((uint8_t)strlen(name));
    memcpy(bytes + size, name, strlen(name));
    size += strlen(name);
}

static void begin(void)
{
    memcpy(bytes, "CNWORLD\n", 8);
    size = 8;
    put_u32(3); /* version */
}

/* One page with entities 0:1, 1:1, ... and the rest fresh. */
static void put_slots(uint32_t alive)
{
    put_u32(1);
    put_u32(alive ? 1 : 0);
    put_u32(0);
    put_u32(alive);
    put_u32(alive ? 4096 : 0);
    for (uint32_t i = 0; i < alive; i++)
        put_u32(1);
    put_u32(0);
}

static void put_ranks(uint32_t most, uint32_t count, const uint32_t *ranks)
{
    put_u32(most);
    put_u32(count);
    for (uint32_t i = 0; i < count; i++)
        put_u32(ranks[i]);
}

static void put_tag(const char *name)
{
    put_name(name);
    put_u8(0);
}

static void put_pair(uint32_t kind, CnEntity target)
{
    put_u32(kind);
    put_u64(target.id);
}

/* Components and rows; entities from `first` on. Nothing has fields. */
static void put_archetype(uint32_t count, const uint32_t *components, uint32_t rows, uint32_t first)
{
    put_u32(count);
    for (uint32_t i = 0; i < count; i++)
        put_u32(components[i]);
    put_u32(rows);
    for (uint32_t i = 0; i < rows; i++)
        put_u64(cn_entity_make(first + i, 1).id);
}

#define IDS(...)                                                                                   \
    (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), (uint32_t[])                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static CnSnapshot end(void)
{
    size += 8;
    CnSnapshot snapshot = {.bytes = bytes, .size = size};
    reseal(&snapshot);
    return snapshot;
}

static void refuse(CnErrorCode code, const char *text)
{
    CnSnapshot snapshot = end();
    assert_refused(other, &snapshot, code, text);
}

static void accept(void)
{
    CnSnapshot snapshot = end();
    load(other, &snapshot);
}

/* ---- Tests ---- */

static void a_world_written_by_hand_is_loaded(void **state)
{
    (void)state;
    begin();
    put_slots(3);
    put_ranks(0, 0, NULL);
    put_u32(2); /* components */
    put_u32(1); /* pairs */
    put_tag("Alpha");
    put_tag("Beta");
    put_pair(1, cn_entity_make(2, 1));
    put_u32(2); /* archetypes */
    put_archetype(0, NULL, 1, 2);
    put_archetype(IDS(0, 2), 2, 0);
    put_u32(1); /* resources */
    put_u32(0);
    accept();
    assert_int_equal(cn_entity_count(other), 3);
    assert_entity_equal(
        cn_pair_target(other, cn_entity_make(1, 1), cn_component_find(other, "Beta"), 0),
        cn_entity_make(2, 1));
    assert_non_null(cn_resource_get(other, cn_component_find(other, "Alpha")));
}

/* The order of pairs in the data makes no difference. */
static void pairs_are_listed_by_target_whatever_the_data_says(void **state)
{
    (void)state;
    begin();
    put_slots(2);
    put_ranks(0, 0, NULL);
    put_u32(1);
    put_u32(2);
    put_tag("Alpha");
    put_pair(0, cn_entity_make(1, 1));
    put_pair(0, cn_entity_make(0, 1));
    put_u32(2);
    put_archetype(0, NULL, 0, 0);
    put_archetype(IDS(1, 2), 2, 0);
    put_u32(0);
    accept();
    CnComponent alpha = cn_component_find(other, "Alpha");
    for (uint32_t n = 0; n < 2; n++)
        assert_entity_equal(cn_pair_target(other, cn_entity_make(0, 1), alpha, n),
                            cn_entity_make(n, 1));
    assert_world_sound(other);
}

static void the_last_page_cannot_be_absent(void **state)
{
    (void)state;
    begin();
    put_u32(1);
    put_u32(2);
    put_u32(1);
    put_u32(1);
    put_u32(0);
    put_u32(0);
    memset(bytes + size, 0, 4096 * 4 + 100);
    size += 4096 * 4 + 100;
    refuse(CN_ERROR_FORMAT, "page 1 cannot be absent");
}

static void a_page_cannot_be_absent_twice(void **state)
{
    (void)state;
    begin();
    put_u32(1);
    put_u32(3);
    put_u32(2);
    put_u32(0);
    put_u32(0);
    memset(bytes + size, 0, 4096 * 4 + 100);
    size += 4096 * 4 + 100;
    refuse(CN_ERROR_FORMAT, "page 0 cannot be absent");
}

static void all_pages_cannot_be_absent(void **state)
{
    (void)state;
    begin();
    put_u32(1);
    put_u32(1);
    put_u32(1);
    put_u32(0);
    refuse(CN_ERROR_FORMAT, "1 pages, 1 of them absent");
}

static void ranks_are_unique(void **state)
{
    (void)state;
    begin();
    put_slots(0);
    put_ranks(2, IDS(1, 0, 1));
    refuse(CN_ERROR_FORMAT, "ranks");
}

static void ranks_are_bounded(void **state)
{
    (void)state;
    begin();
    put_slots(0);
    put_ranks(2, IDS(1, 3));
    refuse(CN_ERROR_FORMAT, "ranks");
    begin();
    put_slots(0);
    put_ranks(UINT32_MAX, IDS(UINT32_MAX));
    refuse(CN_ERROR_FORMAT, "ranks");
}

static void the_kind_of_a_pair_is_in_the_table(void **state)
{
    (void)state;
    begin();
    put_slots(1);
    put_ranks(0, 0, NULL);
    put_u32(1);
    put_u32(1);
    put_tag("Alpha");
    put_pair(1, cn_entity_make(0, 1));
    refuse(CN_ERROR_FORMAT, "kind is component 1 of 1");
}

static void a_pair_is_not_there_twice(void **state)
{
    (void)state;
    begin();
    put_slots(1);
    put_ranks(0, 0, NULL);
    put_u32(1);
    put_u32(2);
    put_tag("Alpha");
    put_pair(0, cn_entity_make(0, 1));
    put_pair(0, cn_entity_make(0, 1));
    refuse(CN_ERROR_FORMAT, "twice");
}

/* One entity and two tags. */
static void begin_archetypes(uint32_t count)
{
    begin();
    put_slots(1);
    put_ranks(0, 0, NULL);
    put_u32(2);
    put_u32(0);
    put_tag("Alpha");
    put_tag("Beta");
    put_u32(count);
}

static void an_archetype_is_not_there_twice(void **state)
{
    (void)state;
    begin_archetypes(3);
    put_archetype(0, NULL, 0, 0);
    put_archetype(IDS(1), 1, 0);
    put_archetype(IDS(1), 0, 0);
    put_u32(0);
    refuse(CN_ERROR_FORMAT, "an archetype occurs twice");
}

static void components_of_an_archetype_rise(void **state)
{
    (void)state;
    begin_archetypes(2);
    put_archetype(0, NULL, 0, 0);
    put_archetype(IDS(1, 0), 1, 0);
    put_u32(0);
    refuse(CN_ERROR_FORMAT, "component 0 of 2 is not expected here");
}

static void components_of_an_archetype_are_in_the_table(void **state)
{
    (void)state;
    begin_archetypes(2);
    put_archetype(0, NULL, 0, 0);
    put_archetype(IDS(0, 2), 1, 0);
    put_u32(0);
    refuse(CN_ERROR_FORMAT, "component 2 of 2 is not expected here");
}

static void the_archetype_without_components_is_the_first(void **state)
{
    (void)state;
    begin_archetypes(2);
    put_archetype(IDS(0), 1, 0);
    put_archetype(0, NULL, 0, 0);
    put_u32(0);
    refuse(CN_ERROR_FORMAT, "is not the first");
}

static void every_living_entity_has_a_row(void **state)
{
    (void)state;
    begin_archetypes(1);
    put_archetype(0, NULL, 0, 0);
    put_u32(0);
    refuse(CN_ERROR_FORMAT, "1 entities are alive, 0 have a row");
}

static void a_resource_is_not_there_twice(void **state)
{
    (void)state;
    begin_archetypes(1);
    put_archetype(0, NULL, 1, 0);
    put_u32(2);
    put_u32(1);
    put_u32(1);
    refuse(CN_ERROR_FORMAT, "component 1 of 2 is not expected as a resource");
}

static void a_resource_is_in_the_table(void **state)
{
    (void)state;
    begin_archetypes(1);
    put_archetype(0, NULL, 1, 0);
    put_u32(1);
    put_u32(2);
    refuse(CN_ERROR_FORMAT, "component 2 of 2 is not expected as a resource");
}

static void more_fields_than_a_component_can_have_are_refused(void **state)
{
    (void)state;
    begin();
    put_slots(0);
    put_ranks(0, 0, NULL);
    put_u32(1);
    put_u32(0);
    put_name("Alpha");
    put_u8(CN_MAX_FIELDS + 1);
    refuse(CN_ERROR_LIMIT, "Alpha has 241 fields");
}

static void more_components_than_a_world_can_have_are_refused(void **state)
{
    (void)state;
    begin();
    put_slots(0);
    put_ranks(0, 0, NULL);
    put_u32(65537);
    put_u32(0);
    memset(bytes + size, 1, 7 * 65537);
    size += 7 * 65537;
    refuse(CN_ERROR_LIMIT, "65537 components and 0 pairs");
}

static void more_components_than_are_left_are_refused(void **state)
{
    (void)state;
    char name[16];
    for (uint32_t i = 0; i < 65530; i++) {
        cn_format(name, sizeof name, "tag%u", i);
        CnType type = {.name = name, .alignment = 1};
        assert_true(cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL).id != 0);
    }
    begin();
    put_slots(0);
    put_ranks(0, 0, NULL);
    put_u32(7);
    put_u32(0);
    for (int i = 0; i < 7; i++) {
        cn_format(name, sizeof name, "new%d", i);
        put_tag(name);
    }
    put_u32(0);
    put_u32(0);
    refuse(CN_ERROR_LIMIT, "needs 7 more components");
}

/* A component of 64 KiB that the program has makes rows that hardly cost the data anything. */
static void rows_that_are_too_large_are_refused(void **state)
{
    (void)state;
    enum { COUNT = 65 };
    char name[16];
    CnField field = {"bytes", CN_FIELD_U8, 65536, 0, 65536};
    for (int i = 0; i < COUNT; i++) {
        cn_format(name, sizeof name, "large%d", i);
        CnType type = {name, 65536, 1, &field, 1, NULL};
        assert_true(cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL).id != 0);
    }
    begin();
    put_slots(1);
    put_ranks(0, 0, NULL);
    put_u32(COUNT);
    put_u32(0);
    uint32_t all[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        cn_format(name, sizeof name, "large%u", i);
        put_tag(name);
        all[i] = i;
    }
    put_u32(2);
    put_archetype(0, NULL, 0, 0);
    put_archetype(COUNT, all, 1, 0);
    put_u32(0);
    refuse(CN_ERROR_LIMIT, "an entity has 4259848 bytes");
}

static void a_tree_that_the_program_describes_otherwise_is_refused(void **state)
{
    (void)state;
    cn_set_parent(world, cn_entity_create(world), cn_entity_create(world));
    CnField field = {"parent", CN_FIELD_ENTITY, 1, 0, 8};
    CnType type = {"CnNode", 8, 8, &field, 1, NULL};
    assert_true(cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL).id != 0);
    CnSnapshot snapshot = save(world);
    assert_refused(other, &snapshot, CN_ERROR_MISMATCH, "CnNode");
    cn_snapshot_free(&snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(a_world_written_by_hand_is_loaded),
        TWO_WORLDS_TEST(pairs_are_listed_by_target_whatever_the_data_says),
        TWO_WORLDS_TEST(the_last_page_cannot_be_absent),
        TWO_WORLDS_TEST(a_page_cannot_be_absent_twice),
        TWO_WORLDS_TEST(all_pages_cannot_be_absent),
        TWO_WORLDS_TEST(ranks_are_unique),
        TWO_WORLDS_TEST(ranks_are_bounded),
        TWO_WORLDS_TEST(the_kind_of_a_pair_is_in_the_table),
        TWO_WORLDS_TEST(a_pair_is_not_there_twice),
        TWO_WORLDS_TEST(an_archetype_is_not_there_twice),
        TWO_WORLDS_TEST(components_of_an_archetype_rise),
        TWO_WORLDS_TEST(components_of_an_archetype_are_in_the_table),
        TWO_WORLDS_TEST(the_archetype_without_components_is_the_first),
        TWO_WORLDS_TEST(every_living_entity_has_a_row),
        TWO_WORLDS_TEST(a_resource_is_not_there_twice),
        TWO_WORLDS_TEST(a_resource_is_in_the_table),
        TWO_WORLDS_TEST(more_fields_than_a_component_can_have_are_refused),
        TWO_WORLDS_TEST(more_components_than_a_world_can_have_are_refused),
        TWO_WORLDS_TEST(more_components_than_are_left_are_refused),
        TWO_WORLDS_TEST(rows_that_are_too_large_are_refused),
        TWO_WORLDS_TEST(a_tree_that_the_program_describes_otherwise_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
