/*
 * Makes the changes of blocks part of the state: after each tick, a resource holds a hash of all
 * changes so far, by players, water and ticks, and one of all block data, such as the contents of
 * crates. So the state hash of a tick also tells whether blocks and data have changed as recorded,
 * without visiting chunks.
 */
#ifndef CRAFTY_SIM_BLOCK_SUM_H
#define CRAFTY_SIM_BLOCK_SUM_H

#include <cairn/sim.h>

/* edits: changes since the world was created, as far as this resource existed; hash: of these;
 * data: cn_block_data_hash. */
CN_COMPONENT(CraftyBlockSum, (u64, edits), (u64, hash), (u64, data));

/* Adds the resource and its system where they are missing. Changes that are in the edit log already
 * do not count. */
bool crafty_block_sum_add(CnWorld *world, CnError *error);

#endif
