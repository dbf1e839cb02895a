/*
 * Random graphs on a real device: attachments are cleared, loaded and stored, transfers copy, over
 * mips, layers, memory that is shared, and frames in flight; validation has nothing to say.
 */
#include "gpu_device.h"
#include "random_graph.h"

#include <stdlib.h>

#define SEEDS 4u
#define FRAMES 15u
#define SCRATCH_BYTES (1u << 20)

typedef struct Work {
    CnGpuBuffer scratch; /* textures and buffers are copied to it */
    bool is_scratch_used;
} Work;

static void copy_texture(const CnGraphRun *run, Work *work, const RandomUse *use, uint32_t id)
{
    CnGpuTexture texture = {id};
    for (uint32_t m = use->mip; m < use->mip + use->mip_count; m++) {
        CnGpuRegion region = {.mip = m, .layer = use->layer, .layer_count = use->layer_count};
        if (!use->writes) {
            buffer_barrier(run->commands, work->scratch,
                           work->is_scratch_used ? CN_GPU_ACCESS_COPY_TO : CN_GPU_ACCESS_NONE,
                           CN_GPU_ACCESS_COPY_TO);
            work->is_scratch_used = true;
            cn_gpu_copy_from_texture(run->commands, texture, work->scratch, &region);
            continue;
        }
        CnGpuUpload upload = cn_gpu_upload(run->commands, SCRATCH_BYTES, 0);
        assert_non_null(upload.data);
        region.offset = upload.offset;
        cn_gpu_copy_to_texture(run->commands, upload.buffer, texture, &region);
    }
}

static void copy_buffer(const CnGraphRun *run, Work *work, const RandomUse *use, uint32_t id)
{
    CnGpuBuffer buffer = {id};
    if (use->writes) {
        cn_gpu_fill_buffer(run->commands, buffer, 0, 256, 7);
        return;
    }
    buffer_barrier(run->commands, work->scratch,
                   work->is_scratch_used ? CN_GPU_ACCESS_COPY_TO : CN_GPU_ACCESS_NONE,
                   CN_GPU_ACCESS_COPY_TO);
    work->is_scratch_used = true;
    cn_gpu_copy_buffer(run->commands, buffer, 0, work->scratch, 0, 256);
}

static void work_of_pass(const CnGraphRun *run, const RandomPass *pass, void *user)
{
    Work *work = user;
    for (uint32_t i = 0; i < pass->use_count && pass->kind == CN_GRAPH_TRANSFER; i++) {
        const RandomUse *use = &pass->uses[i];
        const RandomResource *resource = &pass->graph->resources[use->resource];
        if (resource->is_texture)
            copy_texture(run, work, use, resource->physical);
        else
            copy_buffer(run, work, use, resource->physical);
    }
}

/* Returns how many frames there were to record. */
static uint32_t run_frames(CnGpu *gpu, CnGraph *graph, RandomGraph *random)
{
    CnError error = {0};
    uint32_t done = 0;
    for (uint32_t i = 0; i < FRAMES; i++) {
        random_graph_declare(random);
        if (!cn_graph_compile(graph, &error)) {
            assert_int_equal(error.code, CN_ERROR_CYCLE);
            continue;
        }
        CnGpuCommands *commands = cn_gpu_begin_frame(gpu, &error);
        assert_non_null(commands);
        cn_graph_execute(graph, commands);
        assert_true(cn_gpu_end_frame(gpu, &error));
        random_graph_executed(random);
        done++;
    }
    return done;
}

static void random_graphs_leave_validation_silent(void **state)
{
    (void)state;
    uint32_t done = 0;
    RandomGraph *random = malloc(sizeof *random);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        CnGpu *gpu = make_vulkan(&(CnGpuDesc){.upload_bytes = 256u << 20});
        if (!gpu) {
            free(random);
            skip();
        }
        CnGraph *graph = cn_graph_create(&(CnGraphDesc){.gpu = gpu}, NULL);
        assert_non_null(graph);
        Work work = {.scratch = make_readback(gpu, SCRATCH_BYTES)};
        random_graph_init(random, gpu, graph, seed);
        random->work = work_of_pass;
        random->user = &work;
        done += run_frames(gpu, graph, random);
        random_graph_fini(random);
        cn_graph_destroy(graph);
        cn_gpu_buffer_destroy(gpu, work.scratch);
        end_gpu(gpu);
    }
    assert_true(done > SEEDS * FRAMES / 2);
    free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_leave_validation_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
