#include "base/cache/cache_folder.h"

#include <cairn/base/assert.h>
#include <cairn/base/cache.h>
#include <cairn/base/log.h>

#include <sodium.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define KEY_NAME "key"
#define KEY_BYTES crypto_aead_xchacha20poly1305_ietf_KEYBYTES
#define NAME_HASH_BYTES 16u
#define MAX_KIND_BYTES 16u

/* An entry begins with these bytes; the last is the version of the format. */
static const uint8_t magic[8] = {'C', 'N', 'C', 'A', 'C', 'H', 'E', 2};

/* Keys for other purposes are derived from the key of the user. */
static const char name_purpose[] = "cairn cache name";
static const char part_purpose[] = "cairn cache part";

/* Authenticated encryption with associated data: the name of the entry is encrypted, its content is
 * only authenticated. A random nonce of this size never repeats. */
typedef struct EntryHeader {
    uint8_t magic[sizeof magic];
    uint8_t nonce[crypto_aead_xchacha20poly1305_ietf_NPUBBYTES];
    uint8_t code[crypto_aead_xchacha20poly1305_ietf_ABYTES];
    uint8_t name[CN_CACHE_NAME_BYTES]; /* encrypted, padded with zeros */
} EntryHeader;

struct CnCache {
    CnAllocator *allocator;
    int folder;
    uint8_t key[KEY_BYTES];
    CnUnhandledErrors unhandled;
    char path[CN_FILE_PATH_BYTES]; /* for messages */
};

/* ---- Authentication and names ---- */

static void seal_entry(const CnCache *cache, const char *name, const void *bytes, size_t size,
                       EntryHeader *header)
{
    uint8_t padded[CN_CACHE_NAME_BYTES] = {0};
    cn_copy_text((char *)padded, sizeof padded, cn_text(name));
    memcpy(header->magic, magic, sizeof magic);
    randombytes_buf(header->nonce, sizeof header->nonce);
    crypto_aead_xchacha20poly1305_ietf_encrypt_detached(header->name, header->code, NULL, padded,
                                                        sizeof padded, bytes, size, NULL,
                                                        header->nonce, cache->key);
}

static bool is_authentic(const CnCache *cache, const char *name, const void *bytes, size_t size,
                         const EntryHeader *header)
{
    uint8_t padded[CN_CACHE_NAME_BYTES] = {0}, found[CN_CACHE_NAME_BYTES];
    cn_copy_text((char *)padded, sizeof padded, cn_text(name));
    return crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
               found, NULL, header->name, sizeof header->name, header->code, bytes, size,
               header->nonce, cache->key) == 0 &&
           memcmp(found, padded, sizeof padded) == 0;
}

/* Parts can be large, so each is first reduced to 16 bytes by Poly1305 under a secret key, which
 * makes it improbable that two parts of anybody's choice collide as long as nobody sees the
 * result; then their sizes and results are hashed with BLAKE2b under another key. */
void cn_cache_name(const CnCache *cache, const char *kind, const CnText *parts, uint32_t part_count,
                   char name[CN_CACHE_NAME_BYTES])
{
    CN_ASSERT(cache, "%s: cache is NULL", __func__);
    CN_ASSERT(strlen(kind) <= MAX_KIND_BYTES, "the kind %s is too long", kind);
    crypto_generichash_state state;
    uint8_t part_key[crypto_onetimeauth_KEYBYTES], hash[NAME_HASH_BYTES];
    char digits[2 * NAME_HASH_BYTES + 1];
    crypto_generichash(part_key, sizeof part_key, (const uint8_t *)part_purpose,
                       sizeof part_purpose, cache->key, sizeof cache->key);
    crypto_generichash_init(&state, cache->key, sizeof cache->key, sizeof hash);
    crypto_generichash_update(&state, (const uint8_t *)name_purpose, sizeof name_purpose);
    crypto_generichash_update(&state, (const uint8_t *)kind, strlen(kind) + 1);
    for (uint32_t i = 0; i < part_count; i++) {
        uint8_t reduced[crypto_onetimeauth_BYTES], size[8];
        for (uint32_t k = 0; k < sizeof size; k++)
            size[k] = (uint8_t)((uint64_t)parts[i].size >> (8 * k));
        crypto_onetimeauth(reduced, (const uint8_t *)parts[i].data, parts[i].size, part_key);
        crypto_generichash_update(&state, size, sizeof size);
        crypto_generichash_update(&state, reduced, sizeof reduced);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_memzero(part_key, sizeof part_key);
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
    return is_authentic(cache, name, bytes->data, bytes->size, &header)
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
    seal_entry(cache, name, bytes, size, &header);
    const struct iovec parts[] = {{&header, sizeof header}, {(void *)(uintptr_t)bytes, size}};
    int failure =
        cni_base_private_file_publish(cache->folder, name, parts, 2, CNI_BASE_PUBLISH_REPLACE);
    return !failure || cn_file_set_errno(error, "write to the cache", cache->path, failure);
}
