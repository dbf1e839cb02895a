/*
 * 100,000 lines of random bytes, random words and changed examples: none crashes or takes long,
 * answers never contain control characters, and a refused line changes nothing. The test makes its
 * lines from a seed, so it always types the same ones.
 */
#include "chat_fixture.h"
#include "random.h"

#include <crafty/sim/chat_complete.h>
#include <crafty/sim/chat_run.h>
#include <crafty/sim/vitals.h>

#define LINES 100000u
#define LINES_A_TICK 20u

static const char *const words[] = {
    "/fill",       "/give",   "/tp",      "/time",    "/locate", "/gamemode", "/undo", "/redo",
    "/clear",      "/help",   "/say",     "/list",    "/seed",   "/weather",  "/kill", "/heal",
    "/spawnpoint", "player1", "player2",  "me",       "stone",   "glass",     "air",   "water",
    "torch",       "replace", "set",      "add",      "speed",   "noon",      "12:30", "-5:00",
    "~",           "~1",      "~-3.5",    "0",        "1",       "-7",        "64",    "99999999",
    "1e9",         "~~",      "creative", "survival", "village", "desert",    "rain",  "\xc3\xa4",
    "%s%n",        "\\x1b",   "//",       "/"};

static void add_word(char *text, size_t text_bytes, TestRandom *random)
{
    size_t size = strlen(text);
    cn_format(text + size, text_bytes - size, "%s%s", size ? " " : "",
              words[test_random_below(random, CN_COUNT_OF(words))]);
}

/* Changes bytes of an example: replaces, removes and doubles some. */
static void change(char *text, TestRandom *random)
{
    for (uint32_t i = 1 + test_random_below(random, 3); i > 0; i--) {
        size_t size = strlen(text), at = test_random_below(random, (uint32_t)size);
        if (!size)
            return;
        switch (test_random_below(random, 4)) {
        case 0:
            text[at] = (char)(32 + test_random_below(random, 95));
            break;
        case 1:
            memmove(text + at, text + at + 1, size - at);
            break;
        case 2:
            if (size + 2 < CRAFTY_COMMAND_TEXT_BYTES)
                memmove(text + at + 1, text + at, size - at + 1);
            break;
        default:
            text[at] = (char)('0' + test_random_below(random, 10));
        }
    }
}

static void make_line(char text[CRAFTY_COMMAND_TEXT_BYTES], TestRandom *random)
{
    memset(text, 0, CRAFTY_COMMAND_TEXT_BYTES);
    uint32_t kind = test_random_below(random, 3);
    if (kind == 0) {
        for (uint32_t i = test_random_below(random, CRAFTY_COMMAND_TEXT_BYTES); i > 0; i--)
            text[i - 1] = (char)test_random_below(random, 256);
        text[0] = test_random_chance(random, 50) ? '/' : text[0];
    } else if (kind == 1) {
        for (uint32_t i = 1 + test_random_below(random, 12); i > 0; i--)
            add_word(text, CRAFTY_COMMAND_TEXT_BYTES, random);
    } else {
        const CraftyChatCommand *command =
            crafty_chat_command_at(test_random_below(random, crafty_chat_command_count()));
        const char *example = command->examples[test_random_below(random, 3)];
        cn_copy_text(text, CRAFTY_COMMAND_TEXT_BYTES,
                     cn_text(example ? example : command->examples[0]));
        if (test_random_chance(random, 80))
            change(text, random);
    }
}

/* What commands change. */
typedef struct Seen {
    uint64_t blocks;
    CraftyPlayer players[2];
    CnTransform places[2];
    CraftyVitals vitals[2];
} Seen;

static Seen see(const CnEntity players[2])
{
    Seen seen = {.blocks = cn_voxels_hash(crafty_world_voxels(crafty_session_world(chat_session)))};
    for (uint32_t i = 0; i < 2; i++) {
        seen.players[i] = *cn_get(chat_world, players[i], CraftyPlayer);
        seen.places[i] = *cn_get(chat_world, players[i], CnTransform);
        seen.vitals[i] = *cn_get(chat_world, players[i], CraftyVitals);
    }
    return seen;
}

static bool is_plain(const char *text)
{
    char escaped[2 * CRAFTY_CHAT_LINE_BYTES];
    return !strcmp(cn_text_escape(cn_text(text), escaped, sizeof escaped), text);
}

/* Reads the answers to a line. Returns whether one is an error. */
static bool read_answers(void)
{
    bool is_error = false;
    uint32_t count = 0;
    for (const CraftyChatLine *line; (line = cn_read_next(chat_reader, CraftyChatLine)); count++) {
        assert_true(memchr(line->text, 0, sizeof line->text) != NULL);
        assert_true(line->text[0] && is_plain(line->text));
        assert_true(line->kind < CRAFTY_CHAT_KIND_COUNT);
        assert_true(line->at + line->bytes < CRAFTY_COMMAND_TEXT_BYTES);
        is_error |= line->kind == CRAFTY_CHAT_ERROR;
    }
    assert_true(count > 0 && count < 16);
    return is_error;
}

static void complete(const CnQuery *query, const char *text, TestRandom *random)
{
    static CraftyChatCompletion completion;
    char copy[CRAFTY_COMMAND_TEXT_BYTES];
    CraftyChatNames all = crafty_chat_names(chat_world, query, 1);
    crafty_chat_complete(&all, text, test_random_below(random, CRAFTY_COMMAND_TEXT_BYTES),
                         &completion);
    assert_true(completion.at + completion.bytes <= strlen(text));
    memcpy(copy, text, sizeof copy);
    if (completion.count)
        crafty_chat_insert(&completion, test_random_below(random, completion.count), true, copy,
                           sizeof copy);
    assert_true(memchr(copy, 0, sizeof copy) != NULL);
}

static void no_line_crashes_and_refused_ones_change_nothing(void **state)
{
    (void)state;
    TestRandom random = {20};
    uint32_t refused = 0, carried_out = 0, invalid = 0;
    begin_chat_as(CRAFTY_FIRST_PLAYER, CRAFTY_VIEWER_WALKS);
    CnQuery *query =
        cn_query_acquire(chat_world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, NULL);
    CnEntity players[2] = {chat_player(1), chat_player(2)};
    for (uint32_t i = 0; i < LINES; i++) {
        CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT,
                                 .sender = test_random_chance(&random, 10) ? 0 : 1};
        make_line(command.text, &random);
        if (!crafty_command_valid(&command)) {
            invalid++;
            continue;
        }
        if (i % 8 == 0)
            complete(query, command.text, &random);
        Seen before = see(players);
        if (cn_text_trim(cn_text(command.text)).data[0] != '/')
            continue;
        crafty_chat_run(chat_world, query, command.sender, command.text);
        Seen after = see(players);
        bool is_refused = read_answers();
        if (is_refused)
            assert_memory_equal(&before, &after, sizeof before);
        refused += is_refused;
        carried_out += !is_refused;
        if (i % LINES_A_TICK == 0) {
            assert_true(cn_sim_tick_n(chat_sim, 1, NULL));
            while (cn_event_reader_next(chat_reader)) /* searches that are over */
                continue;
        }
    }
    assert_true(refused > LINES / 10 && carried_out > LINES / 50 && invalid > LINES / 10);
    cn_query_release(query);
    end_chat(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_line_crashes_and_refused_ones_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
