/*
 * A session whose players type lines, for tests of the chat: include it once.
 *
 *     begin_chat();
 *     type("/time set noon");
 *     assert_string_equal(last_line()->text, "It is 12:00.");
 *     end_chat(NULL);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_CHAT_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_CHAT_FIXTURE_H

#include "cmocka_tests.h"

#include <crafty/replay/session.h>
#include <crafty/sim/chat.h>
#include <crafty/sim/chat_commands.h>
#include <crafty/sim/connection.h>

#define CHAT_MAX_LINES 64u
#define CHAT_SEED 42u

static CraftySession *chat_session;
static CnSim *chat_sim;
static CnWorld *chat_world;
static CraftyConnection *chat_connection;
static CnEventReader *chat_reader;
static CraftyChatLine chat_lines[CHAT_MAX_LINES]; /* of the last ticks */
static uint32_t chat_count;

static inline void begin_chat_as(uint32_t player, CraftyViewer viewer)
{
    CnError error = {0};
    CraftySessionDesc desc = {.start = {.seed = CHAT_SEED,
                                        .viewer = viewer,
                                        .pose = {.position = {8.5f, 120, 8.5f}},
                                        .hours = 9.5f,
                                        .players = 2},
                              .threads = 1};
    chat_session = crafty_session_create(&desc, &error);
    if (!chat_session)
        fail_msg("%s", error.message);
    chat_sim = crafty_session_sim(chat_session);
    chat_world = cn_sim_world(chat_sim);
    chat_connection = crafty_connection_create(chat_world, player, NULL);
    chat_reader = cn_event_reader_create(cn_channel(chat_world, CraftyChatLine), NULL);
    assert_true(chat_connection && chat_reader);
}

static inline void begin_chat(void)
{
    begin_chat_as(CRAFTY_FIRST_PLAYER, CRAFTY_VIEWER_FLIES);
}

static inline int end_chat(void **state)
{
    (void)state;
    cn_event_reader_destroy(chat_reader);
    crafty_connection_destroy(chat_connection);
    crafty_session_destroy(chat_session);
    chat_session = NULL;
    return 0;
}

/* Runs ticks and keeps the lines that were sent meanwhile. */
static inline void chat_ticks(uint64_t ticks)
{
    chat_count = 0;
    for (uint64_t i = 0; i < ticks; i++) {
        assert_true(cn_sim_tick_n(chat_sim, 1, NULL));
        for (const CraftyChatLine *line; (line = cn_read_next(chat_reader, CraftyChatLine));)
            if (chat_count < CHAT_MAX_LINES)
                chat_lines[chat_count++] = *line;
    }
}

static inline bool send_line(CraftyConnection *connection, const char *text)
{
    CraftyCommand command = {.kind = CRAFTY_COMMAND_CHAT};
    cn_copy_text(command.text, sizeof command.text, cn_text(text));
    return crafty_connection_send_command(connection, &command);
}

/* Types a line and runs ticks until another one is allowed. */
static inline void type(const char *text)
{
    assert_true(send_line(chat_connection, text));
    chat_ticks(1);
    CraftyChatLine lines[CHAT_MAX_LINES];
    uint32_t count = chat_count;
    memcpy(lines, chat_lines, sizeof lines);
    chat_ticks(CRAFTY_CHAT_TICKS);
    for (uint32_t i = 0; i < chat_count && count < CHAT_MAX_LINES; i++)
        lines[count++] = chat_lines[i];
    memcpy(chat_lines, lines, sizeof lines);
    chat_count = count;
}

static inline const CraftyChatLine *last_line(void)
{
    assert_true(chat_count > 0);
    return &chat_lines[chat_count - 1];
}

static inline CnEntity chat_player(uint32_t number)
{
    CnQuery *players =
        cn_query_acquire(chat_world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, NULL);
    assert_non_null(players);
    CnEntity found = crafty_player_find(players, number);
    cn_query_release(players);
    return found;
}

#endif
