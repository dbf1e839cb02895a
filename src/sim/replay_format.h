/*
 * The format of recordings, described in docs/formats.md. replay_format.c writes blocks and packs
 * values; recorder.c writes whole recordings; replay_read.c reads and validates them without a
 * simulation; replay.c plays them, and replay_difference.c describes differences.
 */
#ifndef CAIRN_SRC_SIM_REPLAY_FORMAT_H
#define CAIRN_SRC_SIM_REPLAY_FORMAT_H

#include "sim/sim_internal.h"

CN_STATIC_ASSERT(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they are");

#define CNI_REPLAY_MAGIC "CNTICKS\n"
#define CNI_REPLAY_MAGIC_BYTES 8u
#define CNI_REPLAY_VERSION 2u

/* A block begins with its kind, its size and a checksum of both, and ends with a checksum of
 * kind, size and content. Both checksums depend on the position of the block in the recording. */
#define CNI_BLOCK_KIND_BYTES 5u /* kind and size */
#define CNI_BLOCK_HEAD_BYTES 9u
#define CNI_BLOCK_TAIL_BYTES 4u

/* No zstd data decompresses to more: at best, 4 bytes describe a block of 128 KiB of one byte
 * value. */
#define CNI_MAX_UNPACKING 32768u

typedef enum BlockKind {
    BLOCK_HEADER = 1,
    BLOCK_CHANNEL,
    BLOCK_COMPONENT,
    BLOCK_STATE,
    BLOCK_KEYFRAME,
    BLOCK_TICK,
    BLOCK_END,
} BlockKind;

enum { CNI_REPLAY_HAS_COMPONENTS = 1 }; /* flags of the header */

/* Which parts of a fingerprint follow. */
enum { CNI_PART_SUMS = 1, CNI_PART_COUNT = 2, CNI_PART_RESOURCE = 4, CNI_PARTS_ALL = 7 };

typedef enum Packing { PACKING_NONE, PACKING_ZSTD, PACKING_COUNT } Packing;

/* ---- Writing ---- */

/* `failed` stays set once memory has run out. */
typedef struct Writer {
    CnU8Array bytes;
    uint64_t base; /* offset in the recording at which the bytes begin */
    bool failed;
} Writer;

/* Appends room for `size` bytes; returns NULL when out of memory. */
uint8_t *cni_write_room(Writer *writer, size_t size);
void cni_write(Writer *writer, const void *bytes, size_t size);
void cni_write_u8(Writer *writer, uint8_t value);
void cni_write_u16(Writer *writer, uint16_t value);
void cni_write_u32(Writer *writer, uint32_t value);
void cni_write_u64(Writer *writer, uint64_t value);
/* At most 255 bytes. */
void cni_write_name(Writer *writer, const char *name);
/* Returns the position of the block, for cni_block_end. */
uint32_t cni_block_begin(Writer *writer, BlockKind kind);
void cni_block_end(Writer *writer, uint32_t begin);
/* The checksums of a block that begins at byte `at` of the recording. */
uint32_t cni_block_head_checksum(const uint8_t *block, uint64_t at);
uint32_t cni_block_checksum(const uint8_t *block, uint32_t content_bytes, uint64_t at);

/* ---- Values: fields one after the other, in the order of their description ---- */

uint32_t cni_packed_bytes(const CnField *fields, uint32_t count);
void cni_pack_value(Writer *writer, const CnField *fields, uint32_t count, const void *value);
/* Unpacks one field of a value. */
void cni_unpack_field(const CnField *field, const uint8_t *packed, void *value);

/* ---- Reading ---- */

typedef struct RecordedField {
    CnText name;
    CnFieldType type;
    uint32_t count, size;
    const CnField *field; /* the destination; set when it is matched with a simulation */
} RecordedField;

typedef struct RecordedChannel {
    CnText name;
    uint32_t first_field, field_count;
    uint32_t bytes;     /* of one value */
    CnChannel *channel; /* NULL: not matched yet */
} RecordedChannel;

typedef struct RecordedKeyframe {
    uint64_t tick;
    size_t at; /* of its content */
    uint32_t size;
} RecordedKeyframe;

struct CnReplay {
    CnAllocator *allocator;
    CnReplayInfo info;
    uint8_t *bytes;
    size_t size;
    bool has_components;
    CN_ARRAY(RecordedField) fields;
    CN_ARRAY(RecordedChannel) channels;
    CN_ARRAY(CnText) components;          /* their names; [0]: the entities */
    CnHashMap component_by_hash;          /* of the name */
    CN_ARRAY(RecordedKeyframe) keyframes; /* by tick */
    CN_ARRAY(size_t) ticks;               /* offsets of the content of each tick */
    size_t start;                         /* the state before the first tick */
    uint8_t *value;                       /* buffer for an event to send; value_bytes long */
    uint32_t value_bytes;
};

/* ---- Access to a validated replay ---- */

/* Returns the state after a tick; UINT64_MAX selects the state before the first tick. */
const uint8_t *cni_replay_state(const CnReplay *replay, uint64_t tick);
/* Updates the fingerprints, one for each recorded component, to those of this state. */
void cni_replay_apply_state(const uint8_t *state, CnFingerprint *fingerprints);

/* ---- replay_difference.c ---- */

/* Describes how the simulation differs from the state after this tick (UINT64_MAX: before the
 * first). Returns false when out of memory. */
bool cni_replay_describe(const CnReplay *replay, const CnSim *sim, uint64_t tick,
                         CnDifference *difference, CnError *error);

#endif
