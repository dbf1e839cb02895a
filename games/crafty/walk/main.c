/*
 * Records what a walk sounds like: capture_walk FILE.wav [SECONDS]
 *
 * The robot walks through a new world, mines a log and walks on; the sound of the client is mixed
 * into memory and written, without a window. tools/capture-walk makes the files of the gallery.
 */
#include "crafty/client/sound.h"
#include "crafty/robot/robot.h"

#include <cairn/audio.h>
#include <cairn/base/console.h>

#include <stdio.h>
#include <stdlib.h>

#define SEED 1u
#define RATE 60u
#define SAMPLES (CN_AUDIO_SAMPLE_RATE / RATE)

typedef struct Walk {
    CraftyRobot robot;
    CnAudio *audio;
    CnAcoustics *acoustics;
    CraftySound *sound;
    CnWavWriter *wav;
    uint64_t ticks;
} Walk;

static bool hear(void *user, CnError *error)
{
    Walk *walk = user;
    float stereo[2 * SAMPLES];
    CnVec3 eye = crafty_robot_eye(&walk->robot);
    const CnTransform *transform = cn_get(walk->robot.world, walk->robot.player, CnTransform);
    if (walk->ticks == 0)
        return false; /* the end */
    walk->ticks--;
    crafty_sound_frame(walk->sound, &(CraftySoundFrame){.world = walk->robot.world,
                                                        .voxels = walk->robot.voxels,
                                                        .player = walk->robot.player,
                                                        .eye = eye,
                                                        .seconds = 1.0f / RATE});
    cn_audio_set_listener(walk->audio,
                          &(CnAudioListener){.position = eye, .rotation = transform->rotation});
    cn_acoustics_update(walk->acoustics, walk->robot.voxels, 1.0 / RATE);
    cn_audio_update(walk->audio, 1.0 / RATE);
    cn_audio_render(walk->audio, stereo, SAMPLES);
    return cn_wav_write(walk->wav, stereo, SAMPLES, error);
}

static void stroll(CraftyRobot *robot)
{
    CnCell feet = crafty_robot_feet(robot), log;
    crafty_robot_go_to_column(robot, feet.x + 24, feet.z - 6, 1);
    for (uint32_t i = 0; i < 2; i++)
        if (crafty_robot_find(robot, crafty_robot_is_log, 48, &log))
            crafty_robot_mine(robot, log);
    for (int32_t i = 1; i < 12 && !robot->is_broken; i++)
        crafty_robot_go_to_column(robot, feet.x + 24 + 12 * i, feet.z - 6 * i, 1);
    crafty_robot_wait(robot, 3600);
}

static bool begin(Walk *walk, CraftySession *session, const char *path, CnError *error)
{
    if (!crafty_robot_begin(&walk->robot, session, error))
        return false;
    crafty_robot_wait(&walk->robot, 60);
    walk->audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_LOOPBACK}, error);
    if (!walk->audio)
        return false;
    cn_audio_set_bus(walk->audio, CN_AUDIO_BUS_MASTER, 1, 0);
    walk->sound = crafty_sound_create(NULL, walk->audio, error);
    walk->acoustics =
        cn_acoustics_create(&(CnAcousticsDesc){.audio = walk->audio, .wait = true}, error);
    walk->wav = cn_wav_create(NULL, cn_native_files(), path, CN_AUDIO_SAMPLE_RATE, error);
    if (!walk->sound || !walk->acoustics || !walk->wav ||
        !crafty_sound_enter(walk->sound, walk->robot.world, NULL, error))
        return false;
    crafty_sound_load_all(walk->sound);
    walk->robot.after_tick = hear;
    walk->robot.user = walk;
    return true;
}

int main(int count, char **arguments)
{
    CnError error = {0};
    Walk walk = {.ticks = RATE * (count > 2 ? strtoull(arguments[2], NULL, 10) : 60)};
    if (count < 2) {
        fprintf(stderr, "usage: capture_walk FILE.wav [SECONDS]\n");
        return 2;
    }
    CraftySession *session =
        crafty_session_create(&(CraftySessionDesc){.start = {.seed = SEED,
                                                             .viewer = CRAFTY_VIEWER_WALKS,
                                                             .mode = CRAFTY_MODE_SURVIVAL,
                                                             .hours = 8},
                                                   .finds_spawn = true,
                                                   .threads = 1},
                              &error);
    bool ok = session && begin(&walk, session, arguments[1], &error);
    if (ok)
        stroll(&walk.robot);
    ok = ok && cn_wav_finish(walk.wav, &error);
    if (!ok)
        cn_print_error("%s", error.message);
    cn_acoustics_destroy(walk.acoustics);
    crafty_sound_destroy(walk.sound);
    cn_audio_destroy(walk.audio);
    crafty_robot_end(&walk.robot);
    crafty_session_destroy(session);
    return ok ? 0 : 1;
}
