/* A device that is lost in the middle of frames. */
/* test-labels: threads */
#include "engine_fixture.h"
#include "gpu_device.h"

static void lose(CnSwitch render_thread)
{
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = render_thread});
    add_camera(cn_engine_world(engine), (CnVec3){0, 0, 5});
    run_frames(engine, 5);
    lose_gpu(cn_engine_gpu(engine));
    assert_int_equal(cn_engine_run(engine), 1);
    assert_int_equal(cn_engine_error(engine)->code, CN_ERROR_IO);
    assert_non_null(strstr(cn_engine_error(engine)->message, "lost"));
    assert_false(cn_engine_frame(engine));

    /* The scene is whole. */
    uint64_t tick = cn_sim_tick(cn_engine_sim(engine));
    assert_true(cn_scenes_tick_n(cn_engine_scenes(engine), 3, NULL));
    assert_int_equal(cn_sim_tick(cn_engine_sim(engine)), tick + 3);
    assert_false(cn_entity_is_null(cn_camera_find(cn_engine_world(engine))));
    end_engine(engine);
}

static void frames_end_with_an_error_and_scenes_are_whole(void **state)
{
    (void)state;
    lose(CN_SWITCH_OFF);
}

static void with_a_render_thread_too(void **state)
{
    (void)state;
    lose(CN_SWITCH_ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_end_with_an_error_and_scenes_are_whole),
        cmocka_unit_test(with_a_render_thread_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
