/* A chain of mips on a real device, each made from the one above it: barriers are for parts of a
 * texture. */
#include "gpu_device.h"

#include <cairn/render.h>

#include "shaders/tests/graph_next.comp.h"

#define SIZE 32u
#define MIPS 6u
#define FRAMES 4u

typedef struct Mips {
    CnGpuPipeline next;
    CnGpuSampler sampler;
    CnGraphTexture chain;
    CnGraphBuffer numbers, readback;
} Mips;

typedef struct MipPass {
    Mips *mips;
    uint32_t mip;
} MipPass;

static void run_fill(const CnGraphRun *run)
{
    const Mips *mips = run->user;
    cn_gpu_fill_buffer(run->commands, cn_graph_get_buffer(run->graph, mips->numbers), 0, 64, 5);
}

static void run_upload(const CnGraphRun *run)
{
    const Mips *mips = run->user;
    CnGpuUpload upload = cn_gpu_upload(run->commands, SIZE * SIZE * 4, 0);
    assert_non_null(upload.data);
    uint32_t *texels = upload.data;
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        texels[i] = i;
    cn_gpu_copy_to_texture(run->commands, upload.buffer,
                           cn_graph_get_texture(run->graph, mips->chain),
                           &(CnGpuRegion){.offset = upload.offset});
}

static void run_mip(const CnGraphRun *run)
{
    const MipPass *pass = run->user;
    const Mips *mips = pass->mips;
    CnGpuTexture chain = cn_graph_get_texture(run->graph, mips->chain);
    uint32_t groups = ((SIZE >> pass->mip) + 7) / 8;
    cn_gpu_bind_pipeline(run->commands, mips->next);
    cn_gpu_bind_texture_mip(run->commands, 0, chain, pass->mip - 1, mips->sampler);
    cn_gpu_bind_storage_texture(run->commands, 1, chain, pass->mip);
    cn_gpu_bind_buffer(run->commands, 2, cn_graph_get_buffer(run->graph, mips->numbers), 0, 0);
    cn_gpu_push_constants(run->commands, (const uint32_t[]){3, pass->mip}, 8);
    cn_gpu_dispatch(run->commands, groups, groups, 1);
}

/* Every mip, one after the other. */
static void run_read(const CnGraphRun *run)
{
    const Mips *mips = run->user;
    uint64_t offset = 0;
    for (uint32_t m = 0; m < MIPS; m++) {
        cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, mips->chain),
                                 cn_graph_get_buffer(run->graph, mips->readback),
                                 &(CnGpuRegion){.mip = m, .offset = offset});
        offset += (uint64_t)(SIZE >> m) * (SIZE >> m) * 4;
    }
}

static void declare_mips(CnGraph *graph, Mips *mips)
{
    for (uint32_t m = 1; m < MIPS; m++) {
        MipPass *mip = cn_graph_alloc(graph, sizeof *mip);
        assert_non_null(mip);
        *mip = (MipPass){mips, m};
        CnGraphPass pass = cn_graph_add_pass(
            graph, &(CnGraphPassDesc){
                       .name = "mip", .kind = CN_GRAPH_COMPUTE, .run = run_mip, .user = mip});
        cn_graph_read_buffer(graph, pass, mips->numbers, CN_GPU_ACCESS_READ_COMPUTE);
        cn_graph_read_texture(graph, pass, mips->chain, CN_GPU_ACCESS_SAMPLE_COMPUTE,
                              &(CnGraphSubresource){.mip = m - 1, .mip_count = 1});
        mips->chain = cn_graph_write_texture(
            graph, pass, mips->chain, CN_GPU_ACCESS_WRITE_COMPUTE,
            &(CnGraphSubresource){.mip = m, .mip_count = 1, .overwrite = true});
    }
}

static void declare_frame(CnGraph *graph, Mips *mips, CnGpuBuffer readback, bool is_first)
{
    CnGraphSubresource all = {.overwrite = true};
    cn_graph_begin(graph);
    mips->chain = cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "chain",
                                                                     .format = CN_GPU_FORMAT_R32U,
                                                                     .width = SIZE,
                                                                     .height = SIZE,
                                                                     .mips = CN_GPU_ALL_MIPS});
    mips->numbers =
        cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "numbers", .size = 64});
    CnGraphPassDesc desc = {.kind = CN_GRAPH_TRANSFER, .user = mips};
    desc.name = "fill";
    desc.run = run_fill;
    mips->numbers = cn_graph_write_buffer(graph, cn_graph_add_pass(graph, &desc), mips->numbers,
                                          CN_GPU_ACCESS_COPY_TO, &all);
    desc.name = "upload";
    desc.run = run_upload;
    mips->chain =
        cn_graph_write_texture(graph, cn_graph_add_pass(graph, &desc), mips->chain,
                               CN_GPU_ACCESS_COPY_TO, &(CnGraphSubresource){.mip_count = 1});
    declare_mips(graph, mips);
    mips->readback = cn_graph_import_buffer(graph, "readback", readback,
                                            is_first ? CN_GPU_ACCESS_NONE : CN_GPU_ACCESS_HOST,
                                            CN_GPU_ACCESS_HOST);
    desc.name = "read";
    desc.run = run_read;
    CnGraphPass pass = cn_graph_add_pass(graph, &desc);
    cn_graph_read_texture(graph, pass, mips->chain, CN_GPU_ACCESS_COPY_FROM, NULL);
    mips->readback =
        cn_graph_write_buffer(graph, pass, mips->readback, CN_GPU_ACCESS_COPY_TO, &all);
}

static void check(const uint32_t *read)
{
    for (uint32_t m = 0; m < MIPS; m++) {
        uint32_t size = SIZE >> m;
        for (uint32_t i = 0; i < size * size; i++) {
            uint32_t value = i / size * SIZE + i % size;
            for (uint32_t step = 1; step <= m; step++)
                value = value * 3 + step + 5;
            assert_int_equal(read[i], value);
        }
        read += size * size;
    }
}

static void each_mip_is_made_from_the_one_above(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    CnGpuComputeDesc compute = {
        .name = "next",
        .shader = {cn_shader_tests_graph_next_comp, sizeof cn_shader_tests_graph_next_comp},
        .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE_TEXTURE, CN_GPU_BIND_STORAGE},
        .constants = 8};
    Mips mips = {.next = cn_gpu_compute_pipeline_create(gpu, &compute, NULL),
                 .sampler = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){0}, NULL)};
    CnGpuBuffer readback = make_readback(gpu, 2 * SIZE * SIZE * 4);
    CnGraph *graph = cn_graph_create(&(CnGraphDesc){.gpu = gpu}, NULL);
    assert_non_null(graph);
    for (uint32_t i = 0; i < FRAMES; i++) {
        CnError error = {0};
        declare_frame(graph, &mips, readback, i == 0);
        if (!cn_graph_compile(graph, &error))
            fail_msg("%s", error.message);
        CnGpuCommands *commands = begin_frame(gpu);
        cn_graph_execute(graph, commands);
        end_frame(gpu);
        check(cn_gpu_buffer_data(gpu, readback));
        memset(cn_gpu_buffer_data(gpu, readback), 0, 2 * SIZE * SIZE * 4);
    }
    cn_graph_destroy(graph);
    cn_gpu_buffer_destroy(gpu, readback);
    cn_gpu_pipeline_destroy(gpu, mips.next);
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mip_is_made_from_the_one_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
