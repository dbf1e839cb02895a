/* Compares the interface of a shader with the pipeline that uses it. */
#ifndef CAIRN_SRC_GPU_SPIRV_CHECK_H
#define CAIRN_SRC_GPU_SPIRV_CHECK_H

#include "gpu/gpu_internal.h"

typedef enum CniStage { CNI_STAGE_VERTEX, CNI_STAGE_FRAGMENT, CNI_STAGE_COMPUTE } CniStage;

typedef struct CniShaderUse {
    const char *name; /* of the pipeline */
    CniStage stage;
    const CnGpuBindingKind *bindings; /* CN_GPU_MAX_BINDINGS of them */
    uint32_t constants;
} CniShaderUse;

/*
 * Returns false and an error when the code is not SPIR-V, is damaged, is for another stage, or uses
 * bindings or constants that the pipeline does not have: drivers check none of this. A header
 * without any instruction is accepted; only the null backend can use it.
 */
bool cni_spirv_check(const CnGpuShader *shader, const CniShaderUse *use, CnError *error);
/* Returns whether the module has an entry point. */
bool cni_spirv_has_entry(const CnGpuShader *shader);

#endif
