/* What the parts of path finding share. */
#ifndef CRAFTY_SIM_PATH_INTERNAL_H
#define CRAFTY_SIM_PATH_INTERNAL_H

#include "path_find.h"

#define CRAFTY_PATH_UNITS 16 /* of height in a block */

struct CraftyPathTraits {
    CnAllocator *allocator;
    uint8_t traits[UINT16_MAX + 1];
};

/* How a body is in a cell. */
typedef enum CraftyStandKind {
    CRAFTY_STAND_NOT,
    CRAFTY_STAND_FLOOR,
    CRAFTY_STAND_WATER,
    CRAFTY_STAND_LADDER,
    CRAFTY_STAND_AIR /* of those who fly */
} CraftyStandKind;

typedef struct CraftyStand {
    CraftyStandKind kind;
    int32_t height; /* of the feet in the cell, in units; 0 to 15 */
    bool in_door;   /* a closed door must be opened */
} CraftyStand;

/* Returns how a body is in a cell, if it fits there. */
CraftyStand crafty_path_stand(const CraftyPathWorld *world, const CraftyPathBody *body,
                              CnCell cell);
/* Returns whether the body fits between two heights, both in units above the bottom of the cell. */
bool crafty_path_fits(const CraftyPathWorld *world, const CraftyPathBody *body, CnCell cell,
                      int32_t low, int32_t high, bool *in_door);

#endif
