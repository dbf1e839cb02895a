#include "base/container/siphash.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

CniBaseSipKey cni_base_hash_secret;

/* Runs before other constructors: a map must not change its hash while it holds entries. The bytes
 * at AT_RANDOM are drawn by the kernel for each process; they serve where a filter of system calls
 * refuses getentropy. */
__attribute__((constructor(101))) static void draw_secret(void)
{
    if (getentropy(&cni_base_hash_secret, sizeof cni_base_hash_secret) == 0)
        return;
    const void *random = (const void *)getauxval(AT_RANDOM);
    if (random)
        memcpy(&cni_base_hash_secret, random, sizeof cni_base_hash_secret);
}

uint64_t cni_base_sip_bytes(CniBaseSipKey key, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    CniBaseSipState s = cni_base_sip_begin(key);
    size_t whole = size & ~(size_t)7;
    for (size_t i = 0; i < whole; i += 8)
        cni_base_sip_word(&s, cn_load_u64(at + i));
    uint64_t last = (uint64_t)size << 56;
    for (size_t i = whole; i < size; i++)
        last |= (uint64_t)at[i] << 8 * (i - whole);
    cni_base_sip_word(&s, last);
    return cni_base_sip_end(&s);
}

uint64_t cn_hash_keyed(const void *bytes, size_t size, uint64_t seed)
{
    CniBaseSipKey key = {cni_base_hash_secret.k0 ^ seed, cni_base_hash_secret.k1};
    return cni_base_sip_bytes(key, bytes, size);
}
