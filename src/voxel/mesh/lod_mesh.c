/* Far terrain meshes: cells of columns whose faces are merged into quads. */
#include <cairn/voxel/lod.h>

#include "voxel/mesh/lod_cells.h"

#include <cairn/base/assert.h>

#define CELLS CN_LOD_CELLS
#define NO_TOP INT16_MIN

/* ---- Quads ---- */

typedef struct Builder {
    CnAllocator *allocator;
    CnLodMesh *mesh;
    int32_t cell; /* cell edge in blocks */
    bool out_of_memory;
    CniVoxelLodCell cells[CELLS * CELLS];
} Builder;

static void push(Builder *builder, CnLodQuad quad)
{
    CnLodMesh *mesh = builder->mesh;
    if (mesh->count == mesh->capacity) {
        uint32_t capacity = mesh->capacity ? 2 * mesh->capacity : 512;
        CnLodQuad *quads = cn_realloc(builder->allocator, mesh->quads,
                                      mesh->capacity * sizeof *quads, capacity * sizeof *quads);
        if (!quads) {
            builder->out_of_memory = true;
            return;
        }
        mesh->quads = quads;
        mesh->capacity = capacity;
    }
    mesh->quads[mesh->count++] = quad;
}

/* ---- Tops ---- */

/* Appearance of a top face; equal neighbors are merged. */
typedef struct Top {
    int16_t y;
    CnBlock block;
} Top;

static bool stands_on_the_ground(const CniVoxelLodCell *cell)
{
    return cell->crown && cell->crown_low <= cell->ground;
}

static Top ground_top(const CniVoxelLodCell *cell)
{
    return (Top){stands_on_the_ground(cell) ? NO_TOP : cell->ground, cell->surface};
}

static Top crown_top(const CniVoxelLodCell *cell)
{
    return (Top){cell->crown ? cell->top : NO_TOP, cell->crown};
}

static Top water_top(const CniVoxelLodCell *cell)
{
    return (Top){cell->water ? CN_SEA_LEVEL + 1 : NO_TOP, CN_BLOCK_WATER};
}

static bool same_top(Top a, Top b)
{
    return a.y == b.y && a.block == b.block;
}

/* Merges rectangles of cells with equal tops, first along x, then along z. */
static void push_tops(Builder *builder, Top (*top_of)(const CniVoxelLodCell *cell),
                      CnChunkMeshPart part)
{
    uint32_t done[CELLS] = {0};
    const CniVoxelLodCell *cells = builder->cells;
    for (uint32_t k = 0; k < CELLS; k++) {
        for (uint32_t i = 0; i < CELLS; i++) {
            Top top = top_of(&cells[i + CELLS * k]);
            if ((done[k] >> i & 1) || top.y == NO_TOP)
                continue;
            uint32_t width = 1, depth = 1;
            while (i + width < CELLS && !(done[k] >> (i + width) & 1) &&
                   same_top(top_of(&cells[i + width + CELLS * k]), top))
                width++;
            uint32_t mask = (uint32_t)(((UINT64_C(1) << width) - 1) << i);
            for (; k + depth < CELLS && !(done[k + depth] & mask); depth++) {
                uint32_t n = 0;
                while (n < width && same_top(top_of(&cells[i + n + CELLS * (k + depth)]), top))
                    n++;
                if (n < width)
                    break;
            }
            for (uint32_t n = 0; n < depth; n++)
                done[k + n] |= mask;
            push(builder, (CnLodQuad){.x = (int16_t)((int32_t)i * builder->cell),
                                      .y = top.y,
                                      .z = (int16_t)((int32_t)k * builder->cell),
                                      .width = (uint16_t)((int32_t)width * builder->cell),
                                      .height = (uint16_t)((int32_t)depth * builder->cell),
                                      .face = CN_FACE_POS_Y,
                                      .part = (uint8_t)part,
                                      .block = top.block});
        }
    }
}

/* ---- Sides ---- */

/* A side of a run of cells along one line: its topmost block, the block below, and the block from
 * CNI_VOXEL_LOD_SOIL down. */
typedef struct Side {
    int16_t low, high; /* equal: empty */
    CnBlock surface, under, deep;
} Side;

static bool same_side(const Side *a, const Side *b)
{
    return a->low == b->low && a->high == b->high && a->surface == b->surface &&
           a->under == b->under && a->deep == b->deep;
}

static int16_t higher(int16_t a, int16_t b)
{
    return a > b ? a : b;
}

/* `beside` is NULL at the edge of the tile. */
static Side ground_side(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside)
{
    return (Side){.low = beside ? beside->ground : CN_WORLD_BOTTOM,
                  .high = cell->ground,
                  .surface = cell->surface,
                  .under = cell->under,
                  .deep = cell->deep};
}

/* Trees with white tops have dark sides at every other step. */
static CnBlock leaves_of(const CniVoxelLodCell *cell)
{
    return cell->top % 2 == 0 ? cell->crown_dark : cell->crown;
}

static int16_t lowest_of_crown(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside)
{
    return beside ? higher(cell->crown_low, beside->ground) : cell->crown_low;
}

/* Returns the part above the neighboring crown. */
static Side crown_side(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside)
{
    if (!cell->crown)
        return (Side){0};
    int16_t low = lowest_of_crown(cell, beside);
    if (beside && beside->crown)
        low = higher(low, beside->top);
    CnBlock leaves = leaves_of(cell);
    return (Side){low, cell->top, cell->crown, leaves, leaves};
}

/* Returns the part below the neighboring crown. */
static Side hanging_side(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside)
{
    if (!cell->crown || !beside || !beside->crown)
        return (Side){0};
    CnBlock leaves = leaves_of(cell);
    int16_t high = beside->crown_low < cell->top ? beside->crown_low : cell->top;
    return (Side){lowest_of_crown(cell, beside), high, leaves, leaves, leaves};
}

static Side trunk_side(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside)
{
    (void)beside;
    return cell->trunk
               ? (Side){cell->ground, cell->crown_low, cell->trunk, cell->trunk, cell->trunk}
               : (Side){0};
}

/* Adds the part of the side between two heights that shows one block. */
static void push_span(Builder *builder, CnLodQuad quad, int32_t low, int32_t high, CnBlock block)
{
    if (low >= high)
        return;
    quad.y = (int16_t)low;
    quad.height = (uint16_t)(high - low);
    quad.block = block;
    push(builder, quad);
}

static void push_side(Builder *builder, CnFace face, uint32_t line, uint32_t first, uint32_t end,
                      const Side *side)
{
    bool along_z = face == CN_FACE_NEG_X || face == CN_FACE_POS_X;
    bool positive = face == CN_FACE_POS_X || face == CN_FACE_POS_Z;
    int32_t across = ((int32_t)line + positive) * builder->cell;
    int32_t along = (int32_t)first * builder->cell;
    CnLodQuad quad = {.x = (int16_t)(along_z ? across : along),
                      .z = (int16_t)(along_z ? along : across),
                      .width = (uint16_t)((int32_t)(end - first) * builder->cell),
                      .face = (uint8_t)face,
                      .part = CN_CHUNK_MESH_OPAQUE};
    int32_t low = side->low, surface = side->high - 1, soil = side->high - CNI_VOXEL_LOD_SOIL;
    if (side->under == side->deep)
        soil = low;
    if (side->surface == side->under)
        surface = soil;
    push_span(builder, quad, low > surface ? low : surface, side->high, side->surface);
    push_span(builder, quad, low > soil ? low : soil, surface, side->under);
    push_span(builder, quad, low, soil, side->deep);
}

/* Returns the cell of a line: along z for x faces. */
static const CniVoxelLodCell *cell_of(const Builder *builder, CnFace face, uint32_t line,
                                      uint32_t at)
{
    bool along_z = face == CN_FACE_NEG_X || face == CN_FACE_POS_X;
    return &builder->cells[along_z ? line + CELLS * at : at + CELLS * line];
}

typedef Side SideOf(const CniVoxelLodCell *cell, const CniVoxelLodCell *beside);

static void push_line(Builder *builder, CnFace face, uint32_t line, SideOf *side_of)
{
    bool positive = face == CN_FACE_POS_X || face == CN_FACE_POS_Z;
    uint32_t beside = positive ? line + 1 : line - 1; /* wraps to a large value at the edge */
    Side run = {0};
    uint32_t first = 0;
    bool open = false;
    for (uint32_t at = 0; at <= CELLS; at++) {
        Side side = {0};
        if (at < CELLS)
            side = side_of(cell_of(builder, face, line, at),
                           beside < CELLS ? cell_of(builder, face, beside, at) : NULL);
        if (open && (at == CELLS || !same_side(&run, &side))) {
            push_side(builder, face, line, first, at, &run);
            open = false;
        }
        if (!open && side.low < side.high) {
            run = side;
            first = at;
            open = true;
        }
    }
}

static void push_sides(Builder *builder, SideOf *side_of)
{
    for (CnFace face = CN_FACE_NEG_Z; face <= CN_FACE_POS_X; face++)
        for (uint32_t line = 0; line < CELLS; line++)
            push_line(builder, face, line, side_of);
}

/* ---- Tiles ---- */

static void set_bounds(Builder *builder)
{
    int32_t low = INT16_MAX, high = INT16_MIN;
    for (uint32_t i = 0; i < CELLS * CELLS; i++) {
        const CniVoxelLodCell *cell = &builder->cells[i];
        int32_t top = cell->water ? CN_SEA_LEVEL + 1 : cell->top;
        low = cell->ground < low ? cell->ground : low;
        high = top > high ? top : high;
    }
    builder->mesh->min_y = (float)low;
    builder->mesh->max_y = (float)high;
}

bool cn_lod_build(CnAllocator *allocator, CnGenerator *generator, CnGenerateScratch *scratch,
                  CnLodTile tile, CnLodMesh *mesh)
{
    CN_ASSERT(mesh, "%s: mesh is NULL", __func__);
    CN_ASSERT(tile.level >= 1 && tile.level <= CN_LOD_LEVELS, "invalid level of detail");
    Builder builder = {.allocator = allocator, .mesh = mesh, .cell = 1 << tile.level};
    mesh->tile = tile;
    mesh->count = 0;
    cni_voxel_lod_cells(generator, scratch, tile, builder.cells);
    push_tops(&builder, ground_top, CN_CHUNK_MESH_OPAQUE);
    push_tops(&builder, crown_top, CN_CHUNK_MESH_OPAQUE);
    push_sides(&builder, ground_side);
    push_sides(&builder, crown_side);
    push_sides(&builder, hanging_side);
    push_sides(&builder, trunk_side);
    push_tops(&builder, water_top, CN_CHUNK_MESH_WATER);
    set_bounds(&builder);
    return !builder.out_of_memory;
}

void cn_lod_mesh_fini(CnAllocator *allocator, CnLodMesh *mesh)
{
    cn_free(allocator, mesh->quads, mesh->capacity * sizeof *mesh->quads);
    *mesh = (CnLodMesh){0};
}
