/* Plugin files with random damage: refused, disabled, or run, with an error that has a text, but no
 * crash. The ticks continue, and reloading the good text repairs everything. */
#include "cmocka_tests.h"
#include "plugin_world.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

#define TEXTS 400u
#define PATH "fountain.lua"

static char *good;
static size_t good_size;

static int read_good_text(void **state)
{
    CnFileBytes bytes;
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    if (!cn_file_read_all(cn_native_files(), "scenes/fountain/fountain.lua", NULL, &bytes, NULL))
        return -1;
    good_size = bytes.size;
    good = calloc(good_size + 1, 1);
    memcpy(good, bytes.data, good_size);
    cn_file_bytes_free(&bytes);
    return 0;
}

static int free_good_text(void **state)
{
    (void)state;
    free(good);
    return 0;
}

/* Replaces, removes or moves a few bytes, and appends up to 7 spaces, because files in memory
 * change only with their size. */
static void damage(char *text, uint32_t number, TestRandom *random)
{
    static const char signs[] = "{}()[]=,.:\"'+-*/^%#~ \n0aeinrtxyz\x80\xff";
    uint32_t size = (uint32_t)good_size;
    memcpy(text, good, good_size + 1);
    for (uint32_t n = 1 + test_random_below(random, 3); n > 0; n--) {
        uint32_t at = test_random_below(random, size - 12);
        uint32_t from = test_random_below(random, size - 12);
        uint32_t length = 1 + test_random_below(random, 11);
        switch (test_random_below(random, 3)) {
        case 0:
            text[at] = signs[test_random_below(random, sizeof signs - 1)];
            break;
        case 1:
            memmove(text + at, text + at + length, size - at - length + 1);
            size -= length;
            break;
        default:
            memmove(text + at, text + from, length);
        }
    }
    memset(text + size, ' ', number % 8);
    text[size + number % 8] = 0;
}

static void damaged_texts_are_errors(void **state)
{
    (void)state;
    TestRandom random = {29};
    char *text = malloc(good_size + 9);
    uint32_t refused = 0, replaced = 0;
    PluginWorld w;
    assert_true(plugin_world_init(&w, &(PluginWorldDesc){0}));
    assert_true(plugin_world_load(&w, PATH, good));
    for (uint32_t i = 0; i < TEXTS; i++) {
        CnError error = {0};
        damage(text, i, &random);
        memory_files_set(&w.files, PATH, text);
        uint32_t count = cn_script_system_reload(w.sim, &error);
        replaced += count;
        refused += error.code != CN_OK;
        assert_true(!error.code == !error.message[0]);
        assert_true(cn_sim_has_plugin(w.sim, PATH));
        assert_true(cn_sim_tick_n(w.sim, 2, NULL));
    }
    assert_true(refused > TEXTS / 4 && replaced > 10);
    memory_files_set(&w.files, PATH, good);
    assert_int_equal(cn_script_system_reload(w.sim, NULL), 1);
    assert_true(cn_sim_tick_n(w.sim, 2, NULL));
    assert_int_equal(cn_script_system_failures(w.world), 0);
    plugin_world_fini(&w);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_texts_are_errors)};
    return cmocka_run_group_tests(tests, read_good_text, free_good_text);
}
