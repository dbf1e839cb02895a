/* Ogg Vorbis through libvorbisenc. The encoder uses the C library's mathematics, so the bytes may
 * differ between machines; the samples that it is given do not. */
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vorbis/vorbisenc.h>

typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} Bytes;

static void append(Bytes *bytes, const unsigned char *data, long size)
{
    size_t add = (size_t)size;
    if (bytes->size + add > bytes->capacity) {
        size_t capacity = 2 * (bytes->size + add);
        uint8_t *larger = realloc(bytes->data, capacity);
        if (!larger) {
            bytes->failed = true;
            return;
        }
        bytes->data = larger;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, add);
    bytes->size += add;
}

static void append_page(Bytes *bytes, const ogg_page *page)
{
    append(bytes, page->header, page->header_len);
    append(bytes, page->body, page->body_len);
}

static void write_headers(Bytes *bytes, vorbis_dsp_state *state, ogg_stream_state *stream)
{
    vorbis_comment comment;
    ogg_packet packets[3];
    ogg_page page;
    vorbis_comment_init(&comment);
    vorbis_analysis_headerout(state, &comment, &packets[0], &packets[1], &packets[2]);
    for (int i = 0; i < 3; i++)
        ogg_stream_packetin(stream, &packets[i]);
    while (ogg_stream_flush(stream, &page))
        append_page(bytes, &page);
    vorbis_comment_clear(&comment);
}

static void write_blocks(Bytes *bytes, vorbis_dsp_state *state, vorbis_block *block,
                         ogg_stream_state *stream)
{
    ogg_packet packet;
    ogg_page page;
    while (vorbis_analysis_blockout(state, block) == 1) {
        vorbis_analysis(block, NULL);
        vorbis_bitrate_addblock(block);
        while (vorbis_bitrate_flushpacket(state, &packet)) {
            ogg_stream_packetin(stream, &packet);
            while (ogg_stream_pageout(stream, &page))
                append_page(bytes, &page);
        }
    }
}

static void write_samples(Bytes *bytes, const Signal *signal, vorbis_dsp_state *state,
                          vorbis_block *block, ogg_stream_state *stream)
{
    enum { PART = 4096 };
    for (uint32_t first = 0; first < signal->frames; first += PART) {
        uint32_t count = signal->frames - first < PART ? signal->frames - first : PART;
        float **to = vorbis_analysis_buffer(state, (int)count);
        for (uint32_t c = 0; c < signal->channels; c++)
            memcpy(to[c], signal_channel(signal, c) + first, count * sizeof(float));
        vorbis_analysis_wrote(state, (int)count);
        write_blocks(bytes, state, block, stream);
    }
    vorbis_analysis_wrote(state, 0);
    write_blocks(bytes, state, block, stream);
    ogg_page page;
    while (ogg_stream_flush(stream, &page))
        append_page(bytes, &page);
}

bool vorbis_encode(const Signal *signal, float quality, uint8_t **data, size_t *size)
{
    Bytes bytes = {0};
    vorbis_info info;
    vorbis_dsp_state state;
    vorbis_block block;
    ogg_stream_state stream;
    vorbis_info_init(&info);
    if (vorbis_encode_init_vbr(&info, signal->channels, SOUNDS_RATE, quality)) {
        fprintf(stderr, "sounds: the Vorbis encoder refuses %u channels at quality %g\n",
                signal->channels, (double)quality);
        vorbis_info_clear(&info);
        return false;
    }
    vorbis_analysis_init(&state, &info);
    vorbis_block_init(&state, &block);
    ogg_stream_init(&stream, 1);
    write_headers(&bytes, &state, &stream);
    write_samples(&bytes, signal, &state, &block, &stream);
    ogg_stream_clear(&stream);
    vorbis_block_clear(&block);
    vorbis_dsp_clear(&state);
    vorbis_info_clear(&info);
    *data = bytes.data;
    *size = bytes.size;
    if (bytes.failed)
        fprintf(stderr, "sounds: out of memory\n");
    return !bytes.failed;
}
