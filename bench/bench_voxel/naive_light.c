#include "naive_light.h"

#include "bench.h"

#include <string.h>

#define SIDE 48
#define CELLS (SIDE * SIDE * SIDE)

struct NaiveLight {
    CnBlock blocks[CELLS];
    uint8_t levels[CELLS];
    /* A cell is queued again whenever its level rises: at most 15 times. */
    uint32_t queue[15 * CELLS], head, tail;
};

NaiveLight *naive_light_create(void)
{
    return need_array(1, sizeof(NaiveLight));
}

void naive_light_destroy(NaiveLight *light)
{
    free(light);
}

static void read_chunk(NaiveLight *light, const CnChunk *chunk, uint32_t x, uint32_t y, uint32_t z)
{
    CnBlock blocks[CN_CHUNK_BLOCKS] = {CN_BLOCK_AIR};
    if (chunk)
        cn_chunk_unpack(chunk, blocks);
    for (uint32_t row = 0; row < 256; row++)
        memcpy(light->blocks + x + SIDE * (y + row % 16 + SIDE * (z + row / 16)), blocks + 16 * row,
               16 * sizeof *blocks);
}

static void raise(NaiveLight *light, uint32_t cell, int level)
{
    if (level <= light->levels[cell])
        return;
    light->levels[cell] = (uint8_t)level;
    light->queue[light->tail++] = cell;
}

static void flood(NaiveLight *light)
{
    static const uint32_t steps[3] = {1, SIDE, SIDE * SIDE};
    while (light->head < light->tail) {
        uint32_t cell = light->queue[light->head++];
        uint32_t at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
        int level = light->levels[cell] - 1;
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint32_t before = cell - steps[axis], behind = cell + steps[axis];
            if (at[axis] > 0 && level > light->levels[before])
                raise(light, before, level - bench_blocks->info[light->blocks[before]].light_loss);
            if (at[axis] < SIDE - 1 && level > light->levels[behind])
                raise(light, behind, level - bench_blocks->info[light->blocks[behind]].light_loss);
        }
    }
}

static void begin(NaiveLight *light)
{
    memset(light->levels, 0, sizeof light->levels);
    light->head = light->tail = 0;
}

static void write_box(const NaiveLight *light, uint32_t shift, CnLightBox *box)
{
    uint8_t *to = box->cells;
    for (uint32_t z = 15; z < 33; z++)
        for (uint32_t y = 15; y < 33; y++)
            for (uint32_t x = 15; x < 33; x++)
                *to++ |= (uint8_t)(light->levels[x + SIDE * (y + SIDE * z)] << shift);
}

void naive_light_build(NaiveLight *light, const CnNeighborhood *around, const CnLightSky *sky,
                       CnLightBox *box)
{
    for (uint32_t i = 0; i < 27; i++)
        read_chunk(light, around->chunks[i], 16 * (i % 3), 16 * (i / 3 % 3), 16 * (i / 9));
    memset(box->cells, 0, sizeof box->cells);
    begin(light);
    for (uint32_t cell = 0; cell < CELLS; cell++)
        raise(light, cell, bench_blocks->info[light->blocks[cell]].light_level);
    flood(light);
    write_box(light, 0, box);
    begin(light);
    for (uint32_t z = 0; z < SIDE; z++)
        for (uint32_t x = 0; x < SIDE; x++) {
            int32_t open = sky->open[x / 16 + 3 * (z / 16)][x % 16 + 16 * (z % 16)];
            for (int32_t y = SIDE - 1; y >= 0 && 16 * (around->position.y - 1) + y >= open; y--)
                raise(light, x + SIDE * ((uint32_t)y + SIDE * z), 15);
        }
    flood(light);
    write_box(light, 4, box);
}
