#include "sim/replay_format.h"

/* ---- Writing ---- */

uint8_t *cni_sim_write_reserve(CniSimReplayWriter *writer, size_t size)
{
    CnU8Array *bytes = &writer->bytes;
    if (!writer->failed && !cn_array_reserve(bytes, (uint64_t)bytes->count + size))
        writer->failed = true;
    return writer->failed ? NULL : bytes->items + bytes->count;
}

void cni_sim_write(CniSimReplayWriter *writer, const void *bytes, size_t size)
{
    uint8_t *room = size ? cni_sim_write_reserve(writer, size) : NULL;
    if (!room)
        return;
    memcpy(room, bytes, size);
    writer->bytes.count += (uint32_t)size;
}

void cni_sim_write_u8(CniSimReplayWriter *writer, uint8_t value)
{
    cni_sim_write(writer, &value, sizeof value);
}

void cni_sim_write_u16(CniSimReplayWriter *writer, uint16_t value)
{
    cni_sim_write(writer, &value, sizeof value);
}

void cni_sim_write_u32(CniSimReplayWriter *writer, uint32_t value)
{
    cni_sim_write(writer, &value, sizeof value);
}

void cni_sim_write_u64(CniSimReplayWriter *writer, uint64_t value)
{
    cni_sim_write(writer, &value, sizeof value);
}

void cni_sim_write_name(CniSimReplayWriter *writer, const char *name)
{
    size_t size = strlen(name);
    cni_sim_write_u8(writer, (uint8_t)size);
    cni_sim_write(writer, name, size);
}

uint32_t cni_sim_block_begin(CniSimReplayWriter *writer, CniSimBlockKind kind)
{
    uint32_t begin = writer->bytes.count;
    cni_sim_write_u8(writer, (uint8_t)kind);
    cni_sim_write_u32(writer, 0); /* size and checksum are filled in at the end */
    cni_sim_write_u32(writer, 0);
    return begin;
}

void cni_sim_block_end(CniSimReplayWriter *writer, uint32_t begin)
{
    if (writer->failed)
        return;
    uint8_t *block = writer->bytes.items + begin;
    uint32_t size = writer->bytes.count - begin - CNI_SIM_BLOCK_HEAD_BYTES;
    memcpy(block + 1, &size, sizeof size);
    uint32_t head = cni_sim_block_head_checksum(block, writer->base + begin);
    memcpy(block + CNI_SIM_BLOCK_KIND_BYTES, &head, sizeof head);
    cni_sim_write_u32(writer, cni_sim_block_checksum(block, size, writer->base + begin));
}

uint32_t cni_sim_block_head_checksum(const uint8_t *block, uint64_t at)
{
    return (uint32_t)cn_hash_bytes(block, CNI_SIM_BLOCK_KIND_BYTES, at);
}

uint32_t cni_sim_block_checksum(const uint8_t *block, uint32_t content_bytes, uint64_t at)
{
    return (uint32_t)cn_hash_bytes(block, (size_t)CNI_SIM_BLOCK_HEAD_BYTES + content_bytes, at);
}

/* ---- Values ---- */

uint32_t cni_sim_packed_bytes(const CnField *fields, uint32_t count)
{
    uint32_t bytes = 0;
    for (uint32_t f = 0; f < count; f++)
        bytes += fields[f].size;
    return bytes;
}

/* Bytes behind the terminator of a text are not written. */
static void pack_field(const CnField *field, const uint8_t *from, uint8_t *to)
{
    if (field->type == CN_FIELD_TEXT) {
        size_t size = strnlen((const char *)from, field->size);
        memcpy(to, from, size);
        memset(to + size, 0, field->size - size);
    } else if (field->type == CN_FIELD_BOOL) {
        for (uint32_t i = 0; i < field->size; i++)
            to[i] = from[i] != 0;
    } else {
        memcpy(to, from, field->size);
    }
}

void cni_sim_pack_value(CniSimReplayWriter *writer, const CnField *fields, uint32_t count,
                        const void *value)
{
    uint32_t bytes = cni_sim_packed_bytes(fields, count);
    uint8_t *to = cni_sim_write_reserve(writer, bytes);
    if (!to)
        return;
    for (uint32_t f = 0; f < count; f++) {
        pack_field(&fields[f], (const uint8_t *)value + fields[f].offset, to);
        to += fields[f].size;
    }
    writer->bytes.count += bytes;
}

void cni_sim_unpack_field(const CnField *field, const uint8_t *packed, void *value)
{
    /* This also normalizes a bool that is neither 0 nor 1. */
    pack_field(field, packed, (uint8_t *)value + field->offset);
}
