/* Formats by name and size. */
#include <cairn/base/assert.h>
#include <cairn/gpu/format.h>

static const struct {
    const char *name;
    uint32_t bytes;
} formats[CN_GPU_FORMAT_COUNT] = {
    [CN_GPU_FORMAT_NONE] = {"none", 0},
    [CN_GPU_FORMAT_R8] = {"r8", 1},
    [CN_GPU_FORMAT_RG8] = {"rg8", 2},
    [CN_GPU_FORMAT_RGBA8] = {"rgba8", 4},
    [CN_GPU_FORMAT_RGBA8_SRGB] = {"rgba8_srgb", 4},
    [CN_GPU_FORMAT_BGRA8] = {"bgra8", 4},
    [CN_GPU_FORMAT_BGRA8_SRGB] = {"bgra8_srgb", 4},
    [CN_GPU_FORMAT_RGB10A2] = {"rgb10a2", 4},
    [CN_GPU_FORMAT_RG11B10F] = {"rg11b10f", 4},
    [CN_GPU_FORMAT_R16F] = {"r16f", 2},
    [CN_GPU_FORMAT_RG16F] = {"rg16f", 4},
    [CN_GPU_FORMAT_RGBA16F] = {"rgba16f", 8},
    [CN_GPU_FORMAT_R32F] = {"r32f", 4},
    [CN_GPU_FORMAT_RG32F] = {"rg32f", 8},
    [CN_GPU_FORMAT_RGB32F] = {"rgb32f", 12},
    [CN_GPU_FORMAT_RGBA32F] = {"rgba32f", 16},
    [CN_GPU_FORMAT_R16U] = {"r16u", 2},
    [CN_GPU_FORMAT_R32U] = {"r32u", 4},
    [CN_GPU_FORMAT_RG32U] = {"rg32u", 8},
    [CN_GPU_FORMAT_RGBA32U] = {"rgba32u", 16},
    [CN_GPU_FORMAT_D32F] = {"d32f", 4},
};

const char *cn_gpu_format_name(CnGpuFormat format)
{
    CN_ASSERT(format < CN_GPU_FORMAT_COUNT, "there is no format %d", (int)format);
    return format < CN_GPU_FORMAT_COUNT ? formats[format].name : "unknown";
}

uint32_t cn_gpu_format_bytes(CnGpuFormat format)
{
    CN_ASSERT(format < CN_GPU_FORMAT_COUNT, "there is no format %d", (int)format);
    return format < CN_GPU_FORMAT_COUNT ? formats[format].bytes : 0;
}
