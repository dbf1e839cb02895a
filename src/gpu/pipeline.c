/* Pipelines: validation of descriptions. */
#include "gpu/spirv_check.h"

#include <cairn/base/assert.h>

#include <assert.h>

static bool check_shader(const CnGpu *gpu, const CnGpuShader *shader,
                         const CniGpuShaderInterface *use, CnError *error)
{
    if (!cni_gpu_spirv_check(shader, use, error))
        return false;
    if (gpu->vulkan && !cni_gpu_spirv_has_entry(shader))
        return cn_error_set(error, CN_ERROR_FORMAT, "a shader of %s has no entry point main",
                            use->name);
    return true;
}

static bool check_common(CnGpu *gpu, const char *name, const CnGpuBindingKind *bindings,
                         uint32_t constants, CnError *error)
{
    if (gpu->is_lost)
        return cni_gpu_error_device_lost(error);
    if (constants > CN_GPU_MAX_CONSTANT_BYTES || constants % 4)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "%s has %u bytes of constants; must be a multiple of 4, at most %u",
                            name, constants, CN_GPU_MAX_CONSTANT_BYTES);
    for (uint32_t i = 0; i < CN_GPU_MAX_BINDINGS; i++) {
        if (bindings[i] > CN_GPU_BIND_STORAGE_TEXTURE)
            return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s: binding %u has an unknown kind",
                                name, i);
    }
    return true;
}

static bool check_targets(const CnGpuGraphicsDesc *desc, const char *name, CnError *error)
{
    uint32_t colors = 0;
    for (uint32_t i = 0; i < CN_GPU_MAX_COLORS && desc->color[i]; i++, colors++) {
        if (desc->color[i] >= CN_GPU_FORMAT_COUNT || cn_gpu_format_is_depth(desc->color[i]))
            return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                                "%s: color %u does not have a color format", name, i);
    }
    if (desc->depth && !cn_gpu_format_is_depth(desc->depth))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s: depth needs a depth format", name);
    if (!desc->depth && (desc->depth_test || desc->depth_write))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s tests depth, but has no depth format",
                            name);
    if (colors && !desc->fragment.code)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s has colors, but no fragment shader",
                            name);
    return true;
}

/* Backends look up these values in tables. */
static bool check_state(const CnGpuGraphicsDesc *desc, const char *name, CnError *error)
{
    const struct {
        const char *what;
        uint32_t number, last;
    } numbers[] = {{"topology", desc->topology, CN_GPU_LINES},
                   {"cull mode", desc->cull, CN_GPU_CULL_FRONT},
                   {"depth test", desc->depth_test, CN_GPU_ALWAYS},
                   {"blend mode", desc->blend[0], CN_GPU_BLEND_ADD},
                   {"blend mode", desc->blend[1], CN_GPU_BLEND_ADD},
                   {"blend mode", desc->blend[2], CN_GPU_BLEND_ADD},
                   {"blend mode", desc->blend[3], CN_GPU_BLEND_ADD}};
    static_assert(CN_GPU_MAX_COLORS == 4, "one blend mode per color");
    for (uint32_t i = 0; i < CN_COUNT_OF(numbers); i++) {
        if (numbers[i].number > numbers[i].last)
            return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s: there is no %s %u", name,
                                numbers[i].what, numbers[i].number);
    }
    return true;
}

static CniGpuPipeline *take_pipeline(CnGpu *gpu, const char *name, const CnGpuBindingKind *bindings,
                                     uint32_t constants, uint32_t *id, CnError *error)
{
    CniGpuPipeline *pipeline = cni_gpu_acquire_slot(gpu, CNI_GPU_OBJECT_PIPELINE, name, id, error);
    if (!pipeline)
        return NULL;
    pipeline->constants = constants;
    while (pipeline->binding_count < CN_GPU_MAX_BINDINGS && bindings[pipeline->binding_count]) {
        pipeline->bindings[pipeline->binding_count] = bindings[pipeline->binding_count];
        pipeline->binding_count++;
    }
    return pipeline;
}

CnGpuPipeline cn_gpu_graphics_pipeline_create(CnGpu *gpu, const CnGpuGraphicsDesc *desc,
                                              CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGpuPipeline none = {0}, made = {0};
    const char *name = desc->name ? desc->name : "unnamed";
    if (!check_common(gpu, name, desc->bindings, desc->constants, error) ||
        !check_targets(desc, name, error) || !check_state(desc, name, error))
        return none;
    CniGpuShaderInterface vertex = {name, CNI_GPU_SHADER_STAGE_VERTEX, desc->bindings,
                                    desc->constants};
    CniGpuShaderInterface fragment = {name, CNI_GPU_SHADER_STAGE_FRAGMENT, desc->bindings,
                                      desc->constants};
    if (!check_shader(gpu, &desc->vertex, &vertex, error) ||
        (desc->fragment.code && !check_shader(gpu, &desc->fragment, &fragment, error)))
        return none;
    CniGpuPipeline *pipeline =
        take_pipeline(gpu, name, desc->bindings, desc->constants, &made.id, error);
    if (!pipeline)
        return none;
    for (uint32_t i = 0; i < CN_GPU_MAX_COLORS && desc->color[i]; i++)
        pipeline->color[i] = desc->color[i];
    pipeline->depth = desc->depth;
    pipeline->depth_write = desc->depth_write;
    if (gpu->backend->graphics_create(gpu, pipeline, desc, error))
        return made;
    cn_slot_table_release(&gpu->tables[CNI_GPU_OBJECT_PIPELINE], cn_slot_index(made.id));
    return none;
}

CnGpuPipeline cn_gpu_compute_pipeline_create(CnGpu *gpu, const CnGpuComputeDesc *desc,
                                             CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnGpuPipeline none = {0}, made = {0};
    const char *name = desc->name ? desc->name : "unnamed";
    CniGpuShaderInterface use = {name, CNI_GPU_SHADER_STAGE_COMPUTE, desc->bindings,
                                 desc->constants};
    if (!check_common(gpu, name, desc->bindings, desc->constants, error) ||
        !check_shader(gpu, &desc->shader, &use, error))
        return none;
    CniGpuPipeline *pipeline =
        take_pipeline(gpu, name, desc->bindings, desc->constants, &made.id, error);
    if (!pipeline)
        return none;
    pipeline->is_compute = true;
    if (gpu->backend->compute_create(gpu, pipeline, desc, error))
        return made;
    cn_slot_table_release(&gpu->tables[CNI_GPU_OBJECT_PIPELINE], cn_slot_index(made.id));
    return none;
}

void cn_gpu_pipeline_destroy(CnGpu *gpu, CnGpuPipeline pipeline)
{
    cni_gpu_defer_destroy(gpu, CNI_GPU_OBJECT_PIPELINE, pipeline.id);
}

bool cn_gpu_save_pipeline_cache(CnGpu *gpu, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    if (gpu->is_lost)
        return cni_gpu_error_device_lost(error);
    if (!gpu->cache)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the GPU has no cache for pipelines");
    return gpu->backend->save_pipelines(gpu, error);
}
