/*
 * A model as imported from a file: plain arrays that refer to each other by index, the same for
 * every format. The cache stores these arrays unchanged.
 *
 * Strings are offsets into `texts`; 0 is "". References are indices from 0, or from 1 where 0 means
 * none.
 */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_DATA_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_DATA_H

#include <cairn/base/file.h>
#include <cairn/base/linear.h>
#include <cairn/base/text.h>
#include <cairn/render/model.h>

#define CNI_RENDER_MODEL_MAX_VERTICES (1u << 24)
#define CNI_RENDER_MODEL_MAX_INDICES (1u << 26)
#define CNI_RENDER_MODEL_MAX_MESHES 4096u
#define CNI_RENDER_MODEL_MAX_PARTS 16384u
#define CNI_RENDER_MODEL_MAX_NODES 4096u
#define CNI_RENDER_MODEL_MAX_KEYS (1u << 22)
#define CNI_RENDER_MODEL_MAX_DELTAS (1u << 24)
#define CNI_RENDER_MODEL_MAX_WEIGHTS (1u << 16)
#define CNI_RENDER_MODEL_MAX_MAPPINGS (1u << 16)
#define CNI_RENDER_MODEL_MESH_JOINTS 256u     /* CnVertexSkin has bytes */
#define CNI_RENDER_MODEL_MAX_BYTES (1u << 28) /* of all its files together */
#define CNI_RENDER_MODEL_MAX_COORDINATE 1e9f
#define CNI_RENDER_PATH_MAX 512u

typedef struct CniRenderModelMesh {
    uint32_t name;
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, index_count; /* indices are relative to first_vertex */
    uint32_t first_skin;               /* + 1; 0: not skinned */
    uint32_t first_joint;              /* to which the joints of its skin are relative */
    uint32_t first_delta;              /* + 1; 0: no morph targets */
    uint32_t target_count;             /* each has vertex_count deltas */
    uint32_t first_uv;                 /* + 1 in second_uvs; 0: one set of coordinates */
    uint32_t material;                 /* + 1 */
} CniRenderModelMesh;

/* What a morph target with weight 1 adds to a vertex; also the layout in GPU memory. */
typedef struct CniRenderModelDelta {
    CnVec3 position;
    uint16_t normal[3], tangent[3]; /* half-precision floats */
} CniRenderModelDelta;

/* The weights of the morph targets of a node: its mesh may be drawn by other nodes, too. */
typedef struct CniRenderModelMorph {
    uint32_t first_weight, weight_count; /* initial weights in `weights` */
} CniRenderModelMorph;

typedef struct CniRenderModelPartData {
    uint32_t mesh;
    uint32_t name;  /* of its node */
    uint32_t morph; /* + 1; 0: its mesh has no morph targets */
    uint32_t node;  /* + 1; 0: no clip hides it */
    CnAffine transform;
} CniRenderModelPartData;

typedef struct CniRenderModelTexture {
    uint32_t path;                   /* virtual path, or */
    uint32_t first_byte, byte_count; /* a PNG, JPEG or WebP in `bytes` */
    uint32_t is_linear;
    uint32_t sampler; /* bits as below; 0: repeats, linear filters, with mips */
} CniRenderModelTexture;

enum { CNI_RENDER_WRAP_REPEAT, CNI_RENDER_WRAP_CLAMP, CNI_RENDER_WRAP_MIRROR };
enum {                                /* CniRenderModelTexture.sampler */
       CNI_RENDER_SAMPLER_WRAP_U = 0, /* shifts of two bits each */
       CNI_RENDER_SAMPLER_WRAP_V = 2,
       CNI_RENDER_SAMPLER_MAGNIFY_NEAREST = 1 << 4,
       CNI_RENDER_SAMPLER_MINIFY_NEAREST = 1 << 5,
       CNI_RENDER_SAMPLER_MIP_NEAREST = 1 << 6,
       CNI_RENDER_SAMPLER_NO_MIPS = 1 << 7,
       CNI_RENDER_SAMPLER_ALL = (1 << 8) - 1
};

/* What glTF and scene files select if they do not say; zeros mean zero. */
extern const CnMaterialExtensions cni_render_material_extension_defaults;

typedef struct CniRenderModelMaterial {
    uint32_t name;
    CnVec4 base_color;
    CnVec3 emissive;
    float metallic, roughness, normal_scale, alpha_cutoff;
    CnVec2 uv_scale;
    float occlusion_strength;
    CnMaterialExtensions extensions;
    uint32_t alpha_mode, is_double_sided, is_unlit;
    uint32_t textures[CN_TEXTURE_COUNT]; /* + 1 */
    CnTextureCoordinates coordinates[CN_TEXTURE_COUNT];
} CniRenderModelMaterial;

/* Nodes that move joints, lights and cameras or hide parts; parents come before their children. */
typedef struct CniRenderModelNode {
    uint32_t name;
    uint32_t parent; /* + 1 */
    uint32_t is_hidden;
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} CniRenderModelNode;

typedef struct CniRenderModelJoint {
    uint32_t node;
    CnAffine offset; /* from the mesh to the joint in the rest pose */
} CniRenderModelJoint;

/* Lights shine and cameras look along -z of their node. */
typedef struct CniRenderModelLight {
    uint32_t name, node;
    uint32_t kind; /* CnLightKind */
    CnVec3 color;
    float intensity, range;
    float inner, outer; /* of a spot light: radians from its axis */
} CniRenderModelLight;

typedef struct CniRenderModelCamera {
    uint32_t name, node;
    uint32_t is_orthographic;
    float size; /* vertical angle in radians, or height of an orthographic view */
    float near, far;
    float aspect;
} CniRenderModelCamera;

/* The material of a mesh in a variant of the model; in the order of meshes. */
typedef struct CniRenderModelMapping {
    uint32_t mesh, variant;
    uint32_t material; /* + 1 */
} CniRenderModelMapping;

typedef struct CniRenderModelClip {
    uint32_t name;
    float seconds;
    uint32_t first_channel, channel_count; /* of nodes, in the order of nodes */
    uint32_t value_count;                  /* channels of other kinds, which follow them */
} CniRenderModelClip;

enum {
    CNI_RENDER_CHANNEL_POSITION,
    CNI_RENDER_CHANNEL_ROTATION,
    CNI_RENDER_CHANNEL_SCALE,
    CNI_RENDER_CHANNEL_NODE_KINDS, /* those above have a node, those from here on another target */
    CNI_RENDER_CHANNEL_WEIGHTS = CNI_RENDER_CHANNEL_NODE_KINDS, /* four of a morph's weights */
    CNI_RENDER_CHANNEL_VISIBLE,                                 /* of a node: below 0.5: hidden */
    CNI_RENDER_CHANNEL_MATERIAL,
    CNI_RENDER_CHANNEL_LIGHT,
    CNI_RENDER_CHANNEL_CAMERA,
    CNI_RENDER_CHANNEL_KINDS
};

enum { /* CniRenderModelChannel.first: what of the target it changes */
       CNI_RENDER_MATERIAL_BASE_COLOR = 0,
       CNI_RENDER_MATERIAL_EMISSIVE,
       CNI_RENDER_MATERIAL_METALLIC,
       CNI_RENDER_MATERIAL_ROUGHNESS,
       CNI_RENDER_MATERIAL_NORMAL_SCALE,
       CNI_RENDER_MATERIAL_ALPHA_CUTOFF,
       CNI_RENDER_MATERIAL_OCCLUSION_STRENGTH,
       /* + the index of a number, or of the first of a color's, in CnMaterialExtensions */
       CNI_RENDER_MATERIAL_NUMBER = 0x100,
       CNI_RENDER_MATERIAL_COLOR = 0x200,
       CNI_RENDER_MATERIAL_UV_OFFSET = 0x300, /* + CN_TEXTURE_... */
       CNI_RENDER_MATERIAL_UV_ROTATION = 0x400,
       CNI_RENDER_MATERIAL_UV_SCALE = 0x500,
       CNI_RENDER_MATERIAL_PROPERTY = 0xF00, /* mask of these */
       CNI_RENDER_LIGHT_COLOR = 0,
       CNI_RENDER_LIGHT_INTENSITY,
       CNI_RENDER_LIGHT_RANGE,
       CNI_RENDER_LIGHT_INNER,
       CNI_RENDER_LIGHT_OUTER,
       CNI_RENDER_CAMERA_SIZE = 0,
       CNI_RENDER_CAMERA_NEAR,
       CNI_RENDER_CAMERA_FAR,
       CNI_RENDER_CAMERA_ASPECT
};

typedef struct CniRenderModelChannel {
    uint32_t target; /* a node, morph (WEIGHTS), material, light or camera */
    uint32_t kind;
    uint32_t first; /* WEIGHTS: the first of the weights; others: the property */
    uint32_t is_stepped;
    uint32_t first_key, key_count;
} CniRenderModelChannel;

typedef struct CniRenderModelKey {
    float seconds;
    CnVec4 value;
} CniRenderModelKey;

/* A file that was read besides the main one: the cache is valid as long as it is unchanged. */
typedef struct CniRenderModelSource {
    uint32_t path;
    uint32_t unused;
    uint64_t hash;
} CniRenderModelSource;

/* name, type, maximum count. `scenes` and `variants` are names. */
#define CNI_RENDER_MODEL_ARRAYS(X)                                                                 \
    X(texts, char, 1u << 22)                                                                       \
    X(sources, CniRenderModelSource, 256u)                                                         \
    X(vertices, CnVertex, CNI_RENDER_MODEL_MAX_VERTICES)                                           \
    X(indices, uint32_t, CNI_RENDER_MODEL_MAX_INDICES)                                             \
    X(skins, CnVertexSkin, CNI_RENDER_MODEL_MAX_VERTICES)                                          \
    X(second_uvs, CnVec2, CNI_RENDER_MODEL_MAX_VERTICES)                                           \
    X(deltas, CniRenderModelDelta, CNI_RENDER_MODEL_MAX_DELTAS)                                    \
    X(meshes, CniRenderModelMesh, CNI_RENDER_MODEL_MAX_MESHES)                                     \
    X(parts, CniRenderModelPartData, CNI_RENDER_MODEL_MAX_PARTS)                                   \
    X(textures, CniRenderModelTexture, 1024u)                                                      \
    X(materials, CniRenderModelMaterial, 1024u)                                                    \
    X(nodes, CniRenderModelNode, CNI_RENDER_MODEL_MAX_NODES)                                       \
    X(joints, CniRenderModelJoint, CN_MODEL_MAX_JOINTS)                                            \
    X(morphs, CniRenderModelMorph, CNI_RENDER_MODEL_MAX_PARTS)                                     \
    X(weights, float, CNI_RENDER_MODEL_MAX_WEIGHTS)                                                \
    X(lights, CniRenderModelLight, CN_MODEL_MAX_LIGHTS)                                            \
    X(cameras, CniRenderModelCamera, CN_MODEL_MAX_CAMERAS)                                         \
    X(scenes, uint32_t, CN_MODEL_MAX_SCENES)                                                       \
    X(variants, uint32_t, CN_MODEL_MAX_VARIANTS)                                                   \
    X(mappings, CniRenderModelMapping, CNI_RENDER_MODEL_MAX_MAPPINGS)                              \
    X(clips, CniRenderModelClip, CN_MODEL_MAX_CLIPS)                                               \
    X(channels, CniRenderModelChannel, CN_MODEL_MAX_CLIPS *CNI_RENDER_MODEL_MAX_NODES)             \
    X(keys, CniRenderModelKey, CNI_RENDER_MODEL_MAX_KEYS)                                          \
    X(bytes, uint8_t, CNI_RENDER_MODEL_MAX_BYTES)

typedef struct CniRenderModelData {
    CnAllocator *allocator;
    CnAllocator *bulk;      /* of the arrays that only the GPU needs, and of scratch memory */
    const CnBudget *budget; /* of the least trusted of its files; not cached */
#define CNI_RENDER_MODEL_MEMBER(name, type, most) CN_ARRAY(type) name;
    CNI_RENDER_MODEL_ARRAYS(CNI_RENDER_MODEL_MEMBER)
#undef CNI_RENDER_MODEL_MEMBER
} CniRenderModelData;

void cni_render_model_data_init(CniRenderModelData *data, CnAllocator *allocator);
void cni_render_model_data_fini(CniRenderModelData *data);
/* Selects the allocator of vertices, indices, skins, deltas and bytes, which are empty. */
void cni_render_model_data_use_bulk(CniRenderModelData *data, CnAllocator *bulk);
/* Frees these arrays; they use the first allocator again. */
void cni_render_model_data_drop_bulk(CniRenderModelData *data);
/* Returns the offset of a copy; 0 and *ok false if out of memory. */
uint32_t cni_render_model_text(CniRenderModelData *data, CnText text, bool *ok);
static inline const char *cni_render_model_text_at(const CniRenderModelData *data, uint32_t text)
{
    return text < data->texts.count ? data->texts.items + text : "";
}
/* Checks that all references are valid, numbers are finite and no limit is exceeded. `name` is used
 * in errors. */
bool cni_render_model_check(const CniRenderModelData *data, const char *name, CnError *error);
/* Checks that the model is within the budget of its origin. */
bool cni_render_model_check_budget(const CniRenderModelData *data, const CnBudget *budget,
                                   const char *name, CnError *error);

/* ---- Import: render/import ---- */

/* `main` is the contents of the file at `path`, `scene` the name of a scene in it; NULL: the one
 * that the file selects. If the file or one that it refers to is of foreign origin, a helper
 * process imports it (render/decode). */
bool cni_render_model_import(CnFileSystem *files, const char *path, const char *scene,
                             CnFileBytes main, CniRenderModelData *data, CnError *error);

/* ---- The baked format: docs/formats.md ---- */

#define CNI_RENDER_BAKED_VERSION 7u

/* Appends the baked data to `out`. */
bool cni_render_model_write_baked(const CniRenderModelData *data, CnU8Array *out);
/* Validates the data; returns false and an error for anything that cni_render_model_write_baked did
 * not write. */
bool cni_render_model_read_baked(const uint8_t *bytes, size_t size, const char *name,
                                 CniRenderModelData *data, CnError *error);

/* ---- Poses ---- */

/* A clip at a time, and how much of another one is in it. */
typedef struct CniRenderModelPose {
    uint32_t clip;
    float seconds;
    uint32_t from_clip;
    float from_seconds;
    float weight; /* of `from`, 0 to 1 */
} CniRenderModelPose;

/* As cn_model_pose. `globals` has space for all nodes. */
void cni_render_model_sample(const CniRenderModelData *data, const CniRenderModelPose *pose,
                             CnAffine *globals, CnAffine *joints);
/* Fills the weights of a morph at this time of the clip; the initial ones if the clip does not
 * change them or does not exist. */
void cni_render_model_sample_weights(const CniRenderModelData *data, uint32_t clip, float seconds,
                                     uint32_t morph, float *weights);
/* Fills the transforms of all nodes in the model. */
void cni_render_model_sample_pose(const CniRenderModelData *data, const CniRenderModelPose *pose,
                                  CnAffine *globals);
void cni_render_model_sample_nodes(const CniRenderModelData *data, uint32_t clip, float seconds,
                                   CnAffine *globals);
/* Fills whether each node is hidden, by itself or by an ancestor. */
void cni_render_model_sample_hidden(const CniRenderModelData *data, uint32_t clip, float seconds,
                                    uint8_t *hidden);
/* Return the item as the clip changes it. Numbers of extensions may be out of their range. */
CniRenderModelMaterial cni_render_model_sample_material(const CniRenderModelData *data,
                                                        uint32_t clip, float seconds,
                                                        uint32_t material);
CniRenderModelLight cni_render_model_sample_light(const CniRenderModelData *data, uint32_t clip,
                                                  float seconds, uint32_t light);
CniRenderModelCamera cni_render_model_sample_camera(const CniRenderModelData *data, uint32_t clip,
                                                    float seconds, uint32_t camera);

#endif
