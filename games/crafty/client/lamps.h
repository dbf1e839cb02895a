/*
 * Lamps: torches, lanterns, magma and other blocks with a light radius, as point lights that flicker.
 *
 *     CraftyLamps *lamps = crafty_lamps_create(NULL);
 *     crafty_lamps_update(lamps, voxels, position);          // hook mesh_changed
 *     crafty_lamps_remove(lamps, position);                  // hook chunk_removed
 *     crafty_lamps_add(world, lamps, &error);                // the system ShowLamps of PreExtract
 *     crafty_lamps_look(lamps, eye);                         // before each frame
 *
 * Shown are at most CRAFTY_LAMPS_SHOWN, the nearest. They fade with distance, before they are left out; light of blocks,
 * which is in the meshes, remains. One thread owns them: that of the ticks.
 */
#ifndef CRAFTY_CLIENT_LAMPS_H
#define CRAFTY_CLIENT_LAMPS_H

#include <cairn/sim/extract.h>
#include <cairn/voxel.h>

#define CRAFTY_LAMPS_SHOWN 512u
#define CRAFTY_LAMPS_REACH 96u /* blocks */

typedef struct CraftyLamps CraftyLamps;

CraftyLamps *crafty_lamps_create(CnAllocator *allocator); /* NULL: the system's */
void crafty_lamps_destroy(CraftyLamps *lamps);

/* What a shown chunk has now; its neighbours are loaded. False: out of memory, some are missing. */
bool crafty_lamps_update(CraftyLamps *lamps, CnVoxels *voxels, CnChunkPos position);
void crafty_lamps_remove(CraftyLamps *lamps, CnChunkPos position);
void crafty_lamps_look(CraftyLamps *lamps, CnVec3 eye);
uint32_t crafty_lamps_count(const CraftyLamps *lamps);
/* Where flames are, not farther than `reach` from the eye: at most `most`, as they come. Returns how many. */
uint32_t crafty_lamps_flames(const CraftyLamps *lamps, CnVec3 eye, float reach, CnVec3 *flames,
                             uint32_t most);

/* The lamps outlive the world. */
bool crafty_lamps_add(CnWorld *world, CraftyLamps *lamps, CnError *error);
/* What the system does. Makes no heap call but those of `out`. */
void crafty_lamps_show(CraftyLamps *lamps, CnRenderOut *out, double seconds);

#endif
