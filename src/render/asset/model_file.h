/* The contents of a model file, shared by the model of the whole file and the models of its
 * parts. */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_FILE_H

#include "render/asset/bulk_memory.h"
#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

#define CNI_RENDER_MODEL_SCENE "#scene=" /* in paths */

typedef struct CniRenderModelFile {
    uint32_t uses;
    char path[CNI_RENDER_PATH_BYTES];
    const CnBudget *budget;   /* of the file */
    CniRenderModelData data;  /* without vertices and textures, which are on the GPU */
    CniRenderBulkMemory bulk; /* for them, until they are uploaded */
    CN_ARRAY(CnMesh) meshes;
    CN_ARRAY(CnMaterial) materials;
    CN_ARRAY(CnTexture) textures; /* embedded in the file */
    /* Of all textures, if they were decoded in advance; without pixels: could not be read. */
    CN_ARRAY(CnImage) images;
    CN_ARRAY(CnAffine) globals; /* scratch memory for sampling, one per node */
    CnF32Array weights;         /* scratch memory, enough for any morph */
    CnF32Array from_weights;    /* the same, for the clip before */
    CnU8Array hidden;           /* scratch memory, one per node */
    CnU8Array changes;          /* per material: CNI_RENDER_CHANGES_... by clips */
    bool hides_parts;           /* a clip can */
} CniRenderModelFile;

/* Reads the model from the cache or imports it. *budget receives the budget of its file. `path` may
 * end in #scene= and the name of a scene. */
bool cni_render_model_read(CnRenderer *renderer, const char *path, CniRenderModelData *data,
                           const CnBudget **budget, CnError *error);
/* Reads a file and creates its meshes, materials and textures. */
CniRenderModelFile *cni_render_model_file_load(CnRenderer *renderer, const char *path,
                                               CnError *error);
/* The same in steps. The first two may be called by another thread than the renderer's; they use
 * only its files, cache and allocator. */
CniRenderModelFile *cni_render_model_file_open(CnRenderer *renderer, const char *path,
                                               CnError *error);
bool cni_render_model_file_decode_images(CnRenderer *renderer, CniRenderModelFile *model_file);
bool cni_render_model_file_upload(CnRenderer *renderer, CniRenderModelFile *model_file,
                                  CnError *error);
void cni_render_model_file_release(CnRenderer *renderer, CniRenderModelFile *model_file);

/* Returns the description of a material, without its textures. */
CnMaterialDesc cni_render_model_material_desc(const CniRenderModelMaterial *from);
/* Returns a clip and its time as items have them, between two animation values. */
float cni_render_model_time_between(uint32_t previous, uint32_t current, float alpha,
                                    uint32_t *clip);

/* ---- model.c ---- */

/* Copies a name of a selector with %XX decoded, and takes the & behind it. Returns false if the
 * name is empty or too long. */
bool cni_render_model_take_name(const char **at, char *name, size_t capacity);
/* Makes a model again from a file that was read anew: the model of the same parts and variant. Its
 * id stays valid. On an error, it stays as it was. */
bool cni_render_model_rebuild(CnRenderer *renderer, uint32_t index, CniRenderModelFile *model_file,
                              CnError *error);
/* Copies the part of a model's path that names the file and the scene. */
bool cni_render_model_file_of(const char *path, char file[CNI_RENDER_PATH_BYTES]);
/* Returns the id of the model of this name; 0: none. */
uint32_t cni_render_model_find(const CnRenderer *renderer, const char *name);
/* Uploads a file that was opened and adds the model of the whole file, unless there is one. */
bool cni_render_model_add_file(CnRenderer *renderer, CniRenderModelFile *model_file,
                               const char *path, CnError *error);

#endif
