/*
 * Paths over blocks: A* for bodies that walk.
 *
 *     CraftyPathWorld paths = {.blocks = reader, .traits = traits};
 *     CraftyPathDesc desc = {.start = feet, .goal = goal, .body = {.width = 0.6f, .height = 1.8f}};
 *     CraftyPath path;
 *     if (crafty_path_find(scratch, &paths, &desc, &path) == CRAFTY_PATH_FOUND)
 *         walk(path.cells, path.count);
 *
 * A node of the search is a cell in which the feet stand: on a full block below it, on the shape
 * inside it (slabs, stairs, carpets), in water, or on a ladder. Moves lead to the eight neighbors
 * on the same level, one block up (a jump) or down up to `max_drop`. Diagonal moves need both sides
 * free. The result depends on the blocks and the description only: of equal costs, the
 * cell that was found first wins, so every thread and every machine finds the same path.
 *
 * A scratch memory belongs to one thread at a time and allocates only when it is created.
 */
#ifndef CRAFTY_SIM_PATH_FIND_H
#define CRAFTY_SIM_PATH_FIND_H

#include "crafty/world/block_family.h"

#include <cairn/voxel/voxels.h>

#define CRAFTY_PATH_MAX_CELLS 256u
#define CRAFTY_PATH_MAX_NODES 4096u /* limit of CraftyPathDesc.max_nodes */
#define CRAFTY_PATH_REACH 120       /* cells on each axis from the start that a search visits */

/* What a block means to a walker. */
#define CRAFTY_PATH_SOLID 1u  /* a full block */
#define CRAFTY_PATH_SHAPED 2u /* stopped by its boxes */
#define CRAFTY_PATH_WATER 4u
#define CRAFTY_PATH_HURTS 8u /* in it or on it: lava, magma, cactus, fire */
#define CRAFTY_PATH_LADDER 16u
#define CRAFTY_PATH_DOOR 32u  /* closed; opened by hand */
#define CRAFTY_PATH_FENCE 64u /* too high to jump over */
#define CRAFTY_PATH_OPEN_DOOR 128u

/* Traits of all blocks of a table, by number. */
typedef struct CraftyPathTraits CraftyPathTraits;
/* `families` may be NULL: no doors then. Returns NULL and an error when out of memory. */
CraftyPathTraits *crafty_path_traits_create(CnAllocator *allocator, const CnBlockTable *blocks,
                                            const CraftyBlockFamilies *families, CnError *error);
void crafty_path_traits_destroy(CraftyPathTraits *traits); /* NULL is ignored */
uint8_t crafty_path_traits_of(const CraftyPathTraits *traits, CnBlock block);

/* The blocks of a search; they must not change meanwhile. */
typedef struct CraftyPathWorld {
    CnBlockReader blocks;
    const CraftyPathTraits *traits;
} CraftyPathWorld;

typedef struct CraftyPathBody {
    float width, height; /* blocks; at most 3 wide and 4 high */
    bool opens_doors;
    bool climbs;       /* ladders */
    bool avoids_water; /* never enters it */
    bool swims_only;   /* moves in water only: fish */
    bool flies;        /* moves through air in all directions */
    uint8_t max_drop;  /* blocks it jumps down; 0 selects 3 */
} CraftyPathBody;

/* Costs of a step; a step on the level costs 10, a diagonal one 14. 0 selects the default. */
typedef struct CraftyPathCosts {
    uint16_t water;  /* additional, in water: 20 */
    uint16_t jump;   /* additional, one block up: 6 */
    uint16_t drop;   /* additional, per block down: 3 */
    uint16_t door;   /* additional, through a closed door: 10 */
    uint16_t ladder; /* additional: 4 */
} CraftyPathCosts;

typedef struct CraftyPathDesc {
    CnCell start, goal; /* of the feet */
    CraftyPathBody body;
    CraftyPathCosts costs;
    uint32_t max_nodes; /* visited at most; 0 selects 1,024 */
    uint32_t near; /* blocks from the goal (along each axis) that are near enough; 0: exactly */
} CraftyPathDesc;

typedef enum CraftyPathResult {
    CRAFTY_PATH_FOUND,
    CRAFTY_PATH_NONE,    /* there is no path within CRAFTY_PATH_REACH */
    CRAFTY_PATH_PARTIAL, /* max_nodes were visited, or there is none: leads to the nearest cell */
    CRAFTY_PATH_NO_START /* the body cannot stand at the start */
} CraftyPathResult;

typedef struct CraftyPath {
    uint32_t count; /* cells, from the first step to the goal */
    uint32_t cost;
    uint32_t nodes;    /* visited */
    bool is_shortened; /* the path has more cells; these are the first */
    CnCell cells[CRAFTY_PATH_MAX_CELLS];
} CraftyPath;

typedef struct CraftyPathScratch CraftyPathScratch;
CraftyPathScratch *crafty_path_scratch_create(CnAllocator *allocator, CnError *error);
void crafty_path_scratch_destroy(CraftyPathScratch *scratch); /* NULL is ignored */

/* Finds the cheapest path. Without one, the path leads to the visited cell that is nearest to the
 * goal, and the result is CRAFTY_PATH_PARTIAL, or CRAFTY_PATH_NONE if that is the start. */
CraftyPathResult crafty_path_find(CraftyPathScratch *scratch, const CraftyPathWorld *world,
                                  const CraftyPathDesc *desc, CraftyPath *path);

/* Returns where the middle of a body is in its cell, along x and z: 0.5, or 1 for bodies that are
 * two blocks wide, whose cell is the one with the lowest coordinates. */
float crafty_path_middle(float width);
/* Returns whether the body can stand in the cell; for choosing goals. */
bool crafty_path_can_stand(const CraftyPathWorld *world, const CraftyPathBody *body, CnCell cell);

#endif
