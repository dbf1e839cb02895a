/*
 * The settings of a recording of Crafty: what a session starts with, and the palettes of its world.
 *
 *     CnTextBuilder settings;
 *     cn_array_init(&settings, NULL);
 *     crafty_recording_write(&start, blocks, items, &settings);  // CnRecorderDesc.settings
 *
 *     CraftyStart start;
 *     CraftyPalettes palettes;                                   // CraftyWorldDesc.palettes
 *     crafty_recording_read(cn_replay_info(replay)->settings, &start, &palettes, &error);
 *
 * States in a recording contain numbers of blocks and items. A session that replays it uses the
 * palettes of the recording, so its blocks and items have these numbers, whatever the program has
 * meanwhile.
 */
#ifndef CRAFTY_SIM_RECORDING_H
#define CRAFTY_SIM_RECORDING_H

#include "crafty/world/blocks.h"
#include "crafty/world/items.h"
#include "crafty/world/palettes.h"
#include "start.h"

/* Appends the settings as text. Returns false when out of memory. */
bool crafty_recording_write(const CraftyStart *start, const CnBlockTable *blocks,
                            const CraftyItems *items, CnTextBuilder *text);
/* Reads what crafty_recording_write has written. The palettes point into `text`. Returns false and
 * an error if the text is not valid: recordings come from outside. crafty_blocks_create and
 * crafty_items_create check the palettes. */
bool crafty_recording_read(const char *text, CraftyStart *start, CraftyPalettes *palettes,
                           CnError *error);

#endif
