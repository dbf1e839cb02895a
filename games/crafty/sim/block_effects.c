#include "block_effects.h"

#include "player.h"

#include <string.h>

static bool begins_with(const char *name, const char *start)
{
    return !strncmp(name, start, strlen(start));
}

static uint8_t effects_of(const CnBlockInfo *info)
{
    const char *name = info->name;
    if (info->climbable)
        return CRAFTY_BLOCK_CLIMBS;
    if (!strcmp(name, "magma"))
        return CRAFTY_BLOCK_HEATS;
    if (!strcmp(name, "cactus"))
        return CRAFTY_BLOCK_STINGS;
    if (begins_with(name, "lava") || !strcmp(name, "fire") || begins_with(name, "fire_"))
        return CRAFTY_BLOCK_BURNS;
    return strstr(name, "_bed_") ? CRAFTY_BLOCK_IS_BED : 0;
}

uint8_t crafty_block_effects(const CnWorld *world, CnBlock block)
{
    const CraftyBlockEffects *table = cn_resource(world, CraftyBlockEffects);
    return table && block <= CN_BLOCK_MAX ? table->effects[block] : 0;
}

uint8_t crafty_block_effects_at(const CnWorld *world, CnCell cell)
{
    return crafty_block_effects(world,
                                cn_voxels_get(cn_resource(world, CraftyBlocks)->voxels, cell));
}

bool crafty_block_effects_add(CnWorld *world, const CnBlockTable *blocks, CnError *error)
{
    CnComponentDesc desc = {.type = &cn_type_CraftyBlockEffects, .flags = CN_COMPONENT_TRANSIENT};
    CnComponent component = cn_component_register(world, &desc, error);
    if (!component.id)
        return false;
    CraftyBlockEffects table = {{0}};
    for (uint32_t i = 0; i < blocks->count && i <= CN_BLOCK_MAX; i++)
        if (cn_block_exists(blocks, (CnBlock)i))
            table.effects[i] = effects_of(&blocks->info[i]);
    return cn_resource_set_value(world, component, &table) ||
           cn_error_memory(error, "the effects of blocks");
}
