#include "support.h"

#include "growth.h"
#include "hand_internal.h"
#include "harvest.h"
#include "systems.h"
#include "undo.h"

#define MAX_EDITS 65536u /* per tick: what blocks that fall apart change */

/* Transient resource. */
typedef struct CraftySupport {
    CnQuery *players;
    uint64_t seen_edits; /* of the edit log */
} CraftySupport;
CN_OPAQUE(CraftySupport);

static const CraftyBlocks *blocks_of(const CnWorld *world)
{
    return cn_resource(world, CraftyBlocks);
}

/* ---- What blocks need ---- */

static CnCell behind(CnCell cell, CraftyDirection direction)
{
    static const int8_t steps[CRAFTY_DIRECTION_COUNT][2] = {[CRAFTY_NORTH] = {0, 1},
                                                            [CRAFTY_EAST] = {-1, 0},
                                                            [CRAFTY_SOUTH] = {0, -1},
                                                            [CRAFTY_WEST] = {1, 0}};
    return (CnCell){cell.x + steps[direction][0], cell.y, cell.z + steps[direction][1]};
}

static bool is_solid(const CraftyBlocks *blocks, CnCell cell)
{
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    return cn_cell_is_in_world(cell) &&
           (table->flags[cn_voxels_get(blocks->voxels, cell)] & CN_BLOCK_COLLIDES);
}

static bool is_wall(const CraftyBlocks *blocks, CnCell cell)
{
    return is_solid(blocks, cell) &&
           !cn_block_shape(cn_voxels_blocks(blocks->voxels), cn_voxels_get(blocks->voxels, cell));
}

static CnCell below(CnCell cell)
{
    return (CnCell){cell.x, cell.y - 1, cell.z};
}

static bool stands(const CraftyBlocks *blocks, CnCell cell, CnBlock prop)
{
    CnCell under = below(cell);
    return cn_cell_is_in_world(under) && cn_block_stands_on(cn_voxels_blocks(blocks->voxels), prop,
                                                            cn_voxels_get(blocks->voxels, under));
}

bool crafty_support_holds(const CnWorld *world, CnCell cell, CnBlock block)
{
    const CraftyBlocks *blocks = blocks_of(world);
    if (cn_block_is_plain_prop(cn_voxels_blocks(blocks->voxels), block))
        return stands(blocks, cell, block);
    if (crafty_growth_lies(world, block))
        return is_solid(blocks, below(cell));
    if (!blocks->families)
        return true;
    switch (crafty_block_kind(blocks->families, block)) {
    case CRAFTY_KIND_LADDER:
    case CRAFTY_KIND_WALL_SIGN:
        return is_wall(blocks, behind(cell, crafty_block_direction(blocks->families, block)));
    case CRAFTY_KIND_SIGN:
        return is_solid(blocks, below(cell));
    case CRAFTY_KIND_DOOR:
        return crafty_block_is_second(blocks->families, block) || is_solid(blocks, below(cell));
    default:
        return true;
    }
}

bool crafty_support_is_whole(const CnWorld *world, CnCell cell, CnBlock block)
{
    const CraftyBlocks *blocks = blocks_of(world);
    const int32_t own[3] = {cell.x, cell.y, cell.z};
    int32_t other[3];
    if (!blocks->families || !crafty_block_other_cell(blocks->families, block, own, other))
        return true;
    CnCell place = {other[0], other[1], other[2]};
    CnBlock there =
        cn_cell_is_in_world(place) ? cn_voxels_get(blocks->voxels, place) : (CnBlock)CN_BLOCK_AIR;
    return there == crafty_block_other_half(blocks->families, block) ||
           there == crafty_block_other_half(blocks->families,
                                            crafty_block_toggled(blocks->families, block));
}

/* ---- Breaking ---- */

/* Who caused it: `player` is null if nobody did. */
typedef struct Cause {
    CnWorld *world;
    CnEntity player;
    bool is_creative, is_noted;
} Cause;

static Cause cause_of(CnWorld *world, const CnEdit *edit)
{
    Cause cause = {.world = world};
    cause.player = crafty_player_find(cn_resource(world, CraftySupport)->players, edit->player);
    const CraftyPlayer *player = cn_get(world, cause.player, CraftyPlayer);
    cause.is_creative = player && crafty_player_is_creative(player);
    cause.is_noted =
        cause.is_creative && (edit->kind == CN_EDIT_PLACE || edit->kind == CN_EDIT_BREAK);
    return cause;
}

static void fall_apart(const Cause *cause, uint64_t tick, CnCell cell, bool drops)
{
    CnWorld *world = cause->world;
    CnEdit edit = {.tick = tick,
                   .kind = cause->is_noted ? CN_EDIT_BREAK : CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = CN_BLOCK_AIR};
    bool is_done = cause->is_noted ? crafty_undo_edit(world, cause->player, &edit, NULL)
                                   : cn_voxels_edit(blocks_of(world)->voxels, &edit, NULL);
    if (!is_done)
        return;
    crafty_hand_send(world, cause->player,
                     (CnInteractEvent){.kind = CN_INTERACT_BREAK,
                                       .cell = cell,
                                       .face = CN_EDIT_NO_FACE,
                                       .block = edit.old_block});
    if (drops && !cause->is_creative)
        crafty_harvest_drop(world, (CnEntity){0}, cell, edit.old_block, (CraftyStack){0});
}

/* Plain props are checked only above a change: generated ones may stand anywhere. */
static void check(const Cause *cause, const CnEdit *edit, CnCell cell)
{
    const CraftyBlocks *blocks = blocks_of(cause->world);
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    if (!cn_cell_is_in_world(cell))
        return;
    CnBlock block = cn_voxels_get(blocks->voxels, cell);
    if (!(table->flags[block] & CN_BLOCK_IS_PROP) ||
        (cn_block_is_plain_prop(table, block) && cell.y != edit->cell.y + 1))
        return;
    bool is_whole = crafty_support_is_whole(cause->world, cell, block);
    if (!is_whole || !crafty_support_holds(cause->world, cell, block))
        fall_apart(cause, edit->tick, cell, is_whole);
}

static void handle(CnWorld *world, const CnEdit *edit)
{
    static const int8_t steps[6][3] = {{0, 1, 0}, {0, -1, 0}, {0, 0, -1},
                                       {1, 0, 0}, {0, 0, 1},  {-1, 0, 0}};
    const CnBlockTable *table = cn_voxels_blocks(blocks_of(world)->voxels);
    Cause cause = cause_of(world, edit);
    if (edit->kind == CN_EDIT_FLOW && cn_block_is_plain_prop(table, edit->old_block))
        crafty_harvest_drop(world, (CnEntity){0}, edit->cell, edit->old_block, (CraftyStack){0});
    for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++)
        check(&cause, edit,
              (CnCell){edit->cell.x + steps[i][0], edit->cell.y + steps[i][1],
                       edit->cell.z + steps[i][2]});
}

/* Follows the edit log, to which blocks that fall apart add. */
static void run_support(CnSystemContext *context)
{
    CnWorld *world = context->world;
    const CnEditLog *log = cn_voxels_log(blocks_of(world)->voxels);
    uint64_t seen = cn_resource(world, CraftySupport)->seen_edits;
    for (uint32_t i = 0; i < MAX_EDITS && seen < cn_edit_log_total(log); i++) {
        uint64_t left = cn_edit_log_total(log) - seen;
        uint32_t count = cn_edit_log_count(log);
        if (left > count) /* the log does not keep them any more */
            seen += left - count;
        CnEdit edit = cn_edit_log_at(log, left > count ? 0 : count - (uint32_t)left);
        seen++;
        handle(world, &edit);
    }
    cn_resource_mut(world, CraftySupport)->seen_edits = cn_edit_log_total(log);
}

/* ---- Adding ---- */

static bool add_resource(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftySupport, .flags = CN_COMPONENT_TRANSIENT};
    CnQueryDesc query = {.all = {cn_reads(CnPlayerActions)}};
    if (!cn_component_register(world, &desc, error).id)
        return false;
    CnQuery *players = cn_query_acquire(world, &query, error);
    return players && (cn_resource_set(world, CraftySupport, {.players = players}) ||
                       cn_error_memory(error, "the support of blocks"));
}

bool crafty_support_add(CnWorld *world, CnError *error)
{
    const CnSystemDesc system = {
        .name = "CraftySupport", .run = run_support, .stage = CN_STAGE_POST_UPDATE, .alone = true};
    if (!cn_resource(world, CraftySupport) && !add_resource(world, error))
        return false;
    cn_resource_mut(world, CraftySupport)->seen_edits =
        cn_edit_log_total(cn_voxels_log(blocks_of(world)->voxels));
    return cn_system_find(world, system.name).id || crafty_system_add(world, &system, error);
}
