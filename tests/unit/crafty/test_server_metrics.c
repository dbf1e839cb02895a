/* test-labels: threads */
/* Metrics of the server: histograms, the text for Prometheus, HTTP. */
#include "cmocka_tests.h"

#include <crafty/server/http_request.h>
#include <crafty/server/metrics_server.h>

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static CraftyServerMetrics metrics;

static int begin(void **state)
{
    (void)state;
    memset(&metrics, 0, sizeof metrics);
    metrics.world_count = 1;
    cn_format(metrics.worlds[0].name, sizeof metrics.worlds[0].name, "Home");
    return 0;
}

/* ---- Histograms ---- */

static void percentiles_are_upper_bounds(void **state)
{
    (void)state;
    CraftyHistogram histogram = {0};
    assert_int_equal(crafty_histogram_percentile(&histogram, 50), 0);
    for (uint32_t i = 0; i < 99; i++)
        crafty_histogram_add(&histogram, 900000);
    crafty_histogram_add(&histogram, 40000000);
    assert_int_equal(crafty_histogram_percentile(&histogram, 50), 1000000);
    assert_int_equal(crafty_histogram_percentile(&histogram, 99), 1000000);
    assert_int_equal(crafty_histogram_percentile(&histogram, 100), 50000000);
}

static void a_bound_belongs_to_its_bucket(void **state)
{
    (void)state;
    CraftyHistogram histogram = {0};
    crafty_histogram_add(&histogram, 250000);
    assert_int_equal(histogram.counts[0], 1);
    crafty_histogram_add(&histogram, 250001);
    assert_int_equal(histogram.counts[1], 1);
    crafty_histogram_add(&histogram, UINT64_MAX / 2);
    assert_int_equal(histogram.counts[CRAFTY_HISTOGRAM_BUCKETS], 1);
}

/* ---- Text ---- */

static CnTextBuilder text;

static bool writes(const char *words)
{
    cn_array_init(&text, NULL);
    assert_true(crafty_metrics_write(&metrics, &text));
    bool found = strstr(text.items, words);
    cn_array_fini(&text);
    return found;
}

static void counters_have_the_world_as_label(void **state)
{
    (void)state;
    atomic_store(&metrics.worlds[0].players, 7);
    atomic_store(&metrics.worlds[0].refused[CRAFTY_SERVER_REFUSED_BANNED], 3);
    assert_true(writes("# TYPE crafty_players gauge\ncrafty_players{world=\"Home\"} 7\n"));
    assert_true(writes("crafty_connections_refused_total{world=\"Home\",reason=\"banned\"} 3\n"));
}

static void buckets_are_cumulative(void **state)
{
    (void)state;
    crafty_histogram_add(&metrics.worlds[0].tick, 300000);
    crafty_histogram_add(&metrics.worlds[0].tick, 3000000);
    assert_true(writes("crafty_tick_seconds_bucket{world=\"Home\",le=\"0.0005\"} 1\n"));
    assert_true(writes("crafty_tick_seconds_bucket{world=\"Home\",le=\"0.004\"} 2\n"));
    assert_true(writes("crafty_tick_seconds_bucket{world=\"Home\",le=\"+Inf\"} 2\n"));
    assert_true(writes("crafty_tick_seconds_count{world=\"Home\"} 2\n"));
    assert_true(writes("crafty_tick_seconds_sum{world=\"Home\"} 0.003300000\n"));
}

static void memory_has_tags(void **state)
{
    (void)state;
    crafty_metrics_set_memory(&metrics.worlds[0], "blocks", 5);
    crafty_metrics_set_memory(&metrics.worlds[0], "light", 1);
    crafty_metrics_set_memory(&metrics.worlds[0], "light", 4096);
    assert_true(writes("crafty_memory_bytes{world=\"Home\",tag=\"light\"} 4096\n"));
}

static void names_of_worlds_are_escaped(void **state)
{
    (void)state;
    cn_format(metrics.worlds[0].name, sizeof metrics.worlds[0].name, "a\"\\\n");
    assert_true(writes("crafty_players{world=\"a\\\"\\\\\\\\n\"} 0\n"));
}

/* ---- Requests ---- */

static CraftyHttpRequest request;

static CraftyHttpState reads(const char *bytes)
{
    return crafty_http_read(bytes, strlen(bytes), &request);
}

static void a_request_has_method_and_path(void **state)
{
    (void)state;
    assert_int_equal(reads("GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\n\r\n"), CRAFTY_HTTP_COMPLETE);
    assert_true(request.is_get);
    assert_string_equal(request.path, "/metrics");
    assert_int_equal(reads("HEAD / HTTP/1.0\n\n"), CRAFTY_HTTP_COMPLETE);
    assert_true(request.is_head);
    assert_int_equal(reads("POST / HTTP/1.1\r\n\r\n"), CRAFTY_HTTP_COMPLETE);
    assert_false(request.is_get || request.is_head);
}

static void a_part_of_a_request_is_incomplete(void **state)
{
    (void)state;
    const char *whole = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
    for (size_t size = 0; size < strlen(whole); size++)
        assert_int_equal(crafty_http_read(whole, size, &request), CRAFTY_HTTP_INCOMPLETE);
}

static void other_bytes_are_malformed(void **state)
{
    (void)state;
    assert_int_equal(reads("GET /metrics\r\n\r\n"), CRAFTY_HTTP_MALFORMED);
    assert_int_equal(reads("GET metrics HTTP/1.1\r\n\r\n"), CRAFTY_HTTP_MALFORMED);
    assert_int_equal(reads("GET  / HTTP/1.1\r\n\r\n"), CRAFTY_HTTP_MALFORMED);
    assert_int_equal(reads("GET / HTTP/2\r\n\r\n"), CRAFTY_HTTP_MALFORMED);
    assert_int_equal(reads("\r\n\r\n"), CRAFTY_HTTP_MALFORMED);
}

static void a_path_that_is_too_long_is_none_of_ours(void **state)
{
    (void)state;
    char bytes[256] = "GET /";
    memset(bytes + 5, 'a', 100);
    strcpy(bytes + 105, " HTTP/1.1\r\n\r\n");
    assert_int_equal(reads(bytes), CRAFTY_HTTP_COMPLETE);
    assert_string_equal(request.path, "");
}

/* ---- The server ---- */

static CraftyMetricsServer *server;
static bool is_healthy = true;

static bool health(void *user)
{
    (void)user;
    return is_healthy;
}

static int begin_server(void **state)
{
    CnError error = {0};
    begin(state);
    server = crafty_metrics_server_create(
        &(CraftyMetricsServerDesc){
            .metrics = &metrics, .bind = "127.0.0.1", .is_healthy = health, .timeout_ms = 300},
        &error);
    return server ? 0 : 1;
}

static int end_server(void **state)
{
    (void)state;
    crafty_metrics_server_destroy(server);
    return 0;
}

static int open_connection(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)crafty_metrics_server_port(server)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(file, (struct sockaddr *)&address, sizeof address), 0);
    return file;
}

/* Sends bytes and receives until the server closes the connection. */
static const char *answer_to(const char *bytes)
{
    static char answer[65536];
    size_t size = 0;
    int file = open_connection();
    assert_int_equal(send(file, bytes, strlen(bytes), MSG_NOSIGNAL), strlen(bytes));
    for (ssize_t got; (got = recv(file, answer + size, sizeof answer - 1 - size, 0)) > 0;)
        size += (size_t)got;
    answer[size] = '\0';
    close(file);
    return answer;
}

static void metrics_are_served(void **state)
{
    (void)state;
    const char *answer = answer_to("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(cn_text_starts_with(cn_text(answer), cn_text("HTTP/1.1 200 OK\r\n")));
    assert_non_null(strstr(answer, "\r\n\r\n# HELP crafty_build_info"));
}

static void health_is_a_status(void **state)
{
    (void)state;
    assert_non_null(strstr(answer_to("GET /health HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 "));
    is_healthy = false;
    assert_non_null(strstr(answer_to("GET /health HTTP/1.1\r\n\r\n"), "HTTP/1.1 503 "));
    is_healthy = true;
}

static void other_requests_get_an_error(void **state)
{
    (void)state;
    assert_non_null(strstr(answer_to("GET /other HTTP/1.1\r\n\r\n"), "HTTP/1.1 404 "));
    assert_non_null(strstr(answer_to("POST /metrics HTTP/1.1\r\n\r\n"), "HTTP/1.1 405 "));
    assert_non_null(strstr(answer_to("nonsense\r\n\r\n"), "HTTP/1.1 400 "));
}

static void slow_connections_are_closed_and_block_nobody(void **state)
{
    (void)state;
    int slow[CRAFTY_METRICS_CONNECTIONS + 4];
    char byte;
    for (uint32_t i = 0; i < CN_COUNT_OF(slow); i++) {
        slow[i] = open_connection();
        assert_int_equal(send(slow[i], "GET", 3, MSG_NOSIGNAL), 3);
    }
    assert_non_null(strstr(answer_to("GET /health HTTP/1.1\r\n\r\n"), "HTTP/1.1 200 "));
    for (uint32_t i = 0; i < CN_COUNT_OF(slow); i++) {
        assert_true(recv(slow[i], &byte, 1, 0) <= 0);
        close(slow[i]);
    }
}

static void a_port_in_use_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(crafty_metrics_server_create(
        &(CraftyMetricsServerDesc){
            .metrics = &metrics, .bind = "127.0.0.1", .port = crafty_metrics_server_port(server)},
        &error));
    assert_non_null(strstr(error.message, "listen for metrics on"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(percentiles_are_upper_bounds, begin),
        cmocka_unit_test_setup(a_bound_belongs_to_its_bucket, begin),
        cmocka_unit_test_setup(counters_have_the_world_as_label, begin),
        cmocka_unit_test_setup(buckets_are_cumulative, begin),
        cmocka_unit_test_setup(memory_has_tags, begin),
        cmocka_unit_test_setup(names_of_worlds_are_escaped, begin),
        cmocka_unit_test(a_request_has_method_and_path),
        cmocka_unit_test(a_part_of_a_request_is_incomplete),
        cmocka_unit_test(other_bytes_are_malformed),
        cmocka_unit_test(a_path_that_is_too_long_is_none_of_ours),
        cmocka_unit_test_setup_teardown(metrics_are_served, begin_server, end_server),
        cmocka_unit_test_setup_teardown(health_is_a_status, begin_server, end_server),
        cmocka_unit_test_setup_teardown(other_requests_get_an_error, begin_server, end_server),
        cmocka_unit_test_setup_teardown(slow_connections_are_closed_and_block_nobody, begin_server,
                                        end_server),
        cmocka_unit_test_setup_teardown(a_port_in_use_is_an_error, begin_server, end_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
