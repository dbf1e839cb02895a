/*
 * The content of a world: blocks beside the standard ones, and the texts about items, recipes,
 * blocks, creatures, trades and features of terrain. The standard content is embedded in the
 * program; mods add theirs (sim/mod/mods.h).
 *
 *     CraftyContent content = crafty_content_standard();
 *     CraftyWorld *world = crafty_world_create(&(CraftyWorldDesc){.content = &content}, &error);
 *     uint64_t hash = crafty_content_hash(world);
 */
#ifndef CRAFTY_WORLD_CONTENT_H
#define CRAFTY_WORLD_CONTENT_H

#include <cairn/base/text.h>
#include <cairn/voxel/block.h>

typedef struct CraftyWorld CraftyWorld;

typedef struct CraftyContent {
    CnText items, recipes, block_rules, creatures, trades; /* JSON, docs/formats.md */
    CnText features;           /* decorations and structures; empty: those of the engine alone */
    CnText weather;            /* further kinds of weather, and skies; empty: none */
    const CnBlockInfo *blocks; /* registered after the standard blocks, in this order */
    uint32_t block_count;
} CraftyContent;

CraftyContent crafty_content_standard(void);

/* Returns a hash of everything that is registered: names and properties of blocks, items, recipes,
 * rules, creatures, trades and features, in their order. Worlds with equal hashes have equal
 * content. */
uint64_t crafty_content_hash(const CraftyWorld *world);

#endif
