/* Formats, usages and accesses of buffers and textures, shared with the render graph. */
#ifndef CAIRN_GPU_FORMAT_H
#define CAIRN_GPU_FORMAT_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef enum CnGpuFormat {
    CN_GPU_FORMAT_NONE,
    CN_GPU_FORMAT_R8,
    CN_GPU_FORMAT_RG8,
    CN_GPU_FORMAT_RGBA8,
    CN_GPU_FORMAT_RGBA8_SRGB,
    CN_GPU_FORMAT_BGRA8,
    CN_GPU_FORMAT_BGRA8_SRGB,
    CN_GPU_FORMAT_RGB10A2,
    CN_GPU_FORMAT_RG11B10F,
    CN_GPU_FORMAT_R16F,
    CN_GPU_FORMAT_RG16F,
    CN_GPU_FORMAT_RGBA16F,
    CN_GPU_FORMAT_R32F,
    CN_GPU_FORMAT_RG32F,
    CN_GPU_FORMAT_RGB32F, /* vertices only */
    CN_GPU_FORMAT_RGBA32F,
    CN_GPU_FORMAT_R16U,
    CN_GPU_FORMAT_R32U,
    CN_GPU_FORMAT_RG32U,
    CN_GPU_FORMAT_RGBA32U,
    CN_GPU_FORMAT_D32F,
    CN_GPU_FORMAT_COUNT
} CnGpuFormat;

CN_API const char *cn_gpu_format_name(CnGpuFormat format);
/* Returns the size of a texel. */
CN_API uint32_t cn_gpu_format_bytes(CnGpuFormat format);
static inline bool cn_gpu_format_is_depth(CnGpuFormat format)
{
    return format == CN_GPU_FORMAT_D32F;
}

/*
 * How a command accesses a resource. A barrier and the layout of a texture follow from the accesses
 * before and after.
 */
typedef enum CnGpuAccess {
    CN_GPU_ACCESS_NONE,       /* unused so far, or contents that may be discarded */
    CN_GPU_ACCESS_COLOR,      /* attachment, written (and read, when loaded or blended) */
    CN_GPU_ACCESS_DEPTH,      /* attachment, tested and written */
    CN_GPU_ACCESS_DEPTH_READ, /* attachment, tested; may be sampled by the same pass */
    CN_GPU_ACCESS_SAMPLE,     /* sampled by vertex or fragment shaders */
    CN_GPU_ACCESS_SAMPLE_COMPUTE,
    CN_GPU_ACCESS_READ, /* storage or uniform, by vertex or fragment shaders */
    CN_GPU_ACCESS_READ_COMPUTE,
    CN_GPU_ACCESS_WRITE,         /* storage, by fragment shaders; read as well */
    CN_GPU_ACCESS_WRITE_COMPUTE, /* read as well */
    CN_GPU_ACCESS_VERTEX,        /* vertices and indices */
    CN_GPU_ACCESS_INDIRECT,
    CN_GPU_ACCESS_COPY_FROM,
    CN_GPU_ACCESS_COPY_TO,
    CN_GPU_ACCESS_PRESENT,
    CN_GPU_ACCESS_HOST, /* read by the program */
    CN_GPU_ACCESS_COUNT
} CnGpuAccess;

CN_API const char *cn_gpu_access_name(CnGpuAccess access);
CN_API bool cn_gpu_access_writes(CnGpuAccess access);

enum { /* CnGpuBufferDesc.usage, CnGpuTextureDesc.usage */
       CN_GPU_USE_COPY_FROM = 1 << 0,
       CN_GPU_USE_COPY_TO = 1 << 1,
       CN_GPU_USE_STORAGE = 1 << 2,
       CN_GPU_USE_UNIFORM = 1 << 3,   /* buffers */
       CN_GPU_USE_VERTEX = 1 << 4,    /* buffers; vertices and indices */
       CN_GPU_USE_INDIRECT = 1 << 5,  /* buffers */
       CN_GPU_USE_SAMPLED = 1 << 6,   /* textures */
       CN_GPU_USE_ATTACHMENT = 1 << 7 /* textures; color or depth by format */
};

CN_EXTERN_C_END

#endif
