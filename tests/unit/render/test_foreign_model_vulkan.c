/* test-labels: rendering */
/* A model of foreign origin, decoded by the helper process, gives the image of the same model that
 * is decoded in this process. */
#include "render_fixture.h"

#include <cairn/vfs/decoder.h>
#include <cairn/vfs.h>

#include <string.h>

#define IMAGE_BYTES (RENDER_FIXTURE_WIDTH * RENDER_FIXTURE_HEIGHT * 4u)

/* Draws the lighthouse, a model with textures. Returns false without a Vulkan device. */
static bool draw(CnOrigin origin, uint8_t pixels[IMAGE_BYTES])
{
    RenderFixture fixture;
    CnVfs *vfs = cn_vfs_create(NULL, NULL);
    assert_true(cn_vfs_mount_as(
        vfs, &(CnMountDesc){.scheme = "models", .native = "scenes/models", .origin = origin},
        NULL));
    bool has_device = render_fixture_init_with(&fixture, RENDER_VULKAN,
                                               &(CnRendererDesc){.files = cn_vfs_files(vfs)});
    if (has_device) {
        assert_true(
            cn_preset_forward(fixture.renderer, &(CnRenderOptions){0}, NULL, &fixture.error));
        fixture.frame_desc.wait_for_assets = true;
        render_fixture_camera(&fixture, cn_vec3(4, 5, 9), cn_vec3(0, 3, 0), 60);
        render_fixture_sun(&fixture, cn_vec3(-1, -2, -1), cn_vec3(4, 4, 4));
        render_fixture_item(&fixture, "models://lighthouse.glb", NULL, cn_vec3(0, 0, 0), 1);
        render_fixture_draw(&fixture, 2);
        memcpy(pixels, fixture.pixels, IMAGE_BYTES);
        render_fixture_fini(&fixture);
    }
    cn_vfs_destroy(vfs);
    return has_device;
}

static void a_foreign_model_looks_like_the_same_model_of_a_user(void **state)
{
    (void)state;
    static uint8_t user[IMAGE_BYTES], foreign[IMAGE_BYTES];
    if (!draw(CN_ORIGIN_USER, user))
        return;
    uint64_t before = cn_decoder_stats().started;
    draw(CN_ORIGIN_FOREIGN, foreign);
    assert_true(cn_decoder_stats().started > before + 1); /* the model and its textures */
    assert_memory_equal(user, foreign, IMAGE_BYTES);
    bool has_content = false;
    for (size_t i = 4; i < IMAGE_BYTES; i += 4)
        has_content |= memcmp(user, user + i, 4) != 0;
    assert_true(has_content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foreign_model_looks_like_the_same_model_of_a_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
