/* Connections that break exactly during a commit, by a relay between the store and the server. */
#include "store_fixture.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef enum Loss {
    LOSE_NOTHING,
    LOSE_ANSWER, /* the server executes the next COMMIT, but its answer does not arrive */
    LOSE_COMMIT, /* the next COMMIT does not arrive */
    LOSE_UNSEEN, /* as LOSE_ANSWER, but the server is not told that the connection is lost */
} Loss;

/* Serves one connection after the other. */
typedef struct Relay {
    Scratch scratch;
    pthread_t thread;
    int listener;
    int kept; /* a connection to the server that is not closed */
    atomic_int loss;
    atomic_bool ends;
} Relay;

static Relay relay;

static struct sockaddr_un address_in(const char *folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    cn_format(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", folder);
    return address;
}

static bool contains(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text) + 1) != NULL;
}

static bool pass(int from, int to, char *bytes, size_t capacity, size_t *size)
{
    ssize_t got = read(from, bytes, capacity);
    *size = got > 0 ? (size_t)got : 0;
    return got > 0 && (to < 0 || write(to, bytes, (size_t)got) == got);
}

/* Returns after the connection is to be lost, or has ended. */
static void relay_one(int client, int server)
{
    static char bytes[1 << 16];
    size_t size;
    struct pollfd ends[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    while (!atomic_load(&relay.ends)) {
        if (poll(ends, 2, 20) <= 0)
            continue;
        if (ends[1].revents && !pass(server, client, bytes, sizeof bytes, &size))
            return;
        if (!ends[0].revents)
            continue;
        if (!pass(client, -1, bytes, sizeof bytes, &size))
            return;
        int loss = contains(bytes, size, "COMMIT") ? atomic_exchange(&relay.loss, LOSE_NOTHING)
                                                   : LOSE_NOTHING;
        if (loss == LOSE_COMMIT || write(server, bytes, size) != (ssize_t)size)
            return;
        if (loss == LOSE_NOTHING)
            continue;
        pass(server, -1, bytes, sizeof bytes, &size); /* it was executed */
        if (loss == LOSE_UNSEEN)
            relay.kept = dup(server);
        return;
    }
}

static void *run_relay(void *data)
{
    (void)data;
    struct sockaddr_un address = address_in(postgres_server_folder());
    while (!atomic_load(&relay.ends)) {
        struct pollfd waiting = {relay.listener, POLLIN, 0};
        if (poll(&waiting, 1, 20) <= 0)
            continue;
        int client = accept(relay.listener, NULL, NULL);
        int server = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(server, (struct sockaddr *)&address, sizeof address) == 0)
            relay_one(client, server);
        close(client);
        close(server);
    }
    return NULL;
}

static int set_up(void **state)
{
    set_up_store(state);
    relay = (Relay){.kept = -1};
    scratch_init(&relay.scratch);
    struct sockaddr_un address = address_in(relay.scratch.folder);
    relay.listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(relay.listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(relay.listener, 8), 0);
    assert_int_equal(pthread_create(&relay.thread, NULL, run_relay, NULL), 0);
    cn_format(fixture.path, sizeof fixture.path, "postgresql://cairn@/postgres?host=%s&schema=%s",
              relay.scratch.folder, fixture.schema);
    open_store();
    return 0;
}

static int tear_down(void **state)
{
    close_store();
    atomic_store(&relay.ends, true);
    pthread_join(relay.thread, NULL);
    close(relay.listener);
    if (relay.kept >= 0)
        close(relay.kept);
    scratch_fini(&relay.scratch);
    return tear_down_store(state);
}

static void save_with(Loss loss, uint64_t expected_retries)
{
    long long before = postgres_server_number(fixture.schema, "SELECT commits FROM cairn");
    atomic_store(&relay.loss, loss);
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "saved");
    append_text(batch, "an edit");
    save_batch(batch);
    CnStoreStatus status;
    cn_store_status(fixture.store, &status);
    assert_int_equal(atomic_load(&relay.loss), LOSE_NOTHING); /* it happened */
    assert_true(status.retries == expected_retries);
    /* One transaction, whatever was lost. */
    assert_true(postgres_server_number(fixture.schema, "SELECT commits FROM cairn") == before + 1);
    assert_true(postgres_server_number(fixture.schema, "SELECT count(*)FROM l_edits") == 1);
    assert_string_equal(get_number(1), "saved");
    batch = new_batch();
    put_number(batch, 2, "goes on");
    save_batch(batch);
    reopen_store();
    assert_string_equal(get_number(2), "goes on");
}

static void a_commit_whose_answer_is_lost_is_not_repeated(void **state)
{
    (void)state;
    save_with(LOSE_ANSWER, 0);
}

static void a_commit_that_is_lost_is_repeated(void **state)
{
    (void)state;
    save_with(LOSE_COMMIT, 1);
}

/* The server would keep the lock of the lost session for hours. */
static void a_session_that_the_server_believes_in_is_ended(void **state)
{
    (void)state;
    save_with(LOSE_UNSEEN, 0);
}

#define relay_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        relay_test(a_commit_whose_answer_is_lost_is_not_repeated),
        relay_test(a_commit_that_is_lost_is_repeated),
        relay_test(a_session_that_the_server_believes_in_is_ended),
    };
    return run_store_tests_over_postgres(tests);
}
