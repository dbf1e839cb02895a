/* Packs of edits from the network: what is accepted gives the same chunks when packed again. */
#include "fuzz_surface.h"

#include <cairn/voxel/chunk_pack.h>

#include <string.h>

static CnChunkPacker *packer(void)
{
    static CnChunkPacker *made; /* kept: it is large */
    if (!made)
        made = cn_chunk_packer_create(NULL, NULL);
    FUZZ_CHECK(made);
    return made;
}

static CnChunkUnpacker *unpacker(uint32_t which)
{
    static CnChunkUnpacker *made[2];
    if (!made[which])
        made[which] = cn_chunk_unpacker_create(NULL, NULL);
    FUZZ_CHECK(made[which]);
    return made[which];
}

static void add_seed(FuzzSeeds *seeds, uint32_t spread, uint32_t chunks)
{
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    CnStoredChunk chunk = {.position = {-3, 5, 7}, .blocks = blocks};
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i += spread)
        blocks[chunk.count++] = (CnStoredBlock){(uint16_t)i, (CnBlock)(i * i % 19)};
    for (uint32_t i = 0; i < chunks; i++, chunk.position.x++)
        FUZZ_CHECK(cn_chunk_packer_add(packer(), &chunk));
    size_t size;
    const uint8_t *bytes = cn_chunk_packer_finish(packer(), &size);
    fuzz_add(seeds, bytes, size);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_seed(seeds, 1024, 1);
    add_seed(seeds, 1024, 5);
    add_seed(seeds, 37, 1);
    add_seed(seeds, 200, 3);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    bool accepted = cn_chunk_unpacker_begin(unpacker(0), bytes, size, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    CnStoredChunk chunk, again;
    while (cn_chunk_unpacker_next(unpacker(0), &chunk)) {
        FUZZ_CHECK(accepted && chunk.count <= CN_CHUNK_BLOCKS);
        for (uint32_t i = 1; i < chunk.count; i++)
            FUZZ_CHECK(chunk.blocks[i].index > chunk.blocks[i - 1].index);
        size_t packed;
        FUZZ_CHECK(cn_chunk_packer_add(packer(), &chunk));
        const uint8_t *pack = cn_chunk_packer_finish(packer(), &packed);
        FUZZ_CHECK(cn_chunk_unpacker_begin(unpacker(1), pack, packed, NULL));
        FUZZ_CHECK(cn_chunk_unpacker_next(unpacker(1), &again));
        FUZZ_CHECK(again.count == chunk.count &&
                   cn_chunk_key(again.position) == cn_chunk_key(chunk.position));
        FUZZ_CHECK(chunk.count == 0 ||
                   memcmp(again.blocks, chunk.blocks, chunk.count * sizeof *chunk.blocks) == 0);
    }
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 4096, .add_seeds = add_seeds, .run = run};
