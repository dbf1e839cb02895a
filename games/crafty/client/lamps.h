/*
 * Lamps: torches, lanterns, magma and other blocks with a light radius, drawn as flickering point
 * lights.
 *
 *     CraftyLamps *lamps = crafty_lamps_create(NULL, cn_voxels_blocks(voxels));
 *     crafty_lamps_update(lamps, voxels, position); // in the hook mesh_changed
 *     crafty_lamps_remove(lamps, position);         // in the hook chunk_removed
 *     crafty_lamps_add(world, lamps, &error);       // adds the system ShowLamps to PreExtract
 *     crafty_lamps_set_eye(lamps, eye);                // before each frame
 *
 * At most CRAFTY_MAX_SHOWN_LAMPS lamps are drawn, the nearest ones. Lamps fade out with distance
 * before they are dropped; the block light baked into the meshes remains. Use from the simulation
 * thread only.
 */
#ifndef CRAFTY_CLIENT_LAMPS_H
#define CRAFTY_CLIENT_LAMPS_H

#include <cairn/sim/extract.h>
#include <cairn/voxel.h>

#define CRAFTY_MAX_SHOWN_LAMPS 512u
#define CRAFTY_LAMPS_REACH 96u /* blocks */

typedef struct CraftyLamps CraftyLamps;

/* `blocks` is the table of the voxel world. Returns NULL when out of memory. */
CraftyLamps *crafty_lamps_create(CnAllocator *allocator /* NULL: system allocator */,
                                 const CnBlockTable *blocks);
void crafty_lamps_destroy(CraftyLamps *lamps);

/* Updates the lamps of a chunk that has a mesh and loaded neighbors. Returns false when out of
 * memory; some lamps are missing then. */
bool crafty_lamps_update(CraftyLamps *lamps, CnVoxels *voxels, CnChunkPos position);
void crafty_lamps_remove(CraftyLamps *lamps, CnChunkPos position);
void crafty_lamps_set_eye(CraftyLamps *lamps, CnVec3 eye);
uint32_t crafty_lamps_count(const CraftyLamps *lamps);
/* Writes the positions of flames within `reach` of the camera, at most `most`, in no particular
 * order. Returns their number. */
uint32_t crafty_lamps_flames(const CraftyLamps *lamps, CnVec3 eye, float reach, CnVec3 *flames,
                             uint32_t most);

/* The lamps must outlive the world. */
bool crafty_lamps_add(CnWorld *world, CraftyLamps *lamps, CnError *error);
/* Extracts the lights; called by the system. Allocates only through `out`. */
void crafty_lamps_extract(CraftyLamps *lamps, CnRenderOut *out, double seconds);

#endif
