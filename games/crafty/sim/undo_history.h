/*
 * The changes that each player can undo and redo, and their form in saved worlds (docs/formats.md).
 * undo.h is the interface.
 */
#ifndef CRAFTY_SIM_UNDO_HISTORY_H
#define CRAFTY_SIM_UNDO_HISTORY_H

#include "player.h"

#include <cairn/voxel/block_data.h>

/* How to revert the change of one cell. */
typedef struct CraftyUndoStep {
    CnCell cell;
    CnBlock expected; /* the step is possible only while this block is there */
    CnBlock restored;
    uint32_t group;
    bool has_data, active; /* data of the restored block */
    CnBlockDataKind kind;
    uint16_t size;
    uint8_t *bytes; /* owned */
} CraftyUndoStep;

/* Steps in the order in which they were noted, in a ring of CRAFTY_UNDO_EDITS. */
typedef struct CraftyUndoStack {
    CnAllocator *allocator;
    CraftyUndoStep *steps; /* NULL until the first is noted */
    uint32_t capacity, first, count;
    uint32_t data_bytes;
} CraftyUndoStack;

/* tick: of the last change; group: its number; in_group: begun and not ended; group_started: it
 * contains a change. */
typedef struct CraftyUndoHistory {
    CraftyUndoStack undo, redo;
    uint64_t tick;
    uint32_t group;
    bool in_group, group_started;
} CraftyUndoHistory;

typedef struct CraftyUndoHistories {
    CnAllocator *allocator;
    CraftyUndoHistory **players; /* by number - 1; NULL until the player changes something */
    uint32_t capacity;
} CraftyUndoHistories;

/* Copies data into a step. Returns false when out of memory. */
bool crafty_undo_step_keep(CraftyUndoStep *step, CnAllocator *allocator, const CnBlockData *data);
CnBlockData crafty_undo_step_data(const CraftyUndoStep *step);
void crafty_undo_step_free(CraftyUndoStep *step, CnAllocator *allocator);

/* Makes room, so that the next push succeeds. Returns false when out of memory. */
bool crafty_undo_stack_reserve(CraftyUndoStack *stack);
/* Takes ownership of the step, unless it returns false: out of memory. Forgets the oldest groups at
 * the limits. */
bool crafty_undo_stack_push(CraftyUndoStack *stack, const CraftyUndoStep *step);
/* Gives the last step to the caller. Returns false if there is none. */
bool crafty_undo_stack_pop(CraftyUndoStack *stack, CraftyUndoStep *step);
void crafty_undo_stack_clear(CraftyUndoStack *stack);
uint32_t crafty_undo_stack_last_group(const CraftyUndoStack *stack);
uint32_t crafty_undo_stack_groups(const CraftyUndoStack *stack);

/* Returns NULL when out of memory. */
CraftyUndoHistories *crafty_undo_histories_create(CnAllocator *allocator);
void crafty_undo_histories_destroy(CraftyUndoHistories *histories); /* NULL is ignored */
/* Returns the history of a player; NULL if it has none yet. */
CraftyUndoHistory *crafty_undo_history_find(const CraftyUndoHistories *histories, uint32_t player);
/* The same, but makes it. Returns NULL when out of memory, and for numbers that no player has. */
CraftyUndoHistory *crafty_undo_history_of(CraftyUndoHistories *histories, uint32_t player);
/* Frees the history of a player. */
void crafty_undo_histories_forget(CraftyUndoHistories *histories, uint32_t player);
bool crafty_undo_histories_write(const CraftyUndoHistories *histories, CnU8Array *bytes,
                                 CnError *error);
/* Replaces the histories. Returns false and an error if the bytes are malformed or when out of
 * memory; the histories are empty then. */
bool crafty_undo_histories_read(CraftyUndoHistories *histories, const CnVoxels *voxels,
                                const uint8_t *bytes, size_t size, CnError *error);

#endif
