/*
 * Engines that move a shape for some frames and write images: alone, in turn, or each on its own
 * thread. They do the same every time; the images of the null backend have undefined contents.
 */
#ifndef CAIRN_TESTS_SUPPORT_ENGINE_ENGINE_RUNS_H
#define CAIRN_TESTS_SUPPORT_ENGINE_ENGINE_RUNS_H

#include "engine_fixture.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <pthread.h>
#include <stdlib.h>

#define RUN_FRAMES 8u

typedef struct EngineRun {
    CnGpuBackend backend;
    CnSwitch render_thread;
    uint32_t shape; /* the shape to render */
    /* Filled in. */
    CnEngine *engine;
    CnEntity object;
    Scratch scratch; /* its images; forget_run removes them */
    uint64_t sim_hash;
    uint64_t log_hash; /* of the null backend: the commands of the last frame */
} EngineRun;

static inline void move_shape(CnEngine *engine, void *user)
{
    const EngineRun *run = user;
    cn_get_mut(cn_engine_world(engine), run->object, CnTransform)->position.x += 0.05f;
}

static inline void begin_run(EngineRun *run)
{
    static const char *const names[] = {"sphere", "cube", "torus"};
    scratch_init(&run->scratch);
    run->engine = make_engine(
        &(CnEngineDesc){.backend = run->backend,
                        .validation = run->backend == CN_GPU_VULKAN,
                        .render_thread = run->render_thread,
                        .preset = cn_preset_forward,
                        .render = {.sky = {.kind = CN_SKY_COLOR, .color = {0.2f, 0.3f, 0.5f}}},
                        .image_path = run->scratch.folder,
                        .frames = RUN_FRAMES});
    CnWorld *world = cn_engine_world(run->engine);
    add_camera(world, (CnVec3){0, 0, 3});
    add_sun(world);
    run->object = add_shape(world, names[run->shape % 3], (CnVec3){-0.3f, 0, 0});
    cn_engine_before_frame(run->engine, move_shape, run);
}

static inline uint64_t hash_log(const CnGpu *gpu)
{
    uint32_t count;
    uint64_t hash = 0;
    const CnGpuLogEntry *log = cn_gpu_command_log(gpu, &count);
    for (uint32_t i = 0; i < count; i++) {
        hash = cn_hash_bytes(log[i].command, strlen(log[i].command), hash);
        hash = cn_hash_bytes(log[i].name, strlen(log[i].name), hash);
        hash = cn_hash_bytes(log[i].numbers, sizeof log[i].numbers, hash);
    }
    return hash;
}

static inline void end_run(EngineRun *run)
{
    assert_true(cn_engine_is_over(run->engine));
    assert_int_equal(cn_engine_error(run->engine)->code, CN_OK);
    run->sim_hash = cn_sim_hash(cn_engine_sim(run->engine));
    run->log_hash = hash_log(cn_engine_gpu(run->engine));
    end_engine(run->engine);
}

static inline void *run_to_the_end(void *data)
{
    EngineRun *run = data;
    while (cn_engine_frame(run->engine)) {
    }
    return NULL;
}

static inline void run_alone(EngineRun *run)
{
    begin_run(run);
    run_to_the_end(run);
    end_run(run);
}

static inline void run_in_turn(EngineRun *a, EngineRun *b)
{
    begin_run(a);
    begin_run(b);
    bool goes_on = true;
    while (goes_on) {
        goes_on = cn_engine_frame(a->engine);
        goes_on |= cn_engine_frame(b->engine);
    }
    end_run(a);
    end_run(b);
}

static inline void run_on_two_threads(EngineRun *a, EngineRun *b)
{
    pthread_t thread;
    begin_run(a);
    begin_run(b);
    assert_int_equal(pthread_create(&thread, NULL, run_to_the_end, a), 0);
    run_to_the_end(b);
    pthread_join(thread, NULL);
    end_run(a);
    end_run(b);
}

static inline CnFileBytes image_of(const EngineRun *run, uint32_t frame)
{
    char path[32];
    CnFileBytes bytes;
    cn_format(path, sizeof path, "%04u.png", frame);
    assert_true(
        cn_file_read_all(cn_native_files(), scratch_path(&run->scratch, path), NULL, &bytes, NULL));
    return bytes;
}

static inline void forget_run(EngineRun *run)
{
    scratch_fini(&run->scratch);
}

static inline void assert_same_run(const EngineRun *a, const EngineRun *b)
{
    assert_int_equal(a->sim_hash, b->sim_hash);
    assert_int_equal(a->log_hash, b->log_hash);
    for (uint32_t i = 0; a->backend == CN_GPU_VULKAN && i < RUN_FRAMES; i++) {
        CnFileBytes left = image_of(a, i), right = image_of(b, i);
        assert_int_equal(left.size, right.size);
        assert_memory_equal(left.data, right.data, left.size);
        cn_file_bytes_free(&left);
        cn_file_bytes_free(&right);
    }
}

#endif
