/* The settings of the server: values, problems with their places, defaults, changes. */
#include "cmocka_tests.h"

#include <crafty/server/settings.h>
#include <crafty/server/settings_table.h>

#include <string.h>

static CraftyServerSettings settings;
static CraftySettingsProblems problems;

static bool read_text(const char *text)
{
    crafty_settings_defaults(&settings);
    return crafty_settings_read(&settings, "server.conf", cn_text(text), &problems);
}

static bool load_text(const char *text)
{
    return read_text(text) && crafty_settings_finish(&settings, "server.conf", &problems);
}

/* Checks that the text has one problem, in this line and with these words. */
static void has_problem(const char *text, int line, const char *words)
{
    assert_false(load_text(text));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.items[0].file, "server.conf");
    assert_int_equal(problems.items[0].line, line);
    if (!strstr(problems.items[0].message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, problems.items[0].message);
}

static void an_empty_file_means_the_defaults(void **state)
{
    (void)state;
    assert_true(load_text(""));
    assert_string_equal(settings.name, "A Crafty server");
    assert_int_equal(settings.port, CRAFTY_SERVER_PORT);
    assert_int_equal(settings.tick_rate, 60);
    assert_int_equal(settings.snapshot_rate, 20);
    assert_int_equal(settings.metrics, 0);
    assert_string_equal(settings.metrics_bind, "127.0.0.1");
    assert_int_equal(settings.world_count, 1);
    assert_string_equal(settings.worlds[0].name, "World");
    assert_int_equal(settings.worlds[0].port, CRAFTY_SERVER_PORT);
}

static void every_default_is_valid(void **state)
{
    (void)state;
    char expected[CRAFTY_EXPECTED_BYTES];
    for (uint32_t i = 0; i < crafty_settings_count; i++) {
        const CraftySetting *setting = &crafty_settings_table[i];
        CraftyServerSettings into = {0};
        if (setting->standard &&
            !crafty_setting_read(setting, &into, cn_text(setting->standard), expected))
            fail_msg("%s.%s: expected %s", setting->section, setting->key, expected);
    }
}

static void the_default_file_has_the_defaults(void **state)
{
    (void)state;
    CnTextBuilder text;
    CraftyServerSettings defaults;
    cn_array_init(&text, NULL);
    assert_true(crafty_settings_write_defaults(&text));
    assert_true(load_text(""));
    defaults = settings;
    assert_true(load_text(text.items));
    defaults.worlds[0] = settings.worlds[0]; /* the file names the world */
    assert_memory_equal(&defaults, &settings, sizeof settings);
    for (uint32_t i = 0; i < crafty_settings_count; i++)
        assert_non_null(strstr(text.items, crafty_settings_table[i].key));
    cn_array_fini(&text);
}

static void values_have_units_quotes_and_comments(void **state)
{
    (void)state;
    assert_true(load_text("# first\r\n\n[server]\r\nname = \"A # \\\"b\\\" \\\\\" # comment\n"
                          "description = plain text # comment\n  bandwidth=64 KiB\n"
                          "[backups]\nevery = 90 min\n[saving]\nautosave = 1min\n"
                          "[game]\nmode = creative\nkeep_inventory = yes\n"));
    assert_string_equal(settings.name, "A # \"b\" \\");
    assert_string_equal(settings.description, "plain text");
    assert_int_equal(settings.bandwidth, 65536);
    assert_int_equal(settings.backup_every, 5400);
    assert_int_equal(settings.autosave, 60);
    assert_int_equal(settings.mode, 1);
    assert_int_equal(settings.keep_inventory, 1);
}

static void backups_can_be_switched_off(void **state)
{
    (void)state;
    assert_true(load_text("[backups]\nevery = never\n"));
    assert_int_equal(settings.backup_every, 0);
}

static void worlds_have_settings_of_their_own(void **state)
{
    (void)state;
    assert_true(load_text("[world Home]\nseed = glacier\nmax_players = 5\n"
                          "[game]\nmode = creative\n"
                          "[world Second world]\nstore = postgresql://crafty@/worlds\n"
                          "mode = survival\n"));
    assert_int_equal(settings.world_count, 2);
    assert_string_equal(settings.worlds[0].name, "Home");
    assert_string_equal(settings.worlds[0].seed, "glacier");
    assert_int_equal(settings.worlds[0].max_players, 5);
    assert_int_equal(settings.worlds[0].mode, 1); /* that of [game] */
    assert_string_equal(settings.worlds[1].name, "Second world");
    assert_true(crafty_settings_is_uri(settings.worlds[1].store));
    assert_int_equal(settings.worlds[1].mode, 2);
    assert_int_equal(settings.worlds[1].port, CRAFTY_SERVER_PORT + 1);
}

static void an_unknown_key_is_named_with_the_most_similar_one(void **state)
{
    (void)state;
    has_problem("[server]\n\nmax_plyers = 3\n", 3, "did you mean \"max_players\"?");
}

static void an_unknown_section_is_named_with_the_most_similar_one(void **state)
{
    (void)state;
    has_problem("[serber]\nx = 1\n", 1, "did you mean [server]?");
}

static void a_key_of_another_section_is_unknown(void **state)
{
    (void)state;
    has_problem("[network]\nmax_players = 3\n", 2, "unknown key \"max_players\" in [network]");
}

static void wrong_values_say_what_was_expected(void **state)
{
    (void)state;
    has_problem("[server]\nmax_players = many\n", 2,
                "expected a number from 1 to 2000, not \"many");
    has_problem("[server]\nmax_players = 0\n", 2, "expected a number from 1 to 2000, not \"0\"");
    has_problem("[server]\nmax_players = 99999999999999999999\n", 2, "expected a number");
    has_problem("[server]\nmax_players = 3 4\n", 2, "expected a number");
    has_problem("[server]\nmax_players =\n", 2, "expected a number");
    has_problem("[server]\nallow_list = maybe\n", 2, "expected on or off");
    has_problem("[game]\nmode = hard\n", 2, "expected spectator, creative or survival");
    has_problem("[game]\ndifficulty = none\n", 2, "expected peaceful or normal");
    has_problem("[saving]\nautosave = 5\n", 2, "such as \"30 s\"");
    has_problem("[saving]\nautosave = 5 weeks\n", 2, "such as \"30 s\"");
    has_problem("[saving]\nautosave = 0 s\n", 2, "a time from 1 s to 600 s");
    has_problem("[server]\nbandwidth = 1 kB\n", 2, "a size from 2000 to");
    has_problem("[network]\nbind = localhost\n", 2, "a numeric address");
    has_problem("[network]\nbind = 10.0.0.0/8\n", 2, "a numeric address");
    has_problem("[server]\nname = \"\"\n", 2, "1 to 64 characters");
    has_problem("[server]\nname = a\x1b[31m\n", 2, "without control characters");
    has_problem("[server]\nname = \xff\xfe\n", 2, "UTF-8");
}

static void lines_that_are_no_assignments_are_problems(void **state)
{
    (void)state;
    has_problem("name = x\n", 1, "expected a section");
    has_problem("[server]\nname\n", 2, "expected \"key = value\"");
    has_problem("[server\nname = x\n", 1, "expected ']'");
    has_problem("[server]\nname = \"x\n", 2, "expected a second quote");
    has_problem("[server]\nname = \"x\" y\n", 2, "nothing but a comment");
    has_problem("[world]\n", 1, "expected the name of a world");
    has_problem("[world .x]\n", 1, "expected the name of a world");
    has_problem("[world ../x]\n", 1, "expected the name of a world");
}

static void nothing_can_be_set_twice(void **state)
{
    (void)state;
    has_problem("[server]\nname = a\n[game]\n[server]\nname = b\n", 5, "name is set twice");
    has_problem("[world A]\nseed = 1\nseed = 2\n", 3, "seed is set twice");
    has_problem("[world A]\n[world a]\n", 2, "has a section already");
}

static void all_problems_are_reported_and_nothing_changes(void **state)
{
    (void)state;
    crafty_settings_defaults(&settings);
    CraftyServerSettings before = settings;
    assert_false(crafty_settings_read(
        &settings, "f", cn_text("[server]\nname = Good\nmax_players = x\ny = 1\n"), &problems));
    assert_int_equal(problems.count, 2);
    assert_memory_equal(&before, &settings, sizeof settings);
}

static void worlds_cannot_share_a_port(void **state)
{
    (void)state;
    has_problem("[world A]\n[world B]\nport = 25700\n", 0, "have the same port 25700");
}

static void there_are_at_most_sixteen_worlds(void **state)
{
    (void)state;
    char text[512] = "";
    for (uint32_t i = 0; i <= CRAFTY_SERVER_WORLDS; i++)
        cn_format(text + strlen(text), sizeof text - strlen(text), "[world %u]\n", i);
    has_problem(text, 17, "at most 16 worlds");
}

static void snapshots_are_not_faster_than_ticks(void **state)
{
    (void)state;
    has_problem("[server]\ntick_rate = 20\nsnapshot_rate = 30\n", 0, "above server.tick_rate");
}

static void the_command_line_sets_one_value(void **state)
{
    (void)state;
    CnError error = {0};
    crafty_settings_defaults(&settings);
    assert_true(crafty_settings_set(&settings, "network.port=4711", &error));
    assert_int_equal(settings.port, 4711);
    assert_false(crafty_settings_set(&settings, "network.prt=4711", &error));
    assert_false(crafty_settings_set(&settings, "network.port=x", &error));
    assert_false(crafty_settings_set(&settings, "port", &error));
    assert_false(crafty_settings_set(&settings, "world.seed=4", &error));
}

/* ---- Changes ---- */

static char changes[1024];

static void note(const char *name, bool is_live, void *user)
{
    (void)user;
    size_t size = strlen(changes);
    cn_format(changes + size, sizeof changes - size, "%s%s ", is_live ? "" : "!", name);
}

static const char *changes_to(const char *text)
{
    CraftyServerSettings current, fresh;
    assert_true(load_text("[world Home]\n"));
    current = settings;
    assert_true(load_text(text));
    fresh = settings;
    changes[0] = '\0';
    crafty_settings_apply(&current, &fresh, note, NULL);
    settings = current;
    return changes;
}

static void what_can_change_at_once_does(void **state)
{
    (void)state;
    assert_string_equal(changes_to("[server]\nname = New\nmax_players = 7\n[world Home]\n"),
                        "server.name server.max_players world Home.max_players ");
    assert_string_equal(settings.name, "New");
    assert_int_equal(settings.worlds[0].max_players, 7);
}

static void the_rest_is_named_and_stays(void **state)
{
    (void)state;
    assert_string_equal(changes_to("[network]\nport = 4711\n[world Home]\n"),
                        "!network.port !world Home.port ");
    assert_int_equal(settings.port, CRAFTY_SERVER_PORT);
    assert_string_equal(changes_to("[world Other]\n"), "!the list of worlds ");
    assert_string_equal(changes_to("[world Home]\n"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_file_means_the_defaults),
        cmocka_unit_test(every_default_is_valid),
        cmocka_unit_test(the_default_file_has_the_defaults),
        cmocka_unit_test(values_have_units_quotes_and_comments),
        cmocka_unit_test(backups_can_be_switched_off),
        cmocka_unit_test(worlds_have_settings_of_their_own),
        cmocka_unit_test(an_unknown_key_is_named_with_the_most_similar_one),
        cmocka_unit_test(an_unknown_section_is_named_with_the_most_similar_one),
        cmocka_unit_test(a_key_of_another_section_is_unknown),
        cmocka_unit_test(wrong_values_say_what_was_expected),
        cmocka_unit_test(lines_that_are_no_assignments_are_problems),
        cmocka_unit_test(nothing_can_be_set_twice),
        cmocka_unit_test(all_problems_are_reported_and_nothing_changes),
        cmocka_unit_test(worlds_cannot_share_a_port),
        cmocka_unit_test(there_are_at_most_sixteen_worlds),
        cmocka_unit_test(snapshots_are_not_faster_than_ticks),
        cmocka_unit_test(the_command_line_sets_one_value),
        cmocka_unit_test(what_can_change_at_once_does),
        cmocka_unit_test(the_rest_is_named_and_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
