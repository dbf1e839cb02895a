/*
 * Cave entrances: round patches in which tunnels break through the ground.
 *
 * Elsewhere the ground keeps a roof of three blocks above tunnels, so that caves open only at
 * cliffs. Each square of the world may have one patch. Only blocks above sea level are opened, so
 * no water is involved.
 */
#include "voxel/generate/terrain.h"

#include <string.h>

#define SQUARE 64
#define SQUARE_BITS 6
/* Number of squares, out of 256, that have a patch. */
#define CHANCE 160
/* Radius of the roofless area, in blocks. */
#define MIN_RADIUS 8
#define MAX_RADIUS 13
/* Margin around it without trees and villages, because trunks and foundations are wider and deeper
 * than one column. */
#define MARGIN 3

typedef struct Patch {
    int32_t x, z, radius;
} Patch;

/* Returns the patch, which lies inside its square. Radius 0: none. */
static Patch patch_of(uint64_t seed, int32_t square_x, int32_t square_z)
{
    CN_STATIC_ASSERT(SQUARE == 1 << SQUARE_BITS, "shifts below");
    const int32_t inset = MAX_RADIUS + MARGIN;
    const uint32_t range = SQUARE - 2 * (uint32_t)inset;
    const uint64_t dice = cni_voxel_position_hash(seed, 0xE27A, square_x, 0, square_z);
    if ((dice & 255) >= CHANCE)
        return (Patch){0};
    return (Patch){
        .x = square_x * SQUARE + inset + (int32_t)((uint32_t)(dice >> 8 & 0xffff) % range),
        .z = square_z * SQUARE + inset + (int32_t)((uint32_t)(dice >> 24 & 0xffff) % range),
        .radius =
            MIN_RADIUS + (int32_t)((uint32_t)(dice >> 40 & 0xffff) % (MAX_RADIUS - MIN_RADIUS + 1)),
    };
}

static bool is_in_disc(const Patch *patch, int32_t radius, int32_t x, int32_t z)
{
    const int32_t dx = x - patch->x, dz = z - patch->z;
    return dx * dx + dz * dz <= radius * radius;
}

bool cni_voxel_is_near_entrance(const CnGenerator *generator, int32_t x, int32_t z)
{
    if (generator->desc.no_caves)
        return false;
    const Patch patch = patch_of(generator->desc.seed, x >> SQUARE_BITS, z >> SQUARE_BITS);
    return patch.radius > 0 && is_in_disc(&patch, patch.radius + MARGIN, x, z);
}

static CniVoxelEntrance mark_of(const Patch *patch, int32_t ground, int32_t x, int32_t z)
{
    if (!is_in_disc(patch, patch->radius + MARGIN, x, z))
        return CNI_VOXEL_ENTRANCE_NONE;
    if (!is_in_disc(patch, patch->radius, x, z) || ground <= CN_SEA_LEVEL)
        return CNI_VOXEL_ENTRANCE_NEAR;
    return CNI_VOXEL_ENTRANCE_ROOFLESS;
}

/* For blocks above sea level; those below keep their roof, as elsewhere. */
static bool is_open(const CniVoxelNoiseFields *fields, int32_t x, int32_t z, int32_t ground,
                    int32_t depth)
{
    return (ground - depth > CN_SEA_LEVEL || depth >= CNI_VOXEL_TUNNEL_ROOF) &&
           cni_voxel_is_tunnel(fields, x, ground - depth, z);
}

int32_t cni_voxel_entrance_depth(const CnGenerator *generator, int32_t x, int32_t z, int32_t ground,
                                 int32_t most)
{
    if (generator->desc.no_caves)
        return 0;
    const Patch patch = patch_of(generator->desc.seed, x >> SQUARE_BITS, z >> SQUARE_BITS);
    if (patch.radius == 0 || mark_of(&patch, ground, x, z) != CNI_VOXEL_ENTRANCE_ROOFLESS)
        return 0;
    int32_t depth = 0;
    while (depth < most && is_open(&generator->fields, x, z, ground, depth))
        depth++;
    return depth;
}

static bool mark_patch(const Patch *patch, int32_t x, int32_t z,
                       const CnColumn columns[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                       uint8_t marks[CNI_VOXEL_TERRAIN_TILE_COLUMNS])
{
    const int32_t reach = patch->radius + MARGIN;
    if (patch->radius == 0 || patch->x + reach < x ||
        patch->x - reach >= x + CNI_VOXEL_TERRAIN_TILE || patch->z + reach < z ||
        patch->z - reach >= z + CNI_VOXEL_TERRAIN_TILE)
        return false;
    bool any = false;
    for (int32_t at = 0; at < CNI_VOXEL_TERRAIN_TILE_COLUMNS; at++) {
        const CniVoxelEntrance mark =
            mark_of(patch, columns[at].ground, x + at % CNI_VOXEL_TERRAIN_TILE,
                    z + at / CNI_VOXEL_TERRAIN_TILE);
        if (mark == CNI_VOXEL_ENTRANCE_NONE)
            continue;
        marks[at] = (uint8_t)mark;
        any = true;
    }
    return any;
}

bool cni_voxel_entrances_mark(const CnGenerator *generator, int32_t x, int32_t z,
                              const CnColumn columns[CNI_VOXEL_TERRAIN_TILE_COLUMNS],
                              uint8_t marks[CNI_VOXEL_TERRAIN_TILE_COLUMNS])
{
    bool any = false;
    memset(marks, CNI_VOXEL_ENTRANCE_NONE, CNI_VOXEL_TERRAIN_TILE_COLUMNS);
    if (generator->desc.no_caves)
        return false;
    for (int32_t k = z >> SQUARE_BITS; k <= (z + CNI_VOXEL_TERRAIN_TILE - 1) >> SQUARE_BITS; k++)
        for (int32_t i = x >> SQUARE_BITS; i <= (x + CNI_VOXEL_TERRAIN_TILE - 1) >> SQUARE_BITS;
             i++) {
            const Patch patch = patch_of(generator->desc.seed, i, k);
            any |= mark_patch(&patch, x, z, columns, marks);
        }
    return any;
}

const uint8_t *cni_voxel_chunk_entrances(CnGenerateScratch *scratch, int32_t chunk_x,
                                         int32_t chunk_z)
{
    return cni_voxel_column_entry(scratch, chunk_x, chunk_z)->entrances;
}
