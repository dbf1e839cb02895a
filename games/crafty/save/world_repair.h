/*
 * Repairing worlds: everything that is not damaged is copied to a new file, which then takes the
 * place of the world. The damaged file is kept as a backup.
 *
 *     CraftyWorldRepair repair;
 *     if (crafty_world_repair(&(CraftyWorldRepairDesc){.path = path}, &repair, &error))
 *         printf("%u chunks are gone\n", repair.lost_chunks.count);
 *     crafty_world_repair_free(&repair);
 *
 * What is left is made consistent, so that the world opens and plays:
 *
 *   name, seed, palettes   from the table `copy`. Without both copies of a palette, the standard
 *                          blocks are assumed: right unless mods added some. Without both copies of
 *                          the identity, the caller gives the seed.
 *   chunks                 cells of a lost chunk whose edits are still in the log come back from
 * it. log                    records before a lost one are dropped: what they undo is not certain.
 *   simulation             if lost, players start anew at the spawn point; the blocks are kept.
 *   hashes                 computed anew when the world is opened.
 *
 * docs/formats.md describes the row `repaired`, which says so until the next save.
 */
#ifndef CRAFTY_SAVE_WORLD_REPAIR_H
#define CRAFTY_SAVE_WORLD_REPAIR_H

#include "worlds.h"

#include <cairn/store/maintenance.h>
#include <cairn/voxel/chunk.h>

typedef CN_ARRAY(CnChunkPos) CraftyChunkList;

typedef enum CraftyRepairSource {
    CRAFTY_REPAIR_KEPT,
    CRAFTY_REPAIR_FROM_COPY,
    CRAFTY_REPAIR_LOST
} CraftyRepairSource;

typedef struct CraftyWorldRepair {
    CnStoreReport damage; /* what was found in the damaged file */
    CraftyRepairSource identity, blocks, items;
    bool lost_summary, lost_simulation, lost_activity, lost_thumbnail;
    CraftyChunkList lost_chunks;    /* as far as the file still names them */
    CraftyChunkList rebuilt_chunks; /* of which edits came back from the log */
    CraftyChunkList lost_data; /* chunks whose block data is gone, such as contents of crates */
    uint64_t kept_chunks, kept_edits, dropped_edits;
    uint64_t rebuilt_cells;
    char backup[CN_STORE_PATH_BYTES]; /* the damaged file */
} CraftyWorldRepair;

typedef struct CraftyWorldRepairDesc {
    const char *path;
    bool has_seed; /* of a world whose seed is lost */
    uint64_t seed;
    /* Checks the picture; NULL: any bytes are accepted. */
    bool (*check_thumbnail)(const uint8_t *bytes, size_t size, CnError *error);
    CnStoreProgress progress;
    void *user;
} CraftyWorldRepairDesc;

/* Returns false and an error if the world is open, if nothing of a world is left, if its seed is
 * lost and not given, or if the disk fails; the world is unchanged then. Free the repair in either
 * case. */
bool crafty_world_repair(const CraftyWorldRepairDesc *desc, CraftyWorldRepair *repair,
                         CnError *error);
void crafty_world_repair_free(CraftyWorldRepair *repair);

#endif
