#include "undo.h"

#include "undo_history.h"

#include "container.h"
#include "hand.h"
#include "player.h"

#include <cairn/base/log.h>

/* Transient resource; the histories are saved by the state section. */
typedef struct CraftyUndo {
    CraftyUndoHistories *histories;
} CraftyUndo;
CN_OPAQUE(CraftyUndo);

#define SECTION "crafty.undo"

/* ---- Players ---- */

static uint32_t number_of(const CnWorld *world, CnEntity player)
{
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    return own ? own->player : 0;
}

static CraftyUndoHistory *history_of(const CnWorld *world, CnEntity player)
{
    const CraftyUndo *undo = cn_resource(world, CraftyUndo);
    return undo ? crafty_undo_history_find(undo->histories, number_of(world, player)) : NULL;
}

/* Makes the history. Stores NULL for somebody who has none; returns false when out of memory. */
static bool own_history(const CnWorld *world, CnEntity player, CraftyUndoHistory **history)
{
    const CraftyUndo *undo = cn_resource(world, CraftyUndo);
    uint32_t number = number_of(world, player);
    bool has = undo && number >= 1 && number <= CRAFTY_MAX_PLAYER_NUMBER;
    *history = has ? crafty_undo_history_of(undo->histories, number) : NULL;
    return *history || !has;
}

static bool may_undo(const CnWorld *world, CnEntity entity)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    return player && crafty_player_is_creative(player);
}

static CnVoxels *voxels_of(const CnWorld *world)
{
    return cn_resource(world, CraftyBlocks)->voxels;
}

static uint64_t tick_of(const CnWorld *world)
{
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    return info ? info->tick : 0;
}

/* ---- Noting ---- */

/* Starts a group unless the change belongs to the last one. */
static uint32_t group_of(CraftyUndoHistory *history, uint64_t tick)
{
    bool is_same = history->in_group ? history->group_started : history->tick == tick;
    if (!is_same || history->undo.count == 0)
        history->group++;
    history->group_started = true;
    history->tick = tick;
    return history->group;
}

static bool note(CnWorld *world, CnEntity player, const CnEdit *edit, CraftyUndoStep *step)
{
    CraftyUndoHistory *history;
    if (!may_undo(world, player) || edit->old_block == edit->new_block)
        return true;
    if (!own_history(world, player, &history))
        return false;
    if (!history)
        return true;
    step->cell = edit->cell;
    step->expected = edit->new_block;
    step->restored = edit->old_block;
    step->group = group_of(history, tick_of(world));
    crafty_undo_stack_clear(&history->redo);
    return crafty_undo_stack_push(&history->undo, step);
}

bool crafty_undo_note(CnWorld *world, CnEntity player, const CnEdit *edit)
{
    CraftyUndoStep step = {0};
    return note(world, player, edit, &step);
}

/* Moves the data of a cell into a step, so that the listener does not see it; contents that drop
 * stay. Returns false when out of memory; nothing has changed then. */
static bool take_data(CnWorld *world, CnCell cell, CraftyUndoStep *step)
{
    CnVoxels *voxels = voxels_of(world);
    CnBlockData data;
    if (!cn_block_data_get(voxels, cell, &data) || crafty_container_drops(voxels, cell))
        return true;
    return crafty_undo_step_keep(step, cn_world_allocator(world), &data) &&
           cn_block_data_remove(voxels, cell, NULL);
}

/* Returns false when out of memory. */
static bool put_data(CnVoxels *voxels, const CraftyUndoStep *step)
{
    CnBlockData data = crafty_undo_step_data(step);
    return !step->has_data || cn_block_data_set(voxels, step->cell, &data, NULL);
}

/* After a failure, which may not leave memory for this either. */
static void put_back(CnWorld *world, CraftyUndoStep *step)
{
    if (!put_data(voxels_of(world), step))
        CN_LOG_WARNING("crafty", "the data of the block at %d, %d, %d is lost: out of memory",
                       step->cell.x, step->cell.y, step->cell.z);
    crafty_undo_step_free(step, cn_world_allocator(world));
}

bool crafty_undo_edit(CnWorld *world, CnEntity player, CnEdit *edit, CnError *error)
{
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    CraftyUndoHistory *history = NULL;
    CraftyUndoStep step = {.cell = edit->cell};
    edit->tick = tick_of(world);
    edit->player = own ? own->player : CN_EDIT_NOBODY;
    if (may_undo(world, player) && !own_history(world, player, &history))
        return cn_error_memory(error, "the history of changes");
    if (history &&
        (!crafty_undo_stack_reserve(&history->undo) || !take_data(world, edit->cell, &step))) {
        crafty_undo_step_free(&step, cn_world_allocator(world));
        return cn_error_memory(error, "the history of changes");
    }
    bool is_done = cn_voxels_edit(voxels_of(world), edit, error);
    if (!is_done || edit->old_block == edit->new_block)
        put_back(world, &step);
    else if (history && cn_voxels_get(voxels_of(world), edit->cell) == edit->new_block)
        note(world, player, edit, &step);
    return is_done;
}

void crafty_undo_begin_group(CnWorld *world, CnEntity player)
{
    CraftyUndoHistory *history;
    if (own_history(world, player, &history) && history) {
        history->in_group = true;
        history->group_started = false;
    }
}

void crafty_undo_end_group(CnWorld *world, CnEntity player)
{
    CraftyUndoHistory *history = history_of(world, player);
    if (history) {
        history->in_group = false;
        /* What falls apart in this tick belongs to the group, see support.h. */
        history->tick = history->group_started ? tick_of(world) : UINT64_MAX;
    }
}

/* ---- Undoing ---- */

typedef enum Applied { APPLIED, CHANGED_SINCE, OUT_OF_MEMORY } Applied;

static bool change(CnWorld *world, uint32_t player, CnCell cell, CnBlock block)
{
    CnEdit edit = {.tick = tick_of(world),
                   .player = player,
                   .kind = CN_EDIT_UNDO,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    return cn_voxels_edit(voxels_of(world), &edit, NULL);
}

/* Applies a step and turns it into the one that reverts it. When out of memory, nothing has
 * changed. */
static Applied apply(CnWorld *world, uint32_t player, CraftyUndoStep *step)
{
    CnVoxels *voxels = voxels_of(world);
    CraftyUndoStep back = {.cell = step->cell,
                           .expected = step->restored,
                           .restored = step->expected,
                           .group = step->group};
    if (cn_voxels_get(voxels, step->cell) != step->expected)
        return CHANGED_SINCE;
    if (!take_data(world, step->cell, &back)) {
        crafty_undo_step_free(&back, cn_world_allocator(world));
        return OUT_OF_MEMORY;
    }
    if (!change(world, player, step->cell, step->restored)) {
        put_back(world, &back);
        return OUT_OF_MEMORY;
    }
    if (cn_voxels_get(voxels, step->cell) != step->restored) /* a container that stays */
        return CHANGED_SINCE;
    if (!put_data(voxels, step)) {
        change(world, player, step->cell, step->expected);
        put_back(world, &back);
        return OUT_OF_MEMORY;
    }
    crafty_undo_step_free(step, cn_world_allocator(world));
    *step = back;
    return APPLIED;
}

/* Reverts the last group of `from` and notes it in `to`. When out of memory, the rest stays. */
static uint32_t revert(CnWorld *world, CnEntity player, CraftyUndoStack *from, CraftyUndoStack *to)
{
    CraftyUndoStep step;
    uint32_t changed = 0, group = crafty_undo_stack_last_group(from);
    uint32_t number = cn_get(world, player, CnPlayerActions)->player;
    while (from->count > 0 && crafty_undo_stack_last_group(from) == group &&
           crafty_undo_stack_reserve(to) && crafty_undo_stack_pop(from, &step)) {
        Applied applied = apply(world, number, &step);
        if (applied == OUT_OF_MEMORY) {
            crafty_undo_stack_push(from, &step);
            break;
        }
        changed += applied == APPLIED;
        if (applied == APPLIED)
            crafty_undo_stack_push(to, &step);
        else
            crafty_undo_step_free(&step, cn_world_allocator(world));
    }
    return changed;
}

uint32_t crafty_undo(CnWorld *world, CnEntity player)
{
    CraftyUndoHistory *history = history_of(world, player);
    if (!history || !may_undo(world, player) || history->undo.count == 0)
        return 0;
    history->tick = UINT64_MAX;
    return revert(world, player, &history->undo, &history->redo);
}

uint32_t crafty_redo(CnWorld *world, CnEntity player)
{
    CraftyUndoHistory *history = history_of(world, player);
    if (!history || !may_undo(world, player) || history->redo.count == 0)
        return 0;
    history->tick = UINT64_MAX;
    return revert(world, player, &history->redo, &history->undo);
}

uint32_t crafty_undo_count(const CnWorld *world, CnEntity player)
{
    const CraftyUndoHistory *history = history_of(world, player);
    return history ? crafty_undo_stack_groups(&history->undo) : 0;
}

uint32_t crafty_redo_count(const CnWorld *world, CnEntity player)
{
    const CraftyUndoHistory *history = history_of(world, player);
    return history ? crafty_undo_stack_groups(&history->redo) : 0;
}

void crafty_undo_forget(CnWorld *world, uint32_t player)
{
    const CraftyUndo *undo = cn_resource(world, CraftyUndo);
    if (undo)
        crafty_undo_histories_forget(undo->histories, player);
}

/* ---- Adding ---- */

bool crafty_undo_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyUndo, .flags = CN_COMPONENT_TRANSIENT};
    if (cn_resource(world, CraftyUndo))
        return true;
    if (!cn_component_register(world, &desc, error).id)
        return false;
    CraftyUndoHistories *histories = crafty_undo_histories_create(cn_world_allocator(world));
    if (histories && cn_resource_set(world, CraftyUndo, {.histories = histories}))
        return true;
    crafty_undo_histories_destroy(histories);
    return cn_error_memory(error, "the history of changes");
}

void crafty_undo_remove(CnWorld *world)
{
    CraftyUndo *undo = cn_resource_mut(world, CraftyUndo);
    if (!undo)
        return;
    crafty_undo_histories_destroy(undo->histories);
    cn_resource_remove(world, CraftyUndo);
}

static bool save_section(void *user, CnU8Array *bytes, CnError *error)
{
    const CraftyUndo *undo = cn_resource((CnWorld *)user, CraftyUndo);
    return crafty_undo_histories_write(undo->histories, bytes, error);
}

/* A malformed history is forgotten: it must not keep the world from being loaded. */
static bool restore_section(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CnWorld *world = user;
    const CraftyUndo *undo = cn_resource(world, CraftyUndo);
    CnError cause = {0};
    (void)error;
    if (!crafty_undo_histories_read(undo->histories, voxels_of(world), bytes, size, &cause))
        CN_LOG_WARNING("crafty", "the saved history of changes is ignored: %s", cause.message);
    return true;
}

bool crafty_undo_save_with(CnSim *sim, CnError *error)
{
    return cn_sim_add_state_section(sim,
                                    &(CnStateSection){.name = SECTION,
                                                      .save = save_section,
                                                      .restore = restore_section,
                                                      .user = cn_sim_world(sim)},
                                    error);
}
