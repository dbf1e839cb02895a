/*
 * Messages between a server of Crafty and its clients: whatever arrives is refused, or read into
 * values within their bounds, which are written and read again as the same.
 */
#include "fuzz_surface.h"

#include <crafty/net/message.h>
#include <crafty/net/own_state.h>

#include <string.h>

enum { MAX_BYTES = 1200 };

static uint8_t written[1u << 17];

static uint32_t id_of(void *user, CnEntity entity)
{
    (void)user;
    return (uint32_t)entity.id;
}

static CnEntity entity_of(void *user, uint32_t id)
{
    (void)user;
    return (CnEntity){id};
}

static CraftyMessageReader reopen(CraftyMessageWriter *writer)
{
    CraftyMessageReader reader;
    size_t size = crafty_message_end(writer);
    FUZZ_CHECK(size > 0);
    crafty_message_open(&reader, written, size);
    return reader;
}

static bool read_input(CraftyMessageReader *reader, CraftyMessageWriter *writer)
{
    CraftyInput input = {0}, again = {0};
    if (!crafty_message_get_input(reader, &input))
        return false;
    FUZZ_CHECK(input.count >= 1 && input.count <= CRAFTY_INPUT_TICKS);
    crafty_message_put_input(writer, &input);
    CraftyMessageReader second = reopen(writer);
    FUZZ_CHECK(crafty_message_get_input(&second, &again));
    FUZZ_CHECK(!memcmp(input.actions, again.actions, input.count * sizeof input.actions[0]));
    return true;
}

static bool read_snapshot(CraftyMessageReader *reader)
{
    static const uint8_t base[CRAFTY_OWN_STATE_BYTES];
    uint8_t bytes[CRAFTY_OWN_STATE_BYTES];
    CraftySnapshotHead head;
    size_t rest;
    return crafty_message_get_snapshot(reader, &head) &&
           crafty_message_get_difference(reader, bytes, base, sizeof bytes) &&
           crafty_message_rest(reader, &rest);
}

static bool read_event(CraftyMessageReader *reader, CraftyMessageWriter *writer)
{
    CraftyEventKind kind;
    uint64_t event[CRAFTY_EVENT_BYTES / sizeof(uint64_t)];
    if (!crafty_message_get_event(reader, &kind, event, entity_of, NULL))
        return false;
    FUZZ_CHECK(kind < CRAFTY_EVENT_KIND_COUNT);
    crafty_message_put_event(writer, kind, event, id_of, NULL);
    FUZZ_CHECK(crafty_message_end(writer) > 0);
    return true;
}

static bool read_command(CraftyMessageReader *reader)
{
    CraftyCommand command;
    return crafty_message_get_command(reader, &command) && crafty_command_valid(&command);
}

static bool read_any(CraftyMessageKind kind, CraftyMessageReader *reader,
                     CraftyMessageWriter *writer)
{
    static CraftyBlockEdit edits[CRAFTY_MESSAGE_EDITS_MAX];
    uint32_t count;
    CraftyHello hello;
    CraftyWelcome welcome;
    CraftyColumnState column;
    CraftyWorldState state;
    switch (kind) {
    case CRAFTY_MESSAGE_HELLO:
        return crafty_message_get_hello(reader, &hello);
    case CRAFTY_MESSAGE_COMMAND:
        return read_command(reader);
    case CRAFTY_MESSAGE_INPUT:
        return read_input(reader, writer);
    case CRAFTY_MESSAGE_WELCOME:
        return crafty_message_get_welcome(reader, &welcome);
    case CRAFTY_MESSAGE_SNAPSHOT:
        return read_snapshot(reader);
    case CRAFTY_MESSAGE_EDITS:
        return crafty_message_get_edits(reader, edits, &count);
    case CRAFTY_MESSAGE_COLUMN:
        return crafty_message_get_column(reader, &column);
    case CRAFTY_MESSAGE_EVENT:
        return read_event(reader, writer);
    case CRAFTY_MESSAGE_STATE:
        return crafty_message_get_state(reader, &state);
    case CRAFTY_MESSAGE_CHUNKS: /* fuzz.voxel.chunk_pack */
    case CRAFTY_MESSAGE_INVALID:
    case CRAFTY_MESSAGE_READY:
    case CRAFTY_MESSAGE_REPAIR:
    case CRAFTY_MESSAGE_KIND_COUNT:
        break;
    }
    return false;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CraftyMessageReader reader;
    CraftyMessageWriter writer;
    CraftyMessageKind kind = crafty_message_open(&reader, bytes, size);
    crafty_message_begin(&writer, written, sizeof written, kind);
    return read_any(kind, &reader, &writer);
}

static void add(FuzzSeeds *seeds, CraftyMessageWriter *writer)
{
    size_t size = crafty_message_end(writer);
    FUZZ_CHECK(size > 0);
    fuzz_add(seeds, written, size);
}

static void add_seeds(FuzzSeeds *seeds)
{
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_HELLO);
    crafty_message_put_hello(&writer, &(CraftyHello){.name = "Ada", .view_distance = 8});
    add(seeds, &writer);
    crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_COMMAND);
    crafty_message_put_command(&writer,
                               &(CraftyCommand){.kind = CRAFTY_COMMAND_CHAT, .text = "hello"});
    add(seeds, &writer);
    crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_INPUT);
    crafty_message_put_input(
        &writer, &(CraftyInput){.newest = 70, .count = 2, .actions = {{.held = 5, .pressed = 1}}});
    add(seeds, &writer);
    const CraftyBlockEdit edits[] = {{{1, 2, 3}, 4}, {{1, 2, 4}, 0}};
    crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_EDITS);
    crafty_message_put_edits(&writer, edits, CN_COUNT_OF(edits));
    add(seeds, &writer);
    crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_COLUMN);
    crafty_message_put_column(&writer, &(CraftyColumnState){.x = 1, .hash = 5, .high = 2});
    add(seeds, &writer);
    uint8_t state[CRAFTY_OWN_STATE_BYTES] = {1, 2, 0, 0, 0, 0, 3}, base[sizeof state] = {0};
    crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_SNAPSHOT);
    crafty_message_put_snapshot(&writer, &(CraftySnapshotHead){.tick = 9, .snapshot = 3});
    crafty_message_put_difference(&writer, state, base, sizeof state);
    add(seeds, &writer);
    uint64_t event[CRAFTY_EVENT_BYTES / sizeof(uint64_t)] = {0};
    for (uint32_t kind = 0; kind < CRAFTY_EVENT_KIND_COUNT; kind++) {
        crafty_message_begin(&writer, written, MAX_BYTES, CRAFTY_MESSAGE_EVENT);
        crafty_message_put_event(&writer, (CraftyEventKind)kind, event, id_of, NULL);
        add(seeds, &writer);
    }
}

const FuzzSurface fuzz_surface = {.max_bytes = MAX_BYTES, .add_seeds = add_seeds, .run = run};
