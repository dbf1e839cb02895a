/*
 * Which candidates of placements stand. Whether one does is a function of the seed and its square
 * alone: structures that overlap are decided by their order, without regard to whether the earlier
 * one gives way to a third.
 */
#include "voxel/generate/placement.h"
#include "voxel/generate/terrain.h"
#include "voxel/generate/village.h"

#include <cairn/base/assert.h>

#define SAMPLE 4 /* blocks between the columns of the area whose ground is compared */

typedef struct Site {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    const CnPlacement *placement;
    uint16_t number; /* of the placement */
} Site;

static const CnColumn *column_at(const Site *site, int32_t x, int32_t z)
{
    const CnColumn *columns =
        cni_voxel_generate_chunk_columns(site->generator, site->scratch, x >> 4, z >> 4);
    return &columns[(x & 15) + 16 * (z & 15)];
}

/* ---- Candidates ---- */

static uint16_t choose_pattern(const CnPlacement *placement, uint64_t dice)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < placement->pattern_count; i++)
        sum += placement->patterns[i].weight;
    uint32_t left = (uint32_t)((dice >> 32) * sum >> 32), i = 0;
    for (; left >= placement->patterns[i].weight; i++)
        left -= placement->patterns[i].weight;
    return (uint16_t)i;
}

/* The candidate of a square, without its height. Returns false if chance is against it. */
static bool roll(const Site *site, int32_t i, int32_t k, CniVoxelPlaced *placed)
{
    const CnPlacement *placement = site->placement;
    const uint64_t seed = cn_generator_seed(site->generator);
    const uint64_t dice = cni_voxel_position_hash(seed, placement->salt, i, 0x91ACE, k);
    const uint32_t room = (uint32_t)placement->spacing - placement->separation;
    if ((dice >> 48) >= placement->chance)
        return false;
    placed->placement = site->number;
    placed->pattern =
        choose_pattern(placement, cni_voxel_position_hash(seed, placement->salt, i, 0x9A77E, k));
    placed->x = placement->spacing * i + (int32_t)((dice & 0xFFFFFF) * room >> 24);
    placed->z = placement->spacing * k + (int32_t)((dice >> 24 & 0xFFFFFF) * room >> 24);
    return true;
}

static const CnPattern *pattern_of(const CnPlacement *placements, const CniVoxelPlaced *placed)
{
    return &placements[placed->placement].patterns[placed->pattern];
}

static bool is_on(const CnPlacement *placement, const CnColumn *column)
{
    if (column->underwater || column->ground < placement->lowest ||
        column->ground > placement->highest ||
        (placement->biomes && !(placement->biomes >> column->biome & 1)))
        return false;
    for (uint32_t i = 0; i < placement->on_count; i++)
        if (placement->on[i] == column->top)
            return true;
    return placement->on_count == 0;
}

/* Returns false if the ground of the area is too uneven, under water or open. */
static bool fit_ground(const Site *site, const CnPattern *pattern, CniVoxelPlaced *placed)
{
    int32_t low = INT16_MAX, high = INT16_MIN, sum = 0, count = 0;
    for (int32_t v = 0; v < pattern->depth + SAMPLE - 1; v += SAMPLE) {
        for (int32_t u = 0; u < pattern->width + SAMPLE - 1; u += SAMPLE) {
            int32_t x = placed->x + (u < pattern->width ? u : pattern->width - 1);
            int32_t z = placed->z + (v < pattern->depth ? v : pattern->depth - 1);
            const CnColumn *column = column_at(site, x, z);
            if (column->underwater || cni_voxel_is_near_entrance(site->generator, x, z))
                return false;
            low = column->ground < low ? column->ground : low;
            high = column->ground > high ? column->ground : high;
            if (high - low > site->placement->unevenness)
                return false;
            sum += column->ground - CN_WORLD_BOTTOM;
            count++;
        }
    }
    placed->y = (int16_t)(CN_WORLD_BOTTOM + (sum + count / 2) / count);
    return true;
}

/* Tests everything but other structures. */
static bool stands(const Site *site, CniVoxelPlaced *placed)
{
    const CnPlacement *placement = site->placement;
    const CnPattern *pattern = &placement->patterns[placed->pattern];
    const int32_t x = placed->x + pattern->width / 2, z = placed->z + pattern->depth / 2;
    const CnColumn *middle = column_at(site, x, z);
    if (!is_on(placement, middle) || cni_voxel_is_near_entrance(site->generator, x, z))
        return false;
    placed->y = middle->ground;
    if (placement->unevenness < UINT8_MAX && !fit_ground(site, pattern, placed))
        return false;
    placed->y = (int16_t)(placed->y + 1 - placement->sunk);
    return placed->y + pattern->height <= CNI_VOXEL_WORLD_TOP &&
           placed->y > CN_WORLD_BOTTOM + CN_PLACEMENT_FOUNDATION &&
           !cni_voxel_village_occupies(site->generator, site->scratch, placed->x, placed->z,
                                       placed->x + pattern->width - 1,
                                       placed->z + pattern->depth - 1);
}

/* ---- Areas ---- */

/* Returns the distance of an area from a square of blocks; 0 and less: they overlap. */
static int32_t gap(const CnPattern *pattern, const CniVoxelPlaced *placed, int32_t x, int32_t z,
                   int32_t width, int32_t depth)
{
    int32_t left = x - (placed->x + pattern->width - 1), right = placed->x - (x + width - 1);
    int32_t back = z - (placed->z + pattern->depth - 1), front = placed->z - (z + depth - 1);
    int32_t dx = left > right ? left : right, dz = back > front ? back : front;
    return dx > dz ? dx : dz;
}

bool cni_voxel_is_in_structure(const CnPlacement *placements, const CniVoxelPlaced *near,
                               uint32_t near_count, int32_t x, int32_t z, int32_t distance)
{
    for (uint32_t i = 0; i < near_count; i++)
        if (gap(pattern_of(placements, &near[i]), &near[i], x, z, 1, 1) <= distance)
            return true;
    return false;
}

static bool overlaps(const CnPlacement *placements, const CniVoxelPlaced *placed,
                     const CniVoxelPlaced *others, uint32_t count)
{
    const CnPattern *pattern = pattern_of(placements, placed);
    for (uint32_t i = 0; i < count; i++)
        if (others[i].placement != placed->placement &&
            gap(pattern_of(placements, &others[i]), &others[i], placed->x, placed->z,
                pattern->width, pattern->depth) <= 0)
            return true;
    return false;
}

/* ---- Collecting ---- */

static int32_t square_of(int32_t block, int32_t spacing)
{
    return block / spacing - (block % spacing < 0);
}

static int32_t widest_of(const CnPlacement *placement)
{
    int32_t most = 1;
    for (uint32_t i = 0; i < placement->pattern_count; i++) {
        most = placement->patterns[i].width > most ? placement->patterns[i].width : most;
        most = placement->patterns[i].depth > most ? placement->patterns[i].depth : most;
    }
    return most;
}

/* Appends what stands within `margin` of the chunk column, regardless of other structures. */
static uint32_t collect(const Site *site, int32_t chunk_x, int32_t chunk_z, int32_t margin,
                        CniVoxelPlaced *placed, uint32_t count)
{
    const CnPlacement *placement = site->placement;
    const int32_t spacing = placement->spacing, wide = widest_of(placement);
    const int32_t x = chunk_x * CN_CHUNK_SIZE, z = chunk_z * CN_CHUNK_SIZE;
    const int32_t i0 = square_of(x - margin - wide + 1, spacing);
    const int32_t i1 = square_of(x + CN_CHUNK_SIZE - 1 + margin, spacing);
    const int32_t k0 = square_of(z - margin - wide + 1, spacing);
    const int32_t k1 = square_of(z + CN_CHUNK_SIZE - 1 + margin, spacing);
    for (int32_t k = k0; k <= k1; k++)
        for (int32_t i = i0; i <= i1; i++) {
            CniVoxelPlaced *next = &placed[count];
            if (roll(site, i, k, next) &&
                gap(&placement->patterns[next->pattern], next, x, z, CN_CHUNK_SIZE,
                    CN_CHUNK_SIZE) <= margin &&
                stands(site, next))
                count++;
        }
    return count;
}

static Site site_of(CnGenerator *generator, CnGenerateScratch *scratch, uint32_t number)
{
    return (Site){generator, scratch, &generator->desc.placements[number], (uint16_t)number};
}

/* Removes structures that overlap earlier ones; keeps the order. */
static uint32_t drop_overlapping(const CnPlacement *placements, CniVoxelPlaced *near,
                                 uint32_t count)
{
    uint32_t kept = 0;
    /* From the end, so that the earlier ones are still there. */
    for (uint32_t i = count; i-- > 0;)
        if (overlaps(placements, &near[i], near, i))
            near[i].placement = UINT16_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (near[i].placement != UINT16_MAX)
            near[kept++] = near[i];
    return kept;
}

uint32_t cni_voxel_structures_near(CnGenerator *generator, CnGenerateScratch *scratch,
                                   int32_t chunk_x, int32_t chunk_z, CniVoxelPlaced *near)
{
    const CnGeneratorDesc *desc = &generator->desc;
    const int32_t margin = CNI_VOXEL_PLACED_MARGIN + CN_STRUCTURE_MAX_WIDTH;
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < desc->placement_count; i++) {
        const Site site = site_of(generator, scratch, i);
        if (site.placement->is_structure)
            count = collect(&site, chunk_x, chunk_z, margin, near, count);
    }
    count = drop_overlapping(desc->placements, near, count);
    for (uint32_t i = 0; i < count; i++)
        if (gap(pattern_of(desc->placements, &near[i]), &near[i], chunk_x * CN_CHUNK_SIZE,
                chunk_z * CN_CHUNK_SIZE, CN_CHUNK_SIZE, CN_CHUNK_SIZE) <= CNI_VOXEL_PLACED_MARGIN)
            near[kept++] = near[i];
    return kept;
}

uint32_t cni_voxel_placed_collect(CnGenerator *generator, CnGenerateScratch *scratch,
                                  int32_t chunk_x, int32_t chunk_z, const CniVoxelPlaced *near,
                                  uint32_t near_count, CniVoxelPlaced *placed)
{
    const CnGeneratorDesc *desc = &generator->desc;
    uint32_t count = 0;
    for (uint32_t i = 0; i < near_count; i++)
        if (gap(pattern_of(desc->placements, &near[i]), &near[i], chunk_x * CN_CHUNK_SIZE,
                chunk_z * CN_CHUNK_SIZE, CN_CHUNK_SIZE, CN_CHUNK_SIZE) <= 0)
            placed[count++] = near[i];
    for (uint32_t i = 0; i < desc->placement_count; i++) {
        const Site site = site_of(generator, scratch, i);
        if (site.placement->is_structure)
            continue;
        const uint32_t end = collect(&site, chunk_x, chunk_z, 0, placed, count);
        for (uint32_t n = count; n < end; n++)
            if (!overlaps(desc->placements, &placed[n], near, near_count))
                placed[count++] = placed[n];
    }
    return count;
}

bool cn_generate_placed(CnGenerator *generator, CnGenerateScratch *scratch, uint32_t placement,
                        int32_t square_x, int32_t square_z, CnPlaced *found)
{
    CN_ASSERT(scratch && scratch->generator == generator, "the scratch is of another generator");
    CN_ASSERT(placement < generator->desc.placement_count, "there is no placement %u", placement);
    const Site site = site_of(generator, scratch, placement);
    CniVoxelPlaced placed;
    if (!scratch->near || !roll(&site, square_x, square_z, &placed))
        return false;
    const uint32_t count =
        cni_voxel_structures_near(generator, scratch, placed.x >> 4, placed.z >> 4, scratch->near);
    if (!stands(&site, &placed))
        return false;
    bool is_there = !site.placement->is_structure &&
                    !overlaps(generator->desc.placements, &placed, scratch->near, count);
    for (uint32_t i = 0; i < count && site.placement->is_structure; i++)
        is_there |= scratch->near[i].placement == placement && scratch->near[i].x == placed.x &&
                    scratch->near[i].z == placed.z;
    *found = (CnPlaced){{placed.x, placed.y, placed.z}, placed.pattern};
    return is_there;
}
