/*
 * Writing and reading numbers of any number of bits.
 *
 *     uint8_t packet[64];
 *     CnNetBitWriter writer;
 *     cn_net_bit_writer_init(&writer, packet, sizeof packet);
 *     cn_net_write_bits(&writer, 5, 3);
 *     cn_net_write_number(&writer, 1000);
 *     size_t size = cn_net_bit_writer_finish(&writer); // 0 if it did not fit
 *
 *     CnNetBitReader reader;
 *     cn_net_bit_reader_init(&reader, packet, size);
 *     uint32_t three_bits = cn_net_read_bits(&reader, 3), number = cn_net_read_number(&reader);
 *     bool complete = cn_net_bit_reader_finish(&reader);
 *
 * The first bit is the lowest one of the first byte. Neither side accesses memory beyond its bytes.
 * An error is kept until the end: after it, a writer writes nothing and a reader returns zeros, so
 * that only the result of the finishing function needs to be checked, and loops whose end was read
 * check `failed`.
 */
#ifndef CAIRN_NET_BITS_H
#define CAIRN_NET_BITS_H

#include <cairn/base.h>

CN_EXTERN_C_BEGIN

typedef struct CnNetBitWriter {
    uint8_t *bytes;
    size_t capacity;
    size_t size;           /* bytes stored so far */
    uint64_t pending;      /* bits that are not stored yet */
    uint32_t pending_bits; /* fewer than 32 between calls */
    bool failed;           /* something did not fit */
} CnNetBitWriter;

static inline void cn_net_bit_writer_init(CnNetBitWriter *writer, void *bytes, size_t capacity)
{
    writer->bytes = (uint8_t *)bytes;
    writer->capacity = capacity;
    writer->size = 0;
    writer->pending = 0;
    writer->pending_bits = 0;
    writer->failed = false;
}

/* Returns the number of bits written so far. */
static inline size_t cn_net_bits_written(const CnNetBitWriter *writer)
{
    return writer->size * 8 + writer->pending_bits;
}

/* Writes the low `count` bits, 0 to 32. The others must be zero. */
CN_FORCE_INLINE void cn_net_write_bits(CnNetBitWriter *writer, uint32_t value, uint32_t count)
{
    CN_ASSERT(count <= 32 && (uint64_t)value >> count == 0, "%u does not have %u bits", value,
              count);
    writer->pending |= (uint64_t)value << writer->pending_bits;
    writer->pending_bits += count;
    if (writer->pending_bits < 32)
        return;
    uint32_t word = (uint32_t)writer->pending;
    writer->pending >>= 32;
    writer->pending_bits -= 32;
    if (CN_UNLIKELY(writer->failed || writer->capacity - writer->size < sizeof word)) {
        writer->failed = true;
        return;
    }
    memcpy(writer->bytes + writer->size, &word, sizeof word);
    writer->size += sizeof word;
}

/* Stores the remaining bits, padded with zeros to a byte. Returns the number of bytes, or 0 if not
 * everything fitted. */
CN_API size_t cn_net_bit_writer_finish(CnNetBitWriter *writer);

typedef struct CnNetBitReader {
    const uint8_t *bytes;
    size_t size;
    size_t position; /* in bits */
    bool failed;     /* something was read beyond the end, or was invalid */
} CnNetBitReader;

static inline void cn_net_bit_reader_init(CnNetBitReader *reader, const void *bytes, size_t size)
{
    reader->bytes = (const uint8_t *)bytes;
    reader->size = size;
    reader->position = 0;
    reader->failed = false;
}

/* Reads 0 to 32 bits. Returns 0 after an error. */
CN_FORCE_INLINE uint32_t cn_net_read_bits(CnNetBitReader *reader, uint32_t count)
{
    const size_t first = reader->position >> 3;
    if (CN_UNLIKELY(reader->failed || count > reader->size * 8 - reader->position)) {
        reader->failed = true;
        return 0;
    }
    uint64_t word = 0;
    if (CN_LIKELY(reader->size - first >= sizeof word))
        memcpy(&word, reader->bytes + first, sizeof word);
    else
        memcpy(&word, reader->bytes + first, reader->size - first);
    word >>= reader->position & 7u;
    reader->position += count;
    return (uint32_t)(word & (((uint64_t)1 << count) - 1));
}

/* Returns whether everything was read without an error: at most seven bits are left, all zero. */
CN_API bool cn_net_bit_reader_finish(CnNetBitReader *reader);

/* ---- Numbers of which small ones are short: 3 bits select one of these widths ---- */

#define CN_NET_NUMBER_WIDTHS 0x20100b0907050300u /* 0 3 5 7 9 11 16 32, from the lowest byte */

static inline uint32_t cn_net_number_width(uint32_t selected)
{
    return (uint32_t)(CN_NET_NUMBER_WIDTHS >> (8 * selected)) & 0xffu;
}

/* Selects the smallest width that holds the value. */
static inline uint32_t cni_net_select_width(uint32_t value)
{
    static const uint8_t selected[33] = {0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6,
                                         7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    return selected[value ? 32u - (uint32_t)__builtin_clz(value) : 0];
}

/* Returns how many bits a number needs, with the 3 bits. */
static inline uint32_t cn_net_number_bits(uint32_t value)
{
    return 3 + cn_net_number_width(cni_net_select_width(value));
}

CN_FORCE_INLINE void cn_net_write_number(CnNetBitWriter *writer, uint32_t value)
{
    uint32_t selection = cni_net_select_width(value);
    cn_net_write_bits(writer, selection, 3);
    cn_net_write_bits(writer, value, cn_net_number_width(selection));
}

CN_FORCE_INLINE uint32_t cn_net_read_number(CnNetBitReader *reader)
{
    return cn_net_read_bits(reader, cn_net_number_width(cn_net_read_bits(reader, 3)));
}

/* Signed numbers: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ... */
static inline uint32_t cn_net_fold_sign(int32_t value)
{
    return (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0u);
}

static inline int32_t cn_net_unfold_sign(uint32_t value)
{
    return (int32_t)(value >> 1 ^ (value & 1 ? UINT32_MAX : 0u));
}

CN_EXTERN_C_END

#endif
