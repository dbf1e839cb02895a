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

/* ---- Faces of shapes, unit by unit ---- */

static bool is_filled(const CnBlockShape *shape, const int at[3])
{
    for (uint32_t i = 0; i < shape->count; i++) {
        const CnBlockBox *box = &shape->boxes[i];
        if (at[0] >= box->low[0] && at[0] < box->high[0] && at[1] >= box->low[1] &&
            at[1] < box->high[1] && at[2] >= box->low[2] && at[2] < box->high[2])
            return true;
    }
    return false;
}

/* The position of a unit: u and v in the plane, n along the axis of the face. */
static void unit_at(CnFace which, int u, int v, int n, int at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = u * axes[which].u[k] + v * axes[which].v[k] + n * abs(axes[which].out[k]);
}

/* Whether a shape in the chunk fills the side of its cell towards the face. */
static bool fills_side(const CnNeighborhood *around, const int cell[3], CnFace which)
{
    if (((cell[0] | cell[1] | cell[2]) & ~15) != 0)
        return false;
    const CnBlockShape *shape =
        cn_block_shape(standard_blocks(), voxel_block_at(around, cell[0], cell[1], cell[2]));
    for (int i = 0; shape && i < 256; i++) {
        int at[3];
        unit_at(which, i % 16, i / 16, which & 1 ? 0 : 15, at);
        if (!is_filled(shape, at))
            return false;
    }
    return shape != NULL;
}

typedef struct ShapeUnits {
    uint8_t count[17][16][16]; /* by depth, v, u */
} ShapeUnits;

/* Counts the units of one cell that must be visible as 1, the others as 0. */
static void expect_units(const CnNeighborhood *around, const int cell[3], CnFace which,
                         const CnBlockShape *shape, ShapeUnits *units)
{
    const int *out = axes[which].out;
    int front[3] = {cell[0] + out[0], cell[1] + out[1], cell[2] + out[2]};
    CnBlock beside = voxel_block_at(around, front[0], front[1], front[2]);
    bool is_hidden =
        (standard_blocks()->flags[beside] & CN_BLOCK_IS_OPAQUE) || fills_side(around, front, which);
    memset(units, 0, sizeof *units);
    for (int i = 0; i < 16 * 16 * 16; i++) {
        int u = i % 16, v = i / 16 % 16, n = i / 256, at[3];
        unit_at(which, u, v, n, at);
        if (!is_filled(shape, at))
            continue;
        int next[3] = {at[0] + out[0], at[1] + out[1], at[2] + out[2]};
        bool is_flush = ((next[0] | next[1] | next[2]) & ~15) != 0;
        if (is_flush ? !is_hidden : !is_filled(shape, next))
            units->count[n + (which & 1)][v][u] = 1;
    }
}

static uint8_t brighter(uint8_t a, uint8_t b)
{
    int block = (a & 15) > (b & 15) ? a & 15 : b & 15, sky = a >> 4 > b >> 4 ? a >> 4 : b >> 4;
    return (uint8_t)(sky << 4 | block);
}

static bool shape_light_is_right(const CnNeighborhood *around, const CnLightBox *light,
                                 const int cell[3], CnFace which, const CnQuadFields *quad)
{
    const int *out = axes[which].out;
    int front[3] = {cell[0] + out[0], cell[1] + out[1], cell[2] + out[2]};
    CnBlock beside = voxel_block_at(around, front[0], front[1], front[2]);
    uint8_t own = light_at(light, cell), outside = light_at(light, front), expected = outside;
    if (quad->depth > 0 && quad->depth < 16)
        expected =
            standard_blocks()->flags[beside] & CN_BLOCK_IS_OPAQUE ? own : brighter(own, outside);
    for (int c = 0; c < 4; c++)
        if (quad->occlusion[c] != 3 || quad->block_light[c] != (expected & 15) ||
            quad->sky_light[c] != expected >> 4)
            return false;
    return true;
}

/* Compares the faces of shapes in one direction, which follow the other quads by cell. */
static bool shapes_are_exact(const CnNeighborhood *around, const CnLightBox *light,
                             const CnQuad *quad, const CnQuad *end, CnFace which)
{
    static ShapeUnits units;
    while (quad < end && !cn_quad_is_shape_face(*quad, CN_CHUNK_MESH_SEMI))
        quad++;
    for (int i = 0; i < CN_CHUNK_BLOCKS; i++) {
        int cell[3] = {i & 15, i >> 4 & 15, i >> 8};
        CnBlock block = voxel_block_at(around, cell[0], cell[1], cell[2]);
        const CnBlockShape *shape = cn_block_shape(standard_blocks(), block);
        if (!shape)
            continue;
        expect_units(around, cell, which, shape, &units);
        for (; quad < end; quad++) {
            CnQuadFields parts = cn_quad_unpack(*quad, CN_CHUNK_MESH_SEMI);
            if ((parts.x | parts.y << 4 | parts.z << 8) != i)
                break;
            if (!parts.is_shape_face || parts.block != block ||
                !shape_light_is_right(around, light, cell, which, &parts))
                return complain("another face of a shape", CN_CHUNK_MESH_SEMI, which, cell);
            for (int k = 0; k < parts.units_wide * parts.units_high; k++)
                units.count[parts.depth][parts.v + k / parts.units_wide]
                           [parts.u + k % parts.units_wide] ^= 1;
        }
        for (size_t k = 0; k < sizeof units; k++)
            if (((const uint8_t *)&units)[k])
                return complain("a shape is not covered", CN_CHUNK_MESH_SEMI, which, cell);
    }
    return quad == end;
}

static bool cover_quad(const CnNeighborhood *around, const CnLightBox *light, CnQuad quad,
                       CnChunkMeshPart part, CnFace which, Cover *cover)
{
    CnQuadFields parts = cn_quad_unpack(quad, part);
    if (parts.is_shape_face)
        return true;
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
        return which == CN_FACE_NEG_Z && cn_block_is_plain_prop(standard_blocks(), block);
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
    const uint32_t *semi = mesh->first + CN_CHUNK_MESH_SEMI * CN_FACE_COUNT;
    for (uint32_t face = 0; exact && face < CN_FACE_COUNT; face++)
        exact = shapes_are_exact(around, light, mesh->quads + semi[face],
                                 mesh->quads + semi[face + 1], (CnFace)face);
    free(cover);
    return exact;
}
