/* Packs of edits: what comes back, what they take, what is refused. */
#include "failing_heap.h"
#include "voxel_world.h"

#include <cairn/voxel/chunk_pack.h>

#include <string.h>

static CnChunkPacker *packer;
static CnChunkUnpacker *unpacker;
static CnStoredBlock blocks[CN_CHUNK_BLOCKS];

static int make(void **state)
{
    (void)state;
    packer = cn_chunk_packer_create(NULL, NULL);
    unpacker = cn_chunk_unpacker_create(NULL, NULL);
    return packer && unpacker ? 0 : -1;
}

static int unmake(void **state)
{
    (void)state;
    cn_chunk_packer_destroy(packer);
    cn_chunk_unpacker_destroy(unpacker);
    return 0;
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

/* Runs of random length and distance. */
static uint32_t make_blocks(uint32_t seed, uint32_t spread, uint32_t kinds)
{
    uint32_t random = seed, count = 0;
    for (uint32_t i = next_random(&random) % spread; i < CN_CHUNK_BLOCKS;
         i += 1 + next_random(&random) % spread)
        blocks[count++] = (CnStoredBlock){(uint16_t)i, (CnBlock)(next_random(&random) % kinds)};
    return count;
}

static CnStoredChunk chunk_at(int32_t x, int32_t y, int32_t z, uint32_t count)
{
    return (CnStoredChunk){.position = {x, y, z}, .blocks = blocks, .count = count};
}

static void assert_next_is(const CnStoredChunk *chunk)
{
    CnStoredChunk read;
    assert_true(cn_chunk_unpacker_next(unpacker, &read));
    assert_int_equal(read.position.x, chunk->position.x);
    assert_int_equal(read.position.y, chunk->position.y);
    assert_int_equal(read.position.z, chunk->position.z);
    assert_int_equal(read.count, chunk->count);
    if (read.count > 0)
        assert_memory_equal(read.blocks, chunk->blocks, read.count * sizeof *read.blocks);
}

static void any_chunks_come_back(void **state)
{
    (void)state;
    static const uint32_t spreads[4] = {1, 3, 40, 900};
    for (uint32_t i = 0; i < 40; i++) {
        CnStoredChunk chunk = chunk_at((int32_t)i, -3, 7, make_blocks(i, spreads[i % 4], 1 + i));
        assert_true(cn_chunk_packer_add(packer, &chunk));
        size_t size;
        const uint8_t *bytes = cn_chunk_packer_finish(packer, &size);
        assert_true(cn_chunk_unpacker_begin(unpacker, bytes, size, NULL));
        assert_next_is(&chunk);
        assert_false(cn_chunk_unpacker_next(unpacker, &chunk));
    }
}

static void several_chunks_are_in_a_pack_in_their_order(void **state)
{
    (void)state;
    const int32_t last = CN_CHUNK_LIMIT - 1;
    uint32_t count = make_blocks(7, 60, 9);
    CnStoredChunk chunks[4] = {chunk_at(0, 0, 0, count), chunk_at(-last - 1, last, 5, 0),
                               chunk_at(last, -last - 1, -5, count), chunk_at(1, 2, 3, count)};
    for (uint32_t i = 0; i < 4; i++)
        assert_true(cn_chunk_packer_add(packer, &chunks[i]));
    assert_int_equal(cn_chunk_packer_chunks(packer), 4);
    size_t size;
    const uint8_t *bytes = cn_chunk_packer_finish(packer, &size);
    assert_true(cn_chunk_unpacker_begin(unpacker, bytes, size, NULL));
    for (uint32_t i = 0; i < 4; i++)
        assert_next_is(&chunks[i]);
}

static void the_largest_chunk_fits_into_an_empty_pack(void **state)
{
    (void)state;
    for (uint16_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = (CnStoredBlock){i, (CnBlock)(UINT16_MAX - i % 2)};
    CnStoredChunk chunk = chunk_at(-1, -1, -1, CN_CHUNK_BLOCKS);
    uint32_t chunks = 0;
    while (cn_chunk_packer_add(packer, &chunk))
        chunks++;
    assert_true(chunks >= 1);
    assert_true(cn_chunk_packer_bytes(packer) <= CN_CHUNK_PACK_BYTES);
    size_t size;
    const uint8_t *bytes = cn_chunk_packer_finish(packer, &size);
    assert_true(cn_chunk_unpacker_begin(unpacker, bytes, size, NULL));
    for (; chunks > 0; chunks--)
        assert_next_is(&chunk);
    assert_true(cn_chunk_packer_add(packer, &chunk));
}

static void walls_take_few_bytes(void **state)
{
    (void)state;
    for (uint16_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = (CnStoredBlock){i, 7};
    for (int32_t i = 0; i < 100; i++) {
        CnStoredChunk chunk = chunk_at(i, 4, 0, CN_CHUNK_BLOCKS);
        assert_true(cn_chunk_packer_add(packer, &chunk));
    }
    size_t size;
    cn_chunk_packer_finish(packer, &size);
    assert_true(size < 100);
}

/* ---- Hostile ---- */

static void refuse(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    CnStoredChunk chunk;
    assert_false(cn_chunk_unpacker_begin(unpacker, bytes, size, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_false(cn_chunk_unpacker_next(unpacker, &chunk));
}

static void a_damaged_pack_is_refused_or_read_within_its_bounds(void **state)
{
    (void)state;
    CnStoredChunk chunk = chunk_at(1, 2, 3, make_blocks(5, 4, 30));
    assert_true(cn_chunk_packer_add(packer, &chunk));
    size_t size;
    const uint8_t *bytes = cn_chunk_packer_finish(packer, &size);
    for (size_t i = 0; i < size; i++)
        refuse(bytes, i);
    uint8_t *copy = cn_alloc(NULL, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        memcpy(copy, bytes, size);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (!cn_chunk_unpacker_begin(unpacker, copy, size, NULL))
            continue;
        while (cn_chunk_unpacker_next(unpacker, &chunk))
            assert_true(chunk.count <= CN_CHUNK_BLOCKS);
    }
    cn_free(NULL, copy, size);
}

/* 300 kB of zeros in a frame of 30 bytes that says so, and one that claims to be small. */
static void a_bomb_is_refused(void **state)
{
    (void)state;
    uint8_t bomb[] = {1,    0xe0, 0x93, 4,    0,                      /* zstd, 300,000 bytes */
                      0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xe0, 0x93, 4, 0, /* frame with that size */
                      0x03, 0x9c, 0x24, 0};                           /* last block: RLE of zeros */
    refuse(bomb, sizeof bomb);
    bomb[1] = 16;
    bomb[2] = bomb[3] = 0;
    refuse(bomb, sizeof bomb);
    bomb[10] = 16;
    bomb[11] = bomb[12] = 0;
    refuse(bomb, sizeof bomb);
}

static void runs_that_are_not_what_a_packer_writes_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t size, bytes[12];
    } cases[] = {
        {7, {0, 0, 0, 1, 5, 0x80, 0}},             /* superfluous byte */
        {10, {0, 0, 0, 2, 5, 0, 9, 0, 0, 9}},      /* two runs that are one */
        {8, {0, 0, 0, 1, 0xff, 0x1f, 1, 9}},       /* cells beyond the last */
        {9, {0, 0, 0, 1, 0, 0, 0xff, 0xff, 0x04}}, /* block of 17 bits */
        {6, {0, 0, 0, 1, 5, 0}},                   /* no block */
        {7, {0, 0, 0, 0x81, 0x20, 1, 1}},          /* 4,097 runs */
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        uint8_t bytes[32] = {0, cases[i].size};
        memcpy(bytes + 5, cases[i].bytes, cases[i].size);
        refuse(bytes, 5u + cases[i].size);
    }
    static const uint8_t valid[] = {0, 7, 0, 0, 0, 0, 0, 0, 1, 5, 0, 9};
    assert_true(cn_chunk_unpacker_begin(unpacker, valid, sizeof valid, NULL));
}

static bool create_both(CnAllocator *allocator, void *user)
{
    (void)user;
    CnChunkPacker *one = cn_chunk_packer_create(allocator, NULL);
    CnChunkUnpacker *other = cn_chunk_unpacker_create(allocator, NULL);
    bool created = one && other;
    cn_chunk_packer_destroy(one);
    cn_chunk_unpacker_destroy(other);
    return created;
}

static void creating_survives_every_failing_allocation(void **state)
{
    (void)state;
    assert_int_equal(run_with_failing_allocations(create_both, NULL), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_chunks_come_back),
        cmocka_unit_test(several_chunks_are_in_a_pack_in_their_order),
        cmocka_unit_test(the_largest_chunk_fits_into_an_empty_pack),
        cmocka_unit_test(walls_take_few_bytes),
        cmocka_unit_test(a_damaged_pack_is_refused_or_read_within_its_bounds),
        cmocka_unit_test(a_bomb_is_refused),
        cmocka_unit_test(runs_that_are_not_what_a_packer_writes_are_refused),
        cmocka_unit_test(creating_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
