/*
 * Makes sounds from recipes and scores: sounds [options] FOLDER FILE.json ...
 *
 * Writes FOLDER/sounds.pack, which the game embeds, and FOLDER/sounds.tsv, the measures of all
 * sounds. The same files give the same samples on every machine.
 *
 *     --only TEXT           only sounds whose name contains TEXT
 *     --wav FOLDER          also writes each variant as a WAV file
 *     --spectrograms FOLDER also writes contact sheets, one for each file
 *     --threads N           1 to 16; default 2
 */
#include "output.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SOUNDS 512u
#define MAX_FILES 64u

typedef struct Options {
    const char *only, *wav, *spectrograms, *folder;
    uint32_t threads;
} Options;

/* Everything that the threads share. */
typedef struct Work {
    Options options;
    Sound sounds[MAX_SOUNDS];
    uint32_t count;
    json_t *roots[MAX_FILES];
    uint32_t root_count;
    atomic_uint next;
    atomic_bool failed;
    Signal first[MAX_SOUNDS]; /* first variants, kept for spectrograms */
} Work;

static bool read_file(Work *work, const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error); /* kept until the end */
    const char *name;
    json_t *data;
    if (!json_is_object(root)) {
        fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
        return false;
    }
    if (work->root_count == MAX_FILES) {
        fprintf(stderr, "%s: more than %u files\n", path, MAX_FILES);
        json_decref(root);
        return false;
    }
    work->roots[work->root_count++] = root;
    json_object_foreach(root, name, data)
    {
        if (name[0] == '$' || (work->options.only && !strstr(name, work->options.only)))
            continue;
        if (work->count == MAX_SOUNDS) {
            fprintf(stderr, "%s: more than %u sounds\n", path, MAX_SOUNDS);
            return false;
        }
        if (!sound_read(&work->sounds[work->count++], path, name, data))
            return false;
    }
    return true;
}

static float quality_of(const Sound *sound)
{
    return sound->bus == SOUND_BUS_MUSIC ? 0.15f : sound->stereo ? 0.05f : 0.25f;
}

static bool make_take(Work *work, Sound *sound, uint32_t variant)
{
    Signal signal = sound_render(sound, variant);
    SoundTake *take = &sound->takes[variant];
    sound_measure(sound, variant, &signal);
    bool ok =
        !sound->failed && vorbis_encode(&signal, quality_of(sound), &take->bytes, &take->size);
    if (ok && work->options.wav) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.%u.wav", work->options.wav, sound->name, variant + 1);
        ok = wav_write(&signal, path);
    }
    if (variant == 0 && work->options.spectrograms)
        work->first[sound - work->sounds] = signal;
    else
        signal_destroy(&signal);
    return ok;
}

static void *run(void *user)
{
    Work *work = user;
    for (;;) {
        uint32_t i = atomic_fetch_add(&work->next, 1);
        if (i >= work->count || atomic_load(&work->failed))
            return NULL;
        Sound *sound = &work->sounds[work->count - 1 - i]; /* music, which takes longest, is last */
        for (uint32_t v = 0; v < sound->variants; v++)
            if (!make_take(work, sound, v))
                atomic_store(&work->failed, true);
    }
}

static bool write_sheets(const Work *work)
{
    bool ok = true;
    for (uint32_t first = 0, end; ok && first < work->count; first = end) {
        const char *file = work->sounds[first].file, *name = strrchr(file, '/');
        for (end = first; end < work->count && work->sounds[end].file == file;)
            end++;
        Sheet *sheet = sheet_create(end - first, 6);
        for (uint32_t i = first; sheet && i < end; i++)
            sheet_add(sheet, &work->first[i], work->sounds[i].name);
        char path[1024];
        name = name ? name + 1 : file;
        snprintf(path, sizeof path, "%s/sound_%.*s.png", work->options.spectrograms,
                 (int)strcspn(name, "."), name);
        ok = sheet && sheet_write(sheet, path);
        sheet_destroy(sheet);
    }
    return ok;
}

static bool write_results(const Work *work)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/sounds.pack", work->options.folder);
    if (!pack_write(work->sounds, work->count, path))
        return false;
    snprintf(path, sizeof path, "%s/sounds.tsv", work->options.folder);
    if (!manifest_write(work->sounds, work->count, path))
        return false;
    return !work->options.spectrograms || write_sheets(work);
}

/* Returns the number of arguments that were options, or -1. */
static int read_options(Options *options, int count, char **arguments)
{
    int i = 1;
    *options = (Options){.threads = 2};
    for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2) {
        const char *value = arguments[i + 1];
        if (strcmp(arguments[i], "--only") == 0)
            options->only = value;
        else if (strcmp(arguments[i], "--wav") == 0)
            options->wav = value;
        else if (strcmp(arguments[i], "--spectrograms") == 0)
            options->spectrograms = value;
        else if (strcmp(arguments[i], "--threads") == 0)
            options->threads = (uint32_t)strtoul(value, NULL, 10);
        else
            return -1;
    }
    if (options->threads < 1 || options->threads > 16 || i + 1 >= count)
        return -1;
    options->folder = arguments[i++];
    return i;
}

static void destroy(Work *work)
{
    for (uint32_t i = 0; i < work->count; i++) {
        for (uint32_t v = 0; v < SOUND_VARIANTS; v++)
            free(work->sounds[i].takes[v].bytes);
        signal_destroy(&work->first[i]);
    }
    for (uint32_t i = 0; i < work->root_count; i++)
        json_decref(work->roots[i]);
    free(work);
}

int main(int count, char **arguments)
{
    Work *work = calloc(1, sizeof *work);
    int first = work ? read_options(&work->options, count, arguments) : -1;
    if (first < 0) {
        fprintf(stderr, "usage: sounds [--only TEXT] [--wav FOLDER] [--spectrograms FOLDER] "
                        "[--threads N] FOLDER FILE.json ...\n");
        free(work);
        return 2;
    }
    for (int i = first; i < count; i++)
        if (!read_file(work, arguments[i]))
            return 1;
    pthread_t threads[16];
    for (uint32_t i = 0; i < work->options.threads; i++)
        if (pthread_create(&threads[i], NULL, run, work))
            return 1;
    for (uint32_t i = 0; i < work->options.threads; i++)
        pthread_join(threads[i], NULL);
    bool ok = !atomic_load(&work->failed) && write_results(work);
    destroy(work);
    return ok ? 0 : 1;
}
