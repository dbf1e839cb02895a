/*
 * Plays sounds through OpenAL Soft: in space with HRTF, or directly.
 *
 *     CnError error = {0};
 *     CnAudio *audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT}, &error);
 *     CnSound knock = cn_sound_load(audio, cn_native_files(), "knock.ogg", &error); // sound.h
 *     cn_audio_set_listener(audio, &(CnAudioListener){.rotation = {0, 0, 0, 1}});
 *     CnVoice voice = cn_audio_play(audio, &(CnPlayDesc){
 *         .sound = knock, .spatial = true, .position = {-3, 0, 0}});
 *     while (cn_voice_is_playing(audio, voice))
 *         cn_audio_update(audio, 1.0 / 60); // once per frame
 *     cn_audio_destroy(audio);
 *
 * A voice is a sound that plays. At most `max_voices` voices are mixed; the others are virtual:
 * silent, but their position in the sound advances, and they are mixed from there once they are
 * among the most important again. Voices are ordered by priority, then by how loud they are at the
 * listener. Inaudible voices are always virtual. A voice that has ended is freed by
 * cn_audio_update; its handle is then stale, which every function accepts and ignores.
 *
 * The gain of a voice is the product of its own gain, that of its bus, that of the master bus, its
 * fade and the attenuation by distance: inverse distance clamped, r / (r + f * (d - r)) with the
 * reference distance r, the roll-off f, and the distance d between r and the maximum distance.
 * From the maximum distance on, the gain decreases linearly to 0 at twice that distance. Gains
 * never jump: every change takes at least 10 ms.
 *
 * Without OpenAL, without a device, and after a device was lost, everything works silently: voices
 * advance and end at the same time as if they were heard. Opening a device is tried again after two
 * seconds, then after longer pauses of up to 30.
 *
 * Threads: one thread at a time uses a CnAudio and its voices and sounds. Streamed sounds are
 * decoded on a thread of their own. After warm-up, no function but those that create sounds
 * allocates.
 */
#ifndef CAIRN_AUDIO_AUDIO_H
#define CAIRN_AUDIO_AUDIO_H

#include <cairn/base/memory.h>
#include <cairn/base/vector.h>
#include <cairn/sim/extract.h>

CN_EXTERN_C_BEGIN

typedef struct CnAudio CnAudio;

/* Handles. 0 is null. Those of sounds and voices that no longer exist are ignored. */
typedef struct CnSound {
    uint32_t id;
} CnSound;
typedef struct CnVoice {
    uint32_t id;
} CnVoice;

typedef enum CnAudioDeviceKind {
    CN_AUDIO_DEVICE_NONE,    /* silent; time advances */
    CN_AUDIO_DEVICE_DEFAULT, /* that of the system, or `device_name` */
    CN_AUDIO_DEVICE_LOOPBACK /* mixes into memory: cn_audio_render */
} CnAudioDeviceKind;

#define CN_AUDIO_SAMPLE_RATE 48000u
#define CN_AUDIO_MAX_VOICES 256u
#define CN_AUDIO_MAX_STREAMS 8u /* streamed voices at the same time */
#define CN_AUDIO_REFERENCE_DISTANCE 5.0f
#define CN_AUDIO_MAX_DISTANCE 50.0f
#define CN_AUDIO_ROLLOFF 1.0f

/* Zero selects the default of each field. */
typedef struct CnAudioDesc {
    CnAllocator *allocator; /* NULL: the system allocator; must be thread-safe */
    CnAudioDeviceKind device;
    const char *device_name; /* NULL: the default device of the system */
    uint32_t sample_rate;    /* 0 selects 48,000 */
    uint32_t max_voices;     /* that are mixed; 0 selects 64; at most CN_AUDIO_MAX_VOICES */
    uint32_t max_playing;    /* mixed and virtual voices; 0 selects 1,024; at most 65,536 */
    uint32_t max_sounds;     /* 0 selects 4,096; at most 65,536 */
    bool no_hrtf;            /* plain stereo panning */
    bool doppler;            /* the velocities of voices and listener change the pitch */
    const char *library;     /* shared library of OpenAL; NULL selects libopenal.so.1 */
} CnAudioDesc;

/* Creates an audio system. A missing library or device is not an error: it is logged, and the
 * system is silent. With CN_AUDIO_DEVICE_LOOPBACK it is an error, CN_ERROR_UNSUPPORTED. Returns
 * NULL and sets the error then, when out of memory, and if a limit is exceeded. */
CN_API CnAudio *cn_audio_create(const CnAudioDesc *desc, CnError *error);
/* Stops all voices and frees all sounds. NULL is ignored. */
CN_API void cn_audio_destroy(CnAudio *audio);

/* Applies all changes, starts and ends voices, feeds streams, and advances the time of voices by
 * `seconds`, the time since the last call. Call it once per frame. */
CN_API void cn_audio_update(CnAudio *audio, double seconds);
/* Mixes `frames` frames of two samples each, nominally from -1 to 1, at the sample rate; with a
 * loop-back device, after cn_audio_update with the same duration. Writes silence with other
 * devices. */
CN_API void cn_audio_render(CnAudio *audio, float *stereo, uint32_t frames);

/* ---- Listener and buses ---- */

typedef struct CnAudioListener {
    CnVec3 position;
    CnQuat rotation; /* looks along -z, with y up */
    CnVec3 velocity; /* meters per second; for the Doppler effect */
} CnAudioListener;
CN_API void cn_audio_set_listener(CnAudio *audio, const CnAudioListener *listener);
CN_API CnAudioListener cn_audio_listener(const CnAudio *audio);

/* Buses: CnAudioBus in cairn/sim/extract.h. Their gains are at first: effects 0.7, music 0.4,
 * ambience 0.5, interface 0.6, master 0.5. */

/* Changes the gain of a bus, from 0 to 4, within `fade_seconds` (at least 10 ms). */
CN_API void cn_audio_set_bus(CnAudio *audio, CnAudioBus bus, float gain, float fade_seconds);
/* Returns the gain that the bus has or will have at the end of its fade. */
CN_API float cn_audio_bus(const CnAudio *audio, CnAudioBus bus);
/* Pauses the voices of a bus, or of all buses for the master, and lets them continue. */
CN_API void cn_audio_pause_bus(CnAudio *audio, CnAudioBus bus);
CN_API void cn_audio_resume_bus(CnAudio *audio, CnAudioBus bus);

/* ---- Voices ---- */

/* Zero selects the default of each field. */
typedef struct CnPlayDesc {
    CnSound sound;
    CnAudioBus bus;  /* 0 selects the effects */
    bool loop;       /* until stopped */
    bool spatial;    /* at `position`; the level of a stereo sound follows the distance only */
    bool dry;        /* without reverb; voices that are not spatial never have any */
    int8_t priority; /* voices of higher priority are mixed first; 0 is normal */
    CnVec3 position;
    CnVec3 velocity; /* meters per second */
    float gain;      /* 0 selects 1; up to 4; negative: silent */
    float pitch;     /* playback rate; 0 selects 1; from 0.1 to 4 */
    float lowpass;   /* gain of high frequencies, above 5 kHz; 0 selects 1, unchanged */
    float fade_in_seconds;
    float start_seconds;      /* position in the sound */
    float reference_distance; /* 0 selects 5 */
    float max_distance;       /* 0 selects 50 */
    float rolloff;            /* 0 selects 1; negative: none */
    uint64_t user;            /* returned by cn_audio_next_ended */
} CnPlayDesc;

/* Starts a voice, which is heard from the next cn_audio_update on. Returns null if the sound does
 * not exist, or if max_playing voices or CN_AUDIO_MAX_STREAMS streams play and none of them is less
 * important: sounds that are not heard are not errors. */
CN_API CnVoice cn_audio_play(CnAudio *audio, const CnPlayDesc *desc);
/* Fades a voice out within `fade_seconds` (at least 10 ms), then ends it. */
CN_API void cn_voice_stop(CnAudio *audio, CnVoice voice, float fade_seconds);
/* Stops all voices of a sound, or of all sounds if it is null. */
CN_API void cn_audio_stop_all(CnAudio *audio, CnSound sound, float fade_seconds);
CN_API void cn_voice_pause(CnAudio *audio, CnVoice voice);
CN_API void cn_voice_resume(CnAudio *audio, CnVoice voice);
CN_API void cn_voice_set_gain(CnAudio *audio, CnVoice voice, float gain, float fade_seconds);
CN_API void cn_voice_set_pitch(CnAudio *audio, CnVoice voice, float pitch);
CN_API void cn_voice_set_position(CnAudio *audio, CnVoice voice, CnVec3 position);
CN_API void cn_voice_set_velocity(CnAudio *audio, CnVoice voice, CnVec3 velocity);
CN_API void cn_voice_set_lowpass(CnAudio *audio, CnVoice voice, float lowpass);
/* Sets what lies between the voice and the listener: `gain` and `lowpass`, from 0 to 1, are
 * approached within a quarter of a second; 1 and 1, the default, for a free path. They do not
 * affect the reverb of the voice. cairn/audio/acoustics.h sets them from blocks. */
CN_API void cn_voice_set_occlusion(CnAudio *audio, CnVoice voice, float gain, float lowpass);

CN_API bool cn_voice_is_playing(const CnAudio *audio, CnVoice voice); /* also while paused */
CN_API bool cn_voice_is_virtual(const CnAudio *audio, CnVoice voice);
/* Returns the position in the sound; 0 for voices that have ended. */
CN_API double cn_voice_seconds(const CnAudio *audio, CnVoice voice);
CN_API CnVec3 cn_voice_position(const CnAudio *audio, CnVoice voice);
CN_API bool cn_voice_is_spatial(const CnAudio *audio, CnVoice voice);
/* Returns the spatial voices in the order of their slots: the one after `voice`, the first after
 * null, null after the last. */
CN_API CnVoice cn_audio_next_spatial(const CnAudio *audio, CnVoice voice);

/* A voice that has ended. */
typedef struct CnVoiceEnd {
    CnVoice voice; /* stale */
    CnSound sound;
    uint64_t user;   /* of CnPlayDesc */
    bool is_stopped; /* by a call, or because its sound was destroyed; false: it reached its end */
} CnVoiceEnd;
/* Takes the oldest unread end of a voice; returns false when there is none. The newest 256 are
 * kept. */
CN_API bool cn_audio_next_ended(CnAudio *audio, CnVoiceEnd *end);

/* ---- State ---- */

typedef struct CnAudioStats {
    uint32_t mixed, playing; /* voices, now; `playing` includes virtual ones */
    uint32_t most_mixed;     /* at any time */
    uint32_t sounds;
    uint64_t sound_bytes; /* of samples and compressed data */
    uint64_t started, ended, refused;
    uint64_t became_virtual, became_mixed;
    uint64_t underruns;     /* times a stream had no data in time */
    uint64_t device_losses; /* times a device disappeared */
    uint64_t failures;      /* errors reported by OpenAL */
} CnAudioStats;
CN_API CnAudioStats cn_audio_stats(const CnAudio *audio);
/* Returns whether a device is open, a loop-back device included. */
CN_API bool cn_audio_is_audible(const CnAudio *audio);
CN_API bool cn_audio_has_hrtf(const CnAudio *audio);
CN_API uint32_t cn_audio_sample_rate(const CnAudio *audio);

CN_EXTERN_C_END

#endif
