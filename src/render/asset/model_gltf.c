#include "render/asset/model_gltf.h"

#include <cairn/base/bytes.h>

#define MAX_LIST 65536u

/* ---- The document ---- */

uint64_t cni_render_gltf_number(const json_t *object, const char *key, uint64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return otherwise;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return UINT64_MAX;
    return (uint64_t)json_integer_value(value);
}

const json_t *cni_render_gltf_at(const CniRenderGltf *gltf, const char *list, uint64_t index)
{
    return index < SIZE_MAX ? json_array_get(json_object_get(gltf->root, list), (size_t)index)
                            : NULL;
}

uint32_t cni_render_gltf_count(const CniRenderGltf *gltf, const char *list)
{
    return (uint32_t)json_array_size(json_object_get(gltf->root, list));
}

uint32_t cni_render_gltf_width(const json_t *accessor)
{
    static const struct {
        const char *name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const char *type = json_string_value(json_object_get(accessor, "type"));
    for (uint32_t i = 0; type && i < CN_COUNT_OF(types); i++)
        if (!strcmp(types[i].name, type))
            return types[i].width;
    return 0;
}

uint32_t cni_render_gltf_component_bytes(const json_t *accessor)
{
    switch (cni_render_gltf_number(accessor, "componentType", 0)) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

/* ---- Buffers ---- */

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decode_base64(CniRenderGltf *gltf, CnText text, CniRenderGltfBuffer *buffer)
{
    while (text.size && text.data[text.size - 1] == '=')
        text.size--;
    buffer->size = text.size / 4 * 3 + (text.size % 4 ? text.size % 4 - 1 : 0);
    buffer->bytes = buffer->owned = cn_alloc(gltf->allocator, buffer->size);
    if (!buffer->owned)
        return false;
    uint32_t bits = 0, count = 0;
    size_t at = 0;
    for (size_t i = 0; i < text.size; i++) {
        int digit = base64_digit(text.data[i]);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        count += 6;
        if (count >= 8 && at < buffer->size) {
            count -= 8;
            buffer->owned[at++] = (uint8_t)(bits >> count);
        }
    }
    return at == buffer->size;
}

/* Reads through the files of the import, which also serve assimp. */
static bool read_uri(CniRenderImportFiles *files, const char *path, const char *uri,
                     CniRenderGltfBuffer *buffer)
{
    char whole[CNI_RENDER_PATH_MAX];
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    if (!cn_format(whole, sizeof whole, "%.*s%s", folder, path, uri))
        return false;
    const CniRenderImportFile *file = cni_render_import_file(files, whole);
    if (!file)
        return false;
    buffer->bytes = file->bytes.data;
    buffer->size = file->bytes.size;
    return true;
}

static bool read_buffer(CniRenderGltf *gltf, CniRenderImportFiles *files, const char *path,
                        uint32_t number, CnText bin)
{
    const json_t *from = cni_render_gltf_at(gltf, "buffers", number);
    const char *uri = json_string_value(json_object_get(from, "uri"));
    CniRenderGltfBuffer buffer = {0};
    bool ok;
    if (!uri) {
        buffer.bytes = (const uint8_t *)bin.data;
        buffer.size = number == 0 ? bin.size : 0;
        ok = number == 0;
    } else if (cn_text_starts_with(cn_text(uri), cn_text("data:"))) {
        const char *comma = strchr(uri, ',');
        ok = comma && decode_base64(gltf, cn_text(comma + 1), &buffer);
    } else {
        ok = read_uri(files, path, uri, &buffer);
    }
    ok = ok && cni_render_gltf_number(from, "byteLength", UINT64_MAX) <= buffer.size;
    if (cn_array_push(&gltf->buffers, buffer))
        return ok;
    cn_free(gltf->allocator, buffer.owned, buffer.size);
    return false;
}

/* ---- Samplers by target ---- */

static uint64_t sampler_key(uint32_t clip, CnText node, uint32_t kind)
{
    return cn_hash_bytes(node.data, node.size, (uint64_t)clip << 8 | kind);
}

/* The name that assimp uses. */
static CnText node_name(const CniRenderGltf *gltf, uint64_t node, char *room, size_t room_bytes)
{
    const char *name =
        json_string_value(json_object_get(cni_render_gltf_at(gltf, "nodes", node), "name"));
    if (name && name[0])
        return cn_text(name);
    cn_format(room, room_bytes, "nodes[%llu]", (unsigned long long)node);
    return cn_text(room);
}

static bool find_samplers(CniRenderGltf *gltf, uint32_t clip)
{
    static const char *const paths[CNI_RENDER_CHANNEL_KINDS] = {"translation", "rotation", "scale"};
    const json_t *animation = cni_render_gltf_at(gltf, "animations", clip);
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *channel = json_array_get(channels, i);
        const json_t *target = json_object_get(channel, "target");
        const char *path = json_string_value(json_object_get(target, "path"));
        const json_t *sampler =
            json_array_get(json_object_get(animation, "samplers"),
                           (size_t)cni_render_gltf_number(channel, "sampler", 0));
        char room[32];
        CnText name =
            node_name(gltf, cni_render_gltf_number(target, "node", UINT64_MAX), room, sizeof room);
        for (uint32_t kind = 0; path && sampler && kind < CNI_RENDER_CHANNEL_KINDS; kind++)
            if (!strcmp(path, paths[kind]) &&
                !cn_hash_map_set(&gltf->samplers, sampler_key(clip, name, kind), &sampler))
                return false;
    }
    return true;
}

const uint8_t *cni_render_gltf_data(const CniRenderGltf *gltf, const json_t *accessor,
                                    uint32_t *stride)
{
    const json_t *view = cni_render_gltf_at(
        gltf, "bufferViews", cni_render_gltf_number(accessor, "bufferView", UINT64_MAX));
    uint64_t buffer = cni_render_gltf_number(view, "buffer", UINT64_MAX);
    if (buffer >= gltf->buffers.count)
        return NULL;
    *stride = (uint32_t)cni_render_gltf_number(view, "byteStride",
                                               cni_render_gltf_component_bytes(accessor) *
                                                   cni_render_gltf_width(accessor));
    return gltf->buffers.items[buffer].bytes + cni_render_gltf_number(view, "byteOffset", 0) +
           cni_render_gltf_number(accessor, "byteOffset", 0);
}

static const uint8_t *floats_of(const CniRenderGltf *gltf, const json_t *accessor, uint32_t *stride)
{
    return cni_render_gltf_number(accessor, "componentType", 0) == 5126
               ? cni_render_gltf_data(gltf, accessor, stride)
               : NULL;
}

CniRenderGltfKeys cni_render_gltf_keys(const CniRenderGltf *gltf, uint32_t clip, CnText node,
                                       uint32_t kind)
{
    CniRenderGltfKeys keys = {0};
    const json_t *const *found =
        gltf->root ? cn_hash_map_get(&gltf->samplers, sampler_key(clip, node, kind)) : NULL;
    if (!found)
        return keys;
    const char *curve = json_string_value(json_object_get(*found, "interpolation"));
    if (curve)
        keys.curve = !strcmp(curve, "STEP")          ? CNI_RENDER_CURVE_STEP
                     : !strcmp(curve, "CUBICSPLINE") ? CNI_RENDER_CURVE_CUBIC
                                                     : CNI_RENDER_CURVE_LINEAR;
    const json_t *input =
        cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(*found, "input", 0));
    const json_t *output =
        cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(*found, "output", 0));
    keys.count = (uint32_t)cni_render_gltf_number(input, "count", 0);
    keys.width = cni_render_gltf_width(output);
    keys.times = floats_of(gltf, input, &keys.time_stride);
    keys.values = floats_of(gltf, output, &keys.value_stride);
    return keys;
}

/* ---- Data that assimp omits ---- */

float cni_render_gltf_emissive_strength(const CniRenderGltf *gltf, CnText material)
{
    for (uint32_t i = 0; i < cni_render_gltf_count(gltf, "materials"); i++) {
        const json_t *from = cni_render_gltf_at(gltf, "materials", i);
        const char *name = json_string_value(json_object_get(from, "name"));
        const json_t *strength = json_object_get(
            json_object_get(json_object_get(from, "extensions"), "KHR_materials_emissive_strength"),
            "emissiveStrength");
        if (name && strength && cn_text_equal(cn_text(name), material))
            return (float)json_number_value(strength);
    }
    return 1;
}

/* ---- Opening ---- */

bool cni_render_gltf_is(const char *path)
{
    return cn_text_ends_with(cn_text(path), cn_text(".gltf")) ||
           cn_text_ends_with(cn_text(path), cn_text(".glb"));
}

bool cni_render_gltf_split(CnFileBytes main, CnText *document, CnText *bin)
{
    const uint8_t *bytes = main.data;
    *document = (CnText){(const char *)bytes, main.size};
    *bin = (CnText){"", 0};
    if (main.size < 12 || cn_load_u32(bytes) != CNI_RENDER_GLB_MAGIC)
        return true;
    *document = *bin;
    size_t end = cn_load_u32(bytes + 8);
    if (end > main.size)
        return false;
    for (size_t at = 12; at + 8 <= end;) {
        size_t size = cn_load_u32(bytes + at);
        uint32_t kind = cn_load_u32(bytes + at + 4);
        if (size > end - at - 8)
            return false;
        CnText chunk = {(const char *)bytes + at + 8, size};
        if (kind == CNI_RENDER_GLB_JSON && !document->size)
            *document = chunk;
        else if (kind == CNI_RENDER_GLB_BIN && !bin->size)
            *bin = chunk;
        at += 8 + size;
    }
    return document->size > 0;
}

static const char *open_document(CniRenderGltf *gltf, CniRenderImportFiles *files, const char *path,
                                 json_error_t *wrong)
{
    CnText document, bin;
    if (!cni_render_gltf_split(files->read.items[0].bytes, &document, &bin))
        return "a chunk of the GLB file";
    gltf->root = json_loadb(document.data, document.size, 0, wrong);
    if (!json_is_object(gltf->root))
        return wrong->text;
    static const char *const lists[] = {"buffers", "bufferViews", "accessors", "nodes",
                                        "meshes",  "animations",  "skins",     "materials",
                                        "images",  "textures",    "scenes"};
    for (uint32_t i = 0; i < CN_COUNT_OF(lists); i++) {
        const json_t *list = json_object_get(gltf->root, lists[i]);
        if (list && (!json_is_array(list) || json_array_size(list) > MAX_LIST))
            return "a list";
    }
    for (uint32_t i = 0; i < cni_render_gltf_count(gltf, "buffers"); i++)
        if (!read_buffer(gltf, files, path, i, bin))
            return "a buffer or its file";
    cni_render_gltf_check(gltf);
    if (gltf->what)
        return gltf->what;
    for (uint32_t i = 0; i < cni_render_gltf_count(gltf, "animations"); i++)
        if (!find_samplers(gltf, i))
            return "an animation";
    return NULL;
}

bool cni_render_gltf_open(CniRenderGltf *gltf, CniRenderImportFiles *files, const char *path,
                          CnError *error)
{
    *gltf = (CniRenderGltf){.allocator = files->allocator};
    cn_array_init(&gltf->buffers, gltf->allocator);
    cn_array_init(&gltf->joints, gltf->allocator);
    cn_hash_map_init(&gltf->samplers, gltf->allocator, sizeof(const json_t *));
    json_error_t wrong = {.line = 0};
    const char *what = open_document(gltf, files, path, &wrong);
    if (what == wrong.text)
        return cn_error_set_at(error, CN_ERROR_FORMAT, path, wrong.line > 0 ? wrong.line : 0, 0,
                               "the document cannot be read: %s", wrong.text);
    if (what)
        return cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "invalid glTF: %s", what);
    return cni_render_gltf_normalize(gltf, files, path, error);
}

void cni_render_gltf_close(CniRenderGltf *gltf)
{
    for (uint32_t i = 0; i < gltf->buffers.count; i++)
        cn_free(gltf->allocator, gltf->buffers.items[i].owned,
                gltf->buffers.items[i].owned ? gltf->buffers.items[i].size : 0);
    cn_array_fini(&gltf->buffers);
    cn_array_fini(&gltf->joints);
    cn_hash_map_fini(&gltf->samplers);
    cn_file_bytes_free(&gltf->rewritten);
    json_decref(gltf->root);
}
