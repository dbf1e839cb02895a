/* Cells of a far terrain tile: one column each, and the tree crowns above them. */
#include "voxel/mesh/lod_cells.h"

#include "voxel/generate/feature.h"
#include "voxel/generate/terrain.h"

#include <cairn/base/math.h>

#define CELLS CN_LOD_CELLS
/* Wider cells are covered by many crowns or by none. */
#define STAMP_LEVEL 2
#define TRUNK_LEVEL 1 /* wider cells are too wide for a trunk */
/* Beyond this level erosion moves the ground by less than a cell, and costs fifty times the
 * rest. */
#define ERODED_LEVEL 3
/* Wider cells are wider than cave openings. */
#define ENTRANCE_LEVEL 2
#define MAX_OPENING 16 /* blocks; deeper openings are dark */

typedef struct Canopy {
    const CniVoxelGeneratedBlocks *generated;
    CnLodTile tile;
    int32_t x, z, cell; /* corner of the tile; cell edge */
    const CnColumn *columns;
    CniVoxelLodCell *cells;
    uint16_t covered[CELLS * CELLS]; /* blocks of the cell below crowns */
} Canopy;

/* `opening`: number of blocks that a tunnel removed from the column. */
static CniVoxelLodCell cell_of(const CniVoxelGeneratedBlocks *generated, const CnColumn *column,
                               int32_t opening)
{
    const int16_t end = (int16_t)(column->ground + 1 - opening);
    return (CniVoxelLodCell){
        .ground = end,
        .top = end,
        .crown_low = end,
        .surface = opening ? cni_voxel_soil_under(generated, column->top, opening) : column->top,
        .under = cni_voxel_soil_under(generated, column->top, opening + 1),
        .deep = cni_voxel_soil_under(generated, column->top, opening + CNI_VOXEL_LOD_SOIL + 1),
        .water = column->underwater,
    };
}

static int32_t in_tile(int32_t cell)
{
    return cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell;
}

/* Overall shape of a tree: heights above the ground, blocks. Other kinds are too small to be
 * visible. */
typedef struct Shape {
    uint8_t top, crown; /* typical top; bottom of the crown */
    bool is_cone;
} Shape;
static const Shape shapes[CNI_VOXEL_FEATURE_KIND_COUNT] = {
    [CNI_VOXEL_OAK] = {7, 3, false},
    [CNI_VOXEL_BIRCH] = {8, 4, false},
    [CNI_VOXEL_SPRUCE] = {10, 2, true},
    [CNI_VOXEL_PINE] = {11, 6, false},
    [CNI_VOXEL_SNOWY_SPRUCE] = {10, 2, true},
    [CNI_VOXEL_SNOWY_PINE] = {11, 6, false},
    [CNI_VOXEL_JUNGLE_TREE] = {11, 8, false},
    [CNI_VOXEL_PALM] = {9, 7, false},
    [CNI_VOXEL_ACACIA] = {7, 4, false},
    [CNI_VOXEL_WILLOW] = {8, 2, false},
    [CNI_VOXEL_CHERRY] = {8, 4, false},
    [CNI_VOXEL_RED_MUSHROOM] = {6, 3, false},
    [CNI_VOXEL_BROWN_MUSHROOM] = {6, 4, false},
    [CNI_VOXEL_GREAT_OAK] = {13, 5, false},
    [CNI_VOXEL_GREAT_SPRUCE] = {22, 3, true},
    [CNI_VOXEL_GREAT_SNOWY_SPRUCE] = {22, 3, true},
    [CNI_VOXEL_GREAT_JUNGLE_TREE] = {23, 15, false},
    [CNI_VOXEL_GREAT_ACACIA] = {10, 6, false},
    [CNI_VOXEL_GREAT_WILLOW] = {10, 2, false},
    [CNI_VOXEL_GREAT_CHERRY] = {10, 4, false},
    [CNI_VOXEL_GREAT_RED_MUSHROOM] = {11, 6, false},
    [CNI_VOXEL_GREAT_BROWN_MUSHROOM] = {11, 8, false},
    [CNI_VOXEL_BOULDER] = {3, 0, false},
    [CNI_VOXEL_MOSSY_BOULDER] = {3, 0, false},
    [CNI_VOXEL_SAND_BOULDER] = {3, 0, false},
    [CNI_VOXEL_RED_BOULDER] = {3, 0, false},
    [CNI_VOXEL_ICE_SPIKE] = {16, 0, true},
};

/* A tree instance. */
typedef struct Stamp {
    CniVoxelFeatureKindId id;
    int32_t x, z, ground; /* in the tile; top of the ground */
    int32_t top, low;     /* of the crown, above the ground */
} Stamp;

static void set_crown(const Canopy *canopy, CniVoxelLodCell *cell, CniVoxelGenerated leaves)
{
    bool is_snowy = leaves == CNI_VOXEL_GEN_SNOWY_LEAVES;
    cell->crown = canopy->generated->numbers[leaves];
    cell->crown_dark = canopy->generated->numbers[is_snowy ? CNI_VOXEL_GEN_SPRUCE_LEAVES : leaves];
}

static void cover_cell(const Canopy *canopy, CniVoxelLodCell *cell, const Stamp *tree, int32_t top)
{
    int16_t low = (int16_t)(tree->ground + tree->low);
    if (cell->water || top <= cell->top || top <= low)
        return;
    cell->crown_low = cell->crown && cell->crown_low < low ? cell->crown_low : low;
    cell->top = (int16_t)top;
    set_crown(canopy, cell, cni_voxel_feature_kinds[tree->id].leaves);
}

/* Draws the crown over the centers of cells: high above the root, lower around it. */
static void stamp(Canopy *canopy, const Stamp *tree)
{
    int32_t radius = cni_voxel_feature_kinds[tree->id].radius, reach = radius - (radius > 2);
    int32_t square = reach * reach + reach, x = tree->x, z = tree->z;
    int32_t i0 = (x - reach) / canopy->cell - 1, i1 = (x + reach) / canopy->cell + 1;
    int32_t k0 = (z - reach) / canopy->cell - 1, k1 = (z + reach) / canopy->cell + 1;
    int32_t tall = tree->top - tree->low;
    for (int32_t k = k0 < 0 ? 0 : k0; k <= k1 && k < CELLS; k++) {
        for (int32_t i = i0 < 0 ? 0 : i0; i <= i1 && i < CELLS; i++) {
            int32_t dx = i * canopy->cell + canopy->cell / 2 - x;
            int32_t dz = k * canopy->cell + canopy->cell / 2 - z;
            int32_t away = dx * dx + dz * dz;
            int32_t less =
                shapes[tree->id].is_cone
                    ? (int32_t)(0.8f * (float)tall * cn_sqrtf((float)away / (float)square))
                    : tall * away / (2 * square);
            if (away <= square)
                cover_cell(canopy, &canopy->cells[i + CELLS * k], tree,
                           tree->ground + tree->top - less);
        }
    }
}

/* A crown that covers half of a wide cell hides the rest. */
static void cover(Canopy *canopy, CniVoxelFeatureKindId id, uint32_t at)
{
    const CniVoxelFeatureKind *kind = &cni_voxel_feature_kinds[id];
    CniVoxelLodCell *cell = &canopy->cells[at];
    int32_t side = 2 * kind->radius, area = side * side * 3 / 4;
    canopy->covered[at] = (uint16_t)(canopy->covered[at] + area);
    if (2 * canopy->covered[at] < canopy->cell * canopy->cell || cell->water)
        return;
    int32_t top = cell->ground + shapes[id].top * 7 / 8;
    if (top > cell->top) {
        cell->top = (int16_t)top;
        set_crown(canopy, cell, kind->leaves);
    }
}

static void grow(Canopy *canopy, CniVoxelFeatureKindId id,
                 const CniVoxelFeatureCandidate *candidate)
{
    Shape shape = shapes[id];
    uint32_t level = canopy->tile.level;
    if (shape.top == 0)
        return;
    int32_t x = candidate->x - canopy->x, z = candidate->z - canopy->z;
    int32_t i = x >> level, k = z >> level;
    bool is_inside = i == in_tile(i) && k == in_tile(k);
    uint32_t at = (uint32_t)(in_tile(i) + CELLS * in_tile(k));
    if (level > STAMP_LEVEL) {
        if (is_inside)
            cover(canopy, id, at);
        return;
    }
    int32_t differs = shape.crown > 0 ? (int32_t)(candidate->dice >> 20 & 1) : 0;
    Stamp tree = {id,
                  x,
                  z,
                  canopy->columns[at].ground + 1,
                  shape.top - differs,
                  (shape.crown - differs) >> (level - 1)};
    stamp(canopy, &tree);
    if (level == TRUNK_LEVEL && is_inside && canopy->cells[at].crown_low > canopy->cells[at].ground)
        canopy->cells[at].trunk = canopy->generated->numbers[cni_voxel_feature_kinds[id].wood];
}

/* Returns the column of the cell at a position, or of the nearest cell in the tile. */
static const CnColumn *column_at(const Canopy *canopy, const CniVoxelFeatureCandidate *candidate)
{
    int32_t i = in_tile((candidate->x - canopy->x) >> canopy->tile.level);
    int32_t k = in_tile((candidate->z - canopy->z) >> canopy->tile.level);
    return &canopy->columns[i + CELLS * k];
}

static int32_t square_of(int32_t at, int32_t size)
{
    return at / size - (at % size < 0);
}

/* Uses the same candidates and dice as chunks, but the columns of the cells. */
static void grow_all(Canopy *canopy, const CnGenerator *generator)
{
    const uint64_t seed = cn_generator_seed(generator);
    int32_t size = CELLS * canopy->cell;
    const int32_t fine = CNI_VOXEL_FINE_RADIUS, coarse = CNI_VOXEL_COARSE_RADIUS;
    int32_t x1 = canopy->x + size - 1, z1 = canopy->z + size - 1;
    for (int32_t k = square_of(canopy->z - fine, CNI_VOXEL_FINE_GRID);
         k <= square_of(z1 + fine, CNI_VOXEL_FINE_GRID); k++)
        for (int32_t i = square_of(canopy->x - fine, CNI_VOXEL_FINE_GRID);
             i <= square_of(x1 + fine, CNI_VOXEL_FINE_GRID); i++) {
            CniVoxelFeatureCandidate at = cni_voxel_fine_candidate(seed, i, k);
            if (cni_voxel_is_near_entrance(generator, at.x, at.z))
                continue;
            grow(canopy,
                 cni_voxel_choose_fine(canopy->generated, seed, column_at(canopy, &at), at.x, at.z,
                                       at.dice),
                 &at);
        }
    for (int32_t k = square_of(canopy->z - coarse, CNI_VOXEL_COARSE_GRID);
         k <= square_of(z1 + coarse, CNI_VOXEL_COARSE_GRID); k++)
        for (int32_t i = square_of(canopy->x - coarse, CNI_VOXEL_COARSE_GRID);
             i <= square_of(x1 + coarse, CNI_VOXEL_COARSE_GRID); i++) {
            CniVoxelFeatureCandidate at = cni_voxel_coarse_candidate(seed, i, k);
            if (cni_voxel_is_near_entrance(generator, at.x, at.z))
                continue;
            grow(canopy,
                 cni_voxel_choose_coarse(canopy->generated, column_at(canopy, &at), at.dice), &at);
        }
}

void cni_voxel_lod_cells(CnGenerator *generator, CnGenerateScratch *scratch, CnLodTile tile,
                         CniVoxelLodCell cells[CELLS * CELLS])
{
    CnColumn columns[CELLS * CELLS];
    int32_t size = cn_lod_tile_blocks(tile.level), cell = 1 << tile.level;
    const CnColumnGrid grid = {
        .x = tile.x * size + cell / 2, .z = tile.z * size + cell / 2, .step = cell, .count = CELLS};
    if (tile.level <= ERODED_LEVEL)
        cn_generate_columns(generator, scratch, &grid, columns);
    else
        cni_voxel_uneroded_columns(generator, scratch, &grid, columns);
    for (int32_t i = 0; i < CELLS * CELLS; i++) {
        int32_t opening = 0;
        if (tile.level <= ENTRANCE_LEVEL)
            opening =
                cni_voxel_entrance_depth(generator, grid.x + i % CELLS * cell,
                                         grid.z + i / CELLS * cell, columns[i].ground, MAX_OPENING);
        cells[i] = cell_of(&generator->blocks, &columns[i], opening);
    }
    if (generator->desc.no_features)
        return;
    Canopy canopy = {.generated = &generator->blocks,
                     .tile = tile,
                     .x = tile.x * size,
                     .z = tile.z * size,
                     .cell = cell,
                     .columns = columns,
                     .cells = cells};
    grow_all(&canopy, generator);
}
