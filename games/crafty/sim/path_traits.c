/* What blocks mean to walkers. */
#include "path_find.h"

#include "path_internal.h"

#include <string.h>

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), tail = strlen(end);
    return size >= tail && strcmp(name + size - tail, end) == 0;
}

static bool hurts(const char *name)
{
    return !strcmp(name, "magma") || !strcmp(name, "cactus") || !strncmp(name, "lava", 4) ||
           !strncmp(name, "fire", 4);
}

static uint8_t door_traits(const CraftyBlockFamilies *families, CnBlock block)
{
    if (!families || crafty_block_kind(families, block) != CRAFTY_KIND_DOOR)
        return 0;
    return crafty_block_is_open(families, block) ? CRAFTY_PATH_OPEN_DOOR : CRAFTY_PATH_DOOR;
}

static uint8_t traits_of(const CnBlockTable *blocks, const CraftyBlockFamilies *families,
                         CnBlock block)
{
    const CnBlockInfo *info = &blocks->info[block];
    uint8_t flags = blocks->flags[block], traits = door_traits(families, block);
    if (flags & CN_BLOCK_IS_WATER)
        traits |= CRAFTY_PATH_WATER;
    if (flags & CN_BLOCK_COLLIDES)
        traits |= cn_block_shape(blocks, block) ? CRAFTY_PATH_SHAPED : CRAFTY_PATH_SOLID;
    if (hurts(info->name))
        traits |= CRAFTY_PATH_HURTS;
    if (info->climbable)
        traits |= CRAFTY_PATH_LADDER;
    if ((strstr(info->name, "_fence") && (flags & CN_BLOCK_COLLIDES)) ||
        ends_with(info->name, "_wall"))
        traits |= CRAFTY_PATH_FENCE;
    return traits;
}

CraftyPathTraits *crafty_path_traits_create(CnAllocator *allocator, const CnBlockTable *blocks,
                                            const CraftyBlockFamilies *families, CnError *error)
{
    CraftyPathTraits *traits = cn_alloc_zeroed(allocator, sizeof *traits);
    if (!traits) {
        cn_error_memory(error, "the traits of blocks");
        return NULL;
    }
    traits->allocator = allocator;
    /* Blocks outside of the search, and those that nothing registered, stop everybody. */
    memset(traits->traits, CRAFTY_PATH_SOLID, sizeof traits->traits);
    for (uint32_t i = 0; i < blocks->count && i <= CN_BLOCK_MAX; i++)
        if (cn_block_exists(blocks, (CnBlock)i))
            traits->traits[i] = traits_of(blocks, families, (CnBlock)i);
    return traits;
}

void crafty_path_traits_destroy(CraftyPathTraits *traits)
{
    if (traits)
        cn_free(traits->allocator, traits, sizeof *traits);
}

uint8_t crafty_path_traits_of(const CraftyPathTraits *traits, CnBlock block)
{
    return traits->traits[block];
}
