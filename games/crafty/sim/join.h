/*
 * Players come and go while the simulation runs: by commands of the host.
 *
 *     CraftyConnection *host = crafty_connection_create(world, CRAFTY_CONSOLE, &error);
 *     CraftyHostCommand join = {.kind = CRAFTY_HOST_JOIN, .account = account, .name = "Ada"};
 *     crafty_connection_send_host(host, &join); // takes effect in the next tick
 *
 *     CnEventReader *reader = cn_event_reader_create(cn_channel(world, CraftyPresence), NULL);
 *     for (const CraftyPresence *event; (event = cn_read_next(reader, CraftyPresence));)
 *         if (event->kind == CRAFTY_PRESENCE_JOINED)
 *             begin_session(event->player, &event->account);
 *         else if (event->kind == CRAFTY_PRESENCE_REFUSED)
 *             tell_why(&event->account, crafty_join_refusal_text(event->reason));
 *
 * Host commands are events of a producer, so recordings contain them. The system CraftyCommands
 * applies them in order, before the commands of players of the same tick.
 *
 * An account has a player of its own in each world, with a number that stays the same. While the
 * player is absent, an entity without a place in the world keeps its number, position, inventory,
 * health and role (CraftyAbsent), so that it is part of the state; no system looks at it.
 *
 * After a restored state, the players of its time are there: a host that has no connections for
 * them sends CRAFTY_HOST_LEAVE for each (crafty_present_players).
 */
#ifndef CRAFTY_SIM_JOIN_H
#define CRAFTY_SIM_JOIN_H

#include "identity.h"
#include "player.h"

#include "crafty/world/pose.h"

#define CRAFTY_MAX_ACCOUNTS 8192u /* of a world: present and absent players */

typedef enum CraftyHostKind {
    CRAFTY_HOST_NONE,
    /* `account` joins as `name` with `role`. `player` 0: with the number that it has in this world,
     * or a new one. An other number must be that of the account, or free, or that of a player
     * without an account: who then gets it, and stays where it is if it is present. An empty name
     * is the one that the player has, or the default. */
    CRAFTY_HOST_JOIN,
    CRAFTY_HOST_LEAVE, /* `player` leaves */
    CRAFTY_HOST_ROLE,  /* `player`, who is present and has an account, gets `role` */
    CRAFTY_HOST_KIND_COUNT
} CraftyHostKind;

/* `sender` is set by the connection. */
CN_COMPONENT(CraftyHostCommand, (u32, sender), (u32, player), (u8, kind), (u8, role),
             (struct, CraftyAccount, account), (text, name, CRAFTY_PLAYER_NAME_BYTES));

typedef enum CraftyJoinRefusal {
    CRAFTY_JOIN_REFUSED_NOT,
    CRAFTY_JOIN_REFUSED_NAME,    /* it is not valid */
    CRAFTY_JOIN_REFUSED_TAKEN,   /* another player has the name; case does not matter */
    CRAFTY_JOIN_REFUSED_PRESENT, /* the account is here already */
    CRAFTY_JOIN_REFUSED_FULL,    /* CRAFTY_MAX_PLAYERS are here */
    CRAFTY_JOIN_REFUSED_WORLD,   /* the world has CRAFTY_MAX_ACCOUNTS */
    CRAFTY_JOIN_REFUSED_NUMBER,  /* it belongs to another player */
    CRAFTY_JOIN_REFUSED_MEMORY,
    CRAFTY_JOIN_REFUSAL_COUNT
} CraftyJoinRefusal;

typedef enum CraftyPresenceKind {
    CRAFTY_PRESENCE_JOINED,
    CRAFTY_PRESENCE_LEFT,
    CRAFTY_PRESENCE_REFUSED, /* `reason` is a CraftyJoinRefusal */
    CRAFTY_PRESENCE_ROLE,    /* the role is now `role` */
    CRAFTY_PRESENCE_KIND_COUNT
} CraftyPresenceKind;

/* An event: somebody came or went, or was refused. `name` is that of the player. */
CN_COMPONENT(CraftyPresence, (u32, player), (u8, kind), (u8, reason), (u8, role),
             (struct, CraftyAccount, account), (text, name, CRAFTY_PLAYER_NAME_BYTES));

/* Of the entity that keeps what belongs to an absent player, beside CraftyIdentity, CraftyPlayer,
 * CraftyVitals and CraftyMotion: its number, where its eye was, where it looked, the tick of
 * leaving, and the sensitivity of its mouse. */
CN_COMPONENT(CraftyAbsent, (u32, player), (u64, tick), (vec3, position), (quat, rotation),
             (f32, sensitivity));

/* A resource, part of the state: what became of host commands. */
CN_COMPONENT(CraftyHostCounts, (u64, joined), (u64, left), (u64, refused), (u64, ignored));

/* Adds components, events and the resource; crafty_commands_add calls it. Calling it again is
 * harmless. */
bool crafty_join_add(CnWorld *world, CnError *error);

/* Returns whether kind, role, number and terminator are valid. Names are checked when they are
 * used, so that a refusal says why. */
bool crafty_host_command_valid(const CraftyHostCommand *command);
/* Applies the host commands of a tick. */
void crafty_host_commands_apply(CnWorld *world);

/* For people: "The name is taken." */
const char *crafty_join_refusal_text(CraftyJoinRefusal refusal);

/* ---- For the host, between ticks ---- */

/* Stores the numbers of the present players, ascending; returns how many there are. */
uint32_t crafty_present_players(const CnWorld *world, uint32_t *numbers, uint32_t capacity);
/* Returns where an account appears when it joins, so that the terrain there can be loaded before:
 * where it left, or the spawn. */
CraftyPose crafty_join_pose(const CnWorld *world, const CraftyAccount *account);
uint32_t crafty_absent_count(const CnWorld *world);

#endif
