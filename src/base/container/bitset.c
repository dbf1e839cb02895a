#include <cairn/base/assert.h>
#include <cairn/base/bitset.h>

#include <string.h>

#define FNV_BASIS 0x811c9dc5u
#define FNV_PRIME 0x01000193u
/* Enough words for all 2^32 bits. */
#define MAX_WORDS ((uint64_t)1 << 26)

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the number of words up to the last that is not zero. */
static uint32_t used_words(const CnBitSet *set)
{
    uint32_t count = set->word_count;
    while (count > 0 && set->words[count - 1] == 0)
        count--;
    return count;
}

static bool has_words_beyond(const CnBitSet *set, uint32_t words)
{
    for (uint32_t i = words; i < set->word_count; i++) {
        if (set->words[i])
            return true;
    }
    return false;
}

static bool grow(CnBitSet *set, uint64_t words)
{
    if (words <= set->word_count)
        return true;
    uint64_t wanted = (uint64_t)set->word_count * 2;
    if (wanted < words)
        wanted = words;
    if (wanted > MAX_WORDS)
        wanted = MAX_WORDS;
    size_t old_bytes = (size_t)set->word_count * sizeof *set->words;
    size_t new_bytes = (size_t)wanted * sizeof *set->words;
    uint64_t *moved = cn_realloc(set->allocator, set->words, old_bytes, new_bytes);
    if (!moved)
        return false;
    memset((char *)moved + old_bytes, 0, new_bytes - old_bytes);
    set->words = moved;
    set->word_count = (uint32_t)wanted;
    return true;
}

void cn_bitset_init(CnBitSet *set, CnAllocator *allocator)
{
    *set = (CnBitSet){.allocator = allocator};
}

void cn_bitset_fini(CnBitSet *set)
{
    cn_free(set->allocator, set->words, (size_t)set->word_count * sizeof *set->words);
    cn_bitset_init(set, set->allocator);
}

bool cn_bitset_reserve(CnBitSet *set, uint32_t bits)
{
    return grow(set, ((uint64_t)bits + 63) / 64);
}

bool cn_bitset_set(CnBitSet *set, uint32_t bit)
{
    CN_ASSERT(bit != CN_BITSET_NONE, "bit %u is CN_BITSET_NONE and cannot be set", bit);
    if (bit == CN_BITSET_NONE || !grow(set, (uint64_t)(bit >> 6) + 1))
        return false;
    set->words[bit >> 6] |= (uint64_t)1 << (bit & 63u);
    return true;
}

bool cn_bitset_copy(CnBitSet *set, const CnBitSet *from)
{
    uint32_t words = used_words(from);
    if (set == from)
        return true;
    if (!grow(set, words))
        return false;
    cn_bitset_clear_all(set);
    if (words > 0)
        memcpy(set->words, from->words, words * sizeof *set->words);
    return true;
}

bool cn_bitset_union(CnBitSet *set, const CnBitSet *other)
{
    uint32_t words = used_words(other);
    if (!grow(set, words))
        return false;
    for (uint32_t i = 0; i < words; i++)
        set->words[i] |= other->words[i];
    return true;
}

void cn_bitset_clear(CnBitSet *set, uint32_t bit)
{
    if (bit >> 6 < set->word_count)
        set->words[bit >> 6] &= ~((uint64_t)1 << (bit & 63u));
}

void cn_bitset_clear_all(CnBitSet *set)
{
    if (set->word_count > 0)
        memset(set->words, 0, (size_t)set->word_count * sizeof *set->words);
}

bool cn_bitset_contains(const CnBitSet *set, const CnBitSet *subset)
{
    uint32_t shared = smaller(set->word_count, subset->word_count);
    for (uint32_t i = 0; i < shared; i++) {
        if (subset->words[i] & ~set->words[i])
            return false;
    }
    return !has_words_beyond(subset, shared);
}

bool cn_bitset_overlaps(const CnBitSet *a, const CnBitSet *b)
{
    uint32_t shared = smaller(a->word_count, b->word_count);
    for (uint32_t i = 0; i < shared; i++) {
        if (a->words[i] & b->words[i])
            return true;
    }
    return false;
}

bool cn_bitset_equals(const CnBitSet *a, const CnBitSet *b)
{
    uint32_t shared = smaller(a->word_count, b->word_count);
    for (uint32_t i = 0; i < shared; i++) {
        if (a->words[i] != b->words[i])
            return false;
    }
    return !has_words_beyond(a, shared) && !has_words_beyond(b, shared);
}

uint32_t cn_bitset_hash(const CnBitSet *set)
{
    uint32_t words = used_words(set);
    uint32_t hash = FNV_BASIS;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t low = (uint32_t)set->words[i];
        uint32_t high = (uint32_t)(set->words[i] >> 32);
        hash = (hash ^ low) * FNV_PRIME;
        if (high || i + 1 < words)
            hash = (hash ^ high) * FNV_PRIME;
    }
    return hash;
}

uint32_t cn_bitset_count(const CnBitSet *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->word_count; i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

bool cn_bitset_is_empty(const CnBitSet *set)
{
    return !has_words_beyond(set, 0);
}

uint32_t cn_bitset_next(const CnBitSet *set, uint32_t from)
{
    uint32_t word = from >> 6;
    if (word >= set->word_count)
        return CN_BITSET_NONE;
    uint64_t bits = set->words[word] & (~(uint64_t)0 << (from & 63u));
    while (bits == 0) {
        if (++word >= set->word_count)
            return CN_BITSET_NONE;
        bits = set->words[word];
    }
    return word * 64u + (uint32_t)__builtin_ctzll(bits);
}

void cn_bitset_for_each(const CnBitSet *set, void (*visit)(uint32_t bit, void *user), void *user)
{
    for (uint32_t i = 0; i < set->word_count; i++) {
        for (uint64_t bits = set->words[i]; bits; bits &= bits - 1)
            visit(i * 64u + (uint32_t)__builtin_ctzll(bits), user);
    }
}
