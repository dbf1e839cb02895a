#include "audio/openal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ISO C has no conversion between pointers to objects and to functions. */
#define ASSIGN(function, pointer)                                                                  \
    do {                                                                                           \
        void *assigned_ = (pointer);                                                               \
        memcpy(&(function), &assigned_, sizeof assigned_);                                         \
    } while (0)

#define LOAD(type, name)                                                                           \
    ASSIGN(al->name, dlsym(al->library, #name));                                                   \
    missing = al->name ? missing : #name;

/* A handler of ALSA: void (const char *file, int line, const char *function, int error, const char
 * *format, ...). */
static void ignore_message(const char *file, int line, const char *function, int error,
                           const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/* A missing device is no error of the program: OpenAL and ALSA, which it loads, may not write to
 * the terminal. A level that the user chose for OpenAL is kept. */
static void silence_libraries(void)
{
    int (*set_handler)(void (*)(const char *, int, const char *, int, const char *, ...)) = NULL;
    setenv("ALSOFT_LOGLEVEL", "0", 0);
    void *alsa = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!alsa)
        return;
    ASSIGN(set_handler, dlsym(alsa, "snd_lib_error_set_handler"));
    if (set_handler)
        set_handler(ignore_message);
    dlclose(alsa);
}

bool cni_audio_al_load(CniAudioAl *al, const char *library, CnError *error)
{
    const char *missing = NULL;
    *al = (CniAudioAl){0};
    silence_libraries();
    /* OpenAL keeps data of threads; unloading it while one of them exists would be fatal. */
    al->library = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!al->library)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s cannot be loaded", library);
    CNI_AUDIO_AL_FUNCTIONS(LOAD)
    if (missing) {
        cni_audio_al_unload(al);
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "%s has no %s", library, missing);
    }
    ASSIGN(al->alcSetThreadContext, al->alcGetProcAddress(NULL, "alcSetThreadContext"));
    ASSIGN(al->alcLoopbackOpenDeviceSOFT, al->alcGetProcAddress(NULL, "alcLoopbackOpenDeviceSOFT"));
    ASSIGN(al->alcGetStringiSOFT, al->alcGetProcAddress(NULL, "alcGetStringiSOFT"));
    ASSIGN(al->alcRenderSamplesSOFT, al->alcGetProcAddress(NULL, "alcRenderSamplesSOFT"));
    return true;
}

void cni_audio_al_unload(CniAudioAl *al)
{
    if (al->library)
        dlclose(al->library);
    *al = (CniAudioAl){0};
}

#define LOAD_EFX(type, name)                                                                       \
    ASSIGN(al->name, al->alGetProcAddress(#name));                                                 \
    complete &= al->name != NULL;

bool cni_audio_al_load_extensions(CniAudioAl *al, ALCdevice *device)
{
    bool complete = al->alcIsExtensionPresent(device, "ALC_EXT_EFX");
    CNI_AUDIO_EFX_FUNCTIONS(LOAD_EFX)
    al->alDeferUpdatesSOFT = NULL;
    al->alProcessUpdatesSOFT = NULL;
    if (al->alIsExtensionPresent("AL_SOFT_deferred_updates")) {
        ASSIGN(al->alDeferUpdatesSOFT, al->alGetProcAddress("alDeferUpdatesSOFT"));
        ASSIGN(al->alProcessUpdatesSOFT, al->alGetProcAddress("alProcessUpdatesSOFT"));
    }
    return complete;
}
