/* Morph targets as they are drawn, on a Vulkan device with validation. */
#include "glb_import.h"
#include "mesh_feature.h"
#include "render_fixture.h"
#include "scratch.h"

#define FLOATS3(count) "'componentType': 5126, 'count': " #count ", 'type': 'VEC3'"
#define FLOATS1(count) "'componentType': 5126, 'count': " #count ", 'type': 'SCALAR'"

/* A square at the center whose target moves it to the right by 2; the clip sets its weight to 0 at
 * 0 s and to 1 at 1 s and after it. */
static void write_square(const char *path)
{
    static const float square[6][3] = {{-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {0.5f, 0.5f, 0},
                                       {-0.5f, -0.5f, 0}, {0.5f, 0.5f, 0},  {-0.5f, 0.5f, 0}};
    static const float right[6][3] = {{2, 0, 0}, {2, 0, 0}, {2, 0, 0},
                                      {2, 0, 0}, {2, 0, 0}, {2, 0, 0}};
    static const float times[3] = {0, 1, 9};
    static const float weights[6] = {0, 0, 0, 1, 0, 1}; /* the first target does nothing */
    GlbBuilder builder = {0};
    CnError error;
    glb_add(&builder, square, sizeof square, 0, FLOATS3(6));
    glb_add(&builder, right, sizeof right, 0, FLOATS3(6));
    glb_add(&builder, times, sizeof times, 0, FLOATS1(3));
    glb_add(&builder, weights, sizeof weights, 0, FLOATS1(6));
    assert_true(glb_write(&builder,
                          "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'targets': "
                          "[{}, {'POSITION': 1}]}]}], 'nodes': [{'mesh': 0}], 'animations': "
                          "[{'samplers': [{'input': 2, 'output': 3}], 'channels': [{'sampler': 0, "
                          "'target': {'node': 0, 'path': 'weights'}}]}]",
                          path, &error));
}

static bool is_lit(const RenderFixture *fixture, uint32_t x)
{
    const uint8_t *pixel = render_fixture_pixel(fixture, x, RENDER_FIXTURE_HEIGHT / 2);
    return pixel[0] + pixel[1] + pixel[2] > 60;
}

/* Draws the square at a time of its clip, seen from 5 m: 1 m is 31 pixels. */
static void draw_at(RenderFixture *fixture, CnRenderItem *item, double seconds)
{
    item->value = cn_animation_value(0, seconds);
    render_fixture_draw(fixture, 1);
}

static bool begin(RenderFixture *fixture, Scratch *scratch, CnRenderItem **item)
{
    scratch_init(scratch);
    if (!render_fixture_init_with(fixture, RENDER_VULKAN,
                                  &(CnRendererDesc){.files = cn_native_files()})) {
        scratch_fini(scratch);
        return false;
    }
    const char *path = scratch_path(scratch, "square.glb");
    write_square(path);
    render_fixture_add(fixture, &mesh_feature, NULL);
    *item = render_fixture_item(fixture, path, NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_camera(fixture, cn_vec3(0, 0, 5), cn_vec3(0, 0, 0), 60);
    return true;
}

static void end(RenderFixture *fixture, Scratch *scratch)
{
    render_fixture_fini(fixture);
    scratch_fini(scratch);
}

static void a_weight_moves_a_mesh(void **state)
{
    (void)state;
    RenderFixture fixture;
    Scratch scratch;
    CnRenderItem *item;
    if (!begin(&fixture, &scratch, &item))
        return;
    draw_at(&fixture, item, 0);
    assert_true(is_lit(&fixture, 160));
    assert_false(is_lit(&fixture, 222));
    draw_at(&fixture, item, 2);
    assert_false(is_lit(&fixture, 160));
    assert_true(is_lit(&fixture, 222));
    end(&fixture, &scratch);
}

static void items_of_a_model_have_weights_of_their_own(void **state)
{
    (void)state;
    RenderFixture fixture;
    Scratch scratch;
    CnRenderItem *item;
    if (!begin(&fixture, &scratch, &item))
        return;
    const char *path = scratch_path(&scratch, "square.glb");
    render_fixture_item(&fixture, path, NULL, cn_vec3(0, 0, 0), 1)->value =
        cn_animation_value(0, 2);
    draw_at(&fixture, item, 0);
    assert_true(is_lit(&fixture, 160));
    assert_true(is_lit(&fixture, 222));
    end(&fixture, &scratch);
}

/* Its initial shape is left of the view, but the target moves it to the center. */
static void bounds_contain_all_targets(void **state)
{
    (void)state;
    RenderFixture fixture;
    Scratch scratch;
    CnRenderItem *item;
    if (!begin(&fixture, &scratch, &item))
        return;
    item->position.x = -40;
    item->scale.x = 20;
    draw_at(&fixture, item, 2);
    assert_true(is_lit(&fixture, 160));
    end(&fixture, &scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_moves_a_mesh),
        cmocka_unit_test(items_of_a_model_have_weights_of_their_own),
        cmocka_unit_test(bounds_contain_all_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
