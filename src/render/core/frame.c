/* Helpers for features, and the uniform block of the frame. */
#include "render/core/renderer_internal.h"

#include <cairn/base/assert.h>

void cn_frame_draw_full_screen(const CnGraphRun *run)
{
    CN_ASSERT(run, "%s: run is NULL", __func__);
    cn_gpu_draw(run->commands, 3, 1, 0, 0);
}

bool cni_render_bind_exposure(const CnGraphRun *run, uint32_t binding, CnGraphBuffer exposure)
{
    if (exposure.id) {
        cn_gpu_bind_buffer(run->commands, binding, cn_graph_get_buffer(run->graph, exposure), 0,
                           sizeof(float));
        return true;
    }
    CnGpuUpload one = cn_gpu_upload(run->commands, sizeof(float), 0);
    if (!one.data)
        return false;
    *(float *)one.data = 1;
    cn_gpu_bind_buffer(run->commands, binding, one.buffer, one.offset, sizeof(float));
    return true;
}

CnGraphTexture cn_frame_texture(CnFrame *frame, const char *name, CnGpuFormat format,
                                uint32_t divisor)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CN_ASSERT(divisor > 0, "texture %s: the divisor must not be 0", name ? name : "unnamed");
    divisor = divisor ? divisor : 1;
    return cn_graph_create_texture(
        frame->graph, &(CnGpuTextureDesc){.name = name,
                                          .format = format,
                                          .width = (frame->width + divisor - 1) / divisor,
                                          .height = (frame->height + divisor - 1) / divisor});
}

void cn_frame_add_shadow_caster(CnFrame *frame, const CnShadowCaster *caster)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    CN_ASSERT(caster, "%s: caster is NULL", __func__);
    CN_ASSERT(frame->caster_count < CN_MAX_SHADOW_CASTERS, "more than %u shadow casters",
              CN_MAX_SHADOW_CASTERS);
    if (frame->caster_count < CN_MAX_SHADOW_CASTERS)
        frame->casters[frame->caster_count++] = *caster;
}

void *cn_frame_alloc(CnFrame *frame, size_t bytes)
{
    CN_ASSERT(frame, "%s: frame is NULL", __func__);
    return cn_arena_alloc(&frame->renderer->arena, bytes, 16);
}

/* Clouds are fixed in the world, independent of the frame's origin. Their noise repeats. */
#define CLOUD_PERIOD 2560000.0 /* cloud_density.glsl */
static float wind_from(float wind, float origin)
{
    double from = (double)wind - (double)origin, periods = from / CLOUD_PERIOD;
    return (float)(from - CLOUD_PERIOD * (double)(int64_t)periods);
}

/* Called after add_passes, in which features decide about image-based lighting. */
void cni_render_frame_data_write(CnRenderer *renderer)
{
    const CnFrame *frame = &renderer->frame;
    const CnView *view = &frame->view;
    CniRenderFrameData *data = frame->frame_data.data;
    if (!data)
        return;
    float width = (float)frame->width, height = (float)frame->height;
    const CnSun *sun = &frame->sun;
    const CnRenderAtmosphere *atmosphere = &frame->atmosphere;
    *data = (CniRenderFrameData){
        .view = view->view,
        .projection = view->projection,
        .view_projection = view->view_projection,
        .inverse_view_projection = view->inverse_view_projection,
        .unjittered_view_projection = view->unjittered_view_projection,
        .previous_view_projection = view->previous_view_projection,
        .camera = {view->position.x, view->position.y, view->position.z, (float)frame->time},
        .forward = {view->forward.x, view->forward.y, view->forward.z, frame->delta},
        .size = {width, height, 1 / width, 1 / height},
        .planes = {view->near_plane, view->far_plane, view->fov > 0 ? 0.0f : 1.0f,
                   frame->exposure_scale},
        .jitter = {view->jitter.x, view->jitter.y, atmosphere->shelter, 0},
        .sun_direction = {-sun->direction.x, -sun->direction.y, -sun->direction.z,
                          sun->exists ? 1.0f : 0.0f},
        .sun_color = {sun->color.x, sun->color.y, sun->color.z, sun->casts_shadows ? 1.0f : 0.0f},
        .ambient = {frame->ambient.x, frame->ambient.y, frame->ambient.z,
                    frame->irradiance.id ? 1.0f : 0.0f},
        .moon = {atmosphere->to_moon.x, atmosphere->to_moon.y, atmosphere->to_moon.z,
                 atmosphere->moon_phase},
        .clouds = {atmosphere->cloud_cover, atmosphere->cloud_bottom, atmosphere->cloud_top,
                   atmosphere->fog},
        .weather = {atmosphere->rain, atmosphere->snow, atmosphere->wetness,
                    atmosphere->water_above},
        .wind = {wind_from(atmosphere->wind.x, frame->origin.x),
                 wind_from(atmosphere->wind.y, frame->origin.z), atmosphere->star_rotation,
                 atmosphere->valid ? 1.0f : 0.0f},
        .counts = {frame->light_count,
                   (frame->width + CNI_RENDER_LIGHT_TILE_SIZE - 1) / CNI_RENDER_LIGHT_TILE_SIZE,
                   (frame->height + CNI_RENDER_LIGHT_TILE_SIZE - 1) / CNI_RENDER_LIGHT_TILE_SIZE,
                   (uint32_t)frame->number},
        .origin = {(int32_t)frame->origin.x, 0, (int32_t)frame->origin.z, 0}};
}
