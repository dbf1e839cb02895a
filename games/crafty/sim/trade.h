/*
 * Trading with villagers: each profession has offers (crafty/world/trades.h), and each villager a
 * stock of them, which is full again every morning at six.
 *
 *     crafty_trade_use(world, player, villager); // the player used a villager
 *     CnEntity villager = crafty_trade_partner(world, player);
 *     if (villager.id)
 *         show(crafty_trade_stock(world, villager, offer));
 *
 * While a player trades, CraftyPlayer.open is CRAFTY_OPEN_TRADE and the villager stands still and
 * faces the player. CRAFTY_COMMAND_TRADE buys; it is validated from the state alone. The trade ends
 * when the villager goes to bed, flees from a monster, or dies, and when the player is further away
 * than CN_REACH.
 *
 * A trade happens completely or not at all, also when memory runs out. Villagers have any number of
 * customers at a time.
 */
#ifndef CRAFTY_SIM_TRADE_H
#define CRAFTY_SIM_TRADE_H

#include "command.h"
#include "player.h"
#include "player_event.h"

#include "crafty/world/trades.h"

/* Of a villager who has traded; without it, the stock is full. used: how often each offer was
 * traded on `day`, by its number - 1; day: as of crafty_trade_day. */
CN_COMPONENT(CraftyTrader, (u32, day), (u8, used, CRAFTY_MAX_OFFERS));
/* Of a player who has traded. villager: the partner while CRAFTY_OPEN_TRADE is open. */
CN_COMPONENT(CraftyCustomer, (entity, villager));

/* Registers the components; crafty_inventory_add calls it. Calling it again is harmless. */
bool crafty_trade_add(CnWorld *world, CnError *error);

/* Opens the trade with a villager, or sends an event why it refuses. Returns false if the entity is
 * not a villager. May change the structure of the world. */
bool crafty_trade_use(CnWorld *world, CnEntity player, CnEntity villager);
/* Returns the villager with whom a player trades; the null entity if there is none. */
CnEntity crafty_trade_partner(const CnWorld *world, CnEntity player);
/* Returns whether an open trade goes on, for a player with this eye. */
bool crafty_trade_goes_on(const CnWorld *world, CnEntity player, CnVec3 eye);
/* Forgets the partner; crafty_inventory_close calls it. */
void crafty_trade_end(CnWorld *world, CnEntity player);

/* Returns the number of the current day; days begin at six in the morning. */
uint32_t crafty_trade_day(const CnWorld *world);
/* Returns how often a villager still trades an offer today. */
uint32_t crafty_trade_stock(const CnWorld *world, CnEntity villager, const CraftyOffer *offer);
/* Returns how many of an item a player can give: those in the slots, without used tools. */
uint32_t crafty_trade_owned(const CraftyPlayer *player, CraftyItem item);
/* Returns how often, at most `most` times, a player can buy an offer of its partner now. If 0,
 * `why` is the reason; it may be NULL. */
uint32_t crafty_trade_times(const CnWorld *world, CnEntity player, const CraftyOffer *offer,
                            uint32_t most, CraftyRefusal *why);

/* Returns whether the fields of CRAFTY_COMMAND_TRADE are in range. */
bool crafty_trade_command_valid(const CraftyCommand *command);
/* Buys the offer with this number up to `times` times. Returns false, after an event that says why,
 * if it is not possible; nothing has changed then. */
bool crafty_trade_buy(CnWorld *world, CnEntity player, uint32_t number, uint32_t times);

#endif
