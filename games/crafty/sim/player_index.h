/*
 * Finds players by their numbers, and lists them, in memory that grows with them.
 *
 *     CnEntity player = crafty_player_by_number(world, 1);
 *
 *     uint32_t count;
 *     const CnEntity *players = crafty_player_list(context, CRAFTY_LIST_HANDS, &count);
 *     for (uint32_t i = 0; i < count; i++)
 *         use_hand(players[i]); // may change the structure of the world
 */
#ifndef CRAFTY_SIM_PLAYER_INDEX_H
#define CRAFTY_SIM_PLAYER_INDEX_H

#include <cairn/base/linear.h>
#include <cairn/base/text.h>
#include <cairn/ecs/system.h>

/* Adds the resource, and the system CraftyPlayerIndex of Input, which keeps it up to date and frees
 * it; crafty_player_add calls it. Calling it again is harmless. */
bool crafty_player_index_add(CnWorld *world, CnError *error);

/* Brings the index up to date: when players join or leave. */
void crafty_player_index_update(CnWorld *world);

/* Returns the player with this number; null for 0 and if there is none. Without an index, or with
 * one that is out of date, all players are looked at. For systems that read CnPlayerActions. */
CnEntity crafty_player_by_number(const CnWorld *world, uint32_t number);

/* Returns the numbers of all players, ascending. Valid until the index is updated. On the thread of
 * the world. */
const uint32_t *crafty_player_numbers(const CnWorld *world, uint32_t *count);
/* Returns the number of the present player with this name, whatever its case; 0: there is none. */
uint32_t crafty_player_named(const CnWorld *world, CnText name);

/* The lists that can exist at the same time. */
typedef enum CraftyListPurpose {
    CRAFTY_LIST_MODES,
    CRAFTY_LIST_HANDS,
    CRAFTY_LIST_EATING,
    CRAFTY_LIST_VITALS,
    CRAFTY_LIST_INVENTORIES,
    CRAFTY_LIST_BLOCKS,
    CRAFTY_LIST_VILLAGERS,
    CRAFTY_LIST_OTHER,
    CRAFTY_LIST_COUNT
} CraftyListPurpose;

/* Lists the entities of a system that runs alone, in the order of its query. The list stays as it
 * is until the next one for the same purpose. When out of memory, it is shorter, which is logged.
 */
const CnEntity *crafty_player_list(const CnSystemContext *context, CraftyListPurpose purpose,
                                   uint32_t *count);
/* The positions of their eyes, for a query that reads CnTransform. */
const CnVec3 *crafty_player_places(const CnSystemContext *context, CraftyListPurpose purpose,
                                   uint32_t *count);
const CnEntity *crafty_player_list_of(const CnWorld *world, const CnQuery *query,
                                      CraftyListPurpose purpose, uint32_t *count);

/* The grid of player_grid.h; NULL without an index. */
struct CraftyPlayerGrid *crafty_player_grid_of(const CnWorld *world);

#endif
