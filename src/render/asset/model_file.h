/* The contents of a model file, shared by the model of the whole file and the models of its
 * parts. */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H

#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

#define CNI_RENDER_MODEL_SCENE "#scene=" /* in paths */

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
    CnU8Array hidden;             /* scratch memory, one per node */
    CnU8Array is_animated;        /* per material: a clip changes it */
    bool hides_parts;             /* a clip can */
} CniRenderModelFile;

/* Reads the model from the cache or imports it. *budget receives the budget of its file. `path` may
 * end in #scene= and the name of a scene. */
bool cni_render_model_read(CnRenderer *renderer, const char *path, CniRenderModelData *data,
                           const CnBudget **budget, CnError *error);
CniRenderModelFile *cni_render_model_file_load(CnRenderer *renderer, const char *path,
                                               CnError *error);
void cni_render_model_file_release(CnRenderer *renderer, CniRenderModelFile *model_file);

/* Returns the description of a material, without its textures. */
CnMaterialDesc cni_render_model_material_desc(const CniRenderModelMaterial *from);
/* Returns a clip and its time as items have them, between two animation values. */
float cni_render_model_time_between(uint32_t previous, uint32_t current, float alpha,
                                    uint32_t *clip);

#endif
