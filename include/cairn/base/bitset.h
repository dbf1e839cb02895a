/*
 * A growable bit set. Two sets are equal when the same bits are set, regardless of how many
 * words are allocated; the hash (FNV-1a over 32-bit words) is consistent with that.
 *
 *     CnBitSet set;
 *     cn_bitset_init(&set, NULL);
 *     cn_bitset_set(&set, 70);                  // false when out of memory
 *     uint32_t sum = 0;
 *     for (uint32_t b = cn_bitset_next(&set, 0); b != CN_BITSET_NONE;
 *          b = cn_bitset_next(&set, b + 1))
 *         sum += b;
 *     cn_bitset_fini(&set);
 */
#ifndef CAIRN_BASE_BITSET_H
#define CAIRN_BASE_BITSET_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnBitSet {
    CnAllocator *allocator;
    uint64_t *words;
    uint32_t word_count; /* allocated words; bits beyond them count as clear */
} CnBitSet;

#define CN_BITSET_NONE UINT32_MAX

/* Initializes an empty set. `allocator` may be NULL (the system allocator). Allocates nothing. */
CN_API void cn_bitset_init(CnBitSet *set, CnAllocator *allocator);
CN_API void cn_bitset_fini(CnBitSet *set);
/* Allocates room for bits 0 to bits - 1. Like the three functions that follow, returns false
 * when out of memory. */
CN_API bool cn_bitset_reserve(CnBitSet *set, uint32_t bits);
/* Sets a bit. */
CN_API bool cn_bitset_set(CnBitSet *set, uint32_t bit);
/* Replaces the contents of `set` by those of `from`. */
CN_API bool cn_bitset_copy(CnBitSet *set, const CnBitSet *from);
CN_API bool cn_bitset_union(CnBitSet *set, const CnBitSet *other); /* set |= other */
CN_API void cn_bitset_clear(CnBitSet *set, uint32_t bit);
CN_API void cn_bitset_clear_all(CnBitSet *set);

/* Returns true when every bit of `subset` is set in `set`. */
CN_API bool cn_bitset_contains(const CnBitSet *set, const CnBitSet *subset);
/* Returns true when at least one bit is set in both sets. */
CN_API bool cn_bitset_overlaps(const CnBitSet *a, const CnBitSet *b);
CN_API bool cn_bitset_equals(const CnBitSet *a, const CnBitSet *b);
CN_API uint32_t cn_bitset_hash(const CnBitSet *set);
/* Returns the number of set bits. */
CN_API uint32_t cn_bitset_count(const CnBitSet *set);
CN_API bool cn_bitset_is_empty(const CnBitSet *set);
/* Returns the first set bit at or after `from`, or CN_BITSET_NONE. */
CN_API uint32_t cn_bitset_next(const CnBitSet *set, uint32_t from);
/* Calls `visit` for each set bit, in ascending order. */
CN_API void cn_bitset_for_each(const CnBitSet *set, void (*visit)(uint32_t bit, void *user),
                               void *user);

static inline bool cn_bitset_has(const CnBitSet *set, uint32_t bit)
{
    uint32_t word = bit >> 6;
    return word < set->word_count && (set->words[word] >> (bit & 63u) & 1u);
}

CN_EXTERN_C_END

#endif
