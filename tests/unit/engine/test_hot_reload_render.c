/* Hot reload of materials, GLSL, models and textures. On the null backend. */
/* test-labels: threads */
#include "reload_fixture.h"

#include <cairn/sim/replay.h>

static ReloadFixture f;

#define SCENE(roughness, mesh)                                                                     \
    "{\"id\": \"S\", \"nodes\": [\n"                                                               \
    " {\"id\": \"Eye\", \"components\": [{\"type\": \"CameraComponent\"}]},\n"                     \
    " {\"id\": \"A\", \"components\": [\n"                                                         \
    "  {\"type\": \"MeshRendererComponent\", \"mesh\": \"" mesh "\", \"material\": \"M\"}]}],\n"   \
    " \"pipelines\": [{\"id\": \"Glow\", \"surface\": \"assets://glow.glsl\"}],\n"                 \
    " \"materials\": [{\"id\": \"M\", \"pipeline\": \"Glow\",\n"                                   \
    "  \"roughness\": " roughness "}]}\n"
#define GLOW(red) "void surface(inout Surface s)\n{\n    s.emission = vec3(" red ", 0.0, 0.0);\n}\n"
#define MODEL "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"

static int begin(void **state)
{
    (void)state;
    reload_begin_files(&f);
    reload_write(&f, "main.json", SCENE("0.5", "shapes://cube"));
    reload_write(&f, "glow.glsl", GLOW("1.0"));
    return 0;
}

static int end(void **state)
{
    (void)state;
    reload_end(&f);
    return 0;
}

static void begin_engine(void)
{
    reload_begin_engine(&f, &(CnEngineDesc){.preset = cn_preset_forward});
    run_frames(f.engine, 3);
}

static float roughness(void)
{
    CnRenderer *renderer = cn_engine_renderer(f.engine);
    return cn_material_get(renderer, cn_material_find(renderer, "M")).roughness;
}

static bool is_smooth(ReloadFixture *fixture)
{
    (void)fixture;
    return roughness() == 0.25f;
}

static void a_material_is_replaced(void **state)
{
    (void)state;
    begin_engine();
    assert_true(roughness() == 0.5f);
    reload_write(&f, "main.json", SCENE("0.25", "shapes://cube"));
    reload_run_until(&f, is_smooth, "the new roughness");
}

static void a_broken_material_stands_until_it_is_mended(void **state)
{
    (void)state;
    begin_engine();
    reload_write(&f, "main.json", SCENE("\"high\"", "shapes://cube"));
    reload_wait_error(&f, "project://main.json", 7);
    assert_true(roughness() == 0.5f);
    reload_write(&f, "main.json", SCENE("0.25", "shapes://cube"));
    reload_run_until(&f, is_smooth, "the mended material");
    run_frames(f.engine, 1);
    assert_true(reload_has_no_error(&f));
}

static void a_broken_shader_stands_until_it_is_mended(void **state)
{
    (void)state;
    begin_engine();
    reload_write(&f, "glow.glsl", "void surface(inout Surface s)\n{\n    s.nothing = 1;\n}\n");
    reload_wait_error(&f, "assets://glow.glsl", 3);
    reload_write(&f, "glow.glsl", GLOW("0.5"));
    reload_run_until(&f, reload_has_no_error, "no error");
}

static void a_missing_model_stands_until_it_is_there(void **state)
{
    (void)state;
    reload_write(&f, "main.json", SCENE("0.5", "assets://late.obj"));
    begin_engine();
    CnError error = reload_error(&f);
    assert_string_equal(error.file, "assets://late.obj");
    uint32_t models = cn_renderer_stats(cn_engine_renderer(f.engine)).models;
    reload_write(&f, "late.obj", MODEL);
    reload_run_until(&f, reload_has_no_error, "the model");
    assert_true(cn_renderer_stats(cn_engine_renderer(f.engine)).models > models);
}

static void a_model_that_breaks_stands_until_it_is_mended(void **state)
{
    (void)state;
    reload_write(&f, "main.json", SCENE("0.5", "assets://late.obj"));
    reload_write(&f, "late.obj", MODEL);
    begin_engine();
    assert_true(reload_has_no_error(&f));
    reload_write(&f, "late.obj", "v 0 0 0\nv 1 0 nonsense\n");
    reload_run_until(&f, reload_has_error, "an error");
    assert_non_null(strstr(reload_error(&f).file, "late.obj"));
    reload_write(&f, "late.obj", MODEL MODEL);
    reload_run_until(&f, reload_has_no_error, "no error");
}

static void a_material_is_replaced_beside_a_render_thread(void **state)
{
    (void)state;
    reload_begin_engine(
        &f, &(CnEngineDesc){.preset = cn_preset_forward, .render_thread = CN_SWITCH_ON});
    run_frames(f.engine, 3);
    reload_write(&f, "main.json", SCENE("0.25", "shapes://cube"));
    reload_run_until(&f, is_smooth, "the new roughness");
}

#define TEXTURED                                                                                   \
    "{\"id\": \"S\", \"nodes\": [],\n"                                                             \
    " \"materials\": [{\"id\": \"M\", \"baseColorTexture\": \"assets://ground.png\"}]}\n"

static void put_image(void)
{
    CnFileBytes bytes;
    const char *path = scratch_path(&f.scratch, "ground.png");
    assert_true(cn_file_read_all(cn_native_files(), "scenes/gallery/assets/ground.png", NULL,
                                 &bytes, NULL));
    assert_true(cn_file_write_all(cn_native_files(), path, bytes.data, bytes.size, NULL));
    cn_file_bytes_free(&bytes);
}

static void a_texture_that_breaks_stands_until_it_is_mended(void **state)
{
    (void)state;
    reload_write(&f, "main.json", TEXTURED);
    put_image();
    begin_engine();
    assert_true(reload_has_no_error(&f));
    reload_write(&f, "ground.png", "no image");
    reload_run_until(&f, reload_has_error, "an error");
    assert_non_null(strstr(reload_error(&f).file, "ground.png"));
    put_image();
    reload_run_until(&f, reload_has_no_error, "no error");
}

static void textures_and_shaders_do_not_wait_for_recordings(void **state)
{
    (void)state;
    begin_engine();
    CnRecorder *recorder = cn_recorder_create(cn_scene_sim(f.scene), NULL, NULL);
    reload_write(&f, "glow.glsl", "nonsense\n");
    reload_wait_error(&f, "assets://glow.glsl", 1);
    cn_recorder_destroy(recorder);
}

#define RELOAD_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RELOAD_TEST(a_material_is_replaced),
        RELOAD_TEST(a_broken_material_stands_until_it_is_mended),
        RELOAD_TEST(a_broken_shader_stands_until_it_is_mended),
        RELOAD_TEST(a_missing_model_stands_until_it_is_there),
        RELOAD_TEST(a_model_that_breaks_stands_until_it_is_mended),
        RELOAD_TEST(a_material_is_replaced_beside_a_render_thread),
        RELOAD_TEST(a_texture_that_breaks_stands_until_it_is_mended),
        RELOAD_TEST(textures_and_shaders_do_not_wait_for_recordings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
