#include "base/cache/cache_folder.h"

#include <cairn/base/assert.h>
#include <cairn/base/cache.h>
#include <cairn/base/log.h>

#include <sodium.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define KEY_NAME "key"
#define KEY_BYTES crypto_generichash_KEYBYTES
#define CODE_BYTES crypto_generichash_BYTES
#define NAME_HASH_BYTES 16u
#define MAX_KIND_BYTES 16u

/* An entry begins with these bytes; the last is the version of the format. */
static const uint8_t magic[8] = {'C', 'N', 'C', 'A', 'C', 'H', 'E', 1};

/* Prefixes of what is hashed, so that no hash can be used in place of another. */
static const char entry_purpose[] = "cairn cache entry";
static const char name_purpose[] = "cairn cache name";

typedef struct EntryHeader {
    uint8_t magic[sizeof magic];
    uint8_t code[CODE_BYTES];
} EntryHeader;

struct CnCache {
    CnAllocator *allocator;
    int folder;
    uint8_t key[KEY_BYTES];
    CnUnhandledErrors unhandled;
    char path[CN_FILE_PATH_BYTES]; /* for messages */
};

/* ---- Hashes ---- */

/* Texts are hashed with their size, so that a boundary cannot be moved. */
static void hash_text(crypto_generichash_state *state, const void *bytes, size_t size)
{
    uint8_t number[8];
    for (uint32_t i = 0; i < sizeof number; i++)
        number[i] = (uint8_t)((uint64_t)size >> (8 * i));
    crypto_generichash_update(state, number, sizeof number);
    crypto_generichash_update(state, bytes, size);
}

static void compute_code(const CnCache *cache, const char *name, const void *bytes, size_t size,
                         uint8_t code[CODE_BYTES])
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, cache->key, sizeof cache->key, CODE_BYTES);
    hash_text(&state, entry_purpose, sizeof entry_purpose);
    hash_text(&state, magic, sizeof magic);
    hash_text(&state, name, strlen(name));
    hash_text(&state, bytes, size);
    crypto_generichash_final(&state, code, CODE_BYTES);
}

void cn_cache_name(const CnCache *cache, const char *kind, const CnText *parts, uint32_t part_count,
                   char name[CN_CACHE_NAME_BYTES])
{
    CN_ASSERT(cache, "%s: cache is NULL", __func__);
    CN_ASSERT(strlen(kind) <= MAX_KIND_BYTES, "the kind %s is too long", kind);
    crypto_generichash_state state;
    uint8_t hash[NAME_HASH_BYTES];
    char digits[2 * NAME_HASH_BYTES + 1];
    crypto_generichash_init(&state, cache->key, sizeof cache->key, sizeof hash);
    hash_text(&state, name_purpose, sizeof name_purpose);
    hash_text(&state, kind, strlen(kind));
    for (uint32_t i = 0; i < part_count; i++)
        hash_text(&state, parts[i].data, parts[i].size);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(digits, sizeof digits, hash, sizeof hash);
    cn_format(name, CN_CACHE_NAME_BYTES, "%s.%.16s", digits, kind);
}

/* ---- The key ---- */

/* Returns false without a reason if there is no key yet. */
static bool read_key(CnCache *cache, const char **reason)
{
    uint64_t size;
    int file = cni_base_private_file_open(cache->folder, KEY_NAME, &size, reason);
    if (file < 0)
        return false;
    if (size != KEY_BYTES || !cni_base_private_file_read(file, cache->key, KEY_BYTES))
        *reason = "it is not a key";
    close(file);
    return !*reason;
}

/* Of several processes that start at the same time, the first one's key is used by all. */
static bool find_key(CnCache *cache, CnError *error)
{
    const char *reason;
    if (read_key(cache, &reason))
        return true;
    if (!reason) {
        uint8_t key[KEY_BYTES];
        randombytes_buf(key, sizeof key);
        int failure = cni_base_private_file_publish(
            cache->folder, KEY_NAME, &(struct iovec){key, sizeof key}, 1, CNI_BASE_PUBLISH_NEW);
        sodium_memzero(key, sizeof key);
        if (failure && failure != EEXIST)
            return cn_file_set_errno(error, "create a key in", cache->path, failure);
        if (read_key(cache, &reason))
            return true;
    }
    char path[CN_FILE_PATH_BYTES];
    cn_format(path, sizeof path, "%s/" KEY_NAME, cache->path);
    return cn_file_set_error(error, CN_ERROR_PERMISSION, "use", path,
                             reason ? reason : "it was deleted");
}

/* ---- The cache ---- */

static bool open_cache(CnCache *cache, const char *folder, CnError *error)
{
    if (folder ? !cn_copy_text(cache->path, sizeof cache->path, cn_text(folder))
               : !cni_base_cache_folder_path(cache->path, sizeof cache->path, error))
        return !folder ? false
                       : cn_file_set_error(error, CN_ERROR_LIMIT, "use", folder,
                                           "the path is too long");
    if (sodium_init() < 0)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the system has no random numbers");
    cache->folder = cni_base_private_folder_open(cache->path, error);
    return cache->folder >= 0 && find_key(cache, error);
}

CnCache *cn_cache_create(const CnCacheDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc ? desc->allocator : NULL;
    CnCache *cache = cn_alloc_zeroed(allocator, sizeof *cache);
    if (!cache) {
        cn_error_memory(error, "a cache");
        return NULL;
    }
    cache->allocator = allocator;
    cache->folder = -1;
    if (open_cache(cache, desc ? desc->folder : NULL, error))
        return cache;
    cn_cache_destroy(cache);
    return NULL;
}

void cn_cache_destroy(CnCache *cache)
{
    if (!cache)
        return;
    if (cache->folder >= 0)
        close(cache->folder);
    sodium_memzero(cache->key, sizeof cache->key);
    cn_free(cache->allocator, cache, sizeof *cache);
}

/* Names are chosen by the engine, never by data. */
static bool is_name(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && size < CN_CACHE_NAME_BYTES && name[0] != '.' &&
           strcmp(name, KEY_NAME) != 0 &&
           size == strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-");
}

/* Reads and verifies an open entry. Returns NULL or why it is not used. */
static const char *read_entry(const CnCache *cache, const char *name, int file, uint64_t size,
                              CnAllocator *allocator, CnFileBytes *bytes)
{
    EntryHeader header;
    uint8_t code[CODE_BYTES];
    if (size < sizeof header || !cni_base_private_file_read(file, &header, sizeof header) ||
        memcmp(header.magic, magic, sizeof magic) != 0)
        return "it is not an entry of this version";
    if (size - sizeof header > CN_CACHE_ENTRY_BYTES)
        return "it is too large";
    *bytes = (CnFileBytes){.size = (size_t)size - sizeof header, .allocator = allocator};
    bytes->data = cn_alloc(allocator, bytes->size + 1);
    if (!bytes->data)
        return "out of memory";
    bytes->data[bytes->size] = 0;
    if (!cni_base_private_file_read(file, bytes->data, bytes->size))
        return "it cannot be read";
    compute_code(cache, name, bytes->data, bytes->size, code);
    return sodium_memcmp(code, header.code, sizeof code) == 0
               ? NULL
               : "it was changed or written with another key";
}

bool cn_cache_read(CnCache *cache, const char *name, CnAllocator *allocator, CnFileBytes *bytes)
{
    CN_ASSERT(cache, "%s: cache is NULL", __func__);
    CN_ASSERT(is_name(name), "%s is not the name of a cache entry", name);
    *bytes = (CnFileBytes){.allocator = allocator};
    if (!is_name(name))
        return false;
    uint64_t size;
    const char *reason;
    int file = cni_base_private_file_open(cache->folder, name, &size, &reason);
    if (file >= 0) {
        reason = read_entry(cache, name, file, size, allocator, bytes);
        close(file);
        if (!reason)
            return true;
    }
    cn_file_bytes_free(bytes);
    if (reason)
        CN_LOG_WARNING("cache", "%s/%s is ignored: %s", cache->path, name, reason);
    return false;
}

bool cn_cache_write(CnCache *cache, const char *name, const void *bytes, size_t size,
                    CnError *error)
{
    CN_ASSERT(cache, "%s: cache is NULL", __func__);
    CN_ASSERT(is_name(name), "%s is not the name of a cache entry", name);
    CN_REPORT_UNHANDLED(error, "cache", &cache->unhandled);
    if (!is_name(name))
        return cn_error_set(error, CN_ERROR_FORMAT, "not the name of a cache entry");
    if (size > CN_CACHE_ENTRY_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "an entry is larger than 1 GiB");
    EntryHeader header;
    memcpy(header.magic, magic, sizeof magic);
    compute_code(cache, name, bytes, size, header.code);
    const struct iovec parts[] = {{&header, sizeof header}, {(void *)(uintptr_t)bytes, size}};
    int failure =
        cni_base_private_file_publish(cache->folder, name, parts, 2, CNI_BASE_PUBLISH_REPLACE);
    return !failure || cn_file_set_errno(error, "write to the cache", cache->path, failure);
}
