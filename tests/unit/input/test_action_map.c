/* Action maps: bindings that change, and their files. */
#include "input_fixture.h"
#include "memory_files.h"
#include "scratch.h"

static CnActionMap *map;

static int make_map(void **state)
{
    (void)state;
    map = cn_action_map_create(&(CnActionMapDesc){.lists = {fixture_list}}, NULL);
    return map ? 0 : -1;
}

static int drop_map(void **state)
{
    (void)state;
    cn_action_map_destroy(map);
    return 0;
}

#define MAP_TEST(name) cmocka_unit_test_setup_teardown(name, make_map, drop_map)

static const char canonical[] =
    "{\n"
    "  \"version\": 1,\n"
    "  \"gamepad\": \"first\",\n"
    "  \"actions\": {\n"
    "    \"jump\": [\"Space\", \"GamepadA\"],\n"
    "    \"fire\": [\"GamepadRightTrigger\", \"F\"],\n"
    "    \"rise\": [{\"control\": \"E\", \"negative\": \"Q\"}, {\"control\": \"Up\", \"negative\": "
    "\"Down\"}, {\"control\": \"GamepadLeftY\", \"scale\": -1}],\n"
    "    \"look\": {\n"
    "      \"x\": [{\"control\": \"MouseX\", \"scale\": 0.5}],\n"
    "      \"y\": [{\"control\": \"MouseY\", \"scale\": -2}]\n"
    "    },\n"
    "    \"zoom\": [\"WheelY\", "
    "{\"control\": \"PageUp\", \"negative\": \"PageDown\", \"scale\": 3}]\n"
    "  }\n"
    "}\n";

static void assert_written(const char *expected)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_true(cn_action_map_write_text(map, &text, NULL));
    assert_string_equal(text.items, expected);
    cn_array_fini(&text);
}

static bool read(const char *text, CnError *error)
{
    return cn_action_map_read_text(map, "keys.json", cn_text(text), error);
}

static void assert_read(const char *text)
{
    CnError error = {0};
    if (!read(text, &error))
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
}

/* The map stays as it was, and the error has this position and contains `part`. */
static void assert_error(const char *text, int line, int column, const char *part)
{
    CnError error = {0};
    assert_false(read(text, &error));
    if (error.line != line || error.column != column || !strstr(error.message, part))
        fail_msg("%d:%d: %s (not %d:%d: %s)", error.line, error.column, error.message, line, column,
                 part);
    assert_string_equal(error.file, "keys.json");
    assert_written(canonical);
}

static const CnActionDesc *action(const char *name)
{
    CnActionList list = cn_action_map_actions(map);
    CnAction found = cn_action_find(list, name);
    assert_int_not_equal(found.number, 0);
    return &list.actions[found.number - 1];
}

/* ---- Files ---- */

static void the_defaults_are_written_in_the_canonical_form(void **state)
{
    (void)state;
    assert_written(canonical);
}

static void the_canonical_form_reads_back_as_itself(void **state)
{
    (void)state;
    assert_read(canonical);
    assert_written(canonical);
}

static void a_file_replaces_the_bindings_that_it_names(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"actions\": {\"jump\": [\"J\", \"Mouse6\", \"Key127\"]}}");
    assert_int_equal(action("jump")->binding_count, 3);
    assert_int_equal(action("jump")->bindings[0].control.code, CN_KEY_J);
    assert_int_equal(action("jump")->bindings[2].control.code, 127);
    assert_int_equal(action("fire")->binding_count, 2);
}

static void actions_that_a_file_does_not_name_get_their_defaults(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"actions\": {\"jump\": [], \"fire\": []}}");
    assert_read("{\"version\": 1, \"actions\": {\"fire\": []}}");
    assert_int_equal(action("jump")->binding_count, 2);
    assert_int_equal(action("fire")->binding_count, 0);
}

static void an_action_may_have_no_bindings(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"actions\": {\"jump\": []}}");
    assert_int_equal(action("jump")->binding_count, 0);
}

static void the_order_of_components_does_not_matter(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"actions\": {\"look\": {\"y\": [{\"control\": \"MouseY\", "
                "\"scale\": -2}], \"x\": [{\"scale\": 0.5, \"control\": \"MouseX\"}]}}}");
    assert_written(canonical);
}

static void numbers_that_equal_the_default_are_not_written(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"actions\": {\"fire\": [{\"control\": \"GamepadRightTrigger\", "
                "\"scale\": 1, \"deadZone\": 0.5}, {\"control\": \"F\", \"scale\": 1.0}]}}");
    assert_written(canonical);
}

static void a_dead_zone_of_zero_is_kept(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"actions\": {\"rise\": [{\"control\": \"GamepadLeftY\", "
                "\"deadZone\": 0}]}}");
    assert_true(action("rise")->bindings[0].dead_zone < 0);
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_true(cn_action_map_write_text(map, &text, NULL));
    assert_non_null(strstr(text.items, "\"deadZone\": 0}"));
    cn_array_fini(&text);
}

static void a_file_selects_the_gamepad(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"gamepad\": 2}");
    assert_int_equal(cn_action_map_gamepad(map), 2);
    assert_read("{\"version\": 1, \"gamepad\": \"first\"}");
    assert_int_equal(cn_action_map_gamepad(map), 0);
}

static void a_map_is_written_to_a_file_and_read_again(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "bindings.json");
    assert_true(cn_action_map_bind(map, "jump", NULL, 0, NULL));
    assert_true(cn_action_map_write(map, cn_native_files(), path, NULL));
    cn_action_map_reset(map);
    assert_true(cn_action_map_read(map, cn_native_files(), path, NULL));
    assert_int_equal(action("jump")->binding_count, 0);
    scratch_fini(&scratch);
}

static void a_missing_file_is_an_error(void **state)
{
    (void)state;
    MemoryFiles memory;
    memory_files_init(&memory);
    CnError error = {0};
    assert_false(cn_action_map_read(map, &memory.files, "none.json", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

/* ---- Errors in files ---- */

static void an_unknown_key_of_the_file_has_a_suggestion(void **state)
{
    (void)state;
    assert_error("{\n \"version\": 1,\n \"action\": {}\n}", 3, 2,
                 "no key \"action\" (did you mean \"actions\"?)");
}

static void an_unknown_action_has_a_suggestion(void **state)
{
    (void)state;
    assert_error("{\"version\": 1,\n\"actions\": {\n  \"jmup\": []}}", 3, 3,
                 "no action \"jmup\" (did you mean \"jump\"?)");
}

static void an_unknown_control_has_a_suggestion(void **state)
{
    (void)state;
    assert_error("{\"version\": 1,\n\"actions\": {\"jump\": [\"J\",\n  \"Spce\"]}}", 3, 3,
                 "no control \"Spce\" (did you mean \"Space\"?)");
}

static void an_unknown_key_of_a_binding_has_a_suggestion(void **state)
{
    (void)state;
    assert_error("{\"version\": 1,\n\"actions\": {\"rise\": [\"J\",\n  {\"control\": \"K\", "
                 "\"scal\": 1}]}}",
                 3, 20, "no key \"scal\" (did you mean \"scale\"?)");
}

static void an_unknown_component_is_named(void **state)
{
    (void)state;
    assert_error("{\"version\": 1, \"actions\": {\"look\": {\n\"z\": []}}}", 2, 1, "no key \"z\"");
}

static void a_syntax_error_has_its_position(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(read("{\n\"version\": 1,\n!", &error));
    assert_int_equal(error.line, 3);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
}

static void values_of_the_wrong_type_are_named_at_their_position(void **state)
{
    (void)state;
    assert_error("\n[]", 2, 1, "an object");
    assert_error("{}", 1, 1, "\"version\": 1");
    assert_error("{\"version\": \"1\"}", 1, 13, "positive integer");
    assert_error("{\"version\": 1, \"gamepad\": 5}", 1, 27, "1 to 4");
    assert_error("{\"version\": 1, \"gamepad\": \"last\"}", 1, 27, "1 to 4");
    assert_error("{\"version\": 1, \"actions\": []}", 1, 27, "is an object");
    assert_error("{\"version\": 1, \"actions\": {\"jump\": \"J\"}}", 1, 36, "an array");
    assert_error("{\"version\": 1, \"actions\": {\"look\": []}}", 1, 36, "two axes");
    assert_error("{\"version\": 1, \"actions\": {\"jump\": [1]}}", 1, 37, "name of a control");
    assert_error("{\"version\": 1, \"actions\": {\"jump\": [{\"control\": 1}]}}", 1, 49,
                 "a string");
    assert_error("{\"version\": 1, \"actions\": {\"rise\": [{\"control\": \"A\", \"scale\": 0}]}}",
                 1, 63, "other than 0");
    assert_error("{\"version\": 1, \"actions\": {\"rise\": [{\"control\": \"GamepadLeftX\", "
                 "\"deadZone\": 1}]}}",
                 1, 77, "less than 1");
}

static void a_binding_that_does_not_suit_its_action_is_named(void **state)
{
    (void)state;
    assert_error("{\"version\": 1, \"actions\": {\"jump\": [\"MouseX\"]}}", 1, 37,
                 "action \"jump\": motion");
}

static void another_version_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(read("{\"version\": 2}", &error));
    assert_int_equal(error.code, CN_ERROR_VERSION);
}

static void too_many_bindings_are_refused(void **state)
{
    (void)state;
    assert_error(
        "{\"version\": 1, \"actions\": {\"jump\": [\"A\",\"A\",\"A\",\"A\",\"A\",\"A\",\"A\","
        "\"A\",\"A\",\"A\",\"A\",\"A\",\"A\",\"A\",\"A\",\"A\",\n\"B\"]}}",
        2, 1, "at most 16");
}

/* ---- Changes ---- */

static void a_rebound_action_follows_its_new_key(void **state)
{
    (void)state;
    const CnBinding j[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_J)}};
    CnInputDevices devices = {0};
    CnActions actions = {0};
    set_key(&devices, CN_KEY_J, true);
    cn_action_map_evaluate(map, &devices.input, &devices.gamepads, &actions);
    assert_false(cn_action_held(&actions, fixture_action("jump")));
    assert_true(cn_action_map_bind(map, "jump", j, 1, NULL));
    cn_action_map_evaluate(map, &devices.input, &devices.gamepads, &actions);
    assert_true(cn_action_held(&actions, fixture_action("jump")));
}

static void a_refused_binding_changes_nothing(void **state)
{
    (void)state;
    const CnBinding wrong[] = {{.control = CN_CONTROL_KEY_OF(CN_KEY_J)},
                               {.control = CN_CONTROL_MOUSE_MOTION_OF(CN_MOUSE_MOTION_X)}};
    CnError error = {0};
    assert_false(cn_action_map_bind(map, "jump", wrong, 2, &error));
    assert_false(cn_action_map_bind(map, "swim", wrong, 1, &error));
    assert_false(cn_action_map_bind(map, "jump", wrong, CN_MAX_BINDINGS + 1, &error));
    assert_false(cn_action_map_set_gamepad(map, 5, &error));
    assert_written(canonical);
}

static void a_reset_restores_the_defaults(void **state)
{
    (void)state;
    assert_read("{\"version\": 1, \"gamepad\": 3, \"actions\": {\"jump\": []}}");
    cn_action_map_reset(map);
    assert_written(canonical);
}

static void lists_are_joined_in_order(void **state)
{
    (void)state;
    static const CnActionDesc more[] = {{.name = "swim"}};
    CnActionMap *joined =
        cn_action_map_create(&(CnActionMapDesc){.lists = {fixture_list, {more, 1}}}, NULL);
    CnActionList list = cn_action_map_actions(joined);
    assert_int_equal(list.count, fixture_list.count + 1);
    assert_int_equal(cn_action_find(list, "swim").number, list.count);
    cn_action_map_destroy(joined);
}

static void lists_with_a_common_name_are_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(
        cn_action_map_create(&(CnActionMapDesc){.lists = {fixture_list, fixture_list}}, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MAP_TEST(the_defaults_are_written_in_the_canonical_form),
        MAP_TEST(the_canonical_form_reads_back_as_itself),
        MAP_TEST(a_file_replaces_the_bindings_that_it_names),
        MAP_TEST(actions_that_a_file_does_not_name_get_their_defaults),
        MAP_TEST(an_action_may_have_no_bindings),
        MAP_TEST(the_order_of_components_does_not_matter),
        MAP_TEST(numbers_that_equal_the_default_are_not_written),
        MAP_TEST(a_dead_zone_of_zero_is_kept),
        MAP_TEST(a_file_selects_the_gamepad),
        MAP_TEST(a_map_is_written_to_a_file_and_read_again),
        MAP_TEST(a_missing_file_is_an_error),
        MAP_TEST(an_unknown_key_of_the_file_has_a_suggestion),
        MAP_TEST(an_unknown_action_has_a_suggestion),
        MAP_TEST(an_unknown_control_has_a_suggestion),
        MAP_TEST(an_unknown_key_of_a_binding_has_a_suggestion),
        MAP_TEST(an_unknown_component_is_named),
        MAP_TEST(a_syntax_error_has_its_position),
        MAP_TEST(values_of_the_wrong_type_are_named_at_their_position),
        MAP_TEST(a_binding_that_does_not_suit_its_action_is_named),
        MAP_TEST(another_version_is_refused),
        MAP_TEST(too_many_bindings_are_refused),
        MAP_TEST(a_rebound_action_follows_its_new_key),
        MAP_TEST(a_refused_binding_changes_nothing),
        MAP_TEST(a_reset_restores_the_defaults),
        MAP_TEST(lists_are_joined_in_order),
        MAP_TEST(lists_with_a_common_name_are_refused),
    };
    return cmocka_run_group_tests_name("action_map", tests, NULL, NULL);
}
