#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_random.h"

#include "voxel/chunk/chunk_internal.h"

#include <cairn/base/cpu.h>

#include <string.h>

static CnBlock blocks[CN_CHUNK_BLOCKS], other[CN_CHUNK_BLOCKS];
static const uint32_t kinds_of_tests[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 100, 256, 300};

static void blocks_come_back(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t i = 0; i < CN_COUNT_OF(kinds_of_tests); i++) {
        voxel_random_blocks(&random, kinds_of_tests[i], blocks);
        CnChunk *chunk = cn_chunk_create(NULL, standard_blocks(), blocks);
        assert_non_null(chunk);
        memset(other, 0xFF, sizeof other);
        cn_chunk_unpack(chunk, other);
        assert_memory_equal(blocks, other, sizeof blocks);
        for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++)
            assert_int_equal(cn_chunk_get(chunk, c & 15, c >> 4 & 15, c >> 8), blocks[c]);
        cn_chunk_release(chunk);
    }
}

/* A plane of 512 bytes a bit, and nothing for a uniform chunk. */
static void a_chunk_takes_no_more_bits_than_its_kinds_need(void **state)
{
    (void)state;
    static const uint32_t bits[] = {0, 1, 2, 2, 3, 3, 4, 4};
    uint64_t random = 2;
    for (size_t i = 0; i < CN_COUNT_OF(bits); i++) {
        voxel_random_blocks(&random, kinds_of_tests[i], blocks);
        CnChunk *chunk = cn_chunk_create(NULL, standard_blocks(), blocks);
        assert_int_equal(cn_chunk_bytes(chunk), sizeof(CnChunk) + 512 * bits[i]);
        cn_chunk_release(chunk);
    }
}

static void counts_agree(const CnChunk *chunk, const CnBlock *cells)
{
    uint32_t water = 0, lights = 0;
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        water += (standard_blocks()->flags[cells[i]] & CN_BLOCK_IS_WATER) != 0;
        lights += (standard_blocks()->flags[cells[i]] & CN_BLOCK_GLOWS) != 0;
    }
    assert_int_equal(cn_chunk_water_count(chunk), water);
    assert_int_equal(cn_chunk_light_count(chunk), lights);
}

static void water_and_light_are_counted(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (size_t i = 0; i < CN_COUNT_OF(kinds_of_tests); i++) {
        voxel_random_blocks(&random, kinds_of_tests[i], blocks);
        CnChunk *chunk = cn_chunk_create(NULL, standard_blocks(), blocks);
        counts_agree(chunk, blocks);
        cn_chunk_release(chunk);
    }
    CnChunk *sea = cn_chunk_create_uniform(NULL, standard_blocks(), CN_BLOCK_WATER);
    assert_int_equal(cn_chunk_water_count(sea), CN_CHUNK_BLOCKS);
    cn_chunk_release(sea);
}

/* From uniform through every form to plain, with more and more kinds. */
static void edits_change_what_they_name_and_nothing_else(void **state)
{
    (void)state;
    uint64_t random = 4;
    CnChunk *chunk = cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_STONE);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = BLOCK_STONE;
    for (uint32_t edit = 0; edit < 20000; edit++) {
        uint32_t cell = voxel_random(&random, CN_CHUNK_BLOCKS);
        uint32_t kinds = edit / 50 + 1 < BLOCK_COUNT ? edit / 50 + 1 : BLOCK_COUNT;
        CnBlock block = (CnBlock)voxel_random(&random, kinds);
        assert_true(cn_chunk_set(chunk, cell & 15, cell >> 4 & 15, cell >> 8, block));
        blocks[cell] = block;
        if (edit % 500 == 0) {
            cn_chunk_unpack(chunk, other);
            assert_memory_equal(blocks, other, sizeof blocks);
            counts_agree(chunk, blocks);
        }
    }
    cn_chunk_unpack(chunk, other);
    assert_memory_equal(blocks, other, sizeof blocks);
    cn_chunk_release(chunk);
}

static void palettes_forget_blocks_that_are_gone(void **state)
{
    (void)state;
    CnChunk *chunk = cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_STONE);
    for (uint32_t i = 1; i < BLOCK_COUNT; i++)
        assert_true(cn_chunk_set(chunk, 1, 2, 3, (CnBlock)i));
    assert_true(chunk->bits <= 2);
    cn_chunk_release(chunk);
}

static void one_kind_is_uniform_in_every_form(void **state)
{
    (void)state;
    CnBlock block = CN_BLOCK_AIR;
    CnChunk *chunk = cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_DIRT);
    assert_true(cn_chunk_uniform(chunk, &block));
    assert_int_equal(block, BLOCK_DIRT);
    assert_true(cn_chunk_set(chunk, 15, 15, 15, BLOCK_SAND));
    assert_false(cn_chunk_uniform(chunk, &block));
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        assert_true(cn_chunk_set(chunk, i & 15, i >> 4 & 15, i >> 8, BLOCK_SAND));
    assert_true(cn_chunk_uniform(chunk, &block));
    assert_int_equal(block, BLOCK_SAND);
    cn_chunk_release(chunk);
}

static void the_hash_is_of_blocks_and_not_of_the_form(void **state)
{
    (void)state;
    CnChunk *edited = cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_DIRT);
    assert_true(cn_chunk_set(edited, 1, 1, 1, BLOCK_SAND));
    CnChunk *plain = cn_chunk_create_uniform(NULL, standard_blocks(), BLOCK_DIRT);
    assert_true(cn_chunk_hash(edited) != cn_chunk_hash(plain));
    assert_true(cn_chunk_set(edited, 1, 1, 1, BLOCK_DIRT));
    assert_true(edited->bits != plain->bits);
    assert_true(cn_chunk_hash(edited) == cn_chunk_hash(plain));
    cn_chunk_release(edited);
    cn_chunk_release(plain);
}

static void a_shared_chunk_is_copied_before_it_changes(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (size_t i = 0; i < CN_COUNT_OF(kinds_of_tests); i++) {
        voxel_random_blocks(&random, kinds_of_tests[i], blocks);
        CnChunk *mine = cn_chunk_create(NULL, standard_blocks(), blocks),
                *theirs = cn_chunk_acquire(mine);
        mine = cn_chunk_make_unique(mine);
        assert_ptr_not_equal(mine, theirs);
        assert_true(cn_chunk_hash(mine) == cn_chunk_hash(theirs));
        counts_agree(mine, blocks);
        assert_ptr_equal(cn_chunk_make_unique(mine), mine);
        CnBlock block = blocks[0] == BLOCK_SAND ? BLOCK_STONE : BLOCK_SAND;
        assert_true(cn_chunk_set(mine, 0, 0, 0, block));
        cn_chunk_release(mine);
        cn_chunk_unpack(theirs, other);
        assert_memory_equal(blocks, other, sizeof blocks);
        cn_chunk_release(theirs);
    }
}

static void rows_tell_which_cells_have_a_flag_on_every_path(void **state)
{
    (void)state;
    CnSimdPath before = cn_simd_path();
    for (int path = 0; path < CN_SIMD_PATH_COUNT; path++) {
        if (!cn_simd_force((CnSimdPath)path))
            continue;
        uint64_t random = 6;
        for (size_t i = 0; i < CN_COUNT_OF(kinds_of_tests); i++) {
            voxel_random_blocks(&random, kinds_of_tests[i], blocks);
            CnChunk *chunk = cn_chunk_create(NULL, standard_blocks(), blocks);
            for (uint32_t flag = 1; flag < 256; flag *= 2) {
                CniVoxelPlane rows;
                cni_voxel_chunk_rows(chunk, flag, rows);
                for (uint32_t c = 0; c < CN_CHUNK_BLOCKS; c++)
                    assert_int_equal(rows[c / 16] >> c % 16 & 1,
                                     (standard_blocks()->flags[blocks[c]] & flag) != 0);
            }
            cn_chunk_release(chunk);
        }
    }
    cn_simd_force(before);
}

static void keys_name_positions(void **state)
{
    (void)state;
    static const int32_t some[] = {-CN_CHUNK_LIMIT, -70000, -1, 0, 1, 999, CN_CHUNK_LIMIT - 1};
    for (size_t i = 0; i < 7 * 7 * 7; i++) {
        CnChunkPos position = {some[i % 7], some[i / 7 % 7], some[i / 49]};
        CnChunkPos back = cn_chunk_from_key(cn_chunk_key(position));
        assert_memory_equal(&position, &back, sizeof back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back),
        cmocka_unit_test(a_chunk_takes_no_more_bits_than_its_kinds_need),
        cmocka_unit_test(water_and_light_are_counted),
        cmocka_unit_test(edits_change_what_they_name_and_nothing_else),
        cmocka_unit_test(palettes_forget_blocks_that_are_gone),
        cmocka_unit_test(one_kind_is_uniform_in_every_form),
        cmocka_unit_test(the_hash_is_of_blocks_and_not_of_the_form),
        cmocka_unit_test(a_shared_chunk_is_copied_before_it_changes),
        cmocka_unit_test(rows_tell_which_cells_have_a_flag_on_every_path),
        cmocka_unit_test(keys_name_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
