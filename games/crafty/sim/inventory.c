#include "inventory.h"

#include "container.h"
#include "drops.h"
#include "furnace.h"
#include "inventory_view.h"
#include "player_index.h"
#include "systems.h"
#include "trade.h"
#include "vitals.h"

#include <string.h>

#define TABLE "crafting_table"
#define WORKBENCH "workbench" /* of worlds without crafting tables */

/* ---- Opening and closing ---- */

uint32_t crafty_inventory_grid_width(const CraftyPlayer *player)
{
    switch ((CraftyOpen)player->open) {
    case CRAFTY_OPEN_INVENTORY:
        return CRAFTY_HAND_GRID_WIDTH;
    case CRAFTY_OPEN_TABLE:
        return CRAFTY_GRID_WIDTH;
    default:
        return 0;
    }
}

CraftyOpen crafty_inventory_of_block(const CnBlockTable *blocks, CnBlock block)
{
    const char *name = cn_block_info(blocks, block)->name;
    if (strcmp(name, TABLE) == 0 || strcmp(name, WORKBENCH) == 0)
        return CRAFTY_OPEN_TABLE;
    if (crafty_furnace_is_block(blocks, block))
        return CRAFTY_OPEN_FURNACE;
    return crafty_container_is_block(blocks, block) ? CRAFTY_OPEN_CRATE : CRAFTY_OPEN_NOTHING;
}

/* Gives a stack back to the player or throws it. What cannot be thrown stays. The player is copied
 * because throwing creates an entity. */
static void give_back(CnWorld *world, CnEntity entity, CraftyPlayer *player, CraftyStack *stack)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    crafty_player_give(items, player, stack);
    if (!crafty_stack_is_empty(*stack) && crafty_drop_throw(world, entity, *stack).id)
        *stack = (CraftyStack){0};
}

void crafty_inventory_close(CnWorld *world, CnEntity entity)
{
    const CraftyPlayer *old = cn_get(world, entity, CraftyPlayer);
    if (!old)
        return;
    CraftyPlayer player = *old;
    give_back(world, entity, &player, &player.carried);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        give_back(world, entity, &player, &player.grid[i]);
    player.open = CRAFTY_OPEN_NOTHING;
    memset(player.open_cell, 0, sizeof player.open_cell);
    *cn_get_mut(world, entity, CraftyPlayer) = player;
    crafty_trade_end(world, entity);
}

void crafty_inventory_open(CnWorld *world, CnEntity entity, CraftyOpen what, CnCell cell)
{
    crafty_inventory_close(world, entity);
    CraftyPlayer *player = cn_get_mut(world, entity, CraftyPlayer);
    if (!player)
        return;
    player->open = (uint8_t)what;
    if (what == CRAFTY_OPEN_NOTHING || what == CRAFTY_OPEN_INVENTORY || what == CRAFTY_OPEN_TRADE)
        return;
    player->open_cell[0] = cell.x;
    player->open_cell[1] = cell.y;
    player->open_cell[2] = cell.z;
}

const CraftyRecipe *crafty_inventory_recipe(const CnWorld *world, CnEntity entity)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    if (!player || !list)
        return NULL;
    CraftyView view = {.items = list->items, .recipes = list->recipes, .player = *player};
    return crafty_view_recipe(&view);
}

/* ---- What is out of reach is closed ---- */

static bool stays_open(const CnWorld *world, CnEntity entity, const CraftyPlayer *player,
                       CnVec3 eye)
{
    const CraftyVitals *vitals = cn_get(world, entity, CraftyVitals);
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnCell cell = {player->open_cell[0], player->open_cell[1], player->open_cell[2]};
    if (player->open == CRAFTY_OPEN_NOTHING)
        return true;
    if ((vitals && vitals->dead) || player->mode == CRAFTY_MODE_SPECTATOR)
        return false;
    if (player->open == CRAFTY_OPEN_INVENTORY)
        return true;
    if (player->open == CRAFTY_OPEN_TRADE)
        return crafty_trade_goes_on(world, entity, eye);
    if (player->open >= CRAFTY_OPEN_COUNT || !crafty_container_is_near(eye, cell))
        return false;
    const CnBlockTable *blocks = cn_voxels_blocks(voxels);
    CnBlock block = cn_voxels_get(voxels, cell);
    if (player->open == CRAFTY_OPEN_SIGN)
        return strstr(cn_block_info(blocks, block)->name, "sign") != NULL;
    return crafty_inventory_of_block(blocks, block) == (CraftyOpen)player->open;
}

/* Closing may create entities, so players are collected first. */
static void run_inventories(CnSystemContext *context)
{
    uint32_t count;
    const CnEntity *players = crafty_player_list(context, CRAFTY_LIST_INVENTORIES, &count);
    CnWorld *world = context->world;
    for (uint32_t i = 0; i < count; i++) {
        const CraftyPlayer *player = cn_get(world, players[i], CraftyPlayer);
        const CnTransform *transform = cn_get(world, players[i], CnTransform);
        if (!stays_open(world, players[i], player, transform->position))
            crafty_inventory_close(world, players[i]);
    }
}

bool crafty_inventory_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {.name = "CraftyInventories",
                         .run = run_inventories,
                         .stage = CN_STAGE_POST_UPDATE,
                         .query = {.all = {cn_reads(CraftyPlayer), cn_reads(CnTransform)}},
                         .alone = true};
    return crafty_trade_add(world, error) &&
           (cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error));
}
