/*
 * Caves: large caverns, rooms ("cheese") and two networks of tunnels, each where two noise fields
 * are near zero. The ground keeps a roof above caves, thicker for wider ones; at entrances tunnels
 * need none.
 *
 * The fields are stationary noise. Perlin noise is 0 at every lattice point, which would give
 * tunnels straight shafts and corridors along the lattice lines (23 % air there, 13 % elsewhere).
 */
#include "voxel/generate/terrain.h"

#include <cairn/base/cpu.h>

#include <string.h>

/* Scales are given for Perlin noise, in blocks per cell; a cell of stationary noise is 0.77 times
 * as large. */
#define CELL(scale) ((scale)*0.77f)

/* A room is where a field exceeds its threshold; `roof` is the minimum depth below the ground. The
 * thresholds select the same fractions, 0.36 % and 1.08 %, as 0.65 and 0.58 do for Perlin noise. */
typedef struct Rooms {
    float cell, threshold;
    int16_t roof;
} Rooms;
static const Rooms caverns = {CELL(200), 0.71f, 24}, cheese = {CELL(60), 0.61f, 8};

/* A tunnel is where both fields are near zero. One field is flatter than wide, so that tunnels are
 * mostly horizontal. The lattices of a pair are offset by half a cell (`shift`, in blocks) to even
 * out remaining differences between lattice points and cell centers. */
static const struct {
    float cell[2][3];
    float width;
    int32_t shift;
} tunnels[2] = {
    {{{CELL(24), CELL(24), CELL(24)}, {CELL(24), CELL(14), CELL(24)}}, 0.10f, 9},
    {{{CELL(28), CELL(18), CELL(28)}, {CELL(28), CELL(28), CELL(28)}}, 0.08f, 11},
};

/* ---- Minimum depth at which a block is open; NEVER: solid ---- */

#define NEVER INT16_MAX

CN_SIMD_DISPATCH(open_above,
                 (uint32_t count, const float *restrict field, float threshold, int16_t roof,
                  int16_t *restrict open),
                 (count, field, threshold, roof, open))
{
    for (uint32_t i = 0; i < count; i++) {
        const int16_t from = field[i] > threshold ? roof : NEVER;
        open[i] = from < open[i] ? from : open[i];
    }
}

CN_SIMD_DISPATCH(open_near_zero,
                 (uint32_t count, const float *restrict a, const float *restrict b, float width,
                  int16_t *restrict open),
                 (count, a, b, width, open))
{
    for (uint32_t i = 0; i < count; i++) {
        const float from_zero_a = __builtin_fabsf(a[i]), from_zero_b = __builtin_fabsf(b[i]);
        const float farther = from_zero_a > from_zero_b ? from_zero_a : from_zero_b;
        const int16_t from = farther < width ? CNI_VOXEL_TUNNEL_ROOF : NEVER;
        open[i] = from < open[i] ? from : open[i];
    }
}

/* Carves `rows` rows of one slice, starting at y = `bottom`. */
CN_SIMD_DISPATCH(carve_slice,
                 (const int16_t *restrict ground, uint32_t rows, int32_t bottom,
                  const int16_t *restrict open, CnBlock *restrict blocks),
                 (ground, rows, bottom, open, blocks))
{
    for (uint32_t j = 0; j < rows; j++) {
        const int16_t y = (int16_t)(bottom + (int32_t)j);
        for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE; i++) {
            const uint32_t at = i + CNI_VOXEL_TERRAIN_TILE * j;
            const int16_t depth = (int16_t)(ground[i] - y);
            blocks[at] = depth >= open[at] ? CN_BLOCK_AIR : blocks[at];
        }
    }
}

/* Carves a slice in which some columns have no roof. Blocks next to water keep theirs. */
CN_SIMD_DISPATCH(carve_entrance_slice,
                 (const int16_t *restrict ground, const int16_t *restrict roof, uint32_t rows,
                  int32_t bottom, const int16_t *restrict open, CnBlock *restrict blocks),
                 (ground, roof, rows, bottom, open, blocks))
{
    for (uint32_t j = 0; j < rows; j++) {
        const int16_t y = (int16_t)(bottom + (int32_t)j);
        const int16_t lifted = y > CN_SEA_LEVEL ? CNI_VOXEL_TUNNEL_ROOF : NEVER - 1;
        for (uint32_t i = 0; i < CNI_VOXEL_TERRAIN_TILE; i++) {
            const uint32_t at = i + CNI_VOXEL_TERRAIN_TILE * j;
            const int16_t depth = (int16_t)(ground[i] - y);
            const int16_t least = open[at] == lifted ? roof[i] : open[at];
            blocks[at] = depth >= least ? CN_BLOCK_AIR : blocks[at];
        }
    }
}

static void sample(const CnNoise *noise, CnNoiseGrid grid, const float scale[3], float *out)
{
    memcpy(grid.scale, scale, sizeof grid.scale);
    cn_noise_grid(noise, &grid, out);
}

/* Rooms are rare: for most chunks the bounds of the noise already exclude them. */
static void open_rooms(const CnNoise *noise, const Rooms *rooms, CnNoiseGrid grid,
                       CniVoxelCarving *carving)
{
    const uint32_t count = grid.count[0] * grid.count[1] * grid.count[2];
    const float scale[3] = {rooms->cell, rooms->cell, rooms->cell};
    memcpy(grid.scale, scale, sizeof grid.scale);
    if (cn_noise_range(noise, &grid).high <= rooms->threshold)
        return;
    sample(noise, grid, scale, carving->field[0]);
    open_above(count, carving->field[0], rooms->threshold, rooms->roof, carving->open);
}

static bool is_near_zero(const CnNoise *noise, const float cell[3], float width, int32_t x,
                         int32_t y, int32_t z)
{
    const float n = cn_noise_at(noise, (double)x / (double)cell[0], (double)y / (double)cell[1],
                                (double)z / (double)cell[2]);
    return __builtin_fabsf(n) < width;
}

bool cni_voxel_is_tunnel(const CniVoxelNoiseFields *fields, int32_t x, int32_t y, int32_t z)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(tunnels); i++) {
        const int32_t shift = tunnels[i].shift;
        if (is_near_zero(&fields->tunnels[i][0], tunnels[i].cell[0], tunnels[i].width, x, y, z) &&
            is_near_zero(&fields->tunnels[i][1], tunnels[i].cell[1], tunnels[i].width, x + shift, y,
                         z + shift))
            return true;
    }
    return false;
}

void cni_voxel_caves_carve(const CniVoxelNoiseFields *fields, const CniVoxelGround *ground,
                           CnChunkPos position, CniVoxelCarving *carving,
                           CnBlock blocks[CN_CHUNK_BLOCKS])
{
    const int32_t chunk_bottom = position.y * CN_CHUNK_SIZE;
    const uint32_t skipped = chunk_bottom == CN_WORLD_BOTTOM; /* keep the bedrock */
    const int32_t bottom = chunk_bottom + (int32_t)skipped;
    const int32_t roof = ground->has_entrance ? 0 : CNI_VOXEL_TUNNEL_ROOF;
    const int32_t height = ground->highest - roof - bottom + 1;
    if (height <= 0)
        return;
    const uint32_t most = CN_CHUNK_SIZE - skipped;
    const uint32_t rows = (uint32_t)height < most ? (uint32_t)height : most;
    const CnNoiseGrid grid = {.x = position.x * CN_CHUNK_SIZE,
                              .y = bottom,
                              .z = position.z * CN_CHUNK_SIZE,
                              .count = {CN_CHUNK_SIZE, rows, CN_CHUNK_SIZE}};
    const uint32_t count = CNI_VOXEL_TERRAIN_TILE_COLUMNS * rows;
    for (uint32_t i = 0; i < count; i++)
        carving->open[i] = NEVER;
    open_rooms(&fields->caverns, &caverns, grid, carving);
    open_rooms(&fields->cheese, &cheese, grid, carving);
    for (uint32_t i = 0; i < CN_COUNT_OF(tunnels); i++) {
        CnNoiseGrid shifted = grid;
        shifted.x += tunnels[i].shift;
        shifted.z += tunnels[i].shift;
        sample(&fields->tunnels[i][0], grid, tunnels[i].cell[0], carving->field[0]);
        sample(&fields->tunnels[i][1], shifted, tunnels[i].cell[1], carving->field[1]);
        open_near_zero(count, carving->field[0], carving->field[1], tunnels[i].width,
                       carving->open);
    }
    for (uint32_t k = 0; k < CN_CHUNK_SIZE; k++) {
        const int16_t *open = &carving->open[CNI_VOXEL_TERRAIN_TILE * rows * k];
        CnBlock *slice =
            &blocks[CNI_VOXEL_TERRAIN_TILE_COLUMNS * k + CNI_VOXEL_TERRAIN_TILE * skipped];
        if (ground->has_entrance)
            carve_entrance_slice(&ground->ground[CNI_VOXEL_TERRAIN_TILE * k],
                                 &ground->roof[CNI_VOXEL_TERRAIN_TILE * k], rows, bottom, open,
                                 slice);
        else
            carve_slice(&ground->ground[CNI_VOXEL_TERRAIN_TILE * k], rows, bottom, open, slice);
    }
}
