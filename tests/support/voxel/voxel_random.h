/* Random chunks for tests of the voxel module, the same on every machine. */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_RANDOM_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_RANDOM_H

#include "standard_blocks.h"

#include <cairn/voxel/light.h>

#include <string.h>

static inline uint32_t voxel_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) * below >> 31);
}

/* Cells of `kinds` kinds of blocks; ids from the whole table. */
static inline void voxel_random_blocks(uint64_t *state, uint32_t kinds,
                                       CnBlock blocks[CN_CHUNK_BLOCKS])
{
    uint32_t first = voxel_random(state, BLOCK_COUNT);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        blocks[i] = (CnBlock)((first + 7 * voxel_random(state, kinds)) % BLOCK_COUNT);
}

/* Overlapping boxes, each of one of `variety` random blocks: arbitrary neighbors, and many faces to
 * merge. */
static inline void voxel_random_boxes(uint64_t *state, uint32_t variety, uint32_t boxes,
                                      CnBlock blocks[CN_CHUNK_BLOCKS])
{
    static const CnBlock bag[] = {CN_BLOCK_AIR, BLOCK_STONE,      CN_BLOCK_WATER,   BLOCK_DIRT,
                                  CN_BLOCK_AIR, BLOCK_OAK_LEAVES, CN_BLOCK_WATER_3, BLOCK_DANDELION,
                                  BLOCK_GLASS,  CN_BLOCK_WATER_7, BLOCK_GLOWSTONE,  BLOCK_TORCH};
    memset(blocks, 0, CN_CHUNK_BLOCKS * sizeof *blocks);
    for (uint32_t i = 0; i < boxes; i++) {
        uint32_t low[3], high[3];
        for (uint32_t k = 0; k < 3; k++) {
            low[k] = voxel_random(state, 16);
            high[k] = low[k] + 1 + voxel_random(state, 1 + voxel_random(state, 16));
            high[k] = high[k] < 16 ? high[k] : 16;
        }
        CnBlock block = bag[voxel_random(state, variety)];
        for (uint32_t z = low[2]; z < high[2]; z++)
            for (uint32_t y = low[1]; y < high[1]; y++)
                for (uint32_t x = low[0]; x < high[0]; x++)
                    blocks[x + 16 * y + 256 * z] = block;
    }
}
#define VOXEL_VARIETY 12u

/* 27 chunks, some of them NULL or uniform; the center chunk always exists. */
static inline void voxel_random_around(uint64_t *state, CnNeighborhood *around)
{
    CnBlock blocks[CN_CHUNK_BLOCKS];
    for (uint32_t i = 0; i < 27; i++) {
        uint32_t kind = voxel_random(state, 8),
                 variety = 2 + voxel_random(state, VOXEL_VARIETY - 1);
        around->chunks[i] = NULL;
        if (kind == 0 && i != 13)
            continue;
        if (kind == 1)
            memset(blocks, 0, sizeof blocks);
        else if (kind == 2)
            voxel_random_blocks(state, 1 + voxel_random(state, 400), blocks);
        else
            voxel_random_boxes(state, variety, 1 + voxel_random(state, 80), blocks);
        around->chunks[i] = cn_chunk_create(NULL, standard_blocks(), blocks);
    }
}

static inline void voxel_drop_around(CnNeighborhood *around)
{
    for (uint32_t i = 0; i < 27; i++)
        cn_chunk_release((CnChunk *)around->chunks[i]);
}

/* Boxes of light, with `noise` single cells. */
static inline void voxel_random_light(uint64_t *state, uint32_t boxes, uint32_t noise,
                                      CnLightBox *light)
{
    memset(light->cells, 0xF0, sizeof light->cells);
    for (uint32_t i = 0; i < boxes; i++) {
        uint32_t from = voxel_random(state, CN_CHUNK_PADDED_SIZE),
                 to = from + 1 + voxel_random(state, CN_CHUNK_PADDED_SIZE),
                 axis = voxel_random(state, 3), value = voxel_random(state, 256);
        for (uint32_t c = 0; c < sizeof light->cells; c++) {
            uint32_t at = axis == 0   ? c % CN_CHUNK_PADDED_SIZE
                          : axis == 1 ? c / CN_CHUNK_PADDED_SIZE % CN_CHUNK_PADDED_SIZE
                                      : c / CN_CHUNK_PADDED_LAYER;
            if (at >= from && at < to)
                light->cells[c] = (uint8_t)value;
        }
    }
    for (uint32_t i = 0; i < noise; i++)
        light->cells[voxel_random(state, sizeof light->cells)] = (uint8_t)voxel_random(state, 256);
    light->uniform = boxes + noise == 0;
}

#endif
