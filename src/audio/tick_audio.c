/* Plays the audio commands of ticks. */
#include <cairn/audio/tick_audio.h>
#include <cairn/base/array.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>
#include <cairn/scene/presentation.h>

#include <string.h>

#define STOP_SECONDS 0.03f
#define CHANGE_SECONDS 0.03f

/* A sound that was loaded from a path; null if that failed. */
typedef struct LoadedSound {
    CnSound sound;
} LoadedSound;

/* A voice that follows its source, until it is stopped. */
typedef struct SourceVoice {
    CnEntity source;
    CnVoice voice;
} SourceVoice;

struct CnTickAudio {
    CnAllocator *allocator;
    CnAudio *audio;
    CnFileSystem *files;
    CnNames paths;
    CN_ARRAY(LoadedSound) loaded; /* by name - 1 */
    CnU32Array numbers;           /* of the world: name of `paths`, by number - 1; 0: unknown */
    CN_ARRAY(SourceVoice) voices; /* in the order of their start */
};

CnTickAudio *cn_tick_audio_create(const CnTickAudioDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->audio, "%s: there is no audio system", __func__);
    CN_ASSERT(desc && desc->files, "%s: there are no files", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    CnTickAudio *ticks = cn_alloc_zeroed(desc->allocator, sizeof *ticks);
    if (!ticks) {
        cn_error_memory(error, "audio of ticks");
        return NULL;
    }
    ticks->allocator = desc->allocator;
    ticks->audio = desc->audio;
    ticks->files = desc->files;
    cn_names_init(&ticks->paths, desc->allocator);
    cn_array_init(&ticks->loaded, desc->allocator);
    cn_array_init(&ticks->numbers, desc->allocator);
    cn_array_init(&ticks->voices, desc->allocator);
    return ticks;
}

void cn_tick_audio_destroy(CnTickAudio *ticks)
{
    if (!ticks)
        return;
    for (uint32_t i = 0; i < ticks->loaded.count; i++)
        cn_sound_destroy(ticks->audio, ticks->loaded.items[i].sound);
    cn_names_fini(&ticks->paths);
    cn_array_fini(&ticks->loaded);
    cn_array_fini(&ticks->numbers);
    cn_array_fini(&ticks->voices);
    cn_free(ticks->allocator, ticks, sizeof *ticks);
}

void cn_tick_audio_clear(CnTickAudio *ticks)
{
    CN_ASSERT(ticks, "%s: ticks is NULL", __func__);
    for (uint32_t i = 0; i < ticks->voices.count; i++)
        cn_voice_stop(ticks->audio, ticks->voices.items[i].voice, STOP_SECONDS);
    ticks->voices.count = 0;
    ticks->numbers.count = 0;
}

/* ---- Sounds ---- */

static CnSound load(CnTickAudio *ticks, const char *path)
{
    CnError error = {0};
    CnSound sound = cn_sound_load_background(ticks->audio, ticks->files, path, &error);
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    if (!sound.id)
        CN_LOG_WARNING("audio", "a sound is silent: %s", cn_error_text(&error, text, sizeof text));
    return sound;
}

/* Returns the name of a path, and loads the sound when the path is new. 0: out of memory. */
static uint32_t name_of(CnTickAudio *ticks, const char *path)
{
    uint32_t name = cn_name_find(&ticks->paths, cn_text(path)).id;
    if (name && name <= ticks->loaded.count)
        return name;
    if (!cn_array_reserve(&ticks->loaded, ticks->paths.texts.count + 1))
        return 0;
    name = cn_name_from_text(&ticks->paths, cn_text(path)).id;
    while (name && ticks->loaded.count < name) {
        const char *text = cn_name_text(&ticks->paths, (CnName){ticks->loaded.count + 1});
        ticks->loaded.items[ticks->loaded.count++] = (LoadedSound){load(ticks, text)};
    }
    return name;
}

static CnSound sound_of(CnTickAudio *ticks, const CnWorld *world, uint32_t number)
{
    if (!number || number > CN_MAX_ASSETS || !cn_array_reserve(&ticks->numbers, number))
        return (CnSound){0};
    while (ticks->numbers.count < number)
        ticks->numbers.items[ticks->numbers.count++] = 0;
    uint32_t *name = &ticks->numbers.items[number - 1];
    const char *path = *name ? NULL : cn_asset_name(world, number);
    if (path && *path)
        *name = name_of(ticks, path);
    return *name ? ticks->loaded.items[*name - 1].sound : (CnSound){0};
}

/* ---- Commands ---- */

static SourceVoice *find(CnTickAudio *ticks, CnEntity source)
{
    for (uint32_t i = 0; i < ticks->voices.count; i++)
        if (cn_entity_equal(ticks->voices.items[i].source, source))
            return &ticks->voices.items[i];
    return NULL;
}

static void forget_ended(CnTickAudio *ticks)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ticks->voices.count; i++)
        if (cn_voice_is_playing(ticks->audio, ticks->voices.items[i].voice))
            ticks->voices.items[kept++] = ticks->voices.items[i];
    ticks->voices.count = kept;
}

static void play(CnTickAudio *ticks, const CnWorld *world, const CnAudioCommand *command)
{
    bool has_source = !cn_entity_is_null(command->source);
    forget_ended(ticks);
    SourceVoice *old = has_source ? find(ticks, command->source) : NULL;
    if (old)
        cn_voice_stop(ticks->audio, old->voice, STOP_SECONDS);
    CnVoice voice = cn_audio_play(ticks->audio,
                                  &(CnPlayDesc){.sound = sound_of(ticks, world, command->sound),
                                                .bus = (CnAudioBus)command->bus,
                                                .loop = command->kind == CN_AUDIO_LOOP,
                                                .spatial = !(command->flags & CN_AUDIO_NOT_SPATIAL),
                                                .position = command->position,
                                                .gain = command->gain > 0 ? command->gain : -1,
                                                .pitch = command->pitch,
                                                .reference_distance = command->reference_distance,
                                                .max_distance = command->max_distance,
                                                .rolloff = command->rolloff});
    if (old)
        old->voice = voice;
    else if (has_source && cn_array_reserve(&ticks->voices, ticks->voices.count + 1))
        ticks->voices.items[ticks->voices.count++] = (SourceVoice){command->source, voice};
}

static void change(CnTickAudio *ticks, const CnAudioCommand *command)
{
    SourceVoice *found = find(ticks, command->source);
    if (!found)
        return;
    if (command->kind == CN_AUDIO_STOP) {
        cn_voice_stop(ticks->audio, found->voice,
                      command->fade_ms ? (float)command->fade_ms / 1000 : STOP_SECONDS);
        *found = ticks->voices.items[--ticks->voices.count];
        return;
    }
    cn_voice_set_position(ticks->audio, found->voice, command->position);
    cn_voice_set_gain(ticks->audio, found->voice, command->gain, CHANGE_SECONDS);
    cn_voice_set_pitch(ticks->audio, found->voice, command->pitch);
}

void cn_tick_audio_apply(CnTickAudio *ticks, const CnWorld *world, const CnAudioCommand *command)
{
    CN_ASSERT(ticks, "%s: ticks is NULL", __func__);
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(command, "%s: command is NULL", __func__);
    switch (command->kind) {
    case CN_AUDIO_PLAY:
    case CN_AUDIO_LOOP:
        play(ticks, world, command);
        break;
    case CN_AUDIO_CHANGE:
    case CN_AUDIO_STOP:
        change(ticks, command);
        break;
    case CN_AUDIO_LISTENER:
        cn_audio_set_listener(ticks->audio, &(CnAudioListener){.position = command->position,
                                                               .rotation = command->rotation});
        break;
    }
}
