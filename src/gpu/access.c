/* Properties of accesses: which of them write, and the usages and layouts they require. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>

enum {
    LAYOUT_NONE,
    LAYOUT_COLOR,
    LAYOUT_DEPTH,
    LAYOUT_SAMPLE,
    LAYOUT_GENERAL,
    LAYOUT_FROM,
    LAYOUT_TO
};

static const struct {
    const char *name;
    bool writes;
    uint8_t layout; /* accesses with the same layout need no layout transition */
    uint32_t texture_usage, buffer_usage;
} accesses[CN_GPU_ACCESS_COUNT] = {
    [CN_GPU_ACCESS_NONE] = {"none", false, LAYOUT_NONE, 0, 0},
    [CN_GPU_ACCESS_COLOR] = {"color", true, LAYOUT_COLOR, CN_GPU_USE_ATTACHMENT, 0},
    [CN_GPU_ACCESS_DEPTH] = {"depth", true, LAYOUT_DEPTH, CN_GPU_USE_ATTACHMENT, 0},
    [CN_GPU_ACCESS_DEPTH_READ] = {"depth_read", false, LAYOUT_SAMPLE, CN_GPU_USE_ATTACHMENT, 0},
    [CN_GPU_ACCESS_SAMPLE] = {"sample", false, LAYOUT_SAMPLE, CN_GPU_USE_SAMPLED, 0},
    [CN_GPU_ACCESS_SAMPLE_COMPUTE] = {"sample_compute", false, LAYOUT_SAMPLE, CN_GPU_USE_SAMPLED,
                                      0},
    [CN_GPU_ACCESS_READ] = {"read", false, LAYOUT_GENERAL, CN_GPU_USE_STORAGE,
                            CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM},
    [CN_GPU_ACCESS_READ_COMPUTE] = {"read_compute", false, LAYOUT_GENERAL, CN_GPU_USE_STORAGE,
                                    CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM},
    [CN_GPU_ACCESS_WRITE] = {"write", true, LAYOUT_GENERAL, CN_GPU_USE_STORAGE, CN_GPU_USE_STORAGE},
    [CN_GPU_ACCESS_WRITE_COMPUTE] = {"write_compute", true, LAYOUT_GENERAL, CN_GPU_USE_STORAGE,
                                     CN_GPU_USE_STORAGE},
    [CN_GPU_ACCESS_VERTEX] = {"vertex", false, LAYOUT_NONE, 0, CN_GPU_USE_VERTEX},
    [CN_GPU_ACCESS_INDIRECT] = {"indirect", false, LAYOUT_NONE, 0, CN_GPU_USE_INDIRECT},
    [CN_GPU_ACCESS_COPY_FROM] = {"copy_from", false, LAYOUT_FROM, CN_GPU_USE_COPY_FROM,
                                 CN_GPU_USE_COPY_FROM},
    [CN_GPU_ACCESS_COPY_TO] = {"copy_to", true, LAYOUT_TO, CN_GPU_USE_COPY_TO, CN_GPU_USE_COPY_TO},
    [CN_GPU_ACCESS_PRESENT] = {"present", false, LAYOUT_NONE, 0, 0},
    [CN_GPU_ACCESS_HOST] = {"host", false, LAYOUT_NONE, 0, 0},
};

const char *cn_gpu_access_name(CnGpuAccess access)
{
    CN_ASSERT(access < CN_GPU_ACCESS_COUNT, "there is no access %d", (int)access);
    return access < CN_GPU_ACCESS_COUNT ? accesses[access].name : "unknown";
}

bool cn_gpu_access_writes(CnGpuAccess access)
{
    CN_ASSERT(access < CN_GPU_ACCESS_COUNT, "there is no access %d", (int)access);
    return access < CN_GPU_ACCESS_COUNT && accesses[access].writes;
}

bool cni_gpu_access_covers(uint32_t allowed, CnGpuAccess access)
{
    uint32_t enough = CNI_GPU_ACCESS_BIT(access);
    switch (access) {
    case CN_GPU_ACCESS_SAMPLE:
        enough |= CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_DEPTH_READ);
        break;
    case CN_GPU_ACCESS_READ:
        enough |= CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_WRITE);
        break;
    case CN_GPU_ACCESS_READ_COMPUTE:
        enough |= CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_WRITE_COMPUTE);
        break;
    default:
        break;
    }
    return (allowed & enough) != 0;
}

bool cni_gpu_access_same_layout(CnGpuAccess a, CnGpuAccess b)
{
    return accesses[a].layout == accesses[b].layout && accesses[a].layout != LAYOUT_NONE;
}

uint32_t cni_gpu_access_usage(CnGpuAccess access, bool is_texture)
{
    return is_texture ? accesses[access].texture_usage : accesses[access].buffer_usage;
}
