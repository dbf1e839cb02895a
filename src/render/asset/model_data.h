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

#define CNI_MODEL_MAX_VERTICES (1u << 24)
#define CNI_MODEL_MAX_INDICES (1u << 26)
#define CNI_MODEL_MAX_MESHES 4096u
#define CNI_MODEL_MAX_PARTS 16384u
#define CNI_MODEL_MAX_NODES 4096u
#define CNI_MODEL_MAX_KEYS (1u << 22)
#define CNI_MODEL_MAX_BYTES (1u << 28) /* of all its files together */
#define CNI_MODEL_MAX_COORDINATE 1e9f
#define CNI_PATH_MAX 512u

typedef struct CniModelMesh {
    uint32_t name;
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, index_count; /* indices are relative to first_vertex */
    uint32_t first_skin;               /* + 1; 0: not skinned */
    uint32_t material;                 /* + 1 */
} CniModelMesh;

typedef struct CniModelPartData {
    uint32_t mesh;
    uint32_t name; /* of its node */
    CnAffine place;
} CniModelPartData;

typedef struct CniModelTexture {
    uint32_t path;                   /* virtual path, or */
    uint32_t first_byte, byte_count; /* a PNG or JPEG in `bytes` */
    uint32_t is_linear;
} CniModelTexture;

typedef struct CniModelMaterial {
    uint32_t name;
    CnVec4 base_color;
    CnVec3 emissive;
    float metallic, roughness, normal_scale, alpha_cutoff;
    CnVec2 uv_scale;
    uint32_t alpha_mode, is_double_sided, is_unlit;
    uint32_t textures[CN_TEXTURE_COUNT]; /* + 1 */
} CniModelMaterial;

/* Nodes that move joints; parents come before their children. */
typedef struct CniModelNode {
    uint32_t name;
    uint32_t parent; /* + 1 */
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} CniModelNode;

typedef struct CniModelJoint {
    uint32_t node;
    CnAffine offset; /* from the mesh to the joint in the rest pose */
} CniModelJoint;

typedef struct CniModelClip {
    uint32_t name;
    float seconds;
    uint32_t first_channel, channel_count;
} CniModelClip;

enum { CNI_CHANNEL_POSITION, CNI_CHANNEL_ROTATION, CNI_CHANNEL_SCALE, CNI_CHANNEL_KINDS };

typedef struct CniModelChannel {
    uint32_t node;
    uint32_t kind;
    uint32_t is_stepped;
    uint32_t first_key, key_count;
} CniModelChannel;

typedef struct CniModelKey {
    float seconds;
    CnVec4 value;
} CniModelKey;

/* A file that was read besides the main one: the cache is valid as long as it is unchanged. */
typedef struct CniModelSource {
    uint32_t path;
    uint32_t unused;
    uint64_t hash;
} CniModelSource;

/* name, type, maximum count */
#define CNI_MODEL_ARRAYS(X)                                                                        \
    X(texts, char, 1u << 22)                                                                       \
    X(sources, CniModelSource, 256u)                                                               \
    X(vertices, CnVertex, CNI_MODEL_MAX_VERTICES)                                                  \
    X(indices, uint32_t, CNI_MODEL_MAX_INDICES)                                                    \
    X(skins, CnVertexSkin, CNI_MODEL_MAX_VERTICES)                                                 \
    X(meshes, CniModelMesh, CNI_MODEL_MAX_MESHES)                                                  \
    X(parts, CniModelPartData, CNI_MODEL_MAX_PARTS)                                                \
    X(textures, CniModelTexture, 1024u)                                                            \
    X(materials, CniModelMaterial, 1024u)                                                          \
    X(nodes, CniModelNode, CNI_MODEL_MAX_NODES)                                                    \
    X(joints, CniModelJoint, CN_MODEL_MAX_JOINTS)                                                  \
    X(clips, CniModelClip, CN_MODEL_MAX_CLIPS)                                                     \
    X(channels, CniModelChannel, CN_MODEL_MAX_CLIPS *CNI_MODEL_MAX_NODES)                          \
    X(keys, CniModelKey, CNI_MODEL_MAX_KEYS)                                                       \
    X(bytes, uint8_t, CNI_MODEL_MAX_BYTES)

typedef struct CniModelData {
    CnAllocator *allocator;
#define CNI_MODEL_MEMBER(name, type, most) CN_ARRAY(type) name;
    CNI_MODEL_ARRAYS(CNI_MODEL_MEMBER)
#undef CNI_MODEL_MEMBER
} CniModelData;

void cni_model_data_init(CniModelData *data, CnAllocator *allocator);
void cni_model_data_fini(CniModelData *data);
/* Returns the offset of a copy; 0 and *ok false if out of memory. */
uint32_t cni_model_text(CniModelData *data, CnText text, bool *ok);
static inline const char *cni_model_text_at(const CniModelData *data, uint32_t text)
{
    return text < data->texts.count ? data->texts.items + text : "";
}
/* Checks that all references are valid, numbers are finite and no limit is exceeded. `name` is used
 * in errors. */
bool cni_model_check(const CniModelData *data, const char *name, CnError *error);

/* ---- Import with assimp ---- */

/* `main` is the contents of the file at `path`. */
bool cni_model_import(CnFileSystem *files, const char *path, CnFileBytes main, CniModelData *data,
                      CnError *error);

/* ---- The baked format: docs/formats.md ---- */

#define CNI_BAKED_VERSION 2u

/* Appends the baked data to `out`. */
bool cni_model_bake(const CniModelData *data, CnU8Array *out);
/* Validates the data; returns false and an error for anything that cni_model_bake did not write. */
bool cni_model_unbake(const uint8_t *bytes, size_t size, const char *name, CniModelData *data,
                      CnError *error);

/* ---- Poses ---- */

/* As cn_model_pose. `globals` has space for all nodes. */
void cni_model_sample(const CniModelData *data, uint32_t clip, float seconds, CnAffine *globals,
                      CnAffine *joints);

#endif
