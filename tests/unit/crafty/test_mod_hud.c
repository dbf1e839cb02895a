/* HUD elements and dialogs of mods: what is valid, what clients see, saving and restoring. */
#include "cmocka_tests.h"
#include "sim_fixture.h"

#include <crafty/sim/connection.h>
#include <crafty/sim/mod/hud.h>

#include <cairn/base/log.h>

#include <string.h>

static SimFixture fixture;
static CraftyModHudView view;
static CraftyModChoice answer;

static void begin_hud(SimFixture *made)
{
    fixture_make_with(made, 2, NULL);
    assert_true(crafty_mod_hud_add(made->world, NULL));
}

static void end_hud(SimFixture *made)
{
    crafty_mod_hud_remove(made->world);
    fixture_end(made);
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    begin_hud(&fixture);
    crafty_mod_hud_view_init(&view, cn_system_allocator());
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_mod_hud_view_fini(&view);
    end_hud(&fixture);
    return 0;
}

static void set(const char *mod, const char *key, const char *json)
{
    CnError error = {0};
    if (!crafty_mod_hud_set(fixture.world, 1, mod, cn_text(key), cn_text(json), &error))
        fail_msg("%s", error.message);
}

static void set_text(const char *mod, const char *key)
{
    set(mod, key, "{\"kind\":\"text\",\"text\":\"Hello\"}");
}

static void refuse(const char *json, const char *part)
{
    CnError error = {0};
    assert_false(
        crafty_mod_hud_set(fixture.world, 1, "quest", cn_text("goal"), cn_text(json), &error));
    if (!strstr(error.message, part))
        fail_msg("'%s' is not in '%s'", part, error.message);
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_int_equal(view.element_count, 0);
}

static uint64_t hash(const SimFixture *made)
{
    return crafty_mod_hud_hash(made->world);
}

/* ---- Elements ---- */

static void an_element_has_the_fields_that_were_set(void **state)
{
    (void)state;
    set("quest", "goal",
        "{\"kind\":\"bar\",\"anchor\":\"bottomRight\",\"x\":-8,\"y\":4.5,\"width\":120,"
        "\"height\":10,\"value\":0.25,\"text\":\"Apples\\n3 of 9\",\"color\":\"#12aBff\","
        "\"background\":\"#00000080\",\"size\":2,\"tile\":\"apple\"}");
    assert_true(crafty_mod_hud_view_update(&view, fixture.world, 1));
    assert_int_equal(view.element_count, 1);
    const CraftyModHudElement *bar = &view.elements[0];
    assert_int_equal(bar->kind, CRAFTY_MOD_HUD_BAR);
    assert_int_equal(bar->anchor, CRAFTY_MOD_HUD_BOTTOM_RIGHT);
    assert_true(bar->x == -8 && bar->y == 4.5f && bar->width == 120 && bar->height == 10);
    assert_true(bar->value == 0.25f && bar->size == 2);
    assert_string_equal(bar->text, "Apples\n3 of 9");
    assert_string_equal(bar->tile, "apple");
    assert_string_equal(bar->mod, "quest");
    assert_string_equal(bar->key, "goal");
    assert_int_equal(bar->color, 0x12ABFFFF);
    assert_int_equal(bar->background, 0x00000080);
    assert_int_equal(bar->parent, CRAFTY_MOD_HUD_NO_PARENT);
}

static void fields_that_were_not_given_have_defaults(void **state)
{
    (void)state;
    set("quest", "goal", "{\"kind\":\"panel\"}");
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    const CraftyModHudElement *panel = &view.elements[0];
    assert_int_equal(panel->anchor, CRAFTY_MOD_HUD_TOP_LEFT);
    assert_int_equal(panel->color, 0xFFFFFFFF);
    assert_int_equal(panel->background, 0);
    assert_string_equal(panel->text, "");
    assert_true(panel->size == 1);
}

static void a_grid_has_a_color_for_each_cell(void **state)
{
    (void)state;
    set("map", "grid", "{\"kind\":\"grid\",\"columns\":2,\"rows\":1,\"colors\":\"ff000000ff7f\"}");
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_int_equal(view.elements[0].columns, 2);
    assert_int_equal(view.elements[0].rows, 1);
    assert_int_equal(view.elements[0].cells[0], 0xFF0000FF);
    assert_int_equal(view.elements[0].cells[1], 0x00FF7FFF);
}

static void a_marker_has_a_position_in_the_world(void **state)
{
    (void)state;
    set("map", "home",
        "{\"kind\":\"marker\",\"text\":\"Home\",\"position\":{\"x\":8.5,\"y\":70,\"z\":-3}}");
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_true(view.elements[0].position.x == 8.5f && view.elements[0].position.z == -3);
}

static void children_follow_their_panel(void **state)
{
    (void)state;
    set("map", "box",
        "{\"kind\":\"panel\",\"children\":[{\"kind\":\"panel\",\"children\":["
        "{\"kind\":\"text\",\"text\":\"a\"}]},{\"kind\":\"image\",\"tile\":\"stone\"}]}");
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_int_equal(view.element_count, 4);
    assert_int_equal(view.elements[1].parent, 0);
    assert_int_equal(view.elements[2].parent, 1);
    assert_int_equal(view.elements[3].parent, 0);
    assert_string_equal(view.elements[3].key, "box");
}

static void elements_are_in_the_order_of_mods_and_keys(void **state)
{
    (void)state;
    set_text("quest", "b");
    set_text("map", "z");
    set_text("quest", "a");
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_int_equal(view.element_count, 3);
    assert_string_equal(view.elements[0].mod, "map");
    assert_string_equal(view.elements[1].key, "a");
    assert_string_equal(view.elements[2].key, "b");
}

static void each_player_has_a_screen_of_its_own(void **state)
{
    (void)state;
    set_text("quest", "goal");
    assert_false(crafty_mod_hud_view_update(&view, fixture.world, 2));
    assert_true(crafty_mod_hud_view_update(&view, fixture.world, 1));
    assert_true(crafty_mod_hud_view_update(&view, fixture.world, 2));
    assert_int_equal(view.element_count, 0);
}

static void a_view_is_copied_only_after_a_change(void **state)
{
    (void)state;
    set_text("quest", "goal");
    assert_true(crafty_mod_hud_view_update(&view, fixture.world, 1));
    assert_false(crafty_mod_hud_view_update(&view, fixture.world, 1));
    set_text("quest", "goal"); /* as it is already */
    assert_false(crafty_mod_hud_view_update(&view, fixture.world, 1));
    set("quest", "goal", "{\"kind\":\"text\",\"text\":\"Other\"}");
    assert_true(crafty_mod_hud_view_update(&view, fixture.world, 1));
    assert_int_equal(view.element_count, 1);
    assert_string_equal(view.elements[0].text, "Other");
}

static void an_element_is_erased_by_its_mod_only(void **state)
{
    (void)state;
    set_text("quest", "goal");
    assert_false(crafty_mod_hud_erase(fixture.world, 1, "map", cn_text("goal")));
    assert_true(crafty_mod_hud_erase(fixture.world, 1, "quest", cn_text("goal")));
    assert_false(crafty_mod_hud_erase(fixture.world, 1, "quest", cn_text("goal")));
}

static void clearing_leaves_the_elements_of_other_mods(void **state)
{
    (void)state;
    set_text("quest", "a");
    set_text("quest", "b");
    set_text("map", "a");
    crafty_mod_hud_clear(fixture.world, 1, "quest");
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_int_equal(view.element_count, 1);
    assert_string_equal(view.elements[0].mod, "map");
}

static void what_is_wrong_with_an_element_is_named(void **state)
{
    (void)state;
    refuse("[]", "named fields");
    refuse("{}", "\"kind\"");
    refuse("{\"kind\":\"circle\"}", "kind");
    refuse("{\"kind\":\"text\"}", "a text needs \"text\"");
    refuse("{\"kind\":\"image\"}", "an image needs \"tile\"");
    refuse("{\"kind\":\"panel\",\"colour\":\"#ffffff\"}", "colour");
    refuse("{\"kind\":\"panel\",\"color\":\"red\"}", "#RRGGBB");
    refuse("{\"kind\":\"panel\",\"color\":\"#12345\"}", "#RRGGBB");
    refuse("{\"kind\":\"panel\",\"color\":\"#123456fg\"}", "#RRGGBB");
    refuse("{\"kind\":\"panel\",\"x\":5000}", "x");
    refuse("{\"kind\":\"panel\",\"width\":-1}", "width");
    refuse("{\"kind\":\"bar\",\"value\":1.5}", "value");
    refuse("{\"kind\":\"text\",\"text\":\"a\\u0007\"}", "control");
    refuse("{\"kind\":\"marker\"}", "position");
    refuse("{\"kind\":\"marker\",\"position\":{\"x\":1,\"y\":2}}", "position");
    refuse("{\"kind\":\"grid\",\"columns\":2,\"rows\":2,\"colors\":\"ff\"}", "6 digits");
    refuse("{\"kind\":\"grid\",\"columns\":65,\"rows\":2,\"colors\":\"\"}", "columns");
    refuse("{\"kind\":\"grid\",\"columns\":1,\"rows\":1,\"colors\":\"zz0000\"}", "hexadecimal");
    refuse("{\"kind\":\"text\",\"text\":\"a\",\"children\":[{\"kind\":\"panel\"}]}", "panel");
    refuse("{\"kind\":\"panel\",\"children\":[{\"kind\":\"marker\",\"position\":{\"x\":1,\"y\":2,"
           "\"z\":3}}]}",
           "marker");
    refuse("{\"kind\":\"panel\",\"children\":[{\"kind\":\"panel\",\"children\":[{\"kind\":"
           "\"panel\",\"children\":[{\"kind\":\"panel\",\"children\":[{\"kind\":\"panel\"}]}]}]}]}",
           "deep");
}

static void a_mod_shows_a_limited_number_of_elements(void **state)
{
    (void)state;
    char key[16];
    for (uint32_t i = 0; i < CRAFTY_MOD_HUD_ELEMENTS; i++) {
        cn_format(key, sizeof key, "%u", i);
        set_text("quest", key);
    }
    CnError error = {0};
    assert_false(crafty_mod_hud_set(fixture.world, 1, "quest", cn_text("more"),
                                    cn_text("{\"kind\":\"panel\"}"), &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    set_text("quest", "0"); /* replaces one */
    set_text("map", "0");
}

static void a_mod_shows_a_limited_number_of_bytes(void **state)
{
    (void)state;
    static char json[30000];
    uint32_t accepted = 0;
    memset(json, ' ', sizeof json - 1);
    memcpy(json, "{\"kind\":\"panel\"}", 16);
    for (uint32_t i = 0; i < 4; i++) {
        char key[16];
        cn_format(key, sizeof key, "%u", i);
        accepted +=
            crafty_mod_hud_set(fixture.world, 1, "quest", cn_text(key), cn_text(json), NULL);
    }
    assert_int_equal(accepted, CRAFTY_MOD_HUD_BYTES / (sizeof json - 1));
}

static void there_is_no_screen_without_a_player(void **state)
{
    (void)state;
    const CnText json = cn_text("{\"kind\":\"panel\"}");
    assert_false(crafty_mod_hud_set(fixture.world, 0, "quest", cn_text("a"), json, NULL));
    assert_false(crafty_mod_hud_set(fixture.world, CRAFTY_MAX_PLAYER_NUMBER + 1, "quest",
                                    cn_text("a"), json, NULL));
}

/* ---- Dialogs ---- */

#define DIALOG "{\"title\":\"Smith\",\"text\":\"Iron?\",\"choices\":[\"Yes\",\"No\"]}"

static uint32_t ask(const char *mod)
{
    CnError error = {0};
    bool opened;
    if (!crafty_mod_dialog_ask(fixture.world, 1, mod, cn_text("iron"), cn_text(DIALOG), &opened,
                               &error))
        fail_msg("%s", error.message);
    if (!opened)
        return 0;
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    return view.dialog.number;
}

static bool choose(uint32_t number, uint32_t choice)
{
    return crafty_mod_dialog_choose(fixture.world, 1, number, choice, &answer);
}

static void a_dialog_is_part_of_the_view(void **state)
{
    (void)state;
    assert_int_not_equal(ask("quest"), 0);
    assert_string_equal(view.dialog.mod, "quest");
    assert_string_equal(view.dialog.name, "iron");
    assert_string_equal(view.dialog.title, "Smith");
    assert_string_equal(view.dialog.text, "Iron?");
    assert_int_equal(view.dialog.choice_count, 2);
    assert_string_equal(view.dialog.choices[1], "No");
}

static void a_choice_closes_the_dialog_and_is_answered(void **state)
{
    (void)state;
    assert_true(choose(ask("quest"), 2));
    assert_int_equal(answer.player, 1);
    assert_int_equal(answer.choice, 2);
    assert_string_equal(answer.mod, "quest");
    assert_string_equal(answer.dialog, "iron");
    assert_true(crafty_mod_hud_view_update(&view, fixture.world, 1));
    assert_int_equal(view.dialog.number, 0);
}

static void closing_a_dialog_is_choice_zero(void **state)
{
    (void)state;
    assert_true(choose(ask("quest"), 0));
    assert_int_equal(answer.choice, 0);
}

static void only_the_open_dialog_can_be_answered(void **state)
{
    (void)state;
    uint32_t first = ask("quest"), second = ask("quest");
    assert_int_not_equal(first, second);
    assert_false(choose(first, 1));
    assert_false(choose(second, 3));
    assert_false(choose(0, 1));
    assert_true(choose(second, 1));
    assert_false(choose(second, 1));
}

static void a_command_is_valid_with_a_number_and_a_choice(void **state)
{
    (void)state;
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHOOSE, .cell = {1, 0, 0}, .choice = 8};
    assert_true(crafty_command_valid(&command));
    command.choice = 9;
    assert_false(crafty_command_valid(&command));
    command = (CraftyCommand){.kind = CRAFTY_COMMAND_CHOOSE};
    assert_false(crafty_command_valid(&command));
}

static void what_is_wrong_with_a_dialog_is_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{\"title\":\"a\"}", "choices"},
        {"{\"choices\":[]}", "choices"},
        {"{\"choices\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}", "1 to 8"},
        {"{\"choices\":[\"a\"],\"titel\":\"b\"}", "titel"},
        {"{\"choices\":[\"\"]}", "texts"},
        {"[]", "a dialog has"}};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnError error = {0};
        bool opened;
        assert_false(crafty_mod_dialog_ask(fixture.world, 1, "quest", cn_text("a"),
                                           cn_text(wrong[i][0]), &opened, &error));
        if (!strstr(error.message, wrong[i][1]))
            fail_msg("'%s' is not in '%s'", wrong[i][1], error.message);
    }
}

/* ---- State ---- */

static void the_hash_depends_on_what_is_shown_and_not_on_the_way_there(void **state)
{
    (void)state;
    uint64_t empty = hash(&fixture);
    set_text("quest", "a");
    uint64_t one = hash(&fixture);
    assert_int_not_equal(one, empty);
    set_text("quest", "b");
    crafty_mod_hud_erase(fixture.world, 1, "quest", cn_text("b"));
    assert_int_equal(hash(&fixture), one);
    crafty_mod_hud_forget(fixture.world, "quest");
    assert_int_equal(hash(&fixture), empty);
}

static void a_restored_world_shows_the_same(void **state)
{
    (void)state;
    SimFixture other;
    CnU8Array saved = {.allocator = cn_system_allocator()};
    CraftyModHudView restored;
    set_text("quest", "a");
    set("map", "home", "{\"kind\":\"marker\",\"position\":{\"x\":1,\"y\":2,\"z\":3}}");
    uint32_t number = ask("quest");
    assert_true(crafty_mod_hud_write(fixture.world, &saved, NULL));
    begin_hud(&other);
    assert_true(crafty_mod_hud_restore(other.world, saved.items, saved.count, NULL));
    crafty_mod_hud_view_init(&restored, cn_system_allocator());
    assert_true(crafty_mod_hud_view_update(&restored, other.world, 1));
    assert_int_equal(restored.element_count, 2);
    assert_int_equal(restored.dialog.number, number);
    assert_string_equal(restored.dialog.choices[0], "Yes");
    assert_int_equal(hash(&other), hash(&fixture));
    crafty_mod_hud_view_fini(&restored);
    end_hud(&other);
    cn_array_fini(&saved);
}

static void an_empty_screen_has_no_bytes(void **state)
{
    (void)state;
    CnU8Array saved = {.allocator = cn_system_allocator()};
    assert_true(crafty_mod_hud_write(fixture.world, &saved, NULL));
    assert_int_equal(saved.count, 0);
    assert_int_equal(hash(&fixture), 0);
}

static void damaged_bytes_are_refused_or_valid(void **state)
{
    (void)state;
    CnU8Array saved = {.allocator = cn_system_allocator()};
    set_text("quest", "hello");
    ask("quest");
    assert_true(crafty_mod_hud_write(fixture.world, &saved, NULL));
    for (uint32_t size = 1; size < saved.count; size++) {
        bool is_whole = size == 8; /* version and the last number: an empty screen */
        assert_int_equal(crafty_mod_hud_restore(fixture.world, saved.items, size, NULL), is_whole);
    }
    for (uint32_t i = 0; i < saved.count; i++) {
        saved.items[i] ^= 0x5F;
        bool good = crafty_mod_hud_restore(fixture.world, saved.items, saved.count, NULL);
        crafty_mod_hud_view_update(&view, fixture.world, 1);
        assert_true(good || (view.element_count == 0 && view.dialog.number == 0));
        saved.items[i] ^= 0x5F;
    }
    cn_array_fini(&saved);
}

static bool is_quest(const void *user, CnText mod)
{
    (void)user;
    return cn_text_equal(mod, cn_text("quest"));
}

static void what_missing_mods_show_is_removed(void **state)
{
    (void)state;
    set_text("quest", "a");
    set_text("map", "a");
    ask("map");
    crafty_mod_hud_keep(fixture.world, is_quest, NULL);
    crafty_mod_hud_view_update(&view, fixture.world, 1);
    assert_int_equal(view.element_count, 1);
    assert_int_equal(view.dialog.number, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_element_has_the_fields_that_were_set),
        TEST(fields_that_were_not_given_have_defaults),
        TEST(a_grid_has_a_color_for_each_cell),
        TEST(a_marker_has_a_position_in_the_world),
        TEST(children_follow_their_panel),
        TEST(elements_are_in_the_order_of_mods_and_keys),
        TEST(each_player_has_a_screen_of_its_own),
        TEST(a_view_is_copied_only_after_a_change),
        TEST(an_element_is_erased_by_its_mod_only),
        TEST(clearing_leaves_the_elements_of_other_mods),
        TEST(what_is_wrong_with_an_element_is_named),
        TEST(a_mod_shows_a_limited_number_of_elements),
        TEST(a_mod_shows_a_limited_number_of_bytes),
        TEST(there_is_no_screen_without_a_player),
        TEST(a_dialog_is_part_of_the_view),
        TEST(a_choice_closes_the_dialog_and_is_answered),
        TEST(closing_a_dialog_is_choice_zero),
        TEST(only_the_open_dialog_can_be_answered),
        TEST(a_command_is_valid_with_a_number_and_a_choice),
        TEST(what_is_wrong_with_a_dialog_is_named),
        TEST(the_hash_depends_on_what_is_shown_and_not_on_the_way_there),
        TEST(a_restored_world_shows_the_same),
        TEST(an_empty_screen_has_no_bytes),
        TEST(damaged_bytes_are_refused_or_valid),
        TEST(what_missing_mods_show_is_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
