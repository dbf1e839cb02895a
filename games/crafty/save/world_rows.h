/*
 * The rows of a world file, checked one by one and against each other, without a simulation: for
 * checking and repairing worlds.
 *
 *     CraftyWorldRows rows;
 *     crafty_world_rows_init(&rows);
 *     // for each row of the file, `info` first:
 *     crafty_world_rows_add(&rows, &row, &error);
 *     crafty_world_rows_compare(&rows, visit, user, &error);
 *     crafty_world_rows_fini(&rows);
 *
 * The log holds at least the last CRAFTY_SAVE_EDITS edits, players' and the world's own. For every
 * cell in it, the newest edit must agree with the row of the chunk. Cells whose edits have left the
 * log are not compared, and neither are edits before a record that is missing, because newer ones
 * may be lost.
 */
#ifndef CRAFTY_SAVE_WORLD_ROWS_H
#define CRAFTY_SAVE_WORLD_ROWS_H

#include "save_internal.h"

#include "crafty/world/blocks.h"

typedef struct CraftyLoggedCell {
    uint64_t chunk; /* cn_chunk_key */
    uint64_t order; /* of the edit in the log */
    uint16_t index; /* of the cell in the chunk */
    CnBlock block;
} CraftyLoggedCell;

typedef struct CraftyWorldRows {
    CnBlockTable *blocks; /* of the world's palette, or the standard ones */
    CnBlockPalette *palette;
    CraftyChunkEdits chunks;
    uint32_t data_kinds; /* kinds of block data */
    CN_ARRAY(CraftyLoggedCell) cells;
    uint64_t edits;          /* in the log */
    uint64_t after_gap;      /* order of the first edit after the last missing record */
    int64_t first_after_gap; /* number of its record; 0: there is none */
    int64_t last_record;     /* of the log; 0: none */
    /* Checks the picture; NULL: any bytes are accepted. */
    bool (*check_thumbnail)(const uint8_t *bytes, size_t size, CnError *error);
} CraftyWorldRows;

void crafty_world_rows_init(CraftyWorldRows *rows);
void crafty_world_rows_fini(CraftyWorldRows *rows);

/* Sets the names of the blocks, which rows of chunks and the log need. Returns false and an error
 * if the palette is malformed or has a name twice. */
bool crafty_world_rows_set_palette(CraftyWorldRows *rows, CnText palette, CnError *error);
/* Sets the names of the kinds of block data. */
void crafty_world_rows_set_kinds(CraftyWorldRows *rows, CnText names);
/* Decodes a row and keeps what is compared later. Returns false and an error if it makes no sense.
 * Activity and simulation are only decoded when the world is opened. */
bool crafty_world_rows_add(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error);
/* Declares that a record of the log is missing. */
void crafty_world_rows_gap(CraftyWorldRows *rows, int64_t record);

/* Decodes a row without the others: for rows that come in any order. */
bool crafty_world_row_check(const CnStoreRow *row, CnError *error);

/* A cell whose newest logged edit does not agree with its chunk. */
typedef struct CraftyWorldDifference {
    const CraftyLoggedCell *cell;
    bool has_chunk;    /* there is a row for the chunk */
    bool is_after_gap; /* the edit is certainly the newest */
} CraftyWorldDifference;
/* Visits the differences, by chunk and index. Returns false when out of memory or if `visit`
 * returns false. */
bool crafty_world_rows_compare(CraftyWorldRows *rows,
                               bool (*visit)(const CraftyWorldDifference *difference, void *user,
                                             CnError *error),
                               void *user, CnError *error);

#endif
