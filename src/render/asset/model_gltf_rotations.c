/*
 * Node rotations must be unit quaternions in glTF, but some files violate this and assimp uses them
 * unchanged: a longer one scales and shears its node.
 */
#include "render/asset/model_gltf.h"

#define GLB_HEADER_BYTES 12u
#define CHUNK_HEADER_BYTES 8u

static bool normalize_node(json_t *node, bool *is_changed)
{
    json_t *list = json_object_get(node, "rotation");
    if (!list)
        return true;
    float values[4];
    for (size_t i = 0; i < 4; i++)
        values[i] = (float)json_number_value(json_array_get(list, i));
    CnQuat before = {values[0], values[1], values[2], values[3]}, after = before;
    if (!cn_quat_make_unit(&after))
        return false;
    if (memcmp(&before, &after, sizeof before) == 0)
        return true;
    *is_changed = true;
    json_t *unit =
        json_pack("[ffff]", (double)after.x, (double)after.y, (double)after.z, (double)after.w);
    return json_object_set_new(node, "rotation", unit) == 0;
}

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

/* Returns the address of the chunk's data. */
static uint8_t *begin_chunk(uint8_t *at, uint32_t kind, size_t bytes)
{
    uint32_t header[2] = {(uint32_t)bytes, kind};
    memcpy(at, header, sizeof header);
    return at + CHUNK_HEADER_BYTES;
}

/* Rewrites the file with the modified document. */
static bool write_file(const CniRenderGltf *gltf, CnFileBytes before, CnFileBytes *after)
{
    CnText document, bin;
    if (!cni_render_gltf_split(before, &document, &bin))
        return false;
    size_t text_bytes = json_dumpb(gltf->root, NULL, 0, JSON_COMPACT);
    bool is_glb = (const uint8_t *)document.data != before.data;
    size_t size = text_bytes;
    if (is_glb)
        size = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES + padded(text_bytes) +
               (bin.size ? CHUNK_HEADER_BYTES + padded(bin.size) : 0);
    if (!text_bytes || size > UINT32_MAX)
        return false;
    uint8_t *at = cn_alloc_zeroed(gltf->allocator, size + 1); /* including a terminating zero */
    if (!at)
        return false;
    *after = (CnFileBytes){.data = at, .size = size, .allocator = gltf->allocator};
    if (is_glb) {
        uint32_t header[3] = {CNI_RENDER_GLB_MAGIC, 2, (uint32_t)size};
        memcpy(at, header, sizeof header);
        at = begin_chunk(at + GLB_HEADER_BYTES, CNI_RENDER_GLB_JSON, padded(text_bytes));
        memset(at, ' ', padded(text_bytes));
    }
    json_dumpb(gltf->root, (char *)at, text_bytes, JSON_COMPACT);
    if (is_glb && bin.size) {
        at = begin_chunk(at + padded(text_bytes), CNI_RENDER_GLB_BIN, padded(bin.size));
        memcpy(at, bin.data, bin.size);
    }
    return true;
}

bool cni_render_gltf_normalize(CniRenderGltf *gltf, CniRenderImportFiles *files, const char *path,
                               CnError *error)
{
    bool is_changed = false;
    json_t *nodes = json_object_get(gltf->root, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        if (!normalize_node(json_array_get(nodes, i), &is_changed))
            return cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0,
                                   "the rotation of nodes[%zu] is zero or not finite; no rotation "
                                   "is [0, 0, 0, 1]",
                                   i);
    }
    if (!is_changed)
        return true;
    CniRenderImportFile *main = &files->read.items[0];
    if (!write_file(gltf, main->bytes, &gltf->rewritten))
        return cn_error_set_at(error, CN_ERROR_MEMORY, path, 0, 0, "no memory for the model");
    main->bytes = gltf->rewritten;
    return true;
}
