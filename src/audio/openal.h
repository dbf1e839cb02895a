/* OpenAL Soft, loaded at run time, so that programs run without it. */
#ifndef CAIRN_SRC_AUDIO_OPENAL_H
#define CAIRN_SRC_AUDIO_OPENAL_H

#include <cairn/base/error.h>

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <AL/efx.h>

/* Functions that the library exports: X(type, name). */
#define CNI_AUDIO_AL_FUNCTIONS(X)                                                                  \
    X(LPALGENSOURCES, alGenSources)                                                                \
    X(LPALDELETESOURCES, alDeleteSources)                                                          \
    X(LPALSOURCEF, alSourcef)                                                                      \
    X(LPALSOURCE3F, alSource3f)                                                                    \
    X(LPALSOURCEI, alSourcei)                                                                      \
    X(LPALSOURCE3I, alSource3i)                                                                    \
    X(LPALGETSOURCEI, alGetSourcei)                                                                \
    X(LPALSOURCEPLAY, alSourcePlay)                                                                \
    X(LPALSOURCESTOP, alSourceStop)                                                                \
    X(LPALSOURCEREWIND, alSourceRewind)                                                            \
    X(LPALSOURCEQUEUEBUFFERS, alSourceQueueBuffers)                                                \
    X(LPALSOURCEUNQUEUEBUFFERS, alSourceUnqueueBuffers)                                            \
    X(LPALGENBUFFERS, alGenBuffers)                                                                \
    X(LPALDELETEBUFFERS, alDeleteBuffers)                                                          \
    X(LPALBUFFERDATA, alBufferData)                                                                \
    X(LPALGETERROR, alGetError)                                                                    \
    X(LPALISEXTENSIONPRESENT, alIsExtensionPresent)                                                \
    X(LPALGETPROCADDRESS, alGetProcAddress)                                                        \
    X(LPALDISTANCEMODEL, alDistanceModel)                                                          \
    X(LPALCOPENDEVICE, alcOpenDevice)                                                              \
    X(LPALCCLOSEDEVICE, alcCloseDevice)                                                            \
    X(LPALCCREATECONTEXT, alcCreateContext)                                                        \
    X(LPALCDESTROYCONTEXT, alcDestroyContext)                                                      \
    X(LPALCMAKECONTEXTCURRENT, alcMakeContextCurrent)                                              \
    X(LPALCISEXTENSIONPRESENT, alcIsExtensionPresent)                                              \
    X(LPALCGETPROCADDRESS, alcGetProcAddress)                                                      \
    X(LPALCGETINTEGERV, alcGetIntegerv)                                                            \
    X(LPALCGETSTRING, alcGetString)

/* Functions of the extension EFX, from alGetProcAddress. */
#define CNI_AUDIO_EFX_FUNCTIONS(X)                                                                 \
    X(LPALGENEFFECTS, alGenEffects)                                                                \
    X(LPALDELETEEFFECTS, alDeleteEffects)                                                          \
    X(LPALEFFECTI, alEffecti)                                                                      \
    X(LPALEFFECTF, alEffectf)                                                                      \
    X(LPALGENFILTERS, alGenFilters)                                                                \
    X(LPALDELETEFILTERS, alDeleteFilters)                                                          \
    X(LPALFILTERI, alFilteri)                                                                      \
    X(LPALFILTERF, alFilterf)                                                                      \
    X(LPALGENAUXILIARYEFFECTSLOTS, alGenAuxiliaryEffectSlots)                                      \
    X(LPALDELETEAUXILIARYEFFECTSLOTS, alDeleteAuxiliaryEffectSlots)                                \
    X(LPALAUXILIARYEFFECTSLOTI, alAuxiliaryEffectSloti)

#define CNI_AUDIO_DECLARE(type, name) type name;

typedef struct CniAudioAl {
    void *library; /* NULL: not loaded */
    CNI_AUDIO_AL_FUNCTIONS(CNI_AUDIO_DECLARE)
    CNI_AUDIO_EFX_FUNCTIONS(CNI_AUDIO_DECLARE)             /* of an open context */
    PFNALCSETTHREADCONTEXTPROC alcSetThreadContext;        /* may be NULL */
    LPALCLOOPBACKOPENDEVICESOFT alcLoopbackOpenDeviceSOFT; /* may be NULL */
    LPALCRENDERSAMPLESSOFT alcRenderSamplesSOFT;           /* may be NULL */
    LPALDEFERUPDATESSOFT alDeferUpdatesSOFT;               /* may be NULL */
    LPALPROCESSUPDATESSOFT alProcessUpdatesSOFT;           /* may be NULL */
    LPALCGETSTRINGISOFT alcGetStringiSOFT;                 /* may be NULL */
} CniAudioAl;

/* Loads a library, such as libopenal.so.1. */
bool cni_audio_al_load(CniAudioAl *al, const char *library, CnError *error);
void cni_audio_al_unload(CniAudioAl *al);
/* ---- openal_settings.c: output that does not depend on the user's settings ---- */

#define CNI_AUDIO_AL_VARIABLES 12

typedef struct CniAudioAlSettings {
    int file; /* -1: not replaced */
    char *values[CNI_AUDIO_AL_VARIABLES];
} CniAudioAlSettings;

/* Replaces the settings and the environment variables of OpenAL, before the library is loaded and
 * until a device was opened. OpenAL reads settings once in a process, so only the first audio
 * system counts. */
bool cni_audio_al_settings_begin(CniAudioAlSettings *settings, CnError *error);
/* Restores the variables. */
void cni_audio_al_settings_end(CniAudioAlSettings *settings);

/* ---- openal.c ---- */

/* Loads the functions of extensions; a context is current. Returns whether there are effects. */
bool cni_audio_al_load_extensions(CniAudioAl *al, ALCdevice *device);

#endif
