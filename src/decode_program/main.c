#include "decode_program/decode_program.h"

#include "audio/foreign.h"
#include "render/decode/decoder.h"

#include <cairn/base/log.h>

#include <jansson.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- Results ---- */

static bool write_at(const void *bytes, uint64_t size, uint64_t offset)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        ssize_t written = pwrite(CN_DECODE_OUTPUT, from, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        offset += (uint64_t)written;
        size -= (uint64_t)written;
    }
    return true;
}

void decode_write(CnDecodeResult *result, const void *contents, uint64_t size)
{
    result->magic = CN_DECODE_MAGIC;
    result->size = size;
    if (write_at(contents, size, sizeof *result))
        write_at(result, sizeof *result, 0);
}

/* ---- Jobs ---- */

static void decode_image(const CnDecodeJob *job, CnText input, CnDecodeResult *result)
{
    CnImage image;
    const CnImageReadDesc desc = {
        .bytes = input.data, .size = input.size, .name = job->path, .budget = &job->budget};
    uint64_t size = 0;
    if (cni_render_image_decode(&desc, &image, &result->error)) {
        result->width = image.width;
        result->height = image.height;
        size = (uint64_t)image.width * image.height * 4;
    }
    decode_write(result, image.pixels, size);
}

static void decode_model(const CnDecodeJob *job, CnText input, CnDecodeResult *result)
{
    CniRenderModelData data;
    CnU8Array baked;
    CnFileBytes main = {
        .data = (uint8_t *)(uintptr_t)input.data, .size = input.size, .budget = &job->budget};
    cni_render_model_data_init(&data, cn_system_allocator());
    cn_array_init(&baked, cn_system_allocator());
    if (cni_render_model_decode(decode_files(&job->budget), job->path,
                                job->has_scene ? job->scene : NULL, main, &data, &result->error) &&
        (!cni_render_model_write_baked(&data, &baked) ||
         baked.count > job->output_bytes - sizeof *result)) {
        cn_array_clear(&baked);
        cn_error_set_at(&result->error, CN_ERROR_LIMIT, job->path, 0, 0,
                        "the decoded model needs too much memory; CnBudget.decode_memory_bytes is "
                        "the limit");
    }
    decode_write(result, baked.items, baked.count);
}

static void decode_sound(const CnDecodeJob *job, CnText input, CnDecodeResult *result)
{
    CnSoundSamples sound;
    uint64_t size = 0;
    if (cni_audio_sound_decode(cn_system_allocator(), input.data, input.size, job->path,
                               &job->budget, &sound, &result->error)) {
        result->frames = sound.frames;
        result->channels = sound.channels;
        result->sample_rate = sound.sample_rate;
        size = (uint64_t)sound.frames * sound.channels * sizeof *sound.samples;
    }
    decode_write(result, sound.samples, size);
}

static void run(const CnDecodeJob *job, CnText input)
{
    CnDecodeResult result = {0};
    if (job->kind == CN_DECODE_IMAGE)
        decode_image(job, input, &result);
    else if (job->kind == CN_DECODE_MODEL)
        decode_model(job, input, &result);
    else if (job->kind == CN_DECODE_SOUND)
        decode_sound(job, input, &result);
    else
        decode_glsl(job, input, &result);
}

/* ---- Start ---- */

#define SORTED_BYTES 2048

static bool receive_job(CnDecodeJob *job)
{
    ssize_t size = recv(CN_DECODE_SOCKET, job, sizeof *job, 0);
    return size == sizeof *job && job->magic == CN_DECODE_MAGIC && job->kind < CN_DECODE_KINDS &&
           job->output_bytes > sizeof(CnDecodeResult) && memchr(job->path, 0, sizeof job->path) &&
           memchr(job->scene, 0, sizeof job->scene);
}

static int compare_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* The C library asks the system how much memory there is when it first sorts more than a kilobyte;
 * libvorbis sorts. */
static void prepare_sorting(void)
{
    uint8_t *bytes = calloc(1, SORTED_BYTES);
    if (bytes)
        qsort(bytes, SORTED_BYTES, 1, compare_bytes);
    free(bytes);
}

/* Libraries open files on their first use unless this has been done before. */
static void prepare_libraries(void)
{
    size_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed || seed == 0)
        seed = 1;
    json_object_seed(seed);
    prepare_sorting();
}

static void send_log(const CnLogRecord *record, void *user)
{
    (void)user;
    decode_log((uint32_t)record->level, record->message);
}

/* The mapping has a zero behind the file, which readers of text may look at. */
static bool map_input(uint64_t size, CnText *input)
{
    *input = (CnText){"", (size_t)size};
    if (size == 0)
        return true;
    char *space =
        mmap(NULL, (size_t)size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED)
        return false;
    for (uint64_t at = 0; at < size;) {
        ssize_t count = pread(CN_DECODE_INPUT, space + at, size - at, (off_t)at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        at += (uint64_t)count;
    }
    input->data = space;
    return true;
}

int main(void)
{
    CnDecodeJob job;
    CnText input;
    if (!receive_job(&job))
        _exit(DECODE_NO_JOB);
    prepare_libraries();
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* of standard error */
    cn_log_add_sink(&(CnLogSink){.write = send_log, .level = CN_LOG_LEVEL_WARNING});
    if (!decode_enter_sandbox(&job))
        _exit(DECODE_NO_SANDBOX);
#if CAIRN_DECODE_FAULTS
    decode_fault(&job);
#endif
    if (map_input(job.input_bytes, &input)) {
        run(&job, input);
    } else {
        CnDecodeResult result = {0};
        cn_error_memory(&result.error, "%s", job.path);
        decode_write(&result, NULL, 0);
    }
    _exit(DECODE_DONE); /* without destructors and leak checks, which would read files */
}
