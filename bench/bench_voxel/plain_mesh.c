#include "plain_mesh.h"

#include "bench.h"

#include <string.h>

typedef struct Gathered {
    CnBlock blocks[CN_CHUNK_PADDED_BLOCKS]; /* as in CnLightBox */
    const CnLightBox *light;
} Gathered;

#define SIZE CN_CHUNK_PADDED_SIZE
#define LAYER CN_CHUNK_PADDED_LAYER

/* Array offsets for each face: outwards, along u and along v. */
typedef struct Way {
    int out, u, v;
} Way;
static const Way ways[CN_FACE_COUNT] = {
    [CN_FACE_NEG_Z] = {-LAYER, 1, SIZE}, [CN_FACE_POS_Z] = {LAYER, 1, SIZE},
    [CN_FACE_NEG_X] = {-1, LAYER, SIZE}, [CN_FACE_POS_X] = {1, LAYER, SIZE},
    [CN_FACE_NEG_Y] = {-SIZE, 1, LAYER}, [CN_FACE_POS_Y] = {SIZE, 1, LAYER},
};

static CnBlock block_of(const CnBlock *chunk, int x, int y, int z)
{
    return chunk ? chunk[(x & 15) + 16 * (y & 15) + 256 * (z & 15)] : (CnBlock)CN_BLOCK_AIR;
}

static void gather(const PlainAround *around, Gathered *gathered)
{
    for (int z = -1; z <= 16; z++) {
        for (int y = -1; y <= 16; y++) {
            const CnBlock *const *three =
                around->chunks + 3 * ((y + 16) >> 4) + 9 * ((z + 16) >> 4);
            CnBlock *row = gathered->blocks + cn_padded_index(-1, y, z);
            row[0] = block_of(three[0], 15, y, z);
            if (three[1])
                memcpy(row + 1, three[1] + 16 * (y & 15) + 256 * (z & 15), 16 * sizeof *row);
            else
                memset(row + 1, 0, 16 * sizeof *row);
            row[SIZE - 1] = block_of(three[2], 0, y, z);
        }
    }
}

static uint64_t corners_of(const Gathered *gathered, int front, const Way *way)
{
    uint64_t corners = 0;
    for (int c = 0; c < 4; c++) {
        int u = c == 1 || c == 2 ? way->u : -way->u, v = c >= 2 ? way->v : -way->v;
        int cells[4] = {front, front + u, front + v, front + u + v};
        bool opaque[4];
        uint8_t block[4], sky[4];
        for (int i = 0; i < 4; i++) {
            opaque[i] = bench_blocks->flags[gathered->blocks[cells[i]]] & CN_BLOCK_IS_OPAQUE;
            block[i] = gathered->light->cells[cells[i]] & 15;
            sky[i] = gathered->light->cells[cells[i]] >> 4;
        }
        corners |= (uint64_t)cn_corner_occlusion(opaque[1], opaque[2], opaque[3]) << 2 * c;
        corners |= (uint64_t)cn_corner_light(block, opaque) << (8 + 8 * c);
        corners |= (uint64_t)cn_corner_light(sky, opaque) << (12 + 8 * c);
    }
    return corners;
}

/* Returns the appearance of a face of a cell; 0: no face. Faces of equal appearance may be
 * merged. */
static inline uint64_t look_of(const Gathered *gathered, int cell, const Way *way)
{
    CnBlock block = gathered->blocks[cell];
    if (block == CN_BLOCK_AIR || bench_blocks->flags[block] & CN_BLOCK_IS_PROP ||
        cn_block_hides(bench_blocks, block, gathered->blocks[cell + way->out]))
        return 0;
    uint64_t corners = gathered->light ? corners_of(gathered, cell + way->out, way) : 0;
    return (uint64_t)block | corners << 16;
}

/* Returns whether all corners at the ends of edges along u (or v) are equal. */
static bool is_flat(uint64_t look, bool along_v)
{
    uint32_t occlusion = look >> 16 & 0xFF, light = (uint32_t)(look >> 24);
    uint32_t c[4], l[4];
    for (int i = 0; i < 4; i++) {
        c[i] = occlusion >> 2 * i & 3;
        l[i] = light >> 8 * i & 0xFF;
    }
    return along_v ? c[0] == c[3] && c[1] == c[2] && l[0] == l[3] && l[1] == l[2]
                   : c[0] == c[1] && c[3] == c[2] && l[0] == l[1] && l[3] == l[2];
}

static PlainQuad quad_of(uint32_t face, const int cell[3], uint64_t look, uint32_t width,
                         uint32_t height)
{
    return (PlainQuad){.face = (uint8_t)face,
                       .x = (uint8_t)cell[0],
                       .y = (uint8_t)cell[1],
                       .z = (uint8_t)cell[2],
                       .width = (uint8_t)width,
                       .height = (uint8_t)height,
                       .block = (CnBlock)look,
                       .corners = look >> 16};
}

static uint32_t props(const Gathered *gathered, PlainQuad *quads)
{
    uint32_t count = 0;
    for (int i = 0; i < CN_CHUNK_BLOCKS; i++) {
        int cell[3] = {i & 15, i >> 4 & 15, i >> 8};
        CnBlock block = gathered->blocks[cn_padded_index(cell[0], cell[1], cell[2])];
        if (bench_blocks->flags[block] & CN_BLOCK_IS_PROP)
            quads[count++] = quad_of(CN_FACE_NEG_Z, cell, block, 1, 1);
    }
    return count;
}

uint32_t plain_face_mesh(const PlainAround *around, const CnLightBox *light, PlainQuad *quads)
{
    Gathered gathered = {.light = light};
    gather(around, &gathered);
    uint32_t count = 0;
    for (int i = 0; i < CN_CHUNK_BLOCKS; i++) {
        int cell[3] = {i & 15, i >> 4 & 15, i >> 8};
        for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
            uint64_t look =
                look_of(&gathered, (int)cn_padded_index(cell[0], cell[1], cell[2]), &ways[face]);
            if (look)
                quads[count++] = quad_of(face, cell, look, 1, 1);
        }
    }
    return count + props(&gathered, quads + count);
}

/* ---- Greedy ---- */

static void cell_of(uint32_t face, int slice, int u, int v, int cell[3])
{
    static const uint8_t axes[3][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}};
    const uint8_t *axis = axes[face / 2];
    cell[axis[0]] = u;
    cell[axis[1]] = v;
    cell[axis[2]] = slice;
}

static bool row_is(const uint64_t *mask, int width, uint64_t look)
{
    for (int i = 0; i < width; i++) {
        if (mask[i] != look)
            return false;
    }
    return true;
}

static uint32_t take_rectangles(uint64_t mask[16][16], uint32_t face, int slice, bool corners,
                                PlainQuad *quads)
{
    uint32_t count = 0;
    for (int v = 0; v < 16; v++) {
        for (int u = 0; u < 16;) {
            uint64_t look = mask[v][u];
            if (!look) {
                u++;
                continue;
            }
            int width = 1, height = 1, cell[3];
            if (!corners || is_flat(look, false)) {
                while (u + width < 16 && mask[v][u + width] == look)
                    width++;
            }
            if (!corners || is_flat(look, true)) {
                while (v + height < 16 && row_is(&mask[v + height][u], width, look))
                    height++;
            }
            for (int i = 0; i < height; i++)
                memset(&mask[v + i][u], 0, (size_t)width * sizeof mask[0][0]);
            cell_of(face, slice, u, v, cell);
            quads[count++] = quad_of(face, cell, look, (uint32_t)width, (uint32_t)height);
            u += width;
        }
    }
    return count;
}

uint32_t plain_greedy_mesh(const PlainAround *around, const CnLightBox *light, PlainQuad *quads)
{
    Gathered gathered = {.light = light};
    gather(around, &gathered);
    uint32_t count = 0;
    for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
        const Way *way = &ways[face];
        for (int slice = 0; slice < 16; slice++) {
            uint64_t mask[16][16], any = 0;
            int lowest = 1 + SIZE + LAYER + slice * (way->out < 0 ? -way->out : way->out);
            for (int v = 0; v < 16; v++) {
                int cell = lowest + v * way->v;
                for (int u = 0; u < 16; u++, cell += way->u)
                    any |= mask[v][u] = look_of(&gathered, cell, way);
            }
            if (any)
                count += take_rectangles(mask, face, slice, light != NULL, quads + count);
        }
    }
    return count + props(&gathered, quads + count);
}
