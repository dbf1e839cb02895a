/* Declarations shared by the files of audio. */
#ifndef CAIRN_SRC_AUDIO_AUDIO_INTERNAL_H
#define CAIRN_SRC_AUDIO_AUDIO_INTERNAL_H

#include "audio/openal.h"
#include "audio/stream.h"

#include <cairn/audio/reverb.h>
#include <cairn/audio/sound.h>
#include <cairn/base/slot_table.h>

#define CNI_AUDIO_MIN_FADE 0.01f
#define CNI_AUDIO_ENDS 256u
#define CNI_AUDIO_MAX_GAIN 4.0f

/* A value that approaches its target linearly. */
typedef struct CniAudioRamp {
    float value, target;
    float rate; /* per second */
} CniAudioRamp;

static inline void cni_audio_ramp_to(CniAudioRamp *ramp, float target, float seconds)
{
    float distance = target > ramp->value ? target - ramp->value : ramp->value - target;
    ramp->target = target;
    ramp->rate = distance / (seconds > CNI_AUDIO_MIN_FADE ? seconds : CNI_AUDIO_MIN_FADE);
}

static inline void cni_audio_ramp_step(CniAudioRamp *ramp, float seconds)
{
    float step = ramp->rate * seconds;
    if (ramp->value < ramp->target)
        ramp->value = ramp->value + step < ramp->target ? ramp->value + step : ramp->target;
    else if (ramp->value > ramp->target)
        ramp->value = ramp->value - step > ramp->target ? ramp->value - step : ramp->target;
}

/* The larger of value and target: whether something can be heard soon. */
static inline float cni_audio_ramp_most(const CniAudioRamp *ramp)
{
    return ramp->value > ramp->target ? ramp->value : ramp->target;
}

typedef struct CniAudioSound {
    CnSlot slot;
    uint32_t frames, channels, sample_rate;
    int16_t *samples;   /* NULL: streamed, or not decoded yet, or broken */
    CnFileBytes file;   /* of a streamed sound */
    CniAudioLoad *load; /* it is decoded in the background; NULL: not */
    bool is_broken;     /* it could not be decoded */
    ALuint buffer;      /* 0: not uploaded to the open device */
    bool is_refused;    /* by the device */
} CniAudioSound;

typedef struct CniAudioVoice {
    CnSlot slot;
    CnSound sound;
    uint64_t user;
    uint32_t frames, sample_rate; /* of the sound */
    double position;              /* in frames of the sound */
    double overtime;              /* seconds after its end, while OpenAL is still playing */
    CniAudioRamp gain, fade;
    CniAudioRamp lowpass, occlusion, occlusion_lowpass;
    float pitch;
    float reference_distance, max_distance, rolloff;
    CnVec3 place, velocity;
    float attenuation; /* by distance, in this update */
    float level;       /* of the selection */
    uint8_t bus;
    int8_t priority;
    bool loops, is_spatial, is_mono, is_streamed, has_reverb;
    bool is_waiting; /* until its sound was decoded; `position` is in seconds */
    bool is_started; /* has been part of an update */
    bool is_paused, is_stopping;
    bool is_wanted;  /* selected for mixing in this update */
    uint32_t source; /* index + 1; 0: virtual */
} CniAudioVoice;

typedef enum CniAudioSourceState {
    CNI_AUDIO_SOURCE_FREE,
    CNI_AUDIO_SOURCE_PLAYING,
    CNI_AUDIO_SOURCE_RELEASED /* fading out; stopped in the next update */
} CniAudioSourceState;

/* Parameters as OpenAL has them; only differences are sent. */
typedef struct CniAudioParameters {
    float gain, pitch;
    CnVec3 place;
    float direct_gain, direct_high;
    float send_high;
} CniAudioParameters;

typedef struct CniAudioSource {
    ALuint name;
    CniAudioSourceState state;
    uint32_t voice; /* id; 0: none */
    CniAudioParameters sent;
    bool is_silent_start; /* begins within its sound: from silence */
    /* Streamed voices. */
    CniAudioStream *stream;
    ALuint buffers[CNI_AUDIO_STREAM_CHUNKS];
    uint32_t queued; /* buffers */
    uint32_t next_buffer;
    bool is_streaming; /* was started */
} CniAudioSource;

typedef struct CniAudioReverbState {
    CnReverb from, to, now;
    float progress; /* 0 to 1 */
    float seconds;  /* of the transition */
    bool is_sent;
} CniAudioReverbState;

struct CnAudio {
    CnAllocator *allocator;
    CnAudioDesc desc; /* with defaults filled in; its strings are owned */
    char device_name[256];
    CniAudioAl al;
    ALCdevice *device; /* NULL: silent */
    ALCcontext *context;
    bool has_effects, has_hrtf, has_disconnect, has_direct_channels, has_spatialize;
    ALuint direct_filter, send_filter, effect, effect_slot;
    double retry_seconds;   /* until opening a device is tried again */
    double retry_pause;     /* between two attempts */
    double open_seconds;    /* since the device was opened */
    bool is_announced;      /* the log says that the device is open */
    bool is_opening;        /* the streaming thread opens a device */
    _Atomic bool is_opened; /* it has tried, with the result `opened` */
    _Atomic(ALCdevice *) opened;

    CnSlotTable sounds, voices;
    CniAudioSource *sources; /* max_voices */
    uint64_t *keys;          /* max_playing: the selection */
    uint32_t upload_cursor;
    CniAudioStreams streams;

    CnAudioListener listener;
    CniAudioRamp buses[CN_AUDIO_BUS_COUNT];
    bool paused_buses[CN_AUDIO_BUS_COUNT];
    CniAudioReverbState reverb;
    CniAudioRamp muffle;

    CnVoiceEnd ends[CNI_AUDIO_ENDS];
    uint32_t end_read, end_count;
    CnAudioStats stats;
};

static inline float cni_audio_clamp(float value, float low, float high)
{
    return value > low ? value < high ? value : high : low; /* not a number: low */
}

/* ---- device.c ---- */

/* Opens the device of the description, its context, sources and effects. */
bool cni_audio_device_open(CnAudio *audio, CnError *error);
void cni_audio_device_close(CnAudio *audio);
/* Notices a lost device and tries to open another, once in a while. */
void cni_audio_device_watch(CnAudio *audio, double seconds);
/* Make the context current for this thread, and end that. */
void cni_audio_enter(CnAudio *audio);
void cni_audio_leave(CnAudio *audio);

/* ---- sound.c ---- */

CniAudioSound *cni_audio_sound(const CnAudio *audio, CnSound sound);
/* Takes over sounds that were decoded in the background; their voices start. */
void cni_audio_sounds_collect(CnAudio *audio);
/* Gives the samples to the device, unless it has them. */
bool cni_audio_sound_upload(CnAudio *audio, CniAudioSound *sound);
/* Uploads a sound that has not been played yet, if there is one. */
void cni_audio_sound_upload_next(CnAudio *audio);
void cni_audio_sounds_forget_device(CnAudio *audio);
void cni_audio_sounds_free(CnAudio *audio);

/* ---- voice.c ---- */

CniAudioVoice *cni_audio_voice(const CnAudio *audio, CnVoice voice);
/* Sets what a voice has of its sound; `seconds` is where in the sound it begins. */
void cni_audio_voice_begin(CniAudioVoice *voice, const CniAudioSound *sound, double seconds);
/* Frees a voice and reports its end. */
void cni_audio_voice_end(CnAudio *audio, uint32_t index);

/* ---- select.c ---- */

/* Sets is_wanted of the voices that are to be mixed. */
void cni_audio_select(CnAudio *audio);

/* ---- source.c: OpenAL sources ---- */

/* Starts mixing a voice, if a source is free. */
void cni_audio_source_start(CnAudio *audio, CniAudioVoice *voice, uint32_t id);
/* Lets the source of a voice fade out; the voice becomes virtual at its current position. */
void cni_audio_source_release(CnAudio *audio, CniAudioVoice *voice);
/* Stops a source at once. */
void cni_audio_source_stop(CnAudio *audio, CniAudioSource *source);
/* Sends changed parameters. */
void cni_audio_source_send(CnAudio *audio, const CniAudioVoice *voice);
bool cni_audio_source_has_stopped(CnAudio *audio, const CniAudioVoice *voice);
/* Feeds a streamed source. */
void cni_audio_source_feed(CnAudio *audio, CniAudioSource *source);

/* ---- reverb.c ---- */

void cni_audio_reverb_update(CnAudio *audio, float seconds);

#endif
