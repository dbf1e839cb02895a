#include "capture.h"

#include <cairn/base/console.h>

#include <crafty/sim/container.h>
#include <crafty/sim/furnace.h>
#include <crafty/sim/creature/creature.h>
#include <crafty/sim/inventory.h>
#include <crafty/sim/trade.h>
#include <crafty/sim/villager.h>

#include <string.h>

/* ---- What the player has ---- */

static CraftyStack stack(const Capture *capture, const char *name, uint32_t count, uint32_t wear)
{
    CraftyItem item = crafty_items_find(capture->sim.items, name);
    if (item == CRAFTY_NO_ITEM)
        cn_print_error("there is no item %s", name);
    return (CraftyStack){item, (uint16_t)(item ? count : 0), (uint16_t)wear};
}

static void give(Capture *capture, CraftyPlayer *player)
{
    static const struct {
        uint32_t slot;
        const char *name;
        uint32_t count, wear;
    } things[] = {
        {0, "iron_pickaxe", 1, 90}, {1, "stone_axe", 1, 120},     {2, "wooden_shovel", 1, 0},
        {3, "torch", 23, 0},        {4, "oak_planks", 64, 0},     {5, "cobblestone", 48, 0},
        {6, "bread", 5, 0},         {8, "oak_door", 2, 0},        {9, "oak_log", 17, 0},
        {10, "stick", 12, 0},       {11, "coal", 31, 0},          {12, "iron_ingot", 7, 0},
        {14, "diamond", 2, 0},      {16, "crafting_table", 1, 0}, {17, "furnace", 1, 0},
        {20, "apple", 3, 0},        {22, "glass", 14, 0},         {26, "red_wool", 9, 0},
        {30, "oak_stairs", 6, 0},   {31, "stone_slab", 11, 0},    {33, "gold_ingot", 4, 0},
        {35, "bucket", 1, 0},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(things); i++)
        *crafty_player_slot(player, things[i].slot) =
            stack(capture, things[i].name, things[i].count, things[i].wear);
}

/* Puts a block in front of the player and opens it. */
static void open_block(Capture *capture, CnWorld *world, const char *name, CraftyOpen open)
{
    CnVoxels *voxels = capture->sim.voxels;
    CnVec3 eye = cn_get(world, capture->player, CnTransform)->position;
    CnCell cell = {(int32_t)eye.x, (int32_t)eye.y, (int32_t)eye.z - 2};
    CnEdit edit = {.player = 1,
                   .kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = cn_block_find(cn_voxels_blocks(voxels), name)};
    if (!edit.new_block || !cn_voxels_edit(voxels, &edit, NULL))
        cn_print_error("the block %s cannot be placed", name);
    crafty_inventory_open(world, capture->player, open, cell);
    if (open == CRAFTY_OPEN_CRATE) {
        CraftyContainer chest = {{stack(capture, "iron_ore", 22, 0),
                                  stack(capture, "coal", 64, 0),
                                  stack(capture, "diamond", 3, 0),
                                  {0},
                                  stack(capture, "iron_sword", 1, 200)}};
        chest.slots[13] = stack(capture, "bread", 9, 0);
        crafty_container_write(voxels, cell, &chest, NULL);
    } else if (open == CRAFTY_OPEN_FURNACE) {
        crafty_furnace_write(world, cell,
                             &(CraftyFurnace){.slots = {stack(capture, "iron_ore", 9, 0),
                                                        stack(capture, "coal", 4, 0),
                                                        stack(capture, "iron_ingot", 3, 0)}},
                             NULL);
    }
}

static void fill_grid(Capture *capture, CraftyPlayer *player, bool is_table)
{
    if (is_table)
        for (uint32_t i = 0; i < 9; i++)
            player->grid[i] = i == 4 ? (CraftyStack){0} : stack(capture, "oak_planks", 2, 0);
    else
        player->grid[0] = stack(capture, "oak_log", 3, 0);
}

static void show_toasts(Capture *capture)
{
    crafty_toasts_event(&capture->hud.toasts, capture->sim.items,
                        &(CraftyPlayerEvent){.kind = CRAFTY_PLAYER_PICKED_UP,
                                             .item = stack(capture, "oak_log", 1, 0).item,
                                             .count = 3});
    crafty_toasts_event(&capture->hud.toasts, capture->sim.items,
                        &(CraftyPlayerEvent){.kind = CRAFTY_PLAYER_TOOL_BROKE,
                                             .item = stack(capture, "stone_axe", 1, 0).item});
}

/* Puts a villager in front of the player, who has seen some of its stock already. */
static CnEntity make_villager(Capture *capture, CnWorld *world)
{
    CnEntity villager = cn_object(world, "Villager");
    CnVec3 eye = cn_get(world, capture->player, CnTransform)->position;
    CraftyPlayer *player = cn_get_mut(world, capture->player, CraftyPlayer);
    *crafty_player_slot(player, 13) = stack(capture, "emerald", 6, 0);
    *crafty_player_slot(player, 21) = stack(capture, "flour", 20, 0);
    if (!villager.id || !cn_set(world, villager, CraftyCreature, {.health = 20}) ||
        !cn_set(world, villager, CraftyVillager,
                {.profession = CRAFTY_BAKER, .activity = CRAFTY_VILLAGER_WORKS}) ||
        !cn_set(world, villager, CraftyTrader,
                {.day = crafty_trade_day(world), .used = {3, 0, 0, 0, 0, 6, 1}}))
        cn_print_error("there is no memory for a villager");
    cn_get_mut(world, villager, CnTransform)->position = cn_vec3(eye.x, eye.y - 1.6f, eye.z - 2);
    return villager;
}

/* ---- Menus ---- */

static void say(Capture *capture, const char *text)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    crafty_connection_send_command(capture->connection, &command);
}

static void open_chat(Capture *capture)
{
    CraftyChatScreen *chat = &capture->chat;
    say(capture, "Is there iron in the hill behind the lake?");
    say(capture, "/time set noon");
    crafty_chat_screen_open(chat, true);
    cn_copy_text(chat->text, sizeof chat->text, cn_text("/give iron_"));
    chat->caret = (uint32_t)strlen(chat->text);
    capture->menu.page = CRAFTY_MENU_CHAT;
}

static void prepare_menu(Capture *capture)
{
    CraftyMenu *menu = &capture->menu;
    switch (capture->screen) {
    case SCREEN_VIDEO:
    case SCREEN_AUDIO:
    case SCREEN_CONTROLS:
    case SCREEN_ACCESSIBILITY:
        menu->page = CRAFTY_MENU_SETTINGS;
        menu->settings.tab = (uint32_t)(capture->screen - SCREEN_VIDEO);
        break;
    case SCREEN_BINDINGS:
        menu->page = CRAFTY_MENU_SETTINGS;
        menu->settings.tab = CRAFTY_TAB_CONTROLS;
        menu->settings.shows_bindings = true;
        break;
    case SCREEN_PAUSE:
        menu->page = CRAFTY_MENU_PAUSE;
        break;
    case SCREEN_CHAT:
        open_chat(capture);
        break;
    case SCREEN_DEBUG_INFO:
        cn_engine_show_overlay(capture->engine, CN_OVERLAY_SUMMARY);
        break;
    case SCREEN_NEW_WORLD:
        crafty_world_screen_offer(capture->worlds);
        break;
    default:
        break;
    }
}

void capture_prepare(Capture *capture)
{
    CnWorld *world = cn_engine_world(capture->engine);
    CraftyVitals *vitals = cn_get_mut(world, capture->player, CraftyVitals);
    CraftyPlayer *player = cn_get_mut(world, capture->player, CraftyPlayer);
    give(capture, player);
    prepare_menu(capture);
    switch (capture->screen) {
    case SCREEN_HUD:
        show_toasts(capture);
        break;
    case SCREEN_HURT:
        *vitals = (CraftyVitals){.health = 3, .food = 7, .air = 6};
        crafty_hud_bars_hurt(&capture->hud.bars);
        break;
    case SCREEN_DEATH:
        vitals->health = 0;
        vitals->dead = true;
        vitals->cause = CRAFTY_DAMAGE_FALL;
        break;
    case SCREEN_INVENTORY:
    case SCREEN_DRAG:
        crafty_inventory_open(world, capture->player, CRAFTY_OPEN_INVENTORY, (CnCell){0});
        player = cn_get_mut(world, capture->player, CraftyPlayer);
        fill_grid(capture, player, false);
        if (capture->screen == SCREEN_DRAG)
            player->carried = stack(capture, "cobblestone", 32, 0);
        break;
    case SCREEN_HUD_CREATIVE:
        player->mode = CRAFTY_MODE_CREATIVE;
        break;
    case SCREEN_CREATIVE:
        player->mode = CRAFTY_MODE_CREATIVE;
        crafty_inventory_open(world, capture->player, CRAFTY_OPEN_INVENTORY, (CnCell){0});
        break;
    case SCREEN_TABLE:
        open_block(capture, world, "crafting_table", CRAFTY_OPEN_TABLE);
        fill_grid(capture, cn_get_mut(world, capture->player, CraftyPlayer), true);
        break;
    case SCREEN_CHEST:
        open_block(capture, world, "chest_north", CRAFTY_OPEN_CRATE);
        break;
    case SCREEN_FURNACE:
        open_block(capture, world, "furnace_north", CRAFTY_OPEN_FURNACE);
        break;
    case SCREEN_TRADE:
        crafty_trade_use(world, capture->player, make_villager(capture, world));
        break;
    case SCREEN_USE_PROMPT:
        make_villager(capture, world);
        break;
    case SCREEN_SIGN:
        open_block(capture, world, "sign_north", CRAFTY_OPEN_SIGN);
        break;
    default:
        break;
    }
}
