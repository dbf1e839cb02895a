/* The table `slots`: what chests, furnaces and blocks of mods contain. */
#include "mod_answer.h"
#include "mod_area.h"
#include "mod_cost.h"

#include "crafty/sim/container.h"
#include "crafty/sim/furnace.h"

/* The slots of a block. */
typedef struct Slots {
    CnCell cell;
    CraftyContainer container;
    CraftyFurnace furnace;
    bool is_furnace;
    uint32_t count; /* 0: the block has none, or is too far away */
} Slots;

static bool read_slots(CnLuaCall *call, Slots *slots)
{
    *slots = (Slots){0};
    if (!crafty_mod_cell(call, 0, &slots->cell))
        return false;
    if (!crafty_mod_area_has(call, slots->cell))
        return true;
    const CraftyModRun *run = crafty_mod_run(call);
    CnBlock block = cn_voxels_get(run->voxels, slots->cell);
    slots->is_furnace = crafty_furnace_is_block(run->blocks, block);
    if (slots->is_furnace && crafty_furnace_read(run->world, slots->cell, &slots->furnace))
        slots->count = CRAFTY_FURNACE_SLOTS;
    else if (crafty_container_read(run->voxels, slots->cell, &slots->container))
        slots->count = crafty_container_slots(run->blocks, block);
    cn_lua_charge(call, CRAFTY_MOD_COST_PLAYER);
    return true;
}

static bool write_slots(CnLuaCall *call, const Slots *slots)
{
    CraftyModRun *run = crafty_mod_run(call);
    cn_lua_charge(call, CRAFTY_MOD_COST_DATA);
    return slots->is_furnace
               ? crafty_furnace_write(run->world, slots->cell, &slots->furnace, call->error)
               : crafty_container_write(run->voxels, slots->cell, &slots->container, call->error);
}

static CraftyStack *slot_at(Slots *slots, double number)
{
    if (!(number >= 1 && number <= slots->count))
        return NULL;
    uint32_t index = (uint32_t)number - 1;
    return slots->is_furnace ? &slots->furnace.slots[index] : &slots->container.slots[index];
}

static bool count(CnLuaCall *call)
{
    Slots slots;
    if (!crafty_mod_may_read(call) || !read_slots(call, &slots))
        return false;
    return slots.count ? cn_lua_return_number(call, slots.count) : crafty_mod_return_nil(call);
}

static bool get(CnLuaCall *call)
{
    Slots slots;
    if (!crafty_mod_may_read(call) || !read_slots(call, &slots))
        return false;
    const CraftyStack *slot = slot_at(&slots, call->arguments[3].number);
    const char *name =
        slot && slot->count ? crafty_mod_item_name(crafty_mod_run(call), slot->item) : NULL;
    if (!name)
        return crafty_mod_return_nil(call) && cn_lua_return_number(call, 0);
    return cn_lua_return_text(call, cn_text(name)) && cn_lua_return_number(call, slot->count);
}

/* Reads an item and how many of it; the number is 1 if it is not given. */
static bool read_stack(CnLuaCall *call, uint32_t first, uint32_t most, CraftyStack *stack)
{
    const CnLuaValue *given = &call->arguments[first + 1];
    double number = given->kind == CN_LUA_NIL ? 1 : given->number;
    CraftyItem item;
    if (!crafty_mod_item(call, first, &item))
        return false;
    uint32_t high = crafty_items_info(crafty_mod_run(call)->items, item)->stack_max;
    high = high < most ? high : most;
    if (!(number >= 1 && number <= high))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "a slot holds 1 to %u of this item", high);
    *stack = (CraftyStack){.item = item, .count = (uint16_t)number};
    return true;
}

static bool set(CnLuaCall *call)
{
    Slots slots;
    CraftyStack stack = {0};
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_BLOCKS) || !read_slots(call, &slots))
        return false;
    if (call->arguments[4].kind != CN_LUA_NIL && !read_stack(call, 4, UINT16_MAX, &stack))
        return false;
    CraftyStack *slot = slot_at(&slots, call->arguments[3].number);
    if (!slot)
        return cn_lua_return_boolean(call, false);
    *slot = stack;
    return write_slots(call, &slots) && cn_lua_return_boolean(call, true);
}

/* Stacks of the same item first, then empty slots. */
static uint32_t spread(const CraftyItems *items, Slots *slots, CraftyItem item, uint32_t left)
{
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 1; i <= slots->count && left; i++) {
            CraftyStack *slot = slot_at(slots, i);
            if (crafty_stack_is_empty(*slot) == (round == 1))
                left -= crafty_stack_put(items, slot, item, left);
        }
    return left;
}

#define MAX_ADDED 2048u

static bool add(CnLuaCall *call)
{
    Slots slots;
    CraftyItem item;
    double number = call->arguments[4].number;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_BLOCKS) || !read_slots(call, &slots) ||
        !crafty_mod_item(call, 3, &item))
        return false;
    if (!(number >= 0 && number <= MAX_ADDED))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "0 to %u items are added at once",
                            MAX_ADDED);
    if (slots.is_furnace) /* its slots differ */
        return cn_lua_return_number(call, number);
    uint32_t left = spread(crafty_mod_run(call)->items, &slots, item, (uint32_t)number);
    if (left < (uint32_t)number && !write_slots(call, &slots))
        return false;
    return cn_lua_return_number(call, left);
}

static bool take(CnLuaCall *call)
{
    Slots slots;
    CraftyItem item;
    double number = call->arguments[4].number;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_BLOCKS) || !read_slots(call, &slots) ||
        !crafty_mod_item(call, 3, &item))
        return false;
    if (!(number >= 0 && number <= MAX_ADDED))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "0 to %u items are taken at once",
                            MAX_ADDED);
    uint32_t taken = 0;
    for (uint32_t i = 1; i <= slots.count && taken < (uint32_t)number; i++) {
        CraftyStack *slot = slot_at(&slots, i);
        if (slot->item != item)
            continue;
        uint32_t left = (uint32_t)number - taken, part = slot->count < left ? slot->count : left;
        crafty_stack_take(slot, part);
        taken += part;
    }
    if (taken && !write_slots(call, &slots))
        return false;
    return cn_lua_return_number(call, taken);
}

static const CnLuaFunction functions[] = {
    {"count", count, "(x: integer, y: integer, z: integer): integer?",
     "Returns how many slots a block has: 27 of a chest, 3 of a furnace (input, fuel, result), "
     "`slots` of a block of a mod; nil if it has none or is too far from all players.",
     "on(\"use\", function(e)\n"
     "    if slots.count(e.x, e.y, e.z) then print(\"This holds items.\") end\n"
     "end)"},
    {"get", get, "(x: integer, y: integer, z: integer, slot: integer): string?, integer",
     "Returns the item in a slot, from 1, and how many; nil and 0 if it is empty.",
     "on(\"use\", function(e)\n"
     "    local item, count = slots.get(e.x, e.y, e.z, 1)\n"
     "    if item then print(count .. \" of \" .. item) end\n"
     "end)"},
    {"set", set,
     "(x: integer, y: integer, z: integer, slot: integer, item?: string, count?: integer): boolean",
     "Replaces what is in a slot; without an item, empties it. Returns false if there is no such "
     "slot. Needs the permission `blocks`.",
     "on(\"place\", function(e)\n"
     "    if e.block == \"barrel\" then slots.set(e.x, e.y, e.z, 1, \"apple\", 3) end\n"
     "end)"},
    {"add", add, "(x: integer, y: integer, z: integer, item: string, count: integer): integer",
     "Adds items to a chest or to a block with slots. Returns how many had no room: all of "
     "them in a furnace, whose slots differ. Needs the permission `blocks`.",
     "on(\"place\", function(e)\n"
     "    local rest = slots.add(e.x, e.y, e.z, \"coal\", 100)\n"
     "    if rest < 100 then print(\"Some coal is in it.\") end\n"
     "end)"},
    {"take", take, "(x: integer, y: integer, z: integer, item: string, count: integer): integer",
     "Removes items from a block with slots. Returns how many it was. Needs the permission "
     "`blocks`.",
     "on(\"use\", function(e)\n"
     "    if slots.take(e.x, e.y, e.z, \"coal\", 1) == 1 then print(\"It burns.\") end\n"
     "end)"},
    {0}};
const CnLuaTable crafty_mod_slots_table = {
    "slots", "Inventories of blocks: chests, barrels, furnaces and blocks of mods with `slots`.",
    functions, NULL};
