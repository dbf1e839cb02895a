/* Paths of stores in PostgreSQL: what they name and what is refused. */
#include "cmocka_tests.h"

#include <cairn/postgres.h>

#include <string.h>

static CnError error;
static char schema[CN_POSTGRES_SCHEMA_BYTES];

static void accept(const char *uri, const char *expected)
{
    if (!cn_postgres_uri_schema(uri, schema, &error))
        fail_msg("%s: %s", uri, error.message);
    assert_string_equal(schema, expected);
}

static void refuse(const char *uri, const char *part)
{
    assert_false(cn_postgres_uri_schema(uri, schema, &error));
    if (!strstr(error.message, part))
        fail_msg("%s: \"%s\" does not say \"%s\"", uri, error.message, part);
}

static void uris_are_distinguished_from_files(void **state)
{
    (void)state;
    assert_true(cn_postgres_is_uri("postgresql://host/db?schema=a"));
    assert_true(cn_postgres_is_uri("postgres://"));
    assert_false(cn_postgres_is_uri("postgresql"));
    assert_false(cn_postgres_is_uri("/home/postgresql://"));
}

static void a_schema_may_be_anywhere_in_the_query(void **state)
{
    (void)state;
    accept("postgresql://host/db?schema=home", "home");
    accept("postgresql:///db?schema=home_2&host=/run/postgresql", "home_2");
    accept("postgresql:///db?host=/run/postgresql&schema=h&application_name=x", "h");
    accept("postgres://?schema=0", "0");
}

static void a_uri_without_a_schema_is_refused(void **state)
{
    (void)state;
    refuse("postgresql://host/db", "names a schema of a-z");
    refuse("postgresql://host/db?schema=", "names a schema of a-z");
    refuse("postgresql://host/db?xschema=a", "names a schema of a-z");
}

static void only_one_schema_is_named(void **state)
{
    (void)state;
    refuse("postgresql://host/db?schema=a&schema=b", "more than one schema");
}

static void schemas_that_would_need_quotes_are_refused(void **state)
{
    (void)state;
    refuse("postgresql://h/d?schema=a\"b", "names a schema of a-z");
    refuse("postgresql://h/d?schema=a;DROP", "names a schema of a-z");
    refuse("postgresql://h/d?schema=a%22", "names a schema of a-z");
    refuse("postgresql://h/d?schema=Home", "names a schema of a-z");
    refuse("postgresql://h/d?schema=a\nb", "names a schema of a-z");
    refuse("postgresql://h/d?schema=\xc3\xa4", "names a schema of a-z");
}

static void schemas_of_the_server_are_refused(void **state)
{
    (void)state;
    refuse("postgresql://h/d?schema=pg_catalog", "does not begin with pg_");
    refuse("postgresql://h/d?schema=information_schema", "names a schema of a-z");
}

static void a_schema_has_at_most_63_characters(void **state)
{
    (void)state;
    char uri[128] = "postgresql://h/d?schema=";
    size_t start = strlen(uri);
    memset(uri + start, 'a', 63);
    accept(uri, uri + start);
    uri[start + 63] = 'a';
    refuse(uri, "names a schema of a-z");
}

static void passwords_are_refused_and_not_repeated(void **state)
{
    (void)state;
    static const char *const uris[] = {
        "postgresql://me:secret@host/db?schema=a",
        "postgresql://host/db?password=secret&schema=a",
        "postgresql://host/db?schema=a&sslpassword=secret",
    };
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        refuse(uris[i], "contains a password");
        assert_null(strstr(error.message, "secret"));
    }
}

static void malformed_uris_are_refused(void **state)
{
    (void)state;
    refuse("postgresql://host/db?nonsense=1&schema=a", "is not valid");
    refuse("postgresql://ho%zzst/db?schema=a", "is not valid");
    refuse("postgresql://[::1/db?schema=a", "is not valid");
    refuse("file.crafty", "begins with postgresql://");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uris_are_distinguished_from_files),
        cmocka_unit_test(a_schema_may_be_anywhere_in_the_query),
        cmocka_unit_test(a_uri_without_a_schema_is_refused),
        cmocka_unit_test(only_one_schema_is_named),
        cmocka_unit_test(schemas_that_would_need_quotes_are_refused),
        cmocka_unit_test(schemas_of_the_server_are_refused),
        cmocka_unit_test(a_schema_has_at_most_63_characters),
        cmocka_unit_test(passwords_are_refused_and_not_repeated),
        cmocka_unit_test(malformed_uris_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
