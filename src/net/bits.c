/* Numbers of any number of bits: the ends of packets. */
#include <cairn/net/bits.h>

size_t cn_net_bit_writer_finish(CnNetBitWriter *writer)
{
    const size_t rest = (writer->pending_bits + 7) / 8;
    if (writer->failed || writer->capacity - writer->size < rest) {
        writer->failed = true;
        return 0;
    }
    if (rest)
        memcpy(writer->bytes + writer->size, &writer->pending, rest);
    writer->size += rest;
    writer->pending = 0;
    writer->pending_bits = 0;
    return writer->size;
}

bool cn_net_bit_reader_finish(CnNetBitReader *reader)
{
    const size_t left = reader->size * 8 - reader->position;
    if (!reader->failed && (left > 7 || cn_net_read_bits(reader, (uint32_t)left)))
        reader->failed = true;
    return !reader->failed;
}
