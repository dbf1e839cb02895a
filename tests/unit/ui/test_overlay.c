/* What the overlay writes. A glyph is a shape of the canvas, so longer numbers are more shapes. */
#include "ui_fixture.h"

static CnOverlayData data;

static void draw_overlay(UiFixture *fixture)
{
    cn_overlay_draw(fixture->canvas, &data);
}

static uint32_t shapes_drawn(UiFixture *fixture)
{
    ui_fixture_frame(fixture);
    return cn_canvas_stats(fixture->canvas).shapes;
}

static void each_count_of_the_summary_is_written_in_full(void **state)
{
    (void)state;
    UiFixture fixture;
    data = (CnOverlayData){.page = CN_OVERLAY_SUMMARY};
    uint32_t *const counts[] = {&data.items, &data.visible_items, &data.draws, &data.draw_calls};
    uint64_t *const long_counts[] = {&data.tick, &data.entities, &data.triangles};
    ui_fixture_init_windows(&fixture, draw_overlay);
    uint32_t zeros = shapes_drawn(&fixture), more = sizeof "1,234,567" - sizeof "0";
    for (uint32_t i = 0; i < CN_COUNT_OF(counts); i++) {
        *counts[i] = 1234567;
        assert_int_equal(shapes_drawn(&fixture), zeros + more);
        *counts[i] = 0;
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(long_counts); i++) {
        *long_counts[i] = 1234567;
        assert_int_equal(shapes_drawn(&fixture), zeros + more);
        *long_counts[i] = 0;
    }
    ui_fixture_fini(&fixture);
}

static void an_overlay_that_is_off_writes_nothing(void **state)
{
    (void)state;
    UiFixture fixture;
    data = (CnOverlayData){.page = CN_OVERLAY_SUMMARY};
    ui_fixture_init_windows(&fixture, draw_overlay);
    uint32_t summary = shapes_drawn(&fixture);
    data.page = CN_OVERLAY_OFF;
    uint32_t off = shapes_drawn(&fixture);
    data.triangles = 1234567;
    assert_true(off < summary);
    assert_int_equal(shapes_drawn(&fixture), off);
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_count_of_the_summary_is_written_in_full),
        cmocka_unit_test(an_overlay_that_is_off_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
