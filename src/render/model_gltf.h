/*
 * The document of a glTF file, read by ourselves: assimp trusts more of it than it should, and does not say how
 * animations go from key to key.
 */
#ifndef CAIRN_RENDER_MODEL_GLTF_H
#define CAIRN_RENDER_MODEL_GLTF_H

#include "model_import.h"

#include <jansson.h>

#define CNI_GLB_MAGIC 0x46546C67u
#define CNI_GLB_JSON 0x4E4F534Au
#define CNI_GLB_BIN 0x004E4942u

typedef struct CniGltfBuffer {
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned; /* decoded from the text; of `size` bytes */
} CniGltfBuffer;

typedef struct CniGltf {
    json_t *root; /* NULL: no glTF */
    CnAllocator *allocator;
    CN_ARRAY(CniGltfBuffer) buffers;
    CnHashMap
        samplers; /* of animations, by clip, name of the node and kind of the channel: const json_t * */
    const char *what;  /* is wrong; NULL: nothing so far */
    CnU32Array joints; /* of each mesh: how many joints its vertices know */
    uint64_t vertex_count, index_count, key_count; /* of all meshes and animations together */
    CnFileBytes rewritten; /* what assimp reads instead of the file; see cni_gltf_normalize */
} CniGltf;

/* Whether `path` is a glTF, by its name. */
bool cni_gltf_is(const char *path);
/* Reads the document and the buffers and checks whatever leads from one to another. */
bool cni_gltf_open(CniGltf *gltf, CniImportFiles *files, const char *path, CnError *error);
void cni_gltf_close(CniGltf *gltf);

/* The keys of a channel as they stand in the file. */
typedef enum CniGltfCurve { CNI_CURVE_LINEAR, CNI_CURVE_STEP, CNI_CURVE_CUBIC } CniGltfCurve;
typedef struct CniGltfKeys {
    CniGltfCurve curve;
    const uint8_t *times, *values; /* floats; NULL: of another type, or there is no such channel */
    uint32_t count, width;         /* floats of a value */
    uint32_t time_stride, value_stride;
} CniGltfKeys;
CniGltfKeys cni_gltf_keys(const CniGltf *gltf, uint32_t clip, CnText node, uint32_t kind);

/* How much brighter the material of this name glows than it says (KHR_materials_emissive_strength); 1: as it says. */
float cni_gltf_glow(const CniGltf *gltf, CnText material);

/* ---- What its files share ---- */

/* A whole number of an object that is not negative; `otherwise` where there is none, UINT64_MAX where it is something
 * else. */
uint64_t cni_gltf_number(const json_t *object, const char *key, uint64_t otherwise);
/* The element of a list of the document; NULL: none. */
const json_t *cni_gltf_at(const CniGltf *gltf, const char *list, uint64_t index);
uint32_t cni_gltf_count(const CniGltf *gltf, const char *list);
/* Components of a type such as "VEC3", and bytes of one; 0: unknown. */
uint32_t cni_gltf_width(const json_t *accessor);
uint32_t cni_gltf_component_bytes(const json_t *accessor);
/* Where the first of its items begins; NULL: nowhere. Good once the accessor was checked. */
const uint8_t *cni_gltf_data(const CniGltf *gltf, const json_t *accessor, uint32_t *stride);
void cni_gltf_check(CniGltf *gltf);
/* The chunks of the file: the document, and the binary one of a .glb or nothing. */
bool cni_gltf_split(CnFileBytes file, CnText *document, CnText *bin);
/* Gives the rotations of nodes length 1, as those of scene files; one that is zero or not finite is an error. Where any
 * changed, the importer reads a rewritten copy of the file. */
bool cni_gltf_normalize(CniGltf *gltf, CniImportFiles *files, const char *path, CnError *error);

#endif
