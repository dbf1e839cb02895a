/* Drawing beside the ticks. On the null backend. */
/* test-labels: threads */
#include "engine_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Seen {
    pthread_t owner;
    _Atomic uint32_t frames, foreign; /* foreign: not on the owner's thread */
    _Atomic uint64_t last_tick;
} Seen;

static void look(CnFrame *frame, void *user)
{
    Seen *seen = user;
    (void)frame;
    atomic_fetch_add(&seen->frames, 1);
    atomic_fetch_add(&seen->foreign, !pthread_equal(pthread_self(), seen->owner));
}

static void frames_are_drawn_on_the_render_thread(void **state)
{
    (void)state;
    Seen seen = {.owner = pthread_self()};
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON, .frames = 20});
    cn_engine_before_render(engine, look, &seen);
    assert_int_equal(cn_engine_run(engine), 0);
    assert_int_equal(atomic_load(&seen.frames), 20);
    assert_int_equal(atomic_load(&seen.foreign), 20);
    end_engine(engine);
}

static void headless_frames_are_drawn_by_the_owner(void **state)
{
    (void)state;
    Seen seen = {.owner = pthread_self()};
    CnEngine *engine = make_engine(&(CnEngineDesc){.frames = 3});
    cn_engine_before_render(engine, look, &seen);
    assert_int_equal(cn_engine_run(engine), 0);
    assert_int_equal(atomic_load(&seen.foreign), 0);
    end_engine(engine);
}

static void after_frame_on_owner(CnEngine *engine, void *user)
{
    Seen *seen = user;
    seen->foreign += !pthread_equal(pthread_self(), seen->owner);
    uint64_t drawn = cn_renderer_stats(cn_engine_renderer(engine)).frames;
    assert_int_equal(drawn, atomic_fetch_add(&seen->frames, 1) + 1);
}

static void after_frame_sees_the_renderer_at_rest(void **state)
{
    (void)state;
    Seen seen = {.owner = pthread_self()};
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON, .frames = 20});
    cn_engine_after_frame(engine, after_frame_on_owner, &seen);
    assert_int_equal(cn_engine_run(engine), 0);
    assert_int_equal(seen.frames, 20);
    assert_int_equal(seen.foreign, 0);
    end_engine(engine);
}

static void things_may_be_made_between_frames(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON});
    CnWorld *world = cn_engine_world(engine);
    add_camera(world, (CnVec3){0, 0, 10});
    for (uint32_t i = 0; i < 30; i++) {
        static const char *const shapes[] = {"cube", "sphere", "torus"};
        add_shape(world, shapes[i % 3], (CnVec3){(float)i * 0.1f, 0, 0});
        run_frames(engine, 1);
        if (i % 5 == 0)
            assert_int_not_equal(cn_mesh_shape(cn_engine_renderer(engine), CN_MESH_CONE, NULL).id,
                                 0);
    }
    assert_int_equal(cn_renderer_stats(cn_engine_renderer(engine)).items, 30);
    end_engine(engine);
}

static void draw_over(CnEngine *engine, void *user)
{
    uint32_t *frame = user;
    char text[32];
    cn_format(text, sizeof text, "frame %u", ++*frame);
    cn_canvas_text(cn_engine_canvas(engine), 4, 4, &(CnTextStyle){.color = cn_rgb(0xFFFFFF)},
                   cn_text(text));
    if (cn_ui_begin_window(cn_engine_ui(engine),
                           &(CnUiWindow){.title = "W", .rect = {0, 0, 40, 0}}))
        cn_ui_button(cn_engine_ui(engine), text);
    cn_ui_end_window(cn_engine_ui(engine));
}

static void the_canvas_of_the_next_frame_is_another(void **state)
{
    (void)state;
    uint32_t frame = 0;
    CnEngine *engine =
        make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON, .frames = 50, .overlay = true});
    cn_renderer_add_feature(cn_engine_renderer(engine), &cn_feature_ui, NULL, NULL);
    cn_engine_before_frame(engine, draw_over, &frame);
    assert_int_equal(cn_engine_run(engine), 0);
    end_engine(engine);
}

static void a_switch_of_scenes_is_clean(void **state)
{
    (void)state;
    CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON});
    static const char *const names[] = {"A", "B", "C"};
    for (size_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnWorld *world = cn_scene_world(
            cn_scene_create(cn_engine_scenes(engine), &(CnSceneDesc){.name = names[i]}, NULL));
        add_camera(world, (CnVec3){0, 0, 5});
        add_shape(world, i ? "cube" : "sphere", (CnVec3){0, 0, 0});
    }
    for (uint32_t i = 0; i < 30; i++) {
        cn_scenes_switch(cn_engine_scenes(engine), names[i % 3], NULL);
        run_frames(engine, 1 + i % 2);
    }
    end_engine(engine);
}

static void fail_in_update(CnFrame *frame, void *self)
{
    (void)self;
    if (frame->number == 2) /* a pass that reads what nobody wrote */
        cn_graph_read_texture(
            frame->graph,
            cn_graph_add_pass(frame->graph,
                              &(CnGraphPassDesc){.name = "wrong", .side_effects = true}),
            cn_graph_create_texture(frame->graph, &(CnGpuTextureDesc){.name = "nothing",
                                                                      .format = CN_GPU_FORMAT_RGBA8,
                                                                      .width = 4,
                                                                      .height = 4}),
            CN_GPU_ACCESS_SAMPLE, NULL);
}

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer;
    (void)self;
    (void)options;
    (void)error;
    return true;
}

static void errors_reach_the_owner(void **state)
{
    (void)state;
    const CnFeatureType wrong = {.name = "Wrong", .setup = setup, .add_passes = fail_in_update};
    for (uint32_t i = 0; i < 2; i++) {
        CnEngine *engine = make_engine(
            &(CnEngineDesc){.render_thread = i ? CN_SWITCH_ON : CN_SWITCH_OFF, .frames = 100});
        cn_renderer_add_feature(cn_engine_renderer(engine), &wrong, NULL, NULL);
        assert_int_equal(cn_engine_run(engine), 1);
        assert_int_not_equal(cn_engine_error(engine)->code, CN_OK);
        assert_true(cn_sim_tick(cn_engine_sim(engine)) <= 4);
        cn_engine_destroy(engine);
    }
}

static void an_engine_may_end_while_it_draws(void **state)
{
    (void)state;
    for (uint32_t frames = 0; frames < 4; frames++) {
        CnEngine *engine = make_engine(&(CnEngineDesc){.render_thread = CN_SWITCH_ON});
        run_frames(engine, frames);
        cn_engine_destroy(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_drawn_on_the_render_thread),
        cmocka_unit_test(headless_frames_are_drawn_by_the_owner),
        cmocka_unit_test(after_frame_sees_the_renderer_at_rest),
        cmocka_unit_test(things_may_be_made_between_frames),
        cmocka_unit_test(the_canvas_of_the_next_frame_is_another),
        cmocka_unit_test(a_switch_of_scenes_is_clean),
        cmocka_unit_test(errors_reach_the_owner),
        cmocka_unit_test(an_engine_may_end_while_it_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
