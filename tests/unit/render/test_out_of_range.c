/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"
#include "render_fixture.h"

#include <cairn/render/frame.h>
#include <cairn/render/particles.h>

#include <string.h>

static const int bad_selections[] = {CN_DRAW_TRANSMISSIVE + 1, 255, 1 << 20, -1};
static const int bad_accesses[] = {CN_GPU_ACCESS_COUNT, 255, 1 << 20, -1};

static RenderFixture fixture;

static bool set_up_nothing(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)self, (void)options, (void)error;
    return true;
}

/* Draws a frame with a feature that does this while passes are added; false: the frame failed. */
static bool draw_with(void (*add_passes)(CnFrame *frame, void *self))
{
    const CnFeatureType type = {
        .name = "wrong", .size = 1, .setup = set_up_nothing, .add_passes = add_passes};
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    render_fixture_add(&fixture, &type, NULL);
    render_fixture_camera(&fixture, cn_vec3(0, 0, 3), cn_vec3(0, 0, 0), 60);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(0, 0, 0), 1);
    bool is_drawn = cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error);
    render_fixture_fini(&fixture);
    return is_drawn;
}

static void select_wrongly(CnFrame *frame, void *self)
{
    (void)self;
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad_selections); i++) {
        CnDrawSelect select = (CnDrawSelect)bad_selections[i];
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_frame_visible(frame, select));
        EXPECT_GUARD(cn_frame_cull(frame, &frame->view.frustum, select));
        assert_non_null(strstr(guard_message(), "invalid draw selection"));
#else
        assert_int_equal(cn_draw_list_count(cn_frame_visible(frame, select)), 0);
        assert_int_equal(cn_draw_list_count(cn_frame_cull(frame, &frame->view.frustum, select)), 0);
#endif
    }
}

static void a_selection_that_is_none_is_empty(void **state)
{
    (void)state;
    assert_true(draw_with(select_wrongly));
}

static void divide_wrongly(CnFrame *frame, void *self)
{
    (void)self;
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_frame_texture(frame, "none", CN_GPU_FORMAT_RGBA8, 0));
    assert_non_null(strstr(guard_message(), "divisor must not be 0"));
#else
    assert_true(cn_frame_texture(frame, "whole", CN_GPU_FORMAT_RGBA8, 0).id != 0);
#endif
}

static void a_size_divided_by_0_is_whole(void **state)
{
    (void)state;
    assert_true(draw_with(divide_wrongly));
}

static void access_wrongly(CnFrame *frame, void *self)
{
    (void)self;
    CnGraphPass pass = cn_graph_add_pass(
        frame->graph, &(CnGraphPassDesc){.name = "wrong", .kind = CN_GRAPH_COMPUTE});
    CnGraphBuffer buffer =
        cn_graph_create_buffer(frame->graph, &(CnGpuBufferDesc){.name = "buffer", .size = 4});
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad_accesses); i++) {
        CnGpuAccess access = (CnGpuAccess)bad_accesses[i];
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_graph_read_buffer(frame->graph, pass, buffer, access));
        EXPECT_GUARD(cn_graph_write_buffer(frame->graph, pass, buffer, access, NULL));
        EXPECT_GUARD(cn_graph_import_buffer(frame->graph, "import", (CnGpuBuffer){1}, access,
                                            CN_GPU_ACCESS_NONE));
        EXPECT_GUARD(cn_graph_import_texture(frame->graph, "import", (CnGpuTexture){1},
                                             CN_GPU_ACCESS_NONE, access));
        assert_non_null(strstr(guard_message(), "invalid access"));
#else
        cn_graph_read_buffer(frame->graph, pass, buffer, access);
        cn_graph_write_buffer(frame->graph, pass, buffer, access, NULL);
        assert_int_equal(cn_graph_import_buffer(frame->graph, "import", (CnGpuBuffer){1}, access,
                                                CN_GPU_ACCESS_NONE)
                             .id,
                         0);
        assert_int_equal(cn_graph_import_texture(frame->graph, "import", (CnGpuTexture){1},
                                                 CN_GPU_ACCESS_NONE, access)
                             .id,
                         0);
#endif
    }
}

static void a_frame_with_an_access_that_is_none_is_refused(void **state)
{
    (void)state;
#ifdef CN_GUARDS
    draw_with(access_wrongly);
#else
    assert_false(draw_with(access_wrongly));
    assert_non_null(strstr(fixture.error.message, "invalid access"));
#endif
}

static void an_emitter_that_a_box_does_not_have_is_ignored(void **state)
{
    (void)state;
    static const uint32_t bad[] = {1, 2, CN_MAX_EMITTERS, 1u << 20, UINT32_MAX};
    const CnEmitterDesc emitter = {.name = "smoke", .max_particles = 8};
    CnParticleSystem *box = cn_particle_system_create(
        &(CnParticleSystemDesc){.emitters = &emitter, .emitter_count = 1}, NULL);
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnBurst burst = {.emitter = bad[i], .count = 1};
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_particle_system_set_strength(box, bad[i], 1));
        EXPECT_GUARD(cn_particle_system_burst(box, &burst));
        assert_non_null(strstr(guard_message(), "does not exist"));
#else
        cn_particle_system_set_strength(box, bad[i], 1);
        assert_false(cn_particle_system_burst(box, &burst));
#endif
    }
    cn_particle_system_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_selection_that_is_none_is_empty),
        cmocka_unit_test(a_size_divided_by_0_is_whole),
        cmocka_unit_test(a_frame_with_an_access_that_is_none_is_refused),
        cmocka_unit_test(an_emitter_that_a_box_does_not_have_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
