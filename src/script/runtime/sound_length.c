#include "script/runtime/sound_length.h"

#include <cairn/base/bytes.h>
#include <string.h>

#define MIN_RATE 8000u
#define MAX_RATE 192000u
#define MAX_WAV_CHUNKS 256u
#define WAV_FORMAT_BYTES 16u
#define OGG_HEAD_BYTES 27u
#define OGG_PAGE_BYTES 65307u /* the largest page */
#define VORBIS_HEAD_BYTES 16u

typedef struct Sound {
    CnFileSystem *files;
    CnAllocator *allocator;
    CnFile *file;
    const char *path;
    uint64_t size;
    uint64_t frames;
    uint32_t sample_rate;
} Sound;

static bool wrong(const Sound *sound, const char *what, CnError *error)
{
    return cn_error_set_at(error, CN_ERROR_FORMAT, sound->path, 0, 0, "%s", what);
}

/* Reads up to `size` bytes; the rest is zero. */
static bool read_at(const Sound *sound, uint64_t offset, uint8_t *bytes, size_t size,
                    CnError *error)
{
    size_t done = 0;
    memset(bytes, 0, size);
    return sound->files->read(sound->files, sound->file, offset, bytes, size, &done, error);
}

/* ---- WAV ---- */

static bool read_wav_format(Sound *sound, uint64_t at, uint32_t size, uint32_t *frame_bytes,
                            CnError *error)
{
    uint8_t format[WAV_FORMAT_BYTES];
    if (size < sizeof format)
        return wrong(sound, "the format chunk of the WAV file is too short", error);
    if (!read_at(sound, at, format, sizeof format, error))
        return false;
    sound->sample_rate = cn_load_u32(format + 4);
    *frame_bytes = cn_load_u16(format + 12);
    return *frame_bytes || wrong(sound, "the block size of the WAV file is 0", error);
}

static bool read_wav(Sound *sound, CnError *error)
{
    uint32_t frame_bytes = 0;
    uint64_t at = 12;
    for (uint32_t i = 0; i < MAX_WAV_CHUNKS && at + 8 <= sound->size; i++) {
        uint8_t head[8];
        if (!read_at(sound, at, head, sizeof head, error))
            return false;
        uint64_t left = sound->size - at - 8;
        uint32_t bytes = cn_load_u32(head + 4);
        if (!memcmp(head, "data", 4) && frame_bytes) {
            sound->frames = (bytes < left ? bytes : left) / frame_bytes; /* streamed: too large */
            return true;
        }
        if (bytes > left)
            break;
        if (!memcmp(head, "fmt ", 4) && !read_wav_format(sound, at + 8, bytes, &frame_bytes, error))
            return false;
        at += 8 + (uint64_t)bytes + (bytes & 1 && bytes < left);
    }
    return wrong(sound, "the WAV file has no data chunk after a format chunk", error);
}

/* ---- Ogg Vorbis: the rate is in the first page, the number of frames in the last one ---- */

static bool read_vorbis_rate(Sound *sound, const uint8_t *page, uint32_t *serial, CnError *error)
{
    uint8_t head[VORBIS_HEAD_BYTES];
    uint32_t segments = page[26];
    if (!read_at(sound, OGG_HEAD_BYTES + segments, head, sizeof head, error))
        return false;
    if (memcmp(head, "\x01vorbis", 7) != 0)
        return wrong(sound, "the Ogg file does not begin with Vorbis", error);
    sound->sample_rate = cn_load_u32(head + 12);
    *serial = cn_load_u32(page + 14);
    return true;
}

/* Returns whether a complete page starts here. */
static bool is_page(const uint8_t *at, size_t left)
{
    if (left < OGG_HEAD_BYTES || memcmp(at, "OggS", 4) != 0 || at[4] != 0)
        return false;
    size_t bytes = OGG_HEAD_BYTES + (size_t)at[26];
    for (uint32_t i = 0; i < at[26] && bytes <= left; i++)
        bytes += OGG_HEAD_BYTES + i < left ? at[OGG_HEAD_BYTES + i] : left;
    return bytes <= left;
}

static bool find_last_page(Sound *sound, const uint8_t *tail, size_t size, uint32_t serial,
                           CnError *error)
{
    for (size_t at = size; at-- > 0;) {
        if (tail[at] != 'O' || !is_page(tail + at, size - at))
            continue;
        uint64_t frames = cn_load_u64(tail + at + 6);
        if (cn_load_u32(tail + at + 14) != serial)
            return wrong(sound, "the Ogg file has several streams, so its length is unknown",
                         error);
        if (frames == UINT64_MAX) /* no packet ends in this page */
            continue;
        sound->frames = frames;
        return true;
    }
    return wrong(sound, "the Ogg file has no last page", error);
}

static bool read_vorbis(Sound *sound, CnError *error)
{
    uint8_t page[OGG_HEAD_BYTES];
    uint32_t serial = 0;
    if (!read_at(sound, 0, page, sizeof page, error) ||
        !read_vorbis_rate(sound, page, &serial, error))
        return false;
    size_t size = sound->size < 2 * OGG_PAGE_BYTES ? (size_t)sound->size : 2 * OGG_PAGE_BYTES;
    uint8_t *tail = cn_alloc(sound->allocator, size);
    if (!tail)
        return cn_error_memory(error, "sound %s", sound->path);
    bool done = read_at(sound, sound->size - size, tail, size, error) &&
                find_last_page(sound, tail, size, serial, error);
    cn_free(sound->allocator, tail, size);
    return done;
}

/* ---- Either ---- */

static bool read_length(Sound *sound, CnError *error)
{
    uint8_t head[12];
    if (!read_at(sound, 0, head, sizeof head, error))
        return false;
    bool is_wav = !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "WAVE", 4);
    if (!is_wav && memcmp(head, "OggS", 4) != 0)
        return wrong(sound, "the file is neither WAV nor Ogg Vorbis", error);
    if (!(is_wav ? read_wav(sound, error) : read_vorbis(sound, error)))
        return false;
    if (!sound->frames || sound->frames > UINT32_MAX)
        return wrong(sound, "the sound has no samples, or too many", error);
    return (sound->sample_rate >= MIN_RATE && sound->sample_rate <= MAX_RATE) ||
           wrong(sound, "the sample rate is not between 8000 and 192000", error);
}

bool cni_script_sound_length(CnFileSystem *files, CnAllocator *allocator, const char *path,
                             double *seconds, CnError *error)
{
    Sound sound = {.files = files, .allocator = allocator, .path = path};
    CnFileInfo info;
    if (!files)
        return cn_error_set_at(error, CN_ERROR_NOT_FOUND, path, 0, 0, "there are no files");
    if (!files->info(files, path, &info, error) ||
        !files->open(files, path, CN_FILE_READ, &sound.file, error))
        return false;
    sound.size = info.size_bytes;
    bool done = read_length(&sound, error);
    files->close(files, sound.file);
    if (done)
        *seconds = (double)sound.frames / sound.sample_rate;
    return done;
}
