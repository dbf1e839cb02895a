/*
 * Implements --check: counts the heap allocations and GPU errors of a run, and compares memory use
 * at the end with that in the middle.
 */
#include "engine/engine_internal.h"

#define SPARE_BYTES (64u << 10)

bool cni_engine_check_begin(CnEngine *engine, CnError *error)
{
    if (!engine->desc.check)
        return true;
    engine->check.heap = cn_heap_create(&(CnHeapDesc){.parent = engine->allocator}, error);
    if (!engine->check.heap)
        return false;
    engine->check.before = engine->allocator;
    engine->allocator = cn_heap_tag(engine->check.heap, "engine");
    return true;
}

void cni_engine_check_end(CnEngine *engine)
{
    if (!engine->check.heap)
        return;
    engine->allocator = engine->check.before;
    cn_heap_destroy(engine->check.heap);
}

static CniEngineCheckpoint take_checkpoint(const CnEngine *engine)
{
    return (CniEngineCheckpoint){.heap = cn_heap_stats(engine->check.heap),
                                 .gpu_bytes = cn_gpu_stats(engine->gpu).reserved_bytes};
}

/* Cycles through several image sizes. */
static void resize(CnEngine *engine)
{
    static const uint32_t eighths[][2] = {{8, 8}, {4, 4}, {6, 8}, {8, 5}, {7, 7}};
    uint64_t turn = engine->frame / engine->desc.resize_every;
    const uint32_t *by = eighths[turn % CN_COUNT_OF(eighths)];
    uint32_t width = engine->desc.width * by[0] / 8, height = engine->desc.height * by[1] / 8;
    cn_engine_set_size(engine, width ? width : 1, height ? height : 1);
}

void cni_engine_check_frame(CnEngine *engine)
{
    if (engine->desc.resize_every && engine->frame % engine->desc.resize_every == 0)
        resize(engine);
    if (engine->check.heap && engine->frame == engine->desc.frames / 2) {
        cni_engine_draw_wait(engine);
        engine->check.midpoint = take_checkpoint(engine);
    }
}

bool cni_engine_check_result(CnEngine *engine, CnError *error)
{
    if (!engine->check.heap)
        return true;
    const CniEngineCheckpoint *midpoint = &engine->check.midpoint;
    CniEngineCheckpoint now = take_checkpoint(engine);
    CnGpuStats gpu = cn_gpu_stats(engine->gpu);
    unsigned long long calls = now.heap.calls - midpoint->heap.calls;
    CN_LOG_INFO(
        "engine",
        "check: %llu frames, %llu allocations in the second half, %llu KiB (%llu before), "
        "GPU %llu KiB (%llu before), %llu validation messages, %llu wrong calls",
        (unsigned long long)engine->frame, calls, (unsigned long long)now.heap.live_bytes >> 10,
        (unsigned long long)midpoint->heap.live_bytes >> 10,
        (unsigned long long)now.gpu_bytes >> 10, (unsigned long long)midpoint->gpu_bytes >> 10,
        (unsigned long long)gpu.validation_messages, (unsigned long long)gpu.wrong_calls);
    if (gpu.validation_messages || gpu.wrong_calls)
        return cn_error_set(error, CN_ERROR_MISMATCH, "check: the GPU was used incorrectly");
    if (!midpoint->heap.calls)
        return true; /* too few frames to compare */
    if (calls && !engine->desc.resize_every)
        return cn_error_set(error, CN_ERROR_LIMIT, "check: %llu allocations in steady frames",
                            calls);
    bool grows = now.heap.live_bytes > midpoint->heap.live_bytes * 11 / 10 + SPARE_BYTES ||
                 now.gpu_bytes > midpoint->gpu_bytes * 3 / 2;
    return !grows || cn_error_set(error, CN_ERROR_LIMIT, "check: memory use grows");
}
