/*
 * Random words as the command line of `crafty world`: whatever is not refused is an action with the
 * words that it needs. The test makes its cases from a seed, so it always runs the same ones.
 */
#include "cmocka_tests.h"

#include "random.h"

#include <crafty/world_command/options.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CASES = 50000, MAX_WORDS = 9, WORD_BYTES = 48 };

static const char *const words[] = {
    "list",      "create",    "info",        "rename",   "copy",    "backup",
    "restore",   "export",    "import",      "verify",   "repair",  "compact",
    "delete",    "torture",   "--worlds",    "--json",   "--quiet", "--seed",
    "--backups", "--deleted", "--generator", "--from",   "--name",  "--all",
    "--help",    "--folder",  "--seconds",   "--rounds", "--",      "--permanently",
    "Home",      "a b",       "5",           "0",        "-1",      "1000000",
    "1e3",       "",          "\xff\n",      "lst",      "86401",   "/tmp/x.crafty",
    "--unknown", "-"};

static void write_word(TestRandom *random, char word[WORD_BYTES])
{
    const char *text = words[test_random_below(random, CN_COUNT_OF(words))];
    snprintf(word, WORD_BYTES, "%s", text);
    size_t length = strlen(word);
    while (length > 0 && test_random_chance(random, 5))
        word[test_random_below(random, (uint32_t)length)] =
            (char)(1 + test_random_below(random, 255));
}

static CraftyWorldParse read_case(TestRandom *random, CraftyWorldOptions *options)
{
    static char texts[MAX_WORDS][WORD_BYTES];
    char *arguments[MAX_WORDS + 1] = {"world"};
    uint32_t count = test_random_below(random, MAX_WORDS + 1);
    for (uint32_t i = 0; i < count; i++) {
        write_word(random, texts[i]);
        arguments[1 + i] = texts[i];
    }
    return crafty_world_options_read(options, (int)count + 1, arguments);
}

static void assert_can_be_run(const CraftyWorldOptions *options)
{
    static const uint32_t words_of[CRAFTY_WORLD_ACTION_COUNT] = {
        [CRAFTY_WORLD_CREATE] = 1, [CRAFTY_WORLD_INFO] = 1,    [CRAFTY_WORLD_RENAME] = 2,
        [CRAFTY_WORLD_COPY] = 2,   [CRAFTY_WORLD_BACKUP] = 1,  [CRAFTY_WORLD_RESTORE] = 1,
        [CRAFTY_WORLD_EXPORT] = 2, [CRAFTY_WORLD_IMPORT] = 1,  [CRAFTY_WORLD_VERIFY] = 1,
        [CRAFTY_WORLD_REPAIR] = 1, [CRAFTY_WORLD_COMPACT] = 1, [CRAFTY_WORLD_DELETE] = 1};
    assert_true(options->action < CRAFTY_WORLD_ACTION_COUNT);
    uint32_t wanted = options->all ? 0 : words_of[options->action];
    assert_true((options->first != NULL) == (wanted > 0));
    assert_true((options->second != NULL) == (wanted > 1));
    assert_true(options->seconds <= 86400 && options->rounds <= 1000000);
    assert_true(!options->all || options->action == CRAFTY_WORLD_VERIFY);
    assert_true(!options->permanently || options->action == CRAFTY_WORLD_DELETE);
    assert_true(!options->worlds || options->worlds[0]);
    assert_false(options->backups && options->deleted);
}

static void whatever_is_not_refused_can_be_run(void **state)
{
    (void)state;
    TestRandom random = {19};
    uint32_t accepted = 0;
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    for (uint32_t i = 0; i < CASES; i++) {
        CraftyWorldOptions options;
        if (read_case(&random, &options) != CRAFTY_WORLD_RUN)
            continue;
        accepted++;
        assert_can_be_run(&options);
    }
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    close(null);
    assert_true(accepted > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_not_refused_can_be_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
