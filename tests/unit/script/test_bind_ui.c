/* ui: what scripts draw is a list, and what a person does with it arrives as messages. */
#include "cmocka_tests.h"
#include "recording.h"
#include "script_world.h"

#include <cairn/base/log.h>
#include <cairn/script/ui.h>
#include <string.h>

static ScriptWorld w;

static int make_as(bool sandboxed)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return script_world_init(&w, &(ScriptWorldDesc){.sandboxed = sandboxed}) ? 0 : -1;
}

static int make(void **state)
{
    (void)state;
    return make_as(false);
}

static int make_sandboxed(void **state)
{
    (void)state;
    return make_as(true);
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, make, drop),                                             \
        cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)

static CnScriptUi list(void)
{
    return cn_script_ui(w.world);
}

static void assert_fails(const char *code, const char *part)
{
    const char *result = script_run(&w, code);
    if (strncmp(result, "error: ", 7) != 0 || !strstr(result, part))
        fail_msg("\"%s\" does not say \"%s\"", result, part);
}

static void assert_text(uint32_t index, const char *text)
{
    CnScriptUi ui = list();
    assert_true(index < ui.count);
    CnText shown = cn_script_ui_text(&ui, &ui.items[index]);
    if (!cn_text_equal(shown, cn_text(text)))
        fail_msg("item %u is \"%.*s\", not \"%s\"", index, (int)shown.size, shown.data, text);
}

/* A script on an object; `code` is the body of on_update. */
static CnEntity add_script(const char *code)
{
    char text[1024];
    cn_format(text, sizeof text,
              "function on_init() this.state.count = 0 end\nfunction on_update() %s end\n", code);
    return script_add(&w, "Hud", text);
}

static void press(const char *label, float value)
{
    CnScriptUi ui = list();
    const CnScriptUiItem *item = cn_script_ui_find(&ui, label);
    if (!item)
        fail_msg("there is no \"%s\"", label);
    assert_true(cn_script_ui_send(cn_sim_input(w.sim), item->id, value));
}

/* ---- The list ---- */

static void items_are_in_the_order_of_the_calls(void **state)
{
    (void)state;
    add_script("ui.text('a') ui.button('b') ui.progress(0.5) ui.image('assets://c.png')");
    assert_true(script_tick(&w, 1));
    CnScriptUi ui = list();
    assert_int_equal(ui.count, 4);
    assert_int_equal(ui.items[0].kind, CN_SCRIPT_UI_TEXT);
    assert_int_equal(ui.items[1].kind, CN_SCRIPT_UI_BUTTON);
    assert_int_equal(ui.items[2].kind, CN_SCRIPT_UI_PROGRESS);
    assert_true(ui.items[2].value == 0.5f);
    assert_text(0, "a");
    assert_text(3, "assets://c.png");
}

static void each_tick_begins_an_empty_list(void **state)
{
    (void)state;
    add_script("this.state.count = this.state.count + 1\n"
               "if this.state.count == 1 then ui.text('only now') end");
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, 1);
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, 0);
}

static void panels_contain_what_is_added_to_them(void **state)
{
    (void)state;
    add_script("local p = ui.panel() local r = p:row() p:text('x') r:button('y') ui.text('z')");
    assert_true(script_tick(&w, 1));
    CnScriptUi ui = list();
    assert_int_equal(ui.count, 5);
    assert_int_equal(ui.items[0].parent, CN_SCRIPT_UI_SCREEN);
    assert_int_equal(ui.items[1].parent, 0);
    assert_int_equal(ui.items[1].kind, CN_SCRIPT_UI_ROW);
    assert_int_equal(ui.items[2].parent, 0);
    assert_int_equal(ui.items[3].parent, 1);
    assert_int_equal(ui.items[4].parent, CN_SCRIPT_UI_SCREEN);
}

static void options_are_recorded(void **state)
{
    (void)state;
    assert_string_equal(
        script_run(&w, "ui.text('t', {anchor = 'bottomRight', x = -8, y = 4, width = 100, size = "
                       "20, color = '#FF8000', background = '#01020304', align = 'end'})\n"
                       "ui.panel {focus = true, padding = 5, spacing = 3, radius = 2}\n"
                       "ui.panel {focus = false}"),
        "");
    CnScriptUi ui = list();
    const CnScriptUiItem *text = &ui.items[0];
    assert_int_equal(text->anchor, CN_SCRIPT_UI_BOTTOM_RIGHT);
    assert_true(text->x == -8 && text->y == 4 && text->width == 100 && text->size == 20);
    assert_true(text->has_color && text->color == 0xFF8000FFu);
    assert_true(text->has_background && text->background == 0x01020304u && !text->has_border);
    assert_int_equal(text->align, CN_SCRIPT_UI_END);
    assert_true(ui.items[1].takes_focus && !ui.items[1].no_focus && ui.items[1].padding == 5);
    assert_true(ui.items[2].no_focus && !ui.items[2].takes_focus && ui.items[2].spacing == 8);
}

static void wrong_options_are_errors(void **state)
{
    (void)state;
    assert_fails("ui.text('t', {colour = '#FF8000'})", "there is no option 'colour'");
    assert_fails("ui.text('t', {color = 'red'})", "must be a color such as");
    assert_fails("ui.text('t', {color = '#12345'})", "must be a color such as");
    assert_fails("ui.text('t', {anchor = 'middle'})", "must be one of topLeft, top, topRight");
    assert_fails("ui.text('t', {width = -1})", "'width' must be between 0 and 16384");
    assert_fails("ui.text('t', {width = 0/0})", "'width' must be between");
    assert_fails("ui.text('t', {x = 'far'})", "'x' must be a number, not string");
    assert_fails("ui.button('b', {disabled = 1})", "'disabled' must be a boolean");
    assert_fails("ui.text('t', 5)", "table expected");
    assert_int_equal(list().count, 0);
}

static void wrong_arguments_are_errors(void **state)
{
    (void)state;
    assert_fails("ui.text()", "string expected");
    assert_fails("ui.text('a\\0b')", "not UTF-8");
    assert_fails("ui.text('\\255')", "not UTF-8");
    assert_fails("ui.text(string.rep('x', 5000))", "at most 4096 bytes");
    assert_fails("ui.checkbox('c', 1)", "boolean expected");
    assert_fails("ui.slider('s', 1, 2, 2)", "not numbers in order");
    assert_fails("ui.slider('s', 0/0, 0, 1)", "not numbers in order");
    assert_fails("ui.image('')", "1 to 127 bytes");
    assert_fails("ui.panel():space(-1)", "between 0 and 16384");
    assert_fails("ui.panel().text(ui, 'x')", "Panel expected");
    assert_fails("ui.table()", "ui has no 'table'");
}

static void a_panel_of_an_earlier_tick_is_an_error(void **state)
{
    (void)state;
    CnEntity object = add_script("panel = panel or ui.panel() panel:text('x')");
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, 2);
    assert_true(script_tick(&w, 1));
    assert_non_null(strstr(script_error(&w, object), "belongs to an earlier tick"));
}

static void the_body_of_a_script_cannot_draw(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Hud", "ui.text('x')");
    assert_true(script_tick(&w, 1));
    assert_non_null(strstr(script_error(&w, object), "do this in on_init"));
}

/* ---- Use ---- */

static void a_button_is_true_in_the_tick_of_its_message(void **state)
{
    (void)state;
    add_script("if ui.button('Go') then this.state.count = this.state.count + 1 end\n"
               "this.name = tostring(this.state.count)");
    assert_true(script_tick(&w, 1));
    assert_true(cn_object_find(w.world, "0").id);
    press("Go", 1);
    assert_true(script_tick(&w, 1));
    assert_true(cn_object_find(w.world, "1").id);
    assert_true(script_tick(&w, 5));
    assert_true(cn_object_find(w.world, "1").id);
}

static void a_disabled_button_is_never_pressed(void **state)
{
    (void)state;
    add_script("if ui.button('Go', {disabled = this.state.count > 0}) then this.name = 'pressed' "
               "end this.state.count = 1");
    assert_true(script_tick(&w, 1));
    CnScriptUi ui = list();
    uint64_t id = cn_script_ui_find(&ui, "Go")->id;
    assert_true(cn_script_ui_send(cn_sim_input(w.sim), id, 1));
    assert_true(script_tick(&w, 1));
    assert_false(cn_object_find(w.world, "pressed").id);
    ui = list();
    assert_null(cn_script_ui_find(&ui, "Go"));
}

static void what_follows_two_number_signs_tells_buttons_apart(void **state)
{
    (void)state;
    add_script("if ui.button('Buy##1') then this.name = 'first' end\n"
               "if ui.button('Buy##2') then this.name = 'second' end");
    assert_true(script_tick(&w, 1));
    assert_text(1, "Buy");
    press("Buy##2", 1);
    assert_true(script_tick(&w, 1));
    assert_true(cn_object_find(w.world, "second").id);
}

static void equal_buttons_of_two_scripts_are_different(void **state)
{
    (void)state;
    script_add(&w, "A", "function on_update() if ui.button('Go') then this.name = 'A!' end end");
    script_add(&w, "B", "function on_update() if ui.button('Go') then this.name = 'B!' end end");
    assert_true(script_tick(&w, 1));
    CnScriptUi ui = list();
    assert_int_equal(ui.count, 2);
    assert_true(cn_script_ui_send(cn_sim_input(w.sim), ui.items[1].id, 1));
    assert_true(script_tick(&w, 1));
    assert_false(cn_object_find(w.world, "A!").id);
    assert_true(cn_object_find(w.world, "B!").id);
}

static void checkboxes_and_sliders_return_new_values(void **state)
{
    (void)state;
    add_script("local s = this.state s.on = ui.checkbox('On', s.on or false)\n"
               "s.speed = ui.slider('Speed', s.speed or 1, 0, 10)\n"
               "this.name = tostring(s.on) .. ' ' .. s.speed");
    assert_true(script_tick(&w, 1));
    assert_true(cn_object_find(w.world, "false 1").id);
    press("On", 1);
    press("Speed", 2.5f);
    assert_true(script_tick(&w, 1));
    assert_true(cn_object_find(w.world, "true 2.5").id);
    press("Speed", 1e30f);
    assert_true(script_tick(&w, 1));
    assert_true(cn_object_find(w.world, "true 10").id);
    assert_true(list().items[1].value == 2.5f); /* drawn before the answer */
    assert_true(script_tick(&w, 1));
    assert_true(list().items[1].value == 10);
}

static void damaged_messages_have_no_effect(void **state)
{
    (void)state;
    add_script("if ui.button('Go') then this.name = 'pressed' end");
    assert_true(script_tick(&w, 1));
    CnScriptUi ui = list();
    uint64_t id = ui.items[0].id;
    uint32_t nan = 0x7FC00000u;
    uint8_t bytes[13] = {0};
    memcpy(bytes, &id, 8);
    memcpy(bytes + 8, &nan, 4);
    CnInputSource input = cn_sim_input(w.sim);
    assert_true(cn_input_message(input, CN_SCRIPT_UI_MESSAGE, bytes, 12));
    memset(bytes + 8, 0, 5);
    assert_true(cn_input_message(input, CN_SCRIPT_UI_MESSAGE, bytes, 11));
    assert_true(cn_input_message(input, CN_SCRIPT_UI_MESSAGE, bytes, 13));
    assert_true(cn_input_message(input, CN_SCRIPT_UI_MESSAGE + 7, bytes, 12));
    assert_true(cn_input_message(input, CN_SCRIPT_UI_MESSAGE, NULL, 0));
    assert_true(script_tick(&w, 1));
    assert_false(cn_object_find(w.world, "pressed").id);
}

static void a_replay_repeats_clicks(void **state)
{
    (void)state;
    static const char code[] = "function on_init() this.state.n = 0 end\n"
                               "function on_update()\n"
                               "    if ui.button('Go') then this.state.n = this.state.n + 1 end\n"
                               "    this.position = Vec3(this.state.n, window.width, 0)\n"
                               "end\n";
    CnError error = {0};
    ScriptWorld other;
    script_world_init(&other, &(ScriptWorldDesc){.sandboxed = w.desc.sandboxed});
    CnEntity object = script_add(&w, "Hud", code), same = script_add(&other, "Hud", code);
    CnRecorder *recorder = cn_recorder_create(w.sim, NULL, &error);
    assert_non_null(recorder);
    for (int i = 0; i < 30; i++) {
        assert_true(script_tick(&w, 1));
        if (i % 3 == 0)
            press("Go", 1);
        if (i == 10)
            cn_script_send_window_size(cn_sim_input(w.sim), 800, 600);
    }
    assert_true(cn_get(w.world, object, CnTransform)->position.x >= 9);
    assert_true(cn_recorder_finish(recorder, &error));
    size_t size;
    const void *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    CnReplayDifference difference;
    if (!cn_replay_run(replay, other.sim, UINT64_MAX, &difference, &error))
        fail_msg("%s", error.message);
    assert_false(difference.found);
    assert_int_equal(cn_sim_hash(w.sim), cn_sim_hash(other.sim));
    assert_memory_equal(cn_get(other.world, same, CnTransform),
                        cn_get(w.world, object, CnTransform), sizeof(CnTransform));
    cn_replay_close(replay);
    cn_recorder_destroy(recorder);
    script_world_fini(&other);
}

/* ---- Limits ---- */

static void a_script_draws_at_most_512_items(void **state)
{
    (void)state;
    CnEntity greedy =
        script_add(&w, "Greedy", "function on_update() for i = 1, 600 do ui.text('x') end end");
    script_add(&w, "Modest", "function on_update() ui.text('y') end");
    assert_true(script_tick(&w, 1));
    assert_string_equal(script_error(&w, greedy), "");
    CnScriptUi ui = list();
    assert_int_equal(ui.count, 513);
    assert_int_equal(ui.refused, 88);
    assert_text(512, "y");
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, 513);
}

static void text_is_limited_per_script(void **state)
{
    (void)state;
    script_add(&w, "Greedy",
               "function on_update() for i = 1, 8 do ui.text(string.rep('x', 4096)) end end");
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, 4);
    assert_int_equal(list().refused, 4);
}

static void all_scripts_share_the_list(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        script_add(&w, "Greedy",
                   "function on_update() for i = 1, 500 do ui.panel():text('x') end end");
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, CN_SCRIPT_UI_MAX_ITEMS);
}

static void contents_of_a_refused_panel_are_refused(void **state)
{
    (void)state;
    script_add(&w, "Greedy",
               "function on_update() for i = 1, 512 do ui.text('x') end\n"
               "local p = ui.panel() if p:row():button('b') then error('never') end end");
    assert_true(script_tick(&w, 1));
    assert_int_equal(list().count, 512);
    assert_int_equal(list().refused, 3);
}

static void drawing_costs_instructions(void **state)
{
    (void)state;
    CnEntity object =
        script_add(&w, "Greedy", "function on_update() while true do ui.text('x') end end");
    assert_true(script_tick(&w, 1));
    assert_non_null(strstr(script_error(&w, object), "instructions"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(items_are_in_the_order_of_the_calls),
        BOTH(each_tick_begins_an_empty_list),
        BOTH(panels_contain_what_is_added_to_them),
        BOTH(options_are_recorded),
        BOTH(wrong_options_are_errors),
        BOTH(wrong_arguments_are_errors),
        BOTH(a_panel_of_an_earlier_tick_is_an_error),
        BOTH(the_body_of_a_script_cannot_draw),
        BOTH(a_button_is_true_in_the_tick_of_its_message),
        BOTH(a_disabled_button_is_never_pressed),
        BOTH(what_follows_two_number_signs_tells_buttons_apart),
        BOTH(equal_buttons_of_two_scripts_are_different),
        BOTH(checkboxes_and_sliders_return_new_values),
        BOTH(damaged_messages_have_no_effect),
        BOTH(a_replay_repeats_clicks),
        BOTH(a_script_draws_at_most_512_items),
        BOTH(text_is_limited_per_script),
        BOTH(all_scripts_share_the_list),
        BOTH(contents_of_a_refused_panel_are_refused),
        cmocka_unit_test_setup_teardown(drawing_costs_instructions, make_sandboxed, drop),
    };
    return cmocka_run_group_tests_name("script.bind_ui", tests, NULL, NULL);
}
