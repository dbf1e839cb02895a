/* Text of addresses, keys and simulated conditions. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/net.h>

#include <string.h>
#include <sys/stat.h>

static Scratch scratch;

static int set_up(void **state)
{
    (void)state;
    scratch_init(&scratch);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

/* ---- Addresses ---- */

static void assert_address(const char *text, const char *expected)
{
    CnNetAddress address;
    char written[CN_NET_ADDRESS_TEXT_BYTES];
    CnError error = {0};
    if (!cn_net_address_parse(cn_text(text), &address, &error))
        fail_msg("'%s': %s", text, error.message);
    assert_string_equal(cn_net_address_text(&address, written), expected);
}

static void test_addresses_are_read_and_written(void **state)
{
    (void)state;
    assert_address("127.0.0.1:4500", "127.0.0.1:4500");
    assert_address("127.0.0.1", "127.0.0.1:0");
    assert_address("[2001:db8::1]:65535", "[2001:db8::1]:65535");
    assert_address("2001:db8::1", "[2001:db8::1]:0");
    assert_address("[::1]", "[::1]:0");
    assert_address("[::ffff:10.0.0.1]:7", "10.0.0.1:7");
    assert_address("[fe80::1%3]:7", "[fe80::1%3]:7");
}

static void test_malformed_addresses_are_errors_that_name_them(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",       ":1",       "localhost:1", "1.2.3.4:65536", "1.2.3",    "[::1",
        "[::1]x", "1.2.3.4:", "[::1]:",      "1.2.3.4:+1",    "[::1%]:1", "256.1.1.1:1"};
    for (size_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnNetAddress address = {.port = 99};
        CnError error = {0};
        if (cn_net_address_parse(cn_text(wrong[i]), &address, &error))
            fail_msg("'%s' was accepted", wrong[i]);
        assert_int_equal(address.port, 99);
        assert_non_null(strstr(error.message, wrong[i]));
    }
}

static void test_resolving_adds_the_default_port(void **state)
{
    (void)state;
    CnNetAddress address;
    assert_true(cn_net_address_resolve(cn_text("127.0.0.1"), 4500, &address, NULL));
    assert_int_equal(address.port, 4500);
    assert_true(cn_net_address_resolve(cn_text("127.0.0.1:81"), 4500, &address, NULL));
    assert_int_equal(address.port, 81);
}

/* ---- Keys ---- */

static void test_a_key_file_is_created_and_read_again(void **state)
{
    (void)state;
    const char *path = scratch_path(&scratch, "server.key");
    CnNetKey *first = cn_net_key_open(path, NULL), *second = cn_net_key_open(path, NULL);
    assert_non_null(first);
    assert_non_null(second);
    assert_true(cn_net_key_id_equal(cn_net_key_id(first), cn_net_key_id(second)));
    assert_int_equal(scratch_count(&scratch), 1);
    cn_net_key_destroy(first);
    cn_net_key_destroy(second);
}

static void test_only_the_owner_can_read_a_key_file(void **state)
{
    (void)state;
    struct stat info;
    const char *path = scratch_path(&scratch, "server.key");
    cn_net_key_destroy(cn_net_key_open(path, NULL));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void test_a_key_file_that_others_can_read_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    const char *path = scratch_path(&scratch, "server.key");
    cn_net_key_destroy(cn_net_key_open(path, NULL));
    assert_int_equal(chmod(path, 0644), 0);
    assert_null(cn_net_key_open(path, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(error.message, "chmod 600"));
}

static void test_a_damaged_key_file_is_an_error_and_stays(void **state)
{
    (void)state;
    CnError error = {0};
    CnFileBytes bytes;
    const char *path = scratch_path(&scratch, "server.key");
    assert_true(cn_file_write_all(cn_native_files(), path, "no key", 6, NULL));
    assert_int_equal(chmod(path, 0600), 0);
    assert_null(cn_net_key_open(path, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
    assert_memory_equal(bytes.data, "no key", 6);
    cn_file_bytes_free(&bytes);
}

static void test_a_key_in_a_missing_folder_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_net_key_open(scratch_path(&scratch, "none/server.key"), &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void test_every_new_key_is_another(void **state)
{
    (void)state;
    CnNetKey *a = cn_net_key_create(NULL), *b = cn_net_key_create(NULL);
    assert_false(cn_net_key_id_equal(cn_net_key_id(a), cn_net_key_id(b)));
    cn_net_key_destroy(a);
    cn_net_key_destroy(b);
}

static void test_key_ids_are_written_and_read(void **state)
{
    (void)state;
    char text[CN_NET_KEY_TEXT_BYTES];
    CnNetKeyId id = {{1, 2, 0xff}}, read = {{0}};
    assert_true(cn_net_key_id_parse(cn_text(cn_net_key_id_text(&id, text)), &read));
    assert_true(cn_net_key_id_equal(&id, &read));
    text[63] = 'g';
    assert_false(cn_net_key_id_parse(cn_text(text), &read));
    assert_false(cn_net_key_id_parse(cn_text("00"), &read));
}

/* ---- Conditions ---- */

static void test_all_conditions_are_read(void **state)
{
    (void)state;
    CnNetConditions c;
    assert_true(cn_net_conditions_parse(
        cn_text("latency=200, jitter=50ms,loss=5%,duplicate=0.02,reorder=4%,bandwidth=10Mbit,"
                "outage=5s-15s,seed=7"),
        &c, NULL));
    assert_int_equal(c.latency_ms, 200);
    assert_int_equal(c.jitter_ms, 50);
    assert_true(c.loss == 0.05f && c.duplicates == 0.02f && c.reordering == 0.04f);
    assert_int_equal(c.bandwidth_bytes, 1250000);
    assert_int_equal(c.outage_from_ms, 5000);
    assert_int_equal(c.outage_to_ms, 15000);
    assert_int_equal(c.seed, 7);
}

static void test_malformed_conditions_are_errors_and_change_nothing(void **state)
{
    (void)state;
    static const char *const wrong[] = {"latency",    "latency=",         "latency=-1",
                                        "latency=5x", "speed=1",          "loss=101%",
                                        "loss=1.5",   "bandwidth=10",     "bandwidth=0Mbit",
                                        "outage=5s",  "outage=9s-5s",     "seed=1s",
                                        "=",          "latency=99999999", "jitter=."};
    for (size_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnNetConditions conditions = {.latency_ms = 3};
        CnError error = {0};
        if (cn_net_conditions_parse(cn_text(wrong[i]), &conditions, &error))
            fail_msg("'%s' was accepted", wrong[i]);
        assert_int_equal(conditions.latency_ms, 3);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void test_an_empty_text_means_no_conditions(void **state)
{
    (void)state;
    static const CnNetConditions none;
    CnNetConditions conditions = {.latency_ms = 3};
    assert_true(cn_net_conditions_parse(cn_text(""), &conditions, NULL));
    assert_memory_equal(&conditions, &none, sizeof none);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_addresses_are_read_and_written),
        TEST(test_malformed_addresses_are_errors_that_name_them),
        TEST(test_resolving_adds_the_default_port),
        TEST(test_a_key_file_is_created_and_read_again),
        TEST(test_only_the_owner_can_read_a_key_file),
        TEST(test_a_key_file_that_others_can_read_is_an_error),
        TEST(test_a_damaged_key_file_is_an_error_and_stays),
        TEST(test_a_key_in_a_missing_folder_is_an_error),
        TEST(test_every_new_key_is_another),
        TEST(test_key_ids_are_written_and_read),
        TEST(test_all_conditions_are_read),
        TEST(test_malformed_conditions_are_errors_and_change_nothing),
        TEST(test_an_empty_text_means_no_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
