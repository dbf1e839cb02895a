#include "content.h"

#include "game_data.h"
#include "world.h"

#include <cairn/base/hash_map.h>

#include <string.h>

CraftyContent crafty_content_standard(void)
{
    return (CraftyContent){.items = crafty_items_text(),
                           .recipes = crafty_recipes_text(),
                           .block_rules = crafty_block_rules_text(),
                           .creatures = crafty_creatures_text(),
                           .trades = crafty_trades_text()};
}

/* ---- The hash ---- */

#define ADD(hash, value) add_bytes(hash, &(value), sizeof(value))

static void add_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    *hash = cn_hash_bytes(bytes, size, *hash);
}

static void add_text(uint64_t *hash, const char *text)
{
    add_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

static void add_item(uint64_t *hash, const CraftyItems *items, CraftyItem item)
{
    const CraftyItemInfo *info = item ? crafty_items_info(items, item) : NULL;
    add_text(hash, info ? info->name : NULL);
}

static void add_block(uint64_t *hash, const CnBlockInfo *info)
{
    add_text(hash, info->name);
    add_text(hash, info->title);
    const uint16_t tiles[] = {info->side, info->bottom, info->top, info->front};
    const uint8_t bytes[] = {info->facing,         info->tint[0],     info->tint[1],
                             info->tint[2],        info->material,    info->surface,
                             info->appearance,     info->light_level, info->light_loss,
                             info->emits_light,    info->collidable,  info->placeable,
                             info->replaceable,    info->stacks,      info->stands_on_water,
                             info->is_placeholder, info->climbable};
    const float numbers[] = {info->hardness,       info->light_color[0],  info->light_color[1],
                             info->light_color[2], info->light_intensity, info->light_radius};
    ADD(hash, tiles);
    ADD(hash, bytes);
    ADD(hash, numbers);
    ADD(hash, info->color);
    if (info->slots)
        ADD(hash, info->slots);
    for (uint32_t i = 0; info->shape && i < info->shape->count; i++)
        ADD(hash, info->shape->boxes[i]);
}

static void add_item_info(uint64_t *hash, const CraftyItems *items, const CraftyItemInfo *info)
{
    const uint16_t numbers[] = {info->block, info->stack_max,  info->tool,    info->tier,
                                info->food,  info->durability, info->is_known};
    add_text(hash, info->name);
    add_text(hash, info->title);
    add_text(hash, info->tile);
    ADD(hash, numbers);
    ADD(hash, info->fuel_seconds);
    add_item(hash, items, info->remainder);
}

static void add_recipe(uint64_t *hash, const CraftyRecipes *recipes, const CraftyItems *items,
                       const CraftyRecipe *recipe)
{
    const uint32_t numbers[] = {recipe->kind,   recipe->width,
                                recipe->height, recipe->ingredient_count,
                                recipe->count,  recipe->ticks};
    add_text(hash, recipe->name);
    ADD(hash, numbers);
    add_item(hash, items, recipe->result);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        add_text(hash, crafty_ingredient_group(recipes, recipe->cells[i]));
        uint32_t count = crafty_ingredient_count(recipes, recipe->cells[i]);
        ADD(hash, count);
        for (uint32_t k = 0; k < count; k++)
            add_item(hash, items, crafty_ingredient_at(recipes, recipe->cells[i], k));
    }
}

static void add_rule(uint64_t *hash, const CraftyItems *items, const CraftyBlockRule *rule)
{
    const uint8_t bytes[] = {rule->tool, rule->tier, rule->drops_one, rule->drop_count};
    ADD(hash, bytes);
    add_item(hash, items, rule->when_shorn);
    for (uint32_t i = 0; i < rule->drop_count; i++) {
        const uint16_t numbers[] = {rule->drops[i].min, rule->drops[i].max, rule->drops[i].chance};
        add_item(hash, items, rule->drops[i].item);
        ADD(hash, numbers);
    }
}

static void add_spawn(uint64_t *hash, const CraftyCreatureSpawn *spawn)
{
    const uint32_t numbers[] = {spawn->habitat, spawn->biomes,    spawn->low,        spawn->high,
                                spawn->family,  spawn->light_low, spawn->light_high, spawn->cap,
                                spawn->by_day,  spawn->by_night};
    ADD(hash, numbers);
    ADD(hash, spawn->chance);
    ADD(hash, spawn->family_chance);
}

static void add_behaviours(uint64_t *hash, const CraftyCreatureKind *kind)
{
    for (uint32_t i = 0; i < kind->behaviour_count; i++) {
        const CraftyBehaviour *each = &kind->behaviours[i];
        const float numbers[] = {(float)each->kind, each->speed, each->distance, each->seconds,
                                 each->chance};
        ADD(hash, numbers);
    }
}

static void add_creature(uint64_t *hash, const CraftyItems *items, const CraftyCreatureKind *kind)
{
    const uint32_t numbers[] = {kind->number,      kind->medium,     kind->is_hostile,
                                kind->opens_doors, kind->is_shorn,   kind->food_count,
                                kind->gift_count,  kind->prey_count, kind->drop_count};
    const float sizes[] = {kind->width,         kind->height,       kind->baby_scale,
                           kind->eye,           kind->health,       kind->speed,
                           kind->damage,        kind->reach,        kind->attack_seconds,
                           kind->voice_seconds, kind->grow_seconds, kind->tame_chance,
                           kind->egg_seconds};
    add_text(hash, kind->name);
    add_text(hash, kind->title);
    add_text(hash, kind->model);
    add_text(hash, kind->sound);
    ADD(hash, numbers);
    ADD(hash, sizes);
    for (uint32_t i = 0; i < kind->food_count; i++)
        add_item(hash, items, kind->foods[i]);
    for (uint32_t i = 0; i < kind->gift_count; i++)
        add_item(hash, items, kind->gifts[i]);
    add_bytes(hash, kind->prey, kind->prey_count * sizeof kind->prey[0]);
    add_item(hash, items, kind->wool);
    add_item(hash, items, kind->egg);
    for (uint32_t i = 0; i < kind->drop_count; i++) {
        const uint8_t range[] = {kind->drops[i].low, kind->drops[i].high};
        add_item(hash, items, kind->drops[i].item);
        ADD(hash, range);
        ADD(hash, kind->drops[i].chance);
    }
    add_spawn(hash, &kind->spawn);
    add_behaviours(hash, kind);
}

static void add_offer(uint64_t *hash, const CraftyItems *items, const CraftyOffer *offer)
{
    const uint8_t bytes[] = {offer->number, offer->stock, offer->cost_count};
    ADD(hash, bytes);
    for (uint32_t i = 0; i < offer->cost_count; i++) {
        add_item(hash, items, offer->costs[i].item);
        ADD(hash, offer->costs[i].count);
    }
    add_item(hash, items, offer->result.item);
    ADD(hash, offer->result.count);
}

static void add_creatures(uint64_t *hash, const CraftyWorld *world)
{
    const CraftyCreatureKinds *kinds = crafty_world_creatures(world);
    const CnBlockTable *blocks = crafty_world_blocks(world);
    for (uint32_t i = 0; i < crafty_creature_kinds_count(kinds); i++)
        add_creature(hash, crafty_world_items(world), crafty_creature_kind_at(kinds, i));
    for (uint32_t i = 0; i < blocks->count; i++) {
        bool is_flower = crafty_creature_flower(kinds, (CnBlock)i);
        ADD(hash, is_flower);
    }
}

uint64_t crafty_content_hash(const CraftyWorld *world)
{
    uint64_t hash = 0;
    const CnBlockTable *blocks = crafty_world_blocks(world);
    const CraftyItems *items = crafty_world_items(world);
    const CraftyRecipes *recipes = crafty_world_recipes(world);
    const CraftyTrades *trades = crafty_world_trades(world);
    for (uint32_t i = 0; i < blocks->count; i++)
        add_block(&hash, &blocks->info[i]);
    for (uint32_t i = 0; i < crafty_items_count(items); i++)
        add_item_info(&hash, items, crafty_items_info(items, crafty_items_at(items, i)));
    for (uint32_t i = 0; i < crafty_recipes_count(recipes); i++)
        add_recipe(&hash, recipes, items, crafty_recipes_at(recipes, i));
    for (uint32_t i = 0; i < blocks->count; i++)
        add_rule(&hash, items, crafty_block_rule(crafty_world_block_rules(world), (CnBlock)i));
    add_creatures(&hash, world);
    for (uint32_t p = 0; p < CRAFTY_PROFESSION_COUNT; p++)
        for (uint32_t i = 0; i < crafty_trades_count(trades, (CraftyProfession)p); i++)
            add_offer(&hash, items, crafty_trades_at(trades, (CraftyProfession)p, i));
    const uint64_t features = crafty_features_hash(crafty_world_features(world));
    if (features)
        ADD(&hash, features);
    const uint64_t weather = crafty_weather_kinds_hash(crafty_world_weather(world));
    if (weather)
        ADD(&hash, weather);
    return hash;
}
