/* Opens a glTF file: the chunks of a .glb, the JSON text within its limits, its version and the
 * extensions that it requires. */
#include "render/import/gltf.h"

#include <cairn/base/bytes.h>
#include <cairn/base/json_size.h>
#include <cairn/base/log.h>

#define GLB_MAGIC 0x46546C67u
#define GLB_JSON 0x4E4F534Au
#define GLB_BIN 0x004E4942u
#define GLB_HEADER_BYTES 12u
#define CHUNK_HEADER_BYTES 8u

/* ---- GLB ---- */

static bool read_chunks(CniRenderGltf *gltf, CnText *document)
{
    CnText main = gltf->import->main;
    const uint8_t *bytes = (const uint8_t *)main.data;
    size_t end = cn_load_u32(bytes + 8), at = GLB_HEADER_BYTES;
    bool has_bin = false;
    if (cn_load_u32(bytes + 4) != 2)
        return cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_VERSION,
                                     "the GLB file has version %u; only version 2 is supported",
                                     cn_load_u32(bytes + 4));
    if (end < GLB_HEADER_BYTES)
        return cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_FORMAT,
                                     "the GLB file says that it has %zu bytes, fewer than its "
                                     "header",
                                     end);
    if (end > main.size)
        return cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_FORMAT,
                                     "the GLB file is truncated: it has %zu of %zu bytes",
                                     main.size, end);
    for (uint32_t number = 0; end - at >= CHUNK_HEADER_BYTES; number++) {
        size_t size = cn_load_u32(bytes + at);
        uint32_t kind = cn_load_u32(bytes + at + 4);
        at += CHUNK_HEADER_BYTES;
        if (size > end - at)
            return cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_FORMAT,
                                         "chunk %u of the GLB file reads past its end", number);
        CnText chunk = {(const char *)bytes + at, size};
        if (number == 0 && kind == GLB_JSON)
            *document = chunk;
        else if (kind == GLB_BIN && !has_bin) {
            gltf->bin = chunk;
            has_bin = true;
        }
        at += size;
    }
    return document->size > 0 ||
           cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_FORMAT,
                                 "the first chunk of the GLB file is not a JSON text");
}

/* ---- JSON ---- */

/* Bounds the memory and the recursion of the JSON library before it sees the text. */
static bool check_budget(const CniRenderGltf *gltf, CnText text)
{
    CnJsonSize size = cn_json_measure(text);
    if (size.depth > CNI_RENDER_GLTF_MAX_DEPTH)
        return cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_LIMIT,
                                     "values are nested more than %u deep",
                                     CNI_RENDER_GLTF_MAX_DEPTH);
    return size.tree_bytes <= CNI_RENDER_GLTF_MAX_TREE_BYTES ||
           cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_LIMIT,
                                 "the %llu values of the document would take more than %u MiB of "
                                 "memory",
                                 (unsigned long long)size.values,
                                 CNI_RENDER_GLTF_MAX_TREE_BYTES >> 20);
}

static bool parse(CniRenderGltf *gltf, CnText document)
{
    json_error_t wrong = {.line = 0};
    if (!check_budget(gltf, document))
        return false;
    gltf->root = json_loadb(document.data, document.size, JSON_REJECT_DUPLICATES, &wrong);
    if (!gltf->root)
        return cn_error_set_at(gltf->import->error, CN_ERROR_FORMAT, gltf->import->path,
                               wrong.line > 0 ? wrong.line : 0, wrong.column > 0 ? wrong.column : 0,
                               "the document cannot be read: %s", wrong.text);
    return json_is_object(gltf->root) || cni_render_gltf_fails(gltf, NULL, NULL, CN_ERROR_FORMAT,
                                                               "the document must be an object");
}

/* ---- Version and extensions ---- */

static bool check_version(const CniRenderGltf *gltf)
{
    const json_t *asset;
    CniRenderGltfAt at = {NULL, "asset", 0};
    const char *version = NULL, *minimum = NULL;
    if (!cni_render_gltf_object(gltf, NULL, gltf->root, "asset", &asset) ||
        !cni_render_gltf_text(gltf, &at, asset, "version", &version) ||
        !cni_render_gltf_text(gltf, &at, asset, "minVersion", &minimum))
        return false;
    const char *needed = minimum ? minimum : version;
    if (!needed)
        return cni_render_gltf_fails(gltf, &at, "version", CN_ERROR_FORMAT,
                                     "is missing; it must be \"2.0\"");
    if (minimum ? !strcmp(minimum, "2.0") : !strncmp(version, "2.", 2))
        return true;
    return cni_render_gltf_fails(gltf, &at, minimum ? "minVersion" : "version", CN_ERROR_VERSION,
                                 "version %s is not supported; only 2.0 is", needed);
}

typedef enum Support {
    SUPPORT_NONE,
    SUPPORT_WITHOUT_EFFECT, /* what the file says without the extension is a usable approximation */
    SUPPORT_FULL
} Support;

typedef struct Extension {
    const char *name;
    Support support;
    const char *hint; /* how to convert a file that requires it; NULL: none */
} Extension;

static const Extension *find_extension(const char *name)
{
    static const Extension known[] = {
        {"EXT_mesh_gpu_instancing", SUPPORT_FULL, NULL},
        {"EXT_meshopt_compression", SUPPORT_FULL, NULL},
        {"EXT_texture_webp", SUPPORT_FULL, NULL},
        {"KHR_animation_pointer", SUPPORT_FULL, NULL},
        {"KHR_draco_mesh_compression", SUPPORT_NONE,
         "save the model without compression, or with that of meshoptimizer"},
        {"KHR_lights_punctual", SUPPORT_FULL, NULL},
        {"KHR_materials_anisotropy", SUPPORT_FULL, NULL},
        {"KHR_materials_clearcoat", SUPPORT_FULL, NULL},
        {"KHR_materials_dispersion", SUPPORT_FULL, NULL},
        {"KHR_materials_emissive_strength", SUPPORT_FULL, NULL},
        {"KHR_materials_ior", SUPPORT_FULL, NULL},
        {"KHR_materials_iridescence", SUPPORT_FULL, NULL},
        {"KHR_materials_pbrSpecularGlossiness", SUPPORT_NONE,
         "convert its materials to metallic-roughness"},
        {"KHR_materials_sheen", SUPPORT_FULL, NULL},
        {"KHR_materials_specular", SUPPORT_FULL, NULL},
        {"KHR_materials_transmission", SUPPORT_FULL, NULL},
        {"KHR_materials_unlit", SUPPORT_FULL, NULL},
        {"KHR_materials_variants", SUPPORT_FULL, NULL},
        {"KHR_materials_volume", SUPPORT_FULL, NULL},
        {"KHR_mesh_quantization", SUPPORT_FULL, NULL},
        {"KHR_node_visibility", SUPPORT_FULL, NULL},
        /* Textures use their other source; those without one are refused when they are read. */
        {"KHR_texture_basisu", SUPPORT_WITHOUT_EFFECT, NULL},
        {"KHR_texture_transform", SUPPORT_FULL, NULL},
    };
    static const Extension unknown = {"", SUPPORT_NONE, NULL};
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (!strcmp(known[i].name, name))
            return &known[i];
    return &unknown;
}

static bool check_required(const CniRenderGltf *gltf)
{
    const json_t *list;
    uint32_t count;
    CniRenderGltfAt at = {NULL, "extensionsRequired", 0};
    if (!cni_render_gltf_list(gltf, NULL, gltf->root, at.key, &list, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        CniRenderGltfAt item = {&at, NULL, i};
        if (!name)
            return cni_render_gltf_fails(gltf, &item, NULL, CN_ERROR_FORMAT, "must be a text");
        const Extension *extension = find_extension(name);
        if (extension->support == SUPPORT_NONE)
            return cni_render_gltf_fails(
                gltf, &item, NULL, CN_ERROR_UNSUPPORTED, "the extension %s is not supported%s%s",
                name, extension->hint ? "; " : "", extension->hint ? extension->hint : "");
    }
    return true;
}

bool cni_render_gltf_requires(const CniRenderGltf *gltf, const char *extension)
{
    const json_t *list = json_object_get(gltf->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!strcmp(json_string_value(json_array_get(list, i)), extension))
            return true;
    return false;
}

/* Extensions without effect are noted in the log. */
static bool note_ignored(const CniRenderGltf *gltf)
{
    const json_t *list;
    uint32_t count;
    CnTextBuilder names;
    if (!cni_render_gltf_list(gltf, NULL, gltf->root, "extensionsUsed", &list, &count))
        return false;
    cn_array_init(&names, gltf->import->allocator);
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name && find_extension(name)->support != SUPPORT_FULL)
            ok = cn_text_append_format(&names, "%s%s", names.count ? ", " : "", name);
    }
    if (names.count)
        CN_LOG_INFO("render", "%s: ignoring the extensions %s", gltf->import->path, names.items);
    cn_array_fini(&names);
    return ok || cni_render_import_memory(gltf->import);
}

static bool find_lists(CniRenderGltf *gltf)
{
    for (uint32_t i = 0; i < CNI_RENDER_GLTF_LIST_COUNT; i++)
        if (!cni_render_gltf_list(gltf, NULL, gltf->root,
                                  cni_render_gltf_list_key((CniRenderGltfList)i), &gltf->lists[i],
                                  &gltf->counts[i]))
            return false;
    return true;
}

bool cni_render_gltf_open(CniRenderGltf *gltf)
{
    CnText document = gltf->import->main;
    if (document.size >= GLB_HEADER_BYTES &&
        cn_load_u32((const uint8_t *)document.data) == GLB_MAGIC) {
        document.size = 0;
        if (!read_chunks(gltf, &document))
            return false;
    }
    return parse(gltf, document) && check_version(gltf) && check_required(gltf) &&
           note_ignored(gltf) && find_lists(gltf);
}
