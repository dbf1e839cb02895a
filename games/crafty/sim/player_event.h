/*
 * Events of players: what happened to a player or its items, for sounds, effects and screens.
 *
 *     crafty_player_event_send(world, &(CraftyPlayerEvent){.player = player,
 *                                                          .kind = CRAFTY_PLAYER_ATE,
 *                                                          .item = bread,
 *                                                          .count = 1});
 *
 * Readers get each event exactly once (cn_event_reader_create).
 */
#ifndef CRAFTY_SIM_PLAYER_EVENT_H
#define CRAFTY_SIM_PLAYER_EVENT_H

#include <cairn/ecs/event.h>

typedef enum CraftyPlayerEventKind {
    CRAFTY_PLAYER_HURT,      /* lost `value` health; `count` is the CraftyDamage */
    CRAFTY_PLAYER_DIED,      /* `count` is the CraftyDamage */
    CRAFTY_PLAYER_RESPAWNED, /* at `position` */
    CRAFTY_PLAYER_ATE,       /* one `item`; `value` is the food it gave */
    CRAFTY_PLAYER_PICKED_UP, /* `count` of `item` */
    CRAFTY_PLAYER_CRAFTED,   /* `count` of `item` */
    CRAFTY_PLAYER_TOOL_BROKE,
    CRAFTY_PLAYER_LANDED,   /* after a fall of `value` blocks; `item` is the block below */
    CRAFTY_PLAYER_STEPPED,  /* on the ground; `item` is the block below */
    CRAFTY_PLAYER_SPLASHED, /* into water, with the speed `value` */
    CRAFTY_PLAYER_REFUSED,  /* something was not possible; `count` is a CraftyRefusal */
    CRAFTY_PLAYER_SPAWN_SET,
    CRAFTY_PLAYER_USED,         /* a block: `item` is what it became, `position` its center */
    CRAFTY_PLAYER_FILLED,       /* a bucket; `position` is that of the water */
    CRAFTY_PLAYER_EMPTIED,      /* a bucket; `position` is that of the water */
    CRAFTY_PLAYER_TRADE_OPENED, /* with the villager whose head is at `position` */
    CRAFTY_PLAYER_TRADED,       /* got `count` of `item` from the villager at `position` */
    CRAFTY_PLAYER_EVENT_COUNT
} CraftyPlayerEventKind;

/* Why something was not possible. */
typedef enum CraftyRefusal {
    CRAFTY_REFUSAL_OTHER,
    CRAFTY_REFUSAL_BED_BY_DAY,     /* beds are for the night */
    CRAFTY_REFUSAL_BED_OBSTRUCTED, /* no room beside the bed */
    CRAFTY_REFUSAL_BED_MISSING,    /* at a respawn: the bed is gone or obstructed */
    /* Of villagers: `item` is a CraftyProfession, `position` that of the head. */
    CRAFTY_REFUSAL_TRADE_NOTHING, /* it has no offers */
    CRAFTY_REFUSAL_TRADE_ASLEEP,  /* or on the way to bed */
    CRAFTY_REFUSAL_TRADE_DANGER,  /* a monster is near */
    CRAFTY_REFUSAL_TRADE_STOCK,   /* sold out until the next morning */
    CRAFTY_REFUSAL_TRADE_COST,    /* the player has not enough */
    CRAFTY_REFUSAL_TRADE_ROOM,    /* the player has no room for the result */
    CRAFTY_REFUSAL_COUNT
} CraftyRefusal;

/* `kind` is a CraftyPlayerEventKind, which determines the other fields; `item` is a CraftyItem or a
 * CnBlock, `position` that of the eye unless another is named. */
CN_COMPONENT(CraftyPlayerEvent, (entity, player), (u8, kind), (u16, item), (u16, count),
             (f32, value), (vec3, position));

/* Adds the events. Calling it again is harmless. */
bool crafty_player_events_add(CnWorld *world, CnError *error);
/* Sends an event. An event for which the channel has no room is dropped and counted there. */
void crafty_player_event_send(CnWorld *world, const CraftyPlayerEvent *event);

#endif
