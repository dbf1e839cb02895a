/*
 * Pipelines: shaders with the state they draw with.
 *
 *     CnGpuPipeline lit = cn_gpu_graphics_pipeline(gpu, &(CnGpuGraphicsDesc){
 *         .name = "lit", .vertex = {lit_vert, sizeof lit_vert}, .fragment = {lit_frag, sizeof lit_frag},
 *         .bindings = {CN_BIND_UNIFORM, CN_BIND_TEXTURE}, .constants = sizeof(LitConstants),
 *         .color = {CN_FORMAT_RGBA16F}, .depth = CN_FORMAT_D32F, .depth_test = CN_GPU_GREATER_EQUAL,
 *         .depth_write = true, .cull = CN_GPU_CULL_BACK}, &error);
 *
 * Resources are bound one by one, by the number of their binding in set 0, for each draw that needs others
 * (push descriptors); small values are push constants, at most 128 bytes. Vertices are pulled from
 * storage buffers or addresses by shaders, so a pipeline knows nothing of their layout. Viewport and
 * scissor are set while recording. Front faces are counter-clockwise, as seen on the picture.
 *
 * Compiled shaders of the tree: a file shaders/x/y.frag is the array of words cn_shader_x_y_frag, which
 * #include "shaders/x/y.frag.h" declares in the library and in tests.
 */
#ifndef CAIRN_GPU_PIPELINE_H
#define CAIRN_GPU_PIPELINE_H

#include <cairn/gpu/device.h>

CN_EXTERN_C_BEGIN

#define CN_GPU_MAX_BINDINGS 24u
#define CN_GPU_MAX_COLORS 4u
#define CN_GPU_MAX_CONSTANT_BYTES 128u

/* The binding numbers of set 0, in order; the list ends at the first none. */
typedef enum CnGpuBindingKind {
    CN_BIND_NONE,
    CN_BIND_UNIFORM,
    CN_BIND_STORAGE,        /* a storage buffer */
    CN_BIND_TEXTURE,        /* a texture with a sampler */
    CN_BIND_STORAGE_TEXTURE /* read and written */
} CnGpuBindingKind;

/* SPIR-V with a function main. Its bindings and constants must be among those of the pipeline; an error
 * says which are not. */
typedef struct CnGpuShader {
    const void *code;
    size_t code_bytes;
} CnGpuShader;

typedef enum CnGpuCull { CN_GPU_CULL_NONE, CN_GPU_CULL_BACK, CN_GPU_CULL_FRONT } CnGpuCull;
typedef enum CnGpuBlend {
    CN_GPU_BLEND_NONE,
    CN_GPU_BLEND_ALPHA,         /* color times alpha over what is there */
    CN_GPU_BLEND_PREMULTIPLIED, /* color is multiplied already */
    CN_GPU_BLEND_ADD
} CnGpuBlend;
typedef enum CnGpuTopology { CN_GPU_TRIANGLES, CN_GPU_TRIANGLE_STRIP, CN_GPU_LINES } CnGpuTopology;

typedef struct CnGpuGraphicsDesc {
    const char *name;
    CnGpuShader vertex, fragment; /* no fragment shader: depth only */
    CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS];
    uint32_t constants; /* bytes */
    CnGpuTopology topology;
    CnGpuFormat color[CN_GPU_MAX_COLORS]; /* ends at the first none */
    CnGpuBlend blend[CN_GPU_MAX_COLORS];
    CnGpuFormat depth;
    CnGpuCompare depth_test; /* none: no test */
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

CN_API CnGpuPipeline cn_gpu_graphics_pipeline(CnGpu *gpu, const CnGpuGraphicsDesc *desc,
                                              CnError *error);
CN_API CnGpuPipeline cn_gpu_compute_pipeline(CnGpu *gpu, const CnGpuComputeDesc *desc,
                                             CnError *error);
CN_API void cn_gpu_pipeline_destroy(CnGpu *gpu, CnGpuPipeline pipeline);
/* Writes the cache of pipelines to its file now; destroying the device does it too, if there is anything
 * new. A file that is damaged, or of another device or driver, is not used, and replaced. */
CN_API bool cn_gpu_save_pipelines(CnGpu *gpu, CnError *error);

CN_EXTERN_C_END

#endif
