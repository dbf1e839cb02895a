/*
 * SipHash-1-3 (Aumasson and Bernstein, 2012): a keyed hash whose outputs cannot be predicted
 * without the key, with one round per word and three final rounds, as hash tables of languages use
 * it.
 */
#ifndef CAIRN_SRC_BASE_CONTAINER_SIPHASH_H
#define CAIRN_SRC_BASE_CONTAINER_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct CniBaseSipKey {
    uint64_t k0, k1;
} CniBaseSipKey;

typedef struct CniBaseSipState {
    uint64_t v0, v1, v2, v3;
} CniBaseSipState;

/* Drawn from the system's random number generator before main starts. */
extern CniBaseSipKey cni_base_hash_secret;

static inline uint64_t cni_base_sip_rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void cni_base_sip_round(CniBaseSipState *s)
{
    s->v0 += s->v1;
    s->v1 = cni_base_sip_rotate(s->v1, 13) ^ s->v0;
    s->v0 = cni_base_sip_rotate(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = cni_base_sip_rotate(s->v3, 16) ^ s->v2;
    s->v0 += s->v3;
    s->v3 = cni_base_sip_rotate(s->v3, 21) ^ s->v0;
    s->v2 += s->v1;
    s->v1 = cni_base_sip_rotate(s->v1, 17) ^ s->v2;
    s->v2 = cni_base_sip_rotate(s->v2, 32);
}

static inline CniBaseSipState cni_base_sip_begin(CniBaseSipKey key)
{
    return (CniBaseSipState){key.k0 ^ 0x736f6d6570736575u, key.k1 ^ 0x646f72616e646f6du,
                             key.k0 ^ 0x6c7967656e657261u, key.k1 ^ 0x7465646279746573u};
}

static inline void cni_base_sip_word(CniBaseSipState *s, uint64_t word)
{
    s->v3 ^= word;
    cni_base_sip_round(s);
    s->v0 ^= word;
}

static inline uint64_t cni_base_sip_end(CniBaseSipState *s)
{
    s->v2 ^= 0xff;
    cni_base_sip_round(s);
    cni_base_sip_round(s);
    cni_base_sip_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* The hash of the eight bytes of a number, lowest first. */
static inline uint64_t cni_base_sip_u64(CniBaseSipKey key, uint64_t x)
{
    CniBaseSipState s = cni_base_sip_begin(key);
    cni_base_sip_word(&s, x);
    cni_base_sip_word(&s, (uint64_t)8 << 56);
    return cni_base_sip_end(&s);
}

uint64_t cni_base_sip_bytes(CniBaseSipKey key, const void *bytes, size_t size);

#endif
