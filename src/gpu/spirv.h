/* What a shader says about itself, compared with the pipeline that is to use it. */
#ifndef CAIRN_SRC_GPU_SPIRV_H
#define CAIRN_SRC_GPU_SPIRV_H

#include "gpu.h"

typedef enum CniStage { CNI_STAGE_VERTEX, CNI_STAGE_FRAGMENT, CNI_STAGE_COMPUTE } CniStage;

typedef struct CniShaderUse {
    const char *name; /* of the pipeline */
    CniStage stage;
    const CnGpuBindingKind *bindings; /* CN_GPU_MAX_BINDINGS of them */
    uint32_t constants;
} CniShaderUse;

/*
 * False, with an error, when it is not SPIR-V, is damaged, is for another stage, or uses bindings or
 * constants that the pipeline does not have: drivers check none of it. A header without any instruction
 * passes; only the null backend can do with it.
 */
bool cni_spirv_check(const CnGpuShader *shader, const CniShaderUse *use, CnError *error);
/* Whether there is a function to begin with. */
bool cni_spirv_has_entry(const CnGpuShader *shader);

#endif
