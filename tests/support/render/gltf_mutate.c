#include "gltf_mutate.h"

#include <cairn/base/bytes.h>
#include <cairn/base/math.h>
#include <cairn/base/memory.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static TestRandom *numbers; /* of the running change */

static uint32_t below(size_t n)
{
    return test_random_below(numbers, (uint32_t)n);
}

/* ---- Memory of JSON values: the sanitizers need not check that of the changes ---- */

static _Alignas(16) uint8_t arena[4u << 20];
static size_t arena_used;

static void *arena_alloc(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof arena - arena_used)
        return NULL;
    arena_used += size;
    return arena + arena_used - size;
}

static void arena_free(void *block)
{
    (void)block;
}

/* ---- GLB ---- */

#define GLB_MAGIC 0x46546C67u
#define HEADER_BYTES 20u /* up to the JSON text */

static void put_word(uint8_t *bytes, size_t word)
{
    uint32_t value = (uint32_t)word;
    memcpy(bytes, &value, sizeof value);
}

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

static size_t write_glb(const char *json, size_t json_bytes, const void *bin, size_t bin_bytes,
                        uint8_t *bytes, size_t capacity)
{
    size_t text = padded(json_bytes), rest = bin_bytes ? 8 + padded(bin_bytes) : 0;
    size_t size = HEADER_BYTES + text + rest;
    if (size > capacity)
        return 0;
    put_word(bytes, GLB_MAGIC);
    put_word(bytes + 4, 2);
    put_word(bytes + 8, size);
    put_word(bytes + 12, text);
    put_word(bytes + 16, 0x4E4F534A);
    memset(bytes + HEADER_BYTES, ' ', text);
    memcpy(bytes + HEADER_BYTES, json, json_bytes);
    if (!rest)
        return size;
    uint8_t *chunk = bytes + HEADER_BYTES + text;
    put_word(chunk, padded(bin_bytes));
    put_word(chunk + 4, 0x004E4942);
    memset(chunk + 8, 0, padded(bin_bytes));
    memcpy(chunk + 8, bin, bin_bytes);
    return size;
}

size_t gltf_make_glb(const char *json, const void *bin, size_t bin_bytes, uint8_t *bytes,
                     size_t capacity)
{
    size_t length = strlen(json);
    size_t size = write_glb(json, length, bin, bin_bytes, bytes, capacity);
    for (size_t i = 0; size && i < length; i++)
        if (json[i] == '\'')
            bytes[HEADER_BYTES + i] = '"';
    return size;
}

/* ---- Values ---- */

typedef struct Place {
    json_t *container; /* NULL: the document itself */
    const char *key;   /* NULL: an element of a list */
    size_t index;
} Place;

/* Returns a random value below `value`. */
static json_t *pick(json_t *value, Place *place)
{
    *place = (Place){0};
    for (;;) {
        size_t count = json_is_object(value) ? json_object_size(value) : json_array_size(value);
        if (!count || (place->container && below(6) == 0))
            return value;
        size_t which = below(count);
        *place = (Place){.container = value, .index = which};
        if (json_is_array(value)) {
            value = json_array_get(value, which);
            continue;
        }
        void *entry = json_object_iter(value);
        for (; which; which--)
            entry = json_object_iter_next(value, entry);
        place->key = json_object_iter_key(entry);
        value = json_object_iter_value(entry);
    }
}

static json_t *random_number(void)
{
    static const double edges[] = {0,    1,     2,     3,     4,        5,      6,         12,
                                   36,   -1,    0.5,   255,   256,      65535,  1e9,       1e38,
                                   3e38, 1e300, 1e-30, 5120,  5121,     5122,   5123,      5125,
                                   5126, 33071, 10497, 33648, 9.1e15,   4.3e9,  -0.0,      65536,
                                   128,  2e9,   1e-45, -1e38, 16777216, -1e300, 2147483647};
    double number = edges[below(CN_COUNT_OF(edges))];
    if (below(3) == 0)
        return json_integer(below(16));
    return number < 1e16 && number > -1e16 && number == (double)(json_int_t)number
               ? json_integer((json_int_t)number)
               : json_real(number);
}

static json_t *random_value(void)
{
    static const char *const texts[] = {
        "VEC2",        "VEC3",          "VEC4",        "SCALAR",
        "MAT4",        "MAT2",          "STEP",        "LINEAR",
        "CUBICSPLINE", "BLEND",         "MASK",        "",
        "scale",       "rotation",      "translation", "weights",
        "2.0",         "TRIANGLES",     "OCTAHEDRAL",  "QUATERNION",
        "EXPONENTIAL", "INDICES",       "ATTRIBUTES",  "data:;base64,AAAA",
        "data:,",      "../a.bin",      "a.bin",       "POSITION",
        "image/webp",  "perspective",   "pointer",     "spot",
        "directional", "/nodes/0/scale"};
    switch (below(8)) {
    case 0:
        return json_string(texts[below(CN_COUNT_OF(texts))]);
    case 1:
        return json_array();
    case 2:
        return json_object();
    case 3:
        return below(2) ? json_true() : json_null();
    default:
        return random_number();
    }
}

static void put(const Place *place, json_t *value)
{
    if (place->key)
        json_object_set_new(place->container, place->key, value);
    else
        json_array_set_new(place->container, place->index, value);
}

static void change_value(json_t *root)
{
    Place place, other;
    json_t *value = pick(root, &place);
    if (!place.container)
        return;
    switch (below(7)) {
    case 0: /* removed */
        if (place.key)
            json_object_del(place.container, place.key);
        else
            json_array_remove(place.container, place.index);
        return;
    case 1: /* repeated */
        if (!place.key)
            json_array_insert_new(place.container, place.index, json_deep_copy(value));
        return;
    case 2: /* a value of another place */
        put(&place, json_deep_copy(pick(root, &other)));
        return;
    case 3: /* swapped with its neighbor */
        if (!place.key && place.index > 0) {
            json_t *before = json_incref(json_array_get(place.container, place.index - 1));
            json_array_set(place.container, place.index - 1, value);
            json_array_set_new(place.container, place.index, before);
        }
        return;
    case 4: /* a number nearby */
        if (json_is_integer(value)) {
            put(&place, json_integer(json_integer_value(value) + (json_int_t)below(5) - 2));
            return;
        }
        put(&place, random_value());
        return;
    default:
        put(&place, json_is_number(value) && below(4) ? random_number() : random_value());
    }
}

/* ---- Additions ---- */

/* Members for the items of lists; '#' is a random number. */
static const struct {
    const char *list, *key, *value;
} additions[] = {
    {"accessors", "sparse",
     "{'count':#,'indices':{'bufferView':#,'componentType':5121},'values':{'bufferView':#}}"},
    {"accessors", "byteOffset", "#"},
    {"accessors", "normalized", "true"},
    {"bufferViews", "byteStride", "1#"},
    {"bufferViews", "extensions",
     "{'EXT_meshopt_compression':{'buffer':0,'byteOffset':#,'byteLength':6#,'byteStride':4,'count':"
     "#,'mode':'ATTRIBUTES','filter':'OCTAHEDRAL'}}"},
    {"bufferViews", "extensions",
     "{'EXT_meshopt_compression':{'buffer':0,'byteOffset':#,'byteLength':6#,'byteStride':2,'count':"
     "1#,'mode':'TRIANGLES'}}"},
    {"buffers", "uri", "'data:application/octet-stream;base64,AAAAAAAAAAAAAIA/AACAPwAAAAA='"},
    {"buffers", "uri", "'a.bin'"},
    {"images", "bufferView", "#"},
    {"materials", "normalTexture", "{'index':#,'scale':2,'texCoord':#}"},
    {"materials", "pbrMetallicRoughness",
     "{'baseColorTexture':{'index':#,'texCoord':#,'extensions':{'KHR_texture_transform':{'offset':["
     "#,0],'rotation':#,'scale':[#,1],'texCoord':#}}}}"},
    {"materials", "extensions", "{'KHR_materials_unlit':{}}"},
    {"materials", "extensions",
     "{'KHR_materials_clearcoat':{'clearcoatFactor':#,'clearcoatTexture':{'index':#},"
     "'clearcoatNormalTexture':{'index':#,'scale':#}},'KHR_materials_ior':{'ior':#}}"},
    {"materials", "extensions",
     "{'KHR_materials_transmission':{'transmissionFactor':1,'transmissionTexture':{'index':#}},"
     "'KHR_materials_volume':{'thicknessFactor':#,'thicknessTexture':{'index':#},"
     "'attenuationDistance':#,'attenuationColor':[#,#,#]},'KHR_materials_dispersion':{'dispersion':"
     "#}}"},
    {"materials", "extensions",
     "{'KHR_materials_sheen':{'sheenColorFactor':[#,1,0],'sheenColorTexture':{'index':#},"
     "'sheenRoughnessFactor':#,'sheenRoughnessTexture':{'index':#}},'KHR_materials_specular':"
     "{'specularFactor':#,'specularTexture':{'index':#},'specularColorFactor':[1,#,1],"
     "'specularColorTexture':{'index':#}}}"},
    {"materials", "extensions",
     "{'KHR_materials_iridescence':{'iridescenceFactor':#,'iridescenceIor':#,'iridescenceTexture':"
     "{'index':#},'iridescenceThicknessMaximum':#00,'iridescenceThicknessTexture':{'index':#}},"
     "'KHR_materials_anisotropy':{'anisotropyStrength':#,'anisotropyRotation':#,"
     "'anisotropyTexture':{'index':#}}}"},
    {"nodes", "mesh", "#"},
    {"nodes", "skin", "#"},
    {"nodes", "camera", "#"},
    {"nodes", "children", "[#]"},
    {"nodes", "weights", "[#,#]"},
    {"nodes", "matrix", "[#,0,0,0,0,#,0,0,0,0,#,0,#,#,#,1]"},
    {"nodes", "scale", "[#,#,-1]"},
    {"nodes", "extensions",
     "{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':#,'SCALE':#}}}"},
    {"nodes", "extensions", "{'EXT_mesh_gpu_instancing':{'attributes':{'ROTATION':#}}}"},
    {"nodes", "extensions", "{'KHR_node_visibility':{'visible':false}}"},
    {"nodes", "extensions", "{'KHR_lights_punctual':{'light':#}}"},
    {"skins", "joints", "[#,#,#]"},
    {"skins", "inverseBindMatrices", "#"},
    {"textures", "sampler", "#"},
    {"textures", "extensions", "{'EXT_texture_webp':{'source':#}}"},
    {"animations", "channels",
     "[{'sampler':#,'target':{'node':#,'path':'weights'}},{'sampler':#,'target':{'path':'pointer',"
     "'extensions':{'KHR_animation_pointer':{'pointer':'/materials/0/emissiveFactor'}}}}]"},
    {"animations", "samplers",
     "[{'input':#,'output':#,'interpolation':'CUBICSPLINE'},{'input':#,'output':#}]"},
    {"meshes", "weights", "[#,0]"},
    {"meshes", "primitives",
     "[{'attributes':{'POSITION':#,'NORMAL':#,'TANGENT':#,'TEXCOORD_0':#},'indices':#,'material':#,"
     "'mode':#,'targets':[{'POSITION':#},{'NORMAL':#,'TANGENT':#}]}]"},
    {"meshes", "primitives",
     "[{'attributes':{'POSITION':#,'JOINTS_0':#,'WEIGHTS_0':#,'JOINTS_1':#,'WEIGHTS_1':#,'COLOR_0':"
     "#,'TEXCOORD_1':#},'extensions':{'KHR_materials_variants':{'mappings':[{'material':#,"
     "'variants':[#]}]}}}]"},
    {"scenes", "nodes", "[#,#]"},
};

/* Keys of the document itself. */
static const struct {
    const char *key, *value;
} roots[] = {
    {"scene", "#"},
    {"cameras",
     "[{'type':'perspective','perspective':{'yfov':#,'znear':#,'zfar':1#,'aspectRatio':#}},"
     "{'type':'orthographic','orthographic':{'xmag':#,'ymag':#,'znear':#,'zfar':#}}]"},
    {"extensionsUsed", "['KHR_materials_sheen','X_unknown']"},
    {"extensionsRequired", "['KHR_mesh_quantization']"},
    {"extensions",
     "{'KHR_lights_punctual':{'lights':[{'type':'spot','color':[#,1,1],'intensity':#,'range':#,"
     "'spot':{'innerConeAngle':#,'outerConeAngle':#}},{'type':'point'},{'type':'directional'}]},"
     "'KHR_materials_variants':{'variants':[{'name':'a'},{'name':'b'}]}}"},
};

static json_t *make_value(const char *pattern)
{
    char text[512];
    size_t at = 0;
    for (; *pattern && at + 2 < sizeof text; pattern++) {
        if (*pattern != '#')
            text[at++] = *pattern == '\'' ? '"' : *pattern;
        else
            text[at++] = (char)('0' + below(10));
    }
    return json_loadb(text, at, JSON_DECODE_ANY, NULL);
}

static void add_member(json_t *root)
{
    if (below(8) == 0) {
        uint32_t which = below(CN_COUNT_OF(roots));
        json_object_set_new(root, roots[which].key, make_value(roots[which].value));
        return;
    }
    uint32_t which = below(CN_COUNT_OF(additions));
    json_t *list = json_object_get(root, additions[which].list);
    json_t *item = json_array_get(list, below(json_array_size(list)));
    json_t *value = make_value(additions[which].value), *old;
    old = json_object_get(item, additions[which].key);
    if (!value || !item)
        json_decref(value);
    else if (below(2) && json_is_object(old) && json_is_object(value))
        json_object_update_new(old, value);
    else if (below(2) && json_is_array(old) && json_is_array(value)) {
        json_array_extend(old, value);
        json_decref(value);
    } else
        json_object_set_new(item, additions[which].key, value);
}

/* Appends an item of the donor to the same list. */
static void add_item(json_t *root, const char *donor)
{
    json_t *other = json_loads(donor, 0, NULL);
    size_t which = below(json_object_size(other));
    const char *key;
    json_t *value;
    json_object_foreach(other, key, value)
    {
        if (which-- == 0 && json_is_array(value)) {
            json_t *list = json_object_get(root, key);
            if (!json_is_array(list)) {
                list = json_array();
                json_object_set_new(root, key, list);
            }
            json_array_append(list, json_array_get(value, below(json_array_size(value))));
        }
    }
    json_decref(other);
}

/* Puts a new node above one of the nodes. */
static void nest_node(json_t *root)
{
    json_t *nodes = json_object_get(root, "nodes");
    json_t *scene = json_array_get(json_object_get(root, "scenes"), 0);
    json_t *list = json_object_get(scene, "nodes");
    size_t which = below(json_array_size(list));
    json_t *old = json_array_get(list, which);
    if (!json_is_array(nodes) || !old)
        return;
    json_t *children = json_array(), *node = json_object();
    json_array_append(children, old);
    json_object_set_new(node, "children", children);
    json_object_set_new(node, below(2) ? "translation" : "scale", make_value("[#,#,1]"));
    json_array_set_new(list, which, json_integer((json_int_t)json_array_size(nodes)));
    json_array_append_new(nodes, node);
}

/* ---- The binary chunk ---- */

static size_t change_binary(uint8_t *bin, size_t size, size_t capacity)
{
    static const float floats[] = {0, 1, -1, 1e38f, 1e-38f, 0.5f, 3.4e38f, CN_NANF, 1e9f};
    if (size < 4 || below(16) == 0) {
        size_t grown = size + 4 * (1 + below(8));
        if (grown > capacity)
            return size;
        memset(bin + size, (int)below(256), grown - size);
        return grown;
    }
    size_t at = below(size);
    switch (below(6)) {
    case 0:
        memcpy(bin + (at & ~(size_t)3) % (size - 3), &floats[below(CN_COUNT_OF(floats))], 4);
        break;
    case 1:
        memcpy(bin + at % (size - 3), bin + below(size - 3), 4);
        break;
    case 2:
        bin[at] = (uint8_t)below(8);
        break;
    case 3:
        return below(8) ? size : at;
    default:
        bin[at] = (uint8_t)below(256);
    }
    return size;
}

/* ---- Documents ---- */

static void change_document(json_t *root, const char *donor)
{
    switch (below(12)) {
    case 0:
    case 1:
        add_member(root);
        break;
    case 2:
        add_item(root, donor);
        break;
    case 3:
        nest_node(root);
        break;
    default:
        change_value(root);
    }
}

typedef struct Chunks {
    const char *json;
    const uint8_t *bin;
    size_t json_bytes, bin_bytes;
    bool is_glb;
} Chunks;

static bool find_chunks(const uint8_t *bytes, size_t size, Chunks *chunks)
{
    *chunks = (Chunks){.json = (const char *)bytes, .json_bytes = size};
    if (size < HEADER_BYTES || cn_load_u32(bytes) != GLB_MAGIC)
        return size > 0;
    chunks->is_glb = true;
    chunks->json = (const char *)bytes + HEADER_BYTES;
    chunks->json_bytes = cn_load_u32(bytes + 12);
    if (chunks->json_bytes > size - HEADER_BYTES)
        return false;
    size_t rest = size - HEADER_BYTES - chunks->json_bytes;
    if (rest > 8) {
        chunks->bin = bytes + HEADER_BYTES + chunks->json_bytes + 8;
        chunks->bin_bytes = rest - 8;
    }
    return true;
}

static size_t write_document(const json_t *root, const Chunks *chunks, const uint8_t *bin,
                             size_t bin_bytes, uint8_t *bytes, size_t capacity)
{
    char *text = json_dumps(root, JSON_COMPACT);
    size_t length = text ? strlen(text) : 0;
    if (chunks->is_glb)
        return text ? write_glb(text, length, bin, bin_bytes, bytes, capacity) : 0;
    if (!length || length > capacity)
        return 0;
    memcpy(bytes, text, length);
    return length;
}

static size_t mutate(uint8_t *bytes, size_t size, size_t capacity, const char *donor)
{
    static uint8_t bin[1u << 16];
    Chunks chunks;
    if (!find_chunks(bytes, size, &chunks) || chunks.bin_bytes > sizeof bin)
        return 0;
    json_t *root = json_loadb(chunks.json, chunks.json_bytes, 0, NULL);
    if (!json_is_object(root))
        return 0;
    size_t bin_bytes = chunks.bin_bytes;
    if (bin_bytes)
        memcpy(bin, chunks.bin, bin_bytes);
    bool in_binary = chunks.is_glb && below(4) == 0;
    for (uint32_t n = 1 + below(4); n > 0; n--) {
        if (in_binary)
            bin_bytes = change_binary(bin, bin_bytes, sizeof bin);
        else
            change_document(root, donor);
    }
    return write_document(root, &chunks, bin, bin_bytes, bytes, capacity);
}

size_t gltf_mutate(uint8_t *bytes, size_t size, size_t capacity, TestRandom *random,
                   const char *donor)
{
    json_malloc_t old_alloc;
    json_free_t old_free;
    json_get_alloc_funcs(&old_alloc, &old_free);
    json_set_alloc_funcs(arena_alloc, arena_free);
    numbers = random;
    arena_used = 0;
    size_t changed = mutate(bytes, size, capacity, donor);
    json_set_alloc_funcs(old_alloc, old_free);
    return changed;
}
