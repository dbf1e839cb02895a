/* Accesses: which passes may use them, the usages they require, and when one can follow another
 * without a barrier. */
#include "render/graph/graph_internal.h"

enum {
    GRAPHICS = 1 << CN_GRAPH_GRAPHICS,
    COMPUTE = 1 << CN_GRAPH_COMPUTE,
    TRANSFER = 1 << CN_GRAPH_TRANSFER
};

/* Accesses with the same layout can follow each other without a transition; 0: buffers only. */
enum {
    LAYOUT_COLOR = 1,
    LAYOUT_DEPTH,
    LAYOUT_SAMPLE,
    LAYOUT_GENERAL,
    LAYOUT_FROM,
    LAYOUT_TO,
    LAYOUT_PRESENT
};

static const struct {
    uint8_t kinds; /* of passes */
    uint8_t layout;
    uint16_t texture_usage,
        buffer_usage; /* any of these bits; 0: not for textures, or not for buffers */
} rules[CN_GPU_ACCESS_COUNT] = {
    [CN_GPU_ACCESS_COLOR] = {GRAPHICS, LAYOUT_COLOR, CN_GPU_USE_ATTACHMENT, 0},
    [CN_GPU_ACCESS_DEPTH] = {GRAPHICS, LAYOUT_DEPTH, CN_GPU_USE_ATTACHMENT, 0},
    [CN_GPU_ACCESS_DEPTH_READ] = {GRAPHICS, LAYOUT_SAMPLE, CN_GPU_USE_ATTACHMENT, 0},
    [CN_GPU_ACCESS_SAMPLE] = {GRAPHICS, LAYOUT_SAMPLE, CN_GPU_USE_SAMPLED, 0},
    [CN_GPU_ACCESS_SAMPLE_COMPUTE] = {COMPUTE, LAYOUT_SAMPLE, CN_GPU_USE_SAMPLED, 0},
    [CN_GPU_ACCESS_READ] = {GRAPHICS, LAYOUT_GENERAL, CN_GPU_USE_STORAGE,
                            CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM},
    [CN_GPU_ACCESS_READ_COMPUTE] = {COMPUTE, LAYOUT_GENERAL, CN_GPU_USE_STORAGE,
                                    CN_GPU_USE_STORAGE | CN_GPU_USE_UNIFORM},
    [CN_GPU_ACCESS_WRITE] = {GRAPHICS, LAYOUT_GENERAL, CN_GPU_USE_STORAGE, CN_GPU_USE_STORAGE},
    [CN_GPU_ACCESS_WRITE_COMPUTE] = {COMPUTE, LAYOUT_GENERAL, CN_GPU_USE_STORAGE,
                                     CN_GPU_USE_STORAGE},
    [CN_GPU_ACCESS_VERTEX] = {GRAPHICS, 0, 0, CN_GPU_USE_VERTEX},
    [CN_GPU_ACCESS_INDIRECT] = {GRAPHICS | COMPUTE, 0, 0, CN_GPU_USE_INDIRECT},
    [CN_GPU_ACCESS_COPY_FROM] = {TRANSFER, LAYOUT_FROM, CN_GPU_USE_COPY_FROM, CN_GPU_USE_COPY_FROM},
    [CN_GPU_ACCESS_COPY_TO] = {TRANSFER, LAYOUT_TO, CN_GPU_USE_COPY_TO, CN_GPU_USE_COPY_TO},
    [CN_GPU_ACCESS_PRESENT] = {0, LAYOUT_PRESENT, 0, 0},
};

const char *cni_render_graph_access_error(CnGpuAccess access, CnGraphPassKind kind, bool is_texture)
{
    if (access <= CN_GPU_ACCESS_NONE || access >= CN_GPU_ACCESS_COUNT || !rules[access].kinds)
        return "passes cannot use this access";
    if (!(rules[access].kinds & 1u << kind))
        return "this kind of pass cannot use this access";
    if (!cni_render_graph_access_usage(access, is_texture))
        return is_texture ? "this access is for buffers" : "this access is for textures";
    return NULL;
}

uint32_t cni_render_graph_access_usage(CnGpuAccess access, bool is_texture)
{
    return is_texture ? rules[access].texture_usage : rules[access].buffer_usage;
}

bool cni_render_graph_access_is_free(uint32_t state, CnGpuAccess access)
{
    uint32_t enough = CNI_RENDER_GRAPH_ACCESS_BIT(access);
    if (enough & CNI_RENDER_GRAPH_NOT_READS)
        return false;
    /* The same shaders may sample a depth attachment that is only tested. */
    if (access == CN_GPU_ACCESS_SAMPLE)
        enough |= CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_DEPTH_READ);
    return (state & enough) != 0;
}

uint32_t cni_render_graph_access_add(uint32_t state, CnGpuAccess access, bool is_texture)
{
    if ((state | CNI_RENDER_GRAPH_ACCESS_BIT(access)) & CNI_RENDER_GRAPH_NOT_READS)
        return CNI_RENDER_GRAPH_ACCESS_BIT(access);
    for (uint32_t i = 0; is_texture && i < CN_GPU_ACCESS_COUNT; i++) {
        if (state & 1u << i && rules[i].layout != rules[access].layout)
            return CNI_RENDER_GRAPH_ACCESS_BIT(access);
    }
    return state | CNI_RENDER_GRAPH_ACCESS_BIT(access);
}
