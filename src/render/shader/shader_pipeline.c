/* Pipelines of the renderer: built from the shaders of the tree, and replaced when these change. */
#include "render/shader/shader_source.h"
#include "render/shader/shader_hot_reload.h"

#include "shaders/render/core/full_screen.vert.h"

#include <cairn/base/log.h>

/* ---- Building ---- */

static CnGpuPipeline build_compute(CnRenderer *renderer, const CnRenderPipelineDesc *desc,
                                   CnError *error)
{
    CnGpuComputeDesc compute = {.name = desc->state.name,
                                .shader = {desc->compute.words, desc->compute.bytes},
                                .constants = desc->state.constants};
    for (uint32_t i = 0; i < CN_GPU_MAX_BINDINGS; i++)
        compute.bindings[i] = desc->state.bindings[i];
    return cn_gpu_compute_pipeline_create(renderer->gpu, &compute, error);
}

static CnGpuPipeline build(CnRenderer *renderer, const CnRenderPipelineDesc *desc, CnError *error)
{
    if (desc->compute.words)
        return build_compute(renderer, desc, error);
    CnGpuGraphicsDesc graphics = desc->state;
    graphics.vertex = (CnGpuShader){desc->vertex.words, desc->vertex.bytes};
    graphics.fragment = (CnGpuShader){desc->fragment.words, desc->fragment.bytes};
    return cn_gpu_graphics_pipeline_create(renderer->gpu, &graphics, error);
}

typedef enum Origin {
    AS_BUILT,    /* compiled by the build; only surfaces are compiled now */
    FROM_SOURCES /* everything is compiled now */
} Origin;

static CnGpuPipeline build_from(CnRenderer *renderer, CnRenderPipelineDesc desc,
                                const CniRenderSurface *surface, Origin origin, CnError *error)
{
    CnShader *stages[] = {&desc.vertex, &desc.fragment, &desc.compute};
    CniRenderSpirv compiled[CN_COUNT_OF(stages)] = {0};
    bool ok = true;
    for (size_t i = 0; i < CN_COUNT_OF(stages) && ok; i++) {
        const CniRenderSurface *own = stages[i] == &desc.fragment ? surface : NULL;
        if (!stages[i]->name || (origin == AS_BUILT && !own))
            continue;
        ok = cni_render_shader_compile(renderer, stages[i]->name, own, &compiled[i], error);
        stages[i]->words = compiled[i].words;
        stages[i]->bytes = compiled[i].bytes;
    }
    CnGpuPipeline pipeline = ok ? build(renderer, &desc, error) : (CnGpuPipeline){0};
    for (size_t i = 0; i < CN_COUNT_OF(stages); i++)
        cni_render_spirv_free(renderer, &compiled[i]);
    return pipeline;
}

/* ---- Pipelines ---- */

CnRenderPipeline cni_render_pipeline_create(CnRenderer *renderer, const CnRenderPipelineDesc *desc,
                                            uint32_t surface_number, CnError *error)
{
    CnRenderPipeline none = {0}, made;
    const CniRenderSurface *surface =
        surface_number ? cn_slot_table_live_at(&renderer->surfaces, surface_number - 1) : NULL;
    CniRenderPipeline *slot = cn_slot_table_acquire(&renderer->pipelines, &made.id);
    if (!slot) {
        cn_error_set(error, CN_ERROR_MEMORY, "too many pipelines: cannot create %s",
                     desc->state.name ? desc->state.name : "unnamed");
        return none;
    }
    cn_copy_text(slot->name, sizeof slot->name,
                 cn_text(desc->state.name ? desc->state.name : "unnamed"));
    slot->desc = *desc;
    slot->desc.state.name = NULL; /* slots move; see slot->name */
    slot->surface = surface ? surface_number : 0;
    cn_array_init(&slot->files, renderer->allocator);
    cni_render_shader_watch(renderer, slot);
    if (cni_render_shader_is_modified(renderer, slot))
        slot->pipeline = build_from(renderer, *desc, surface, FROM_SOURCES, error);
    if (!slot->pipeline.id)
        slot->pipeline = build_from(renderer, *desc, surface, AS_BUILT, error);
    if (!slot->pipeline.id) {
        cn_array_fini(&slot->files);
        cn_slot_table_release(&renderer->pipelines, cn_slot_index(made.id));
        return none;
    }
    return made;
}

CnRenderPipeline cn_render_pipeline_create(CnRenderer *renderer, const CnRenderPipelineDesc *desc,
                                           CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnRenderPipelineDesc full = *desc;
    if (!full.compute.words && !full.vertex.words)
        full.vertex = (CnShader)CN_SHADER(render_core_full_screen_vert);
    return cni_render_pipeline_create(renderer, &full, 0, error);
}

void cn_render_pipeline_destroy(CnRenderer *renderer, CnRenderPipeline pipeline)
{
    CniRenderPipeline *slot = cn_slot_table_get(&renderer->pipelines, pipeline.id);
    if (!slot)
        return;
    cn_gpu_pipeline_destroy(renderer->gpu, slot->pipeline);
    cn_array_fini(&slot->files);
    cn_slot_table_release(&renderer->pipelines, cn_slot_index(pipeline.id));
}

CnGpuPipeline cn_render_pipeline_get(const CnRenderer *renderer, CnRenderPipeline pipeline)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderPipeline *slot = cn_slot_table_get(&renderer->pipelines, pipeline.id);
    return slot ? slot->pipeline : (CnGpuPipeline){0};
}

bool cni_render_pipeline_rebuild(CnRenderer *renderer, CniRenderPipeline *slot, CnError *error)
{
    CnRenderPipelineDesc desc = slot->desc;
    desc.state.name = slot->name;
    const CniRenderSurface *surface =
        slot->surface ? cn_slot_table_live_at(&renderer->surfaces, slot->surface - 1) : NULL;
    CnGpuPipeline pipeline = build_from(renderer, desc, surface, FROM_SOURCES, error);
    if (!pipeline.id)
        return false;
    cn_gpu_pipeline_destroy(renderer->gpu, slot->pipeline);
    slot->pipeline = pipeline;
    return true;
}
