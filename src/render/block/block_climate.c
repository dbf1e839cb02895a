/* The climate map of a block view: the tint of greens, and the height of the terrain. */
#include "render/block/block_view.h"

#include <string.h>

#define ONE 128 /* a factor of 1 */

void cn_block_view_set_climate(CnBlockView *view, const uint8_t (*factors)[4])
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    pthread_mutex_lock(&view->lock);
    memcpy(view->climate.factors, factors, sizeof view->climate.factors);
    view->climate.is_new = true;
    pthread_mutex_unlock(&view->lock);
}

bool cni_render_block_climate_create(CnRenderer *renderer, CniRenderBlockClimate *climate,
                                     CnError *error)
{
    climate->sampler = cn_gpu_sampler_get(
        renderer->gpu, &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR, .wrap = CN_GPU_REPEAT}, error);
    climate->texture =
        cn_gpu_texture_create(renderer->gpu,
                              &(CnGpuTextureDesc){.name = "block climate",
                                                  .format = CN_GPU_FORMAT_RGBA8,
                                                  .width = CN_CLIMATE_SIZE,
                                                  .height = CN_CLIMATE_SIZE,
                                                  .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO},
                              error);
    static const uint8_t nothing[4] = {ONE, ONE, ONE, 255};
    for (uint32_t i = 0; i < CN_COUNT_OF(climate->factors) && !climate->is_new; i++)
        memcpy(climate->factors[i], nothing, sizeof nothing);
    climate->is_new = true;
    climate->is_sent = false;
    return climate->sampler.id && climate->texture.id;
}

void cni_render_block_climate_destroy(CnRenderer *renderer, CniRenderBlockClimate *climate)
{
    if (climate->texture.id)
        cn_gpu_texture_destroy(renderer->gpu, climate->texture);
    climate->texture.id = 0;
}

static void move(CnFrame *frame, CnGpuTexture texture, CnGpuAccess before, CnGpuAccess after)
{
    cn_gpu_barriers(frame->commands,
                    &(CnGpuBarrier){.texture = texture, .before = before, .after = after}, 1);
}

void cni_render_block_climate_send(CnFrame *frame, CnBlockView *view)
{
    CniRenderBlockClimate *climate = &view->climate;
    pthread_mutex_lock(&view->lock);
    bool is_new = climate->is_new;
    CnGpuUpload upload = {0};
    if (is_new)
        upload = cn_gpu_upload(frame->commands, sizeof climate->factors, 16);
    if (upload.data) {
        memcpy(upload.data, climate->factors, sizeof climate->factors);
        climate->is_new = false;
    }
    pthread_mutex_unlock(&view->lock);
    if (!upload.data)
        return;
    /* Read by both graphics and compute shaders. */
    CnGpuAccess before = climate->is_sent ? CN_GPU_ACCESS_SAMPLE_COMPUTE : CN_GPU_ACCESS_NONE;
    move(frame, climate->texture, before, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_to_texture(frame->commands, upload.buffer, climate->texture,
                           &(CnGpuRegion){.layer_count = 1, .offset = upload.offset});
    move(frame, climate->texture, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_SAMPLE);
    move(frame, climate->texture, CN_GPU_ACCESS_SAMPLE, CN_GPU_ACCESS_SAMPLE_COMPUTE);
    climate->is_sent = true;
}
