#include "light_reference.h"
#include "standard_blocks.h"

#include "voxel/chunk/block_shape.h"

#include <cairn/voxel/mesh.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 48
#define CELLS (SIDE * SIDE * SIDE)

typedef struct Field {
    CnBlock blocks[CELLS];
    uint8_t levels[CELLS];
    /* A cell comes in again whenever its level rises: at most 15 times. */
    uint32_t queue[15 * CELLS];
    uint32_t head, tail;
} Field;

static uint32_t cell_at(uint32_t x, uint32_t y, uint32_t z)
{
    return x + SIDE * (y + SIDE * z);
}

static void read_blocks(const CnNeighborhood *around, Field *field)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    for (uint32_t i = 0; i < 27; i++) {
        memset(blocks, 0, sizeof blocks);
        if (around->chunks[i])
            cn_chunk_unpack(around->chunks[i], blocks);
        for (uint32_t cell = 0; cell < CN_CHUNK_BLOCKS; cell++)
            field->blocks[cell_at(16 * (i % 3) + cell % 16, 16 * (i / 3 % 3) + cell / 16 % 16,
                                  16 * (i / 9) + cell / 256)] = blocks[cell];
    }
}

static void raise(Field *field, uint32_t cell, int level)
{
    if (level <= field->levels[cell])
        return;
    field->levels[cell] = (uint8_t)level;
    field->queue[field->tail++] = cell;
}

/* Shapes that block light are lit through the sides that they do not fill, but light does not leave
 * them. */
static void absorb(Field *field, uint32_t cell, CnFace side, int level)
{
    const CniVoxelShape *shape = cni_voxel_shape_of(standard_blocks(), field->blocks[cell]);
    if (level > field->levels[cell] && !(shape->full_sides >> side & 1))
        field->levels[cell] = (uint8_t)level;
}

static void flood(Field *field)
{
    static const int32_t steps[3] = {1, SIDE, SIDE * SIDE};
    while (field->head < field->tail) {
        uint32_t cell = field->queue[field->head++];
        uint32_t at[3] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
        for (uint32_t axis = 0; axis < 3; axis++) {
            for (int32_t side = -1; side <= 1; side += 2) {
                if (at[axis] == (side < 0 ? 0 : SIDE - 1))
                    continue;
                uint32_t next = (uint32_t)((int32_t)cell + side * steps[axis]);
                const CnBlockInfo *info = &standard_blocks()->info[field->blocks[next]];
                static const CnFace faces[3][2] = {{CN_FACE_NEG_X, CN_FACE_POS_X},
                                                   {CN_FACE_NEG_Y, CN_FACE_POS_Y},
                                                   {CN_FACE_NEG_Z, CN_FACE_POS_Z}};
                CnFace entered = faces[axis][side < 0];
                if (info->shape && info->light_loss >= 14)
                    absorb(field, next, entered, field->levels[cell] - 1);
                else
                    raise(field, next,
                          info->light_loss >= 15 ? 0 : field->levels[cell] - 1 - info->light_loss);
            }
        }
    }
}

static void begin(Field *field)
{
    memset(field->levels, 0, sizeof field->levels);
    field->head = field->tail = 0;
}

static void write_box(const Field *field, uint32_t shift, CnLightBox *box)
{
    for (uint32_t i = 0; i < sizeof box->cells; i++) {
        uint32_t cell = cell_at(15 + i % CN_CHUNK_PADDED_SIZE,
                                15 + i / CN_CHUNK_PADDED_SIZE % CN_CHUNK_PADDED_SIZE,
                                15 + i / CN_CHUNK_PADDED_LAYER);
        box->cells[i] |= (uint8_t)(field->levels[cell] << shift);
    }
}

void light_reference(const CnNeighborhood *around, const CnLightSky *sky, CnLightBox *box)
{
    Field *field = malloc(sizeof *field);
    assert(field);
    read_blocks(around, field);
    memset(box, 0, sizeof *box);
    begin(field);
    for (uint32_t cell = 0; cell < CELLS; cell++)
        raise(field, cell, standard_blocks()->info[field->blocks[cell]].light_level);
    flood(field);
    write_box(field, 0, box);
    begin(field);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        uint32_t x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / SIDE / SIDE;
        int32_t open = sky->open[x / 16 + 3 * (z / 16)][x % 16 + 16 * (z % 16)];
        raise(field, cell, 16 * (around->position.y - 1) + (int32_t)y >= open ? 15 : 0);
    }
    flood(field);
    write_box(field, 4, box);
    box->uniform = true;
    for (uint32_t i = 1; i < sizeof box->cells; i++)
        box->uniform = box->uniform && box->cells[i] == box->cells[0];
    free(field);
}

void light_sky_of(const CnNeighborhood *around, LightSkyColumns *columns)
{
    for (uint32_t column = 0; column < 9; column++) {
        columns->sky.open[column] = columns->open[column];
        for (uint32_t i = 0; i < 256; i++) {
            int32_t y = 48;
            for (; y > 0; y--) {
                const CnChunk *chunk =
                    around->chunks[column % 3 + 3 * (uint32_t)((y - 1) / 16) + 9 * (column / 3)];
                CnBlock block =
                    chunk ? cn_chunk_get(chunk, i % 16, (uint32_t)(y - 1) % 16, i / 16) : 0;
                if (standard_blocks()->info[block].light_loss > 0)
                    break;
            }
            columns->open[column][i] = 16 * (around->position.y - 1) + y;
        }
    }
}
