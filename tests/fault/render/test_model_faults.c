/* Models, images and materials while memory or files fail: an error, and nothing is left behind. */
#include "cmocka_tests.h"
#include "glb_import.h"
#include "failing_heap.h"
#include "faulty_files.h"
#include "scratch.h"

#include "render/asset/model_file.h"

#include <cairn/base/log.h>
#include <cairn/gpu.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static Scratch scratch;

static bool check_error(bool ok, const CnError *error)
{
    assert_true(ok == (error->code == CN_OK));
    return ok;
}

static bool import_and_bake(CnAllocator *allocator, void *user)
{
    CniRenderModelData data, again;
    CnError error = {0};
    CnFileBytes bytes;
    CnU8Array baked;
    const char *path = user;
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error));
    cni_render_model_data_init(&data, allocator);
    cni_render_model_data_init(&again, allocator);
    cn_array_init(&baked, allocator);
    bool ok =
        check_error(cni_render_model_import(cn_native_files(), path, NULL, bytes, &data, &error),
                    &error) &&
        cni_render_model_write_baked(&data, &baked) &&
        check_error(cni_render_model_read_baked(baked.items, baked.count, "b", &again, &error),
                    &error);
    cn_array_fini(&baked);
    cni_render_model_data_fini(&again);
    cni_render_model_data_fini(&data);
    cn_file_bytes_free(&bytes);
    return ok;
}

static void an_import_survives_every_lack_of_memory(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(import_and_bake, "scenes/models/box.gltf") > 10);
    assert_true(run_with_failing_allocations(import_and_bake, "scenes/models/column.glb") > 10);
    assert_true(run_with_failing_allocations(import_and_bake, "scenes/models/crate.obj") > 10);
}

/* With lights, cameras, variants, scenes, points, and a clip that changes all of them. */
static void an_import_of_a_scene_survives_every_lack_of_memory(void **state)
{
    (void)state;
    static const float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, times[2] = {0, 2};
    const char *path = scratch_path(&scratch, "scene.glb");
    GlbBuilder builder = {0};
    CnError error = {0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    glb_add(&builder, triangle, sizeof triangle, 0,
            "'componentType': 5126, 'count': 3, 'type': 'VEC3'");
    glb_add(&builder, times, sizeof times, 0,
            "'componentType': 5126, 'count': 2, 'type': 'SCALAR'");
    assert_true(glb_write(
        &builder,
        "'extensions': {'KHR_materials_variants': {'variants': [{'name': 'V'}]}, "
        "'KHR_lights_punctual': {'lights': [{'type': 'point'}]}}, 'materials': [{}, {}], "
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'material': 0, 'extensions': "
        "{'KHR_materials_variants': {'mappings': [{'material': 1, 'variants': [0]}]}}}, "
        "{'attributes': {'POSITION': 0}, 'mode': 0}, {'attributes': {'POSITION': 0}, 'mode': 2}]}], "
        "'cameras': [{'type': 'perspective', 'perspective': {'yfov': 1, 'znear': 1}}], 'scenes': "
        "[{'name': 'S', 'nodes': [0]}], 'nodes': [{'mesh': 0, 'camera': 0, 'extensions': "
        "{'KHR_lights_punctual': {'light': 0}}}], 'animations': [{'samplers': [{'input': 1, "
        "'output': 1}], 'channels': [{'sampler': 0, 'target': {'path': 'pointer', 'extensions': "
        "{'KHR_animation_pointer': {'pointer': "
        "'/nodes/0/extensions/KHR_node_visibility/visible'}}}}, {'sampler': 0, 'target': {'path': "
        "'pointer', 'extensions': {'KHR_animation_pointer': {'pointer': "
        "'/extensions/KHR_lights_punctual/lights/0/intensity'}}}}]}]",
        path, &error));
    char copy[300];
    cn_copy_text(copy, sizeof copy, cn_text(path));
    assert_true(run_with_failing_allocations(import_and_bake, copy) > 10);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

static bool read_image(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    CnFileBytes bytes;
    CnImage image;
    (void)user;
    assert_true(cn_file_read_all(cn_native_files(), "scenes/models/box.png", NULL, &bytes, &error));
    bool ok = check_error(cn_image_read(&(CnImageReadDesc){.bytes = bytes.data,
                                                           .size = bytes.size,
                                                           .name = "box",
                                                           .allocator = allocator},
                                        &image, &error),
                          &error);
    if (ok)
        ok = check_error(
            cn_image_write(&image, cn_native_files(), scratch_path(&scratch, "a.png"), &error),
            &error);
    cn_image_free(&image);
    cn_file_bytes_free(&bytes);
    return ok;
}

static void an_image_survives_every_lack_of_memory(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(read_image, NULL), 2);
}

typedef struct Loading {
    CnGpu *gpu;
    CnFileSystem *files;
    CnCache *cache;
} Loading;

static CnCache *make_cache(void)
{
    CnCache *cache =
        cn_cache_create(&(CnCacheDesc){.folder = scratch_path(&scratch, "cache")}, NULL);
    assert_non_null(cache);
    return cache;
}

static bool load_all(CnAllocator *allocator, void *user)
{
    const Loading *loading = user;
    CnError error = {0};
    CnRenderer *renderer = cn_renderer_create(&(CnRendererDesc){.allocator = allocator,
                                                                .gpu = loading->gpu,
                                                                .files = loading->files,
                                                                .cache = loading->cache},
                                              &error);
    if (!renderer)
        return false;
    bool ok =
        cn_model_load(renderer, "scenes/models/lighthouse.glb#Tower", &error).id &&
        cn_texture_load(renderer, &(CnTextureLoadDesc){.path = "scenes/models/box.png"}, &error)
            .id &&
        cn_materials_read(renderer, "m",
                          cn_text("[{\"id\": \"A\", \"normalTexture\": "
                                  "\"scenes/models/box.png\"}, {\"id\": \"B\"}]"),
                          cn_text(""), &error);
    assert_true(ok == (error.code == CN_OK));
    /* A texture that found no memory is left out, and that is no error: all of it is there, or the
     * next try. */
    if (ok)
        ok = cn_renderer_stats(renderer).textures == 8;
    cn_renderer_destroy(renderer);
    return ok;
}

static void loading_survives_every_lack_of_memory(void **state)
{
    (void)state;
    Loading loading = {.gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, NULL),
                       .files = cn_native_files()};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(run_with_failing_allocations(load_all, &loading) > 50);
    cn_gpu_destroy(loading.gpu);
}

static void loading_survives_every_failure_of_files(void **state)
{
    (void)state;
    FaultyFiles files;
    Loading loading = {.gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, NULL),
                       .files = &files.files,
                       .cache = make_cache()};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    bool has_failed = true;
    for (uint32_t nth = 0; has_failed; nth++) {
        faulty_files_init(&files, cn_native_files());
        faulty_files_fail(&files, FAULT_ANY, nth, FAULT_ONCE);
        load_all(NULL, &loading);
        has_failed = files.has_failed;
        assert_int_equal(files.open_files, 0);
    }
    cn_cache_destroy(loading.cache);
    cn_gpu_destroy(loading.gpu);
}

/* The cache is no part of what is asked for. */
static void loading_does_not_mind_a_full_disk_of_the_cache(void **state)
{
    (void)state;
    Loading loading = {.gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, NULL),
                       .files = cn_native_files(),
                       .cache = make_cache()};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    /* Full disks of several sizes: the kernel refuses to write more than these bytes to a file. */
    static const rlim_t room[] = {0, 1, 112, 113, 4096};
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (uint32_t i = 0; i < CN_COUNT_OF(room); i++) {
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){room[i], before.rlim_max}), 0);
        bool ok = load_all(NULL, &loading);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_true(ok);
    }
    cn_cache_destroy(loading.cache);
    cn_gpu_destroy(loading.gpu);
}

static int make_scratch(void **state)
{
    (void)state;
    scratch_init(&scratch);
    return 0;
}

static int remove_scratch(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_import_survives_every_lack_of_memory),
        cmocka_unit_test(an_import_of_a_scene_survives_every_lack_of_memory),
        cmocka_unit_test(an_image_survives_every_lack_of_memory),
        cmocka_unit_test(loading_survives_every_lack_of_memory),
        cmocka_unit_test(loading_survives_every_failure_of_files),
        cmocka_unit_test(loading_does_not_mind_a_full_disk_of_the_cache),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
