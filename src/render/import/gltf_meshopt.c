/* Buffer views with EXT_meshopt_compression. */
#include "render/import/gltf.h"

#include <meshoptimizer.h>

typedef enum Mode { MODE_ATTRIBUTES, MODE_TRIANGLES, MODE_INDICES, MODE_COUNT } Mode;
typedef enum Filter {
    FILTER_NONE,
    FILTER_OCTAHEDRAL,
    FILTER_QUATERNION,
    FILTER_EXPONENTIAL,
    FILTER_COUNT
} Filter;

typedef struct Compressed {
    uint32_t buffer, offset, length, stride, count;
    uint32_t mode, filter;
} Compressed;

static bool read_choice(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *from,
                        const char *key, const char *const *choices, uint32_t count,
                        uint32_t *choice)
{
    const char *name = NULL;
    if (!cni_render_gltf_text(gltf, at, from, key, &name))
        return false;
    if (!name)
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(choices[i], name)) {
            *choice = i;
            return true;
        }
    return cni_render_gltf_fails(gltf, at, key, CN_ERROR_UNSUPPORTED, "\"%s\" is not known", name);
}

static bool read_extension(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *from,
                           Compressed *compressed)
{
    static const char *const modes[MODE_COUNT] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[FILTER_COUNT] = {"NONE", "OCTAHEDRAL", "QUATERNION",
                                                      "EXPONENTIAL"};
    Compressed *c = compressed;
    c->mode = MODE_COUNT;
    return cni_render_gltf_index(gltf, at, from, "buffer", CNI_RENDER_GLTF_BUFFERS, &c->buffer) &&
           cni_render_gltf_uint(gltf, at, from, "byteOffset", UINT32_MAX, &c->offset) &&
           cni_render_gltf_uint(gltf, at, from, "byteLength", UINT32_MAX, &c->length) &&
           cni_render_gltf_uint(gltf, at, from, "byteStride", 256, &c->stride) &&
           cni_render_gltf_uint(gltf, at, from, "count", CNI_RENDER_GLTF_MAX_COUNT, &c->count) &&
           read_choice(gltf, at, from, "mode", modes, MODE_COUNT, &c->mode) &&
           read_choice(gltf, at, from, "filter", filters, FILTER_COUNT, &c->filter);
}

/* The rules of the extension, which are also the preconditions of the decoder. */
static bool is_valid(const Compressed *c)
{
    if (c->mode == MODE_COUNT || !c->count || !c->stride)
        return false;
    if (c->mode != MODE_ATTRIBUTES)
        return (c->stride == 2 || c->stride == 4) && c->filter == FILTER_NONE &&
               (c->mode != MODE_TRIANGLES || c->count % 3 == 0);
    if (c->stride % 4)
        return false;
    return c->filter == FILTER_OCTAHEDRAL   ? c->stride == 4 || c->stride == 8
           : c->filter == FILTER_QUATERNION ? c->stride == 8
                                            : true;
}

static bool decode(const Compressed *c, const uint8_t *bytes, uint8_t *out)
{
    int failed = c->mode == MODE_ATTRIBUTES
                     ? meshopt_decodeVertexBuffer(out, c->count, c->stride, bytes, c->length)
                 : c->mode == MODE_TRIANGLES
                     ? meshopt_decodeIndexBuffer(out, c->count, c->stride, bytes, c->length)
                     : meshopt_decodeIndexSequence(out, c->count, c->stride, bytes, c->length);
    if (failed)
        return false;
    if (c->filter == FILTER_OCTAHEDRAL)
        meshopt_decodeFilterOct(out, c->count, c->stride);
    else if (c->filter == FILTER_QUATERNION)
        meshopt_decodeFilterQuat(out, c->count, c->stride);
    else if (c->filter == FILTER_EXPONENTIAL)
        meshopt_decodeFilterExp(out, c->count, c->stride);
    return true;
}

bool cni_render_gltf_decode_view(CniRenderGltf *gltf, const CniRenderGltfAt *above,
                                 const json_t *extension, CniRenderGltfView *view)
{
    CniRenderGltfAt at = {above, "EXT_meshopt_compression", 0};
    Compressed c = {0};
    if (!read_extension(gltf, &at, extension, &c))
        return false;
    uint64_t size = (uint64_t)c.count * c.stride;
    if (!c.buffer || !is_valid(&c) || size != view->size)
        return cni_render_gltf_fails(gltf, &at, NULL, CN_ERROR_FORMAT,
                                     "mode, count and stride do not match the bufferView");
    const CniRenderGltfBuffer *from = &gltf->buffers[c.buffer - 1];
    if (!from->bytes || c.offset > from->size || c.length > from->size - c.offset)
        return cni_render_gltf_fails(gltf, &at, NULL, CN_ERROR_FORMAT,
                                     "reads past the end of buffer %u", c.buffer - 1);
    /* The decoder expects the alignment of the elements. */
    uint8_t *decoded = cni_render_gltf_expand(gltf, &at, size);
    if (!decoded)
        return false;
    if (!decode(&c, from->bytes + c.offset, decoded))
        return cni_render_gltf_fails(gltf, &at, NULL, CN_ERROR_FORMAT,
                                     "the compressed data is damaged");
    view->bytes = decoded;
    return true;
}
