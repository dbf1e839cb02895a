#include "container.h"

#include "drop_contents.h"
#include "furnace.h"
#include "player.h"
#include "stack_bytes.h"

#include <cairn/base/log.h>

#include <string.h>

#define CRATE_BYTES 4u /* of a slot in "crafty.crate": u16 item, u16 count */

/* ---- Contents ---- */

static bool is_standard(const CnBlockInfo *info)
{
    CnText name = cn_text(info->name);
    return cn_text_equal(name, cn_text(CRAFTY_CRATE)) || cn_text_equal(name, cn_text("chest")) ||
           cn_text_starts_with(name, cn_text("chest_")) ||
           cn_text_ends_with(name, cn_text("_crate")) ||
           cn_text_ends_with(name, cn_text("_barrel"));
}

uint32_t crafty_container_slots(const CnBlockTable *blocks, CnBlock block)
{
    const CnBlockInfo *info = cn_block_info(blocks, block);
    if (info->slots)
        return info->slots < CRAFTY_CONTAINER_SLOTS ? info->slots : CRAFTY_CONTAINER_SLOTS;
    return is_standard(info) ? CRAFTY_CONTAINER_SLOTS : 0;
}

bool crafty_container_is_block(const CnBlockTable *blocks, CnBlock block)
{
    return crafty_container_slots(blocks, block) > 0;
}

/* Returns false if the data is not that of a container. */
static bool decode(const CnVoxels *voxels, const CnBlockData *data, CraftyContainer *container)
{
    const char *kind = cn_block_data_kind_name(voxels, data->kind);
    bool is_crate = strcmp(kind, CRAFTY_CRATE_KIND) == 0;
    size_t size = is_crate ? CRATE_BYTES : CRAFTY_STACK_BYTES;
    if ((!is_crate && strcmp(kind, CRAFTY_CONTAINER_KIND) != 0) ||
        data->size > CRAFTY_CONTAINER_SLOTS * size || data->size % size != 0)
        return false;
    for (uint32_t i = 0; i < data->size / size; i++) {
        uint8_t slot[CRAFTY_STACK_BYTES] = {0};
        memcpy(slot, data->bytes + i * size, size);
        container->slots[i] = crafty_stack_load(slot);
    }
    return true;
}

bool crafty_container_read(CnVoxels *voxels, CnCell cell, CraftyContainer *container)
{
    CnBlockData data;
    if (!crafty_container_is_block(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell)))
        return false;
    *container = (CraftyContainer){0};
    return !cn_block_data_get(voxels, cell, &data) || decode(voxels, &data, container);
}

bool crafty_container_write(CnVoxels *voxels, CnCell cell, const CraftyContainer *container,
                            CnError *error)
{
    uint8_t bytes[CRAFTY_CONTAINER_SLOTS * CRAFTY_STACK_BYTES];
    CnBlockData data = {.bytes = bytes};
    for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++) {
        crafty_stack_store(bytes + (size_t)i * CRAFTY_STACK_BYTES, container->slots[i]);
        if (!crafty_stack_is_empty(container->slots[i]))
            data.size = (uint16_t)((i + 1) * CRAFTY_STACK_BYTES);
    }
    if (data.size == 0)
        return cn_block_data_remove(voxels, cell, error);
    return cn_block_data_kind(voxels, CRAFTY_CONTAINER_KIND, &data.kind, error) &&
           cn_block_data_set(voxels, cell, &data, error);
}

/* ---- Reach ---- */

static float distance_along(float at, int32_t cell)
{
    float low = (float)cell, high = low + 1;
    return at < low ? low - at : at > high ? at - high : 0;
}

bool crafty_container_is_near(CnVec3 eye, CnCell cell)
{
    float x = distance_along(eye.x, cell.x), y = distance_along(eye.y, cell.y),
          z = distance_along(eye.z, cell.z);
    return x * x + y * y + z * z <= CN_REACH * CN_REACH;
}

/* ---- Breaking ---- */

/* The block comes back with what could not be dropped. */
static bool put_back(CnWorld *world, const CnEdit *broken, const CraftyStack *slots,
                     bool is_furnace)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CraftyContainer container = {0};
    CraftyFurnace furnace = {0};
    CnEdit edit = {.tick = broken->tick,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = broken->cell,
                   .new_block = broken->old_block};
    memcpy(is_furnace ? furnace.slots : container.slots, slots,
           (is_furnace ? CRAFTY_FURNACE_SLOTS : CRAFTY_CONTAINER_SLOTS) * sizeof *slots);
    return cn_voxels_edit(voxels, &edit, NULL) &&
           (is_furnace ? crafty_furnace_write(world, broken->cell, &furnace, NULL)
                       : crafty_container_write(voxels, broken->cell, &container, NULL));
}

/* Returns false if the block with this data is neither a container nor a furnace. */
static bool contents_of(const CnVoxels *voxels, CnBlock block, const CnBlockData *data,
                        CraftyContainer *container)
{
    const CnBlockTable *blocks = cn_voxels_blocks(voxels);
    if (crafty_furnace_is_block(blocks, block))
        return crafty_furnace_decode(voxels, data, container->slots);
    return crafty_container_is_block(blocks, block) && decode(voxels, data, container);
}

bool crafty_container_drops(CnVoxels *voxels, CnCell cell)
{
    CraftyContainer container = {0};
    CnBlockData data;
    return cn_block_data_get(voxels, cell, &data) &&
           contents_of(voxels, cn_voxels_get(voxels, cell), &data, &container);
}

static void on_removed(void *user, const CnEdit *edit, const CnBlockData *data)
{
    CnWorld *world = user;
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CraftyContainer container = {0};
    bool is_furnace = crafty_furnace_is_block(cn_voxels_blocks(voxels), edit->old_block);
    if (!contents_of(voxels, edit->old_block, data, &container))
        return;
    uint32_t left = crafty_drop_contents(world, edit->cell, edit->player, container.slots,
                                         CRAFTY_CONTAINER_SLOTS);
    if (left > 0 && !put_back(world, edit, container.slots, is_furnace))
        CN_LOG_WARNING("crafty", "%u items of the container at %d, %d, %d are lost with it", left,
                       edit->cell.x, edit->cell.y, edit->cell.z);
}

bool crafty_containers_add(CnWorld *world, CnError *error)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnBlockDataKind kind;
    if (!cn_block_data_kind(voxels, CRAFTY_CONTAINER_KIND, &kind, error) ||
        !cn_block_data_kind(voxels, CRAFTY_FURNACE_KIND, &kind, error))
        return false;
    cn_block_data_listen(voxels, on_removed, world);
    return true;
}

void crafty_containers_remove(CnWorld *world)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    if (blocks)
        cn_block_data_listen(blocks->voxels, NULL, NULL);
}
