/* Neutral contents for empty slots: white, flat normal, black environment, no shadow, zeros. */
#include "render/core/renderer_internal.h"

#include <string.h>

static bool make_texture(CnRenderer *renderer, CnGpuTexture *texture, CnGpuTextureDesc desc,
                         const void *pixels, uint64_t size, CnError *error)
{
    desc.width = desc.height = 1;
    desc.usage = CN_GPU_USE_SAMPLED | (pixels ? CN_GPU_USE_COPY_TO : CN_GPU_USE_ATTACHMENT);
    *texture = cn_gpu_texture_create(renderer->gpu, &desc, error);
    return texture->id &&
           (!pixels || cni_render_stage_texture(renderer, *texture, pixels, size, false, error));
}

static bool make_sampler(CnRenderer *renderer, CnGpuSampler *sampler, CnGpuSamplerDesc desc,
                         CnError *error)
{
    *sampler = cn_gpu_sampler_get(renderer->gpu, &desc, error);
    return sampler->id != 0;
}

static bool make_samplers(CnRenderer *renderer, CnError *error)
{
    CniRenderDefaults *defaults = &renderer->defaults;
    return make_sampler(renderer, &defaults->linear,
                        (CnGpuSamplerDesc){.filter = CN_GPU_LINEAR, .mip_filter = CN_GPU_LINEAR},
                        error) &&
           make_sampler(renderer, &defaults->linear_clamp,
                        (CnGpuSamplerDesc){.filter = CN_GPU_LINEAR,
                                           .mip_filter = CN_GPU_LINEAR,
                                           .wrap = CN_GPU_CLAMP},
                        error) &&
           make_sampler(renderer, &defaults->nearest_clamp,
                        (CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, error) &&
           make_sampler(renderer, &defaults->shadow,
                        (CnGpuSamplerDesc){.filter = CN_GPU_LINEAR,
                                           .wrap = CN_GPU_CLAMP,
                                           .compare = CN_GPU_LESS_EQUAL},
                        error);
}

bool cni_render_defaults_init(CnRenderer *renderer, CnError *error)
{
    static const uint8_t white[4] = {255, 255, 255, 255}, flat[4] = {128, 128, 255, 255};
    static const uint8_t black[6 * 8] = {0};
    CniRenderDefaults *defaults = &renderer->defaults;
    bool ok =
        make_texture(renderer, &defaults->white,
                     (CnGpuTextureDesc){.name = "white", .format = CN_GPU_FORMAT_RGBA8}, white,
                     sizeof white, error) &&
        make_texture(renderer, &defaults->flat_normal,
                     (CnGpuTextureDesc){.name = "flat normal", .format = CN_GPU_FORMAT_RGBA8}, flat,
                     sizeof flat, error) &&
        make_texture(
            renderer, &defaults->black_cube,
            (CnGpuTextureDesc){
                .name = "black cube", .format = CN_GPU_FORMAT_RGBA16F, .layers = 6, .cube = true},
            black, sizeof black, error) &&
        make_texture(renderer, &defaults->depth,
                     (CnGpuTextureDesc){.name = "no shadow", .format = CN_GPU_FORMAT_D32F}, NULL, 0,
                     error) &&
        make_texture(
            renderer, &defaults->depth_array,
            (CnGpuTextureDesc){.name = "no shadows", .format = CN_GPU_FORMAT_D32F, .layers = 2},
            NULL, 0, error) &&
        make_samplers(renderer, error);
    if (!ok)
        return false;
    defaults->zeros =
        cn_gpu_buffer_create(renderer->gpu,
                             &(CnGpuBufferDesc){.name = "zeros",
                                                .size = CNI_RENDER_ZERO_BYTES,
                                                .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM,
                                                .memory = CN_GPU_MEMORY_UPLOAD},
                             error);
    if (!defaults->zeros.id)
        return false;
    memset(cn_gpu_buffer_data(renderer->gpu, defaults->zeros), 0, CNI_RENDER_ZERO_BYTES);
    return true;
}

void cni_render_defaults_fini(CnRenderer *renderer)
{
    CniRenderDefaults *defaults = &renderer->defaults;
    CnGpuTexture textures[] = {defaults->white, defaults->flat_normal, defaults->black_cube,
                               defaults->depth, defaults->depth_array};
    for (size_t i = 0; i < CN_COUNT_OF(textures); i++) {
        if (textures[i].id)
            cn_gpu_texture_destroy(renderer->gpu, textures[i]);
    }
    if (defaults->zeros.id)
        cn_gpu_buffer_destroy(renderer->gpu, defaults->zeros);
}

/* Not every device can copy to depth, so it is cleared layer by layer. */
static void clear_depth(CnGpuCommands *commands, CnGpuTexture texture, uint32_t layers)
{
    cn_gpu_barriers(commands, &(CnGpuBarrier){.texture = texture, .after = CN_GPU_ACCESS_DEPTH}, 1);
    for (uint32_t i = 0; i < layers; i++) {
        cn_gpu_begin_rendering(
            commands,
            &(CnGpuRendering){
                .name = "no shadow",
                .width = 1,
                .height = 1,
                .depth = {.texture = texture, .layer = i, .load = CN_GPU_CLEAR, .clear = {1}}});
        cn_gpu_end_rendering(commands);
    }
    cn_gpu_barriers(commands,
                    &(CnGpuBarrier){.texture = texture,
                                    .before = CN_GPU_ACCESS_DEPTH,
                                    .after = CN_GPU_ACCESS_SAMPLE},
                    1);
    /* Also for compute shaders: read accesses accumulate. */
    cn_gpu_barriers(commands,
                    &(CnGpuBarrier){.texture = texture,
                                    .before = CN_GPU_ACCESS_SAMPLE,
                                    .after = CN_GPU_ACCESS_SAMPLE_COMPUTE},
                    1);
}

void cni_render_defaults_prepare(CnRenderer *renderer, CnGpuCommands *commands)
{
    CniRenderDefaults *defaults = &renderer->defaults;
    if (defaults->is_ready)
        return;
    clear_depth(commands, defaults->depth, 1);
    clear_depth(commands, defaults->depth_array, 2);
    defaults->is_ready = true;
}
