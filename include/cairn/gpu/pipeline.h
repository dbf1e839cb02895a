/*
 * Pipelines: shaders and the fixed-function state they are used with.
 *
 *     CnGpuPipeline make_lit(CnGpu *gpu, CnGpuShader vertex, CnGpuShader fragment, CnError *error)
 *     {
 *         return cn_gpu_graphics_pipeline_create(gpu, &(CnGpuGraphicsDesc){
 *             .name = "lit", .vertex = vertex, .fragment = fragment,
 *             .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE}, .constants = 16,
 *             .color = {CN_GPU_FORMAT_RGBA16F}, .depth = CN_GPU_FORMAT_D32F,
 *             .depth_test = CN_GPU_GREATER_EQUAL, .depth_write = true,
 *             .cull = CN_GPU_CULL_BACK}, error);
 *     }
 *
 * Resources are bound individually, by their binding number in set 0, before each draw that needs
 * different ones (push descriptors). Small values are push constants, at most 128 bytes. Shaders
 * fetch vertices from storage buffers or addresses, so pipelines have no vertex layout. Viewport
 * and scissor are set while recording. Front faces are counter-clockwise in the image.
 *
 * Compiled shaders of the source tree: the file shaders/x/y.frag becomes the array of words
 * cn_shader_x_y_frag, which "shaders/x/y.frag.h" declares in the library and in tests.
 */
#ifndef CAIRN_GPU_PIPELINE_H
#define CAIRN_GPU_PIPELINE_H

#include <cairn/gpu/device.h>

CN_EXTERN_C_BEGIN

#define CN_GPU_MAX_BINDINGS 32u /* push descriptors that every device has */
#define CN_GPU_MAX_COLORS 4u
#define CN_GPU_MAX_CONSTANT_BYTES 128u

/* Kinds of the bindings of set 0, in order of their numbers; a list ends at the first
 * CN_GPU_BIND_NONE. */
typedef enum CnGpuBindingKind {
    CN_GPU_BIND_NONE,
    CN_GPU_BIND_UNIFORM,
    CN_GPU_BIND_STORAGE,        /* a storage buffer */
    CN_GPU_BIND_TEXTURE,        /* a texture with a sampler */
    CN_GPU_BIND_STORAGE_TEXTURE /* a texture for reading and writing */
} CnGpuBindingKind;

/* SPIR-V with the entry point main. Its bindings and constants must be among those of the
 * pipeline; if not, the error lists those that are missing. */
typedef struct CnGpuShader {
    const void *code;
    size_t code_bytes;
} CnGpuShader;

typedef enum CnGpuCull { CN_GPU_CULL_NONE, CN_GPU_CULL_BACK, CN_GPU_CULL_FRONT } CnGpuCull;
typedef enum CnGpuBlend {
    CN_GPU_BLEND_NONE,
    CN_GPU_BLEND_ALPHA,         /* color multiplied by alpha, over the existing color */
    CN_GPU_BLEND_PREMULTIPLIED, /* color that is already multiplied by alpha */
    CN_GPU_BLEND_ADD
} CnGpuBlend;
typedef enum CnGpuTopology { CN_GPU_TRIANGLES, CN_GPU_TRIANGLE_STRIP, CN_GPU_LINES } CnGpuTopology;

typedef struct CnGpuGraphicsDesc {
    const char *name;
    CnGpuShader vertex, fragment; /* without a fragment shader: depth only */
    CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS];
    uint32_t constants; /* bytes */
    CnGpuTopology topology;
    CnGpuFormat color[CN_GPU_MAX_COLORS]; /* ends at the first CN_GPU_FORMAT_NONE */
    CnGpuBlend blend[CN_GPU_MAX_COLORS];
    CnGpuFormat depth;
    CnGpuCompare depth_test; /* CN_GPU_COMPARE_NONE: no test */
    bool depth_write;
    float depth_bias, depth_bias_slope;
    bool depth_clamp;
    CnGpuCull cull;
} CnGpuGraphicsDesc;

typedef struct CnGpuComputeDesc {
    const char *name;
    CnGpuShader shader;
    CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS];
    uint32_t constants;
} CnGpuComputeDesc;

/* Create a pipeline. Return the null handle and an error on failure. */
CN_API CnGpuPipeline cn_gpu_graphics_pipeline_create(CnGpu *gpu, const CnGpuGraphicsDesc *desc,
                                                     CnError *error);
CN_API CnGpuPipeline cn_gpu_compute_pipeline_create(CnGpu *gpu, const CnGpuComputeDesc *desc,
                                                    CnError *error);
CN_API void cn_gpu_pipeline_destroy(CnGpu *gpu, CnGpuPipeline pipeline);
/* Writes the pipeline cache to its file now. Destroying the device does this too, if the cache
 * has changed. A file that is damaged, or belongs to another device or driver, is ignored and
 * replaced. */
CN_API bool cn_gpu_save_pipeline_cache(CnGpu *gpu, CnError *error);

CN_EXTERN_C_END

#endif
