#include "render/asset/model_data.h"

#include <cairn/base/bytes.h>

/* The sections follow each other in the order of CNI_RENDER_MODEL_ARRAYS. */
#define MAGIC "CNMODEL\n"
#define MAGIC_BYTES 8u
#define HEADER_BYTES                                                                               \
    (MAGIC_BYTES + 4u + 8u) /* magic, version, and hash of everything after them                   \
                             */

static bool append_array(CnU8Array *out, const void *items, uint32_t count, size_t item_bytes)
{
    return cn_bytes_append(out, &count, sizeof count) &&
           cn_bytes_append(out, items, (uint64_t)count * item_bytes);
}

bool cni_render_model_write_baked(const CniRenderModelData *data, CnU8Array *out)
{
    uint32_t start = out->count, version = CNI_RENDER_BAKED_VERSION;
    uint64_t hash = 0;
    if (!cn_bytes_append(out, MAGIC, MAGIC_BYTES) ||
        !cn_bytes_append(out, &version, sizeof version) ||
        !cn_bytes_append(out, &hash, sizeof hash))
        return false;
#define APPEND(array, type, most)                                                                  \
    if (!append_array(out, data->array.items, data->array.count, sizeof(type)))                    \
        return false;
    CNI_RENDER_MODEL_ARRAYS(APPEND)
#undef APPEND
    hash = cn_hash_bytes(out->items + start + HEADER_BYTES, out->count - start - HEADER_BYTES,
                         CNI_RENDER_BAKED_VERSION);
    memcpy(out->items + start + HEADER_BYTES - sizeof hash, &hash, sizeof hash);
    return true;
}

/* ---- Reading ---- */

typedef struct Reader {
    const uint8_t *at, *end;
    const char *name;
    CnError *error;
} Reader;

static bool refuse(const Reader *reader, CnErrorCode code, const char *what)
{
    return cn_error_set_at(reader->error, code, reader->name, 0, 0, "%s", what);
}

static bool read_count(Reader *reader, uint32_t most, size_t item_bytes, uint32_t *count)
{
    if ((size_t)(reader->end - reader->at) < sizeof *count)
        return refuse(reader, CN_ERROR_FORMAT, "the model is truncated");
    *count = cn_load_u32(reader->at);
    reader->at += sizeof *count;
    return (*count <= most && *count <= (size_t)(reader->end - reader->at) / item_bytes) ||
           refuse(reader, CN_ERROR_FORMAT, "the model is truncated");
}

static void read_items(Reader *reader, void *items, uint32_t count, size_t item_bytes)
{
    if (count)
        memcpy(items, reader->at, count * item_bytes);
    reader->at += count * item_bytes;
}

static bool read_header(Reader *reader)
{
    if ((size_t)(reader->end - reader->at) < HEADER_BYTES ||
        memcmp(reader->at, MAGIC, MAGIC_BYTES) != 0)
        return refuse(reader, CN_ERROR_FORMAT, "the file is not a baked model");
    if (cn_load_u32(reader->at + MAGIC_BYTES) != CNI_RENDER_BAKED_VERSION)
        return refuse(reader, CN_ERROR_VERSION, "the baked model has another version");
    uint64_t hash = cn_load_u64(reader->at + MAGIC_BYTES + 4);
    reader->at += HEADER_BYTES;
    return hash == cn_hash_bytes(reader->at, (size_t)(reader->end - reader->at),
                                 CNI_RENDER_BAKED_VERSION) ||
           refuse(reader, CN_ERROR_FORMAT, "the baked model is damaged");
}

bool cni_render_model_read_baked(const uint8_t *bytes, size_t size, const char *name,
                                 CniRenderModelData *data, CnError *error)
{
    Reader reader = {bytes, bytes + size, name, error};
    if (!read_header(&reader))
        return false;
#define READ(array, type, most)                                                                    \
    {                                                                                              \
        uint32_t count = 0;                                                                        \
        if (!read_count(&reader, most, sizeof(type), &count))                                      \
            return false;                                                                          \
        if (!cn_array_reserve(&data->array, count))                                                \
            return refuse(&reader, CN_ERROR_MEMORY, "no memory for the model");                    \
        read_items(&reader, data->array.items, count, sizeof(type));                               \
        data->array.count = count;                                                                 \
    }
    CNI_RENDER_MODEL_ARRAYS(READ)
#undef READ
    if (reader.at != reader.end)
        return refuse(&reader, CN_ERROR_FORMAT, "the model has extra bytes at its end");
    return cni_render_model_check(data, name, error);
}
