/* The contents of a model file, shared by the model of the whole file and the models of its
 * parts. */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H

#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

typedef struct CniRig {
    uint32_t uses;
    char path[CNI_PATH_BYTES];
    CniModelData data; /* without vertices and textures, which are on the GPU */
    CN_ARRAY(CnMesh) meshes;
    CN_ARRAY(CnMaterial) materials;
    CN_ARRAY(CnTexture) textures; /* embedded in the file */
    CN_ARRAY(CnAffine) globals;   /* scratch memory for sampling, one per node */
} CniRig;

/* Reads the model from the cache or imports it. */
bool cni_model_read(CnRenderer *renderer, const char *path, CniModelData *data, CnError *error);
CniRig *cni_rig_load(CnRenderer *renderer, const char *path, CnError *error);
void cni_rig_release(CnRenderer *renderer, CniRig *rig);

#endif
