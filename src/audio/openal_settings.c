/* Settings for output that may not depend on the user's: a file of settings in memory, in which
 * every key that affects the samples of a loop-back device is empty, that is, has its default.
 * OpenAL reads the file that ALSOFT_CONF names last, so it prevails over those of the system, the
 * user and the program's folder. */
#include "audio/openal.h"

#include <cairn/base/text.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The name of the device, for which files may have settings of their own. */
#define DEVICE "Loopback"

static const char *const keys[] = {"ambi-format",    "cf_level",        "channels",
                                   "default-hrtf",   "default-reverb",  "disable-cpu-exts",
                                   "dither",         "dither-depth",    "excludefx",
                                   "frequency",      "front-stablizer", "hrtf",
                                   "hrtf-mode",      "hrtf-paths",      "hrtf_tables",
                                   "output-limiter", "period_size",     "periods",
                                   "resampler",      "sample-type",     "sends",
                                   "slots",          "sources",         "stereo-encoding",
                                   "stereo-mode",    "volume-adjust"};
static const char *const decoder_keys[] = {"distance-comp", "hq-mode", "nfc", "nfc-ref-delay",
                                           "stereo"};
static const char *const reverb_keys[] = {"boost", "emulate-eax"};

/* Variables that override files, or change the mixer. The library reads them when it is loaded and
 * when it opens its first device. */
static const char *const variables[] = {"ALSOFT_CONF",
                                        "ALSOFT_DEFAULT_REVERB",
                                        "ALSOFT_LOCAL_PATH",
                                        "__ALSOFT_HALF_ANGLE_CONES",
                                        "__ALSOFT_REVERB_IGNORES_SOUND_SPEED",
                                        "__ALSOFT_REVERSE_Z",
                                        "__ALSOFT_SUSPEND_CONTEXT"};
_Static_assert(CN_COUNT_OF(variables) <= CNI_AUDIO_AL_VARIABLES, "");

static bool write_text(int file, const char *text)
{
    size_t size = strlen(text);
    return write(file, text, size) == (ssize_t)size;
}

static bool write_section(int file, const char *name, const char *const *names, size_t count)
{
    char line[64];
    bool ok = cn_format(line, sizeof line, "[%s]\n", name) && write_text(file, line);
    for (size_t i = 0; i < count && ok; i++)
        ok = cn_format(line, sizeof line, "%s =\n", names[i]) && write_text(file, line);
    return ok;
}

static bool write_settings(int file)
{
    return write_section(file, "general", keys, CN_COUNT_OF(keys)) &&
           write_section(file, DEVICE, keys, CN_COUNT_OF(keys)) &&
           write_section(file, "decoder", decoder_keys, CN_COUNT_OF(decoder_keys)) &&
           write_section(file, "decoder/" DEVICE, decoder_keys, CN_COUNT_OF(decoder_keys)) &&
           write_section(file, "reverb", reverb_keys, CN_COUNT_OF(reverb_keys)) &&
           write_section(file, "reverb/" DEVICE, reverb_keys, CN_COUNT_OF(reverb_keys));
}

bool cni_audio_al_settings_begin(CniAudioAlSettings *settings, CnError *error)
{
    char path[32];
    *settings = (CniAudioAlSettings){.file = memfd_create("cairn-openal", MFD_CLOEXEC)};
    if (settings->file < 0 || !write_settings(settings->file)) {
        if (settings->file >= 0)
            close(settings->file);
        settings->file = -1;
        return cn_error_set(error, CN_ERROR_IO, "the settings of OpenAL cannot be replaced");
    }
    for (size_t i = 0; i < CN_COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        settings->values[i] = value ? strdup(value) : NULL;
        unsetenv(variables[i]);
    }
    cn_format(path, sizeof path, "/proc/self/fd/%d", settings->file);
    setenv("ALSOFT_CONF", path, 1);
    return true;
}

void cni_audio_al_settings_end(CniAudioAlSettings *settings)
{
    if (settings->file < 0)
        return;
    close(settings->file);
    settings->file = -1;
    for (size_t i = 0; i < CN_COUNT_OF(variables); i++) {
        if (settings->values[i])
            setenv(variables[i], settings->values[i], 1);
        else
            unsetenv(variables[i]);
        free(settings->values[i]);
    }
}
