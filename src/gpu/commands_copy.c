/* Copies between buffers and textures. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>

static bool check_span(CnGpu *gpu, const CniGpuBuffer *buffer, uint64_t offset, uint64_t size,
                       const char *what)
{
    if (offset <= buffer->desc.size && size <= buffer->desc.size - offset)
        return true;
    return cni_gpu_wrong_call(gpu, "%s: beyond the end of %s", what, buffer->slot.name);
}

void cn_gpu_copy_buffer(CnGpuCommands *commands, CnGpuBuffer from, uint64_t from_offset,
                        CnGpuBuffer to, uint64_t to_offset, uint64_t size)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    static const char what[] = "copy_buffer";
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, what) || !size)
        return;
    CnGpu *gpu = commands->gpu;
    CniGpuBuffer *source = cni_gpu_check_buffer(commands, from, CN_GPU_USE_COPY_FROM, what);
    CniGpuBuffer *target = cni_gpu_check_buffer(commands, to, CN_GPU_USE_COPY_TO, what);
    if (source && target && check_span(gpu, source, from_offset, size, what) &&
        check_span(gpu, target, to_offset, size, what) &&
        cni_gpu_check_buffer_access(gpu, source, CN_GPU_ACCESS_COPY_FROM, what) &&
        cni_gpu_check_buffer_access(gpu, target, CN_GPU_ACCESS_COPY_TO, what))
        gpu->backend->copy_buffer(gpu, source, from_offset, target, to_offset, size);
}

void cn_gpu_fill_buffer(CnGpuCommands *commands, CnGpuBuffer buffer, uint64_t offset, uint64_t size,
                        uint32_t value)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    static const char what[] = "fill_buffer";
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, what) || !size)
        return;
    CnGpu *gpu = commands->gpu;
    CniGpuBuffer *found = cni_gpu_check_buffer(commands, buffer, CN_GPU_USE_COPY_TO, what);
    if (!found || !check_span(gpu, found, offset, size, what))
        return;
    if (offset % 4 || size % 4)
        cni_gpu_wrong_call(gpu, "fill_buffer: offset and size must be multiples of 4");
    else if (cni_gpu_check_buffer_access(gpu, found, CN_GPU_ACCESS_COPY_TO, what))
        gpu->backend->fill_buffer(gpu, found, offset, size, value);
}

/* Fills in the region, and checks that it is inside the texture. */
static bool complete_region(CnGpu *gpu, const CniGpuTexture *texture, CnGpuRegion *region,
                            const char *what)
{
    const CnGpuTextureDesc *desc = &texture->desc;
    region->layer_count = region->layer_count ? region->layer_count : 1;
    if (region->mip >= desc->mips || region->layer >= desc->layers ||
        region->layer_count > desc->layers - region->layer)
        return cni_gpu_wrong_call(gpu, "%s: %s has no mip %u, layers %u to %u", what,
                                  texture->slot.name, region->mip, region->layer,
                                  region->layer + region->layer_count - 1);
    uint32_t width = cni_gpu_mip_size(desc->width, region->mip);
    uint32_t height = cni_gpu_mip_size(desc->height, region->mip);
    uint32_t depth = cni_gpu_mip_size(desc->depth, region->mip);
    if (!region->width) {
        region->x = region->y = region->z = 0;
        region->width = width;
        region->height = height;
        region->depth = depth;
    }
    region->height = region->height ? region->height : 1;
    region->depth = region->depth ? region->depth : 1;
    if (region->x < width && region->width <= width - region->x && region->y < height &&
        region->height <= height - region->y && region->z < depth &&
        region->depth <= depth - region->z)
        return true;
    return cni_gpu_wrong_call(gpu, "%s: the region is beyond mip %u of %s", what, region->mip,
                              texture->slot.name);
}

static bool check_region(CnGpu *gpu, const CniGpuTexture *texture, const CniGpuBuffer *buffer,
                         CnGpuRegion *region, CnGpuAccess access, const char *what)
{
    if (!complete_region(gpu, texture, region, what))
        return false;
    uint32_t texel = cn_gpu_format_bytes(texture->desc.format);
    uint64_t bytes =
        (uint64_t)region->width * region->height * region->depth * region->layer_count * texel;
    if (region->offset % texel || region->offset % 4)
        return cni_gpu_wrong_call(gpu, "%s: the offset is not a multiple of 4 and of %u", what,
                                  texel);
    return check_span(gpu, buffer, region->offset, bytes, what) &&
           cni_gpu_check_texture_access(gpu, texture, region->mip, 1, region->layer,
                                        region->layer_count, access, what);
}

void cn_gpu_copy_to_texture(CnGpuCommands *commands, CnGpuBuffer from, CnGpuTexture to,
                            const CnGpuRegion *region)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CN_ASSERT(region, "%s: region is NULL", __func__);
    static const char what[] = "copy_to_texture";
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, what))
        return;
    CnGpu *gpu = commands->gpu;
    CnGpuRegion all = *region;
    CniGpuBuffer *source = cni_gpu_check_buffer(commands, from, CN_GPU_USE_COPY_FROM, what);
    CniGpuTexture *target = cni_gpu_check_texture(commands, to, CN_GPU_USE_COPY_TO, what);
    if (source && target && check_region(gpu, target, source, &all, CN_GPU_ACCESS_COPY_TO, what) &&
        cni_gpu_check_buffer_access(gpu, source, CN_GPU_ACCESS_COPY_FROM, what))
        gpu->backend->copy_to_texture(gpu, source, target, &all);
}

void cn_gpu_copy_from_texture(CnGpuCommands *commands, CnGpuTexture from, CnGpuBuffer to,
                              const CnGpuRegion *region)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CN_ASSERT(region, "%s: region is NULL", __func__);
    static const char what[] = "copy_from_texture";
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, what))
        return;
    CnGpu *gpu = commands->gpu;
    CnGpuRegion all = *region;
    CniGpuTexture *source = cni_gpu_check_texture(commands, from, CN_GPU_USE_COPY_FROM, what);
    CniGpuBuffer *target = cni_gpu_check_buffer(commands, to, CN_GPU_USE_COPY_TO, what);
    if (source && target &&
        check_region(gpu, source, target, &all, CN_GPU_ACCESS_COPY_FROM, what) &&
        cni_gpu_check_buffer_access(gpu, target, CN_GPU_ACCESS_COPY_TO, what))
        gpu->backend->copy_from_texture(gpu, source, target, &all);
}

void cn_gpu_blit(CnGpuCommands *commands, CnGpuTexture from, uint32_t from_mip, CnGpuTexture to,
                 uint32_t to_mip, CnGpuFilter filter)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    static const char what[] = "blit";
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, what))
        return;
    CnGpu *gpu = commands->gpu;
    if ((uint32_t)filter > CN_GPU_LINEAR) {
        cni_gpu_wrong_call(gpu, "blit: there is no filter %d", (int)filter);
        return;
    }
    CniGpuTexture *source = cni_gpu_check_texture(commands, from, CN_GPU_USE_COPY_FROM, what);
    CniGpuTexture *target = cni_gpu_check_texture(commands, to, CN_GPU_USE_COPY_TO, what);
    if (!source || !target)
        return;
    if (from_mip >= source->desc.mips || to_mip >= target->desc.mips ||
        source->desc.layers != target->desc.layers || (source == target && from_mip == to_mip)) {
        cni_gpu_wrong_call(gpu, "blit: mip %u of %s to mip %u of %s is not possible", from_mip,
                           source->slot.name, to_mip, target->slot.name);
        return;
    }
    if (cn_gpu_format_is_depth(source->desc.format) ||
        cn_gpu_format_is_depth(target->desc.format) ||
        (filter == CN_GPU_LINEAR && cni_gpu_format_is_integer(source->desc.format)) ||
        cni_gpu_format_is_integer(source->desc.format) !=
            cni_gpu_format_is_integer(target->desc.format)) {
        cni_gpu_wrong_call(gpu, "blit: from %s to %s is not possible",
                           cn_gpu_format_name(source->desc.format),
                           cn_gpu_format_name(target->desc.format));
        return;
    }
    if (cni_gpu_check_texture_access(gpu, source, from_mip, 1, 0, source->desc.layers,
                                     CN_GPU_ACCESS_COPY_FROM, what) &&
        cni_gpu_check_texture_access(gpu, target, to_mip, 1, 0, target->desc.layers,
                                     CN_GPU_ACCESS_COPY_TO, what))
        gpu->backend->blit(gpu, source, from_mip, target, to_mip, filter);
}
