/* test-labels: rendering */
/* A block that only one table has is drawn with the texture and the tint that it was registered
 * with. */
#include "block_scene.h"
#include "standard_blocks.h"

#include <crafty/world/blocks.h>

static CnBlockTable *make_table(void)
{
    CnBlockTable *table = crafty_blocks_create(NULL, NULL);
    assert_non_null(table);
    CnBlockInfo ruby = *cn_block_info(standard_blocks(), BLOCK_SNOW);
    ruby.name = "mod:ruby";
    ruby.title = NULL;
    ruby.tint[1] = ruby.tint[2] = 20;
    assert_true(cn_block_table_add(table, &ruby, NULL, NULL));
    cn_block_table_close(table);
    return table;
}

static void a_block_of_a_mod_has_its_texture_and_tint(void **state)
{
    (void)state;
    CnBlockTable *table = make_table();
    BlockScene scene;
    if (!block_scene_init(
            &scene, &(BlockSceneDesc){.backend = RENDER_VULKAN, .blocks = table, .empty = true})) {
        cn_block_table_destroy(table);
        skip();
    }
    block_scene_add_all(&scene);
    block_scene_fill(&scene, (CnCell){-6, 0, -4}, (CnCell){6, 8, -4}, "mod:ruby");
    block_scene_show(&scene);
    block_scene_camera(&scene, cn_vec3(0.5f, 3, 2), 0, 0);
    block_scene_sun(&scene, cn_vec3(-0.2f, -0.5f, -0.8f));
    render_fixture_draw(&scene.fixture, CN_GPU_FRAMES + 2);
    const uint8_t *pixel =
        render_fixture_pixel(&scene.fixture, RENDER_FIXTURE_WIDTH / 2, RENDER_FIXTURE_HEIGHT / 2);
    assert_true(pixel[0] > 100);
    assert_true(pixel[1] < pixel[0] / 2 && pixel[2] < pixel[0] / 2);
    block_scene_fini(&scene);
    cn_block_table_destroy(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_of_a_mod_has_its_texture_and_tint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
