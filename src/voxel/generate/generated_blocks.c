/* Finds the blocks of the generator in the block table of the game. */
#include "voxel/generate/generated_blocks.h"

#include <string.h>

bool cni_voxel_generated_blocks_find(CniVoxelGeneratedBlocks *blocks, const CnBlockTable *table,
                                     CnError *error)
{
    static const char *const names[] = {
#define X(id, name) name,
        CNI_VOXEL_GENERATED_BLOCKS(X)
#undef X
    };
    if (!table->is_closed)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "the block table of a generator must be closed");
    blocks->table = table;
    if (!cn_block_find_all(table, "the world generator", names, CNI_VOXEL_GEN_COUNT,
                           blocks->numbers, error))
        return false;
    memset(blocks->kinds, CNI_VOXEL_GEN_COUNT, sizeof blocks->kinds);
    for (uint32_t i = 0; i < CNI_VOXEL_GEN_COUNT; i++)
        blocks->kinds[blocks->numbers[i]] = (CniVoxelGenerated)i;
    return true;
}
