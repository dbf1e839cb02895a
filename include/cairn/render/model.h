/*
 * Models: what CnMeshRenderer.mesh names. A shape ("shapes://cube"), or a file (.gltf, .glb, .obj) with its parts, materials, joints and animations.
 *
 *     CnModel fox = cn_model_load(renderer, "assets://fox.glb", &error);
 *     cn_model_info(renderer, fox).clip_count;
 *
 * A file is read once, and kept in a form that is read fast (CnRendererDesc.cache_path): a file with the hash of
 * the original in its name. A part of a file: "assets://house.glb#Door", by the name of the mesh or node.
 */
#ifndef CAIRN_RENDER_MODEL_H
#define CAIRN_RENDER_MODEL_H

#include <cairn/base/linear.h>
#include <cairn/render/material.h>
#include <cairn/render/mesh.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_MODELS 16384u
#define CN_MODEL_MAX_JOINTS 256u
#define CN_MODEL_MAX_CLIPS 64u

typedef struct CnModel {
    uint32_t id;
} CnModel;

typedef struct CnModelPart {
    CnMesh mesh;
    CnMaterial material; /* null: the default one */
    CnAffine place;      /* in the model; of skinned parts identity */
} CnModelPart;

typedef struct CnModelInfo {
    const char *name;
    const CnModelPart *parts;
    uint32_t part_count;
    CnVec3 minimum, maximum;
    uint32_t joint_count;
    uint32_t clip_count;
} CnModelInfo;

/* Made of meshes that are there. */
CN_API CnModel cn_model_create(CnRenderer *renderer, const char *name, const CnModelPart *parts,
                               uint32_t part_count, CnError *error);
/* By path, once. Null and an error, which is logged once for each path, when there is none. */
CN_API CnModel cn_model_load(CnRenderer *renderer, const char *path, CnError *error);
CN_API CnModelInfo cn_model_info(const CnRenderer *renderer, CnModel model);
/* With the meshes, materials and textures that were inside of its file, once no model of a part uses them. */
CN_API void cn_model_destroy(CnRenderer *renderer, CnModel model);

/* ---- Animation ---- */

/* Name and seconds; false: no such clip. */
CN_API bool cn_model_clip(const CnRenderer *renderer, CnModel model, uint32_t clip,
                          const char **name, float *seconds);
/* Fills joint_count matrices: from the mesh in rest to the mesh at this time of the clip, which repeats. A clip
 * that is not there: in rest. Items say clip and time by cn_animation_value (sim/extract.h). */
CN_API void cn_model_pose(const CnRenderer *renderer, CnModel model, uint32_t clip, float seconds,
                          CnAffine *joints);

CN_EXTERN_C_END

#endif
