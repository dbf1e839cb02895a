/* Accessors of a glTF document: checked against their buffers, sparse ones expanded. */
#include "render/import/gltf.h"

#include <cairn/base/bytes.h>

static uint32_t component_bytes(CniRenderGltfComponent component)
{
    switch (component) {
    case CNI_RENDER_GLTF_I8:
    case CNI_RENDER_GLTF_U8:
        return 1;
    case CNI_RENDER_GLTF_I16:
    case CNI_RENDER_GLTF_U16:
        return 2;
    case CNI_RENDER_GLTF_U32:
    case CNI_RENDER_GLTF_F32:
        return 4;
    default:
        return 0;
    }
}

/* ---- Types ---- */

typedef struct Type {
    const char *name;
    uint32_t width, columns; /* components; columns of a matrix */
} Type;

static const Type *find_type(const char *name)
{
    static const Type types[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                                 {"MAT2", 4, 2},   {"MAT3", 9, 3}, {"MAT4", 16, 4}};
    for (uint32_t i = 0; name && i < CN_COUNT_OF(types); i++)
        if (!strcmp(types[i].name, name))
            return &types[i];
    return NULL;
}

/* Columns of matrices begin at multiples of four bytes. */
static uint32_t element_bytes(const Type *type, CniRenderGltfComponent component)
{
    uint32_t column = type->width / type->columns * component_bytes(component);
    return type->columns > 1 ? type->columns * ((column + 3) & ~3u) : column;
}

static bool read_component(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                           CniRenderGltfComponent *component)
{
    uint32_t value = 0;
    if (!cni_render_gltf_uint(gltf, at, item, "componentType", UINT32_MAX, &value))
        return false;
    *component = (CniRenderGltfComponent)value;
    return component_bytes(*component) ||
           cni_render_gltf_fails(gltf, at, "componentType", CN_ERROR_FORMAT, "%u is not known",
                                 value);
}

/* ---- Ranges ---- */

/* Returns the address of the first of `count` elements in a view, all of which lie within it. */
static const uint8_t *find_elements(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                    uint32_t view_reference, uint32_t offset, uint32_t count,
                                    uint32_t bytes, uint32_t stride)
{
    const CniRenderGltfView *view = &gltf->views[view_reference - 1];
    uint64_t end = offset + (uint64_t)(count - 1) * stride + bytes;
    if (end <= view->size)
        return view->bytes + offset;
    cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT,
                          "%u elements end at byte %llu, past the end of bufferView %u, which has "
                          "%llu bytes",
                          count, (unsigned long long)end, view_reference - 1,
                          (unsigned long long)view->size);
    return NULL;
}

/* ---- Sparse accessors ---- */

typedef struct Sparse {
    uint32_t count;
    const uint8_t *indices, *values;
    CniRenderGltfComponent index_type;
} Sparse;

static uint32_t load_uint(CniRenderGltfComponent component, const uint8_t *at)
{
    return component == CNI_RENDER_GLTF_U8    ? *at
           : component == CNI_RENDER_GLTF_U16 ? cn_load_u16(at)
                                              : cn_load_u32(at);
}

static bool read_sparse_indices(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                                const json_t *from, Sparse *sparse)
{
    CniRenderGltfAt at = {above, "indices", 0};
    uint32_t view = 0, offset = 0;
    if (!cni_render_gltf_index(gltf, &at, from, "bufferView", CNI_RENDER_GLTF_VIEWS, &view) ||
        !cni_render_gltf_uint(gltf, &at, from, "byteOffset", UINT32_MAX, &offset) ||
        !read_component(gltf, &at, from, &sparse->index_type))
        return false;
    if (sparse->index_type != CNI_RENDER_GLTF_U8 && sparse->index_type != CNI_RENDER_GLTF_U16 &&
        sparse->index_type != CNI_RENDER_GLTF_U32)
        return cni_render_gltf_fails(gltf, &at, "componentType", CN_ERROR_FORMAT,
                                     "indices must be unsigned integers");
    if (!view)
        return cni_render_gltf_fails(gltf, &at, "bufferView", CN_ERROR_FORMAT, "is missing");
    uint32_t bytes = component_bytes(sparse->index_type);
    sparse->indices = find_elements(gltf, &at, view, offset, sparse->count, bytes, bytes);
    return sparse->indices != NULL;
}

static bool read_sparse_values(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                               const json_t *from, uint32_t bytes, Sparse *sparse)
{
    CniRenderGltfAt at = {above, "values", 0};
    uint32_t view = 0, offset = 0;
    if (!cni_render_gltf_index(gltf, &at, from, "bufferView", CNI_RENDER_GLTF_VIEWS, &view) ||
        !cni_render_gltf_uint(gltf, &at, from, "byteOffset", UINT32_MAX, &offset))
        return false;
    if (!view)
        return cni_render_gltf_fails(gltf, &at, "bufferView", CN_ERROR_FORMAT, "is missing");
    sparse->values = find_elements(gltf, &at, view, offset, sparse->count, bytes, bytes);
    return sparse->values != NULL;
}

/* Copies the elements and replaces those that the sparse part lists. */
static bool expand(CniRenderGltf *gltf, const CniRenderGltfAt *at, const Sparse *sparse,
                   uint32_t bytes, CniRenderGltfAccessor *accessor)
{
    uint8_t *dense = cni_render_gltf_expand(gltf, at, (uint64_t)accessor->count * bytes);
    if (!dense)
        return false;
    for (uint32_t i = 0; accessor->stride && i < accessor->count; i++)
        memcpy(dense + (size_t)i * bytes, accessor->bytes + (size_t)i * accessor->stride, bytes);
    uint64_t least = 0;
    for (uint32_t i = 0; i < sparse->count; i++) {
        const uint8_t *from = sparse->indices + (size_t)i * component_bytes(sparse->index_type);
        uint32_t index = load_uint(sparse->index_type, from);
        if (index < least || index >= accessor->count)
            return cni_render_gltf_fails(gltf, at, "indices", CN_ERROR_FORMAT,
                                         "index %u is %u; indices must increase and be below %u", i,
                                         index, accessor->count);
        least = (uint64_t)index + 1;
        memcpy(dense + (size_t)index * bytes, sparse->values + (size_t)i * bytes, bytes);
    }
    accessor->bytes = dense;
    accessor->stride = bytes;
    return true;
}

static bool read_sparse(CniRenderGltf *gltf, const CniRenderGltfAt *above, const json_t *from,
                        uint32_t bytes, CniRenderGltfAccessor *accessor)
{
    CniRenderGltfAt at = {above, "sparse", 0};
    const json_t *indices, *values;
    Sparse sparse = {0};
    if (!cni_render_gltf_uint(gltf, &at, from, "count", accessor->count, &sparse.count) ||
        !cni_render_gltf_object(gltf, &at, from, "indices", &indices) ||
        !cni_render_gltf_object(gltf, &at, from, "values", &values))
        return false;
    if (!sparse.count)
        return cni_render_gltf_fails(gltf, &at, "count", CN_ERROR_FORMAT, "must be at least 1");
    return read_sparse_indices(gltf, &at, indices, &sparse) &&
           read_sparse_values(gltf, &at, values, bytes, &sparse) &&
           expand(gltf, &at, &sparse, bytes, accessor);
}

/* ---- Accessors ---- */

static bool read_accessor(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                          uint32_t number)
{
    static const uint8_t zeros[64];
    CniRenderGltfAccessor *accessor = &gltf->accessors[number];
    const char *name = NULL;
    const json_t *sparse;
    uint32_t view = 0, offset = 0;
    if (!cni_render_gltf_text(gltf, at, item, "type", &name) ||
        !read_component(gltf, at, item, &accessor->component) ||
        !cni_render_gltf_uint(gltf, at, item, "count", CNI_RENDER_GLTF_MAX_COUNT,
                              &accessor->count) ||
        !cni_render_gltf_uint(gltf, at, item, "byteOffset", UINT32_MAX, &offset) ||
        !cni_render_gltf_flag(gltf, at, item, "normalized", &accessor->is_normalized) ||
        !cni_render_gltf_index(gltf, at, item, "bufferView", CNI_RENDER_GLTF_VIEWS, &view) ||
        !cni_render_gltf_object(gltf, at, item, "sparse", &sparse))
        return false;
    const Type *type = find_type(name);
    if (!type)
        return cni_render_gltf_fails(gltf, at, "type", CN_ERROR_FORMAT, "%s%s",
                                     name ? name : "is missing", name ? " is not known" : "");
    if (!accessor->count)
        return cni_render_gltf_fails(gltf, at, "count", CN_ERROR_FORMAT, "must be at least 1");
    accessor->width = type->width;
    accessor->is_matrix = type->columns > 1;
    accessor->bytes = zeros;
    uint32_t bytes = element_bytes(type, accessor->component);
    if (view) {
        uint32_t stride = gltf->views[view - 1].stride;
        accessor->stride = stride ? stride : bytes;
        if (accessor->stride < bytes)
            return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT,
                                         "elements of %u bytes overlap: the stride of bufferView "
                                         "%u is %u",
                                         bytes, view - 1, stride);
        accessor->bytes =
            find_elements(gltf, at, view, offset, accessor->count, bytes, accessor->stride);
        if (!accessor->bytes)
            return false;
    }
    return !sparse || read_sparse(gltf, at, sparse, bytes, accessor);
}

bool cni_render_gltf_read_accessors(CniRenderGltf *gltf)
{
    gltf->accessors = cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_ACCESSORS],
                                            sizeof *gltf->accessors);
    return gltf->accessors && cni_render_gltf_each(gltf, CNI_RENDER_GLTF_ACCESSORS, read_accessor);
}

/* ---- Elements ---- */

static float load_component(const CniRenderGltfAccessor *accessor, const uint8_t *at)
{
    bool unit = accessor->is_normalized;
    float value = 0;
    switch (accessor->component) {
    case CNI_RENDER_GLTF_I8:
        value = (float)(int8_t)*at;
        return unit ? (value < -127 ? -1 : value / 127) : value;
    case CNI_RENDER_GLTF_U8:
        return unit ? (float)*at / 255 : (float)*at;
    case CNI_RENDER_GLTF_I16:
        value = (float)(int16_t)cn_load_u16(at);
        return unit ? (value < -32767 ? -1 : value / 32767) : value;
    case CNI_RENDER_GLTF_U16:
        return unit ? (float)cn_load_u16(at) / 65535 : (float)cn_load_u16(at);
    case CNI_RENDER_GLTF_U32:
        return (float)cn_load_u32(at);
    case CNI_RENDER_GLTF_F32:
        memcpy(&value, at, sizeof value);
        return value;
    }
    return value;
}

void cni_render_gltf_element(const CniRenderGltfAccessor *accessor, uint32_t element,
                             uint32_t count, float *values)
{
    const uint8_t *at = accessor->bytes + (size_t)element * accessor->stride;
    if (accessor->component == CNI_RENDER_GLTF_F32) {
        memcpy(values, at, count * sizeof *values);
        return;
    }
    uint32_t bytes = component_bytes(accessor->component);
    for (uint32_t i = 0; i < count; i++)
        values[i] = load_component(accessor, at + (size_t)i * bytes);
}

void cni_render_gltf_element_uint(const CniRenderGltfAccessor *accessor, uint32_t element,
                                  uint32_t count, uint32_t *values)
{
    const uint8_t *at = accessor->bytes + (size_t)element * accessor->stride;
    uint32_t bytes = component_bytes(accessor->component);
    for (uint32_t i = 0; i < count; i++)
        values[i] = load_uint(accessor->component, at + (size_t)i * bytes);
}
