/*
 * What clients see of the entities of a server: players, creatures, villagers and items.
 *
 *     CnNetLayout *layout = crafty_shared_layout_create(world, &error);
 *     uint64_t hash = cn_net_layout_hash(layout); // equal on both sides
 */
#ifndef CRAFTY_NET_SHARED_LAYOUT_H
#define CRAFTY_NET_SHARED_LAYOUT_H

#include <cairn/net/layout.h>
#include <cairn/net/replication.h>

typedef enum CraftySharedKind {
    CRAFTY_SHARED_NONE,
    CRAFTY_SHARED_PLAYER, /* its owner is its number */
    CRAFTY_SHARED_CREATURE,
    CRAFTY_SHARED_DROP
} CraftySharedKind;

/* The world has the components of a simulation (crafty_sim_plugin or crafty_player_add). Returns
 * NULL and an error when out of memory. */
CnNetLayout *crafty_shared_layout_create(CnWorld *world, CnError *error);
/* Creates the replication of a server's world. */
CnNetReplication *crafty_shared_replication_create(CnWorld *world, const CnNetLayout *layout,
                                                   CnError *error);

#endif
