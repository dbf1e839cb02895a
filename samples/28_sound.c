/*
 * 28: a sound that circles around the listener.
 *
 * The sound is synthesised: a bell of four decaying partials. It rings again and again while its
 * object circles around the camera once in eight seconds; with headphones it is heard from its
 * direction. Without a sound card the program is silent; `--audio-out circle.wav --frames 480`
 * writes what would be heard.
 */
#include <cairn/engine.h>

#include <math.h>

enum { RATE = 48000, FRAMES = RATE / 2 };

typedef struct Circle {
    CnSound bell;
    CnVoice voice;
    CnEntity sphere;
} Circle;

static CnSound make_bell(CnAudio *audio, CnError *error)
{
    static const double partials[] = {1, 2.01, 2.76, 5.4};
    static int16_t samples[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        double t = (double)i / RATE, value = 0;
        for (int k = 0; k < 4; k++)
            value += sin(2 * 3.141592653589793 * 520 * partials[k] * t) * exp(-t * (4 + 5 * k)) / 4;
        samples[i] = (int16_t)(value * 24000);
    }
    return cn_sound_create(
        audio,
        &(CnSoundDesc){.samples = samples, .frames = FRAMES, .channels = 1, .sample_rate = RATE},
        error);
}

static void move(CnEngine *engine, void *user)
{
    Circle *circle = user;
    CnAudio *audio = cn_engine_audio(engine);
    float sine, cosine, angle = (float)cn_engine_time(engine)->elapsed * (2 * CN_PIF / 8);
    cn_sincosf(angle, &sine, &cosine);
    CnVec3 place = {3 * sine, 0, -3 * cosine};
    cn_get_mut(cn_engine_world(engine), circle->sphere, CnTransform)->position = place;
    if (!cn_voice_is_playing(audio, circle->voice))
        circle->voice = cn_audio_play(
            audio, &(CnPlayDesc){.sound = circle->bell, .spatial = true, .position = place});
    cn_voice_set_position(audio, circle->voice, place);
}

static bool start(CnEngine *engine, void *user, CnError *error)
{
    Circle *circle = user;
    CnWorld *world = cn_engine_world(engine);
    CnEntity camera = cn_object(world, "Camera");
    cn_add(world, camera, CnCamera);
    circle->sphere = cn_object(world, "Bell");
    cn_set(world, circle->sphere, CnMeshRenderer, {.mesh = "shapes://sphere", .visible = true});
    CnEntity sun = cn_object(world, "Sun");
    cn_set(world, sun, CnLight,
           {.kind = CN_LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .intensity = 4});
    circle->bell = make_bell(cn_engine_audio(engine), error);
    cn_audio_set_reverb(cn_engine_audio(engine), &(CnReverb){.gain = 0.1f}, 0);
    return circle->bell.id && cn_engine_before_frame(engine, move, user);
}

int main(int count, char **arguments)
{
    Circle circle = {0};
    CnEngineDesc desc = {.title = "Sound",
                         .preset = cn_preset_forward,
                         .render = {.sky = {.kind = CN_SKY_ATMOSPHERE}}};
    return cn_engine_main(&desc, count, arguments, start, &circle);
}
