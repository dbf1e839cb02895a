#include <cairn/base/hash_map.h>

#include <xxhash.h>

uint64_t cn_hash_bytes(const void *bytes, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(size > 0 ? bytes : "", size, seed);
}
