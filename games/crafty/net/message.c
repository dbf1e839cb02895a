#include "message.h"

#include "crafty/sim/actions.h"

#include <cairn/base/math.h>

#include <string.h>

#define KIND_BITS 8u
#define LOOK_STEPS 16.0f /* of relative axes, per unit */
#define AXIS_STEPS 127.0f
#define MAX_LOOK 1e6f

void crafty_message_begin(CraftyMessageWriter *writer, void *bytes, size_t capacity,
                          CraftyMessageKind kind)
{
    cn_net_bit_writer_init(&writer->bits, bytes, capacity);
    cn_net_write_bits(&writer->bits, kind, KIND_BITS);
}

size_t crafty_message_end(CraftyMessageWriter *writer)
{
    return cn_net_bit_writer_finish(&writer->bits);
}

CraftyMessageKind crafty_message_open(CraftyMessageReader *reader, const void *bytes, size_t size)
{
    cn_net_bit_reader_init(&reader->bits, bytes, size);
    uint32_t kind = cn_net_read_bits(&reader->bits, KIND_BITS);
    return kind < CRAFTY_MESSAGE_KIND_COUNT ? (CraftyMessageKind)kind : CRAFTY_MESSAGE_INVALID;
}

bool crafty_message_is_complete(CraftyMessageReader *reader)
{
    return cn_net_bit_reader_finish(&reader->bits);
}

/* ---- Values ---- */

static uint32_t get_u32(CraftyMessageReader *reader)
{
    return cn_net_read_bits(&reader->bits, 32);
}

void crafty_message_put_u64(CraftyMessageWriter *writer, uint64_t value)
{
    cn_net_write_bits(&writer->bits, (uint32_t)value, 32);
    cn_net_write_bits(&writer->bits, (uint32_t)(value >> 32), 32);
}

uint64_t crafty_message_get_u64(CraftyMessageReader *reader)
{
    uint64_t low = get_u32(reader);
    return low | (uint64_t)get_u32(reader) << 32;
}

void crafty_message_put_float(CraftyMessageWriter *writer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    cn_net_write_bits(&writer->bits, bits, 32);
}

float crafty_message_get_float(CraftyMessageReader *reader)
{
    uint32_t bits = get_u32(reader);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (cn_fabsf(value) <= 3e38f)
        return value;
    reader->bits.failed = true;
    return 0;
}

void crafty_message_put_bytes(CraftyMessageWriter *writer, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++)
        cn_net_write_bits(&writer->bits, from[i], 8);
}

bool crafty_message_get_bytes(CraftyMessageReader *reader, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    for (size_t i = 0; i < size && !reader->bits.failed; i++)
        to[i] = (uint8_t)cn_net_read_bits(&reader->bits, 8);
    return !reader->bits.failed;
}

void crafty_message_put_text(CraftyMessageWriter *writer, const char *text)
{
    size_t size = strlen(text);
    cn_net_write_number(&writer->bits, (uint32_t)size);
    crafty_message_put_bytes(writer, text, size);
}

/* Returns whether it is UTF-8 without control characters. */
static bool is_plain(CnText text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((uint8_t)text.data[i] < 0x20 || text.data[i] == 0x7f)
            return false;
    return cn_text_is_utf8(text);
}

bool crafty_message_get_text(CraftyMessageReader *reader, char *text, size_t bytes)
{
    uint32_t size = cn_net_read_number(&reader->bits);
    text[0] = '\0';
    if (reader->bits.failed || size >= bytes || !crafty_message_get_bytes(reader, text, size)) {
        reader->bits.failed = true;
        text[0] = '\0';
        return false;
    }
    text[size] = '\0';
    if (is_plain((CnText){text, size}))
        return true;
    reader->bits.failed = true;
    text[0] = '\0';
    return false;
}

void crafty_message_put_cell(CraftyMessageWriter *writer, CnCell cell)
{
    cn_net_write_bits(&writer->bits, (uint32_t)cell.x, 32);
    cn_net_write_bits(&writer->bits, (uint32_t)cell.y, 32);
    cn_net_write_bits(&writer->bits, (uint32_t)cell.z, 32);
}

CnCell crafty_message_get_cell(CraftyMessageReader *reader)
{
    CnCell cell;
    cell.x = (int32_t)get_u32(reader);
    cell.y = (int32_t)get_u32(reader);
    cell.z = (int32_t)get_u32(reader);
    return cell;
}

/* ---- Joining ---- */

void crafty_message_put_hello(CraftyMessageWriter *writer, const CraftyHello *hello)
{
    crafty_message_put_text(writer, hello->name);
    cn_net_write_number(&writer->bits, hello->view_distance);
}

bool crafty_message_get_hello(CraftyMessageReader *reader, CraftyHello *hello)
{
    bool has_name = crafty_message_get_text(reader, hello->name, sizeof hello->name);
    hello->view_distance = cn_net_read_number(&reader->bits);
    return crafty_message_is_complete(reader) && has_name;
}

/* Ends at a whole byte, so that the palettes can be read where they are. */
static void align(CraftyMessageWriter *writer)
{
    uint32_t left = (uint32_t)(cn_net_bits_written(&writer->bits) & 7u);
    cn_net_write_bits(&writer->bits, 0, left ? 8 - left : 0);
}

const uint8_t *crafty_message_rest(CraftyMessageReader *reader, size_t *size)
{
    size_t at = (reader->bits.position + 7) >> 3;
    *size = reader->bits.failed || at > reader->bits.size ? 0 : reader->bits.size - at;
    return reader->bits.bytes + (reader->bits.size - *size);
}

void crafty_message_put_welcome(CraftyMessageWriter *writer, const CraftyWelcome *welcome)
{
    cn_net_write_number(&writer->bits, welcome->player);
    crafty_message_put_u64(writer, welcome->tick);
    crafty_message_put_u64(writer, welcome->random_seed);
    crafty_message_put_u64(writer, welcome->layout_hash);
    cn_net_write_number(&writer->bits, welcome->tick_hz);
    cn_net_write_number(&writer->bits, welcome->snapshot_ticks);
    cn_net_write_number(&writer->bits, welcome->view_distance);
    crafty_message_put_text(writer, welcome->world);
    crafty_message_put_text(writer, welcome->start);
    cn_net_write_number(&writer->bits, (uint32_t)welcome->blocks.size);
    cn_net_write_number(&writer->bits, (uint32_t)welcome->items.size);
    align(writer);
    crafty_message_put_bytes(writer, welcome->blocks.data, welcome->blocks.size);
    crafty_message_put_bytes(writer, welcome->items.data, welcome->items.size);
}

bool crafty_message_get_welcome(CraftyMessageReader *reader, CraftyWelcome *welcome)
{
    welcome->player = cn_net_read_number(&reader->bits);
    welcome->tick = crafty_message_get_u64(reader);
    welcome->random_seed = crafty_message_get_u64(reader);
    welcome->layout_hash = crafty_message_get_u64(reader);
    welcome->tick_hz = cn_net_read_number(&reader->bits);
    welcome->snapshot_ticks = cn_net_read_number(&reader->bits);
    welcome->view_distance = cn_net_read_number(&reader->bits);
    if (!crafty_message_get_text(reader, welcome->world, sizeof welcome->world) ||
        !crafty_message_get_text(reader, welcome->start, sizeof welcome->start))
        return false;
    size_t blocks = cn_net_read_number(&reader->bits), rest = 0;
    size_t items = cn_net_read_number(&reader->bits);
    const char *bytes = (const char *)crafty_message_rest(reader, &rest);
    if (reader->bits.failed || blocks > CRAFTY_MESSAGE_PALETTE_BYTES ||
        items > CRAFTY_MESSAGE_PALETTE_BYTES || blocks + items != rest || !welcome->player ||
        welcome->tick_hz < 10 || welcome->tick_hz > 240 || !welcome->snapshot_ticks ||
        welcome->snapshot_ticks > welcome->tick_hz)
        return false;
    welcome->blocks = (CnText){bytes, blocks};
    welcome->items = (CnText){bytes + blocks, items};
    return true;
}

/* ---- Commands ---- */

void crafty_message_put_command(CraftyMessageWriter *writer, const CraftyCommand *command)
{
    cn_net_write_bits(&writer->bits, command->kind, 8);
    cn_net_write_bits(&writer->bits, command->choice, 8);
    cn_net_write_bits(&writer->bits, command->from, 8);
    cn_net_write_bits(&writer->bits, command->to, 8);
    cn_net_write_bits(&writer->bits, command->count, 16);
    crafty_message_put_float(writer, command->position.x);
    crafty_message_put_float(writer, command->position.y);
    crafty_message_put_float(writer, command->position.z);
    crafty_message_put_float(writer, command->yaw);
    crafty_message_put_float(writer, command->pitch);
    crafty_message_put_float(writer, command->value);
    crafty_message_put_cell(writer, (CnCell){command->cell[0], command->cell[1], command->cell[2]});
    crafty_message_put_text(writer, command->item);
    size_t size = strnlen(command->text, sizeof command->text);
    cn_net_write_number(&writer->bits, (uint32_t)size);
    crafty_message_put_bytes(writer, command->text, size);
}

bool crafty_message_get_command(CraftyMessageReader *reader, CraftyCommand *command)
{
    *command = (CraftyCommand){0};
    command->kind = (uint8_t)cn_net_read_bits(&reader->bits, 8);
    command->choice = (uint8_t)cn_net_read_bits(&reader->bits, 8);
    command->from = (uint8_t)cn_net_read_bits(&reader->bits, 8);
    command->to = (uint8_t)cn_net_read_bits(&reader->bits, 8);
    command->count = (uint16_t)cn_net_read_bits(&reader->bits, 16);
    command->position.x = crafty_message_get_float(reader);
    command->position.y = crafty_message_get_float(reader);
    command->position.z = crafty_message_get_float(reader);
    command->yaw = crafty_message_get_float(reader);
    command->pitch = crafty_message_get_float(reader);
    command->value = crafty_message_get_float(reader);
    CnCell cell = crafty_message_get_cell(reader);
    command->cell[0] = cell.x;
    command->cell[1] = cell.y;
    command->cell[2] = cell.z;
    crafty_message_get_text(reader, command->item, sizeof command->item);
    /* Texts of signs have several lines: command.h checks them. */
    uint32_t size = cn_net_read_number(&reader->bits);
    if (size >= sizeof command->text)
        reader->bits.failed = true;
    else
        crafty_message_get_bytes(reader, command->text, size);
    return crafty_message_is_complete(reader);
}

/* ---- Input ---- */

typedef struct AxisRange {
    float most, steps; /* largest absolute value, steps per unit */
} AxisRange;

static AxisRange range_of(uint32_t relative, uint32_t axis)
{
    return relative >> axis & 1u ? (AxisRange){MAX_LOOK, LOOK_STEPS} : (AxisRange){1, AXIS_STEPS};
}

/* Returns the axis as a number of steps; 0 for NaN. */
static int32_t steps_of(AxisRange range, float value)
{
    if (!(cn_fabsf(value) <= range.most))
        value = value > range.most ? range.most : value < -range.most ? -range.most : 0;
    return (int32_t)cn_floorf(value * range.steps + 0.5f);
}

static float axis_of(AxisRange range, int32_t steps)
{
    float value = (float)steps / range.steps;
    return value > range.most ? range.most : value < -range.most ? -range.most : value;
}

CnActions crafty_actions_rounded(const CnActions *actions)
{
    uint32_t relative = cn_actions_relative_axes(crafty_actions());
    CnActions rounded = *actions;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        rounded.axes[i] =
            axis_of(range_of(relative, i), steps_of(range_of(relative, i), actions->axes[i]));
    return rounded;
}

static void put_bits_of_actions(CraftyMessageWriter *writer, uint64_t bits)
{
    cn_net_write_number(&writer->bits, (uint32_t)bits);
    cn_net_write_bits(&writer->bits, (bits >> 32) != 0, 1);
    if (bits >> 32)
        cn_net_write_bits(&writer->bits, (uint32_t)(bits >> 32), 32);
}

static uint64_t get_bits_of_actions(CraftyMessageReader *reader)
{
    uint64_t bits = cn_net_read_number(&reader->bits);
    if (cn_net_read_bits(&reader->bits, 1))
        bits |= (uint64_t)cn_net_read_bits(&reader->bits, 32) << 32;
    uint32_t count = crafty_actions().count;
    return count < 64 ? bits & ((1ull << count) - 1) : bits;
}

static void put_actions(CraftyMessageWriter *writer, const CnActions *actions, uint32_t relative)
{
    int32_t steps[CN_MAX_ACTION_AXES];
    uint32_t used = 0;
    put_bits_of_actions(writer, actions->held);
    bool has_changes = actions->pressed || actions->released;
    cn_net_write_bits(&writer->bits, has_changes, 1);
    if (has_changes) {
        put_bits_of_actions(writer, actions->pressed);
        put_bits_of_actions(writer, actions->released);
    }
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++) {
        steps[i] = steps_of(range_of(relative, i), actions->axes[i]);
        used |= (uint32_t)(steps[i] != 0) << i;
    }
    cn_net_write_number(&writer->bits, used);
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        if (used >> i & 1u)
            cn_net_write_number(&writer->bits, cn_net_fold_sign(steps[i]));
}

static void get_actions(CraftyMessageReader *reader, CnActions *actions, uint32_t relative)
{
    *actions = (CnActions){.held = get_bits_of_actions(reader)};
    if (cn_net_read_bits(&reader->bits, 1)) {
        actions->pressed = get_bits_of_actions(reader);
        actions->released = get_bits_of_actions(reader);
    }
    uint32_t used = cn_net_read_number(&reader->bits);
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        if (used >> i & 1u)
            actions->axes[i] = axis_of(range_of(relative, i),
                                       cn_net_unfold_sign(cn_net_read_number(&reader->bits)));
}

void crafty_message_put_input(CraftyMessageWriter *writer, const CraftyInput *input)
{
    uint32_t relative = cn_actions_relative_axes(crafty_actions());
    crafty_message_put_u64(writer, input->newest);
    cn_net_write_number(&writer->bits, input->acks.newest);
    cn_net_write_bits(&writer->bits, input->acks.before, 32);
    cn_net_write_bits(&writer->bits, input->count - 1, 3);
    for (uint32_t i = 0; i < input->count; i++) {
        bool is_same =
            i > 0 && !memcmp(&input->actions[i], &input->actions[i - 1], sizeof input->actions[i]);
        cn_net_write_bits(&writer->bits, is_same, 1);
        if (!is_same)
            put_actions(writer, &input->actions[i], relative);
    }
}

bool crafty_message_get_input(CraftyMessageReader *reader, CraftyInput *input)
{
    uint32_t relative = cn_actions_relative_axes(crafty_actions());
    input->newest = crafty_message_get_u64(reader);
    input->acks.newest = cn_net_read_number(&reader->bits);
    input->acks.before = cn_net_read_bits(&reader->bits, 32);
    input->count = cn_net_read_bits(&reader->bits, 3) + 1;
    for (uint32_t i = 0; i < input->count; i++) {
        bool is_same = cn_net_read_bits(&reader->bits, 1);
        if (is_same && i == 0)
            return false;
        if (is_same)
            input->actions[i] = input->actions[i - 1];
        else
            get_actions(reader, &input->actions[i], relative);
    }
    return crafty_message_is_complete(reader);
}

/* ---- Snapshots ---- */

void crafty_message_put_snapshot(CraftyMessageWriter *writer, const CraftySnapshotHead *head)
{
    crafty_message_put_u64(writer, head->tick);
    cn_net_write_bits(&writer->bits, head->edits, 32);
    cn_net_write_number(&writer->bits, cn_net_fold_sign(head->lead));
    cn_net_write_number(&writer->bits, head->snapshot);
    cn_net_write_number(&writer->bits, head->base);
}

bool crafty_message_get_snapshot(CraftyMessageReader *reader, CraftySnapshotHead *head)
{
    head->tick = crafty_message_get_u64(reader);
    head->edits = cn_net_read_bits(&reader->bits, 32);
    head->lead = cn_net_unfold_sign(cn_net_read_number(&reader->bits));
    head->snapshot = cn_net_read_number(&reader->bits);
    head->base = cn_net_read_number(&reader->bits);
    return !reader->bits.failed;
}

#define GAP 2u /* equal bytes that are cheaper to send than a new run */

void crafty_message_put_difference(CraftyMessageWriter *writer, const uint8_t *bytes,
                                   const uint8_t *base, uint32_t size)
{
    for (uint32_t at = 0, last = 0; at < size;) {
        if (bytes[at] == base[at]) {
            at++;
            continue;
        }
        uint32_t end = at + 1, equal = 0;
        for (uint32_t i = end; i < size && equal <= GAP; i++) {
            equal = bytes[i] == base[i] ? equal + 1 : 0;
            end = equal ? end : i + 1;
        }
        cn_net_write_number(&writer->bits, end - at);
        cn_net_write_number(&writer->bits, at - last);
        crafty_message_put_bytes(writer, bytes + at, end - at);
        last = at = end;
    }
    cn_net_write_number(&writer->bits, 0);
}

bool crafty_message_get_difference(CraftyMessageReader *reader, uint8_t *bytes, const uint8_t *base,
                                   uint32_t size)
{
    memmove(bytes, base, size);
    for (uint32_t at = 0;;) {
        uint32_t count = cn_net_read_number(&reader->bits);
        if (reader->bits.failed || !count)
            return !reader->bits.failed;
        uint32_t skipped = cn_net_read_number(&reader->bits);
        if (skipped > size - at || count > size - at - skipped)
            return false;
        at += skipped;
        if (!crafty_message_get_bytes(reader, bytes + at, count))
            return false;
        at += count;
    }
}

/* ---- Blocks ---- */

void crafty_message_put_edits(CraftyMessageWriter *writer, const CraftyBlockEdit *edits,
                              uint32_t count)
{
    CnCell last = {0, 0, 0};
    cn_net_write_number(&writer->bits, count);
    for (uint32_t i = 0; i < count; i++) {
        CnCell cell = edits[i].cell;
        cn_net_write_number(&writer->bits, cn_net_fold_sign(cell.x - last.x));
        cn_net_write_number(&writer->bits, cn_net_fold_sign(cell.y - last.y));
        cn_net_write_number(&writer->bits, cn_net_fold_sign(cell.z - last.z));
        cn_net_write_number(&writer->bits, edits[i].block);
        last = cell;
    }
}

/* Wraps around, which the bounds of the world refuse later. */
static int32_t sum(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

bool crafty_message_get_edits(CraftyMessageReader *reader, CraftyBlockEdit *edits, uint32_t *count)
{
    CnCell last = {0, 0, 0};
    *count = cn_net_read_number(&reader->bits);
    if (reader->bits.failed || *count > CRAFTY_MESSAGE_EDITS_MAX)
        return false;
    for (uint32_t i = 0; i < *count && !reader->bits.failed; i++) {
        last.x = sum(last.x, cn_net_unfold_sign(cn_net_read_number(&reader->bits)));
        last.y = sum(last.y, cn_net_unfold_sign(cn_net_read_number(&reader->bits)));
        last.z = sum(last.z, cn_net_unfold_sign(cn_net_read_number(&reader->bits)));
        uint32_t block = cn_net_read_number(&reader->bits);
        if (block > UINT16_MAX)
            return false;
        edits[i] = (CraftyBlockEdit){last, (CnBlock)block};
    }
    return crafty_message_is_complete(reader);
}

void crafty_message_put_column(CraftyMessageWriter *writer, const CraftyColumnState *column)
{
    crafty_message_put_cell(writer, (CnCell){column->x, 0, column->z});
    cn_net_write_number(&writer->bits, cn_net_fold_sign(column->low));
    cn_net_write_number(&writer->bits, cn_net_fold_sign(column->high));
    crafty_message_put_u64(writer, column->hash);
}

bool crafty_message_get_column(CraftyMessageReader *reader, CraftyColumnState *column)
{
    CnCell at = crafty_message_get_cell(reader);
    *column = (CraftyColumnState){.x = at.x, .z = at.z};
    column->low = cn_net_unfold_sign(cn_net_read_number(&reader->bits));
    column->high = cn_net_unfold_sign(cn_net_read_number(&reader->bits));
    column->hash = crafty_message_get_u64(reader);
    return crafty_message_is_complete(reader) && column->low <= column->high &&
           (int64_t)column->high - column->low <= 64;
}

/* ---- The world ---- */

void crafty_message_put_state(CraftyMessageWriter *writer, const CraftyWorldState *state)
{
    const CraftyWeather *weather = &state->weather;
    const float values[] = {state->speed,     weather->left,   weather->cover, weather->bottom,
                            weather->top,     weather->fog,    weather->rain,  weather->snow,
                            weather->wetness, weather->wind.x, weather->wind.y};
    uint64_t days;
    memcpy(&days, &state->days, sizeof days);
    crafty_message_put_u64(writer, days);
    cn_net_write_bits(&writer->bits, weather->kind, 8);
    cn_net_write_bits(&writer->bits, weather->held, 1);
    for (uint32_t i = 0; i < CN_COUNT_OF(values); i++)
        crafty_message_put_float(writer, values[i]);
}

bool crafty_message_get_state(CraftyMessageReader *reader, CraftyWorldState *state)
{
    CraftyWeather *weather = &state->weather;
    uint64_t days = crafty_message_get_u64(reader);
    memcpy(&state->days, &days, sizeof days);
    *weather = (CraftyWeather){0};
    weather->kind = (uint8_t)cn_net_read_bits(&reader->bits, 8);
    weather->held = cn_net_read_bits(&reader->bits, 1);
    float *const values[] = {&state->speed,     &weather->left,   &weather->cover, &weather->bottom,
                             &weather->top,     &weather->fog,    &weather->rain,  &weather->snow,
                             &weather->wetness, &weather->wind.x, &weather->wind.y};
    for (uint32_t i = 0; i < CN_COUNT_OF(values); i++)
        *values[i] = crafty_message_get_float(reader);
    return crafty_message_is_complete(reader) && state->days >= 0 && state->days < 1e9 &&
           state->speed >= 0 && state->speed <= CRAFTY_MAX_TIME_SPEED;
}
