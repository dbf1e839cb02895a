/* Sound: the audio system of an engine, the active scene's audio commands, and --audio-out. */
#include "engine/engine_internal.h"

#include <cairn/base/log.h>

#include <string.h>

#define MAX_FRAMES 48000u /* of one update: fps is at least 1 */

bool cni_engine_sound_begin(CnEngine *engine, CnError *error)
{
    const CnEngineDesc *desc = &engine->desc;
    CniEngineSound *sound = &engine->sound;
    CnAudioDeviceKind device = desc->audio_path                     ? CN_AUDIO_DEVICE_LOOPBACK
                               : desc->no_audio || engine->is_fixed ? CN_AUDIO_DEVICE_NONE
                                                                    : CN_AUDIO_DEVICE_DEFAULT;
    sound->audio = cn_audio_create(&(CnAudioDesc){.allocator = engine->allocator,
                                                  .device = device,
                                                  .device_name = desc->audio_device},
                                   error);
    if (!sound->audio)
        return false;
    sound->ticks = cn_tick_audio_create(&(CnTickAudioDesc){.allocator = engine->allocator,
                                                           .audio = sound->audio,
                                                           .files = cn_vfs_files(engine->vfs)},
                                        error);
    if (!sound->ticks || !desc->audio_path)
        return sound->ticks != NULL;
    sound->stereo = cn_alloc(engine->allocator, 2 * MAX_FRAMES * sizeof *sound->stereo);
    if (!sound->stereo)
        return cn_error_memory(error, "sound");
    if (!cni_engine_prepare_folder(engine, desc->audio_path, error))
        return false;
    sound->wav = cn_wav_create(engine->allocator, cn_native_files(), desc->audio_path,
                               cn_audio_sample_rate(sound->audio), error);
    return sound->wav != NULL;
}

bool cni_engine_sound_finish(CnEngine *engine, CnError *error)
{
    CnWavWriter *wav = engine->sound.wav;
    engine->sound.wav = NULL;
    return cn_wav_finish(wav, error);
}

void cni_engine_sound_end(CnEngine *engine)
{
    CniEngineSound *sound = &engine->sound;
    cni_engine_sound_finish(engine, NULL);
    cn_tick_audio_destroy(sound->ticks);
    cn_audio_destroy(sound->audio);
    if (sound->stereo)
        cn_free(engine->allocator, sound->stereo, 2 * MAX_FRAMES * sizeof *sound->stereo);
    *sound = (CniEngineSound){0};
}

/* ---- Frames ---- */

/* The listener is where the frame is seen from. Snapshots belong to the render thread here, so a
 * scene's camera is read from its world. */
static void follow_camera(CnEngine *engine, CnWorld *world)
{
    CnAudioListener listener = {.position = engine->camera.position,
                                .rotation = engine->camera.rotation};
    if (!engine->camera.valid) {
        CnEntity camera = cn_camera_find(world);
        if (cn_entity_is_null(camera))
            return;
        listener.position = cn_transform_world_position(world, camera);
        listener.rotation = cn_transform_world_rotation(world, camera);
    }
    cn_audio_set_listener(engine->sound.audio, &listener);
}

/* The number of samples up to a frame; their sum has no rounding errors. */
static uint64_t samples_until(const CnEngine *engine, uint64_t frame)
{
    return frame * cn_audio_sample_rate(engine->sound.audio) / engine->desc.fps;
}

static bool write_samples(CnEngine *engine, CnError *error)
{
    CniEngineSound *sound = &engine->sound;
    uint32_t frames = (uint32_t)(samples_until(engine, sound->written + 1) -
                                 samples_until(engine, sound->written));
    cn_audio_update(sound->audio, (double)frames / cn_audio_sample_rate(sound->audio));
    cn_audio_render(sound->audio, sound->stereo, frames);
    sound->written++;
    return cn_wav_write(sound->wav, sound->stereo, frames, error);
}

void cni_engine_sound_frame(CnEngine *engine, double seconds)
{
    CniEngineSound *sound = &engine->sound;
    CnScene *scene = cn_scenes_active(engine->scenes);
    CnError error = {0};
    if (scene && scene != sound->heard_scene)
        cn_tick_audio_clear(sound->ticks);
    sound->heard_scene = scene;
    if (scene) {
        CnOutbox *outbox = cn_sim_outbox(cn_scene_sim(scene));
        CnAudioCommand command;
        while (cn_outbox_next_audio(outbox, &command))
            cn_tick_audio_apply(sound->ticks, cn_scene_world(scene), &command);
        follow_camera(engine, cn_scene_world(scene));
    }
    if (!sound->wav)
        cn_audio_update(sound->audio, seconds);
    else if (!write_samples(engine, &error))
        cni_engine_fail(engine, &error);
}

CnAudio *cn_engine_audio(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->sound.audio;
}
