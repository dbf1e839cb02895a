/*
 * The player: the entity with the camera. Walks, jumps, swims and flies; breaks and places blocks.
 *
 *     cn_add(world, eye, CnCamera);
 *     crafty_player_make(world, eye, 1, CRAFTY_MODE_CREATIVE);
 *
 * A player has a number and input of its own: the systems read its actions (actions.h) from its
 * CnPlayerActions. Players walk and fly, break blocks, place the block of the held item, take the
 * item of the targeted block, and select one of nine slots. The systems of this file run
 * exclusively, because they access the voxel world.
 */
#ifndef CRAFTY_SIM_PLAYER_H
#define CRAFTY_SIM_PLAYER_H

#include "crafty/world/biomes.h"
#include "crafty/world/block_family.h"
#include "crafty/world/block_rules.h"
#include "crafty/world/pose.h"
#include "crafty/world/recipes.h"
#include "crafty/world/trades.h"
#include "crafty/world/village_prefetch.h"
#include "mode.h"
#include "stack.h"

#include <cairn/scene.h>
#include <cairn/sim.h>
#include <cairn/voxel.h>

#define CRAFTY_CONSOLE 0u /* not a player: the host itself, which may command every player */
#define CRAFTY_FIRST_PLAYER 1u
#define CRAFTY_MAX_PLAYERS 2048u        /* at the same time */
#define CRAFTY_MAX_PLAYER_NUMBER 16384u /* of those who ever joined a world (join.h) */
#define CRAFTY_PLAYER_WIDTH 0.6f
#define CRAFTY_PLAYER_HEIGHT 1.8f
#define CRAFTY_PLAYER_EYE CRAFTY_EYE_HEIGHT

/* mode: a CraftyPlayerMode; swims: is in water; flies: flies in creative mode, and collides; slots:
 * the hotbar; slot: index of the held stack; inventory: what the player carries otherwise. */
#define CRAFTY_SLOTS 9u
#define CRAFTY_INVENTORY_SLOTS 27u
#define CRAFTY_PLAYER_SLOTS (CRAFTY_SLOTS + CRAFTY_INVENTORY_SLOTS)
/* carried: at the cursor of an open screen; grid: the crafting grid, row by row of 3; open: a
 * CraftyOpen; open_cell: the block that is open (inventory.h). */
CN_COMPONENT(CraftyPlayer, (u8, mode), (bool, swims), (bool, flies), (u8, slot),
             (struct, CraftyStack, slots, CRAFTY_SLOTS),
             (struct, CraftyStack, inventory, CRAFTY_INVENTORY_SLOTS),
             (struct, CraftyStack, carried), (struct, CraftyStack, grid, CRAFTY_GRID_SLOTS),
             (u8, open), (i32, open_cell, 3));

/* Whether the player builds without limits: blocks break at once, and stacks are not consumed. */
bool crafty_player_is_creative(const CraftyPlayer *player);

/* Returns the held stack; an empty one if the slot is not valid, as in a manipulated save. */
CraftyStack crafty_player_held(const CraftyItems *items, const CraftyPlayer *player);

/* Returns a slot of a player by number: first the hotbar, then the inventory. NULL if there is no
 * such slot. */
CraftyStack *crafty_player_slot(CraftyPlayer *player, uint32_t slot);
/* Gives items to a player: first to stacks of the same item, then to empty slots. What does not fit
 * stays in `stack`. */
bool crafty_player_has_room(const CraftyItems *items, const CraftyPlayer *player,
                            CraftyStack stack); /* for at least one item of the stack */
void crafty_player_give(const CraftyItems *items, CraftyPlayer *player, CraftyStack *stack);

/* Transient resource: the voxel world. Systems that access it declare cn_writes(CraftyBlocks) or
 * run exclusively. */
typedef struct CraftyBlocks {
    CnVoxels *voxels;
    const CraftyBlockFamilies *families; /* variants of blocks; NULL: none */
    CraftyBiomes biomes;                 /* without a generator: unknown */
    CraftyBiomes terrain; /* the generator of the world itself, with erosion; may be missing */
    CraftyVillagePrefetch *villages; /* plans its villages ahead; may be NULL */
} CraftyBlocks;
CN_OPAQUE(CraftyBlocks);

/* Transient resource: the items of the world, and what is made of them. */
typedef struct CraftyItemList {
    const CraftyItems *items;
    const CraftyRecipes *recipes;        /* NULL: none */
    const CraftyBlockRules *block_rules; /* NULL: blocks drop their own items */
    const CraftyTrades *trades;          /* NULL: villagers do not trade */
} CraftyItemList;
CN_OPAQUE(CraftyItemList);

/* Adds components, resources and systems, including those of hand.h. `voxels` and `items` must
 * outlive the world. */
bool crafty_player_add(CnWorld *world, CnVoxels *voxels, const CraftyItems *items, CnError *error);
/* Makes a player of an object. `number` is at least 1 and unique: messages for the player have it.
 * In survival the slots are empty. */
bool crafty_player_make(CnWorld *world, CnEntity eye, uint32_t number, CraftyPlayerMode mode);

/* Gives players of a restored state the components that they lack, as in worlds of older versions.
 */
bool crafty_player_complete(CnWorld *world, CnError *error);

/* Finds the player with this number by a query that reads CnPlayerActions. Returns the null entity
 * when there is none. */
CnEntity crafty_player_find(const CnQuery *players, uint32_t number);

/* Returns whether the mouse is captured. */
bool crafty_player_aims(const CnWorld *world, CnEntity eye);
/* Selects the slot that holds the item, or puts `count` of it into the selected slot, or into the
 * next one that does not hold an unknown item, which is kept. Returns false if the item is unknown
 * or does not stack as high, or if all slots hold unknown items. */
bool crafty_player_take(const CraftyItems *items, CraftyPlayer *player, CraftyItem item,
                        uint32_t count);
/* Captures or releases the mouse, as clicks and Escape do. Returns false without a controller. */
bool crafty_player_capture(CnWorld *world, CnEntity eye, bool captured);
/* Sets the mouse sensitivity in degrees per pixel; kept when the mode changes. Returns false
 * without a controller. */
bool crafty_player_set_sensitivity(CnWorld *world, CnEntity eye, float degrees);
/* Changes the mode. A spectator inside rock who gets another mode is moved to its top. Returns
 * false if the entity is not a player. */
bool crafty_player_set_mode(CnWorld *world, CnEntity eye, CraftyPlayerMode mode);
/* Moves a player who is inside of blocks onto them. */
void crafty_player_leave_rock(CnWorld *world, CnEntity eye);
/* Moves the feet of a player, at rest, who keeps looking in the same direction. Loads the chunks
 * there; a player who would stand inside of blocks is lifted onto them. Returns where the feet are
 * then. */
CnVec3 crafty_player_move_to(CnWorld *world, CnEntity player, CnVec3 feet);
/* Returns the bounding box of a player with this eye position. */
CnVoxelBox crafty_player_box(CnVec3 eye);

#endif
