/* Steady frames make no heap call. */
#include "engine_fixture.h"

static void draw_over(CnEngine *engine, void *user)
{
    (void)user;
    CnUi *ui = cn_engine_ui(engine);
    if (cn_ui_begin_window(ui, &(CnUiWindow){.title = "W", .rect = {0, 0, 40, 0}}))
        cn_ui_button(ui, "Button");
    cn_ui_end_window(ui);
}

static void check_steady(CnSwitch render_thread)
{
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnEngine *engine = make_engine(&(CnEngineDesc){
        .allocator = cn_heap_tag(heap, "engine"), .render_thread = render_thread, .overlay = true});
    CnWorld *world = cn_engine_world(engine);
    add_camera(world, (CnVec3){0, 0, 10});
    add_sun(world);
    for (uint32_t i = 0; i < 50; i++)
        add_shape(world, i & 1 ? "cube" : "sphere", (CnVec3){(float)i * 0.1f, 0, 0});
    cn_renderer_add_feature(cn_engine_renderer(engine), &cn_feature_ui, NULL, NULL);
    cn_engine_before_frame(engine, draw_over, NULL);
    run_frames(engine, 300); /* the overlay's numbers have had all their widths */
    uint64_t before = cn_heap_stats(heap).calls;
    run_frames(engine, 100);
    cn_engine_renderer(engine);
    assert_int_equal(cn_heap_stats(heap).calls - before, 0);
    end_engine(engine);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void steady_frames_make_no_heap_call(void **state)
{
    (void)state;
    check_steady(CN_SWITCH_OFF);
}

static void nor_with_a_render_thread(void **state)
{
    (void)state;
    check_steady(CN_SWITCH_ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_frames_make_no_heap_call),
        cmocka_unit_test(nor_with_a_render_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
