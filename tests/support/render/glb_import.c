#include "glb_import.h"

#include "memory_files.h"

static size_t put(uint8_t *into, size_t at, const void *from, size_t bytes)
{
    if (bytes)
        memcpy(into + at, from, bytes);
    return at + bytes;
}

static size_t put_word(uint8_t *into, size_t at, size_t word)
{
    uint32_t value = (uint32_t)word;
    return put(into, at, &value, sizeof value);
}

bool glb_import_file(GlbImport *glb, const char *path, const void *bytes, size_t size,
                     CnFileSystem *files)
{
    MemoryFiles memory;
    memory_files_init(&memory);
    glb->error = (CnError){0};
    cni_render_model_data_init(&glb->data, NULL);
    CnFileBytes exact = {.data = cn_alloc(NULL, size ? size : 1), .size = size};
    put(exact.data, 0, bytes, size);
    bool ok = cni_render_model_import(files ? files : &memory.files, path, NULL, exact, &glb->data,
                                      &glb->error);
    cn_free(NULL, exact.data, size ? size : 1);
    return ok;
}

typedef struct GlbFile {
    uint8_t *bytes;
    size_t size;
} GlbFile;

static GlbFile make_file(const char *json, const void *bin, size_t bin_bytes)
{
    size_t text = strlen(json), padded = (text + 3) & ~(size_t)3,
           bin_padded = (bin_bytes + 3) & ~(size_t)3;
    size_t size = 12 + 8 + padded + (bin_bytes ? 8 + bin_padded : 0);
    uint8_t *file = cn_alloc_zeroed(NULL, size);
    size_t at = put_word(file, 0, 0x46546C67);
    at = put_word(file, at, 2);
    at = put_word(file, at, size);
    at = put_word(file, at, padded);
    at = put_word(file, at, 0x4E4F534A);
    memset(file + at, ' ', padded);
    for (size_t i = 0; i < text; i++)
        file[at + i] = json[i] == '\'' ? '"' : (uint8_t)json[i];
    at += padded;
    if (bin_bytes) {
        at = put_word(file, at, bin_padded);
        at = put_word(file, at, 0x004E4942);
        put(file, at, bin, bin_bytes);
    }
    return (GlbFile){file, size};
}

bool glb_import(GlbImport *glb, const char *json, const void *bin, size_t bin_bytes)
{
    GlbFile file = make_file(json, bin, bin_bytes);
    bool ok = glb_import_file(glb, "a.glb", file.bytes, file.size, NULL);
    cn_free(NULL, file.bytes, file.size);
    return ok;
}

void glb_add(GlbBuilder *builder, const void *bytes, size_t size, uint32_t stride,
             const char *accessor)
{
    char stride_key[32] = "";
    size_t views = strlen(builder->views), accessors = strlen(builder->accessors);
    uint32_t number = 0;
    for (const char *at = builder->views; (at = strchr(at, '{')); at++)
        number++;
    if (stride)
        cn_format(stride_key, sizeof stride_key, ", 'byteStride': %u", stride);
    cn_format(builder->views + views, sizeof builder->views - views,
              "%s{'buffer': 0, 'byteOffset': %zu, 'byteLength': %zu%s}", views ? ", " : "",
              builder->bin_bytes, size, stride_key);
    cn_format(builder->accessors + accessors, sizeof builder->accessors - accessors,
              "%s{'bufferView': %u, %s}", accessors ? ", " : "", number, accessor);
    put(builder->bin, builder->bin_bytes, bytes, size);
    builder->bin_bytes = (builder->bin_bytes + size + 3) & ~(size_t)3;
}

static size_t json_bytes(const GlbBuilder *builder, const char *keys)
{
    return sizeof builder->views + sizeof builder->accessors + strlen(keys) + 200;
}

static char *make_json(const GlbBuilder *builder, const char *keys)
{
    char *json = cn_alloc(NULL, json_bytes(builder, keys));
    cn_format(json, json_bytes(builder, keys),
              "{'asset': {'version': '2.0'}, 'buffers': [{'byteLength': %zu}], "
              "'bufferViews': [%s], 'accessors': [%s], %s}",
              builder->bin_bytes, builder->views, builder->accessors, keys);
    return json;
}

bool glb_build(GlbImport *glb, const GlbBuilder *builder, const char *keys)
{
    char *json = make_json(builder, keys);
    bool ok = glb_import(glb, json, builder->bin, builder->bin_bytes);
    cn_free(NULL, json, json_bytes(builder, keys));
    return ok;
}

bool glb_write(const GlbBuilder *builder, const char *keys, const char *path, CnError *error)
{
    char *json = make_json(builder, keys);
    GlbFile file = make_file(json, builder->bin, builder->bin_bytes);
    bool ok = cn_file_write_all(cn_native_files(), path, file.bytes, file.size, error);
    cn_free(NULL, json, json_bytes(builder, keys));
    cn_free(NULL, file.bytes, file.size);
    return ok;
}

void glb_free(GlbImport *glb)
{
    cni_render_model_data_fini(&glb->data);
}
