#include "base/container/hash_keyed.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <sodium/crypto_shorthash.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static uint8_t secret[crypto_shorthash_KEYBYTES];

/* Runs before other constructors: a map must not change its hash while it holds entries. The bytes
 * at AT_RANDOM are drawn by the kernel for each process; they serve where a filter of system calls
 * refuses getentropy. */
__attribute__((constructor(101))) static void draw_secret(void)
{
    if (getentropy(secret, sizeof secret) == 0)
        return;
    const void *random = (const void *)getauxval(AT_RANDOM);
    if (random)
        memcpy(secret, random, sizeof secret);
}

static uint64_t hash(const void *bytes, size_t size, const uint8_t *key)
{
    uint8_t result[crypto_shorthash_BYTES];
    crypto_shorthash(result, bytes, size, key);
    return cn_load_u64(result);
}

uint64_t cni_base_hash_keyed_u64(uint64_t number)
{
    return hash(&number, sizeof number, secret);
}

uint64_t cn_hash_keyed(const void *bytes, size_t size, uint64_t seed)
{
    uint8_t key[sizeof secret];
    uint64_t first = cn_load_u64(secret) ^ seed;
    memcpy(key, secret, sizeof key);
    memcpy(key, &first, sizeof first);
    return hash(bytes, size, key);
}
