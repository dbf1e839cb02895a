/* Commands of the chat that change blocks: /fill, /undo and /redo. */
#include "chat_run.h"

#include "undo.h"

typedef struct Fill {
    CnCell low, high;
    CnBlock block, old;
    bool replaces; /* only `old` blocks */
    bool may_replace_data;
} Fill;

static int32_t size_of(int32_t low, int32_t high)
{
    return high - low + 1;
}

static void sort(int32_t *low, int32_t *high)
{
    int32_t old = *low;
    if (old <= *high)
        return;
    *low = *high;
    *high = old;
}

static bool is_small_enough(const CraftyChatRun *run, const Fill *fill)
{
    int32_t x = size_of(fill->low.x, fill->high.x), y = size_of(fill->low.y, fill->high.y),
            z = size_of(fill->low.z, fill->high.z);
    int64_t cells = (int64_t)x * y * z;
    int32_t longest = x > y ? x : y;
    longest = longest > z ? longest : z;
    if (longest > CRAFTY_CHAT_FILL_SIDE)
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD,
                         "The box is %d blocks long; at most %d along each axis are possible.",
                         longest, CRAFTY_CHAT_FILL_SIDE);
    else if (cells > CRAFTY_CHAT_FILL_CELLS)
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD,
                         "The box has %lld blocks; at most %d are possible.", (long long)cells,
                         CRAFTY_CHAT_FILL_CELLS);
    return longest <= CRAFTY_CHAT_FILL_SIDE && cells <= CRAFTY_CHAT_FILL_CELLS;
}

/* `kept`: blocks with data, such as signs, that could not be restored, and containers whose
 * contents could not drop. */
typedef struct Progress {
    uint32_t changed, kept, failed;
} Progress;

/* Only changes of players in creative mode can be undone, and only these may replace block data. */
static bool can_undo(const CraftyChatRun *run)
{
    const CraftyPlayer *player = cn_get(run->world, run->eye, CraftyPlayer);
    return player && player->mode == CRAFTY_MODE_CREATIVE;
}

static bool edit_cell(const CraftyChatRun *run, CnVoxels *voxels, CnEdit *edit)
{
    if (run->eye.id)
        return crafty_undo_edit(run->world, run->eye, edit, NULL);
    return cn_voxels_edit(voxels, edit, NULL);
}

static void fill_cell(const CraftyChatRun *run, const Fill *fill, CnCell cell, Progress *progress)
{
    CnVoxels *voxels = cn_resource(run->world, CraftyBlocks)->voxels;
    CnBlock before = cn_voxels_get(voxels, cell);
    CnBlockData data;
    CnEdit edit = {.tick = cn_resource(run->world, CnTickInfo)->tick,
                   .player = run->sender,
                   .kind = fill->block == CN_BLOCK_AIR ? CN_EDIT_BREAK : CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = fill->block};
    if (before == fill->block || (fill->replaces && before != fill->old))
        return;
    if (!fill->may_replace_data && cn_block_data_get(voxels, cell, &data))
        progress->kept++;
    else if (!edit_cell(run, voxels, &edit))
        progress->failed++;
    else if (cn_voxels_get(voxels, cell) != fill->block) /* its contents could not drop */
        progress->kept++;
    else
        progress->changed++;
}

static Progress fill_box(const CraftyChatRun *run, const Fill *fill)
{
    Progress progress = {0};
    if (run->eye.id)
        crafty_undo_begin_group(run->world, run->eye);
    for (int32_t y = fill->low.y; y <= fill->high.y; y++)
        for (int32_t z = fill->low.z; z <= fill->high.z; z++)
            for (int32_t x = fill->low.x; x <= fill->high.x; x++)
                fill_cell(run, fill, (CnCell){x, y, z}, &progress);
    if (run->eye.id)
        crafty_undo_end_group(run->world, run->eye);
    return progress;
}

static void answer(const CraftyChatRun *run, const Fill *fill, const Progress *progress)
{
    const char *plural = progress->changed == 1 ? "" : "s";
    if (progress->failed)
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD,
                         "%u block%s changed; %u could not be changed: memory is lacking, or their "
                         "chunk cannot be loaded.",
                         progress->changed, plural, progress->failed);
    else if (progress->kept)
        crafty_chat_reply(run, "%u block%s changed; %u with contents stay.", progress->changed,
                          plural, progress->kept);
    else
        crafty_chat_reply(run, "%u block%s changed.%s", progress->changed, plural,
                          fill->may_replace_data && progress->changed ? " /undo reverts it." : "");
}

void crafty_chat_fill(const CraftyChatRun *run, CraftyChatAction action)
{
    const CraftyChatWord *words = run->parse->words;
    Fill fill = {.block = (CnBlock)words[6].id,
                 .replaces = action == CRAFTY_CHAT_FILL_REPLACE,
                 .may_replace_data = can_undo(run)};
    if (fill.replaces)
        fill.old = (CnBlock)words[8].id;
    if (!crafty_chat_cell(run, 0, &fill.low) || !crafty_chat_cell(run, 3, &fill.high))
        return;
    sort(&fill.low.x, &fill.high.x);
    sort(&fill.low.y, &fill.high.y);
    sort(&fill.low.z, &fill.high.z);
    if (!is_small_enough(run, &fill))
        return;
    Progress progress = fill_box(run, &fill);
    answer(run, &fill, &progress);
}

void crafty_chat_undo(const CraftyChatRun *run, CraftyChatAction action)
{
    bool undoes = action == CRAFTY_CHAT_UNDO;
    uint32_t wanted = run->parse->count ? (uint32_t)run->parse->words[0].number : 1;
    uint32_t groups = 0, blocks = 0;
    if (!can_undo(run)) {
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD,
                         "Only changes in creative mode can be undone: /gamemode creative");
        return;
    }
    while (groups < wanted && blocks < CRAFTY_CHAT_FILL_CELLS) {
        uint32_t left = undoes ? crafty_undo_count(run->world, run->eye)
                               : crafty_redo_count(run->world, run->eye);
        if (!left)
            break;
        blocks += undoes ? crafty_undo(run->world, run->eye) : crafty_redo(run->world, run->eye);
        groups++;
    }
    if (groups)
        crafty_chat_reply(run, "%u change%s %s, %u block%s.", groups, groups == 1 ? "" : "s",
                          undoes ? "undone" : "restored", blocks, blocks == 1 ? "" : "s");
    else
        crafty_chat_fail(run, CRAFTY_CHAT_NO_WORD, "There is nothing to %s.",
                         undoes ? "undo" : "redo");
}
