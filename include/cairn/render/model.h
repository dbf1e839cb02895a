/*
 * Models, as named by CnMeshRenderer.mesh: a shape ("shapes://cube") or a file (.gltf, .glb, .obj)
 * with its parts, materials, joints and animations.
 *
 *     CnModel fox = cn_model_load(renderer, "assets://fox.glb", &error);
 *     uint32_t clips = cn_model_info(renderer, fox).clip_count;
 *
 * A file is parsed once and cached in a format that loads quickly (CnRendererDesc.cache); the
 * name of the cache file contains the hash of the original. A selector follows the path:
 *
 *     assets://house.glb#Door                      the part with this name, of a mesh or node
 *     assets://shoe.glb#variant=Beach              a variant of its materials
 *     assets://house.glb#scene=Ruin                another scene than the one the file selects
 *     assets://house.glb#scene=Ruin&variant=Snow&Door
 *
 * A scene without a name is selected by its index from 0. In names of scenes and variants, & is
 * written as %26 and % as %25.
 *
 * Wherever a model is drawn, its lights shine and follow the clip that it plays. They cast no
 * shadows. The first directional light is the sun, unless the snapshot has one.
 */
#ifndef CAIRN_RENDER_MODEL_H
#define CAIRN_RENDER_MODEL_H

#include <cairn/base/linear.h>
#include <cairn/render/material.h>
#include <cairn/render/mesh.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_MODELS 16384u
#define CN_MODEL_MAX_JOINTS 4096u
#define CN_MODEL_MAX_CLIPS 64u
#define CN_MODEL_MAX_LIGHTS 256u
#define CN_MODEL_MAX_CAMERAS 256u
#define CN_MODEL_MAX_SCENES 256u
#define CN_MODEL_MAX_VARIANTS 256u

typedef struct CnModel {
    uint32_t id;
} CnModel;

typedef struct CnModelPart {
    CnMesh mesh;
    CnMaterial material; /* null: the default material */
    CnAffine transform;  /* transform in the model; identity for skinned parts */
} CnModelPart;

typedef struct CnModelInfo {
    const char *name;
    const CnModelPart *parts;
    uint32_t part_count;
    CnVec3 minimum, maximum;
    uint32_t joint_count;
    uint32_t clip_count;
    uint32_t light_count, camera_count, scene_count, variant_count;
} CnModelInfo;

typedef struct CnModelDesc {
    const char *name;         /* required; not in use */
    const CnModelPart *parts; /* at least one; copied */
    uint32_t part_count;
} CnModelDesc;

/* Creates a model from existing meshes. Returns null and an error on failure. */
CN_API CnModel cn_model_create(CnRenderer *renderer, const CnModelDesc *desc, CnError *error);
/* Loads a model; the same path returns the same model. Returns null and an error on failure, which
 * is also logged once per path. */
CN_API CnModel cn_model_load(CnRenderer *renderer, const char *path, CnError *error);
/* Returns name, parts and bounds of a model; valid until the model is destroyed. */
CN_API CnModelInfo cn_model_info(const CnRenderer *renderer, CnModel model);
/* Destroys a model, and the meshes, materials and textures of its file once no model of a part uses
 * them. */
CN_API void cn_model_destroy(CnRenderer *renderer, CnModel model);

/* ---- Animation ---- */

/* Returns the name and duration of a clip; false if there is no such clip. */
CN_API bool cn_model_clip(const CnRenderer *renderer, CnModel model, uint32_t clip,
                          const char **name, float *seconds);
/* Fills joint_count matrices that transform the mesh from its rest pose to its pose at this time of
 * the clip, which loops. A clip that does not exist gives the rest pose. Items select clip and time
 * with cn_animation_value (sim/extract.h). */
CN_API void cn_model_pose(const CnRenderer *renderer, CnModel model, uint32_t clip, float seconds,
                          CnAffine *joints);

/* ---- Lights, cameras, scenes and variants of the file ---- */

typedef struct CnModelLight {
    const char *name;
    CnLightKind kind;
    CnAffine transform; /* in the model; the light shines along -z */
    CnVec3 color;       /* linear, multiplied by the intensity: candela, or lux if directional */
    float range;
    float inner, outer; /* of a spot light: the angle of the whole cone in degrees, as in CnLight */
    bool is_hidden;
} CnModelLight;

typedef struct CnModelCamera {
    const char *name;
    CnAffine transform; /* in the model; the camera looks along -z */
    bool is_orthographic;
    float fov;    /* degrees, vertical; 0 if orthographic */
    float height; /* of an orthographic view */
    float near, far;
    float aspect; /* width / height; 0: that of the window */
} CnModelCamera;

/* Fill the light or camera at this time of a clip; CN_MODEL_REST: in the rest pose. Return false if
 * there is none with this index. */
#define CN_MODEL_REST UINT32_MAX
CN_API bool cn_model_light(const CnRenderer *renderer, CnModel model, uint32_t index, uint32_t clip,
                           float seconds, CnModelLight *light);
CN_API bool cn_model_camera(const CnRenderer *renderer, CnModel model, uint32_t index,
                            uint32_t clip, float seconds, CnModelCamera *camera);
/* Return the name of a scene or variant, which may be empty; NULL if there is none with this
 * index. */
CN_API const char *cn_model_scene(const CnRenderer *renderer, CnModel model, uint32_t index);
CN_API const char *cn_model_variant(const CnRenderer *renderer, CnModel model, uint32_t index);

CN_EXTERN_C_END

#endif
