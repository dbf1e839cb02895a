/*
 * The player of a client before the server has answered: a simulation of one player in the client's
 * own blocks, which runs ahead of the server and is corrected by it.
 *
 *     CraftyPrediction *prediction = crafty_prediction_create(&desc, &error);
 *     crafty_prediction_tick(prediction, tick, &actions, &error);        // each tick of the client
 *     crafty_prediction_set_block(prediction, cell, block, &error);      // changes by the server
 *     crafty_prediction_confirm(prediction, tick, bytes, &correction, &error); // its states
 *
 * Only the systems of the player run: controllers, modes, walking and hands. Blocks that the player
 * breaks and places change at once. The block that the server has in such a cell is remembered, and
 * returns when the server confirms a tick without the change.
 *
 * A confirmed state that equals what was predicted for its tick changes nothing. Otherwise the
 * player gets the state of the server, all predicted changes of blocks are taken back, and the
 * ticks since then run again with the same actions.
 */
#ifndef CRAFTY_NET_PREDICTION_H
#define CRAFTY_NET_PREDICTION_H

#include "crafty/sim/crafty_sim.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/player_event.h"
#include "own_state.h"

#include <cairn/input/player_actions.h>

#define CRAFTY_PREDICTION_TICKS 256u /* that can wait for an answer: 4 seconds */

typedef struct CraftyPrediction CraftyPrediction;

typedef struct CraftyPredictionDesc {
    const CraftySimDesc *sim; /* its world; mode and rules of `start`; outlives the prediction */
    uint32_t player;          /* its number */
    uint32_t tick_hz;         /* of the server; 0 selects the default of CnSim */
} CraftyPredictionDesc;

/* Returns NULL and an error on failure. */
CraftyPrediction *crafty_prediction_create(const CraftyPredictionDesc *desc, CnError *error);
/* NULL is ignored. Call it before the voxel world is destroyed. */
void crafty_prediction_destroy(CraftyPrediction *prediction);

/* Starts at the state after `tick`; forgets everything that was predicted. Returns false and an
 * error if the state is invalid. */
bool crafty_prediction_begin(CraftyPrediction *prediction, uint64_t tick, const uint8_t *state,
                             CnError *error);
/* Predicts the next tick. Ticks are consecutive, except after a pause of the connection. */
bool crafty_prediction_tick(CraftyPrediction *prediction, uint64_t tick, const CnActions *actions,
                            CnError *error);
/* Returns the last predicted tick. */
uint64_t crafty_prediction_newest(const CraftyPrediction *prediction);

/* What a confirmed state changed. */
typedef struct CraftyCorrection {
    bool is_needed;       /* the prediction was wrong */
    bool is_out_of_range; /* the tick is not one of those that wait for an answer: begun anew */
    uint32_t ticks;       /* that ran again */
    CnVec3 moved;         /* from where the player was before the correction to where it is now */
} CraftyCorrection;

/* The server's state after `tick`, when all changes of blocks up to that tick have been passed to
 * crafty_prediction_set_block. Returns false and an error if the state is invalid or when out of
 * memory. `correction` may be NULL. */
bool crafty_prediction_confirm(CraftyPrediction *prediction, uint64_t tick, const uint8_t *state,
                               CraftyCorrection *correction, CnError *error);

/* A block that the server changed. */
bool crafty_prediction_set_block(CraftyPrediction *prediction, CnCell cell, CnBlock block,
                                 CnError *error);
/* Forgets predicted blocks of a chunk, all of whose blocks the server replaces now. */
void crafty_prediction_forget_chunk(CraftyPrediction *prediction, CnChunkPos chunk);
/* Returns whether a cell of the column of chunks has a predicted block that is not confirmed. */
bool crafty_prediction_is_open(const CraftyPrediction *prediction, int32_t x, int32_t z);
/* Returns how many cells have a predicted block that the server has not confirmed. */
uint32_t crafty_prediction_open_blocks(const CraftyPrediction *prediction);

/* The simulation of the player and its components. */
CnWorld *crafty_prediction_world(CraftyPrediction *prediction);
CnEntity crafty_prediction_player(const CraftyPrediction *prediction);

/* Return the next event of the last predicted tick, or NULL. Events of ticks that run again are not
 * returned a second time. */
const CraftyHandEvent *crafty_prediction_next_hand_event(CraftyPrediction *prediction);
const CraftyPlayerEvent *crafty_prediction_next_player_event(CraftyPrediction *prediction);

#endif
