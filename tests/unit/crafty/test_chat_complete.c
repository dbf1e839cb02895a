/* Completion of command lines: which words are offered, and how one is inserted. */
#include "cmocka_tests.h"
#include "item_fixture.h"

#include <crafty/sim/chat_complete.h>

static CraftyItems *items;
static const uint32_t numbers[] = {1, 2};
static CraftyChatNames names;
static CraftyChatCompletion completion;

static int begin(void **state)
{
    (void)state;
    items = make_items(NULL);
    names = (CraftyChatNames){.items = items,
                              .blocks = standard_blocks(),
                              .players = numbers,
                              .role = CRAFTY_ROLE_OPERATOR,
                              .player_count = 2,
                              .sender = 1,
                              .has_aim = true,
                              .aim = {10, 64, -3}};
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_items_destroy(items);
    return 0;
}

/* At the end of the text. */
static void complete(const char *text)
{
    crafty_chat_complete(&names, text, (uint32_t)strlen(text), &completion);
}

static bool offers(const char *word)
{
    for (uint32_t i = 0; i < completion.count; i++)
        if (!strcmp(completion.words[i], word))
            return true;
    return false;
}

static void a_slash_offers_all_commands(void **state)
{
    (void)state;
    complete("/");
    assert_int_equal(completion.count, crafty_chat_command_count());
    assert_int_equal(completion.at, 1);
    assert_int_equal(completion.bytes, 0);
}

static void where_commands_are_forbidden_only_the_others_are_offered(void **state)
{
    (void)state;
    names.role = CRAFTY_ROLE_PLAYER;
    complete("/");
    names.role = CRAFTY_ROLE_OPERATOR;
    assert_true(offers("help"));
    assert_false(offers("tp") || offers("give") || offers("fill"));
    assert_true(completion.count > 0 && completion.count < crafty_chat_command_count());
}

static void words_that_begin_with_the_text_come_before_those_that_contain_it(void **state)
{
    (void)state;
    complete("/give ston");
    assert_string_equal(completion.words[0], "stone");
    assert_true(offers("cobblestone"));
    uint32_t first_inside = 0;
    while (!strncmp(completion.words[first_inside], "ston", 4))
        first_inside++;
    for (uint32_t i = first_inside; i < completion.count; i++)
        assert_true(strncmp(completion.words[i], "ston", 4) != 0);
}

static void all_forms_that_fit_offer_their_words(void **state)
{
    (void)state;
    complete("/give ");
    assert_true(completion.is_cut);
    complete("/give p");
    assert_true(offers("player1") && offers("player2"));
    complete("/time ");
    assert_int_equal(completion.count, 3);
    assert_true(offers("set") && offers("add") && offers("speed"));
}

static void coordinates_are_those_of_the_block_at_the_crosshair(void **state)
{
    (void)state;
    complete("/fill ");
    assert_string_equal(completion.words[0], "10");
    assert_string_equal(completion.words[1], "~");
    complete("/fill 10 64 ");
    assert_string_equal(completion.words[0], "-3");
    names.has_aim = false;
    complete("/fill ");
    assert_int_equal(completion.count, 1);
    names.has_aim = true;
}

static void blocks_biomes_modes_and_times_are_offered(void **state)
{
    (void)state;
    complete("/fill 0 0 0 1 1 1 wat");
    assert_true(offers("water"));
    complete("/fill 0 0 0 1 1 1 stone ");
    assert_true(completion.count == 1 && offers("replace"));
    complete("/locate ");
    assert_true(offers("village") && offers("desert"));
    complete("/gamemode s");
    assert_true(offers("survival") && offers("spectator"));
    complete("/time set ");
    assert_true(offers("noon"));
    complete("/weather li");
    assert_true(offers("light-rain"));
    complete("/help fi");
    assert_true(offers("fill"));
}

static void a_wrong_word_before_the_caret_offers_nothing(void **state)
{
    (void)state;
    complete("/fill 0 zero ");
    assert_int_equal(completion.count, 0);
    complete("/nonsense ");
    assert_int_equal(completion.count, 0);
    complete("hello pl");
    assert_int_equal(completion.count, 0);
    complete("");
    assert_int_equal(completion.count, 0);
}

static void the_usage_marks_the_word_that_is_typed(void **state)
{
    (void)state;
    complete("/give stone ");
    assert_string_equal(completion.usage, "/give item [count]");
    assert_int_equal(completion.usage_bytes, strlen("[count]"));
    assert_memory_equal(completion.usage + completion.usage_at, "[count]", 7);
    complete("/tp player2 ");
    assert_string_equal(completion.usage, "/tp player to_player");
}

static void a_word_replaces_the_one_at_the_caret(void **state)
{
    (void)state;
    char text[64] = "/give stuff 5";
    crafty_chat_complete(&names, text, 8, &completion); /* after "st" */
    assert_int_equal(completion.at, 6);
    assert_int_equal(completion.bytes, 5);
    uint32_t caret = crafty_chat_insert(&completion, 0, true, text, sizeof text);
    assert_string_equal(text, "/give stone 5");
    assert_int_equal(caret, 11);
}

static void a_final_word_is_followed_by_a_blank(void **state)
{
    (void)state;
    char text[64] = "/ti";
    complete(text);
    uint32_t caret = crafty_chat_insert(&completion, 0, true, text, sizeof text);
    assert_string_equal(text, "/time ");
    assert_int_equal(caret, 6);
}

static void a_word_that_does_not_fit_changes_nothing(void **state)
{
    (void)state;
    char text[9] = "/give st";
    complete(text);
    crafty_chat_insert(&completion, 0, true, text, sizeof text);
    assert_string_equal(text, "/give st");
    crafty_chat_insert(&completion, 9999, true, text, sizeof text);
    assert_string_equal(text, "/give st");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slash_offers_all_commands),
        cmocka_unit_test(where_commands_are_forbidden_only_the_others_are_offered),
        cmocka_unit_test(words_that_begin_with_the_text_come_before_those_that_contain_it),
        cmocka_unit_test(all_forms_that_fit_offer_their_words),
        cmocka_unit_test(coordinates_are_those_of_the_block_at_the_crosshair),
        cmocka_unit_test(blocks_biomes_modes_and_times_are_offered),
        cmocka_unit_test(a_wrong_word_before_the_caret_offers_nothing),
        cmocka_unit_test(the_usage_marks_the_word_that_is_typed),
        cmocka_unit_test(a_word_replaces_the_one_at_the_caret),
        cmocka_unit_test(a_final_word_is_followed_by_a_blank),
        cmocka_unit_test(a_word_that_does_not_fit_changes_nothing),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
