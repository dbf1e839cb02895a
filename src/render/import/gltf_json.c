/* Values of a glTF document, with errors that name their place in it. */
#include "render/import/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define PLACE_BYTES 160u

/* ---- Errors ---- */

/* Writes "meshes[3].primitives" and returns its length; what does not fit is cut off. */
static size_t write_place(const CniRenderGltfAt *at, char *text)
{
    if (!at)
        return 0;
    size_t size = write_place(at->above, text);
    if (at->key)
        cn_format(text + size, PLACE_BYTES - size, "%s%s", size ? "." : "", at->key);
    else
        cn_format(text + size, PLACE_BYTES - size, "[%u]", at->index);
    return strlen(text);
}

bool cni_render_gltf_fails(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *key,
                           CnErrorCode code, const char *format, ...)
{
    char place[PLACE_BYTES] = "", message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    write_place(key ? &(CniRenderGltfAt){at, key, 0} : at, place);
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    return cni_render_import_fails(gltf->import, code, "%s%s%s", place, place[0] ? ": " : "",
                                   message);
}

static bool fails_type(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *key,
                       const char *expected)
{
    return cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT, "must be %s", expected);
}

/* ---- Memory ---- */

void *cni_render_gltf_alloc(CniRenderGltf *gltf, uint32_t count, size_t item_bytes)
{
    size_t bytes = (count ? count : 1) * item_bytes;
    void *memory = cn_arena_alloc(&gltf->arena, bytes, CN_DEFAULT_ALIGNMENT);
    if (memory)
        memset(memory, 0, bytes);
    else
        cni_render_import_memory(gltf->import);
    return memory;
}

uint8_t *cni_render_gltf_expand(CniRenderGltf *gltf, const CniRenderGltfAt *at, uint64_t bytes)
{
    gltf->expanded_bytes += bytes;
    if (bytes > CNI_RENDER_MODEL_MAX_BYTES || gltf->expanded_bytes > CNI_RENDER_MODEL_MAX_BYTES) {
        cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_LIMIT,
                              "the model expands to more than %u MiB",
                              CNI_RENDER_MODEL_MAX_BYTES >> 20);
        return NULL;
    }
    return cni_render_gltf_alloc(gltf, (uint32_t)bytes, 1);
}

/* ---- Numbers ---- */

/* Some programs write whole numbers as 3.0. */
static bool is_whole(const json_t *value, uint32_t maximum, uint32_t *number)
{
    if (!json_is_number(value))
        return false;
    double found = json_number_value(value);
    if (!(found >= 0 && found <= maximum) || found != floor(found))
        return false;
    *number = (uint32_t)found;
    return true;
}

bool cni_render_gltf_uint(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, uint32_t maximum, uint32_t *value)
{
    const json_t *found = json_object_get(object, key);
    if (!found || is_whole(found, maximum, value))
        return true;
    return cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT,
                                 "must be a whole number of at most %u", maximum);
}

static const char *list_name(CniRenderGltfList list)
{
    static const char *const names[CNI_RENDER_GLTF_LIST_COUNT] = {
        "buffer", "bufferView", "accessor", "image", "sampler",   "texture", "material",
        "mesh",   "camera",     "node",     "skin",  "animation", "scene"};
    return names[list];
}

bool cni_render_gltf_index(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                           const json_t *object, const char *key, CniRenderGltfList list,
                           uint32_t *value)
{
    const json_t *found = json_object_get(object, key);
    uint32_t index;
    if (!found)
        return true;
    if (!is_whole(found, UINT32_MAX, &index))
        return fails_type(gltf, at, key, "an index");
    if (index >= gltf->counts[list])
        return cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT, "%s %u does not exist",
                                     list_name(list), index);
    *value = index + 1;
    return true;
}

bool cni_render_gltf_float(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                           const json_t *object, const char *key, float minimum, float maximum,
                           float *value)
{
    const json_t *found = json_object_get(object, key);
    if (!found)
        return true;
    if (!json_is_number(found))
        return fails_type(gltf, at, key, "a number");
    double number = json_number_value(found);
    *value = number < (double)minimum   ? minimum
             : number > (double)maximum ? maximum
                                        : (float)number;
    return true;
}

static bool copy_floats(const json_t *list, uint32_t count, float *values)
{
    for (uint32_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, i);
        if (!json_is_number(number))
            return false;
        values[i] = (float)json_number_value(number);
    }
    return true;
}

bool cni_render_gltf_floats(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                            const json_t *object, const char *key, uint32_t count, float *values)
{
    const json_t *list = json_object_get(object, key);
    if (!list ||
        (json_is_array(list) && json_array_size(list) == count && copy_floats(list, count, values)))
        return true;
    return cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT, "must be a list of %u numbers",
                                 count);
}

bool cni_render_gltf_flag(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, bool *value)
{
    const json_t *found = json_object_get(object, key);
    if (!found)
        return true;
    *value = json_is_true(found);
    return json_is_boolean(found) || fails_type(gltf, at, key, "true or false");
}

/* ---- Texts, objects and lists ---- */

bool cni_render_gltf_text(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, const char **value)
{
    const json_t *found = json_object_get(object, key);
    if (!found)
        return true;
    if (!json_is_string(found))
        return fails_type(gltf, at, key, "a text");
    *value = json_string_value(found);
    return true;
}

bool cni_render_gltf_object(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                            const json_t *object, const char *key, const json_t **value)
{
    *value = json_object_get(object, key);
    return !*value || json_is_object(*value) || fails_type(gltf, at, key, "an object");
}

bool cni_render_gltf_list(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                          const json_t *object, const char *key, const json_t **list,
                          uint32_t *count)
{
    *list = json_object_get(object, key);
    *count = 0;
    if (!*list)
        return true;
    if (!json_is_array(*list))
        return fails_type(gltf, at, key, "a list");
    if (json_array_size(*list) > CNI_RENDER_GLTF_MAX_ITEMS)
        return cni_render_gltf_fails(gltf, at, key, CN_ERROR_LIMIT, "has more than %u items",
                                     CNI_RENDER_GLTF_MAX_ITEMS);
    *count = (uint32_t)json_array_size(*list);
    return true;
}

bool cni_render_gltf_float_list(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                const json_t *object, const char *key, float **values,
                                uint32_t *count)
{
    const json_t *list;
    if (!cni_render_gltf_list(gltf, at, object, key, &list, count))
        return false;
    if (!list)
        return true;
    *values = cni_render_gltf_alloc(gltf, *count, sizeof **values);
    return *values &&
           (copy_floats(list, *count, *values) || fails_type(gltf, at, key, "a list of numbers"));
}

bool cni_render_gltf_index_list(CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                const json_t *object, const char *key, CniRenderGltfList list,
                                uint32_t **values, uint32_t *count)
{
    const json_t *from;
    if (!cni_render_gltf_list(gltf, at, object, key, &from, count))
        return false;
    if (!from)
        return true;
    *values = cni_render_gltf_alloc(gltf, *count, sizeof **values);
    if (!*values)
        return false;
    CniRenderGltfAt place = {at, key, 0};
    for (uint32_t i = 0; i < *count; i++) {
        if (!is_whole(json_array_get(from, i), UINT32_MAX, &(*values)[i]))
            return fails_type(gltf, &(CniRenderGltfAt){&place, NULL, i}, NULL, "an index");
        if ((*values)[i] >= gltf->counts[list])
            return cni_render_gltf_fails(gltf, &(CniRenderGltfAt){&place, NULL, i}, NULL,
                                         CN_ERROR_FORMAT, "%s %u does not exist", list_name(list),
                                         (*values)[i]);
    }
    return true;
}

bool cni_render_gltf_extension(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                               const json_t *object, const char *name, const json_t **value)
{
    const json_t *extensions;
    *value = NULL;
    if (!cni_render_gltf_object(gltf, at, object, "extensions", &extensions))
        return false;
    CniRenderGltfAt place = {at, "extensions", 0};
    return !extensions || cni_render_gltf_object(gltf, &place, extensions, name, value);
}

const char *cni_render_gltf_list_key(CniRenderGltfList list)
{
    static const char *const keys[CNI_RENDER_GLTF_LIST_COUNT] = {
        "buffers", "bufferViews", "accessors", "images", "samplers",   "textures", "materials",
        "meshes",  "cameras",     "nodes",     "skins",  "animations", "scenes"};
    return keys[list];
}

bool cni_render_gltf_each(CniRenderGltf *gltf, CniRenderGltfList list, CniRenderGltfRead *read)
{
    CniRenderGltfAt above = {NULL, cni_render_gltf_list_key(list), 0};
    for (uint32_t i = 0; i < gltf->counts[list]; i++) {
        CniRenderGltfAt at = {&above, NULL, i};
        const json_t *item = json_array_get(gltf->lists[list], i);
        if (!json_is_object(item))
            return fails_type(gltf, &at, NULL, "an object");
        if (!read(gltf, &at, item, i))
            return false;
    }
    return true;
}
