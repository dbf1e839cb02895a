/* The table `data`: what a mod keeps in its own blocks. */
#include "mod_answer.h"
#include "mod_area.h"
#include "mod_cost.h"

#include "crafty/sim/container.h"

#include <cairn/voxel/block_data.h>

#include <string.h>

/* Writes the name of the kind of block data of the mod: "mod.castle". */
static void kind_name(const CnLuaCall *call, char name[CN_BLOCK_DATA_NAME_BYTES])
{
    cn_format(name, CN_BLOCK_DATA_NAME_BYTES, "mod.%s", crafty_mod_of(call)->source->name);
}

static bool is_own_kind(const CnLuaCall *call, const CnVoxels *voxels, const CnBlockData *data)
{
    char own[CN_BLOCK_DATA_NAME_BYTES];
    const char *kind = cn_block_data_kind_name(voxels, data->kind);
    kind_name(call, own);
    return kind && strcmp(kind, own) == 0;
}

static bool get(CnLuaCall *call)
{
    CnCell cell;
    CnBlockData data;
    if (!crafty_mod_may_read(call) || !crafty_mod_cell(call, 0, &cell))
        return false;
    CnVoxels *voxels = crafty_mod_run(call)->voxels;
    if (!crafty_mod_area_has(call, cell) || !crafty_mod_owns(call, cn_voxels_get(voxels, cell)) ||
        !cn_block_data_get(voxels, cell, &data) || !is_own_kind(call, voxels, &data))
        return crafty_mod_return_nil(call);
    cn_lua_charge(call, data.size * (uint64_t)CRAFTY_MOD_COST_BYTE);
    return cn_lua_return(call, cn_lua_json((CnText){(const char *)data.bytes, data.size}));
}

static bool write(CnLuaCall *call, CnCell cell, CnText json)
{
    char name[CN_BLOCK_DATA_NAME_BYTES];
    CnVoxels *voxels = crafty_mod_run(call)->voxels;
    CnBlockData data = {.bytes = (const uint8_t *)json.data, .size = (uint16_t)json.size};
    if (json.size == 0)
        return cn_block_data_remove(voxels, cell, call->error);
    if (json.size > CN_BLOCK_DATA_BYTES)
        return cn_error_set(call->error, CN_ERROR_LIMIT,
                            "the data of a block has at most %u bytes as text; these are %zu",
                            CN_BLOCK_DATA_BYTES, json.size);
    kind_name(call, name);
    return cn_block_data_kind(voxels, name, &data.kind, call->error) &&
           cn_block_data_set(voxels, cell, &data, call->error);
}

static bool set(CnLuaCall *call)
{
    CnCell cell;
    const CnLuaValue *value = &call->arguments[3];
    if (!crafty_mod_may_act(call) || !crafty_mod_cell(call, 0, &cell))
        return false;
    CnVoxels *voxels = crafty_mod_run(call)->voxels;
    if (!crafty_mod_area_has(call, cell))
        return cn_lua_return_boolean(call, false);
    CnBlock block = cn_voxels_get(voxels, cell);
    if (!crafty_mod_owns(call, block))
        return cn_lua_return_boolean(call, false);
    if (crafty_container_is_block(cn_voxels_blocks(voxels), block))
        return cn_error_set(call->error, CN_ERROR_PERMISSION,
                            "a block with slots keeps its items there, not other data");
    cn_lua_charge(call, CRAFTY_MOD_COST_DATA + value->text.size * (uint64_t)CRAFTY_MOD_COST_BYTE);
    return write(call, cell, value->text) && cn_lua_return_boolean(call, true);
}

static const CnLuaFunction functions[] = {
    {"get", get, "(x: integer, y: integer, z: integer): table?",
     "Returns what `data.set` has stored in a block of the mod; nil if there is none.",
     "block {\n"
     "    name = \"counter\", like = \"stone\",\n"
     "    on_use = function(e)\n"
     "        local own = data.get(e.x, e.y, e.z) or { uses = 0 }\n"
     "        own.uses = own.uses + 1\n"
     "        data.set(e.x, e.y, e.z, own)\n"
     "        return true\n"
     "    end,\n"
     "}"},
    {"set", set, "(x: integer, y: integer, z: integer, value?: table): boolean",
     "Stores a table in a block of the mod, at most 4,096 bytes as text; nil removes it. It is "
     "removed with the block. Returns false if the block in the cell is not one of the mod, or if "
     "it is too far from all players.",
     "block {\n"
     "    name = \"sensor\", like = \"glass\",\n"
     "    on_place = function(e) data.set(e.x, e.y, e.z, { owner = e.player }) end,\n"
     "}"},
    {0}};
const CnLuaTable crafty_mod_data_table = {
    "data", "Data of blocks: a table in each block of the mod, saved with the world.", functions,
    NULL};
