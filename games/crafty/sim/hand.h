/*
 * The hand of a player: aims at blocks, breaks them and places that of the held item.
 *
 *     crafty_hand_add(world, &error); // adds the system CraftyHands of Update
 *
 *     CnEventReader *reader = cn_event_reader_create(cn_channel(world, CraftyHandEvent), NULL);
 *     for (const CraftyHandEvent *e; (e = cn_read_next(reader, CraftyHandEvent));)
 *         show(e); // each event exactly once, for effects and sounds
 */
#ifndef CRAFTY_SIM_HAND_H
#define CRAFTY_SIM_HAND_H

#include <cairn/ecs/event.h>
#include <cairn/voxel/interact.h>

/*
 * The state of a CnInteract and of the buttons, part of the player. Fields:
 *     rests              ignores buttons until they are released after capturing the mouse
 *     aiming, target_*   the block that the player aims at
 *     breaking*, crack_stage, progress_ms, break_ms, placing, place_wait_ms   as in CnInteract
 *     break_wait_ms      as in CnInteract
 *     held_item          of the last tick
 *     wheel              scrolled by less than a whole slot
 *     swing              ticks since the last swing of the arm began; stays at UINT16_MAX
 */
CN_COMPONENT(CraftyHand, (bool, rests), (bool, aiming), (bool, breaking), (bool, placing),
             (u8, target_face), (u16, target_block), (u16, breaking_block), (i32, crack_stage),
             (i32, target_cell, 3), (i32, breaking_cell, 3), (f32, progress_ms), (f32, break_ms),
             (f32, place_wait_ms), (f32, break_wait_ms), (f32, wheel), (u16, held_item),
             (u16, swing));

/* Something that the hand of `player` did; the other fields are those of a CnInteractEvent. */
CN_COMPONENT(CraftyHandEvent, (entity, player), (i32, cell, 3), (f32, color, 3), (u16, block),
             (u8, kind), (u8, reason), (u8, stage), (u8, surface), (u8, face));

/* Returns whether a player can touch the world: neither a spectator nor dead. */
bool crafty_player_has_hands(const CnWorld *world, CnEntity player);

/* Adds the component, the events and the system. Calling it again is harmless. */
bool crafty_hand_add(CnWorld *world, CnError *error);
/* Returns the event as the voxel module reports it. */
CnInteractEvent crafty_hand_interact_event(const CraftyHandEvent *event);

#endif
