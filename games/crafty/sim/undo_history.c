#include "undo_history.h"

#include "undo.h"

#include <cairn/base/array.h>
#include <cairn/base/bytes.h>

#include <string.h>

#define FIRST_CAPACITY 64u
#define FIRST_PLAYERS 16u
#define VERSION 1u
#define HEADER_BYTES 12u /* of a stack: player, 0 undo or 1 redo, count */
#define STEP_BYTES 28u   /* without data */

/* ---- Steps ---- */

bool crafty_undo_step_keep(CraftyUndoStep *step, CnAllocator *allocator, const CnBlockData *data)
{
    uint8_t *bytes = NULL;
    if (data->size > 0) {
        bytes = cn_alloc(allocator, data->size);
        if (!bytes)
            return false;
        memcpy(bytes, data->bytes, data->size);
    }
    step->has_data = true;
    step->active = data->active;
    step->kind = data->kind;
    step->size = data->size;
    step->bytes = bytes;
    return true;
}

CnBlockData crafty_undo_step_data(const CraftyUndoStep *step)
{
    return (CnBlockData){
        .kind = step->kind, .active = step->active, .size = step->size, .bytes = step->bytes};
}

void crafty_undo_step_free(CraftyUndoStep *step, CnAllocator *allocator)
{
    if (step->bytes)
        cn_free(allocator, step->bytes, step->size);
    step->bytes = NULL;
    step->size = 0;
    step->has_data = false;
}

/* ---- Stacks ---- */

static CraftyUndoStep *step_at(const CraftyUndoStack *stack, uint32_t index)
{
    return &stack->steps[(stack->first + index) % stack->capacity];
}

static bool grow(CraftyUndoStack *stack)
{
    uint32_t capacity = stack->capacity ? stack->capacity * 2 : FIRST_CAPACITY;
    CraftyUndoStep *steps = cn_alloc(stack->allocator, capacity * sizeof *steps);
    if (!steps)
        return false;
    for (uint32_t i = 0; i < stack->count; i++)
        steps[i] = *step_at(stack, i);
    if (stack->steps)
        cn_free(stack->allocator, stack->steps, stack->capacity * sizeof *steps);
    stack->steps = steps;
    stack->capacity = capacity;
    stack->first = 0;
    return true;
}

static void forget_first(CraftyUndoStack *stack)
{
    CraftyUndoStep *step = step_at(stack, 0);
    stack->data_bytes -= step->size;
    crafty_undo_step_free(step, stack->allocator);
    stack->first = (stack->first + 1) % stack->capacity;
    stack->count--;
}

static void forget_first_group(CraftyUndoStack *stack)
{
    uint32_t group = step_at(stack, 0)->group;
    while (stack->count > 0 && step_at(stack, 0)->group == group)
        forget_first(stack);
}

uint32_t crafty_undo_stack_groups(const CraftyUndoStack *stack)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < stack->count; i++)
        groups += i == 0 || step_at(stack, i)->group != step_at(stack, i - 1)->group;
    return groups;
}

/* Numbers of groups follow each other, so that their difference bounds the number of groups. */
static bool is_full(const CraftyUndoStack *stack, const CraftyUndoStep *step)
{
    uint32_t first = step_at(stack, 0)->group;
    uint32_t span = step->group > first ? step->group - first : first - step->group;
    return stack->count >= CRAFTY_UNDO_EDITS || span >= CRAFTY_UNDO_GROUPS ||
           stack->data_bytes + step->size > CRAFTY_UNDO_DATA_BYTES;
}

bool crafty_undo_stack_reserve(CraftyUndoStack *stack)
{
    return stack->count < stack->capacity || stack->count >= CRAFTY_UNDO_EDITS || grow(stack);
}

bool crafty_undo_stack_push(CraftyUndoStack *stack, const CraftyUndoStep *step)
{
    while (stack->count > 0 && is_full(stack, step))
        forget_first_group(stack);
    if (stack->count == stack->capacity && !grow(stack))
        return false;
    *step_at(stack, stack->count) = *step;
    stack->count++;
    stack->data_bytes += step->size;
    return true;
}

bool crafty_undo_stack_pop(CraftyUndoStack *stack, CraftyUndoStep *step)
{
    if (stack->count == 0)
        return false;
    *step = *step_at(stack, --stack->count);
    stack->data_bytes -= step->size;
    return true;
}

void crafty_undo_stack_clear(CraftyUndoStack *stack)
{
    while (stack->count > 0)
        forget_first(stack);
}

uint32_t crafty_undo_stack_last_group(const CraftyUndoStack *stack)
{
    return stack->count > 0 ? step_at(stack, stack->count - 1)->group : 0;
}

/* ---- Histories ---- */

CraftyUndoHistories *crafty_undo_histories_create(CnAllocator *allocator)
{
    CraftyUndoHistories *histories = cn_alloc_zeroed(allocator, sizeof *histories);
    if (histories)
        histories->allocator = allocator;
    return histories;
}

static void free_stack(CraftyUndoStack *stack)
{
    crafty_undo_stack_clear(stack);
    if (stack->steps)
        cn_free(stack->allocator, stack->steps, stack->capacity * sizeof *stack->steps);
}

CraftyUndoHistory *crafty_undo_history_find(const CraftyUndoHistories *histories, uint32_t player)
{
    return player >= 1 && player <= histories->capacity ? histories->players[player - 1] : NULL;
}

static bool reserve_players(CraftyUndoHistories *histories, uint32_t player)
{
    uint32_t capacity = histories->capacity ? histories->capacity : FIRST_PLAYERS;
    if (player <= histories->capacity)
        return true;
    while (capacity < player)
        capacity *= 2;
    CraftyUndoHistory **players = cn_alloc_zeroed(histories->allocator, capacity * sizeof *players);
    if (!players)
        return false;
    for (uint32_t i = 0; i < histories->capacity; i++)
        players[i] = histories->players[i];
    cn_free(histories->allocator, histories->players, histories->capacity * sizeof *players);
    histories->players = players;
    histories->capacity = capacity;
    return true;
}

CraftyUndoHistory *crafty_undo_history_of(CraftyUndoHistories *histories, uint32_t player)
{
    CraftyUndoHistory *history = crafty_undo_history_find(histories, player);
    if (history || player < 1 || player > CRAFTY_MAX_PLAYER_NUMBER ||
        !reserve_players(histories, player))
        return history;
    history = cn_alloc_zeroed(histories->allocator, sizeof *history);
    if (!history)
        return NULL;
    history->tick = UINT64_MAX;
    history->undo.allocator = history->redo.allocator = histories->allocator;
    histories->players[player - 1] = history;
    return history;
}

void crafty_undo_histories_forget(CraftyUndoHistories *histories, uint32_t player)
{
    CraftyUndoHistory *history = crafty_undo_history_find(histories, player);
    if (!history)
        return;
    free_stack(&history->undo);
    free_stack(&history->redo);
    cn_free(histories->allocator, history, sizeof *history);
    histories->players[player - 1] = NULL;
}

static void clear(CraftyUndoHistories *histories)
{
    for (uint32_t i = 0; i < histories->capacity; i++)
        crafty_undo_histories_forget(histories, i + 1);
}

void crafty_undo_histories_destroy(CraftyUndoHistories *histories)
{
    if (!histories)
        return;
    clear(histories);
    cn_free(histories->allocator, histories->players,
            histories->capacity * sizeof *histories->players);
    cn_free(histories->allocator, histories, sizeof *histories);
}

/* ---- Writing ---- */

static bool append_step(CnU8Array *bytes, const CraftyUndoStep *step)
{
    const uint32_t words[] = {(uint32_t)step->cell.x,
                              (uint32_t)step->cell.y,
                              (uint32_t)step->cell.z,
                              (uint32_t)step->restored << 16 | step->expected,
                              step->group,
                              (uint32_t)step->kind << 16 | (uint32_t)step->active << 1 |
                                  step->has_data,
                              step->size};
    return cn_bytes_append(bytes, words, sizeof words) &&
           cn_bytes_append(bytes, step->bytes, step->size);
}

static bool append_stack(CnU8Array *bytes, const CraftyUndoStack *stack, uint32_t player,
                         uint32_t kind)
{
    const uint32_t header[] = {player, kind, stack->count};
    if (stack->count == 0)
        return true;
    if (!cn_bytes_append(bytes, header, sizeof header))
        return false;
    for (uint32_t i = 0; i < stack->count; i++)
        if (!append_step(bytes, step_at(stack, i)))
            return false;
    return true;
}

bool crafty_undo_histories_write(const CraftyUndoHistories *histories, CnU8Array *bytes,
                                 CnError *error)
{
    const uint32_t version = VERSION, before = bytes->count;
    bool is_done = cn_bytes_append(bytes, &version, sizeof version);
    for (uint32_t i = 0; is_done && i < histories->capacity; i++)
        is_done = !histories->players[i] ||
                  (append_stack(bytes, &histories->players[i]->undo, i + 1, 0) &&
                   append_stack(bytes, &histories->players[i]->redo, i + 1, 1));
    if (!is_done)
        bytes->count = before;
    return is_done || cn_error_memory(error, "the history of changes");
}

/* ---- Reading ---- */

typedef struct Reader {
    const CnVoxels *voxels;
    const uint8_t *bytes;
    size_t left;
} Reader;

static bool take_words(Reader *reader, uint32_t *words, uint32_t count)
{
    if (reader->left < count * sizeof *words)
        return false;
    for (uint32_t i = 0; i < count; i++)
        words[i] = cn_load_u32(reader->bytes + i * sizeof *words);
    reader->bytes += count * sizeof *words;
    reader->left -= count * sizeof *words;
    return true;
}

static bool is_valid_step(const CnVoxels *voxels, const CraftyUndoStep *step)
{
    const CnBlockTable *table = cn_voxels_blocks(voxels);
    return cn_cell_is_in_world(step->cell) && cn_block_exists(table, step->expected) &&
           cn_block_exists(table, step->restored) && step->size <= CN_BLOCK_DATA_BYTES &&
           (step->has_data ? cn_block_data_kind_name(voxels, step->kind) != NULL : step->size == 0);
}

static bool read_step(Reader *reader, CraftyUndoStack *stack)
{
    uint32_t words[STEP_BYTES / sizeof(uint32_t)];
    if (!take_words(reader, words, CN_COUNT_OF(words)) || words[6] > CN_BLOCK_DATA_BYTES)
        return false;
    CraftyUndoStep step = {.cell = {(int32_t)words[0], (int32_t)words[1], (int32_t)words[2]},
                           .expected = (CnBlock)(words[3] & UINT16_MAX),
                           .restored = (CnBlock)(words[3] >> 16),
                           .group = words[4],
                           .has_data = words[5] & 1,
                           .active = words[5] >> 1 & 1,
                           .kind = (CnBlockDataKind)(words[5] >> 16),
                           .size = (uint16_t)words[6]};
    if (!is_valid_step(reader->voxels, &step) || reader->left < step.size)
        return false;
    CnBlockData data = crafty_undo_step_data(&step);
    data.bytes = reader->bytes;
    if (step.has_data && !crafty_undo_step_keep(&step, stack->allocator, &data))
        return false;
    reader->bytes += step.size;
    reader->left -= step.size;
    if (crafty_undo_stack_push(stack, &step))
        return true;
    crafty_undo_step_free(&step, stack->allocator);
    return false;
}

static bool read_stack(Reader *reader, CraftyUndoHistories *histories)
{
    uint32_t header[HEADER_BYTES / sizeof(uint32_t)];
    if (!take_words(reader, header, CN_COUNT_OF(header)) || header[1] > 1 ||
        header[2] > CRAFTY_UNDO_EDITS)
        return false;
    CraftyUndoHistory *history = crafty_undo_history_of(histories, header[0]);
    if (!history)
        return false;
    CraftyUndoStack *stack = header[1] ? &history->redo : &history->undo;
    for (uint32_t i = 0; i < header[2]; i++)
        if (!read_step(reader, stack))
            return false;
    uint32_t last = crafty_undo_stack_last_group(stack);
    history->group = last > history->group ? last : history->group;
    return true;
}

bool crafty_undo_histories_read(CraftyUndoHistories *histories, const CnVoxels *voxels,
                                const uint8_t *bytes, size_t size, CnError *error)
{
    Reader reader = {voxels, bytes, size};
    uint32_t version = 0;
    clear(histories);
    if (size == 0) /* saved by a version without it */
        return true;
    if (!take_words(&reader, &version, 1) || version != VERSION)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "its version is %u, but this program reads %u", version, VERSION);
    while (reader.left > 0)
        if (!read_stack(&reader, histories)) {
            clear(histories);
            return cn_error_set(error, CN_ERROR_MISMATCH, "it is damaged");
        }
    return true;
}
