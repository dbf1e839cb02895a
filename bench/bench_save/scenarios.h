/* What bench_save measures. Each scenario creates its own world and removes it. */
#ifndef CAIRN_BENCH_SAVE_SCENARIOS_H
#define CAIRN_BENCH_SAVE_SCENARIOS_H

#include "play.h"
#include "saved_world.h"

/* Makes edits with ticks between them and saves after each `edits_per_save`. */
void scenario_play(SavedWorld *world, Play *play, uint64_t edits, uint64_t edits_per_save);

/* Opens the world several times and prints times by phase, memory and bytes per edit. */
void scenario_measure_open(const char *name, uint64_t edits, uint32_t runs);
/* Opening a new world and one with `edits` edits. */
void scenario_open(uint32_t edits, uint32_t runs);

typedef struct AutosaveDesc {
    const char *name;
    uint32_t edits, water, entities; /* of the world before; cells of awake water */
    uint32_t saves;                  /* of each kind */
    uint32_t pace_us;                /* from tick to tick, at least */
} AutosaveDesc;
/* What autosaves add to ticks, beside synchronous saves: a player walks, builds and lets water flow
 * while chunks are loaded and unloaded. */
void scenario_autosave(const AutosaveDesc *desc);
/* The same when so many chunks have changed at once. */
void scenario_burst(uint32_t chunks, uint32_t rounds, uint32_t pace_us);
/* A year of play: `edits` edits, with saves. */
void scenario_year(uint32_t edits, uint32_t runs);
/* The worst year: no cell is edited twice, and hardly any has a neighbor that was edited. */
void scenario_scattered(uint32_t edits, uint32_t runs);

#endif
