/* test-labels: soak threads
 * Ten minutes of play in real time, with all cores busy with the work of other programs of lower
 * priority: no stream runs dry. The device is the one of OpenAL Soft that discards everything,
 * which mixes in real time on a thread of its own. As with a sound server, that thread has
 * real-time priority, if the system allows it: otherwise the device is starved, and then takes
 * seconds of sound at once. Where CAIRN_SOAK is not set: a few seconds. */
#include "audio_fixture.h"
#include "sound_files.h"
#include "voxel_room.h"

#include "audio/audio_internal.h"

#include <cairn/audio/acoustics.h>
#include <cairn/base/clock.h>
#include <cairn/base/job.h>
#include <cairn/base/text.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define FPS 60u
#define SOAK_SECONDS 600u
#define SHORT_SECONDS 3u
#define SOURCES 200u
#define STREAMS 6u
#define MAX_BURNERS 64u
/* What a sound card holds with the default settings of OpenAL Soft: three periods of 1,024. */
#define CARD_SECONDS (3.0 * 1024 / AUDIO_RATE)

/* ---- Load ---- */

static atomic_bool is_over;

#define LOWER_PRIORITY 5 /* as compilers have that run beside a game */

static void *burn(void *user)
{
    uint64_t *sum = user;
    setpriority(PRIO_PROCESS, (id_t)gettid(), LOWER_PRIORITY);
    while (!is_over)
        for (uint32_t i = 0; i < 100000; i++)
            *sum = *sum * 6364136223846793005u + 1442695040888963407u;
    return NULL;
}

typedef struct Load {
    pthread_t threads[MAX_BURNERS];
    uint64_t sums[MAX_BURNERS];
    uint32_t count;
} Load;

static void load_begin(Load *load)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    load->count = cores < 1 ? 1 : cores > MAX_BURNERS ? MAX_BURNERS : (uint32_t)cores;
    is_over = false;
    for (uint32_t i = 0; i < load->count; i++)
        assert_int_equal(pthread_create(&load->threads[i], NULL, burn, &load->sums[i]), 0);
}

static void load_end(Load *load)
{
    is_over = true;
    for (uint32_t i = 0; i < load->count; i++)
        pthread_join(load->threads[i], NULL);
}

/* ---- How late the mixer is ---- */

typedef struct Lateness {
    CnVoice clock;   /* a long silent loop */
    uint32_t frames; /* of its sound */
    uint64_t played; /* since the start, in frames */
    uint32_t last;   /* offset at the last look */
    uint64_t start_ns;
    double most, sum;
    uint32_t looks, empty_cards;
} Lateness;

static void look(Lateness *late, CnAudio *audio)
{
    const CniAudioVoice *voice = cni_audio_voice(audio, late->clock);
    ALint offset = 0;
    assert_true(voice && voice->source);
    cni_audio_enter(audio);
    audio->al.alGetSourcei(audio->sources[voice->source - 1].name, AL_SAMPLE_OFFSET, &offset);
    cni_audio_leave(audio);
    late->played += ((uint32_t)offset + late->frames - late->last) % late->frames;
    late->last = (uint32_t)offset;
    double passed = cn_seconds(cn_clock_ns() - late->start_ns);
    double behind = passed - (double)late->played / AUDIO_RATE;
    late->most = behind > late->most ? behind : late->most;
    late->sum += behind;
    late->empty_cards += behind > CARD_SECONDS;
    late->looks++;
}

static float silence(uint32_t i)
{
    (void)i;
    return 0;
}

/* ---- Play ---- */

typedef struct Play {
    CnAudio *audio;
    CnAcoustics *acoustics;
    CnJobPool *jobs;
    Room room;
    CnSound sounds[4], songs[STREAMS];
    SoundFile files[STREAMS];
    Lateness late;
} Play;

static void play_begin(Play *play)
{
    CnError error = {0};
    *play = (Play){.room = room_open()};
    room_fill(&play->room, (CnCell){-12, ROOM_FLOOR - 1, -12}, (CnCell){12, ROOM_FLOOR - 1, 12},
              BLOCK_STONE);
    play->jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 2}, &error);
    play->audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_DEFAULT}, &error);
    assert_non_null(play->audio);
    if (!cn_audio_is_audible(play->audio)) {
        print_message("skipped: OpenAL has no device that discards sounds\n");
        exit(77);
    }
    play->acoustics =
        cn_acoustics_create(&(CnAcousticsDesc){.audio = play->audio, .jobs = play->jobs}, &error);
    for (uint32_t i = 0; i < CN_COUNT_OF(play->sounds); i++)
        play->sounds[i] = sound_of_function(play->audio, (i + 1) * AUDIO_RATE / 4,
                                            i % 2 ? sine_value : noise_value);
    for (uint32_t i = 0; i < STREAMS; i++) {
        play->files[i] = vorbis_file(2, (i + 3) * AUDIO_RATE);
        play->songs[i] = cn_sound_load_stream(play->audio, cn_native_files(),
                                              sound_file_save(&play->files[i], "song.ogg"), &error);
        assert_int_not_equal(play->songs[i].id, 0);
        cn_audio_play(play->audio, &(CnPlayDesc){.sound = play->songs[i],
                                                 .bus = CN_AUDIO_BUS_MUSIC,
                                                 .loop = true,
                                                 .priority = 50});
    }
    play->late.frames = 8 * AUDIO_RATE;
    CnSound clock = sound_of_function(play->audio, play->late.frames, silence);
    play->late.clock =
        cn_audio_play(play->audio, &(CnPlayDesc){.sound = clock, .loop = true, .priority = 127});
    cn_audio_update(play->audio, 1.0 / FPS);
    play->late.start_ns = cn_clock_ns();
}

static void play_end(Play *play)
{
    cn_acoustics_destroy(play->acoustics);
    cn_audio_destroy(play->audio);
    cn_job_pool_destroy(play->jobs);
    room_close(&play->room);
    for (uint32_t i = 0; i < STREAMS; i++)
        sound_file_free(&play->files[i]);
}

static void play_frame(Play *play, uint32_t frame, double seconds)
{
    CnVec3 ear = cn_vec3((float)(frame % 600) * 0.02f - 6, ROOM_FLOOR + 2, 0);
    cn_audio_set_listener(play->audio,
                          &(CnAudioListener){.position = ear, .rotation = {0, 0, 0, 1}});
    while (cn_audio_stats(play->audio).playing < SOURCES) {
        uint32_t number = (uint32_t)cn_audio_stats(play->audio).started;
        CnPlayDesc desc = {.sound = play->sounds[number % CN_COUNT_OF(play->sounds)],
                           .spatial = true,
                           .pitch = 0.8f + 0.01f * (float)(number % 40),
                           .position = cn_vec3((float)(number % 23) - 11, ROOM_FLOOR + 1,
                                               (float)(number % 19) - 9)};
        if (!cn_audio_play(play->audio, &desc).id)
            break;
        cn_audio_update(play->audio, 0); /* counts what plays */
    }
    cn_acoustics_update(play->acoustics, play->room.world, seconds);
    cn_audio_update(play->audio, seconds);
    look(&play->late, play->audio);
}

static void sleep_until(uint64_t time_ns)
{
    uint64_t now = cn_clock_ns();
    if (time_ns > now)
        nanosleep(&(struct timespec){.tv_sec = (time_t)((time_ns - now) / 1000000000u),
                                     .tv_nsec = (long)((time_ns - now) % 1000000000u)},
                  NULL);
}

static void no_stream_runs_dry_while_all_cores_are_busy(void **state)
{
    (void)state;
    Play play;
    Load load;
    uint32_t seconds = getenv("CAIRN_SOAK") ? SOAK_SECONDS : SHORT_SECONDS, frames = 0;
    play_begin(&play);
    load_begin(&load);
    uint64_t start = cn_clock_ns(), last = start;
    while (cn_seconds(cn_clock_ns() - start) < seconds) {
        uint64_t now = cn_clock_ns();
        play_frame(&play, frames++, cn_seconds(now - last));
        last = now;
        sleep_until(start + (uint64_t)frames * 1000000000u / FPS);
    }
    load_end(&load);
    CnAudioStats stats = cn_audio_stats(play.audio);
    const Lateness *late = &play.late;
    print_message("%u s, %u frames, %u busy threads: %llu voices started, %u mixed at most, %llu "
                  "underruns of %u streams\n"
                  "the mixer is behind the clock by %.1f ms on average, %.1f ms at most; by more "
                  "than a sound card holds (%.0f ms) in %u of %u frames\n",
                  seconds, frames, load.count, (unsigned long long)stats.started, stats.most_mixed,
                  (unsigned long long)stats.underruns, STREAMS, late->sum / late->looks * 1e3,
                  late->most * 1e3, CARD_SECONDS * 1e3, late->empty_cards, late->looks);
    assert_int_equal(stats.underruns, 0);
    assert_int_equal(stats.failures, 0);
    assert_int_equal(stats.device_losses, 0);
    assert_true(stats.most_mixed <= 64);
    assert_true(late->played > 0);
    play_end(&play);
}

static void prefer_the_device(void)
{
    static const char settings[] = "[general]\nrt-prio = 1\n";
    char path[32];
    int file = memfd_create("settings", 0);
    assert_true(file >= 0 && write(file, settings, sizeof settings - 1) > 0);
    cn_format(path, sizeof path, "/proc/self/fd/%d", file);
    setenv("ALSOFT_CONF", path, 1);
}

int main(void)
{
    prefer_the_device();
    setenv("ALSOFT_DRIVERS", "null", 1); /* before OpenAL is loaded */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stream_runs_dry_while_all_cores_are_busy),
    };
    return cmocka_run_group_tests_name("underruns", tests, NULL, NULL);
}
