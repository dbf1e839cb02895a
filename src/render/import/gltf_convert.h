/* Conversion of a glTF document to a CniRenderModelData. */
#ifndef CAIRN_SRC_RENDER_IMPORT_GLTF_CONVERT_H
#define CAIRN_SRC_RENDER_IMPORT_GLTF_CONVERT_H

#include "render/import/gltf.h"

typedef struct CniRenderGltfImageState {
    bool is_added;
    uint32_t path;                   /* CniRenderModelTexture */
    uint32_t first_byte, byte_count; /* CniRenderModelTexture */
} CniRenderGltfImageState;

typedef struct CniRenderGltfConversion {
    CniRenderGltf *gltf;
    CniRenderImport *import;
    CniRenderModelData *data;
    CniRenderGltfImageState *images;
    uint32_t *material_of; /* per material: index + 1 in data->materials; 0: not yet */
    uint32_t *mesh_of;     /* per mesh: index + 1 of its first model mesh; 0: not yet */
    uint32_t *morph_of;    /* per node: index + 1 in data->morphs; 0: none */
    CnHashMap skinned;     /* mesh and skin: they were added */
    CnHashMap joints;      /* node and hash of the offset: index in data->joints */
    CnU32Array light_of;   /* per light in data->lights: index in the document */
    CnU32Array camera_of;  /* as above */
    uint32_t first_joint;  /* of the meshes that are being added: CniRenderModelMesh */
    CnU32Array vertex_of;  /* scratch: index + 1 in the mesh of a vertex of the file; all 0 */
    CnU32Array used;       /* scratch: the vertices of the file that a primitive uses */
} CniRenderGltfConversion;

/* The joints of a skin in data->joints, for a primitive. */
typedef struct CniRenderGltfJoints {
    uint8_t *joint_of; /* per joint of the skin; only those that are used are valid */
    CnAffine rest;     /* from the mesh to its rest pose in the model */
} CniRenderGltfJoints;

/* A primitive of a mesh, and how it is drawn. */
typedef struct CniRenderGltfSource {
    uint32_t mesh, primitive; /* indices */
    uint32_t skin;            /* + 1 */
} CniRenderGltfSource;

/* Adds the nodes of the scene as parts. */
bool cni_render_gltf_convert_parts(CniRenderGltfConversion *conversion);
/* Adds the light and the camera of a node. */
bool cni_render_gltf_convert_light(CniRenderGltfConversion *conversion, uint32_t node);
/* Adds the names of scenes and variants. */
bool cni_render_gltf_convert_names(CniRenderGltfConversion *conversion);
/* Adds the materials that a primitive has in variants to the mesh that was made of it. */
bool cni_render_gltf_convert_mappings(CniRenderGltfConversion *conversion,
                                      const CniRenderGltfPrimitive *primitive, uint32_t mesh);
/* Adds the nodes that something refers to, and the clips. */
bool cni_render_gltf_convert_clips(CniRenderGltfConversion *conversion);

/* Adds the material unless it was added before; *number receives its index + 1. */
bool cni_render_gltf_convert_material(CniRenderGltfConversion *conversion, uint32_t material,
                                      uint32_t *number);
/* The texture coordinates that the textures of a material use. */
typedef struct CniRenderGltfCoordinates {
    const CniRenderGltfTextureUse *leading; /* determines the tangents; NULL: no textures */
    bool is_uniform; /* all are as the leading one: its transform is applied to the vertices */
    uint32_t sets[2], set_count;
} CniRenderGltfCoordinates;
CniRenderGltfCoordinates cni_render_gltf_coordinates(const CniRenderGltfMaterial *material);
/* Adds the triangles of a primitive; *number receives the index of the mesh, which is empty if the
 * primitive has none. */
bool cni_render_gltf_convert_primitive(CniRenderGltfConversion *conversion,
                                       const CniRenderGltfSource *source, uint32_t *number);
/* Adds triangles that look like the points or lines of a primitive to the mesh. */
bool cni_render_gltf_convert_lines(CniRenderGltfConversion *conversion,
                                   const CniRenderGltfPrimitive *primitive,
                                   CniRenderImportMesh *mesh);
/* Adds the joints of the source's skin that the `used` vertices refer to. */
bool cni_render_gltf_convert_joints(CniRenderGltfConversion *conversion,
                                    const CniRenderGltfSource *source, CniRenderGltfJoints *joints);
/* Appends the skins of the `used` vertices. */
bool cni_render_gltf_convert_skins(CniRenderGltfConversion *conversion,
                                   const CniRenderGltfSource *source,
                                   const CniRenderGltfJoints *joints, CniRenderModelMesh *mesh);
/* Appends the morph targets of a primitive to the mesh that was made of it. import->origins has the
 * vertices, as indices of `used`. */
bool cni_render_gltf_convert_targets(CniRenderGltfConversion *conversion,
                                     const CniRenderGltfSource *source, CniRenderModelMesh *mesh);
/* Adds the weights of a node whose mesh has morph targets. */
bool cni_render_gltf_convert_weights(CniRenderGltfConversion *conversion, uint32_t node);
/* Attaches a mesh to one node, and moves its vertices to `place` in the rest pose. */
bool cni_render_gltf_convert_rigid(CniRenderGltfConversion *conversion, uint32_t node,
                                   const CnAffine *place, uint32_t mesh);

#endif
