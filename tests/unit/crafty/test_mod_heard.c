/* What mods play and show reaches the client: sounds are heard where they are, particles appear. */
#include "cmocka_tests.h"
#include "mod_fixture.h"

#include "render/feature/particle_system.h"

#include <crafty/client/mod_effects.h>
#include <crafty/client/sound.h>

#include <cairn/base/clock.h>
#include <cairn/base/math.h>

#define STEP 800u /* frames of audio in a tick */
#define WAIT_S 30.0

/* A line of the chat is the distance to the east of the player at which the bell rings. */
#define RINGS                                                                                      \
    "on('chat', function(e)\n"                                                                     \
    "  local at = players.get(e.player).position\n"                                                \
    "  sound.play('bell', at.x + tonumber(e.text), at.y + 1.6, at.z)\n"                            \
    "end)"

typedef struct Heard {
    double left, right; /* energy */
} Heard;

static ModGame game;
static CnAudio *audio;
static CraftySound *sound;
static CraftySoundBank *bank; /* has the file of the bell */

static void pass_tick(Heard *heard)
{
    static float stereo[2 * STEP];
    const CnTransform *eye = cn_get(game.world, game.player, CnTransform);
    mod_game_ticks(&game, 1);
    cn_audio_set_listener(audio,
                          &(CnAudioListener){.position = eye->position, .rotation = {0, 0, 0, 1}});
    crafty_sound_frame(sound, &(CraftySoundFrame){.world = game.world,
                                                  .voxels = game.voxels,
                                                  .player = game.player,
                                                  .eye = eye->position,
                                                  .seconds = 1.0f / 60});
    cn_audio_update(audio, 1.0 / 60);
    cn_audio_render(audio, stereo, STEP);
    for (uint32_t i = 0; i < STEP; i++) {
        heard->left += (double)stereo[2 * i] * (double)stereo[2 * i];
        heard->right += (double)stereo[2 * i + 1] * (double)stereo[2 * i + 1];
    }
}

/* Everything but effects is silent. */
static void open_sound(void)
{
    CnError error = {0};
    CraftyPreferences preferences = crafty_preferences_default();
    preferences.music_volume = preferences.ambience_volume = preferences.interface_volume = 0;
    sound = crafty_sound_create(NULL, audio, &error);
    assert_non_null(sound);
    crafty_sound_set_volumes(sound, &preferences);
    if (!crafty_sound_enter(sound, game.world, game.mods, &error))
        fail_msg("%s", error.message);
}

static int begin(void **state)
{
    (void)state;
    size_t size;
    CnError error = {0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    mod_game_init(&game);
    audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_LOOPBACK}, &error);
    if (!audio)
        skip(); /* without OpenAL */
    bank = crafty_sound_bank_create(NULL, audio, NULL);
    assert_non_null(bank);
    const void *bytes =
        crafty_sound_bank_bytes(bank, crafty_sound_bank_find(bank, "ui.click"), 0, &size);
    assert_non_null(bytes);
    mod_game_add(&game, "castle", RINGS);
    memory_files_set_bytes(&game.files, "mods/castle/sounds/bell.ogg", bytes, size);
    mod_game_open(&game);
    open_sound();
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_sound_destroy(sound);
    crafty_sound_bank_destroy(bank);
    mod_game_close(&game);
    cn_audio_destroy(audio);
    sound = NULL;
    bank = NULL;
    audio = NULL;
    return 0;
}

/* The first time, the bell is decoded by the helper process. */
static Heard ring(const char *distance)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    Heard heard = {0};
    uint64_t until = cn_clock_ns() + (uint64_t)(WAIT_S * 1e9);
    cn_copy_text(command.text, sizeof command.text, cn_text(distance));
    assert_true(crafty_connection_send_command(game.input.connection, &command));
    for (uint32_t i = 0; i < 30 || (heard.left + heard.right <= 0 && cn_clock_ns() < until); i++)
        pass_tick(&heard);
    return heard;
}

static void a_sound_of_a_mod_is_heard_at_its_position(void **state)
{
    (void)state;
    Heard before = {0};
    for (uint32_t i = 0; i < 60; i++)
        pass_tick(&before);
    assert_true(before.left == 0 && before.right == 0);
    Heard west = ring("-6"), east = ring("6");
    assert_true(west.left > 2 * west.right);
    assert_true(east.right > 2 * east.left);
    assert_int_equal(crafty_sound_counts(sound).mods, 2);
}

static void a_sound_of_a_mod_that_is_far_away_is_quieter(void **state)
{
    (void)state;
    ring("3");
    Heard near = ring("3"), far = ring("24");
    assert_true(far.left + far.right < 0.25 * (near.left + near.right));
}

static void particles_of_a_mod_appear_where_it_wants_them(void **state)
{
    (void)state;
    CraftyEmitters *emitters = crafty_emitters_create(NULL);
    assert_non_null(emitters);
    CnParticleSystem *particles = crafty_emitters_particles(emitters);
    const CnVec3 at = {2.5f, MOD_GAME_FLOOR + 3, -1.5f};
    CnEventReader *effects = cn_event_reader_create(cn_channel(game.world, CraftyModEffect), NULL);
    assert_non_null(effects);
    memory_files_set(&game.files, game.paths[1],
                     "on('chat', function(e)\n"
                     "  world.particles('crumbs', 2.5, 303, -1.5, 9, '#ff0000')\n"
                     "end)");
    bool changes;
    assert_true(crafty_mods_reload(game.mods, "castle", &changes, &(CnError){0}));
    mod_game_type(&game, "now");
    for (const CraftyModEffect *effect; (effect = cn_read_next(effects, CraftyModEffect));)
        crafty_mod_particles(emitters, game.voxels, effect, at);
    assert_int_equal(particles->burst_count, 1);
    assert_int_equal(particles->bursts[0].count, 9);
    assert_true(cn_vec3_length(cn_vec3_sub(particles->bursts[0].position, at)) < 0.01f);
    assert_true(particles->bursts[0].color.x > 0.9f && particles->bursts[0].color.y < 0.1f);
    cn_event_reader_destroy(effects);
    crafty_emitters_destroy(emitters);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sound_of_a_mod_is_heard_at_its_position),
        TEST(a_sound_of_a_mod_that_is_far_away_is_quieter),
        TEST(particles_of_a_mod_appear_where_it_wants_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
