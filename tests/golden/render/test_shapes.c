/* The shapes, their normals as colors. */
#include "golden_image.h"
#include "mesh_feature.h"

static void all_shapes(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return;
    render_fixture_add(&fixture, &mesh_feature, NULL);
    static const char *const shapes[] = {"cube", "sphere",   "plane", "quad",
                                         "cone", "cylinder", "torus", "capsule"};
    for (uint32_t i = 0; i < CN_COUNT_OF(shapes); i++) {
        char name[32];
        cn_format(name, sizeof name, "shapes://%s", shapes[i]);
        render_fixture_item(&fixture, name, NULL,
                            cn_vec3((float)(i % 4) * 1.6f - 2.4f, 0.9f - (float)(i / 4) * 2, 0), 1);
    }
    render_fixture_camera(&fixture, cn_vec3(0, 2, 5), cn_vec3(0, 0, 0), 50);
    render_fixture_draw(&fixture, 2);
    assert_golden_image("shapes", &fixture);
    render_fixture_fini(&fixture);
}

/* Above as they are, below mirrored: fronts are fronts. To the right planes from below, of which
 * one has two sides. */
static void mirrored_and_double_sided(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return;
    render_fixture_add(&fixture, &mesh_feature, NULL);
    CnMaterial paper = cn_material_create(
        fixture.renderer,
        &(CnMaterialDesc){.name = "paper", .base_color = {1, 0.6f, 0.6f, 1}, .double_sided = true},
        &fixture.error);
    assert_int_not_equal(paper.id, 0);
    const char *shapes[] = {"shapes://cube", "shapes://cone", "shapes://torus"};
    for (uint32_t i = 0; i < 6; i++) {
        CnVec3 at = {(float)(i % 3) * 1.5f - 2.6f, i < 3 ? 0.8f : -0.8f, 0};
        CnRenderItem *item = render_fixture_item(&fixture, shapes[i % 3], NULL, at, 1);
        item->rotation = cn_quat_from_euler(cn_vec3(30, 30, 0));
        item->scale.x = i < 3 ? 1.0f : -1.0f;
    }
    for (uint32_t i = 0; i < 2; i++)
        render_fixture_item(&fixture, "shapes://plane", i ? "paper" : NULL,
                            cn_vec3(2, i ? 1.4f : 2.2f, 0), 1);
    render_fixture_camera(&fixture, cn_vec3(0, 0, 5), cn_vec3(0, 0, 0), 50);
    render_fixture_draw(&fixture, 2);
    assert_golden_image("shapes_mirrored", &fixture);
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_shapes),
                                       cmocka_unit_test(mirrored_and_double_sided)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
