/* Engines for tests: without a window, on the null backend unless a test asks for Vulkan. */
#ifndef CAIRN_TESTS_SUPPORT_ENGINE_ENGINE_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_ENGINE_ENGINE_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/engine.h>

/* `desc` may be NULL; the engine is headless, small and single-threaded. */
static inline CnEngineDesc small_desc(const CnEngineDesc *desc)
{
    CnEngineDesc all = desc ? *desc : (CnEngineDesc){0};
    all.headless = true;
    if (all.backend == CN_GPU_DEFAULT)
        all.backend = CN_GPU_NULL;
    if (!all.width) {
        all.width = 64;
        all.height = 48;
    }
    if (!all.threads)
        all.threads = 1;
    return all;
}

static inline CnEngine *make_engine(const CnEngineDesc *desc)
{
    CnError error = {0};
    CnEngineDesc all = small_desc(desc);
    CnEngine *engine = cn_engine_create(&all, &error);
    if (!engine)
        fail_msg("%s", error.message);
    return engine;
}

/* Fails the test if the device reported an error. */
static inline void end_engine(CnEngine *engine)
{
    CnGpuStats stats = cn_gpu_stats(cn_engine_gpu(engine));
    cn_engine_destroy(engine);
    assert_int_equal(stats.wrong_calls, 0);
    assert_int_equal(stats.validation_messages, 0);
}

static inline void run_frames(CnEngine *engine, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!cn_engine_frame(engine) && cn_engine_error(engine)->code != CN_OK)
            fail_msg("frame %u: %s", i, cn_engine_error(engine)->message);
}

/* Creates a camera at a position, looking along -z. */
static inline CnEntity add_camera(CnWorld *world, CnVec3 position)
{
    CnEntity camera = cn_object(world, "Camera");
    cn_add(world, camera, CnCamera);
    cn_get_mut(world, camera, CnTransform)->position = position;
    return camera;
}

static inline CnEntity add_shape(CnWorld *world, const char *name, CnVec3 position)
{
    CnMeshRenderer look = {.visible = true, .casts_shadows = true};
    char mesh[CN_ASSET_PATH_BYTES];
    cn_format(mesh, sizeof mesh, "shapes://%s", name);
    cn_copy_text(look.mesh, sizeof look.mesh, cn_text(mesh));
    CnEntity shape = cn_object(world, "Shape");
    cn_add(world, shape, CnMeshRenderer);
    *cn_get_mut(world, shape, CnMeshRenderer) = look;
    cn_get_mut(world, shape, CnTransform)->position = position;
    return shape;
}

static inline CnEntity add_sun(CnWorld *world)
{
    CnEntity sun = cn_object(world, "Sun");
    cn_set(world, sun, CnLight,
           {.kind = CN_LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .intensity = 3});
    return sun;
}

#endif
