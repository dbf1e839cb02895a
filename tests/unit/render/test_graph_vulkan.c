/*
 * Graphs on a real device, with validation: random chains of graphics, compute and transfer passes
 * over whole numbers, whose results are known to the last bit, through frames with other graphs and
 * sizes.
 */
#include "gpu_device.h"
#include "random.h"

#include <cairn/render.h>

#include "shaders/tests/graph_draw.frag.h"
#include "shaders/tests/graph_full.vert.h"
#include "shaders/tests/graph_next.comp.h"
#include "shaders/tests/graph_next.frag.h"
#include "shaders/tests/numbers.comp.h"

#define FRAMES 200u
#define RING 4u /* frames whose results are looked at together */
#define MAX_SIZE 96u
#define MAX_STEPS 10u

typedef enum Kind { DRAW, NEXT, COMPUTE, COPY } Kind;

/* One step of the chain: each texel becomes texel * factor + add, and what the kind adds. */
typedef struct Step {
    struct Chain *chain;
    Kind kind;
    uint32_t factor, add;
    CnGraphTexture from, to;
    CnGraphBuffer numbers; /* or between two copies */
} Step;

typedef struct Chain {
    struct Fixture *fixture;
    uint32_t size, count;
    Step steps[MAX_STEPS];
    CnGraphHistory history;
    uint32_t counter; /* that the history has */
    CnGraphTexture result;
    CnGraphBuffer readback;
} Chain;

typedef struct Fixture {
    CnGpu *gpu;
    CnGraph *graph;
    TestRandom random;
    CnGpuPipeline draw, next, next_compute, numbers;
    CnGpuSampler sampler;
    CnGpuBuffer readbacks[RING];
    bool is_read[RING]; /* its last access was the program's */
    Chain chains[RING];
    uint32_t counter;
} Fixture;

/* ---- Passes ---- */

static void run_draw(const CnGraphRun *run)
{
    const Step *step = run->user;
    cn_gpu_bind_pipeline(run->commands, step->chain->fixture->draw);
    cn_gpu_push_constants(run->commands, (const uint32_t[]){step->factor, step->add}, 8);
    cn_gpu_draw(run->commands, 3, 1, 0, 0);
}

static void run_next(const CnGraphRun *run)
{
    const Step *step = run->user;
    const Fixture *fixture = step->chain->fixture;
    cn_gpu_bind_pipeline(run->commands, fixture->next);
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, step->from),
                        fixture->sampler);
    cn_gpu_push_constants(run->commands, (const uint32_t[]){step->factor, step->add}, 8);
    cn_gpu_draw(run->commands, 3, 1, 0, 0);
}

static void run_numbers(const CnGraphRun *run)
{
    const Step *step = run->user;
    cn_gpu_bind_pipeline(run->commands, step->chain->fixture->numbers);
    cn_gpu_bind_buffer(run->commands, 0, cn_graph_get_buffer(run->graph, step->numbers), 0, 0);
    cn_gpu_push_constants(run->commands, (const uint32_t[]){16, step->add, step->factor}, 12);
    cn_gpu_dispatch(run->commands, 1, 1, 1);
}

static void run_compute(const CnGraphRun *run)
{
    const Step *step = run->user;
    const Fixture *fixture = step->chain->fixture;
    uint32_t groups = (step->chain->size + 7) / 8;
    cn_gpu_bind_pipeline(run->commands, fixture->next_compute);
    cn_gpu_bind_texture(run->commands, 0, cn_graph_get_texture(run->graph, step->from),
                        fixture->sampler);
    cn_gpu_bind_storage_texture(run->commands, 1, cn_graph_get_texture(run->graph, step->to), 0);
    cn_gpu_bind_buffer(run->commands, 2, cn_graph_get_buffer(run->graph, step->numbers), 0, 0);
    cn_gpu_push_constants(run->commands, (const uint32_t[]){step->factor, step->add}, 8);
    cn_gpu_dispatch(run->commands, groups, groups, 1);
}

static void run_copy_out(const CnGraphRun *run)
{
    const Step *step = run->user;
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, step->from),
                             cn_graph_get_buffer(run->graph, step->numbers), &(CnGpuRegion){0});
}

static void run_copy_in(const CnGraphRun *run)
{
    const Step *step = run->user;
    cn_gpu_copy_to_texture(run->commands, cn_graph_get_buffer(run->graph, step->numbers),
                           cn_graph_get_texture(run->graph, step->to), &(CnGpuRegion){0});
}

/* The result, and after it one texel of the history. */
static void run_read(const CnGraphRun *run)
{
    const Chain *chain = run->user;
    CnGpuBuffer to = cn_graph_get_buffer(run->graph, chain->readback);
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, chain->result), to,
                             &(CnGpuRegion){0});
    cn_gpu_copy_from_texture(
        run->commands, cn_graph_get_texture(run->graph, chain->history.current), to,
        &(CnGpuRegion){
            .width = 1, .height = 1, .depth = 1, .offset = MAX_SIZE * MAX_SIZE * sizeof(uint32_t)});
}

/* ---- Frames ---- */

static CnGraphPass add_pass(Step *step, const char *name, CnGraphPassKind kind,
                            void (*run)(const CnGraphRun *))
{
    return cn_graph_add_pass(
        step->chain->fixture->graph,
        &(CnGraphPassDesc){.name = name, .kind = kind, .run = run, .user = step});
}

static CnGraphTexture make_image(Step *step)
{
    return cn_graph_create_texture(step->chain->fixture->graph,
                                   &(CnGpuTextureDesc){.name = "image",
                                                       .format = CN_GPU_FORMAT_R32U,
                                                       .width = step->chain->size,
                                                       .height = step->chain->size});
}

static CnGraphBuffer make_buffer(Step *step, uint64_t size)
{
    return cn_graph_create_buffer(step->chain->fixture->graph,
                                  &(CnGpuBufferDesc){.name = "numbers", .size = size});
}

static CnGraphTexture declare_draw(Step *step)
{
    CnGraph *graph = step->chain->fixture->graph;
    CnGraphTexture depth =
        cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "depth",
                                                           .format = CN_GPU_FORMAT_D32F,
                                                           .width = step->chain->size,
                                                           .height = step->chain->size});
    CnGraphPass pass = add_pass(step, "draw", CN_GRAPH_GRAPHICS, run_draw);
    cn_graph_depth_attachment(graph, pass, depth, &(CnGraphAttachment){.load = CN_GPU_CLEAR});
    return cn_graph_color_attachment(graph, pass, step->to,
                                     &(CnGraphAttachment){.load = CN_GPU_CLEAR});
}

static CnGraphTexture declare_next(Step *step)
{
    CnGraph *graph = step->chain->fixture->graph;
    CnGraphPass pass = add_pass(step, "next", CN_GRAPH_GRAPHICS, run_next);
    cn_graph_read_texture(graph, pass, step->from, CN_GPU_ACCESS_SAMPLE, NULL);
    return cn_graph_color_attachment(graph, pass, step->to,
                                     &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static CnGraphTexture declare_compute(Step *step)
{
    CnGraph *graph = step->chain->fixture->graph;
    CnGraphSubresource all = {.overwrite = true};
    step->numbers = make_buffer(step, 64);
    CnGraphPass pass = add_pass(step, "numbers", CN_GRAPH_COMPUTE, run_numbers);
    step->numbers =
        cn_graph_write_buffer(graph, pass, step->numbers, CN_GPU_ACCESS_WRITE_COMPUTE, &all);
    pass = add_pass(step, "compute", CN_GRAPH_COMPUTE, run_compute);
    cn_graph_read_buffer(graph, pass, step->numbers, CN_GPU_ACCESS_READ_COMPUTE);
    cn_graph_read_texture(graph, pass, step->from, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    return cn_graph_write_texture(graph, pass, step->to, CN_GPU_ACCESS_WRITE_COMPUTE, &all);
}

static CnGraphTexture declare_copy(Step *step)
{
    CnGraph *graph = step->chain->fixture->graph;
    CnGraphSubresource all = {.overwrite = true};
    step->numbers = make_buffer(step, (uint64_t)step->chain->size * step->chain->size * 4);
    CnGraphPass pass = add_pass(step, "copy out", CN_GRAPH_TRANSFER, run_copy_out);
    cn_graph_read_texture(graph, pass, step->from, CN_GPU_ACCESS_COPY_FROM, NULL);
    step->numbers = cn_graph_write_buffer(graph, pass, step->numbers, CN_GPU_ACCESS_COPY_TO, &all);
    pass = add_pass(step, "copy in", CN_GRAPH_TRANSFER, run_copy_in);
    cn_graph_read_buffer(graph, pass, step->numbers, CN_GPU_ACCESS_COPY_FROM);
    return cn_graph_write_texture(graph, pass, step->to, CN_GPU_ACCESS_COPY_TO, &all);
}

static void declare_steps(Fixture *fixture, Chain *chain)
{
    static CnGraphTexture (*const declare[])(Step *) = {declare_draw, declare_next, declare_compute,
                                                        declare_copy};
    chain->count = 3 + test_random_below(&fixture->random, MAX_STEPS - 3);
    for (uint32_t i = 0; i < chain->count; i++) {
        Step *step = &chain->steps[i];
        *step = (Step){.chain = chain,
                       .kind = i ? (Kind)(1 + test_random_below(&fixture->random, 3)) : DRAW,
                       .factor = 1 + 2 * test_random_below(&fixture->random, 1000),
                       .add = test_random_below(&fixture->random, 100000),
                       .from = chain->result};
        step->to = make_image(step);
        chain->result = declare[step->kind](step);
    }
}

/* Counts frames in an image of its own, from one to the next. */
static void declare_history(Fixture *fixture, Chain *chain, Step *step)
{
    chain->history = cn_graph_history_texture(
        fixture->graph, &(CnGpuTextureDesc){.name = "counter",
                                            .format = CN_GPU_FORMAT_R32U,
                                            .width = chain->size,
                                            .height = chain->size,
                                            .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED |
                                                     CN_GPU_USE_COPY_FROM});
    *step = (Step){.chain = chain,
                   .factor = chain->history.is_new ? 0 : 1,
                   .add = 1,
                   .from = chain->history.previous,
                   .to = chain->history.current};
    chain->counter = fixture->counter = chain->history.is_new ? 1 : fixture->counter + 1;
    chain->history.current = declare_next(step);
}

static void declare_frame(Fixture *fixture, uint32_t slot)
{
    Chain *chain = &fixture->chains[slot];
    Step *step = cn_graph_alloc(fixture->graph, sizeof *step);
    uint32_t size = 1 + test_random_below(&fixture->random, MAX_SIZE);
    /* Mostly as the frame before, so that histories live. */
    if (slot && test_random_chance(&fixture->random, 70))
        size = fixture->chains[slot - 1].size;
    *chain = (Chain){.fixture = fixture, .size = size};
    declare_steps(fixture, chain);
    declare_history(fixture, chain, step);
    CnGraph *graph = fixture->graph;
    chain->readback = cn_graph_import_buffer(
        graph, "readback", fixture->readbacks[slot],
        fixture->is_read[slot] ? CN_GPU_ACCESS_HOST : CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST);
    fixture->is_read[slot] = true;
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){
                   .name = "read", .kind = CN_GRAPH_TRANSFER, .run = run_read, .user = chain});
    cn_graph_read_texture(graph, pass, chain->result, CN_GPU_ACCESS_COPY_FROM, NULL);
    cn_graph_read_texture(graph, pass, chain->history.current, CN_GPU_ACCESS_COPY_FROM, NULL);
    chain->readback =
        cn_graph_write_buffer(graph, pass, chain->readback, CN_GPU_ACCESS_COPY_TO, NULL);
}

static uint32_t expected(const Chain *chain, uint32_t x, uint32_t y)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < chain->count; i++) {
        const Step *step = &chain->steps[i];
        if (step->kind == DRAW)
            value = x + y * 1000;
        if (step->kind != COPY)
            value = value * step->factor + step->add;
        if (step->kind == COMPUTE)
            value += step->add + (x & 15) * step->factor;
    }
    return value;
}

static void check_frame(const Fixture *fixture, uint32_t slot)
{
    const Chain *chain = &fixture->chains[slot];
    const uint32_t *read = cn_gpu_buffer_data(fixture->gpu, fixture->readbacks[slot]);
    for (uint32_t y = 0; y < chain->size; y++) {
        for (uint32_t x = 0; x < chain->size; x++)
            assert_int_equal(read[y * chain->size + x], expected(chain, x, y));
    }
    assert_int_equal(read[MAX_SIZE * MAX_SIZE], chain->counter);
}

/* ---- The device ---- */

#define SHADER(name)                                                                               \
    {                                                                                              \
        cn_shader_tests_##name, sizeof cn_shader_tests_##name                                      \
    }

static void make_pipelines(Fixture *fixture)
{
    CnGpu *gpu = fixture->gpu;
    CnGpuGraphicsDesc graphics = {.name = "draw",
                                  .vertex = SHADER(graph_full_vert),
                                  .fragment = SHADER(graph_draw_frag),
                                  .constants = 8,
                                  .color = {CN_GPU_FORMAT_R32U},
                                  .depth = CN_GPU_FORMAT_D32F};
    fixture->draw = cn_gpu_graphics_pipeline_create(gpu, &graphics, NULL);
    graphics.fragment = (CnGpuShader)SHADER(graph_next_frag);
    graphics.bindings[0] = CN_GPU_BIND_TEXTURE;
    graphics.depth = CN_GPU_FORMAT_NONE;
    fixture->next = cn_gpu_graphics_pipeline_create(gpu, &graphics, NULL);
    fixture->next_compute = cn_gpu_compute_pipeline_create(
        gpu,
        &(CnGpuComputeDesc){
            .name = "next",
            .shader = SHADER(graph_next_comp),
            .bindings = {CN_GPU_BIND_TEXTURE, CN_GPU_BIND_STORAGE_TEXTURE, CN_GPU_BIND_STORAGE},
            .constants = 8},
        NULL);
    fixture->numbers =
        cn_gpu_compute_pipeline_create(gpu,
                                       &(CnGpuComputeDesc){.name = "numbers",
                                                           .shader = SHADER(numbers_comp),
                                                           .bindings = {CN_GPU_BIND_STORAGE},
                                                           .constants = 12},
                                       NULL);
    assert_true(fixture->draw.id && fixture->next.id && fixture->next_compute.id &&
                fixture->numbers.id);
    fixture->sampler = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
}

static void end_fixture(Fixture *fixture)
{
    cn_graph_destroy(fixture->graph);
    for (uint32_t i = 0; i < RING; i++)
        cn_gpu_buffer_destroy(fixture->gpu, fixture->readbacks[i]);
    cn_gpu_pipeline_destroy(fixture->gpu, fixture->draw);
    cn_gpu_pipeline_destroy(fixture->gpu, fixture->next);
    cn_gpu_pipeline_destroy(fixture->gpu, fixture->next_compute);
    cn_gpu_pipeline_destroy(fixture->gpu, fixture->numbers);
    end_gpu(fixture->gpu);
}

static void frames_of_changing_graphs_are_exact_and_validation_is_silent(void **state)
{
    (void)state;
    static Fixture fixture;
    CnError error = {0};
    fixture = (Fixture){.gpu = make_vulkan(NULL), .random = {1}};
    if (!fixture.gpu)
        skip();
    make_pipelines(&fixture);
    for (uint32_t i = 0; i < RING; i++)
        fixture.readbacks[i] = make_readback(fixture.gpu, (MAX_SIZE * MAX_SIZE + 1) * 4);
    fixture.graph = cn_graph_create(&(CnGraphDesc){.gpu = fixture.gpu}, &error);
    assert_non_null(fixture.graph);
    uint32_t aliased = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        cn_graph_begin(fixture.graph);
        declare_frame(&fixture, frame % RING);
        if (!cn_graph_compile(fixture.graph, &error))
            fail_msg("%s", error.message);
        CnGpuCommands *commands = cn_gpu_begin_frame(fixture.gpu, &error);
        assert_non_null(commands);
        cn_graph_execute(fixture.graph, commands);
        assert_true(cn_gpu_end_frame(fixture.gpu, &error));
        CnGraphStats stats = cn_graph_stats(fixture.graph);
        aliased += stats.placed_bytes < stats.transient_bytes;
        if (frame % RING != RING - 1)
            continue;
        assert_true(cn_gpu_wait(fixture.gpu, &error));
        for (uint32_t i = 0; i < RING; i++)
            check_frame(&fixture, i);
    }
    assert_true(aliased > FRAMES / 2);
    assert_true(cn_graph_stats(fixture.graph).microseconds > 0);
    end_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_changing_graphs_are_exact_and_validation_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
