/* The parser of command lines: forms, errors with their place, and the table of commands. */
#include "cmocka_tests.h"
#include "item_fixture.h"

#include <crafty/sim/chat_parse.h>
#include <crafty/sim/weather_kind.h>

#include <cairn/base/file.h>

static CraftyItems *items;
static CraftyCreatureKinds *creatures;
static const uint32_t numbers[] = {1, 2};
static CraftyChatNames names;
static CraftyChatParse parse;

static int begin(void **state)
{
    (void)state;
    items = make_items(NULL);
    creatures = crafty_creature_kinds_create(NULL, NULL);
    assert_true(crafty_creature_kinds_read(
        creatures, items, "test",
        cn_text("{\"creatures\": [{\"name\": \"duck\", \"number\": 1, \"size\": [1, 1]},"
                " {\"name\": \"wolf\", \"number\": 2, \"size\": [1, 1]}]}"),
        NULL));
    names = (CraftyChatNames){.items = items,
                              .creatures = creatures,
                              .blocks = standard_blocks(),
                              .players = numbers,
                              .role = CRAFTY_ROLE_OPERATOR,
                              .player_count = 2,
                              .sender = 1};
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_creature_kinds_destroy(creatures);
    crafty_items_destroy(items);
    return 0;
}

static void accepts(const char *text, CraftyChatAction action)
{
    if (!crafty_chat_parse(&names, text, &parse))
        fail_msg("%s: %s", text, parse.error);
    assert_int_equal(parse.command->forms[parse.form].action, action);
}

/* `word` is the wrong one; "" if words are missing. */
static void refuses(const char *text, const char *word, const char *error)
{
    assert_false(crafty_chat_parse(&names, text, &parse));
    assert_string_equal(parse.error, error);
    assert_int_equal(parse.bytes, strlen(word));
    assert_memory_equal(text + parse.at, word, strlen(word));
    assert_int_equal(parse.is_incomplete, !word[0]);
}

static void every_example_is_a_valid_line_of_its_command(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        const CraftyChatCommand *command = crafty_chat_command_at(i);
        assert_non_null(command->examples[0]);
        for (uint32_t k = 0; k < CN_COUNT_OF(command->examples) && command->examples[k]; k++) {
            if (!crafty_chat_parse(&names, command->examples[k], &parse))
                fail_msg("%s: %s", command->examples[k], parse.error);
            assert_ptr_equal(parse.command, command);
        }
        if (command->common)
            assert_true(crafty_chat_parse(&names, command->common, &parse));
    }
}

static void commands_are_in_alphabetical_order_and_have_forms(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        const CraftyChatCommand *command = crafty_chat_command_at(i);
        assert_true(command->form_count > 0 && command->form_count <= CRAFTY_CHAT_MAX_FORMS);
        assert_true(!i || strcmp(crafty_chat_command_at(i - 1)->name, command->name) < 0);
    }
}

static void every_usage_fits_and_every_action_has_a_form(void **state)
{
    (void)state;
    bool has[CRAFTY_CHAT_ACTION_COUNT] = {0};
    char usage[CRAFTY_CHAT_USAGE_BYTES];
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        const CraftyChatCommand *command = crafty_chat_command_at(i);
        for (uint32_t k = 0; k < command->form_count; k++) {
            has[command->forms[k].action] = true;
            assert_true(strlen(crafty_chat_usage(command, k, usage)) < sizeof usage - 1);
        }
    }
    for (uint32_t i = 0; i < CRAFTY_CHAT_ACTION_COUNT; i++)
        assert_true(has[i] || i == CRAFTY_CHAT_MOD);
}

static void the_usage_shows_optional_words_in_brackets(void **state)
{
    (void)state;
    char usage[CRAFTY_CHAT_USAGE_BYTES];
    const CraftyChatCommand *give = crafty_chat_command_find(cn_text("give"));
    assert_string_equal(crafty_chat_usage(give, 1, usage), "/give player item [count]");
}

static bool is_documented(CnText manual, const char *text)
{
    char escaped[512] = "";
    for (size_t i = 0, size = 0; text[i] && size + 3 < sizeof escaped; i++) {
        if (text[i] == '|') /* in a table */
            escaped[size++] = '\\';
        escaped[size++] = text[i];
    }
    return memmem(manual.data, manual.size, escaped, strlen(escaped)) != NULL;
}

static void the_manual_has_every_usage_explanation_and_example(void **state)
{
    (void)state;
    CnFileBytes bytes;
    char usage[CRAFTY_CHAT_USAGE_BYTES];
    assert_true(cn_file_read_all(cn_native_files(), "docs/crafty.md", NULL, &bytes, NULL));
    CnText manual = {(const char *)bytes.data, bytes.size};
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        const CraftyChatCommand *command = crafty_chat_command_at(i);
        if (!is_documented(manual, command->help))
            fail_msg("docs/crafty.md lacks: %s", command->help);
        for (uint32_t k = 0; k < command->form_count; k++)
            if (!is_documented(manual, crafty_chat_usage(command, k, usage)))
                fail_msg("docs/crafty.md lacks: %s", usage);
        for (uint32_t k = 0; k < CN_COUNT_OF(command->examples) && command->examples[k]; k++)
            if (!is_documented(manual, command->examples[k]))
                fail_msg("docs/crafty.md lacks: %s", command->examples[k]);
    }
    cn_file_bytes_free(&bytes);
}

static void a_form_is_found_by_its_words(void **state)
{
    (void)state;
    accepts("/time", CRAFTY_CHAT_TIME_SHOW);
    accepts("/time set 14:30", CRAFTY_CHAT_TIME_SET);
    assert_true(parse.words[1].number == 14.5);
    accepts("/give stone", CRAFTY_CHAT_GIVE);
    accepts("/give player2 stone 5", CRAFTY_CHAT_GIVE_OTHER);
    assert_int_equal(parse.words[0].id, 2);
    assert_int_equal(parse.words[1].id, crafty_items_find(items, "stone"));
    assert_true(parse.words[2].number == 5);
    accepts("/tp 1 2 3", CRAFTY_CHAT_TP_CELL);
    accepts("/tp 1 2", CRAFTY_CHAT_TP_COLUMN);
    accepts("/tp player2", CRAFTY_CHAT_TP_PLAYER);
    accepts("/tp me player2", CRAFTY_CHAT_TP_OTHER);
    accepts("  /tp   player2  1 2 3  ", CRAFTY_CHAT_TP_OTHER_CELL);
}

static void coordinates_may_be_relative_and_have_fractions(void **state)
{
    (void)state;
    accepts("/tp ~ ~-1.5 12", CRAFTY_CHAT_TP_CELL);
    assert_true(parse.words[0].is_relative && parse.words[0].number == 0);
    assert_true(parse.words[1].is_relative && parse.words[1].number == -1.5);
    assert_true(!parse.words[2].is_relative && parse.words[2].is_whole &&
                parse.words[2].number == 12);
}

static void the_text_of_say_is_the_rest_of_the_line(void **state)
{
    (void)state;
    accepts("/say  Dinner   is ready ", CRAFTY_CHAT_SAY);
    assert_int_equal(parse.words[0].at, 6);
    assert_int_equal(parse.words[0].bytes, strlen("Dinner   is ready"));
}

static void errors_name_the_wrong_word_and_what_is_expected(void **state)
{
    (void)state;
    refuses("/tiem set noon", "/tiem", "There is no command /tiem; did you mean /time?");
    refuses("/qqqqqqqq", "/qqqqqqqq", "There is no command /qqqqqqqq; /help lists all");
    refuses("/give stoen", "stoen", "Expected an item or a player; did you mean stone?");
    refuses("/fill 0 0 0 1 1 1 stoen", "stoen", "There is no block stoen; did you mean stone?");
    refuses("/give stone 0", "0", "Expected a whole number, from 1 to 2304");
    refuses("/give stone 1.5", "1.5", "Expected a whole number, from 1 to 2304");
    refuses("/time xyzzy noon", "xyzzy", "Expected set, add or speed");
    refuses("/time set 25:00", "25:00", "Expected a time such as noon or 14:30");
    refuses("/tp 1 2000 3", "2000", "Expected a height from -128 to 1000, or one such as ~5");
    refuses("/weather reign", "reign", "Expected a kind of weather");
    refuses("/kill player7", "player7", "There is no player player7");
    refuses("/seed now", "now", "There is one word too many: now");
}

static void an_incomplete_line_says_what_is_missing(void **state)
{
    (void)state;
    refuses("/give", "", "Expected an item or a player");
    refuses("/time set", "", "Expected a time such as noon or 14:30");
    refuses("/fill 0 0 0 1 1", "", "Expected a coordinate such as 10 or ~5");
    refuses("/say", "", "Expected a text");
}

static void a_suggestion_is_made_where_one_kind_of_word_is_possible(void **state)
{
    (void)state;
    refuses("/locate dessert", "dessert", "Expected a biome or village; did you mean desert?");
    refuses("/help tiem", "tiem", "There is no command tiem; did you mean time?");
}

static void numbers_are_bounded_and_strict(void **state)
{
    (void)state;
    static const char *const wrong[] = {"/tp 1e9 2 3",       "/tp 123456789 2 3", "/tp 1. 2 3",
                                        "/tp .5 2 3",        "/tp ~~ 2 3",        "/tp 0x10 2 3",
                                        "/tp 1.12345 2 3",   "/tp - 2 3",         "/tp +5 2 3",
                                        "/tp 9000000 2 3",   "/tp nan 2 3",       "/tp inf 2 3",
                                        "/time set 12:5",    "/time set 7:60",    "/time set -1:00",
                                        "/time speed 10001", "/time add 241"};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++)
        if (crafty_chat_parse(&names, wrong[i], &parse))
            fail_msg("%s was accepted", wrong[i]);
}

static void the_console_is_not_me(void **state)
{
    (void)state;
    names.sender = 0;
    assert_false(crafty_chat_parse(&names, "/kill me", &parse));
    accepts("/kill player1", CRAFTY_CHAT_KILL);
    names.sender = 1;
}

static void text_without_a_slash_is_no_command(void **state)
{
    (void)state;
    assert_false(crafty_chat_parse(&names, "hello", &parse));
    assert_null(parse.command);
    assert_false(crafty_chat_parse(&names, "", &parse));
    assert_false(crafty_chat_parse(&names, "/", &parse));
}

static void items_that_only_the_palette_names_are_refused(void **state)
{
    (void)state;
    CraftyItems *old = make_items("philosophers_stone");
    CraftyChatNames other = names;
    other.items = old;
    assert_false(crafty_chat_parse(&other, "/give philosophers_stone", &parse));
    crafty_items_destroy(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_is_a_valid_line_of_its_command),
        cmocka_unit_test(commands_are_in_alphabetical_order_and_have_forms),
        cmocka_unit_test(every_usage_fits_and_every_action_has_a_form),
        cmocka_unit_test(the_usage_shows_optional_words_in_brackets),
        cmocka_unit_test(the_manual_has_every_usage_explanation_and_example),
        cmocka_unit_test(a_form_is_found_by_its_words),
        cmocka_unit_test(coordinates_may_be_relative_and_have_fractions),
        cmocka_unit_test(the_text_of_say_is_the_rest_of_the_line),
        cmocka_unit_test(errors_name_the_wrong_word_and_what_is_expected),
        cmocka_unit_test(an_incomplete_line_says_what_is_missing),
        cmocka_unit_test(a_suggestion_is_made_where_one_kind_of_word_is_possible),
        cmocka_unit_test(numbers_are_bounded_and_strict),
        cmocka_unit_test(the_console_is_not_me),
        cmocka_unit_test(text_without_a_slash_is_no_command),
        cmocka_unit_test(items_that_only_the_palette_names_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
