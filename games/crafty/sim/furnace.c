#include "furnace.h"

#include "player.h"
#include "stack_bytes.h"
#include "systems.h"

#include <string.h>

/* Offsets in the block data. */
enum {
    AT_SLOTS = 0,
    AT_BURN_END = CRAFTY_FURNACE_SLOTS * CRAFTY_STACK_BYTES, /* u64 tick; 0: nothing burns */
    AT_SINCE = AT_BURN_END + 8,      /* u64 tick of `progress`, plus 1; 0: it stands still */
    AT_NEXT = AT_SINCE + 8,          /* u64 tick at which something happens; 0: never */
    AT_BURN_TOTAL = AT_NEXT + 8,     /* u32 ticks */
    AT_PROGRESS = AT_BURN_TOTAL + 4, /* u32 ticks */
    DATA_BYTES = AT_PROGRESS + 4
};

#define LIT "lit_"

/* ---- Blocks ---- */

static bool is_unlit(CnText name)
{
    static const char *const names[] = {"furnace", "furnace_north", "furnace_east", "furnace_south",
                                        "furnace_west"};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        if (cn_text_equal(name, cn_text(names[i])))
            return true;
    return false;
}

static bool is_lit(const char *name)
{
    return strncmp(name, LIT, strlen(LIT)) == 0 && is_unlit(cn_text(name + strlen(LIT)));
}

bool crafty_furnace_is_block(const CnBlockTable *blocks, CnBlock block)
{
    const char *name = cn_block_info(blocks, block)->name;
    return is_lit(name) || is_unlit(cn_text(name));
}

/* Returns the form of a furnace that burns or does not; the block itself if there is no other. */
static CnBlock form_of(const CnBlockTable *blocks, CnBlock block, bool burns)
{
    const char *name = cn_block_info(blocks, block)->name;
    char other[CN_BLOCK_NAME_BYTES];
    if (is_lit(name) == burns)
        return block;
    if (burns)
        cn_format(other, sizeof other, LIT "%s", name);
    else
        cn_copy_text(other, sizeof other, cn_text(name + strlen(LIT)));
    CnBlock found = cn_block_find(blocks, other);
    if (found == CN_BLOCK_NONE) { /* of an older world, which has no front */
        cn_format(other, sizeof other, LIT "%s_north", name);
        found = cn_block_find(blocks, other);
    }
    return found == CN_BLOCK_NONE ? block : found;
}

/* What it looks like is no reason to stop: without memory, it keeps its look until the next time.
 */
static void set_look(CnVoxels *voxels, CnCell cell, bool burns, uint64_t tick)
{
    CnBlock block = cn_voxels_get(voxels, cell);
    CnEdit edit = {.tick = tick,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = form_of(cn_voxels_blocks(voxels), block, burns)};
    if (edit.new_block != block)
        cn_voxels_edit_keeping_data(voxels, &edit, NULL);
}

/* ---- Data ---- */

/* Where furnaces work. */
typedef struct Shop {
    CnVoxels *voxels;
    const CraftyItems *items;
    const CraftyRecipes *recipes;
    uint64_t tick;
} Shop;

static Shop shop_of(const CnWorld *world)
{
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    return (Shop){.voxels = cn_resource(world, CraftyBlocks)->voxels,
                  .items = list->items,
                  .recipes = list->recipes,
                  .tick = info ? info->tick : 0};
}

static bool is_furnace_data(const CnVoxels *voxels, const CnBlockData *data)
{
    return data->size == DATA_BYTES &&
           strcmp(cn_block_data_kind_name(voxels, data->kind), CRAFTY_FURNACE_KIND) == 0;
}

bool crafty_furnace_decode(const CnVoxels *voxels, const CnBlockData *data,
                           CraftyStack slots[CRAFTY_FURNACE_SLOTS])
{
    if (!is_furnace_data(voxels, data))
        return false;
    for (uint32_t i = 0; i < CRAFTY_FURNACE_SLOTS; i++)
        slots[i] = crafty_stack_load(data->bytes + i * CRAFTY_STACK_BYTES);
    return true;
}

static const CraftyRecipe *recipe_of(const Shop *shop, const CraftyFurnace *furnace)
{
    CraftyStack input = furnace->slots[CRAFTY_FURNACE_INPUT];
    return shop->recipes && !crafty_stack_is_empty(input)
               ? crafty_recipes_smelting(shop->recipes, input.item)
               : NULL;
}

/* Values of a damaged file, or of one whose ticks started again, are limited. */
static void decode_state(const Shop *shop, const uint8_t *bytes, CraftyFurnace *furnace)
{
    uint64_t end = cn_load_u64(bytes + AT_BURN_END), since = cn_load_u64(bytes + AT_SINCE);
    const CraftyRecipe *recipe = recipe_of(shop, furnace);
    furnace->total = recipe ? recipe->ticks : 0;
    furnace->burn_total = cn_load_u32(bytes + AT_BURN_TOTAL);
    uint64_t left = end > shop->tick ? end - shop->tick : 0;
    furnace->burn_left = left < furnace->burn_total ? (uint32_t)left : furnace->burn_total;
    uint64_t progress = cn_load_u32(bytes + AT_PROGRESS);
    if (since && since <= shop->tick)
        progress += shop->tick - (since - 1);
    furnace->progress = progress < furnace->total ? (uint32_t)progress : furnace->total;
}

/* Does not look at the block. */
static bool read(const Shop *shop, CnCell cell, CraftyFurnace *furnace)
{
    CnBlockData data;
    *furnace = (CraftyFurnace){0};
    if (!cn_block_data_get(shop->voxels, cell, &data))
        return true;
    if (!crafty_furnace_decode(shop->voxels, &data, furnace->slots))
        return false;
    decode_state(shop, data.bytes, furnace);
    return true;
}

bool crafty_furnace_read(const CnWorld *world, CnCell cell, CraftyFurnace *furnace)
{
    Shop shop = shop_of(world);
    return crafty_furnace_is_block(cn_voxels_blocks(shop.voxels),
                                   cn_voxels_get(shop.voxels, cell)) &&
           read(&shop, cell, furnace);
}

/* ---- Smelting ---- */

/* Puts what the recipe makes into the result slot. Returns false if it does not fit. */
static bool put_result(const Shop *shop, const CraftyRecipe *recipe, CraftyStack *result)
{
    CraftyStack after = *result;
    if (crafty_stack_put(shop->items, &after, recipe->result, recipe->count) != recipe->count)
        return false;
    *result = after;
    return true;
}

static bool has_room(const Shop *shop, const CraftyRecipe *recipe, CraftyStack result)
{
    return put_result(shop, recipe, &result);
}

static void burn_next(const Shop *shop, CraftyFurnace *furnace)
{
    CraftyStack *fuel = &furnace->slots[CRAFTY_FURNACE_FUEL];
    const CraftyItemInfo *info =
        crafty_stack_is_empty(*fuel) ? NULL : crafty_items_info(shop->items, fuel->item);
    if (!info || !info->is_known || !(info->fuel_seconds > 0) ||
        (info->remainder && fuel->count > 1)) /* there would be no place for it */
        return;
    furnace->burn_total = (uint32_t)(info->fuel_seconds * (float)CRAFTY_TICKS_PER_SECOND + 0.5f);
    furnace->burn_left = furnace->burn_total;
    crafty_stack_take(fuel, 1);
    if (info->remainder)
        *fuel = (CraftyStack){.item = info->remainder, .count = 1};
}

/* Finishes what is done and lights fuel where it is needed. Returns whether something is being
 * smelted. */
static bool settle(const Shop *shop, CraftyFurnace *furnace)
{
    const CraftyRecipe *recipe = recipe_of(shop, furnace);
    CraftyStack *result = &furnace->slots[CRAFTY_FURNACE_RESULT];
    if (recipe && furnace->progress >= recipe->ticks && put_result(shop, recipe, result)) {
        crafty_stack_take(&furnace->slots[CRAFTY_FURNACE_INPUT], 1);
        furnace->progress = 0;
        recipe = recipe_of(shop, furnace);
    }
    furnace->total = recipe ? recipe->ticks : 0;
    if (!recipe)
        furnace->progress = 0;
    bool can_smelt = recipe && has_room(shop, recipe, *result);
    if (can_smelt && furnace->burn_left == 0)
        burn_next(shop, furnace);
    if (furnace->burn_left == 0)
        furnace->burn_total = 0;
    return can_smelt && furnace->burn_left > 0;
}

static void store_u32(uint8_t *bytes, uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void store_u64(uint8_t *bytes, uint64_t value)
{
    store_u32(bytes, (uint32_t)value);
    store_u32(bytes + 4, (uint32_t)(value >> 32));
}

static bool is_empty(const CraftyFurnace *furnace)
{
    bool empty = furnace->burn_left == 0;
    for (uint32_t i = 0; i < CRAFTY_FURNACE_SLOTS; i++)
        empty = empty && crafty_stack_is_empty(furnace->slots[i]);
    return empty;
}

static void encode(const Shop *shop, const CraftyFurnace *furnace, bool smelts,
                   uint8_t bytes[DATA_BYTES])
{
    uint32_t left = furnace->total - furnace->progress, wait = furnace->burn_left;
    wait = smelts && left < wait ? left : wait;
    for (uint32_t i = 0; i < CRAFTY_FURNACE_SLOTS; i++)
        crafty_stack_store(bytes + i * CRAFTY_STACK_BYTES, furnace->slots[i]);
    store_u64(bytes + AT_BURN_END, furnace->burn_left ? shop->tick + furnace->burn_left : 0);
    store_u64(bytes + AT_SINCE, smelts ? shop->tick + 1 : 0);
    store_u64(bytes + AT_NEXT, furnace->burn_left ? shop->tick + wait : 0);
    store_u32(bytes + AT_BURN_TOTAL, furnace->burn_total);
    store_u32(bytes + AT_PROGRESS, furnace->progress);
}

static bool write(const Shop *shop, CnCell cell, CraftyFurnace furnace, CnError *error)
{
    uint8_t bytes[DATA_BYTES];
    bool smelts = settle(shop, &furnace);
    CnBlockData data = {.active = furnace.burn_left > 0, .size = DATA_BYTES, .bytes = bytes};
    encode(shop, &furnace, smelts, bytes);
    if (is_empty(&furnace)
            ? !cn_block_data_remove(shop->voxels, cell, error)
            : !cn_block_data_kind(shop->voxels, CRAFTY_FURNACE_KIND, &data.kind, error) ||
                  !cn_block_data_set(shop->voxels, cell, &data, error))
        return false;
    set_look(shop->voxels, cell, furnace.burn_left > 0, shop->tick);
    return true;
}

/* The progress belongs to what lay in the input slot: another item begins anew. */
bool crafty_furnace_write(CnWorld *world, CnCell cell, const CraftyFurnace *furnace, CnError *error)
{
    Shop shop = shop_of(world);
    CraftyFurnace now, next = *furnace;
    bool is_same = read(&shop, cell, &now) && now.slots[CRAFTY_FURNACE_INPUT].item ==
                                                  furnace->slots[CRAFTY_FURNACE_INPUT].item;
    next.progress = is_same ? next.progress : 0;
    return write(&shop, cell, next, error);
}

/* ---- The system ---- */

static void run_furnaces(CnSystemContext *context)
{
    Shop shop = shop_of(context->world);
    CnBlockData data;
    CnBlockDataKind kind;
    CnCell cell;
    if (!cn_block_data_kind(shop.voxels, CRAFTY_FURNACE_KIND, &kind, NULL))
        return;
    for (bool more = cn_block_data_first_active(shop.voxels, &cell); more;
         more = cn_block_data_next_active(shop.voxels, &cell)) {
        CraftyFurnace furnace;
        if (!cn_block_data_get(shop.voxels, cell, &data) || data.kind != kind ||
            data.size != DATA_BYTES)
            continue;
        uint64_t next = cn_load_u64(data.bytes + AT_NEXT);
        if (next > shop.tick && next - shop.tick <= cn_load_u32(data.bytes + AT_BURN_TOTAL))
            continue;
        if (read(&shop, cell, &furnace))
            write(&shop, cell, furnace, NULL); /* without memory: again in the next tick */
    }
}

bool crafty_furnaces_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {
        .name = "CraftyFurnaces", .run = run_furnaces, .stage = CN_STAGE_UPDATE, .alone = true};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
