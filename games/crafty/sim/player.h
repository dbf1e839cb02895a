/*
 * The player: an object that is the eye. Walks, jumps, swims and flies; breaks and places blocks.
 *
 *     cn_add(world, eye, CnCamera);
 *     crafty_player_make(world, eye, CRAFTY_PLAYER_WALKS);
 *
 * F changes between walking and flying. The left button breaks, the right one places what is held, the middle one takes
 * what is aimed at into the hand; the wheel and the keys 1 to 9 choose one of nine slots. Systems of this file run alone,
 * because they ask the world of blocks.
 */
#ifndef CRAFTY_SIM_PLAYER_H
#define CRAFTY_SIM_PLAYER_H

#include <cairn/scene.h>
#include <cairn/sim.h>
#include <cairn/voxel.h>

#define CRAFTY_PLAYER_WIDTH 0.6f
#define CRAFTY_PLAYER_HEIGHT 1.8f
#define CRAFTY_PLAYER_EYE 1.62f

typedef enum CraftyPlayerMode {
    CRAFTY_PLAYER_FLIES, /* through everything */
    CRAFTY_PLAYER_WALKS
} CraftyPlayerMode;

/* mode: a CraftyPlayerMode; slots: blocks at hand, of which one is held. */
#define CRAFTY_SLOTS 9u
CN_COMPONENT(CraftyPlayer, (u8, mode), (bool, swims), (u8, slot), (u16, slots, CRAFTY_SLOTS));

/* Air: the slot has no block that there is, as in a save that was tampered with. */
static inline CnBlock crafty_player_held(const CraftyPlayer *player)
{
    uint16_t block = player->slots[player->slot % CRAFTY_SLOTS];
    return block < CN_BLOCK_COUNT ? (CnBlock)block : CN_BLOCK_AIR;
}

/* A transient resource: the world of blocks. Who asks or changes it declares cn_writes(CraftyBlocks) or runs alone. */
typedef struct CraftyBlocks {
    CnVoxels *voxels;
} CraftyBlocks;
CN_OPAQUE(CraftyBlocks);

/* A transient resource: what the hand does, and events since the client has last taken them. */
#define CRAFTY_HAND_EVENTS 64u
typedef struct CraftyHand {
    CnInteract interact;
    CnInteractEvent events[CRAFTY_HAND_EVENTS];
    uint32_t event_count;
    float wheel; /* turned, and not yet a whole slot */
    bool rests;  /* until buttons are let go: the click that captures the mouse breaks nothing */
} CraftyHand;
CN_OPAQUE(CraftyHand);

/* Components, resources and systems. */
bool crafty_player_add(CnWorld *world, CnVoxels *voxels, CnError *error);
bool crafty_player_make(CnWorld *world, CnEntity eye, CraftyPlayerMode mode);

/* Whether the mouse is the player's: it has been captured. */
bool crafty_player_aims(CnWorld *world, CnEntity eye);
/* Into the hand: by the slot that has it already, or else by the one that is chosen. */
void crafty_player_take(CraftyPlayer *player, CnBlock block);
/* What clicks and escape do by themselves. */
void crafty_player_capture(CnWorld *world, CnEntity eye, bool captured);
/* Of the mouse, in degrees a pixel; stays when modes change. */
void crafty_player_set_sensitivity(CnWorld *world, CnEntity eye, float degrees);
/* The body around an eye. */
CnVoxelBox crafty_player_box(CnVec3 eye);

#endif
