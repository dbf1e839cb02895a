#include "standard_blocks.h"
#include "voxel_faces.h"

#include <cairn/voxel/water.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How faces lie: the way out, u and v. */
typedef struct Axes {
    int out[3], u[3], v[3];
} Axes;
static const Axes axes[CN_FACE_COUNT] = {
    [CN_FACE_NEG_Z] = {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}},
    [CN_FACE_POS_Z] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
    [CN_FACE_NEG_X] = {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    [CN_FACE_POS_X] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    [CN_FACE_NEG_Y] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
    [CN_FACE_POS_Y] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
};

/* What one face shows. */
typedef struct Face {
    CnBlock block;
    uint8_t light, occlusion[4], block_light[4], sky_light[4], height[4];
} Face;

CnBlock voxel_block_at(const CnNeighborhood *around, int x, int y, int z)
{
    const CnChunk *chunk =
        around->chunks[(x + 16) / 16 + 3 * ((y + 16) / 16) + 9 * ((z + 16) / 16)];
    return chunk ? cn_chunk_get(chunk, (uint32_t)(x + 16) % 16, (uint32_t)(y + 16) % 16,
                                (uint32_t)(z + 16) % 16)
                 : (CnBlock)CN_BLOCK_AIR;
}

static bool is_opaque(const CnNeighborhood *around, const int cell[3])
{
    return standard_blocks()->flags[voxel_block_at(around, cell[0], cell[1], cell[2])] &
           CN_BLOCK_IS_OPAQUE;
}

static uint8_t light_at(const CnLightBox *light, const int cell[3])
{
    return light ? light->cells[(cell[0] + 1) + 18 * (cell[1] + 1) + 324 * (cell[2] + 1)] : 0xFF;
}

/* The highest stays, the others are at most 3 below. */
static void clamp_to_highest(uint8_t values[4])
{
    uint8_t top = 0;
    for (int i = 0; i < 4; i++)
        top = values[i] > top ? values[i] : top;
    for (int i = 0; i < 4; i++)
        values[i] = values[i] + 3 < top ? (uint8_t)(top - 3) : values[i];
}

static void solid_corners(const CnNeighborhood *around, const CnLightBox *light, const int front[3],
                          const Axes *way, Face *face)
{
    for (int c = 0; c < 4; c++) {
        int to_u = c == 1 || c == 2 ? 1 : -1, to_v = c >= 2 ? 1 : -1;
        uint8_t block[4], sky[4];
        bool opaque[4];
        for (int i = 0; i < 4; i++) { /* right before the face, two sides, the diagonal */
            int cell[3];
            for (int k = 0; k < 3; k++)
                cell[k] =
                    front[k] + (i & 1 ? to_u * way->u[k] : 0) + (i & 2 ? to_v * way->v[k] : 0);
            opaque[i] = is_opaque(around, cell);
            block[i] = light_at(light, cell) & 15;
            sky[i] = light_at(light, cell) >> 4;
        }
        face->occlusion[c] =
            light ? (uint8_t)cn_corner_occlusion(opaque[1], opaque[2], opaque[3]) : 3;
        face->block_light[c] = (uint8_t)cn_corner_light(block, opaque);
        face->sky_light[c] = (uint8_t)cn_corner_light(sky, opaque);
        face->height[c] = 16;
    }
    clamp_to_highest(face->block_light);
    clamp_to_highest(face->sky_light);
}

static uint8_t water_level_at(const CnNeighborhood *around, int x, int y, int z)
{
    CnBlock block = voxel_block_at(around, x, y, z);
    bool water = standard_blocks()->flags[block] & CN_BLOCK_IS_WATER;
    return (uint8_t)(water && cn_water_level(block) == 0 ? 8 : cn_water_level(block));
}

static void water_corners(const CnNeighborhood *around, const int cell[3], CnFace which, Face *face)
{
    const Axes *way = &axes[which];
    for (int c = 0; c < 4; c++) {
        int at[3];
        for (int k = 0; k < 3; k++)
            at[k] = cell[k] + (c == 1 || c == 2 ? way->u[k] : 0) + (c >= 2 ? way->v[k] : 0) +
                    (way->out[k] > 0);
        face->height[c] = 16;
        if (at[1] == cell[1]) /* a corner at the bottom */
            continue;
        uint8_t levels[4];
        bool above = false;
        for (int i = 0; i < 4; i++) {
            int x = at[0] - (i & 1), z = at[2] - (i >> 1);
            levels[i] = water_level_at(around, x, cell[1], z);
            above |= levels[i] && water_level_at(around, x, cell[1] + 1, z);
        }
        face->height[c] = (uint8_t)cn_corner_water(levels, above);
    }
}

static Face face_of(const CnNeighborhood *around, const CnLightBox *light, const int cell[3],
                    CnChunkMeshPart part, CnFace which)
{
    Face face = {.block = voxel_block_at(around, cell[0], cell[1], cell[2])};
    int front[3];
    for (int k = 0; k < 3; k++)
        front[k] = cell[k] + (part == CN_CHUNK_MESH_PROPS ? 0 : axes[which].out[k]);
    face.light = light_at(light, front);
    if (part == CN_CHUNK_MESH_OPAQUE || part == CN_CHUNK_MESH_SEMI) {
        solid_corners(around, light, front, &axes[which], &face);
        return face;
    }
    for (int c = 0; c < 4; c++) {
        face.occlusion[c] = 3;
        face.block_light[c] = face.light & 15;
        face.sky_light[c] = face.light >> 4;
        face.height[c] = 16;
    }
    if (part == CN_CHUNK_MESH_WATER)
        water_corners(around, cell, which, &face);
    return face;
}

/* ---- Comparing ---- */

static bool complain(const char *what, CnChunkMeshPart part, CnFace face, const int cell[3])
{
    printf("%s: part %d, face %d, cell %d %d %d\n", what, part, face, cell[0], cell[1], cell[2]);
    return false;
}

/* A value of a quad at u, v is what its corners give by interpolation: whole only if they are
 * alike. */
static bool value_is(const uint8_t corners[4], int width, int height, int u, int v, int expected)
{
    int sum = (width - u) * (height - v) * corners[0] + u * (height - v) * corners[1] +
              u * v * corners[2] + (width - u) * v * corners[3];
    return sum == expected * width * height;
}

static bool corners_agree(const CnQuadFields *quad, const Face *face, int u, int v, bool upright)
{
    for (int c = 0; c < 4; c++) {
        int at_u = u + (c == 1 || c == 2), at_v = v + (c >= 2), w = quad->width, h = quad->height;
        if (!value_is(quad->occlusion, w, h, at_u, at_v, face->occlusion[c]) ||
            !value_is(quad->block_light, w, h, at_u, at_v, face->block_light[c]) ||
            !value_is(quad->sky_light, w, h, at_u, at_v, face->sky_light[c]))
            return false;
        /* Sides of water: heights are of the highest row of cells, all below are full. */
        if (upright && (c < 2 || v + 1 < h) ? face->height[c] != 16
                                            : !value_is(quad->water_height, w, upright ? 1 : h,
                                                        at_u, upright ? 1 : at_v, face->height[c]))
            return false;
    }
    return true;
}

typedef struct Cover {
    uint8_t counts[CN_CHUNK_MESH_PART_COUNT][CN_FACE_COUNT][CN_CHUNK_BLOCKS];
} Cover;

static bool cover_quad(const CnNeighborhood *around, const CnLightBox *light, CnQuad quad,
                       CnChunkMeshPart part, CnFace which, Cover *cover)
{
    CnQuadFields parts = cn_quad_unpack(quad, part);
    for (int i = 0; i < parts.width * parts.height; i++) {
        int u = i % parts.width, v = i / parts.width;
        int cell[3] = {parts.x, parts.y, parts.z};
        for (int k = 0; k < 3; k++)
            cell[k] += u * axes[which].u[k] + v * axes[which].v[k];
        if (cell[0] > 15 || cell[1] > 15 || cell[2] > 15)
            return complain("outside", part, which, cell);
        Face face = face_of(around, light, cell, part, which);
        if (parts.block != face.block)
            return complain("another block", part, which, cell);
        bool upright = part == CN_CHUNK_MESH_WATER && axes[which].v[1];
        if (!corners_agree(&parts, &face, u, v, upright))
            return complain("other corners", part, which, cell);
        cover->counts[part][which][cell[0] + 16 * cell[1] + 256 * cell[2]]++;
    }
    return true;
}

static bool must_show(const CnNeighborhood *around, const int cell[3], CnChunkMeshPart part,
                      CnFace which)
{
    static const uint8_t flags[] = {CN_BLOCK_IS_OPAQUE, CN_BLOCK_IS_SEMI, CN_BLOCK_IS_WATER,
                                    CN_BLOCK_IS_PROP};
    CnBlock block = voxel_block_at(around, cell[0], cell[1], cell[2]);
    if (!(standard_blocks()->flags[block] & flags[part]))
        return false;
    if (part == CN_CHUNK_MESH_PROPS)
        return which == CN_FACE_NEG_Z;
    const int *out = axes[which].out;
    return !cn_block_hides(
        standard_blocks(), block,
        voxel_block_at(around, cell[0] + out[0], cell[1] + out[1], cell[2] + out[2]));
}

static bool cover_is_exact(const CnNeighborhood *around, const Cover *cover)
{
    for (uint32_t i = 0; i < CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT * CN_CHUNK_BLOCKS; i++) {
        uint32_t part = i / (CN_FACE_COUNT * CN_CHUNK_BLOCKS),
                 which = i / CN_CHUNK_BLOCKS % CN_FACE_COUNT, at = i % CN_CHUNK_BLOCKS;
        int cell[3] = {at & 15, at >> 4 & 15, (int)(at >> 8)};
        uint8_t count = cover->counts[part][which][at];
        if (count != must_show(around, cell, (CnChunkMeshPart)part, (CnFace)which))
            return complain(count ? "covered too often" : "not covered", (CnChunkMeshPart)part,
                            (CnFace)which, cell);
    }
    return true;
}

bool voxel_mesh_is_exact(const CnNeighborhood *around, const CnLightBox *light,
                         const CnChunkMesh *mesh)
{
    Cover *cover = calloc(1, sizeof *cover);
    bool exact =
        mesh->first[0] == 0 && mesh->first[CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT] == mesh->count;
    for (uint32_t i = 0; exact && i < CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT; i++) {
        exact = mesh->first[i] <= mesh->first[i + 1];
        for (uint32_t q = mesh->first[i]; exact && q < mesh->first[i + 1]; q++)
            exact = cover_quad(around, light, mesh->quads[q], (CnChunkMeshPart)(i / CN_FACE_COUNT),
                               (CnFace)(i % CN_FACE_COUNT), cover);
    }
    exact = exact && cover_is_exact(around, cover);
    free(cover);
    return exact;
}
