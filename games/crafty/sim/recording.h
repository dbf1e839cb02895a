/*
 * The settings of a recording of Crafty: what a session starts with, and the palette of its items.
 *
 *     CnTextBuilder settings;
 *     cn_array_init(&settings, NULL);
 *     crafty_recording_write(&start, items, &settings);  // CnRecorderDesc.settings
 *
 *     CraftyStart start;
 *     CnText palette;                                    // CraftyWorldDesc.item_palette
 *     crafty_recording_read(cn_replay_info(replay)->settings, &start, &palette, &error);
 *
 * States in a recording contain numbers of items. A session that replays it uses the palette of the
 * recording, so its items have these numbers, whatever items the program has meanwhile.
 */
#ifndef CRAFTY_SIM_RECORDING_H
#define CRAFTY_SIM_RECORDING_H

#include "crafty/world/items.h"
#include "start.h"

/* Appends the settings as text. Returns false when out of memory. */
bool crafty_recording_write(const CraftyStart *start, const CraftyItems *items,
                            CnTextBuilder *text);
/* Reads what crafty_recording_write has written. `palette` points into `text`. Returns false and an
 * error if the text is not valid: recordings come from outside. crafty_items_create checks the
 * palette. */
bool crafty_recording_read(const char *text, CraftyStart *start, CnText *palette, CnError *error);

#endif
