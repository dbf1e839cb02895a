/* Sound files from outside, WAV and Ogg Vorbis, as the helper process decodes them. */
#include "fuzz_surface.h"
#include "sound_files.h"

#include "audio/foreign.h"

static void add_seeds(FuzzSeeds *seeds)
{
    static const uint32_t bits[] = {8, 16, 24, 32, 0};
    for (uint32_t i = 0; i < CN_COUNT_OF(bits); i++) {
        SoundFile file = wav_file(bits[i], 1 + i % 2, 100);
        fuzz_add(seeds, file.bytes, file.size);
        sound_file_free(&file);
    }
    for (uint32_t channels = 1; channels <= 2; channels++) {
        SoundFile file = vorbis_file(channels, 2000);
        fuzz_add(seeds, file.bytes, file.size);
        sound_file_free(&file);
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    CnSoundSamples samples;
    CnError error = {0};
    budget.sound_bytes = 1 << 20;
    if (!cni_audio_sound_decode(NULL, bytes, size, "fuzz", &budget, &samples, &error)) {
        FUZZ_CHECK(error.code != CN_OK && !samples.samples);
        return false;
    }
    FUZZ_CHECK(samples.frames && samples.channels >= 1 && samples.channels <= 2);
    FUZZ_CHECK((uint64_t)samples.frames * samples.channels * 2 <= budget.sound_bytes);
    FUZZ_CHECK(samples.sample_rate >= CN_SOUND_MIN_RATE);
    cn_sound_samples_free(&samples);
    return true;
}

static const char *const words[] = {"RIFF",       "WAVE",       "fmt ",       "data", "OggS",
                                    "\x01vorbis", "\x03vorbis", "\x05vorbis", NULL};
const FuzzSurface fuzz_surface = {
    .max_bytes = 1 << 14, .test_runs = 2000, .words = words, .add_seeds = add_seeds, .run = run};
