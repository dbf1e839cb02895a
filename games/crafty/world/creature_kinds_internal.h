/* What the parts of the kinds of creatures share. */
#ifndef CRAFTY_WORLD_CREATURE_KINDS_INTERNAL_H
#define CRAFTY_WORLD_CREATURE_KINDS_INTERNAL_H

#include "creature_kinds.h"

struct CraftyCreatureKinds {
    CnAllocator *allocator;
    uint32_t count;
    CraftyCreatureKind kinds[CRAFTY_MAX_CREATURE_KINDS];
    uint8_t by_number[CRAFTY_MAX_CREATURE_NUMBER + 1]; /* index + 1; 0: none */
    uint64_t flowers[(CN_BLOCK_MAX + 64) / 64];        /* one bit for each block */
};

#endif
