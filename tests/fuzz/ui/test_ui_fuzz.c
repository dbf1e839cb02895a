/*
 * Random hands on every widget: whatever comes, text stays UTF-8 and inside of its buffer, values
 * stay in their ranges, and the interface goes on. The cases come from a seed, so they are always
 * the same.
 */
#include "ui_fixture.h"

#include "random.h"

#include <math.h>

enum { FRAMES = 3000 };

static CnUiDemo demo;
static char text[12];
static TestRandom random_state;

/* Windows come and go; one has all kinds of widgets inside of each other. */
static void draw(UiFixture *fixture)
{
    TestRandom *random = &random_state;
    static const char *const names[] = {"a", "\xFF\xFE", "c##1", "", "e"};
    static uint32_t choice, chosen, count = 10;
    cn_ui_demo(fixture->ui, &demo);
    demo.open = true;
    if (test_random_chance(random, 10))
        return;
    if (cn_ui_begin_window(fixture->ui,
                           &(CnUiWindow){.title = "Second", .rect = {150, 60, 180, 200}})) {
        cn_ui_begin_scroll(fixture->ui, "area", 90);
        cn_ui_field(fixture->ui, "Field",
                    &(CnUiField){.text = text,
                                 .text_bytes = sizeof text,
                                 .secret = test_random_chance(random, 50)});
        assert_true(memchr(text, 0, sizeof text) && cn_text_is_utf8(cn_text(text)));
        cn_ui_combo(fixture->ui, "Combo", &choice, names, test_random_below(random, 6));
        cn_ui_end_scroll(fixture->ui);
        CnUiList list;
        count = test_random_chance(random, 5) ? test_random_below(random, 1000) : count;
        cn_ui_begin_list(fixture->ui, &(CnUiListDesc){.id = "list", .count = count, .height = 60},
                         &list);
        for (uint32_t i = list.first; i < list.end; i++) {
            if (cn_ui_list_item(fixture->ui, &list, i, names[i % 5], i == chosen))
                chosen = i;
        }
        cn_ui_end_list(fixture->ui, &list);
    }
    cn_ui_end_window(fixture->ui);
}

static void random_input(CnUiInput *input, TestRandom *random)
{
    if (test_random_chance(random, 60))
        input->mouse = (CnVec2){(float)test_random_below(random, 420) - 10,
                                (float)test_random_below(random, 320) - 10};
    if (test_random_chance(random, 2))
        input->mouse = (CnVec2){NAN, INFINITY};
    if (test_random_chance(random, 30)) {
        uint32_t before = input->mouse_held;
        input->mouse_held ^= 1u << CN_MOUSE_LEFT;
        input->mouse_pressed = input->mouse_held & ~before;
        input->mouse_released = before & ~input->mouse_held;
    }
    if (test_random_chance(random, 10))
        input->wheel.y = (float)(test_random_unit(random) * 20 - 10);
    input->keys_held = test_random_chance(random, 20)
                           ? (uint32_t)test_random(random) & ((1u << CN_UI_KEY_COUNT) - 1)
                           : input->keys_held;
    uint32_t keys = test_random_below(random, 4);
    for (uint32_t i = 0; i < keys; i++)
        cn_ui_input_key(input, (CnUiKey)test_random_below(random, CN_UI_KEY_COUNT),
                        test_random_below(random, 8));
    for (uint32_t i = 0; i < 2 && test_random_chance(random, 50); i++) {
        uint64_t bits = test_random(random);
        cn_ui_input_text(input, (CnText){(const char *)&bits, 1 + test_random_below(random, 8)});
    }
    if (test_random_chance(random, 10))
        memset(input->composition, (int)(test_random(random) & 0xFF), sizeof input->composition);
    input->delta = test_random_chance(random, 2) ? NAN : (float)test_random_unit(random) * 0.1f;
}

static void no_hands_break_anything(void **state)
{
    (void)state;
    UiFixture fixture;
    demo = (CnUiDemo){0};
    ui_fixture_init_windows(&fixture, draw);
    for (uint32_t seed = 1; seed <= 4; seed++) {
        random_state = (TestRandom){.state = seed};
        for (uint32_t i = 0; i < FRAMES / 4; i++) {
            random_input(&fixture.input, &random_state);
            if (test_random_chance(&random_state, 5))
                memset(text, (int)(test_random(&random_state) & 0xFF), sizeof text);
            ui_fixture_frame(&fixture);
            assert_true(memchr(demo.name, 0, sizeof demo.name) != NULL);
            assert_true(cn_text_is_utf8(cn_text(demo.name)) &&
                        cn_text_is_utf8(cn_text(demo.password)));
            assert_true(demo.volume >= 0 && demo.volume <= 1);
            assert_true(demo.view_distance >= 2 && demo.view_distance <= 32);
            assert_true(demo.quality < 4 && demo.chosen < 100000);
        }
    }
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_hands_break_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
