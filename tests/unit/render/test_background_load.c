/* test-labels: threads */
/* Assets of foreign origin, which the renderer loads in the background. */
#include "mesh_feature.h"
#include "render_fixture.h"
#include "scratch.h"

#include "render/core/renderer_internal.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/vfs/decoder.h>
#include <cairn/vfs.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static RenderFixture fixture;
static Scratch scratch;
static CnVfs *vfs;
static CnCache *cache;

static void mount(const char *folder)
{
    if (!cn_vfs_mount_as(
            vfs, &(CnMountDesc){.scheme = "mods", .native = folder, .origin = CN_ORIGIN_FOREIGN},
            &fixture.error))
        fail_msg("%s", fixture.error.message);
}

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    vfs = cn_vfs_create(NULL, NULL);
    mount("scenes/models");
    cache = cn_cache_create(&(CnCacheDesc){.folder = scratch_path(&scratch, "cache")}, NULL);
    assert_non_null(cache);
    return render_fixture_init_with(&fixture, RENDER_NULL,
                                    &(CnRendererDesc){.files = cn_vfs_files(vfs), .cache = cache})
               ? 0
               : -1;
}

static int drop(void **state)
{
    (void)state;
    render_fixture_fini(&fixture);
    cn_cache_destroy(cache);
    cn_vfs_destroy(vfs);
    scratch_fini(&scratch);
    return 0;
}

#define LOAD_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

static uint32_t draw(void)
{
    render_fixture_draw(&fixture, 1);
    return cn_renderer_stats(fixture.renderer).items;
}

/* Draws frames until there are items; the test times out if there never are. */
static uint32_t draw_until_loaded(void)
{
    uint32_t items;
    while ((items = draw()) == 0)
        cn_clock_sleep_ns(1000000);
    return items;
}

static void a_foreign_model_is_not_in_the_frame_that_asks_for_it(void **state)
{
    (void)state;
    render_fixture_item(&fixture, "mods://box.gltf", NULL, cn_vec3(0, 0, 0), 1);
    assert_int_equal(draw(), 0);
}

static void a_foreign_model_is_drawn_once_it_is_loaded(void **state)
{
    (void)state;
    render_fixture_item(&fixture, "mods://lighthouse.glb", NULL, cn_vec3(0, 0, 0), 1);
    assert_true(draw_until_loaded() > 0);
    assert_true(cn_renderer_stats(fixture.renderer).textures > 0);
}

static void a_part_of_a_foreign_model_is_drawn_once_it_is_loaded(void **state)
{
    (void)state;
    render_fixture_item(&fixture, "mods://lighthouse.glb#Tower", NULL, cn_vec3(0, 0, 0), 1);
    assert_true(draw_until_loaded() > 0);
}

static void a_frame_that_waits_has_the_model(void **state)
{
    (void)state;
    fixture.frame_desc.wait_for_assets = true;
    render_fixture_item(&fixture, "mods://box.gltf", NULL, cn_vec3(0, 0, 0), 1);
    assert_true(draw() > 0);
}

static void a_model_that_is_used_twice_is_decoded_once(void **state)
{
    (void)state;
    render_fixture_item(&fixture, "mods://column.glb", NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_item(&fixture, "mods://column.glb", NULL, cn_vec3(1, 0, 0), 1);
    uint64_t before = cn_decoder_stats().started;
    uint32_t textures_before = cn_renderer_stats(fixture.renderer).textures;
    draw();
    draw();
    draw_until_loaded();
    assert_int_equal(cn_renderer_stats(fixture.renderer).models, 1);
    assert_int_equal(cn_decoder_stats().started - before,
                     1 + cn_renderer_stats(fixture.renderer).textures - textures_before);
}

static void a_cached_foreign_model_starts_a_process_only_for_its_textures(void **state)
{
    (void)state;
    uint64_t before = cn_decoder_stats().started;
    CnModel model = cn_model_load(fixture.renderer, "mods://column.glb", &fixture.error);
    uint64_t textures = cn_renderer_stats(fixture.renderer).textures;
    assert_true(model.id);
    assert_int_equal(cn_decoder_stats().started - before, 1 + textures);
    cn_model_destroy(fixture.renderer, model);
    before = cn_decoder_stats().started;
    assert_true(cn_model_load(fixture.renderer, "mods://column.glb", &fixture.error).id);
    assert_int_equal(cn_decoder_stats().started - before, textures);
}

static uint32_t errors;

static void count_errors(const CnLogRecord *record, void *user)
{
    (void)user;
    errors += strstr(record->message, "broken.glb") != NULL;
}

static void a_broken_foreign_model_is_reported_once_and_not_drawn(void **state)
{
    (void)state;
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&scratch, "broken.glb"),
                                  "glTF no", 7, &fixture.error));
    mount(scratch.folder);
    render_fixture_item(&fixture, "mods://broken.glb", NULL, cn_vec3(0, 0, 0), 1);
    errors = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_errors, .level = CN_LOG_LEVEL_ERROR});
    draw();
    fixture.frame_desc.wait_for_assets = true;
    assert_int_equal(draw(), 0);
    assert_int_equal(draw(), 0);
    cn_log_remove_sink(sink);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(errors, 1);
}

/* ---- Textures ---- */

static const char materials[] = "[{\"id\": \"A\", \"baseColorTexture\": \"mods://box.png\"}]";

static CnTexture read_material(void)
{
    if (!cn_materials_read(fixture.renderer, "scene.json", cn_text(materials), cn_text(""),
                           &fixture.error))
        fail_msg("%s", fixture.error.message);
    CnMaterial material = cn_material_find(fixture.renderer, "A");
    return cn_material_get(fixture.renderer, material).textures[CN_TEXTURE_BASE_COLOR];
}

static const CniRenderMaterial *material_of_scene(void)
{
    uint32_t number = cni_render_material_find(fixture.renderer, "A");
    return cni_render_material_at(fixture.renderer, number - 1);
}

static void a_foreign_texture_of_a_scene_is_neutral_until_it_is_loaded(void **state)
{
    (void)state;
    CnTexture texture = read_material();
    assert_int_equal(cn_texture_gpu(fixture.renderer, texture).id, 0);
    assert_int_equal(material_of_scene()->textures[CN_TEXTURE_BASE_COLOR].id,
                     fixture.renderer->defaults.white.id);
    fixture.frame_desc.wait_for_assets = true;
    draw();
    uint32_t loaded = cn_texture_gpu(fixture.renderer, texture).id;
    assert_int_not_equal(loaded, 0);
    assert_int_equal(material_of_scene()->textures[CN_TEXTURE_BASE_COLOR].id, loaded);
}

static void loading_a_texture_waits_for_one_that_was_requested(void **state)
{
    (void)state;
    CnTexture texture = read_material();
    CnTexture loaded = cn_texture_load(
        fixture.renderer, &(CnTextureLoadDesc){.path = "mods://box.png"}, &fixture.error);
    assert_int_equal(loaded.id, texture.id);
    assert_int_not_equal(cn_texture_gpu(fixture.renderer, loaded).id, 0);
}

static void a_texture_that_is_destroyed_while_it_is_loaded_is_forgotten(void **state)
{
    (void)state;
    CnTexture texture = read_material();
    cn_texture_destroy(fixture.renderer, texture);
    fixture.frame_desc.wait_for_assets = true;
    draw();
    assert_int_equal(cn_renderer_stats(fixture.renderer).textures, 0);
}

/* ---- GLSL ---- */

static void glsl_of_foreign_origin_is_refused_without_a_process(void **state)
{
    (void)state;
    static const char glsl[] = "void surface(inout Surface s) {}\n";
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&scratch, "glow.glsl"), glsl,
                                  sizeof glsl - 1, &fixture.error));
    mount(scratch.folder);
    assert_true(cn_preset_forward(fixture.renderer, &(CnRenderOptions){0}, NULL, &fixture.error));
    uint64_t before = cn_decoder_stats().started;
    assert_false(cn_materials_read(fixture.renderer, "scene.json", cn_text(""),
                                   cn_text("[{\"id\": \"G\", \"surface\": \"mods://glow.glsl\"}]"),
                                   &fixture.error));
    assert_int_equal(fixture.error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(fixture.error.message, "foreign origin"));
    assert_int_equal(cn_decoder_stats().started, before);
}

/* ---- The end ---- */

static void use_faulty_helper(void)
{
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    path[size > 0 ? size : 0] = 0;
    strcpy(strrchr(path, '/') + 1, "cairn-decode-faulty");
    setenv("CAIRN_DECODE", path, 1);
}

/* The helper would hang for an hour. */
static void a_renderer_that_is_destroyed_ends_its_loads(void **state)
{
    (void)state;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    budget.decode_ms = 3600000;
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&scratch, "fault-hang"), "x", 1,
                                  &fixture.error));
    assert_true(cn_vfs_mount_as(vfs,
                                &(CnMountDesc){.scheme = "slow",
                                               .native = scratch.folder,
                                               .origin = CN_ORIGIN_FOREIGN,
                                               .budget = &budget},
                                &fixture.error));
    use_faulty_helper();
    uint64_t before = cn_decoder_stats().started;
    render_fixture_item(&fixture, "slow://fault-hang", NULL, cn_vec3(0, 0, 0), 1);
    draw();
    while (cn_decoder_stats().started == before)
        cn_clock_sleep_ns(1000000);
    draw(); /* frames go on meanwhile */
    draw();
    cn_renderer_destroy(fixture.renderer);
    fixture.renderer = NULL;
    unsetenv("CAIRN_DECODE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOAD_TEST(a_foreign_model_is_not_in_the_frame_that_asks_for_it),
        LOAD_TEST(a_foreign_model_is_drawn_once_it_is_loaded),
        LOAD_TEST(a_part_of_a_foreign_model_is_drawn_once_it_is_loaded),
        LOAD_TEST(a_frame_that_waits_has_the_model),
        LOAD_TEST(a_model_that_is_used_twice_is_decoded_once),
        LOAD_TEST(a_cached_foreign_model_starts_a_process_only_for_its_textures),
        LOAD_TEST(a_broken_foreign_model_is_reported_once_and_not_drawn),
        LOAD_TEST(a_foreign_texture_of_a_scene_is_neutral_until_it_is_loaded),
        LOAD_TEST(loading_a_texture_waits_for_one_that_was_requested),
        LOAD_TEST(a_texture_that_is_destroyed_while_it_is_loaded_is_forgotten),
        LOAD_TEST(glsl_of_foreign_origin_is_refused_without_a_process),
        LOAD_TEST(a_renderer_that_is_destroyed_ends_its_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
