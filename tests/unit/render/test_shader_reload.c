/* test-labels: rendering */
/* Shaders that change while the program runs: files of a scratch folder. */
#include "mesh_feature.h"
#include "render_fixture.h"
#include "render/core/renderer_internal.h"
#include "scratch.h"

#include <string.h>
#include <unistd.h>

#include "shaders/render/core/full_screen.vert.h"
#include "shaders/tests/color.frag.h"

typedef struct Fixture {
    Scratch scratch;
    RenderFixture render;
    CnRenderPipeline pipeline;
} Fixture;

static const char plain[] = "#version 460\n"
                            "#include \"own/color.glsl\"\n"
                            "layout(location = 0) out vec4 target;\n"
                            "void main()\n"
                            "{\n"
                            "    target = color();\n"
                            "}\n";

static void save(Fixture *fixture, const char *name, const char *text)
{
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(&fixture->scratch, name), text,
                                  strlen(text), NULL));
}

static void init(Fixture *fixture)
{
    scratch_init(&fixture->scratch);
    CnFileSystem *files = cn_native_files();
    assert_true(files->make_folder(files, scratch_path(&fixture->scratch, "own"), NULL));
    save(fixture, "own/paint.frag", plain);
    save(fixture, "own/color.glsl", "vec4 color() { return vec4(1.0); }\n");
    assert_true(
        render_fixture_init_with(&fixture->render, RENDER_NULL,
                                 &(CnRendererDesc){.shader_folder = fixture->scratch.folder}));
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    CnShader paint = {"own_paint_frag", cn_shader_tests_color_frag,
                      sizeof cn_shader_tests_color_frag};
    fixture->pipeline = cn_render_pipeline_create(
        fixture->render.renderer,
        &(CnRenderPipelineDesc){
            .vertex = CN_SHADER(render_core_full_screen_vert),
            .fragment = paint,
            .state = {.name = "paint", .constants = 32, .color = {CN_GPU_FORMAT_RGBA8}}},
        &fixture->render.error);
    assert_int_not_equal(fixture->pipeline.id, 0);
}

static void fini(Fixture *fixture)
{
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    render_fixture_fini(&fixture->render);
    scratch_fini(&fixture->scratch);
}

static uint32_t pipeline_id(const Fixture *fixture)
{
    return cn_render_pipeline_get(fixture->render.renderer, fixture->pipeline).id;
}

static uint32_t reload(Fixture *fixture)
{
    return cn_renderer_reload_shaders(fixture->render.renderer);
}

static const char *shader_error(const Fixture *fixture)
{
    return cn_renderer_shader_error(fixture->render.renderer);
}

static void nothing_happens_when_nothing_was_saved(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    uint32_t before = pipeline_id(&fixture);
    assert_int_equal(reload(&fixture), 0);
    assert_int_equal(pipeline_id(&fixture), before);
    fini(&fixture);
}

static void a_saved_shader_replaces_its_pipeline(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    uint32_t before = pipeline_id(&fixture);
    save(&fixture, "own/paint.frag",
         "#version 460\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(0.5); }\n");
    assert_int_equal(reload(&fixture), 1);
    assert_int_not_equal(pipeline_id(&fixture), before);
    fini(&fixture);
}

static void a_saved_include_replaces_pipelines_that_include_it(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    save(&fixture, "own/color.glsl", "vec4 color() { return vec4(0.25); }\n");
    assert_int_equal(reload(&fixture), 1);
    fini(&fixture);
}

static void an_include_that_came_later_is_watched_too(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    save(&fixture, "own/more.glsl", "vec4 more() { return vec4(0.25); }\n");
    save(&fixture, "own/color.glsl",
         "#include \"own/more.glsl\"\nvec4 color() { return more(); }\n");
    assert_int_equal(reload(&fixture), 1);
    save(&fixture, "own/more.glsl", "vec4 more() { return vec4(0.75); }\n");
    assert_int_equal(reload(&fixture), 1);
    fini(&fixture);
}

/* Saves a secret beside the shader folder, and an include of it; the pipeline stays. */
static void assert_include_refused(const char *include, const char *reason)
{
    Fixture fixture;
    init(&fixture);
    Scratch outside;
    scratch_init(&outside);
    const char *secret = scratch_path(&outside, "secret.glsl");
    assert_true(cn_file_write_all(cn_native_files(), secret, "vec4 color() { return vec4(0.5); }\n",
                                  35, NULL));
    assert_int_equal(symlink(secret, scratch_path(&fixture.scratch, "own/link.glsl")), 0);
    assert_int_equal(symlink(outside.folder, scratch_path(&fixture.scratch, "own/folder")), 0);
    assert_int_equal(symlink("color.glsl", scratch_path(&fixture.scratch, "own/inside.glsl")), 0);
    uint32_t before = pipeline_id(&fixture);
    char name[512], text[1024];
    cn_format(name, sizeof name, include, strrchr(outside.folder, '/') + 1);
    cn_format(text, sizeof text,
              "#version 460\n#include \"%s\"\nlayout(location = 0) out vec4 target;\n"
              "void main() { target = color(); }\n",
              name);
    save(&fixture, "own/paint.frag", text);
    assert_int_equal(reload(&fixture), reason ? 0 : 1);
    assert_true((pipeline_id(&fixture) == before) == (reason != NULL));
    if (reason && !strstr(shader_error(&fixture), reason))
        fail_msg("%s", shader_error(&fixture));
    scratch_fini(&outside);
    fini(&fixture);
}

static void includes_do_not_leave_the_shader_folder(void **state)
{
    (void)state;
    assert_include_refused("../%s/secret.glsl", "below the shader folder");
    assert_include_refused("own/../../%s/secret.glsl", "below the shader folder");
    assert_include_refused("/tmp/%s/secret.glsl", "below the shader folder");
    assert_include_refused("own//color.glsl", "below the shader folder");
}

static void links_do_not_lead_out_of_the_shader_folder(void **state)
{
    (void)state;
    assert_include_refused("own/link.glsl", "does not exist");
    assert_include_refused("own/folder/secret.glsl", "does not exist");
    assert_include_refused("own/inside.glsl", NULL); /* a link inside of the folder is read */
}

/* ---- Full-screen passes ---- */

static const char glow[] = "#define RESULT_BINDING 1\n"
                           "#define RESULT_FORMAT rgba8\n"
                           "vec4 full_screen(ivec2 pixel) { return vec4(1.0); }\n";

static CnRenderPipeline make_pass(Fixture *fixture)
{
    save(fixture, "own/glow.pass.glsl", glow);
    CnShader shader = {"own_glow_frag", cn_shader_tests_color_frag,
                       sizeof cn_shader_tests_color_frag};
    return cn_render_pipeline_create(
        fixture->render.renderer,
        &(CnRenderPipelineDesc){
            .fragment = shader,
            .state = {.name = "glow", .constants = 32, .color = {CN_GPU_FORMAT_RGBA8}}},
        &fixture->render.error);
}

static void a_saved_full_screen_pass_replaces_its_pipeline(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    CnRenderPipeline pipeline = make_pass(&fixture);
    uint32_t before = cn_render_pipeline_get(fixture.render.renderer, pipeline).id;
    save(&fixture, "own/glow.pass.glsl",
         "vec4 full_screen(ivec2 pixel) { return vec4(pixel, 0, 1); }\n");
    assert_int_equal(reload(&fixture), 1);
    assert_string_equal(shader_error(&fixture), "");
    assert_int_not_equal(cn_render_pipeline_get(fixture.render.renderer, pipeline).id, before);
    fini(&fixture);
}

static void an_error_in_a_full_screen_pass_names_its_file_and_line(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    make_pass(&fixture);
    save(&fixture, "own/glow.pass.glsl", "\nvec4 full_screen(ivec2 pixel) { return glow; }\n");
    assert_int_equal(reload(&fixture), 0);
    assert_non_null(strstr(shader_error(&fixture), "own/glow.pass.glsl:2"));
    fini(&fixture);
}

static void both_forms_of_an_embedded_pass_can_be_compiled(void **state)
{
    (void)state;
    static const char *const names[] = {"render_feature_ao_frag", "render_feature_ao_comp",
                                        "render_feature_taa_still_comp"};
    RenderFixture fixture;
    assert_true(render_fixture_init_with(&fixture, RENDER_NULL, &(CnRendererDesc){0}));
    for (size_t i = 0; i < CN_COUNT_OF(names); i++) {
        CniRenderSpirv spirv;
        if (!cni_render_shader_compile(fixture.renderer, names[i], NULL, &spirv, &fixture.error))
            fail_msg("%s: %s", names[i], fixture.error.message);
        cni_render_spirv_free(fixture.renderer, &spirv);
    }
    render_fixture_fini(&fixture);
}

static void an_error_names_file_and_line_and_the_pipeline_stays(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    uint32_t before = pipeline_id(&fixture);
    save(&fixture, "own/color.glsl", "vec4 color()\n{\n    return colour;\n}\n");
    assert_int_equal(reload(&fixture), 0);
    assert_int_equal(pipeline_id(&fixture), before);
    assert_string_equal(shader_error(&fixture),
                        "own/color.glsl:3: error: 'colour' : undeclared identifier (malformed)");
    fini(&fixture);
}

static void a_shader_that_does_not_fit_its_pipeline_is_refused(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    uint32_t before = pipeline_id(&fixture);
    save(&fixture, "own/color.glsl",
         "layout(set = 0, binding = 3) uniform sampler2D t;\n"
         "vec4 color() { return texture(t, vec2(0.5)); }\n");
    assert_int_equal(reload(&fixture), 0);
    assert_int_equal(pipeline_id(&fixture), before);
    assert_non_null(strstr(shader_error(&fixture), "paint"));
    assert_non_null(strstr(shader_error(&fixture), "binding 3"));
    fini(&fixture);
}

static void an_error_is_gone_when_it_was_mended(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    save(&fixture, "own/color.glsl", "vec4 color() { return 1; \n");
    reload(&fixture);
    assert_string_not_equal(shader_error(&fixture), "");
    assert_int_equal(reload(&fixture), 0);
    assert_string_not_equal(shader_error(&fixture), "");
    save(&fixture, "own/color.glsl", "vec4 color() { return vec4(0.0); }\n");
    assert_int_equal(reload(&fixture), 1);
    assert_string_equal(shader_error(&fixture), "");
    fini(&fixture);
}

static void a_pipeline_made_later_is_made_of_what_was_saved(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    save(&fixture, "own/color.glsl", "vec4 color() { return vec4(0.25); }\n");
    assert_int_equal(reload(&fixture), 1);
    CnShader nothing = {"own_paint_frag", (const uint32_t[]){0},
                        4}; /* no SPIR-V: sources alone help */
    CnRenderPipeline second = cn_render_pipeline_create(
        fixture.render.renderer,
        &(CnRenderPipelineDesc){.vertex = CN_SHADER(render_core_full_screen_vert),
                                .fragment = nothing,
                                .state = {.name = "second", .color = {CN_GPU_FORMAT_RGBA8}}},
        &fixture.render.error);
    assert_int_not_equal(second.id, 0);
    fini(&fixture);
}

static void a_saved_shader_changes_the_image(void **state)
{
    (void)state;
    Fixture fixture;
    CnFileSystem *files = cn_native_files();
    scratch_init(&fixture.scratch);
    assert_true(files->make_folder(files, scratch_path(&fixture.scratch, "tests"), NULL));
    save(&fixture, "tests/mesh.frag", "as it was built\n");
    RenderFixture *render = &fixture.render;
    if (!render_fixture_init_with(render, RENDER_VULKAN,
                                  &(CnRendererDesc){.shader_folder = fixture.scratch.folder})) {
        scratch_fini(&fixture.scratch);
        return;
    }
    render_fixture_add(render, &mesh_feature, NULL);
    render_fixture_item(render, "shapes://cube", NULL, cn_vec3(0, 0, 0), 3);
    render_fixture_draw(render, 3);
    /* Blue is 1; red and green are a half, which GPUs round either way. */
    assert_memory_equal(render_fixture_pixel(render, 160, 90) + 2, "\xff\xff", 2);
    save(&fixture, "tests/mesh.frag",
         "#version 460\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(0, 1, 0, 1); }\n");
    assert_int_equal(reload(&fixture), 2); /* opaque and masked */
    render_fixture_draw(render, 1);
    assert_memory_equal(render_fixture_pixel(render, 160, 90), "\x00\xff\x00\xff", 4);
    render_fixture_fini(render);
    scratch_fini(&fixture.scratch);
}

static void note_folder(const CnLogRecord *record, void *user)
{
    *(bool *)user |= strstr(record->message, "/no/shaders") != NULL;
}

static void a_folder_that_is_not_there_is_reported(void **state)
{
    (void)state;
    bool was_reported = false;
    RenderFixture render;
    int sink = cn_log_add_sink(
        &(CnLogSink){.write = note_folder, .user = &was_reported, .level = CN_LOG_LEVEL_WARNING});
    assert_true(render_fixture_init_with(&render, RENDER_NULL,
                                         &(CnRendererDesc){.shader_folder = "/no/shaders"}));
    render_fixture_fini(&render);
    cn_log_remove_sink(sink);
    assert_true(was_reported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens_when_nothing_was_saved),
        cmocka_unit_test(a_saved_shader_replaces_its_pipeline),
        cmocka_unit_test(a_saved_include_replaces_pipelines_that_include_it),
        cmocka_unit_test(an_include_that_came_later_is_watched_too),
        cmocka_unit_test(includes_do_not_leave_the_shader_folder),
        cmocka_unit_test(links_do_not_lead_out_of_the_shader_folder),
        cmocka_unit_test(a_saved_full_screen_pass_replaces_its_pipeline),
        cmocka_unit_test(an_error_in_a_full_screen_pass_names_its_file_and_line),
        cmocka_unit_test(both_forms_of_an_embedded_pass_can_be_compiled),
        cmocka_unit_test(an_error_names_file_and_line_and_the_pipeline_stays),
        cmocka_unit_test(a_shader_that_does_not_fit_its_pipeline_is_refused),
        cmocka_unit_test(an_error_is_gone_when_it_was_mended),
        cmocka_unit_test(a_pipeline_made_later_is_made_of_what_was_saved),
        cmocka_unit_test(a_saved_shader_changes_the_image),
        cmocka_unit_test(a_folder_that_is_not_there_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
