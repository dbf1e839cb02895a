/* The state of a world as JSON, and back. */
#include "cmocka_tests.h"
#include "rich_world.h"
#include "scene_world.h"

#include <cairn/scene/world_json.h>

#include <string.h>

static CnWorld *world, *other;
static CnTextBuilder text;
static CnError error;

static int make_worlds(void **state)
{
    (void)state;
    cn_array_init(&text, NULL);
    error = (CnError){0};
    world = cn_world_create(NULL, NULL);
    other = cn_world_create(NULL, NULL);
    return world && other ? 0 : -1;
}

static int drop_worlds(void **state)
{
    (void)state;
    cn_world_destroy(world);
    cn_world_destroy(other);
    cn_array_fini(&text);
    return 0;
}

#define JSON_TEST(name) cmocka_unit_test_setup_teardown(name, make_worlds, drop_worlds)

static void fail_with_error(void)
{
    char buffer[512];
    fail_msg("%s", cn_error_text(&error, buffer, sizeof buffer));
}

static void write_world(void)
{
    cn_array_clear(&text);
    if (!cn_world_to_json(world, &text, &error))
        fail_with_error();
}

static void read_other(void)
{
    if (!cn_world_from_json(other, "world.json", (CnText){text.items, text.count}, &error))
        fail_with_error();
}

static void check_round_trip(void)
{
    write_world();
    read_other();
    assert_true(cn_world_hash(other) == cn_world_hash(world));
}

/* ---- There and back ---- */

static void an_empty_world_comes_back(void **state)
{
    (void)state;
    check_round_trip();
}

static void a_world_with_everything_comes_back(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    assert_true(rich_world_register(other));
    check_round_trip();
}

static void a_world_that_knows_no_component_registers_them(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    check_round_trip();
}

static void what_was_read_is_written_as_the_same_text(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    assert_true(rich_world_register(other) && rich_world_fill(other));
    check_round_trip();
    CnTextBuilder again;
    cn_array_init(&again, NULL);
    assert_true(cn_world_to_json(other, &again, &error));
    assert_int_equal(again.count, text.count);
    assert_memory_equal(again.items, text.items, text.count);
    cn_array_fini(&again);
}

static void a_world_that_was_read_continues_alike(void **state)
{
    (void)state;
    assert_true(rich_world_register(world) && rich_world_fill(world));
    assert_true(rich_world_register(other));
    check_round_trip();
    CnWorld *both[] = {world, other};
    for (int i = 0; i < 2; i++) {
        for (int n = 0; n < 100; n++) {
            CnEntity e = cn_spawn(both[i], cn_with(RichPosition, {(float)n, 0, 0}));
            if (n % 3 == 0)
                cn_destroy(both[i], e);
            else if (n % 5 == 0)
                cn_add(both[i], e, RichFrozen);
        }
    }
    assert_true(cn_world_hash(other) == cn_world_hash(world));
}

static void numbers_that_json_does_not_have_come_back(void **state)
{
    (void)state;
    uint32_t bits = 0x7fc01234;
    float odd;
    memcpy(&odd, &bits, sizeof odd);
    RichAll all = {
        .a = odd, .b = -__builtin_inf(), .f = INT64_MIN, .j = UINT64_MAX, .m = {-0.0f, 1}};
    cn_spawn(world, (CnValue){.type = &cn_type_RichAll, .data = &all});
    check_round_trip();
}

static void structs_in_components_come_back(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(SceneNested, {{1, 2}, {{3, {4, 5}}, {6, {7, 8}}, {9, {10, 11}}}, 12}));
    check_round_trip();
    assert_non_null(strstr(text.items,
                           "\"SceneNested\": {\"spread\": {\"lo\": 1, \"hi\": 2}, "
                           "\"slots\": [{\"item\": 3, \"wear\": {\"lo\": 4, \"hi\": 5}}"));
}

/* ---- What it looks like ---- */

static void an_entity_has_its_id_and_its_components_by_name(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(RichPosition, {1, 2.5f, -3}), cn_with_tag(RichFrozen));
    write_world();
    assert_non_null(strstr(text.items,
                           "        {\n"
                           "          \"id\": \"0:1\",\n"
                           "          \"RichFrozen\": {},\n"
                           "          \"RichPosition\": {\"x\": 1, \"y\": 2.5, \"z\": -3}\n"
                           "        }\n"));
}

static void a_field_that_is_changed_in_the_text_is_changed_in_the_world(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(RichPosition, {1, 2.5f, -3}));
    write_world();
    char *at = strstr(text.items, "\"y\": 2.5");
    memcpy(at, "\"y\": 7.5", 8);
    read_other();
    assert_true(cn_get(other, entity, RichPosition)->y == 7.5f);
}

/* ---- Errors ---- */

static void assert_refused(const char *expected)
{
    char buffer[512];
    uint64_t hash = cn_world_hash(other);
    uint32_t limit = cn_component_limit(other);
    cn_error_clear(&error);
    assert_false(cn_world_from_json(other, "world.json", (CnText){text.items, text.count}, &error));
    assert_true(cn_world_hash(other) == hash);
    assert_int_equal(cn_component_limit(other), limit);
    if (!strstr(cn_error_text(&error, buffer, sizeof buffer), expected))
        fail_msg("%s", buffer);
}

/* Replaces a part of the text and reads it. */
static void assert_edit_refused(const char *part, const char *by, const char *expected)
{
    write_world();
    const char *at = strstr(text.items, part);
    assert_non_null(at);
    CnTextBuilder edited;
    cn_array_init(&edited, NULL);
    size_t before = (size_t)(at - text.items);
    cn_text_append(&edited, (CnText){text.items, before});
    cn_text_append(&edited, cn_text(by));
    cn_text_append(&edited, (CnText){at + strlen(part), text.count - before - strlen(part)});
    CnTextBuilder kept = text;
    text = edited;
    assert_refused(expected);
    cn_array_fini(&edited);
    text = kept;
}

static void mistakes_are_refused_with_line_and_column(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(RichPosition, {1, 2.5f, -3}));
    cn_spawn(other, cn_with(RichPosition, {4, 5, 6}));
    assert_edit_refused("\"x\": 1,", "\"xx\": 1,", "RichPosition has no field \"xx\"");
    assert_edit_refused("\"x\": 1,", "\"x\": true,", "world.json:");
    assert_edit_refused("\"x\": 1,", "\"x\": true,", ": x is of type f32, which cannot hold this");
    assert_edit_refused("\"0:1\"", "\"zero\"", "an entity must be \"index:generation\" or null");
    assert_edit_refused("\"RichPosition\": {", "\"RichPlace\": {", "archetype does not have");
    assert_edit_refused("\"type\": \"f32\"", "\"type\": \"float\"",
                        "no field type named \"float\"");
    assert_edit_refused("\"version\": 2", "\"version\": 1",
                        "world.json:3:14: version 1; this build reads");
    assert_edit_refused("\"version\": 2,", "\"version\": 2;", "world.json:3:");
    assert_edit_refused("\"resources\"", "\"resource\"", "\"resources\" is missing here");
    assert_edit_refused("\"0:1\"", "\"7:1\"", "7:1");
}

static void texts_that_are_no_world_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "[]", "{}", "null", "{\"format\": \"cairn world\"}", "{\"format\": 1}", "{"};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        cn_array_clear(&text);
        cn_text_append(&text, cn_text(bad[i]));
        assert_refused("world.json");
    }
}

/* Every prefix of a text, and every byte that is another one, is read or refused, never more. */
static void damaged_texts_are_read_or_refused(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(RichPosition, {1, 2.5f, -3}), cn_with_tag(RichFrozen));
    cn_set_component(world, cn_entity_create(world),
                     cn_pair(world, cn_id(world, RichLikes), cn_entity_create(world)),
                     &(RichLikes){1});
    cn_resource_set(world, RichClock, {5});
    write_world();
    for (uint32_t i = 0; i < text.count; i++) {
        static const char other_bytes[] = "0\"}{][,x9";
        char kept = text.items[i];
        text.items[i] = other_bytes[i % (sizeof other_bytes - 1)];
        CnError wrong = {0};
        cn_world_from_json(other, "world.json", (CnText){text.items, text.count}, &wrong);
        text.items[i] = kept;
        assert_false(cn_world_from_json(other, "world.json", (CnText){text.items, i}, &wrong) &&
                     i + 1 < text.count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        JSON_TEST(an_empty_world_comes_back),
        JSON_TEST(a_world_with_everything_comes_back),
        JSON_TEST(a_world_that_knows_no_component_registers_them),
        JSON_TEST(what_was_read_is_written_as_the_same_text),
        JSON_TEST(a_world_that_was_read_continues_alike),
        JSON_TEST(numbers_that_json_does_not_have_come_back),
        JSON_TEST(structs_in_components_come_back),
        JSON_TEST(an_entity_has_its_id_and_its_components_by_name),
        JSON_TEST(a_field_that_is_changed_in_the_text_is_changed_in_the_world),
        JSON_TEST(mistakes_are_refused_with_line_and_column),
        JSON_TEST(texts_that_are_no_world_are_refused),
        JSON_TEST(damaged_texts_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
