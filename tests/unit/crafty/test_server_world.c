/* test-labels: threads */
/*
 * Worlds of a server: each runs on a thread of its own, with a network of its own; requests are
 * carried out between ticks; backups of worlds that are played.
 */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/server/backups.h>
#include <crafty/server/world_host.h>

#include <cairn/base/clock.h>
#include <cairn/base/file.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WAIT_NS UINT64_C(30000000000)

/* ---- A network that counts ---- */

typedef struct TestNetwork {
    _Atomic uint32_t before, after, replies, reloads;
    _Atomic int end; /* -1: not closed */
    uint32_t max_players;
    uint64_t fails_at; /* tick; 0: never */
    uint64_t first_tick;
    CraftySession *session;
    const CraftyWorldSettings *world;
} TestNetwork;

static TestNetwork networks[2];

static void *open_network(const CraftyServerNetworkDesc *desc, CnError *error)
{
    TestNetwork *network = &networks[desc->index];
    if (desc->world->port == 1) {
        cn_error_set(error, CN_ERROR_IO, "port 1 is in use");
        return NULL;
    }
    network->session = desc->session;
    network->first_tick = cn_sim_tick(crafty_session_sim(desc->session));
    network->world = desc->world;
    return network;
}

static bool before_tick(void *user, CnError *error)
{
    TestNetwork *network = user;
    atomic_fetch_add(&network->before, 1);
    return network->fails_at == 0 ||
           cn_sim_tick(crafty_session_sim(network->session)) < network->fails_at ||
           cn_error_set(error, CN_ERROR_IO, "the network fails");
}

static bool after_tick(void *user, CnError *error)
{
    TestNetwork *network = user;
    (void)error;
    atomic_fetch_add(&network->after, 1);
    return true;
}

static void reload_network(void *user)
{
    TestNetwork *network = user;
    network->max_players = network->world->max_players;
    atomic_fetch_add(&network->reloads, 1);
}

static uint32_t list_players(void *user, CraftyServerPlayer *players, uint32_t capacity)
{
    (void)user;
    (void)capacity;
    players[0] = (CraftyServerPlayer){.name = "Anna", .address = "192.0.2.7:1", .ping_ms = 40};
    return 1;
}

static bool kick_player(void *user, const CraftyAccount *id, const char *reason)
{
    (void)user;
    return id->key[0] == 7 && !strcmp(reason, "why");
}

static void reply_line(void *user, const CraftyAccount *id, const char *text)
{
    (void)id;
    (void)text;
    atomic_fetch_add(&((TestNetwork *)user)->replies, 1);
}

static void close_network(void *user, CraftyServerEnd end)
{
    atomic_store(&((TestNetwork *)user)->end, (int)end);
}

static const CraftyServerNetwork network_table = {.open = open_network,
                                                  .before_tick = before_tick,
                                                  .after_tick = after_tick,
                                                  .reload = reload_network,
                                                  .players = list_players,
                                                  .kick = kick_player,
                                                  .reply = reply_line,
                                                  .close = close_network};

/* ---- Fixture ---- */

static Scratch scratch;
static CraftyServerSettings settings;
static CraftyWorldMetrics metrics[2];
static CraftyWorldHost *hosts[2];
static CnTextBuilder reply;

static void state_changed(void *server)
{
    (void)server;
}

static int begin(void **state)
{
    (void)state;
    CraftySettingsProblems problems;
    scratch_init(&scratch);
    memset(metrics, 0, sizeof metrics);
    memset(networks, 0, sizeof networks);
    for (uint32_t i = 0; i < 2; i++) {
        atomic_store(&networks[i].end, -1);
        cn_format(metrics[i].name, sizeof metrics[i].name, i ? "B" : "A");
    }
    crafty_settings_defaults(&settings);
    if (!crafty_settings_read(&settings, NULL, cn_text("[world A]\nseed=5\n[world B]\nseed=6\n"),
                              &problems) ||
        !crafty_settings_finish(&settings, NULL, &problems))
        return 1;
    cn_array_init(&reply, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        if (!hosts[i])
            continue;
        crafty_world_host_stop(hosts[i], CRAFTY_SERVER_STOPS);
        crafty_world_host_destroy(hosts[i]);
        hosts[i] = NULL;
    }
    cn_array_fini(&reply);
    scratch_fini(&scratch);
    return 0;
}

static CraftyWorldHost *open_host(uint32_t index)
{
    CnError error = {0};
    char path[512];
    cn_format(path, sizeof path, "%s", scratch_path(&scratch, index ? "B.crafty" : "A.crafty"));
    hosts[index] = crafty_world_host_create(&(CraftyWorldHostDesc){.index = index,
                                                                   .settings = &settings,
                                                                   .path = path,
                                                                   .key_path = "",
                                                                   .no_mods = true,
                                                                   .metrics = &metrics[index],
                                                                   .network = &network_table,
                                                                   .state_changed = state_changed},
                                            &error);
    if (!hosts[index])
        fail_msg("%s", error.message);
    crafty_world_host_wait_opened(hosts[index]);
    return hosts[index];
}

static bool close_host(uint32_t index)
{
    crafty_world_host_stop(hosts[index], CRAFTY_SERVER_STOPS);
    bool saved = crafty_world_host_destroy(hosts[index]);
    hosts[index] = NULL;
    return saved;
}

static void wait_for_state(const CraftyWorldHost *host, CraftyWorldState state)
{
    uint64_t begin_ns = cn_clock_ns();
    while (crafty_world_host_state(host) != state && cn_clock_ns() < begin_ns + WAIT_NS)
        cn_clock_sleep_ns(1000000);
    assert_int_equal(crafty_world_host_state(host), state);
}

static void wait_for_count(_Atomic uint32_t *count, uint32_t wanted)
{
    uint64_t begin_ns = cn_clock_ns();
    while (atomic_load(count) < wanted && cn_clock_ns() < begin_ns + WAIT_NS)
        cn_clock_sleep_ns(1000000);
    assert_true(atomic_load(count) >= wanted);
}

/* ---- Worlds ---- */

static void the_network_surrounds_every_tick(void **state)
{
    (void)state;
    open_host(0);
    wait_for_count(&networks[0].after, 5);
    assert_true(close_host(0));
    assert_int_equal(networks[0].before, networks[0].after);
    assert_int_equal(networks[0].end, CRAFTY_SERVER_STOPS);
}

static void a_world_goes_on_where_it_was_closed(void **state)
{
    (void)state;
    open_host(0);
    wait_for_count(&networks[0].after, 5);
    assert_true(close_host(0));
    uint32_t ticks = networks[0].after;
    open_host(0);
    assert_int_equal(networks[0].first_tick, ticks);
}

static void a_world_that_fails_is_saved_and_leaves_the_others_alone(void **state)
{
    (void)state;
    networks[0].fails_at = 3;
    open_host(0);
    open_host(1);
    wait_for_state(hosts[0], CRAFTY_WORLD_FAILED);
    assert_string_equal(crafty_world_host_error(hosts[0]).message, "the network fails");
    assert_int_equal(networks[0].end, CRAFTY_SERVER_FAILED);
    assert_int_equal(metrics[0].saves, 1);
    assert_false(crafty_world_host_is_healthy(hosts[0]));
    uint32_t ticks = networks[1].after;
    wait_for_count(&networks[1].after, ticks + 5);
    assert_true(crafty_world_host_is_healthy(hosts[1]));
    assert_false(close_host(0));
    assert_true(close_host(1));
}

static void a_network_that_cannot_be_opened_closes_the_world(void **state)
{
    (void)state;
    settings.worlds[0].port = 1;
    open_host(0);
    wait_for_state(hosts[0], CRAFTY_WORLD_FAILED);
    assert_string_equal(crafty_world_host_error(hosts[0]).message, "port 1 is in use");
}

static void a_world_that_is_open_elsewhere_is_refused(void **state)
{
    (void)state;
    open_host(0);
    CraftyWorldHost *first = hosts[0];
    hosts[0] = NULL;
    open_host(0);
    wait_for_state(hosts[0], CRAFTY_WORLD_FAILED);
    assert_non_null(strstr(crafty_world_host_error(hosts[0]).message, "open in another"));
    crafty_world_host_stop(first, CRAFTY_SERVER_STOPS);
    assert_true(crafty_world_host_destroy(first));
}

/* ---- Sessions on threads ---- */

static void *run_session(void *user)
{
    uint64_t *seed_then_hash = user;
    CraftySession *session =
        crafty_session_create(&(CraftySessionDesc){.start = {.seed = *seed_then_hash,
                                                             .viewer = CRAFTY_VIEWER_WALKS,
                                                             .difficulty = CRAFTY_NORMAL,
                                                             .hours = 9.5f},
                                                   .finds_spawn = true,
                                                   .threads = 1},
                              NULL);
    *seed_then_hash = 0;
    if (session && cn_sim_tick_n(crafty_session_sim(session), 90, NULL))
        *seed_then_hash = cn_sim_hash(crafty_session_sim(session));
    crafty_session_destroy(session);
    return NULL;
}

static void worlds_on_threads_have_the_states_of_worlds_alone(void **state)
{
    (void)state;
    uint64_t alone[2] = {5, 6}, together[2] = {5, 6};
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; i++)
        run_session(&alone[i]);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_session, &together[i]), 0);
    for (uint32_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_true(alone[0] != 0 && alone[0] != alone[1]);
    assert_int_equal(together[0], alone[0]);
    assert_int_equal(together[1], alone[1]);
}

/* ---- Requests ---- */

static bool call(CraftyWorldRequest request)
{
    cn_array_clear(&reply);
    bool done = crafty_world_host_call(hosts[0], &request, &reply);
    cn_text_append(&reply, cn_text(""));
    return done;
}

static void a_line_is_answered_after_the_tick(void **state)
{
    (void)state;
    open_host(0);
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_LINE, .text = "/time set noon"}));
    assert_non_null(strstr(reply.items, "It is 12:00"));
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_LINE, .text = "/seed"}));
    assert_non_null(strstr(reply.items, "5"));
}

static void a_line_that_is_no_text_is_refused(void **state)
{
    (void)state;
    open_host(0);
    assert_false(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_LINE, .text = "\x1b[31m"}));
}

static void players_are_listed_and_removed(void **state)
{
    (void)state;
    open_host(0);
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_LIST}));
    assert_non_null(strstr(reply.items, "Anna  player  A  192.0.2.7:1  40 ms"));
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_KICK, .id = {{7}}, .text = "why"}));
    assert_false(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_KICK, .id = {{8}}, .text = "why"}));
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_REPLY, .text = "hello"}));
    assert_int_equal(networks[0].replies, 1);
}

static void settings_change_between_ticks(void **state)
{
    (void)state;
    open_host(0);
    settings.worlds[0].max_players = 99;
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_SETTINGS, .settings = &settings}));
    assert_int_equal(networks[0].max_players, 99);
}

static void a_save_is_durable_when_it_is_answered(void **state)
{
    (void)state;
    open_host(0);
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_SAVE}));
    assert_int_equal(metrics[0].saves, 1);
    assert_true(metrics[0].saved_at > 0);
}

static void a_world_that_does_not_run_answers_nothing(void **state)
{
    (void)state;
    open_host(0);
    crafty_world_host_stop(hosts[0], CRAFTY_SERVER_STOPS);
    wait_for_state(hosts[0], CRAFTY_WORLD_CLOSED);
    assert_false(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_SAVE}));
    assert_string_equal(reply.items, "the world A does not run\n");
}

/* ---- Backups ---- */

static void wait_for_backups(uint64_t wanted)
{
    uint64_t begin_ns = cn_clock_ns();
    while (atomic_load(&metrics[0].backups) + atomic_load(&metrics[0].backups_failed) < wanted &&
           cn_clock_ns() < begin_ns + WAIT_NS)
        cn_clock_sleep_ns(1000000);
}

static CraftyBackups *begin_backups(void)
{
    static char folder[300];
    cn_format(folder, sizeof folder, "%s", scratch.folder);
    CraftyBackups *backups = crafty_backups_create(&(CraftyBackupsDesc){.settings = &settings,
                                                                        .worlds_folder = folder,
                                                                        .hosts = hosts,
                                                                        .metrics = metrics,
                                                                        .count = 1},
                                                   NULL);
    assert_non_null(backups);
    return backups;
}

static void a_world_that_is_played_is_backed_up_and_the_copy_opens(void **state)
{
    (void)state;
    char folder[600];
    open_host(0);
    assert_true(call((CraftyWorldRequest){.kind = CRAFTY_WORLD_SAVE}));
    CraftyBackups *backups = begin_backups();
    crafty_backups_request(backups, 0);
    wait_for_backups(1);
    crafty_backups_destroy(backups);
    assert_int_equal(metrics[0].backups, 1);
    assert_true(metrics[0].backup_bytes > 0);
    cn_format(folder, sizeof folder, "%s/backups/scheduled", scratch.folder);
    assert_true(crafty_backups_newest(folder, "A") > 0);
    assert_int_equal(crafty_backups_newest(folder, "B"), 0);
}

static void a_backup_that_cannot_be_written_is_counted(void **state)
{
    (void)state;
    CnError error = {0};
    open_host(0);
    cn_format(settings.backup_folder, sizeof settings.backup_folder, "%s",
              scratch_path(&scratch, "file"));
    assert_true(cn_file_write_all(cn_native_files(), settings.backup_folder, "x", 1, &error));
    CraftyBackups *backups = begin_backups();
    crafty_backups_request(backups, 0);
    wait_for_backups(1);
    crafty_backups_destroy(backups);
    assert_int_equal(metrics[0].backups_failed, 1);
}

static void a_damaged_copy_is_found(void **state)
{
    (void)state;
    CnError error = {0};
    CnFileBytes bytes;
    const char *path = scratch_path(&scratch, "A.crafty");
    open_host(0);
    assert_true(close_host(0));
    assert_true(crafty_backup_verify(path, &error));
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error));
    memset(bytes.data + bytes.size / 2, 0x5a, 512);
    assert_true(cn_file_write_all(cn_native_files(), path, bytes.data, bytes.size, &error));
    cn_file_bytes_free(&bytes);
    assert_false(crafty_backup_verify(path, &error));
    assert_true(cn_file_write_all(cn_native_files(), path, "", 0, &error));
    assert_false(crafty_backup_verify(path, &error));
}

static void only_backups_of_the_world_are_removed(void **state)
{
    (void)state;
    static const char *const kept[] = {"A 2026-01-02 10-30-00.crafty",
                                       "A.crafty",
                                       "other.txt",
                                       "A 2026-01-01 09-00-00.txt",
                                       "A B 2026-01-01 09-00-00.crafty",
                                       "B 2026-01-01 09-00-00.crafty",
                                       "A 2026-01-01 09-00-00 (2).crafty"};
    static const char *const old[] = {"A 2026-01-02 10-00-00.crafty",
                                      "A 2026-01-01 09-00-00.crafty"};
    for (uint32_t i = 0; i < CN_COUNT_OF(kept); i++)
        cn_file_write_all(cn_native_files(), scratch_path(&scratch, kept[i]), "x", 1, NULL);
    for (uint32_t i = 0; i < CN_COUNT_OF(old); i++)
        cn_file_write_all(cn_native_files(), scratch_path(&scratch, old[i]), "x", 1, NULL);
    settings.keep_hourly = 1;
    settings.keep_daily = settings.keep_weekly = 0;
    assert_int_equal(crafty_backups_prune(scratch.folder, "A", &settings), 2);
    for (uint32_t i = 0; i < CN_COUNT_OF(kept); i++)
        assert_int_equal(access(scratch_path(&scratch, kept[i]), F_OK), 0);
    for (uint32_t i = 0; i < CN_COUNT_OF(old); i++)
        assert_int_not_equal(access(scratch_path(&scratch, old[i]), F_OK), 0);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(the_network_surrounds_every_tick),
        TEST(a_world_goes_on_where_it_was_closed),
        TEST(a_world_that_fails_is_saved_and_leaves_the_others_alone),
        TEST(a_network_that_cannot_be_opened_closes_the_world),
        TEST(a_world_that_is_open_elsewhere_is_refused),
        cmocka_unit_test(worlds_on_threads_have_the_states_of_worlds_alone),
        TEST(a_line_is_answered_after_the_tick),
        TEST(a_line_that_is_no_text_is_refused),
        TEST(players_are_listed_and_removed),
        TEST(settings_change_between_ticks),
        TEST(a_save_is_durable_when_it_is_answered),
        TEST(a_world_that_does_not_run_answers_nothing),
        TEST(a_world_that_is_played_is_backed_up_and_the_copy_opens),
        TEST(a_backup_that_cannot_be_written_is_counted),
        TEST(a_damaged_copy_is_found),
        TEST(only_backups_of_the_world_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
