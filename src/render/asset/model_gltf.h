/*
 * Reads the JSON document of a glTF file independently of assimp, which validates too little of it
 * and does not report how animations interpolate between keys.
 */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_GLTF_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_GLTF_H

#include "render/asset/model_import.h"

#include <jansson.h>

#define CNI_RENDER_GLB_MAGIC 0x46546C67u
#define CNI_RENDER_GLB_JSON 0x4E4F534Au
#define CNI_RENDER_GLB_BIN 0x004E4942u

typedef struct CniRenderGltfBuffer {
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned; /* decoded from the text; `size` bytes */
} CniRenderGltfBuffer;

typedef struct CniRenderGltf {
    json_t *root; /* NULL: not a glTF file */
    CnAllocator *allocator;
    CN_ARRAY(CniRenderGltfBuffer) buffers;
    CnHashMap samplers; /* of animations, by clip, node name and channel kind: const json_t * */
    const char *what;   /* first error; NULL: none so far */
    CnU32Array joints;  /* per mesh: number of joints its vertices refer to */
    uint64_t vertex_count, index_count, key_count; /* totals of all meshes and animations */
    CnFileBytes rewritten; /* passed to assimp instead of the file; see cni_render_gltf_normalize */
} CniRenderGltf;

/* Returns whether `path` is a glTF file, by its name. */
bool cni_render_gltf_is(const char *path);
/* Reads the document and the buffers, and validates all references. */
bool cni_render_gltf_open(CniRenderGltf *gltf, CniRenderImportFiles *files, const char *path,
                          CnError *error);
void cni_render_gltf_close(CniRenderGltf *gltf);

/* The keys of a channel as stored in the file. */
typedef enum CniRenderGltfCurve {
    CNI_RENDER_CURVE_LINEAR,
    CNI_RENDER_CURVE_STEP,
    CNI_RENDER_CURVE_CUBIC
} CniRenderGltfCurve;
typedef struct CniRenderGltfKeys {
    CniRenderGltfCurve curve;
    const uint8_t *times, *values; /* floats; NULL: another type, or no such channel */
    uint32_t count, width;         /* width: floats per value */
    uint32_t time_stride, value_stride;
} CniRenderGltfKeys;
CniRenderGltfKeys cni_render_gltf_keys(const CniRenderGltf *gltf, uint32_t clip, CnText node,
                                       uint32_t kind);

/* Returns the emissive strength of the material of this name (KHR_materials_emissive_strength); 1
 * by default. */
float cni_render_gltf_emissive_strength(const CniRenderGltf *gltf, CnText material);

/* ---- Shared by the glTF files ---- */

/* Returns a non-negative integer of an object; `otherwise` if it is missing, UINT64_MAX if it has
 * another type. */
uint64_t cni_render_gltf_number(const json_t *object, const char *key, uint64_t otherwise);
/* Returns an element of a list of the document; NULL: none. */
const json_t *cni_render_gltf_at(const CniRenderGltf *gltf, const char *list, uint64_t index);
uint32_t cni_render_gltf_count(const CniRenderGltf *gltf, const char *list);
/* Return the components of a type such as "VEC3", and the bytes of one component; 0: unknown. */
uint32_t cni_render_gltf_width(const json_t *accessor);
uint32_t cni_render_gltf_component_bytes(const json_t *accessor);
/* Returns the address of the first element; NULL: none. Valid once the accessor was checked. */
const uint8_t *cni_render_gltf_data(const CniRenderGltf *gltf, const json_t *accessor,
                                    uint32_t *stride);
void cni_render_gltf_check(CniRenderGltf *gltf);
/* Splits the file into its chunks: the document, and the binary chunk of a .glb or nothing. */
bool cni_render_gltf_split(CnFileBytes file, CnText *document, CnText *bin);
/* Normalises the rotations of nodes, like those of scene files; a rotation that is zero or not
 * finite is an error. If any changed, the importer reads a rewritten copy of the file. */
bool cni_render_gltf_normalize(CniRenderGltf *gltf, CniRenderImportFiles *files, const char *path,
                               CnError *error);

#endif
