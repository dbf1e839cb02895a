/* Bad data is refused: nothing changes, and the error says what is wrong. */
#include "snapshot_fixture.h"

static CnSnapshot snapshot;

static void refuse(CnErrorCode code, const char *text)
{
    assert_refused(other, &snapshot, code, text);
    cn_snapshot_free(&snapshot);
}

static void put_u32(size_t at, uint32_t value)
{
    assert_true(at + 4 <= snapshot.size - 8);
    memcpy(snapshot.bytes + at, &value, sizeof value);
    reseal(&snapshot);
}

/* Places in a snapshot of one page without holes: `used` slots are not fresh. */
enum {
    AT_VERSION = 8,
    AT_FIRST_GENERATION = 12,
    AT_PAGES = 16,
    AT_HOLES = 20,
    AT_FRESH_NEXT = 24,
    AT_FRESH_END = 28,
    AT_GENERATIONS = 32
};

static size_t at_free_count(uint32_t used)
{
    return AT_GENERATIONS + used * 4u;
}

static size_t at_components(uint32_t used, uint32_t free_count)
{
    return at_free_count(used) + 4 + free_count * 4u + 4 + 4 + 4 /* one buffer */;
}

/* Five entities, of which the third is dead; two more in `other`, which must stay. */
static CnEntity five[5];

static void save_five(void)
{
    for (int i = 0; i < 5; i++)
        five[i] = cn_spawn(world, cn_with(Position, {(float)i, 0, 0}));
    cn_destroy(world, five[2]);
    cn_spawn(other, cn_with(Velocity, {1, 2, 3}));
    cn_resource_set(other, RichClock, {1});
    snapshot = save(world);
}

/* The entity of a row of the four. */
static void put_entity(uint32_t row, CnEntity entity)
{
    size_t end = snapshot.size - 8 - 4; /* no resources */
    memcpy(snapshot.bytes + end - 4 * (sizeof entity + sizeof(Position)) + row * sizeof entity,
           &entity, sizeof entity);
    reseal(&snapshot);
}

/* ---- The frame ---- */

static void no_data_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(cn_world_load(other, NULL, 0, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_false(cn_world_load(other, "", 0, NULL));
}

static void other_files_are_refused(void **state)
{
    (void)state;
    save_five();
    snapshot.bytes[0] ^= 1;
    refuse(CN_ERROR_FORMAT, "not a snapshot");
}

static void another_version_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_VERSION, 2);
    refuse(CN_ERROR_VERSION, "version 2; this build reads version 3");
}

static void data_cut_anywhere_is_refused(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    CnSnapshot whole = save(world);
    cn_entity_create(other);
    for (size_t size = 0; size < whole.size; size += size < 2000 ? 1 : 97) {
        /* In a block of its own, so that reading past the end is noticed. */
        uint8_t *part = cn_alloc(NULL, size + 1);
        memcpy(part, whole.bytes, size);
        if (size >= 8) { /* also with a checksum that fits */
            uint64_t checksum = cn_hash_bytes(part, size - 8, 0);
            assert_false(cn_world_load(other, part, size, NULL));
            memcpy(part + size - 8, &checksum, sizeof checksum);
        }
        assert_false(cn_world_load(other, part, size, NULL));
        cn_free(NULL, part, size + 1);
    }
    assert_int_equal(cn_entity_count(other), 1);
    assert_int_equal(cn_component_limit(other), 0);
    cn_snapshot_free(&whole);
}

static void a_changed_byte_is_noticed_anywhere(void **state)
{
    (void)state;
    save_five();
    for (size_t i = 12; i < snapshot.size; i++) {
        snapshot.bytes[i] ^= 0x40;
        CnError error = {0};
        assert_false(cn_world_load(other, snapshot.bytes, snapshot.size, &error));
        assert_non_null(strstr(error.message, "checksum"));
        snapshot.bytes[i] ^= 0x40;
    }
    cn_snapshot_free(&snapshot);
}

static void bytes_that_follow_are_refused(void **state)
{
    (void)state;
    save_five();
    CnSnapshot longer = {.allocator = snapshot.allocator, .size = snapshot.size + 4};
    longer.capacity = longer.size;
    longer.bytes = cn_alloc_zeroed(longer.allocator, longer.size);
    memcpy(longer.bytes, snapshot.bytes, snapshot.size - 8);
    cn_snapshot_free(&snapshot);
    snapshot = longer;
    reseal(&snapshot);
    refuse(CN_ERROR_FORMAT, "4 bytes follow the end of the data");
}

/* ---- Slots ---- */

static void an_even_first_generation_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_FIRST_GENERATION, 2);
    refuse(CN_ERROR_FORMAT, "byte 12: the first generation");
}

static void too_many_pages_are_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_PAGES, 1u << 20);
    refuse(CN_ERROR_FORMAT, "byte 16: 1048576 pages");
}

static void too_many_absent_pages_are_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_HOLES, UINT32_MAX);
    refuse(CN_ERROR_FORMAT, "too short for 4294967295 absent pages");
}

static void a_fresh_range_that_is_no_rest_of_a_page_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_FRESH_END, 4095);
    refuse(CN_ERROR_FORMAT, "slots 5 to 4095");
}

static void a_fresh_range_beyond_the_pages_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_FRESH_NEXT, 4096 + 5);
    put_u32(AT_FRESH_END, 8192);
    refuse(CN_ERROR_FORMAT, "slots 4101 to 8192");
}

static void a_free_slot_that_is_alive_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(at_free_count(5) + 4, 1);
    refuse(CN_ERROR_FORMAT, "slot 1 cannot be free");
}

static void a_free_slot_that_is_fresh_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(at_free_count(5) + 4, 6);
    refuse(CN_ERROR_FORMAT, "slot 6 cannot be free");
}

static void a_free_slot_without_a_page_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(at_free_count(5) + 4, 5000);
    refuse(CN_ERROR_FORMAT, "slot 5000 cannot be free");
}

static void a_slot_that_is_free_twice_is_refused(void **state)
{
    (void)state;
    CnEntity e[3];
    cn_spawn_many(world, 3, e, cn_with_tag(Enemy));
    cn_destroy_many(world, e, 2);
    snapshot = save(world);
    put_u32(at_free_count(3) + 8, 1);
    refuse(CN_ERROR_FORMAT, "slot 1 cannot be free");
}

static void a_slot_that_is_neither_alive_nor_free_is_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(AT_GENERATIONS + 4, 4);
    refuse(CN_ERROR_FORMAT, "slot 1 is neither alive nor free");
}

static void a_living_slot_without_a_row_is_refused(void **state)
{
    (void)state;
    save_five();
    put_entity(1, cn_entity_make(0, 1));
    refuse(CN_ERROR_FORMAT, "entity 0:1 is not alive, or has a row already");
}

static void a_row_of_a_dead_entity_is_refused(void **state)
{
    (void)state;
    save_five();
    put_entity(1, cn_entity_make(1, 3));
    refuse(CN_ERROR_FORMAT, "entity 1:3 is not alive");
}

/* ---- Components ---- */

static void too_many_components_are_refused(void **state)
{
    (void)state;
    save_five();
    put_u32(at_components(5, 1), 0x10000000);
    refuse(CN_ERROR_FORMAT, "too short for 268435456 components");
}

static void a_name_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    save_five();
    replace(&snapshot, "\010Position", "\010Pos\xc3tion", 9);
    refuse(CN_ERROR_FORMAT, "UTF-8");
}

static void a_name_with_a_terminator_is_refused(void **state)
{
    (void)state;
    save_five();
    replace(&snapshot, "\010Position", "\010Pos\0tion", 9);
    refuse(CN_ERROR_FORMAT, "UTF-8");
}

static void the_name_of_a_tag_that_follows_pairs_is_refused(void **state)
{
    (void)state;
    save_five();
    replace(&snapshot, "\010Position", "\010(Like,*)", 9);
    refuse(CN_ERROR_FORMAT, "(Like,*) names a tag");
}

static void two_fields_of_one_name_are_refused(void **state)
{
    (void)state;
    save_five();
    replace(&snapshot, "\001y", "\001x", 2);
    refuse(CN_ERROR_FORMAT, "two fields x");
}

static void two_components_of_one_name_are_refused(void **state)
{
    (void)state;
    cn_spawn(world, cn_with_tag(RichKnows));
    cn_spawn(world, cn_with(RichLikes, {1}));
    snapshot = save(world);
    replace(&snapshot, "\011RichKnows", "\011RichLikes", 10);
    refuse(CN_ERROR_FORMAT, "component RichLikes occurs twice");
}

static void a_field_of_an_unknown_type_is_refused(void **state)
{
    (void)state;
    save_five();
    replace(&snapshot, "\001y\0", "\001y\x7f", 3);
    refuse(CN_ERROR_FORMAT, "Position.y");
}

static void a_field_that_is_too_large_is_refused(void **state)
{
    (void)state;
    save_five();
    replace(&snapshot, "\001y\0\1\0\0\0", "\001y\0\1\0\1\0", 7);
    refuse(CN_ERROR_FORMAT, "Position.y (type 0, count 65537)");
}

static void a_pair_with_a_dead_target_is_refused(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    cn_add_component(world, a, cn_pair(world, cn_id(world, RichKnows), b));
    snapshot = save(world);
    struct __attribute__((packed)) {
        char end_of_name[5];
        uint8_t fields;
        uint32_t kind;
        uint64_t target;
    } right = {"Knows", 0, 0, b.id}, wrong = {"Knows", 0, 0, cn_entity_make(1, 3).id};
    replace(&snapshot, &right, &wrong, sizeof right);
    refuse(CN_ERROR_FORMAT, "target, 1:3, is not alive");
}

/* ---- The tree ---- */

static CnEntity parent, children[3];

static void save_family(void)
{
    parent = cn_entity_create(world);
    for (int i = 0; i < 3; i++) {
        children[i] = cn_entity_create(world);
        cn_set_parent(world, children[i], parent);
    }
    snapshot = save(world);
}

/* The column of a field of CnNode: rows are parent and children, in the order of first use. */
static size_t at_node(uint32_t field, uint32_t row)
{
    size_t end = snapshot.size - 8 - 4; /* no resources */
    size_t row_bytes = 5 * 8 + 2 * 4;
    size_t begin = end - 4 * row_bytes;
    size_t size = field < 5 ? 8 : 4;
    return begin + (field < 5 ? field * 4 * 8 : 5 * 4 * 8 + (field - 5) * 4 * 4) + row * size;
}

enum { PARENT, FIRST_CHILD, LAST_CHILD, PREVIOUS, NEXT, DEPTH, CHILD_COUNT };

/* The row of an entity. */
static uint32_t row_of(CnEntity entity)
{
    const uint8_t *entities = snapshot.bytes + at_node(PARENT, 0) - 4 * sizeof entity;
    for (uint32_t row = 0; row < 4; row++)
        if (!memcmp(entities + row * sizeof entity, &entity, sizeof entity))
            return row;
    fail();
    return 0;
}

static void relink(CnEntity entity, uint32_t field, CnEntity to)
{
    memcpy(snapshot.bytes + at_node(field, row_of(entity)), &to, sizeof to);
    reseal(&snapshot);
}

static void the_family_is_accepted_as_it_is(void **state)
{
    (void)state;
    save_family();
    load(other, &snapshot);
    cn_snapshot_free(&snapshot);
}

static void a_link_to_an_entity_without_a_node_is_refused(void **state)
{
    (void)state;
    save_family();
    relink(children[1], FIRST_CHILD, cn_entity_make(0, 3));
    refuse(CN_ERROR_FORMAT, "points to an entity without one");
}

static void a_cycle_is_refused(void **state)
{
    (void)state;
    save_family();
    relink(parent, PARENT, children[0]);
    refuse(CN_ERROR_FORMAT, "CnNode");
}

static void a_circle_of_siblings_beside_the_list_is_refused(void **state)
{
    (void)state;
    save_family();
    /* The first one alone is in the list; the others follow each other without end. */
    relink(children[0], NEXT, (CnEntity){0});
    relink(parent, LAST_CHILD, children[0]);
    relink(children[1], PREVIOUS, children[2]);
    relink(children[1], NEXT, children[2]);
    relink(children[2], PREVIOUS, children[1]);
    relink(children[2], NEXT, children[1]);
    refuse(CN_ERROR_FORMAT, "has children that are not in its list");
}

static void a_wrong_depth_is_refused(void **state)
{
    (void)state;
    save_family();
    put_u32(at_node(DEPTH, row_of(children[2])), 2);
    refuse(CN_ERROR_FORMAT, "not one level below");
}

static void a_root_with_a_depth_is_refused(void **state)
{
    (void)state;
    save_family();
    put_u32(at_node(DEPTH, row_of(parent)), UINT32_MAX);
    refuse(CN_ERROR_FORMAT, "CnNode");
}

static void a_wrong_number_of_children_is_refused(void **state)
{
    (void)state;
    save_family();
    put_u32(at_node(CHILD_COUNT, row_of(parent)), 2);
    refuse(CN_ERROR_FORMAT, "does not have the number of children");
}

static void a_link_without_its_counterpart_is_refused(void **state)
{
    (void)state;
    save_family();
    relink(children[1], PREVIOUS, (CnEntity){0});
    refuse(CN_ERROR_FORMAT, "is not linked back");
}

static void a_tree_of_another_shape_is_refused(void **state)
{
    (void)state;
    save_family();
    replace(&snapshot, "\006parent", "\006carent", 7);
    refuse(CN_ERROR_MISMATCH, "CnNode.parent");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(no_data_is_refused),
        TWO_WORLDS_TEST(other_files_are_refused),
        TWO_WORLDS_TEST(another_version_is_refused),
        TWO_WORLDS_TEST(data_cut_anywhere_is_refused),
        TWO_WORLDS_TEST(a_changed_byte_is_noticed_anywhere),
        TWO_WORLDS_TEST(bytes_that_follow_are_refused),
        TWO_WORLDS_TEST(an_even_first_generation_is_refused),
        TWO_WORLDS_TEST(too_many_pages_are_refused),
        TWO_WORLDS_TEST(too_many_absent_pages_are_refused),
        TWO_WORLDS_TEST(a_fresh_range_that_is_no_rest_of_a_page_is_refused),
        TWO_WORLDS_TEST(a_fresh_range_beyond_the_pages_is_refused),
        TWO_WORLDS_TEST(a_free_slot_that_is_alive_is_refused),
        TWO_WORLDS_TEST(a_free_slot_that_is_fresh_is_refused),
        TWO_WORLDS_TEST(a_free_slot_without_a_page_is_refused),
        TWO_WORLDS_TEST(a_slot_that_is_free_twice_is_refused),
        TWO_WORLDS_TEST(a_slot_that_is_neither_alive_nor_free_is_refused),
        TWO_WORLDS_TEST(a_living_slot_without_a_row_is_refused),
        TWO_WORLDS_TEST(a_row_of_a_dead_entity_is_refused),
        TWO_WORLDS_TEST(too_many_components_are_refused),
        TWO_WORLDS_TEST(a_name_that_is_not_utf8_is_refused),
        TWO_WORLDS_TEST(a_name_with_a_terminator_is_refused),
        TWO_WORLDS_TEST(the_name_of_a_tag_that_follows_pairs_is_refused),
        TWO_WORLDS_TEST(two_fields_of_one_name_are_refused),
        TWO_WORLDS_TEST(two_components_of_one_name_are_refused),
        TWO_WORLDS_TEST(a_field_of_an_unknown_type_is_refused),
        TWO_WORLDS_TEST(a_field_that_is_too_large_is_refused),
        TWO_WORLDS_TEST(a_pair_with_a_dead_target_is_refused),
        TWO_WORLDS_TEST(the_family_is_accepted_as_it_is),
        TWO_WORLDS_TEST(a_link_to_an_entity_without_a_node_is_refused),
        TWO_WORLDS_TEST(a_cycle_is_refused),
        TWO_WORLDS_TEST(a_circle_of_siblings_beside_the_list_is_refused),
        TWO_WORLDS_TEST(a_wrong_depth_is_refused),
        TWO_WORLDS_TEST(a_root_with_a_depth_is_refused),
        TWO_WORLDS_TEST(a_wrong_number_of_children_is_refused),
        TWO_WORLDS_TEST(a_link_without_its_counterpart_is_refused),
        TWO_WORLDS_TEST(a_tree_of_another_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
