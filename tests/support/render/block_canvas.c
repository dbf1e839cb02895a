#include "block_canvas.h"
#include "standard_blocks.h"

#include <stdlib.h>
#include <string.h>

int32_t canvas_chunk_count(const BlockCanvas *canvas)
{
    return canvas->wide * canvas->wide * canvas->high;
}

void canvas_init(BlockCanvas *canvas, CnChunkPos first, int32_t wide, int32_t high)
{
    *canvas = (BlockCanvas){.first = first, .wide = wide, .high = high};
    canvas->low = (CnCell){16 * first.x, 16 * first.y, 16 * first.z};
    canvas->end =
        (CnCell){canvas->low.x + 16 * wide, canvas->low.y + 16 * high, canvas->low.z + 16 * wide};
    canvas->blocks = calloc((size_t)canvas_chunk_count(canvas), CN_CHUNK_BLOCKS * sizeof(CnBlock));
    if (!canvas->blocks)
        abort();
}

void canvas_fini(BlockCanvas *canvas)
{
    free(canvas->blocks);
}

CnBlock *canvas_chunk(BlockCanvas *canvas, int32_t i, CnChunkPos *position)
{
    position->x = canvas->first.x + i % canvas->wide;
    position->y = canvas->first.y + i / canvas->wide % canvas->high;
    position->z = canvas->first.z + i / canvas->wide / canvas->high;
    return canvas->blocks + (size_t)i * CN_CHUNK_BLOCKS;
}

void canvas_generate(BlockCanvas *canvas, CnGenerator *generator, CnGenerateScratch *scratch)
{
    for (int32_t i = 0; i < canvas_chunk_count(canvas); i++) {
        CnChunkPos position;
        CnBlock *blocks = canvas_chunk(canvas, i, &position);
        cn_generate(generator, scratch, position, blocks);
    }
}

bool canvas_has(const BlockCanvas *canvas, CnCell cell)
{
    return cell.x >= canvas->low.x && cell.y >= canvas->low.y && cell.z >= canvas->low.z &&
           cell.x < canvas->end.x && cell.y < canvas->end.y && cell.z < canvas->end.z;
}

CnBlock canvas_at(const BlockCanvas *canvas, CnCell cell)
{
    CnChunkPos at = cn_chunk_of(cell);
    int32_t i = at.x - canvas->first.x +
                canvas->wide * (at.y - canvas->first.y + canvas->high * (at.z - canvas->first.z));
    return canvas->blocks[(size_t)i * CN_CHUNK_BLOCKS + cn_chunk_index(cell)];
}

/* ---- What floats ---- */

static const CnCell sides[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

static CnCell beside(CnCell cell, uint32_t side)
{
    return (CnCell){cell.x + sides[side].x, cell.y + sides[side].y, cell.z + sides[side].z};
}

static size_t number_of(const BlockCanvas *canvas, CnCell cell)
{
    size_t wide = 16 * (size_t)canvas->wide, high = 16 * (size_t)canvas->high;
    return (size_t)(cell.x - canvas->low.x) +
           wide * ((size_t)(cell.y - canvas->low.y) + high * (size_t)(cell.z - canvas->low.z));
}

static bool stands(const BlockCanvas *canvas, CnCell cell, bool (*is_part)(CnBlock block))
{
    for (uint32_t side = 0; side < 6; side++) {
        CnCell other = beside(cell, side);
        if (!canvas_has(canvas, other))
            return true;
        CnBlock block = canvas_at(canvas, other);
        if (!is_part(block) && (standard_blocks()->flags[block] & CN_BLOCK_IS_OPAQUE))
            return true;
    }
    return false;
}

uint32_t canvas_floating(const BlockCanvas *canvas, bool (*is_part)(CnBlock block), CnCell *found)
{
    size_t total = (size_t)canvas_chunk_count(canvas) * CN_CHUNK_BLOCKS, count = 0;
    uint8_t *reached = calloc(total, 1);
    CnCell *queue = malloc(total * sizeof *queue);
    if (!reached || !queue)
        abort();
    uint32_t parts = 0;
    for (CnCell c = canvas->low; c.z < canvas->end.z; c.z++)
        for (c.y = canvas->low.y; c.y < canvas->end.y; c.y++)
            for (c.x = canvas->low.x; c.x < canvas->end.x; c.x++) {
                if (!is_part(canvas_at(canvas, c)))
                    continue;
                parts++;
                if (stands(canvas, c, is_part)) {
                    reached[number_of(canvas, c)] = 1;
                    queue[count++] = c;
                }
            }
    for (size_t i = 0; i < count; i++) {
        for (uint32_t side = 0; side < 6; side++) {
            CnCell other = beside(queue[i], side);
            if (!canvas_has(canvas, other) || !is_part(canvas_at(canvas, other)) ||
                reached[number_of(canvas, other)])
                continue;
            reached[number_of(canvas, other)] = 1;
            queue[count++] = other;
        }
    }
    for (CnCell c = canvas->low; c.z < canvas->end.z && parts > count; c.z++)
        for (c.y = canvas->low.y; c.y < canvas->end.y; c.y++)
            for (c.x = canvas->low.x; c.x < canvas->end.x; c.x++)
                if (is_part(canvas_at(canvas, c)) && !reached[number_of(canvas, c)])
                    *found = c;
    free(queue);
    free(reached);
    return parts - (uint32_t)count;
}
