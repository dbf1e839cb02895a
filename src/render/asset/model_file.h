/* The contents of a model file, shared by the model of the whole file and the models of its
 * parts. */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H

#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

typedef struct CniRenderModelFile {
    uint32_t uses;
    char path[CNI_RENDER_PATH_BYTES];
    const CnBudget *budget;  /* of the file */
    CniRenderModelData data; /* without vertices and textures, which are on the GPU */
    CN_ARRAY(CnMesh) meshes;
    CN_ARRAY(CnMaterial) materials;
    CN_ARRAY(CnTexture) textures; /* embedded in the file */
    CN_ARRAY(CnAffine) globals;   /* scratch memory for sampling, one per node */
    CnF32Array weights;           /* scratch memory, enough for any morph */
} CniRenderModelFile;

/* Reads the model from the cache or imports it. *budget receives the budget of its file. */
bool cni_render_model_read(CnRenderer *renderer, const char *path, CniRenderModelData *data,
                           const CnBudget **budget, CnError *error);
CniRenderModelFile *cni_render_model_file_load(CnRenderer *renderer, const char *path,
                                               CnError *error);
void cni_render_model_file_release(CnRenderer *renderer, CniRenderModelFile *model_file);

#endif
