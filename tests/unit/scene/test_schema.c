/* The JSON schema of scene files, checked by a validator of just what it uses. */
#include "cmocka_tests.h"
#include "scene_world.h"

#include <cairn/scene/presentation.h>

#include <jansson.h>

static CnWorld *world;
static json_t *schema;
static CnTextBuilder text;

static int make_schema(void **state)
{
    (void)state;
    world = scene_world_create(NULL);
    cn_array_init(&text, NULL);
    if (!world || !cn_scene_schema(world, &text, NULL))
        return -1;
    schema = json_loadb(text.items, text.count, JSON_REJECT_DUPLICATES, NULL);
    return schema ? 0 : -1;
}

static int drop_schema(void **state)
{
    (void)state;
    json_decref(schema);
    cn_array_fini(&text);
    cn_world_destroy(world);
    return 0;
}

/* ---- A validator ---- */

static bool is_valid(json_t *rule, json_t *value);

static bool has_type(const char *type, json_t *value)
{
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value));
}

static bool type_fits(json_t *type, json_t *value)
{
    if (!type)
        return true;
    if (json_is_string(type))
        return has_type(json_string_value(type), value);
    for (size_t i = 0; i < json_array_size(type); i++)
        if (has_type(json_string_value(json_array_get(type, i)), value))
            return true;
    return false;
}

static bool members_fit(json_t *rule, json_t *value)
{
    json_t *properties = json_object_get(rule, "properties"), *member, *name;
    const char *key;
    size_t i;
    json_object_foreach(value, key, member)
    {
        json_t *known = json_object_get(properties, key);
        json_t *others = json_object_get(rule, "additionalProperties");
        known = known || !json_is_object(others) ? known : others;
        if (known ? !is_valid(known, member) : json_is_false(others))
            return false;
    }
    json_array_foreach(json_object_get(rule, "required"), i, name)
    {
        if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
            return false;
    }
    return true;
}

static bool items_fit(json_t *rule, json_t *value)
{
    json_t *items = json_object_get(rule, "items"), *least = json_object_get(rule, "minItems"),
           *most = json_object_get(rule, "maxItems"), *item;
    size_t i, count = json_array_size(value);
    json_array_foreach(value, i, item)
    {
        if (items && !is_valid(items, item))
            return false;
    }
    return !json_is_array(value) || ((!least || count >= (size_t)json_integer_value(least)) &&
                                     (!most || count <= (size_t)json_integer_value(most)));
}

static bool number_fits(json_t *rule, json_t *value)
{
    json_t *minimum = json_object_get(rule, "minimum"), *maximum = json_object_get(rule, "maximum");
    double number = json_number_value(value);
    return !json_is_number(value) || ((!minimum || number >= json_number_value(minimum)) &&
                                      (!maximum || number <= json_number_value(maximum)));
}

static uint32_t count_valid(json_t *rules, json_t *value)
{
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rules); i++)
        count += is_valid(json_array_get(rules, i), value);
    return count;
}

static bool is_among(json_t *list, json_t *value)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), value))
            return true;
    return false;
}

static bool is_valid(json_t *rule, json_t *value)
{
    const char *reference = json_string_value(json_object_get(rule, "$ref"));
    if (reference)
        return is_valid(json_object_get(json_object_get(schema, "definitions"),
                                        reference + strlen("#/definitions/")),
                        value);
    json_t *constant = json_object_get(rule, "const"), *list = json_object_get(rule, "enum"),
           *one = json_object_get(rule, "oneOf"), *any = json_object_get(rule, "anyOf"),
           *longest = json_object_get(rule, "maxLength");
    return type_fits(json_object_get(rule, "type"), value) && members_fit(rule, value) &&
           items_fit(rule, value) && number_fits(rule, value) &&
           (!constant || json_equal(constant, value)) && (!list || is_among(list, value)) &&
           (!one || count_valid(one, value) == 1) && (!any || count_valid(any, value) > 0) &&
           (!longest || json_string_length(value) <= (size_t)json_integer_value(longest));
}

static bool accepts(const char *document)
{
    json_t *value = json_loads(document, 0, NULL);
    assert_non_null(value);
    bool valid = is_valid(schema, value);
    json_decref(value);
    return valid;
}

static bool accepts_component(const char *component)
{
    char document[2048];
    cn_format(document, sizeof document, "{\"nodes\": [{\"id\": \"A\", \"components\": [%s]}]}",
              component);
    return accepts(document);
}

/* ---- Tests ---- */

static void scenes_and_prefabs_are_accepted(void **state)
{
    (void)state;
    assert_true(accepts("{\"id\": \"Main\", \"nodes\": [], \"materials\": [{\"id\": \"A\", "
                        "\"baseColor\": [1, 0, 0]}], \"pipelines\": [], "
                        "\"activeCamera\": \"A\"}"));
    assert_true(accepts("{\"id\": \"Box\", \"uid\": 5, \"enabled\": true, \"components\": [], "
                        "\"children\": [{\"prefab\": \"x.json\"}]}"));
    assert_true(accepts("{\"prefab\": \"x.json\", \"overrides\": {\"A/B\": {\"enabled\": false, "
                        "\"components\": []}}, \"children\": [{\"id\": \"C\"}]}"));
    assert_true(accepts("{\"id\": \"A\", \"origin\": \"x.json\"}"));
    assert_false(accepts("{\"prefab\": \"x.json\", \"overrides\": {\"A\": {\"id\": \"B\"}}}"));
    assert_true(accepts("{\"$schema\": \"s.json\", \"nodes\": []}"));
    assert_true(accepts("{\"$schema\": \"s.json\", \"id\": \"Box\"}"));
    assert_false(accepts("{\"nodes\": [{\"$schema\": \"s.json\", \"id\": \"Box\"}]}"));
}

static void what_the_writer_writes_is_accepted(void **state)
{
    (void)state;
    CnEntity a = cn_object(world, "A"), b = cn_object(world, "B", .parent = a);
    assert_true(cn_add(world, a, SceneEvery) && cn_add(world, a, SceneLamp) &&
                cn_add(world, b, CnLight) && cn_add(world, b, CnMeshRenderer) &&
                cn_add(world, b, SceneMarked));
    cn_get_mut(world, a, SceneEvery)->u64_value = UINT64_MAX;
    cn_get_mut(world, b, CnTransform)->rotation = (CnQuat){0.6f, 0, 0, 0.8f};
    CnTextBuilder written;
    cn_array_init(&written, NULL);
    assert_true(cn_scene_write_text(world, &written, NULL, NULL));
    assert_true(accepts(written.items));
    cn_array_fini(&written);
}

static void other_keys_are_refused(void **state)
{
    (void)state;
    assert_false(accepts("{\"nodes\": [], \"size\": 1}"));
    assert_false(accepts("{\"nodes\": [{\"id\": \"A\", \"size\": 1}]}"));
    assert_false(accepts_component("{\"type\": \"LampComponent\", \"size\": 1}"));
    assert_false(accepts_component("{\"type\": \"LampComponent\", \"secret\": 1}"));
    assert_false(accepts_component("{\"type\": \"LampComponent\", \"shape\": {\"size_\": 1}}"));
}

static void wrong_types_ranges_and_choices_are_refused(void **state)
{
    (void)state;
    assert_true(accepts_component("{\"type\": \"LampComponent\", \"watts\": 1, \"shape\": "
                                  "{\"type\": \"Ball\", \"radius\": 1}, \"turn\": [1, 2, 3]}"));
    assert_false(accepts_component("{\"type\": \"LampComponent\", \"watts\": 1000}"));
    assert_false(accepts_component("{\"type\": \"LampComponent\", \"watts\": \"1\"}"));
    assert_false(accepts_component("{\"type\": \"LampComponent\", \"turn\": [1, 2]}"));
    assert_false(
        accepts_component("{\"type\": \"LampComponent\", \"shape\": {\"type\": \"Egg\"}}"));
    assert_false(accepts_component("{\"type\": \"SceneEvery\", \"u8_value\": 256}"));
    assert_false(accepts_component("{\"type\": \"SceneEvery\", \"list\": [1]}"));
    assert_false(
        accepts_component("{\"type\": \"SceneEvery\", \"text_value\": \"0123456789abcdef\"}"));
    assert_false(accepts_component("{\"type\": \"NoSuchComponent\"}"));
    assert_false(accepts_component("{}"));
}

static void what_tables_say_about_fields_is_there(void **state)
{
    (void)state;
    assert_non_null(strstr(text.items, "\"description\": \"Something that shines.\""));
    assert_non_null(strstr(text.items, "\"description\": \"degrees\""));
    assert_non_null(strstr(text.items, "\"description\": \"needed\""));
    assert_non_null(strstr(text.items, "only for shape.type Ball"));
}

static void what_files_may_not_have_is_not_there(void **state)
{
    (void)state;
    assert_null(strstr(text.items, "CnObject"));
    assert_null(strstr(text.items, "CnPrefabSource"));
    assert_null(strstr(text.items, "ScenePassing"));
    assert_null(strstr(text.items, "SceneEngineState"));
}

static void nested_structs_are_described(void **state)
{
    (void)state;
    assert_true(accepts_component("{\"type\": \"SceneNested\", \"spread\": {\"lo\": 1}, \"slots\": "
                                  "[{\"item\": 1, \"wear\": {\"hi\": 2}}, {}]}"));
    assert_false(accepts_component("{\"type\": \"SceneNested\", \"spread\": {\"low\": 1}}"));
    assert_false(accepts_component("{\"type\": \"SceneNested\", \"slots\": [{}, {}, {}, {}]}"));
    assert_false(accepts_component("{\"type\": \"SceneNested\", \"slots\": [{\"wear\": 1}]}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_and_prefabs_are_accepted),
        cmocka_unit_test(what_the_writer_writes_is_accepted),
        cmocka_unit_test(other_keys_are_refused),
        cmocka_unit_test(wrong_types_ranges_and_choices_are_refused),
        cmocka_unit_test(what_tables_say_about_fields_is_there),
        cmocka_unit_test(what_files_may_not_have_is_not_there),
        cmocka_unit_test(nested_structs_are_described),
    };
    return cmocka_run_group_tests(tests, make_schema, drop_schema);
}
