#include "hand_internal.h"

#include "drops.h"
#include "harvest.h"
#include "player_event.h"
#include "undo.h"

#include <string.h>

/* ---- Pick block ---- */

static bool holds(const CraftyStack *stack, CraftyItem item)
{
    return stack->item == item && stack->count > 0;
}

/* Selects a slot of the hotbar with the item, or exchanges one of the inventory with the held
 * stack. */
static bool pick_own(CraftyPlayer *player, CraftyItem item)
{
    for (uint8_t i = 0; i < CRAFTY_SLOTS; i++)
        if (holds(&player->slots[i], item)) {
            player->slot = i;
            return true;
        }
    for (uint32_t i = 0; i < CRAFTY_INVENTORY_SLOTS; i++)
        if (holds(&player->inventory[i], item)) {
            CraftyStack *slot = &player->slots[player->slot % CRAFTY_SLOTS], other = *slot;
            *slot = player->inventory[i];
            player->inventory[i] = other;
            return true;
        }
    return false;
}

bool crafty_hand_pick(const CraftyHandUse *use, CnBlock block)
{
    CraftyItem item = crafty_harvest_item(use->world, block);
    CraftyPlayer *player = cn_get_mut(use->world, use->player, CraftyPlayer);
    if (item == CRAFTY_NO_ITEM)
        return false;
    return pick_own(player, item) ||
           (!use->is_survival && crafty_player_take(use->items, player, item, 1));
}

/* ---- Dropping ---- */

void crafty_hand_drop(const CraftyHandUse *use, bool all)
{
    CraftyStack *slot = crafty_hand_slot(use);
    CraftyStack thrown = *slot;
    if (crafty_stack_is_empty(thrown))
        return;
    thrown.count = all ? slot->count : 1;
    if (!crafty_drop_throw(use->world, use->player, thrown).id)
        return; /* the world is full: it stays in the hand */
    crafty_stack_take(crafty_hand_slot(use), thrown.count);
}

/* ---- Buckets ---- */

#define EMPTY "bucket"
#define FULL "water_bucket"

static bool is_held(const CraftyHandUse *use, const char *name)
{
    CraftyItem item = crafty_items_find(use->items, name);
    return item != CRAFTY_NO_ITEM &&
           crafty_player_held(use->items, cn_get(use->world, use->player, CraftyPlayer)).item ==
               item;
}

/* One of the held items becomes another one. What does not fit into the slots is dropped. */
static void exchange(const CraftyHandUse *use, const char *name, CnCell cell)
{
    CraftyStack other = {.item = crafty_items_find(use->items, name), .count = 1};
    if (!use->is_survival || other.item == CRAFTY_NO_ITEM)
        return;
    crafty_hand_consume(use);
    CraftyStack *slot = crafty_hand_slot(use);
    if (crafty_stack_is_empty(*slot)) {
        *slot = other;
        return;
    }
    crafty_player_give(use->items, cn_get_mut(use->world, use->player, CraftyPlayer), &other);
    crafty_drop_or_give(use->world, (CnEntity){0}, cell, other);
}

static bool change(const CraftyHandUse *use, CnEditKind kind, CnCell cell, CnBlock block)
{
    CnEdit edit = {
        .kind = (uint8_t)kind, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = block};
    return crafty_undo_edit(use->world, use->player, &edit, NULL);
}

static void tell(const CraftyHandUse *use, CraftyPlayerEventKind kind, CnCell cell)
{
    crafty_player_event_send(
        use->world,
        &(CraftyPlayerEvent){
            .player = use->player,
            .kind = (uint8_t)kind,
            .position = cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f)});
}

static void fill(CraftyHandUse *use)
{
    CnVoxelHit hit;
    if (!cn_voxels_raycast(use->voxels, use->input.eye, use->input.forward, CN_REACH,
                           CN_VOXEL_RAY_SOURCE, &hit) ||
        hit.block != CN_BLOCK_WATER || !change(use, CN_EDIT_BREAK, hit.cell, CN_BLOCK_AIR))
        return;
    use->acts = true;
    exchange(use, FULL, hit.cell);
    tell(use, CRAFTY_PLAYER_FILLED, hit.cell);
}

static void empty(CraftyHandUse *use, const CnVoxelHit *target)
{
    CnInteractInput input = use->input;
    CnCell cell;
    input.held = CN_BLOCK_WATER;
    if (!target ||
        cn_interact_find_cell(use->voxels, &input, target, &cell) != CN_INTERACT_ALLOWED ||
        cn_interact_may_fill(use->voxels, &input, cell, CN_BLOCK_WATER) != CN_INTERACT_ALLOWED ||
        !change(use, CN_EDIT_PLACE, cell, CN_BLOCK_WATER))
        return;
    use->acts = true;
    exchange(use, EMPTY, cell);
    tell(use, CRAFTY_PLAYER_EMPTIED, cell);
}

bool crafty_hand_use_bucket(CraftyHandUse *use, const CnVoxelHit *target)
{
    bool is_empty = is_held(use, EMPTY);
    if (!is_empty && !is_held(use, FULL))
        return false;
    if (use->is_first) {
        if (is_empty)
            fill(use);
        else
            empty(use, target);
    }
    return true;
}

/* ---- Hoes ---- */

static bool is_soil(const char *name)
{
    static const char *const soils[] = {"dirt", "grass", "dirt_path"};
    for (uint32_t i = 0; i < CN_COUNT_OF(soils); i++)
        if (!strcmp(name, soils[i]))
            return true;
    return false;
}

bool crafty_hand_use_hoe(CraftyHandUse *use, const CnVoxelHit *target)
{
    const CnBlockTable *blocks = cn_voxels_blocks(use->voxels);
    CraftyStack held =
        crafty_player_held(use->items, cn_get(use->world, use->player, CraftyPlayer));
    const CraftyItemInfo *info = crafty_items_info(use->items, held.item);
    CnBlock farmland = cn_block_find(blocks, "farmland");
    if (!info || info->tool != CRAFTY_TOOL_HOE)
        return false;
    if (!target || target->face == CN_FACE_NEG_Y || farmland == CN_BLOCK_NONE ||
        !is_soil(cn_block_info(blocks, target->block)->name))
        return true;
    CnCell above = {target->cell.x, target->cell.y + 1, target->cell.z};
    if (!cn_cell_is_in_world(above) || cn_voxels_get(use->voxels, above) != CN_BLOCK_AIR ||
        !change(use, CN_EDIT_PLACE, target->cell, farmland))
        return true;
    use->acts = true;
    crafty_hand_wear(use);
    crafty_hand_send(use->world, use->player,
                     (CnInteractEvent){.kind = CN_INTERACT_PLACE,
                                       .cell = target->cell,
                                       .face = target->face,
                                       .block = farmland});
    return true;
}
