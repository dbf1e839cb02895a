/*
 * A glTF 2.0 document as typed arrays. Reading it validates everything: indices refer to existing
 * items, accessors lie within their buffer, the nodes form a tree. What refers to nothing or to
 * too few bytes is an error that names its place in the document:
 *
 *     meshes[3].primitives[0].attributes.NORMAL: accessor 12 has 8 elements instead of 24
 *
 * References are indices + 1; 0 means none.
 */
#ifndef CAIRN_SRC_RENDER_IMPORT_GLTF_H
#define CAIRN_SRC_RENDER_IMPORT_GLTF_H

#include "render/import/import.h"

#include <jansson.h>

#define CNI_RENDER_GLTF_MAX_ITEMS 65536u /* of a list of the document */
/* Memory of the JSON values (CnJsonSize): enough for 65,536 accessors with a view each. */
#define CNI_RENDER_GLTF_MAX_TREE_BYTES (192u << 20)
#define CNI_RENDER_GLTF_MAX_DEPTH 512u       /* of nested JSON values */
#define CNI_RENDER_GLTF_MAX_COUNT (1u << 26) /* elements of an accessor */
#define CNI_RENDER_GLTF_MAX_UV_SETS 8u
#define CNI_RENDER_GLTF_MAX_JOINT_SETS 4u

typedef enum CniRenderGltfList {
    CNI_RENDER_GLTF_BUFFERS,
    CNI_RENDER_GLTF_VIEWS,
    CNI_RENDER_GLTF_ACCESSORS,
    CNI_RENDER_GLTF_IMAGES,
    CNI_RENDER_GLTF_SAMPLERS,
    CNI_RENDER_GLTF_TEXTURES,
    CNI_RENDER_GLTF_MATERIALS,
    CNI_RENDER_GLTF_MESHES,
    CNI_RENDER_GLTF_CAMERAS,
    CNI_RENDER_GLTF_NODES,
    CNI_RENDER_GLTF_SKINS,
    CNI_RENDER_GLTF_ANIMATIONS,
    CNI_RENDER_GLTF_SCENES,
    CNI_RENDER_GLTF_LIST_COUNT
} CniRenderGltfList;

typedef struct CniRenderGltfBuffer {
    const uint8_t *bytes; /* NULL: a placeholder for compressed views */
    uint64_t size;
} CniRenderGltfBuffer;

typedef struct CniRenderGltfView {
    const uint8_t *bytes;
    uint64_t size;
    uint32_t stride; /* 0: elements are tightly packed */
} CniRenderGltfView;

typedef enum CniRenderGltfComponent {
    CNI_RENDER_GLTF_I8 = 5120,
    CNI_RENDER_GLTF_U8,
    CNI_RENDER_GLTF_I16,
    CNI_RENDER_GLTF_U16,
    CNI_RENDER_GLTF_U32 = 5125,
    CNI_RENDER_GLTF_F32
} CniRenderGltfComponent;

/* Dense: sparse accessors are expanded when they are read. */
typedef struct CniRenderGltfAccessor {
    const uint8_t *bytes; /* of the first element */
    uint32_t stride;      /* 0: all elements are the one at `bytes` */
    uint32_t count;
    uint32_t width; /* components of an element */
    CniRenderGltfComponent component;
    bool is_normalized, is_matrix;
} CniRenderGltfAccessor;

typedef struct CniRenderGltfImage {
    CnText bytes;    /* of an embedded image, or */
    const char *uri; /* relative to the file */
} CniRenderGltfImage;

typedef struct CniRenderGltfTexture {
    uint32_t image;
    uint32_t sampler; /* CniRenderModelTexture.sampler */
} CniRenderGltfTexture;

/* A use of a texture in a material. */
typedef struct CniRenderGltfTextureUse {
    uint32_t texture;
    uint32_t uv_set;
    float offset[2], rotation, scale[2];
    float factor; /* normal scale, occlusion strength */
} CniRenderGltfTextureUse;

typedef struct CniRenderGltfMaterial {
    const char *name;
    float base_color[4], emissive[3];
    float metallic, roughness, alpha_cutoff;
    CnAlphaMode alpha_mode;
    bool is_double_sided, is_unlit, needs_tangents;
    bool moves_textures;             /* an animation changes a KHR_texture_transform */
    CnMaterialExtensions extensions; /* with its defaults filled in */
    CniRenderGltfTextureUse textures[CN_TEXTURE_COUNT];
} CniRenderGltfMaterial;

typedef struct CniRenderGltfTarget {
    uint32_t position, normal, tangent; /* accessors */
} CniRenderGltfTarget;

/* The material of a primitive in a variant (KHR_materials_variants). */
typedef struct CniRenderGltfMapping {
    uint32_t variant; /* index, not + 1 */
    uint32_t material;
} CniRenderGltfMapping;

typedef struct CniRenderGltfPrimitive {
    uint32_t mode;
    uint32_t material;
    CniRenderGltfMapping *mappings;
    uint32_t mapping_count;
    uint32_t indices; /* accessor, as are the others */
    uint32_t position, normal, tangent, color;
    uint32_t uv[CNI_RENDER_GLTF_MAX_UV_SETS];
    uint32_t joints[CNI_RENDER_GLTF_MAX_JOINT_SETS], weights[CNI_RENDER_GLTF_MAX_JOINT_SETS];
    uint32_t vertex_count;
    CniRenderGltfTarget *targets;
    uint32_t target_count;
} CniRenderGltfPrimitive;

typedef struct CniRenderGltfMesh {
    const char *name;
    CniRenderGltfPrimitive *primitives;
    uint32_t primitive_count;
    float *weights; /* of the targets */
    uint32_t weight_count;
    uint32_t target_count; /* of the primitive with the most */
} CniRenderGltfMesh;

typedef struct CniRenderGltfNode {
    const char *name;
    uint32_t parent;
    uint32_t mesh, skin;
    uint32_t camera, light;
    uint32_t *children; /* indices, not + 1 */
    uint32_t child_count;
    CnAffine local;
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
    float *weights;
    uint32_t weight_count;
    uint32_t instance_position, instance_rotation, instance_scale; /* accessors */
    uint32_t instance_count;
    bool hides; /* itself and its descendants, unless an animation changes that */
    /* Computed: */
    CnAffine place;  /* in the model */
    bool is_hidden;  /* by itself or an ancestor */
    bool is_toggled; /* an animation can hide or show it, directly or through an ancestor */
    bool is_moved;   /* by an animation, directly or through an ancestor */
    uint32_t kept;   /* index + 1 in data->nodes; 0: nothing needs it */
} CniRenderGltfNode;

typedef struct CniRenderGltfLight {
    const char *name;
    CnLightKind kind;
    float color[3], intensity, range; /* range 0: infinite */
    float inner, outer;               /* of a spot light: radians from its axis */
} CniRenderGltfLight;

typedef struct CniRenderGltfCamera {
    const char *name;
    bool is_orthographic;
    float size; /* vertical angle in radians, or height of an orthographic view */
    float near, far, aspect;
} CniRenderGltfCamera;

typedef struct CniRenderGltfSkin {
    uint32_t *joints; /* nodes; indices, not + 1 */
    uint32_t joint_count;
    uint32_t matrices; /* accessor */
} CniRenderGltfSkin;

typedef enum CniRenderGltfCurve {
    CNI_RENDER_CURVE_LINEAR,
    CNI_RENDER_CURVE_STEP,
    CNI_RENDER_CURVE_CUBIC
} CniRenderGltfCurve;

typedef struct CniRenderGltfSampler {
    uint32_t input, output; /* accessors */
    CniRenderGltfCurve curve;
} CniRenderGltfSampler;

typedef struct CniRenderGltfChannel {
    uint32_t target;   /* node, material, light or camera; index, not + 1 */
    uint32_t kind;     /* CNI_RENDER_CHANNEL_... */
    uint32_t property; /* CniRenderModelChannel.first */
    /* Keys have this many components in the file. If it is 1 and `is_spread`, the first component
     * is copied to all others. All are multiplied by `scale`. */
    uint32_t width;
    bool is_spread;
    float scale[3];
    CniRenderGltfSampler sampler;
} CniRenderGltfChannel;

typedef struct CniRenderGltfAnimation {
    const char *name;
    CniRenderGltfChannel *channels;
    uint32_t channel_count;
} CniRenderGltfAnimation;

typedef struct CniRenderGltf {
    CniRenderImport *import;
    json_t *root;
    CnText bin;    /* the binary chunk of a .glb */
    CnArena arena; /* everything below */
    const json_t *lists[CNI_RENDER_GLTF_LIST_COUNT];
    uint32_t counts[CNI_RENDER_GLTF_LIST_COUNT];
    CniRenderGltfBuffer *buffers;
    CniRenderGltfView *views;
    CniRenderGltfAccessor *accessors;
    CniRenderGltfImage *images;
    uint32_t *samplers; /* CniRenderModelTexture.sampler */
    CniRenderGltfTexture *textures;
    CniRenderGltfMaterial *materials;
    CniRenderGltfMesh *meshes;
    CniRenderGltfNode *nodes;
    CniRenderGltfLight *lights;
    uint32_t light_count;
    CniRenderGltfCamera *cameras;
    const char **variants; /* names */
    uint32_t variant_count;
    CniRenderGltfSkin *skins;
    CniRenderGltfAnimation *animations;
    uint32_t *roots; /* nodes of the scene to draw; indices, not + 1 */
    uint32_t root_count;
    uint32_t *order;         /* all nodes, parents before their children */
    uint64_t expanded_bytes; /* of decoded URIs, sparse accessors and compressed views */
    uint32_t notes;          /* bits: what was left out, CNI_RENDER_GLTF_NOTE_... */
} CniRenderGltf;

enum { /* CniRenderGltf.notes */
       CNI_RENDER_GLTF_NOTE_POINTS = 1 << 0,
       CNI_RENDER_GLTF_NOTE_THIRD_UV = 1 << 1,
       CNI_RENDER_GLTF_NOTE_BASISU = 1 << 2
};

/* ---- Places in the document, for errors ---- */

typedef struct CniRenderGltfAt {
    const struct CniRenderGltfAt *above; /* NULL: the document */
    const char *key;                     /* NULL: an element of a list */
    uint32_t index;
} CniRenderGltfAt;

/* Returns false and an error at `key` of this place; NULL: at the place itself. */
bool cni_render_gltf_fails(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *key,
                           CnErrorCode code, const char *format, ...) CN_PRINTF_LIKE(5, 6);

/* ---- Values of objects: false and an error if a value has the wrong type or range. A missing
 * value leaves the result unchanged. ---- */

bool cni_render_gltf_uint(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, uint32_t maximum, uint32_t *value);
/* An index of a list; *value receives it + 1. */
bool cni_render_gltf_index(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                           const json_t *object, const char *key, CniRenderGltfList list,
                           uint32_t *value);
/* Clamps the number to the range. */
bool cni_render_gltf_float(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                           const json_t *object, const char *key, float minimum, float maximum,
                           float *value);
/* A list of `count` numbers. */
bool cni_render_gltf_floats(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                            const json_t *object, const char *key, uint32_t count, float *values);
bool cni_render_gltf_flag(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, bool *value);
/* The text belongs to the document. */
bool cni_render_gltf_text(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, const char **value);
bool cni_render_gltf_object(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                            const json_t *object, const char *key, const json_t **value);
bool cni_render_gltf_list(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, const json_t **list,
                          uint32_t *count);
/* A list of numbers or indices of any length, copied. */
bool cni_render_gltf_float_list(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                const json_t *object, const char *key, float **values,
                                uint32_t *count);
bool cni_render_gltf_index_list(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                const json_t *object, const char *key, CniRenderGltfList list,
                                uint32_t **values, uint32_t *count);
/* Fills *value with the extension of this name; NULL if the object does not have it. */
bool cni_render_gltf_extension(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                               const json_t *object, const char *name, const json_t **value);
/* Returns whether the document requires the extension. */
bool cni_render_gltf_requires(const CniRenderGltf *gltf, const char *extension);
/* Returns zeroed memory that lives as long as the document; an error if there is none. */
void *cni_render_gltf_alloc(CniRenderGltf *gltf, uint32_t count, size_t item_bytes);
/* As above, for data that files expand to: limited in total. */
uint8_t *cni_render_gltf_expand(CniRenderGltf *gltf, const CniRenderGltfAt *at, uint64_t bytes);
/* Returns the key of a list in the document, such as "bufferViews". */
const char *cni_render_gltf_list_key(CniRenderGltfList list);
/* Calls `read` for all objects of a list of the document. */
typedef bool CniRenderGltfRead(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                               uint32_t number);
bool cni_render_gltf_each(CniRenderGltf *gltf, CniRenderGltfList list, CniRenderGltfRead *read);

/* ---- Reading, in this order ---- */

bool cni_render_gltf_open(CniRenderGltf *gltf); /* the JSON text, its lists and extensions */
bool cni_render_gltf_read_buffers(CniRenderGltf *gltf);
bool cni_render_gltf_read_accessors(CniRenderGltf *gltf);
bool cni_render_gltf_read_materials(CniRenderGltf *gltf);
bool cni_render_gltf_read_variants(CniRenderGltf *gltf);
bool cni_render_gltf_read_meshes(CniRenderGltf *gltf);
bool cni_render_gltf_read_lights(CniRenderGltf *gltf); /* and cameras */
bool cni_render_gltf_read_nodes(CniRenderGltf *gltf);
bool cni_render_gltf_read_animations(CniRenderGltf *gltf);

/* Reads the materials of a primitive in variants. */
bool cni_render_gltf_read_mappings(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                   const json_t *item, CniRenderGltfPrimitive *primitive);
/* Reads the light of a node. */
bool cni_render_gltf_read_node_light(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                     const json_t *item, uint32_t *light);
/* Finds what the pointer of a channel refers to (KHR_animation_pointer). *is_known: the renderer
 * can animate it; otherwise it is noted in the log, or an error if the extension is required. */
bool cni_render_gltf_read_pointer(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                  const json_t *target, CniRenderGltfChannel *channel,
                                  bool *is_known);
/* Reads the use of a texture. `factor_key`: the key of use->factor; NULL: none. */
bool cni_render_gltf_read_use(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                              const json_t *object, const char *key, const char *factor_key,
                              CniRenderGltfTextureUse *use);
/* Reads the extensions of a material that are in CnMaterialExtensions, with their textures. */
bool cni_render_gltf_read_extensions(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                     const json_t *item, CniRenderGltfMaterial *material);
/* Takes the text that begins a pointer. */
bool cni_render_gltf_take_text(const char **at, const char *text);
/* Finds a number of an extension, or a part of the transform of a texture, by its path in a
 * material; as CniRenderModelChannel.first. */
bool cni_render_gltf_find_extension(const char *path, uint32_t *property, uint32_t *width);
/* Decodes the bytes of a view with EXT_meshopt_compression. */
bool cni_render_gltf_decode_view(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                 const json_t *extension, CniRenderGltfView *view);
/* Decodes the part of a data URI behind its comma. */
bool cni_render_gltf_decode_uri(CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *uri,
                                CnText *bytes);

/* ---- Elements of accessors ---- */

/* Return the accessor of a reference; NULL for 0. */
static inline const CniRenderGltfAccessor *cni_render_gltf_accessor(const CniRenderGltf *gltf,
                                                                    uint32_t reference)
{
    return reference ? &gltf->accessors[reference - 1] : NULL;
}
/* Reads the first `count` components of an element as numbers; normalized ones as 0 to 1 or -1 to
 * 1. */
void cni_render_gltf_element(const CniRenderGltfAccessor *accessor, uint32_t element,
                             uint32_t count, float *values);
/* Reads the components of an element of unsigned integers. */
void cni_render_gltf_element_uint(const CniRenderGltfAccessor *accessor, uint32_t element,
                                  uint32_t count, uint32_t *values);

#endif
