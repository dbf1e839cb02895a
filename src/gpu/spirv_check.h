/* Compares the interface of a shader with the pipeline that uses it. */
#ifndef CAIRN_SRC_GPU_SPIRV_CHECK_H
#define CAIRN_SRC_GPU_SPIRV_CHECK_H

#include "gpu/gpu_internal.h"

typedef enum CniGpuShaderStage {
    CNI_GPU_SHADER_STAGE_VERTEX,
    CNI_GPU_SHADER_STAGE_FRAGMENT,
    CNI_GPU_SHADER_STAGE_COMPUTE
} CniGpuShaderStage;

typedef struct CniGpuShaderInterface {
    const char *name; /* of the pipeline */
    CniGpuShaderStage stage;
    const CnGpuBindingKind *bindings; /* CN_GPU_MAX_BINDINGS of them */
    uint32_t constants;
} CniGpuShaderInterface;

/*
 * Returns false and an error when the code is not SPIR-V, is damaged, is for another stage, or uses
 * bindings or constants that the pipeline does not have: drivers check none of this. A header
 * without any instruction is accepted; only the null backend can use it.
 */
bool cni_gpu_spirv_check(const CnGpuShader *shader, const CniGpuShaderInterface *use,
                         CnError *error);
/* Returns whether the module has an entry point. */
bool cni_gpu_spirv_has_entry(const CnGpuShader *shader);

#endif
