#include "sound_files.h"
#include "audio_fixture.h"
#include "scratch.h"

#include <string.h>
#include <vorbis/vorbisenc.h>

static void append(SoundFile *file, const void *bytes, size_t size)
{
    file->bytes = realloc(file->bytes, file->size + size);
    assert_non_null(file->bytes);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void append_number(SoundFile *file, uint32_t value, uint32_t bytes)
{
    uint8_t put[4];
    for (uint32_t i = 0; i < bytes; i++)
        put[i] = (uint8_t)(value >> 8 * i);
    append(file, put, bytes);
}

static void append_sample(SoundFile *file, uint32_t bits, float value)
{
    uint32_t word;
    int32_t whole = (int32_t)(value * 2147483000.0f);
    memcpy(&word, &value, sizeof word);
    if (bits == 0)
        append_number(file, word, 4);
    else if (bits == 8)
        append_number(file, (uint32_t)((whole >> 24) + 128), 1);
    else
        append_number(file, (uint32_t)(whole >> (32 - bits)), bits / 8);
}

SoundFile wav_file(uint32_t bits, uint32_t channels, uint32_t frames)
{
    SoundFile file = {0};
    uint32_t bytes = bits ? bits / 8 : 4, data = frames * channels * bytes;
    append(&file, "RIFF", 4);
    append_number(&file, 36 + data, 4);
    append(&file, "WAVEfmt ", 8);
    append_number(&file, 16, 4);
    append_number(&file, bits ? 1 : 3, 2);
    append_number(&file, channels, 2);
    append_number(&file, AUDIO_RATE, 4);
    append_number(&file, AUDIO_RATE * channels * bytes, 4);
    append_number(&file, channels * bytes, 2);
    append_number(&file, 8 * bytes, 2);
    append(&file, "data", 4);
    append_number(&file, data, 4);
    for (uint32_t i = 0; i < frames; i++)
        for (uint32_t channel = 0; channel < channels; channel++)
            append_sample(&file, bits, sine_value(i));
    return file;
}

/* ---- Vorbis ---- */

typedef struct Encoder {
    SoundFile *file;
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state dsp;
    vorbis_block block;
    ogg_stream_state ogg;
} Encoder;

static void append_page(SoundFile *file, const ogg_page *page)
{
    append(file, page->header, (size_t)page->header_len);
    append(file, page->body, (size_t)page->body_len);
}

static void begin(Encoder *encoder, SoundFile *file, uint32_t channels)
{
    ogg_packet packets[3];
    ogg_page page;
    encoder->file = file;
    vorbis_info_init(&encoder->info);
    assert_int_equal(vorbis_encode_init_vbr(&encoder->info, (long)channels, (long)AUDIO_RATE, 0.4f),
                     0);
    vorbis_comment_init(&encoder->comment);
    vorbis_analysis_init(&encoder->dsp, &encoder->info);
    vorbis_block_init(&encoder->dsp, &encoder->block);
    ogg_stream_init(&encoder->ogg, 1);
    vorbis_analysis_headerout(&encoder->dsp, &encoder->comment, &packets[0], &packets[1],
                              &packets[2]);
    for (int i = 0; i < 3; i++)
        ogg_stream_packetin(&encoder->ogg, &packets[i]);
    while (ogg_stream_flush(&encoder->ogg, &page))
        append_page(file, &page);
}

static void drain(Encoder *encoder)
{
    ogg_packet packet;
    ogg_page page;
    while (vorbis_analysis_blockout(&encoder->dsp, &encoder->block) == 1) {
        vorbis_analysis(&encoder->block, NULL);
        vorbis_bitrate_addblock(&encoder->block);
        while (vorbis_bitrate_flushpacket(&encoder->dsp, &packet)) {
            ogg_stream_packetin(&encoder->ogg, &packet);
            while (ogg_stream_pageout(&encoder->ogg, &page))
                append_page(encoder->file, &page);
        }
    }
}

SoundFile vorbis_file(uint32_t channels, uint32_t frames)
{
    SoundFile file = {0};
    Encoder encoder;
    ogg_page page;
    begin(&encoder, &file, channels);
    for (uint32_t at = 0; at < frames;) {
        uint32_t count = frames - at < 1024 ? frames - at : 1024;
        float **buffer = vorbis_analysis_buffer(&encoder.dsp, (int)count);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t channel = 0; channel < channels; channel++)
                buffer[channel][i] = sine_value(at + i);
        vorbis_analysis_wrote(&encoder.dsp, (int)count);
        drain(&encoder);
        at += count;
    }
    vorbis_analysis_wrote(&encoder.dsp, 0);
    drain(&encoder);
    while (ogg_stream_flush(&encoder.ogg, &page))
        append_page(&file, &page);
    ogg_stream_clear(&encoder.ogg);
    vorbis_block_clear(&encoder.block);
    vorbis_dsp_clear(&encoder.dsp);
    vorbis_comment_clear(&encoder.comment);
    vorbis_info_clear(&encoder.info);
    return file;
}

/* ---- Files ---- */

const char *sound_file_save(SoundFile *file, const char *name)
{
    Scratch scratch;
    CnError error = {0};
    scratch_init(&scratch);
    cn_copy_text(file->folder, sizeof file->folder, cn_text(scratch.folder));
    cn_copy_text(file->path, sizeof file->path, cn_text(scratch_path(&scratch, name)));
    assert_true(cn_file_write_all(cn_native_files(), file->path, file->bytes, file->size, &error));
    return file->path;
}

void sound_file_free(SoundFile *file)
{
    Scratch scratch;
    if (file->folder[0]) {
        cn_copy_text(scratch.folder, sizeof scratch.folder, cn_text(file->folder));
        scratch_fini(&scratch);
    }
    free(file->bytes);
    *file = (SoundFile){0};
}
