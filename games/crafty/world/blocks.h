/*
 * The blocks of Crafty. They are registered at run time, by name, from the properties that
 * games/crafty/blocks generates out of the game's metadata.
 *
 *     CnBlockTable *table = crafty_blocks_create(NULL, &error); // the standard blocks
 *     cn_block_table_add(table, &marble, NULL, &error);         // blocks of a mod follow
 *     cn_block_table_close(table);
 *     CraftyWorld *world = crafty_world_create(&(CraftyWorldDesc){.blocks = table}, &error);
 *
 * Programs other than the game use these blocks, too: the generator of the engine places blocks by
 * their names, and `cairn map`, samples, tests and benchmarks need a table that has them.
 */
#ifndef CRAFTY_WORLD_BLOCKS_H
#define CRAFTY_WORLD_BLOCKS_H

#include <cairn/base/text.h>
#include <cairn/voxel/block.h>

/* Generated: in the order of registration. */
extern const CnBlockInfo crafty_standard_blocks[];
extern const uint32_t crafty_standard_block_count;

typedef struct CraftyBlocksDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    CnText palette;         /* from crafty_blocks_write_palette; empty: a new world */
    /* Blocks of mods, which follow the standard ones; copied. */
    const CnBlockInfo *more;
    uint32_t more_count;
} CraftyBlocksDesc;

/* Creates a table with the standard blocks, still open, for further registrations. Blocks of the
 * palette have its numbers; names that nothing describes become placeholders, and standard blocks
 * that the palette lacks follow. `desc` may be NULL. Returns NULL and an error if the palette is
 * malformed or when out of memory. */
CnBlockTable *crafty_blocks_create(const CraftyBlocksDesc *desc, CnError *error);
/* Appends the palette: all names in order of their numbers, separated by commas. Returns false when
 * out of memory; the builder is unchanged then. */
bool crafty_blocks_write_palette(const CnBlockTable *table, CnTextBuilder *builder);
/* Returns what a block looks like whose mod is missing (cn_block_table_add_placeholder). */
CnBlockInfo crafty_blocks_placeholder(void);

#endif
