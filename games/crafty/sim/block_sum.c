#include "block_sum.h"

#include "player.h"
#include "systems.h"

#include <cairn/base/hash_map.h>

/* Transient: how many edits of the log the sum contains. */
typedef struct CraftySummedEdits {
    uint64_t total;
} CraftySummedEdits;
CN_OPAQUE(CraftySummedEdits);

static uint64_t add_edit(uint64_t hash, const CnEdit *edit)
{
    const uint32_t words[] = {
        (uint32_t)edit->cell.x, (uint32_t)edit->cell.y,
        (uint32_t)edit->cell.z, (uint32_t)edit->old_block << 16 | edit->new_block,
        edit->player,           edit->kind};
    return cn_hash_bytes(words, sizeof words, hash);
}

/* A tick that makes more edits than the log keeps is summed as far as they are kept. */
static void sum_blocks(CnSystemContext *context)
{
    CnVoxels *voxels = cn_resource(context->world, CraftyBlocks)->voxels;
    const CnEditLog *log = cn_voxels_log(voxels);
    CraftySummedEdits *summed = cn_resource_mut(context->world, CraftySummedEdits);
    uint64_t total = cn_edit_log_total(log), added = total - summed->total;
    summed->total = total;
    const CraftyBlockSum *known = cn_resource(context->world, CraftyBlockSum);
    if (!known) /* the state was saved by a version without it */
        return;
    uint64_t data = cn_block_data_hash(voxels);
    if (added == 0 && data == known->data)
        return;
    CraftyBlockSum *sum = cn_resource_mut(context->world, CraftyBlockSum);
    sum->data = data;
    uint32_t count = cn_edit_log_count(log);
    for (uint32_t i = added < count ? count - (uint32_t)added : 0; i < count; i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        sum->hash = add_edit(sum->hash, &edit);
    }
    sum->edits += added;
}

bool crafty_block_sum_add(CnWorld *world, CnError *error)
{
    uint64_t total = cn_edit_log_total(cn_voxels_log(cn_resource(world, CraftyBlocks)->voxels));
    const CnComponentDesc desc = {.type = &cn_type_CraftySummedEdits,
                                  .flags = CN_COMPONENT_TRANSIENT};
    if (!cn_resource(world, CraftySummedEdits) && !cn_component_register(world, &desc, error).id)
        return false;
    if (!cn_resource_set(world, CraftySummedEdits, {.total = total}) ||
        (!cn_resource(world, CraftyBlockSum) && !cn_resource_set(world, CraftyBlockSum, {0})))
        return cn_error_memory(error, "the sum of block changes");
    if (cn_system_find(world, "CraftyBlockSum").id)
        return true;
    return crafty_system_add(world,
                             &(CnSystemDesc){.name = "CraftyBlockSum",
                                             .run = sum_blocks,
                                             .stage = CN_STAGE_POST_UPDATE,
                                             .alone = true},
                             error);
}
