/*
 * The format of recordings, described in docs/formats.md. replay_format.c writes blocks and packs
 * values; recorder.c writes whole recordings; replay_read.c reads and validates them without a
 * simulation; replay.c plays them, and replay_difference.c describes differences.
 */
#ifndef CAIRN_SRC_SIM_REPLAY_FORMAT_H
#define CAIRN_SRC_SIM_REPLAY_FORMAT_H

#include "sim/sim_internal.h"

CN_STATIC_ASSERT(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they are");

#define CNI_SIM_REPLAY_MAGIC "CNTICKS\n"
#define CNI_SIM_REPLAY_MAGIC_BYTES 8u
#define CNI_SIM_REPLAY_VERSION 4u
#define CNI_SIM_REPLAY_OLDEST_VERSION 3u /* without attachments */

/* A block begins with its kind, its size and a checksum of both, and ends with a checksum of
 * kind, size and content. Both checksums depend on the position of the block in the recording. */
#define CNI_SIM_BLOCK_KIND_BYTES 5u /* kind and size */
#define CNI_SIM_BLOCK_HEAD_BYTES 9u
#define CNI_SIM_BLOCK_TAIL_BYTES 4u

/* zstd packs up to 32,768 bytes into one, so a small recording from outside could demand gigabytes.
 * A recorder writes states that compress better than this uncompressed. */
#define CNI_SIM_MAX_COMPRESSION_RATIO 512u
#define CNI_SIM_ALWAYS_COMPRESSED_BYTES (64u << 20) /* below this, any ratio is valid */

/* Of all channels together. The description of a field has 7 bytes and takes 40 bytes of memory. */
#define CNI_SIM_MAX_RECORDED_FIELDS (1u << 20)

static inline bool cni_sim_keyframe_size_valid(uint64_t packed, uint64_t size)
{
    return size <= CNI_SIM_ALWAYS_COMPRESSED_BYTES ||
           size / CNI_SIM_MAX_COMPRESSION_RATIO <= packed;
}

/* Returns whether the frame of a keyframe declares that it unpacks to this size. The
 * recorder's frames do; a frame without a size, or with data behind it, is not accepted. */
bool cni_sim_packed_size_is(const uint8_t *packed, size_t packed_bytes, uint64_t size);

typedef enum CniSimBlockKind {
    CNI_SIM_BLOCK_HEADER = 1,
    CNI_SIM_BLOCK_CHANNEL,
    CNI_SIM_BLOCK_COMPONENT,
    CNI_SIM_BLOCK_STATE,
    CNI_SIM_BLOCK_KEYFRAME,
    CNI_SIM_BLOCK_TICK,
    CNI_SIM_BLOCK_END,
    CNI_SIM_BLOCK_ATTACHMENT,
} CniSimBlockKind;

enum { CNI_SIM_REPLAY_HAS_COMPONENTS = 1 }; /* flags of the header */

/* Which parts of a fingerprint follow. */
enum {
    CNI_SIM_FINGERPRINT_SUMS = 1,
    CNI_SIM_FINGERPRINT_COUNT = 2,
    CNI_SIM_FINGERPRINT_RESOURCE = 4,
    CNI_SIM_FINGERPRINT_ALL = 7
};

typedef enum CniSimPacking {
    CNI_SIM_PACKING_NONE,
    CNI_SIM_PACKING_ZSTD,
    CNI_SIM_PACKING_COUNT
} CniSimPacking;

/* ---- Writing ---- */

/* `failed` stays set once memory has run out. */
typedef struct CniSimReplayWriter {
    CnU8Array bytes;
    uint64_t base; /* offset in the recording at which the bytes begin */
    bool failed;
} CniSimReplayWriter;

/* Appends room for `size` bytes; returns NULL when out of memory. */
uint8_t *cni_sim_write_reserve(CniSimReplayWriter *writer, size_t size);
void cni_sim_write(CniSimReplayWriter *writer, const void *bytes, size_t size);
void cni_sim_write_u8(CniSimReplayWriter *writer, uint8_t value);
void cni_sim_write_u16(CniSimReplayWriter *writer, uint16_t value);
void cni_sim_write_u32(CniSimReplayWriter *writer, uint32_t value);
void cni_sim_write_u64(CniSimReplayWriter *writer, uint64_t value);
/* At most 255 bytes. */
void cni_sim_write_name(CniSimReplayWriter *writer, const char *name);
/* Returns the position of the block, for cni_sim_block_end. */
uint32_t cni_sim_block_begin(CniSimReplayWriter *writer, CniSimBlockKind kind);
void cni_sim_block_end(CniSimReplayWriter *writer, uint32_t begin);
/* The checksums of a block that begins at byte `at` of the recording. */
uint32_t cni_sim_block_head_checksum(const uint8_t *block, uint64_t at);
uint32_t cni_sim_block_checksum(const uint8_t *block, uint32_t content_bytes, uint64_t at);

/* ---- Values: fields one after the other, in the order of their description ---- */

uint32_t cni_sim_packed_bytes(const CnField *fields, uint32_t count);
void cni_sim_pack_value(CniSimReplayWriter *writer, const CnField *fields, uint32_t count,
                        const void *value);
/* Unpacks one field of a value. */
void cni_sim_unpack_field(const CnField *field, const uint8_t *packed, void *value);

/* ---- Reading ---- */

typedef struct CniSimRecordedField {
    CnText name;
    CnFieldType type;
    uint32_t count, size;
    const CnField *field; /* the destination; set when it is matched with a simulation */
} CniSimRecordedField;

typedef struct CniSimRecordedChannel {
    CnText name;
    uint32_t first_field, field_count;
    uint32_t bytes;     /* of one value */
    CnChannel *channel; /* NULL: not matched yet */
} CniSimRecordedChannel;

typedef struct CniSimRecordedKeyframe {
    uint64_t tick;
    size_t at; /* of its content */
    uint32_t size;
} CniSimRecordedKeyframe;

typedef struct CniSimRecordedAttachment {
    CnText name;
    size_t at; /* of its packing; the size and the data follow */
    uint32_t size;
} CniSimRecordedAttachment;

struct CnReplay {
    CnAllocator *allocator;
    CnReplayInfo info;
    char *settings; /* of the info; settings_bytes long */
    size_t settings_bytes;
    uint8_t *bytes;
    size_t size;
    bool has_components;
    CN_ARRAY(CniSimRecordedField) fields;
    CN_ARRAY(CniSimRecordedChannel) channels;
    CN_ARRAY(CnText) components;                /* their names; [0]: the entities */
    CnHashMap component_by_hash;                /* of the name */
    CN_ARRAY(CniSimRecordedKeyframe) keyframes; /* by tick */
    CN_ARRAY(CniSimRecordedAttachment) attachments;
    CN_ARRAY(size_t) ticks; /* offsets of the content of each tick */
    size_t start;           /* the state before the first tick */
    uint8_t *value;         /* buffer for an event to send; value_bytes long */
    uint32_t value_bytes;
    CnReplayDifference difference; /* since cn_replay_begin */
};

/* ---- Access to a validated replay ---- */

/* Returns the state after a tick; UINT64_MAX selects the state before the first tick. */
const uint8_t *cni_sim_replay_state(const CnReplay *replay, uint64_t tick);
/* Updates the fingerprints, one for each recorded component, to those of this state. */
void cni_sim_replay_apply_state(const uint8_t *state, CnFingerprint *fingerprints);

/* Unpacks the content of a keyframe or attachment from its packing on; its size is that of
 * cni_sim_unpacked_size. */
bool cni_sim_unpack(const CnReplay *replay, size_t at, uint32_t content_bytes, uint8_t *to,
                    CnError *error);
static inline size_t cni_sim_unpacked_size(const CnReplay *replay, size_t at)
{
    return (size_t)cn_load_u64(replay->bytes + at + 1);
}

/* ---- replay_difference.c ---- */

/* Describes how the simulation differs from the state after this tick (UINT64_MAX: before the
 * first). Returns false when out of memory. */
bool cni_sim_replay_describe(const CnReplay *replay, const CnSim *sim, uint64_t tick,
                             CnReplayDifference *difference, CnError *error);

#endif
