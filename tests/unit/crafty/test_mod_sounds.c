/* test-labels: threads */
/* Sounds of mods: found, decoded as foreign files, and silent where that is not possible. */
#include "cmocka_tests.h"
#include "mod_client_fixture.h"

#include <crafty/client/mod_sounds.h>
#include <crafty/client/sound_bank.h>

static CnAudio *audio;
static CraftyModSounds *sounds;

static int begin(void **state)
{
    CnError error = {0};
    mod_client_begin(state);
    audio = cn_audio_create(&(CnAudioDesc){.device = CN_AUDIO_DEVICE_NONE}, &error);
    assert_non_null(audio);
    return 0;
}

static int end(void **state)
{
    crafty_mod_sounds_destroy(sounds);
    cn_audio_destroy(audio);
    sounds = NULL;
    return mod_client_end(state);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    CnError error = {0};
    const char *native = mod_path(path);
    if (!cn_file_make_folder_of(cn_native_files(), native, &error) ||
        !cn_file_write_all(cn_native_files(), native, bytes, size, &error))
        fail_msg("%s", error.message);
}

static void load(void)
{
    CnError error = {0};
    mod_client_load_good("-- nothing\n");
    sounds = crafty_mod_sounds_create(NULL, audio, mod_client.mods, &error);
    assert_non_null(sounds);
}

static void a_sound_of_a_mod_is_decoded(void **state)
{
    (void)state;
    size_t size;
    CraftySoundBank *bank = crafty_sound_bank_create(NULL, audio, NULL);
    assert_non_null(bank);
    const void *bytes =
        crafty_sound_bank_bytes(bank, crafty_sound_bank_find(bank, "ui.click"), 0, &size);
    assert_non_null(bytes);
    write_bytes("mods/castle/sounds/bell.ogg", bytes, size);
    crafty_sound_bank_destroy(bank);
    load();
    CnSound bell = crafty_mod_sounds_get(sounds, "castle", "bell");
    assert_true(bell.id != 0);
    assert_int_equal(crafty_mod_sounds_get(sounds, "castle", "bell").id, bell.id);
    assert_int_equal(crafty_mod_sounds_failed(sounds), 0);
}

static void a_sound_that_is_too_long_is_silent(void **state)
{
    (void)state;
    CnFileBytes bytes = {0};
    CnError error = {0};
    assert_true(
        cn_file_read_all(cn_native_files(), "docs/images/sound/walk.ogg", NULL, &bytes, &error));
    write_bytes("mods/castle/sounds/bell.ogg", bytes.data, bytes.size);
    cn_file_bytes_free(&bytes);
    load();
    assert_int_equal(crafty_mod_sounds_get(sounds, "castle", "bell").id, 0);
    assert_int_equal(crafty_mod_sounds_failed(sounds), 1);
}

static void a_sound_that_does_not_exist_is_null(void **state)
{
    (void)state;
    load();
    assert_false(crafty_mod_sounds_has(sounds, "castle", "bell"));
    assert_int_equal(crafty_mod_sounds_get(sounds, "castle", "bell").id, 0);
    assert_false(crafty_mod_sounds_has(sounds, "nobody", "bell"));
    assert_int_equal(crafty_mod_sounds_failed(sounds), 0);
}

static void names_do_not_lead_out_of_the_folder(void **state)
{
    (void)state;
    write_bytes("mods/castle/bell.ogg", "x", 1);
    load();
    assert_false(crafty_mod_sounds_has(sounds, "castle", "../bell"));
    assert_false(crafty_mod_sounds_has(sounds, "castle", "/bell"));
    assert_false(crafty_mod_sounds_has(sounds, "castle", ""));
}

static void a_broken_file_is_silent(void **state)
{
    (void)state;
    write_bytes("mods/castle/sounds/bell.ogg", "OggS and nothing else", 21);
    load();
    assert_true(crafty_mod_sounds_has(sounds, "castle", "bell"));
    assert_int_equal(crafty_mod_sounds_get(sounds, "castle", "bell").id, 0);
    assert_int_equal(crafty_mod_sounds_failed(sounds), 1);
}

static void a_large_file_is_not_decoded(void **state)
{
    (void)state;
    static uint8_t bytes[CRAFTY_MOD_SOUND_BYTES + 1];
    write_bytes("mods/castle/sounds/bell.ogg", bytes, sizeof bytes);
    load();
    assert_int_equal(crafty_mod_sounds_get(sounds, "castle", "bell").id, 0);
    assert_int_equal(crafty_mod_sounds_failed(sounds), 1);
}

static void the_number_of_sounds_is_limited(void **state)
{
    (void)state;
    char name[16];
    load();
    for (uint32_t i = 0; i < 2 * CRAFTY_MOD_SOUNDS; i++) {
        snprintf(name, sizeof name, "s%u", i);
        assert_false(crafty_mod_sounds_has(sounds, "castle", name));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_sound_of_a_mod_is_decoded),
        TEST(a_sound_that_is_too_long_is_silent),
        TEST(a_sound_that_does_not_exist_is_null),
        TEST(names_do_not_lead_out_of_the_folder),
        TEST(a_broken_file_is_silent),
        TEST(a_large_file_is_not_decoded),
        TEST(the_number_of_sounds_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
