#include "harvest.h"

#include "drops.h"
#include "player.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#define WRONG_TOOL (10.0f / 3) /* of the time by hand */
#define SHEARS_SPEED 5.0f
#define SWORD_SPEED 1.5f

/* Returns NULL for the hand. */
static const CraftyItemInfo *info_of(const CnWorld *world, CraftyStack held)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    return crafty_stack_is_empty(held) ? NULL : crafty_items_info(items, held.item);
}

/* ---- Time ---- */

static float speed_of(const CraftyItemInfo *held)
{
    static const float speeds[CRAFTY_TIER_COUNT] = {
        [CRAFTY_TIER_HAND] = 1, [CRAFTY_TIER_WOOD] = 2,  [CRAFTY_TIER_STONE] = 4,
        [CRAFTY_TIER_IRON] = 6, [CRAFTY_TIER_GOLD] = 12, [CRAFTY_TIER_DIAMOND] = 8};
    if (held->tool == CRAFTY_TOOL_SHEARS)
        return SHEARS_SPEED;
    if (held->tool == CRAFTY_TOOL_SWORD)
        return SWORD_SPEED;
    return speeds[held->tier < CRAFTY_TIER_COUNT ? held->tier : CRAFTY_TIER_HAND];
}

float crafty_harvest_ms(const CnWorld *world, CnBlock block, CraftyStack held)
{
    const CnBlockTable *blocks = cn_voxels_blocks(cn_resource(world, CraftyBlocks)->voxels);
    const CraftyBlockRules *rules = cn_resource(world, CraftyItemList)->block_rules;
    const CraftyItemInfo *info = info_of(world, held);
    float ms = cn_block_break_ms(blocks, block);
    if (!rules || ms <= 0)
        return ms;
    const CraftyBlockRule *rule = crafty_block_rule(rules, block);
    if (!crafty_block_rule_allows(rule, info))
        ms *= WRONG_TOOL;
    return info && rule->tool != CRAFTY_TOOL_NONE && info->tool == rule->tool ? ms / speed_of(info)
                                                                              : ms;
}

/* ---- Drops ---- */

CraftyItem crafty_harvest_item(const CnWorld *world, CnBlock block)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    const CraftyBlockFamilies *families = cn_resource(world, CraftyBlocks)->families;
    CraftyItem item = crafty_items_of_block(items, block);
    if (item == CRAFTY_NO_ITEM && families)
        item = crafty_items_of_block(items, crafty_block_of_item(families, block));
    return item;
}

void crafty_drop_or_give(CnWorld *world, CnEntity player, CnCell cell, CraftyStack stack)
{
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    if (crafty_drop_or_keep(world, cell, own ? own->player : 0, &stack))
        return;
    CraftyDropCounts *counts = cn_resource_mut(world, CraftyDropCounts);
    if (counts->vanished_items == 0)
        CN_LOG_WARNING("crafty", "%u items at %d, %d, %d are lost: the world has %u drops already",
                       stack.count, cell.x, cell.y, cell.z, CRAFTY_MAX_DROP_ENTITIES);
    counts->vanished_items += stack.count;
}

/* Depends on nothing but what is broken, where and when. */
static uint64_t random_of(const CnWorld *world, CnCell cell, CnBlock block)
{
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    const uint32_t words[] = {(uint32_t)cell.x, (uint32_t)cell.y, (uint32_t)cell.z, block,
                              info ? (uint32_t)info->tick : 0};
    return cn_hash_bytes(words, sizeof words, 1);
}

void crafty_harvest_drop(CnWorld *world, CnEntity player, CnCell cell, CnBlock block,
                         CraftyStack held)
{
    const CraftyBlockRules *rules = cn_resource(world, CraftyItemList)->block_rules;
    CraftyBlockDrop drops[CRAFTY_BLOCK_MAX_DROPS] = {
        {.item = crafty_harvest_item(world, block), .min = 1}};
    uint32_t count = drops[0].item != CRAFTY_NO_ITEM;
    if (rules)
        count = crafty_block_drops(rules, block, info_of(world, held),
                                   random_of(world, cell, block), drops);
    for (uint32_t i = 0; i < count; i++)
        crafty_drop_or_give(world, player, cell,
                            (CraftyStack){.item = drops[i].item, .count = drops[i].min});
}
