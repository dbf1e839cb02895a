/* Glyphs: which device they show, and what they say. */
#include "menu_fixture.h"

#include <string.h>

static void draw(CnEngine *engine, void *user)
{
    float *widths = user;
    CnCanvas *canvas = cn_engine_canvas(engine);
    uint32_t count = 0;
    for (uint32_t device = 0; device <= CRAFTY_DEVICE_NINTENDO; device++)
        for (uint32_t kind = 1; kind < CN_CONTROL_KIND_COUNT; kind++)
            for (uint32_t code = 0; code < 300; code++) {
                CnControl control = {(uint16_t)kind, (uint16_t)code};
                float width = crafty_glyph_draw_control(canvas, (CnVec2){0, 0}, 18,
                                                        (CraftyDevice)device, control);
                count += width > 0;
                if (cn_control_valid(control) != (width > 0))
                    widths[1]++;
            }
    widths[0] = (float)count;
}

static void every_control_has_a_glyph(void **state)
{
    (void)state;
    float widths[2] = {0};
    CnEngine *engine = make_engine(&(CnEngineDesc){.width = 640, .height = 360});
    cn_engine_before_frame(engine, draw, widths);
    run_frames(engine, 1);
    assert_true(widths[0] > 200);
    assert_true(widths[1] == 0);
    end_engine(engine);
}

static void labels_are_those_of_the_device(void **state)
{
    (void)state;
    char text[CN_CONTROL_TEXT_BYTES];
    CnControl bottom = CN_CONTROL_GAMEPAD_BUTTON_OF(CN_GAMEPAD_A);
    assert_string_equal(crafty_control_label(bottom, CRAFTY_DEVICE_XBOX, text), "A");
    assert_string_equal(crafty_control_label(bottom, CRAFTY_DEVICE_PLAYSTATION, text), "Cross");
    assert_string_equal(crafty_control_label(bottom, CRAFTY_DEVICE_NINTENDO, text), "B");
    CnControl page = CN_CONTROL_KEY_OF(CN_KEY_PAGE_UP);
    assert_string_equal(crafty_control_label(page, CRAFTY_DEVICE_KEYBOARD, text), "Page Up");
}

static void the_last_used_device_is_shown(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    assert_int_equal(fixture.glyphs.device, CRAFTY_DEVICE_KEYBOARD);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    run_frames(fixture.engine, 1);
    assert_int_equal(fixture.glyphs.device, CRAFTY_DEVICE_KEYBOARD); /* not used yet */
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS, .x = 0.9f});
    run_frames(fixture.engine, 1);
    assert_int_equal(fixture.glyphs.device, CRAFTY_DEVICE_XBOX);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS});
    fixture_press(&fixture, CN_KEY_W);
    assert_int_equal(fixture.glyphs.device, CRAFTY_DEVICE_KEYBOARD);
    fixture_send(&fixture,
                 (CnInputEvent){.kind = CN_INPUT_TOUCH_BEGIN, .finger = 7, .x = 9, .y = 9});
    run_frames(fixture.engine, 1);
    assert_int_equal(fixture.glyphs.device, CRAFTY_DEVICE_TOUCH);
    fixture_end(&fixture);
}

typedef struct Widths {
    const MenuFixture *fixture;
    float jump, move, nothing, unknown;
} Widths;

static void measure(CnEngine *engine, void *user)
{
    Widths *widths = user;
    const CraftyGlyphs *glyphs = &widths->fixture->glyphs;
    CnCanvas *canvas = cn_engine_canvas(engine);
    CnVec2 at = {5, 5};
    widths->jump = crafty_glyph_draw(glyphs, canvas, at, 20, "jump");
    widths->move = crafty_glyph_draw(glyphs, canvas, at, 20, "move");
    widths->nothing = crafty_glyph_draw(glyphs, canvas, at, 20, "chat_command");
    widths->unknown = crafty_glyph_draw(glyphs, canvas, at, 20, "no such action");
    assert_true(widths->jump == crafty_glyph_width(glyphs, canvas, 20, "jump"));
}

static void an_action_has_the_glyphs_of_its_bindings(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    Widths widths = {.fixture = &fixture};
    cn_engine_before_frame(fixture.engine, measure, &widths);
    run_frames(fixture.engine, 1);
    assert_true(widths.jump > 40); /* the word Space */
    assert_true(widths.move > 85); /* four keys */
    assert_true(widths.nothing > 0 && widths.unknown == 0);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_AXIS, .x = 0.9f});
    run_frames(fixture.engine, 1);
    assert_true(widths.jump == 20 && widths.move == 20); /* a button, a stick */
    assert_true(widths.nothing == 0);                    /* has none on a gamepad */
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_control_has_a_glyph),
        cmocka_unit_test(labels_are_those_of_the_device),
        cmocka_unit_test(the_last_used_device_is_shown),
        cmocka_unit_test(an_action_has_the_glyphs_of_its_bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
