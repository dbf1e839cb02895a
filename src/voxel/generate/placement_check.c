/* Checks what a game says about its placements, and computes how many there can be. */
#include "voxel/generate/placement.h"

#include <cairn/base/assert.h>

/* More would make columns of chunks slow and the memory of scratches large. */
#define MAX_IN_COLUMN 1024u
#define MAX_NEAR 4096u
#define MIN_STRUCTURE_SPACING 16u

static bool fail(CnError *error, const CnPlacement *placement, const char *what, uint32_t most)
{
    return cn_error_set(error, CN_ERROR_LIMIT, "%s: %s (%u)", placement->name, what, most);
}

static uint32_t widest(const CnPlacement *placement)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < placement->pattern_count; i++) {
        const CnPattern *pattern = &placement->patterns[i];
        most = pattern->width > most ? pattern->width : most;
        most = pattern->depth > most ? pattern->depth : most;
    }
    return most;
}

static bool check_patterns(const CnPlacement *placement, CnError *error)
{
    const uint32_t most =
        placement->is_structure ? CN_STRUCTURE_MAX_WIDTH : CN_DECORATION_MAX_WIDTH;
    if (placement->pattern_count == 0 || placement->pattern_count > CN_PLACEMENT_MAX_PATTERNS)
        return fail(error, placement, "there must be at least one pattern, and at most so many",
                    CN_PLACEMENT_MAX_PATTERNS);
    for (uint32_t i = 0; i < placement->pattern_count; i++) {
        const CnPattern *pattern = &placement->patterns[i];
        if (!pattern->width || !pattern->height || !pattern->depth || !pattern->weight)
            return fail(error, placement, "a pattern is empty or has no weight; it is number", i);
        if (pattern->width > most || pattern->depth > most)
            return fail(error, placement, "a pattern is too wide; blocks at most", most);
        if (pattern->height > CN_PATTERN_MAX_HEIGHT)
            return fail(error, placement, "a pattern is too high; blocks at most",
                        CN_PATTERN_MAX_HEIGHT);
        if (placement->sunk > pattern->height)
            return fail(error, placement, "more layers are sunk than a pattern has",
                        pattern->height);
    }
    return true;
}

static bool check_one(const CnPlacement *placement, CnError *error)
{
    const uint32_t spacing = placement->spacing;
    if (spacing == 0 || spacing > CN_PLACEMENT_MAX_SPACING)
        return fail(error, placement, "the spacing must be at least 1 and at most",
                    CN_PLACEMENT_MAX_SPACING);
    if (placement->separation >= spacing)
        return fail(error, placement, "the separation must be less than the spacing", spacing);
    if (placement->chance > CN_PLACEMENT_ALWAYS)
        return fail(error, placement, "the chance is too large", CN_PLACEMENT_ALWAYS);
    if (placement->on_count > CN_PLACEMENT_MAX_NAMES)
        return fail(error, placement, "too many blocks of the ground", CN_PLACEMENT_MAX_NAMES);
    if (!check_patterns(placement, error))
        return false;
    if (!placement->is_structure)
        return true;
    if (spacing < MIN_STRUCTURE_SPACING)
        return fail(error, placement, "the spacing of a structure must be at least",
                    MIN_STRUCTURE_SPACING);
    return placement->separation >= widest(placement) ||
           fail(error, placement,
                "the separation of a structure must be at least the width of its patterns",
                widest(placement));
}

bool cn_placements_check(const CnPlacement *placements, uint32_t count, CnError *error)
{
    CN_ASSERT(placements || count == 0, "%s: placements is NULL", __func__);
    if (count > CN_PLACEMENT_MAX)
        return cn_error_set(error, CN_ERROR_LIMIT, "there are %u placements, at most %u are drawn",
                            count, CN_PLACEMENT_MAX);
    for (uint32_t i = 0; i < count; i++) {
        if (!check_one(&placements[i], error))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (placements[k].salt == placements[i].salt)
                return cn_error_set(error, CN_ERROR_EXISTS, "%s has the salt of %s",
                                    placements[i].name, placements[k].name);
    }
    const CniVoxelPlacedLimits limits = cni_voxel_placed_limits(placements, count);
    if (limits.column <= MAX_IN_COLUMN && limits.near <= MAX_NEAR)
        return true;
    return cn_error_set(error, CN_ERROR_LIMIT,
                        "%s: all decorations and structures together are too dense: %u may reach "
                        "into a column of chunks, at most %u",
                        placements[count - 1].name, limits.column, MAX_IN_COLUMN);
}

/* Returns the greatest number of squares that a stretch of blocks touches. */
static uint32_t squares(uint32_t blocks, uint32_t spacing)
{
    return (blocks + spacing - 2) / spacing + 1;
}

CniVoxelPlacedLimits cni_voxel_placed_limits(const CnPlacement *placements, uint32_t count)
{
    CniVoxelPlacedLimits limits = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t width = widest(&placements[i]), spacing = placements[i].spacing;
        const uint32_t own = squares(CN_CHUNK_SIZE + width, spacing);
        const uint32_t around =
            squares(CN_CHUNK_SIZE + 2 * (CNI_VOXEL_PLACED_MARGIN + CN_STRUCTURE_MAX_WIDTH) + width,
                    spacing);
        limits.column += own * own;
        limits.near += placements[i].is_structure ? around * around : 0;
    }
    return limits;
}
