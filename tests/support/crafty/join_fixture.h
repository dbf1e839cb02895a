/*
 * A session that begins without players, as that of a server, whose host lets players join: include
 * it once.
 *
 *     begin_host();
 *     uint32_t ada = joined(account_of(1), "Ada");
 *     leave(ada);
 *     end_host(NULL);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_JOIN_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_JOIN_FIXTURE_H

#include "cmocka_tests.h"

#include <crafty/replay/session.h>
#include <crafty/sim/connection.h>
#include <crafty/sim/join.h>
#include <crafty/sim/player_index.h>
#include <crafty/sim/rules.h>
#include <crafty/sim/vitals.h>

#include <string.h>

#define HOST_SEED 42u

static CraftySession *host_session;
static CnSim *host_sim;
static CnWorld *host_world;
static CraftyConnection *host;
static CnEventReader *host_reader;
static CraftyPresence host_last; /* the last event of the last tick */

static inline void begin_host_as(const CraftyStart *start, uint32_t threads)
{
    CnError error = {0};
    CraftySessionDesc desc = {.start = *start, .threads = threads};
    host_session = crafty_session_create(&desc, &error);
    if (!host_session)
        fail_msg("%s", error.message);
    host_sim = crafty_session_sim(host_session);
    host_world = cn_sim_world(host_sim);
    host = crafty_connection_create(host_world, CRAFTY_CONSOLE, NULL);
    host_reader = cn_event_reader_create(cn_channel(host_world, CraftyPresence), NULL);
    assert_true(host && host_reader);
}

static inline CraftyStart host_start(CraftyPlayerMode mode)
{
    return (CraftyStart){.seed = HOST_SEED,
                         .viewer = CRAFTY_VIEWER_NONE,
                         .pose = {.position = {8.5f, 200, 8.5f}},
                         .mode = mode,
                         .hours = 9.5f};
}

static inline void begin_host(void)
{
    CraftyStart start = host_start(CRAFTY_MODE_SURVIVAL);
    begin_host_as(&start, 1);
}

static inline int end_host(void **state)
{
    (void)state;
    cn_event_reader_destroy(host_reader);
    crafty_connection_destroy(host);
    crafty_session_destroy(host_session);
    host_session = NULL;
    return 0;
}

static inline void host_ticks(uint64_t ticks)
{
    host_last = (CraftyPresence){.kind = CRAFTY_PRESENCE_KIND_COUNT};
    for (uint64_t i = 0; i < ticks; i++)
        assert_true(cn_sim_tick_n(host_sim, 1, NULL));
    for (const CraftyPresence *event; (event = cn_read_next(host_reader, CraftyPresence));)
        host_last = *event;
}

static inline CraftyAccount account_of(uint32_t person)
{
    CraftyAccount account = {{0}};
    for (uint32_t i = 0; i < CRAFTY_ACCOUNT_KEY_BYTES; i++)
        account.key[i] = (uint8_t)(person * 31 + i * (person >> 8 | 1));
    memcpy(account.key, &person, sizeof person);
    return account;
}

static inline CraftyHostCommand join_command(CraftyAccount account, const char *name)
{
    CraftyHostCommand command = {.kind = CRAFTY_HOST_JOIN, .account = account};
    cn_copy_text(command.name, sizeof command.name, cn_text(name));
    return command;
}

/* Returns the number, or 0 if it was refused: see host_last.reason. */
static inline uint32_t join_with(const CraftyHostCommand *command)
{
    assert_true(crafty_connection_send_host(host, command));
    host_ticks(1);
    return host_last.kind == CRAFTY_PRESENCE_JOINED ? host_last.player : 0;
}

static inline uint32_t try_join(CraftyAccount account, const char *name)
{
    CraftyHostCommand command = join_command(account, name);
    return join_with(&command);
}

static inline uint32_t joined(CraftyAccount account, const char *name)
{
    uint32_t number = try_join(account, name);
    if (!number)
        fail_msg("%s cannot join: %s", name,
                 crafty_join_refusal_text((CraftyJoinRefusal)host_last.reason));
    return number;
}

static inline void leave(uint32_t number)
{
    assert_true(crafty_connection_send_host(
        host, &(CraftyHostCommand){.kind = CRAFTY_HOST_LEAVE, .player = number}));
    host_ticks(1);
}

static inline CnEntity host_player(uint32_t number)
{
    return crafty_player_by_number(host_world, number);
}

#endif
