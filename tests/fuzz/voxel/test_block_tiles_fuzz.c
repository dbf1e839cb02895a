/*
 * Files of tiles with random damage and a checksum that is right again. Nothing is read beyond the
 * end; a file is taken whole or refused with an error. The cases come from a seed.
 */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/memory.h>
#include <cairn/voxel/tiles.h>

#include <string.h>
#include <xxhash.h>

enum { ROUNDS = 3000, LAYERS = 11, SIZE = 32 + 12 + LAYERS * 2 * 341 * 4 };

static TestRandom random_numbers = {6};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
    memcpy(bytes, &value, 4);
}

static void make_file(uint8_t *bytes, size_t size)
{
    for (size_t i = 32; i < size; i++)
        bytes[i] = (uint8_t)below(256);
    memcpy(bytes, "CNTILES\n", 8);
    put_u32(bytes + 8, 1);
    put_u32(bytes + 12, LAYERS);
    put_u32(bytes + 16, 16);
    put_u32(bytes + 20, 5);
}

static void seal(uint8_t *bytes, size_t size)
{
    if (size < 32)
        return;
    uint64_t hash = XXH3_64bits_withSeed(bytes + 32, size - 32, 1);
    memcpy(bytes + 24, &hash, 8);
}

static uint32_t sum_of(const CnBlockTiles *textures)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < textures->count; i++)
        sum += textures->holes[i];
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        size_t side = CN_TILE_SIZE >> level;
        for (size_t i = 0; i < side * side * 4 * textures->count; i++)
            sum += textures->color[level][i] + textures->detail[level][i];
    }
    return sum;
}

static void damaged_tiles_are_read_or_refused(void **state)
{
    (void)state;
    uint32_t taken = 0, refused = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        size_t size = below(4) ? SIZE : below(SIZE + 40);
        /* On the heap and of its size, so that reading beyond it is seen. */
        uint8_t *bytes = cn_alloc(NULL, size + 32);
        make_file(bytes, size < 32 ? 32 : size);
        for (uint32_t n = below(3); n > 0 && size >= 32; n--)
            bytes[below(24)] = (uint8_t)below(below(2) ? 256 : 20);
        seal(bytes, size);
        uint8_t *exact = cn_alloc(NULL, size ? size : 1);
        memcpy(exact, bytes, size);
        CnBlockTiles textures;
        CnError error = {0};
        bool read = cn_block_tiles_read(exact, size, &textures, &error);
        assert_true(read == (error.code == CN_OK));
        taken += read && sum_of(&textures) > 0;
        refused += !read;
        cn_free(NULL, exact, size ? size : 1);
        cn_free(NULL, bytes, size + 32);
    }
    assert_true(taken > ROUNDS / 10);
    assert_true(refused > ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_tiles_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
