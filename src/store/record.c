/* Sealed rows: a byte for the encoding, the value, and a checksum over table, key and value. */
#include "store/store_internal.h"

#include <xxhash.h>
#include <zstd.h>

enum { RAW = 0, ZSTD = 1, SUM_BYTES = 8, ZSTD_LEVEL = 1 };

void cni_store_table_init(CniStoreTable *table, const CnStoreTableDesc *desc)
{
    *table = (CniStoreTable){desc->name, desc->kind, desc->compress_above_bytes, 0};
    table->seed = XXH3_64bits_withSeed(desc->name, strlen(desc->name), (uint64_t)desc->kind);
}

const char *cni_store_key_text(CnStoreTableKind kind, const CnStoreKey *key, char *text)
{
    if (kind != CN_STORE_BY_BYTES) {
        cn_format(text, CNI_STORE_KEY_TEXT_BYTES, "%lld", (long long)key->number);
        return text;
    }
    char escaped[CNI_STORE_KEY_TEXT_BYTES - 2];
    cn_text_escape((CnText){key->bytes, key->size}, escaped, sizeof escaped);
    cn_format(text, CNI_STORE_KEY_TEXT_BYTES, "'%s'", escaped);
    return text;
}

int cni_store_key_compare(CnStoreTableKind kind, const CnStoreKey *a, const CnStoreKey *b)
{
    if (kind != CN_STORE_BY_BYTES)
        return (a->number > b->number) - (a->number < b->number);
    size_t common = a->size < b->size ? a->size : b->size;
    int order = common ? memcmp(a->bytes, b->bytes, common) : 0;
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

static uint64_t sum_of(const CniStoreTable *table, const CnStoreKey *key, const uint8_t *bytes,
                       size_t size)
{
    uint64_t seed = table->kind == CN_STORE_BY_BYTES
                        ? XXH3_64bits_withSeed(key->bytes, key->size, table->seed)
                        : XXH3_64bits_withSeed(&key->number, sizeof key->number, table->seed);
    return XXH3_64bits_withSeed(bytes, size, seed);
}

void cni_store_codec_fini(CniStoreCodec *codec)
{
    ZSTD_freeCCtx(codec->packing);
    ZSTD_freeDCtx(codec->unpacking);
    *codec = (CniStoreCodec){0};
}

/* Returns the size of the compressed value behind its header, or 0 if it is not smaller or when out
 * of memory. */
static size_t pack(CniStoreCodec *codec, const void *bytes, size_t size, CnU8Array *sealed)
{
    if (!codec->packing && !(codec->packing = ZSTD_createCCtx()))
        return 0;
    size_t room = sealed->capacity - CNI_STORE_PACKED_BYTES;
    size_t packed =
        ZSTD_compressCCtx(codec->packing, sealed->items + 5, room, bytes, size, ZSTD_LEVEL);
    return ZSTD_isError(packed) || packed + 4 >= size ? 0 : packed;
}

bool cni_store_seal(CniStoreCodec *codec, const CniStoreTable *table, const CnStoreKey *key,
                    const void *bytes, size_t size, CnU8Array *sealed, CnError *error)
{
    bool packs = table->compress_above_bytes && size > table->compress_above_bytes;
    size_t most = packs ? ZSTD_compressBound(size) : size;
    if (!cn_array_reserve(sealed, most + CNI_STORE_PACKED_BYTES))
        return cn_error_memory(error, "a row of %s", table->name);
    uint8_t *out = sealed->items;
    size_t packed = packs ? pack(codec, bytes, size, sealed) : 0;
    size_t used;
    if (packed) {
        uint32_t unpacked = (uint32_t)size;
        out[0] = ZSTD;
        memcpy(out + 1, &unpacked, sizeof unpacked);
        used = 5 + packed;
    } else {
        out[0] = RAW;
        if (size)
            memcpy(out + 1, bytes, size);
        used = 1 + size;
    }
    uint64_t sum = sum_of(table, key, out, used);
    memcpy(out + used, &sum, sizeof sum);
    sealed->count = (uint32_t)(used + SUM_BYTES);
    return true;
}

bool cni_store_seal_fits(const CniStoreTable *table, const CnStoreKey *key, const uint8_t *sealed,
                         size_t size)
{
    return size >= CNI_STORE_SEAL_BYTES &&
           cn_load_u64(sealed + size - SUM_BYTES) == sum_of(table, key, sealed, size - SUM_BYTES);
}

static bool damaged(const CniStoreTable *table, const CnStoreKey *key, const char *what,
                    CnError *error)
{
    char text[CNI_STORE_KEY_TEXT_BYTES];
    return cn_error_set(error, CN_ERROR_FORMAT, "row %s of table %s is damaged: %s",
                        cni_store_key_text(table->kind, key, text), table->name, what);
}

static bool unpack(CniStoreCodec *codec, const CniStoreTable *table, const CnStoreKey *key,
                   const uint8_t *packed, size_t size, CnU8Array *bytes, CnError *error)
{
    if (size < 4)
        return damaged(table, key, "it is too short", error);
    uint32_t unpacked = cn_load_u32(packed);
    /* The frame repeats the size, so memory is only taken for what is there. */
    if (unpacked > CN_STORE_MAX_VALUE_BYTES ||
        ZSTD_getFrameContentSize(packed + 4, size - 4) != unpacked)
        return damaged(table, key, "its size is wrong", error);
    if (!codec->unpacking)
        codec->unpacking = ZSTD_createDCtx();
    if (!codec->unpacking || !cn_array_reserve(bytes, unpacked))
        return cn_error_memory(error, "a row of %s", table->name);
    if (ZSTD_decompressDCtx(codec->unpacking, bytes->items, unpacked, packed + 4, size - 4) !=
        unpacked)
        return damaged(table, key, "it cannot be decompressed", error);
    bytes->count = unpacked;
    return true;
}

bool cni_store_unseal(CniStoreCodec *codec, const CniStoreTable *table, const CnStoreKey *key,
                      const uint8_t *sealed, size_t size, CnU8Array *bytes, CnError *error)
{
    cn_array_clear(bytes);
    if (!cni_store_seal_fits(table, key, sealed, size))
        return damaged(table, key, "its checksum is wrong", error);
    size_t content = size - CNI_STORE_SEAL_BYTES;
    if (sealed[0] == ZSTD)
        return unpack(codec, table, key, sealed + 1, content, bytes, error);
    if (sealed[0] != RAW)
        return damaged(table, key, "its encoding is unknown", error);
    if (content > CN_STORE_MAX_VALUE_BYTES)
        return damaged(table, key, "it is too long", error);
    if (!cn_array_reserve(bytes, content))
        return cn_error_memory(error, "a row of %s", table->name);
    if (content)
        memcpy(bytes->items, sealed + 1, content);
    bytes->count = (uint32_t)content;
    return true;
}
