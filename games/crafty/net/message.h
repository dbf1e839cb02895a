/*
 * Messages between a server and its clients: their layout, and reading them. docs/formats.md
 * describes the bytes.
 *
 *     CraftyMessageWriter writer;
 *     crafty_message_begin(&writer, bytes, sizeof bytes, CRAFTY_MESSAGE_HELLO);
 *     crafty_message_put_hello(&writer, &hello);
 *     size_t size = crafty_message_end(&writer); // 0: it did not fit
 *
 *     CraftyMessageReader reader;
 *     CraftyMessageKind kind = crafty_message_open(&reader, bytes, size);
 *     if (kind == CRAFTY_MESSAGE_HELLO && crafty_message_get_hello(&reader, &hello))
 *         greet(&hello);
 *
 * Nothing in a message is trusted: a function whose name contains `get` returns false for anything
 * that is out of range, too short or too long.
 */
#ifndef CRAFTY_NET_MESSAGE_H
#define CRAFTY_NET_MESSAGE_H

#include "crafty/sim/command.h"
#include "crafty/sim/identity.h"
#include "crafty/sim/weather.h"

#include <cairn/input/action.h>
#include <cairn/net/bits.h>
#include <cairn/net/replication.h>
#include <cairn/voxel/voxels.h>

#define CRAFTY_NET_PROTOCOL "crafty/1" /* of CnNetEndpointDesc */
#define CRAFTY_NET_PORT 25700u

/* The channels of a connection. What changes the world has one of its own, in which chunks and
 * edits keep their order. */
#define CRAFTY_CHANNEL_CONTROL 0u
#define CRAFTY_CHANNEL_WORLD 1u

typedef enum CraftyMessageKind {
    CRAFTY_MESSAGE_INVALID,
    /* From clients: */
    CRAFTY_MESSAGE_HELLO,   /* the first one: asks to join */
    CRAFTY_MESSAGE_READY,   /* it has made the world and waits for blocks and snapshots */
    CRAFTY_MESSAGE_COMMAND, /* a CraftyCommand */
    CRAFTY_MESSAGE_INPUT,   /* a datagram: the actions of the last ticks */
    CRAFTY_MESSAGE_REPAIR,  /* asks for a column of chunks whose hash differs */
    /* From servers: */
    CRAFTY_MESSAGE_WELCOME,  /* the world that the client joins */
    CRAFTY_MESSAGE_SNAPSHOT, /* a datagram: the state of the player and of what is around it */
    CRAFTY_MESSAGE_EDITS,    /* changes of blocks */
    CRAFTY_MESSAGE_CHUNKS,   /* the edits of whole chunks: a pack (cairn/voxel/chunk_pack.h) */
    CRAFTY_MESSAGE_COLUMN,   /* the hash of a column */
    CRAFTY_MESSAGE_EVENT,    /* an event of the simulation */
    CRAFTY_MESSAGE_STATE,    /* time of day and weather */
    CRAFTY_MESSAGE_KIND_COUNT
} CraftyMessageKind;

typedef struct CraftyMessageWriter {
    CnNetBitWriter bits;
} CraftyMessageWriter;

typedef struct CraftyMessageReader {
    CnNetBitReader bits;
} CraftyMessageReader;

void crafty_message_begin(CraftyMessageWriter *writer, void *bytes, size_t capacity,
                          CraftyMessageKind kind);
/* Returns the size of the message, 0 if it did not fit. */
size_t crafty_message_end(CraftyMessageWriter *writer);
/* Returns the kind, CRAFTY_MESSAGE_INVALID if there is none. */
CraftyMessageKind crafty_message_open(CraftyMessageReader *reader, const void *bytes, size_t size);

/* ---- Values ---- */

void crafty_message_put_u64(CraftyMessageWriter *writer, uint64_t value);
uint64_t crafty_message_get_u64(CraftyMessageReader *reader);
void crafty_message_put_float(CraftyMessageWriter *writer, float value);
float crafty_message_get_float(CraftyMessageReader *reader); /* finite */
void crafty_message_put_text(CraftyMessageWriter *writer, const char *text);
/* Reads a text of at most `bytes` - 1 bytes, which is valid UTF-8 without control characters. */
bool crafty_message_get_text(CraftyMessageReader *reader, char *text, size_t bytes);
void crafty_message_put_bytes(CraftyMessageWriter *writer, const void *bytes, size_t size);
bool crafty_message_get_bytes(CraftyMessageReader *reader, void *bytes, size_t size);
void crafty_message_put_cell(CraftyMessageWriter *writer, CnCell cell);
CnCell crafty_message_get_cell(CraftyMessageReader *reader);

/* ---- Joining ---- */

#define CRAFTY_MESSAGE_WORLD_BYTES 64u
#define CRAFTY_MESSAGE_START_BYTES 512u

typedef struct CraftyHello {
    char name[CRAFTY_PLAYER_NAME_BYTES]; /* empty: that of the account */
    uint32_t view_distance;              /* chunks */
} CraftyHello;
void crafty_message_put_hello(CraftyMessageWriter *writer, const CraftyHello *hello);
bool crafty_message_get_hello(CraftyMessageReader *reader, CraftyHello *hello);

/* The palettes follow it in the message; crafty_message_get_welcome lets them point into it. */
typedef struct CraftyWelcome {
    uint32_t player;
    uint64_t tick, random_seed, layout_hash;
    uint32_t tick_hz, snapshot_ticks; /* ticks between two snapshots */
    uint32_t view_distance;           /* that the server grants, in chunks */
    char world[CRAFTY_MESSAGE_WORLD_BYTES];
    char start[CRAFTY_MESSAGE_START_BYTES]; /* crafty_start_write */
    CnText blocks, items;                   /* palettes */
} CraftyWelcome;
#define CRAFTY_MESSAGE_PALETTE_BYTES (1u << 20)
void crafty_message_put_welcome(CraftyMessageWriter *writer, const CraftyWelcome *welcome);
bool crafty_message_get_welcome(CraftyMessageReader *reader, CraftyWelcome *welcome);

/* ---- Playing ---- */

void crafty_message_put_command(CraftyMessageWriter *writer, const CraftyCommand *command);
/* Does not check what crafty_command_valid checks. */
bool crafty_message_get_command(CraftyMessageReader *reader, CraftyCommand *command);

/* Rounds the axes to what messages carry, so that the client predicts with what the server gets. */
CnActions crafty_actions_rounded(const CnActions *actions);

#define CRAFTY_INPUT_TICKS 8u /* in one message */
typedef struct CraftyInput {
    uint64_t newest; /* the tick of the first actions; the others are those before it */
    uint32_t count;  /* 1 to CRAFTY_INPUT_TICKS */
    CnNetAcks acks;  /* which snapshots were read */
    CnActions actions[CRAFTY_INPUT_TICKS]; /* the newest one first */
} CraftyInput;
void crafty_message_put_input(CraftyMessageWriter *writer, const CraftyInput *input);
bool crafty_message_get_input(CraftyMessageReader *reader, CraftyInput *input);

/* What precedes the state of the player and the replicated entities in a snapshot. */
typedef struct CraftySnapshotHead {
    uint64_t tick;
    uint32_t edits; /* messages of the world channel that were sent before */
    int32_t lead;   /* ticks by which the client's input came early, at worst since the last one */
    uint32_t snapshot; /* number of the replication's snapshot */
    uint32_t base;     /* snapshot whose state of the player the bytes differ from; 0: from zeros */
} CraftySnapshotHead;
void crafty_message_put_snapshot(CraftyMessageWriter *writer, const CraftySnapshotHead *head);
bool crafty_message_get_snapshot(CraftyMessageReader *reader, CraftySnapshotHead *head);

/* Bytes as differences from others of the same size: runs that differ. */
void crafty_message_put_difference(CraftyMessageWriter *writer, const uint8_t *bytes,
                                   const uint8_t *base, uint32_t size);
bool crafty_message_get_difference(CraftyMessageReader *reader, uint8_t *bytes, const uint8_t *base,
                                   uint32_t size);

/* ---- Blocks ---- */

typedef struct CraftyBlockEdit {
    CnCell cell;
    CnBlock block;
} CraftyBlockEdit;
#define CRAFTY_MESSAGE_EDITS_MAX 1024u
void crafty_message_put_edits(CraftyMessageWriter *writer, const CraftyBlockEdit *edits,
                              uint32_t count);
/* Reads at most CRAFTY_MESSAGE_EDITS_MAX edits. */
bool crafty_message_get_edits(CraftyMessageReader *reader, CraftyBlockEdit *edits, uint32_t *count);

/* What the whole world has in common. */
typedef struct CraftyWorldState {
    double days; /* as in CraftyDay */
    float speed;
    CraftyWeather weather;
} CraftyWorldState;
void crafty_message_put_state(CraftyMessageWriter *writer, const CraftyWorldState *state);
bool crafty_message_get_state(CraftyMessageReader *reader, CraftyWorldState *state);

typedef struct CraftyColumnState {
    int32_t x, z;
    int32_t low, high; /* the chunks of the hash: cn_voxels_column_hash */
    uint64_t hash;
} CraftyColumnState;
void crafty_message_put_column(CraftyMessageWriter *writer, const CraftyColumnState *column);
bool crafty_message_get_column(CraftyMessageReader *reader, CraftyColumnState *column);

/* ---- Events ---- */

/* The events that clients get, in order of their numbers in messages. */
typedef enum CraftyEventKind {
    CRAFTY_EVENT_CHAT,
    CRAFTY_EVENT_HAND,
    CRAFTY_EVENT_PLAYER,
    CRAFTY_EVENT_CREATURE,
    CRAFTY_EVENT_KIND_COUNT
} CraftyEventKind;
const CnType *crafty_event_type(CraftyEventKind kind);

/* Writes an event of a kind. Entities become network ids, by `id_of`. */
void crafty_message_put_event(CraftyMessageWriter *writer, CraftyEventKind kind, const void *event,
                              uint32_t (*id_of)(void *user, CnEntity entity), void *user);
#define CRAFTY_EVENT_BYTES 512u /* of the largest one */
/* Reads an event into `event`, which has room for CRAFTY_EVENT_BYTES. */
bool crafty_message_get_event(CraftyMessageReader *reader, CraftyEventKind *kind, void *event,
                              CnEntity (*entity_of)(void *user, uint32_t id), void *user);

/* Returns whether everything was read and nothing else follows. */
bool crafty_message_is_complete(CraftyMessageReader *reader);
/* Returns the bytes that follow, from the next whole one on. */
const uint8_t *crafty_message_rest(CraftyMessageReader *reader, size_t *size);

#endif
