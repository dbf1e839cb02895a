/* Worlds of servers in files and in a database. */
#include "cmocka_tests.h"
#include "postgres_server.h"
#include "scratch.h"

#include <crafty/save/save.h>
#include <crafty/server/world_store.h>

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

static Scratch scratch;
static CnError error;
static CraftySave *save;
static char uri[512];

static int set_up(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    error = (CnError){0};
    scratch_init(&scratch);
    return 0;
}

static int set_up_server(void **state)
{
    static uint32_t schemas;
    char schema[32];
    set_up(state);
    if (!postgres_server_start()) {
        cannot_run("PostgreSQL server");
        return 0;
    }
    cn_format(schema, sizeof schema, "castle_%u", ++schemas);
    postgres_server_uri(schema, uri, sizeof uri);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    crafty_save_close(save);
    save = NULL;
    scratch_fini(&scratch);
    return 0;
}

static int stop_server(void **state)
{
    (void)state;
    postgres_server_stop();
    return 0;
}

static void open_world(const char *path, const char *name)
{
    save =
        crafty_world_store_open(&(CraftySaveDesc){.path = path, .name = name, .seed = 7}, &error);
    if (!save)
        fail_msg("%s", error.message);
}

static void assert_refused(CraftySave *refused, CnErrorCode code, const char *part)
{
    assert_null(refused);
    if (error.code != code || !strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    error = (CnError){0};
}

static void a_path_is_a_file_in_a_folder_that_is_created(void **state)
{
    (void)state;
    const char *path = scratch_path(&scratch, "worlds/Home.crafty");
    assert_false(crafty_world_store_is_remote(path));
    open_world(path, NULL);
    assert_string_equal(crafty_save_identity(save)->name, "Home");
}

static void a_new_world_in_a_database_has_the_name_of_its_schema(void **state)
{
    (void)state;
    assert_true(crafty_world_store_is_remote(uri));
    open_world(uri, NULL);
    assert_true(crafty_save_is_new(save));
    assert_string_equal(crafty_save_identity(save)->name, strrchr(uri, '=') + 1);
    assert_int_equal(crafty_save_identity(save)->seed, 7);
}

static void a_new_world_in_a_database_may_be_named(void **state)
{
    (void)state;
    open_world(uri, "My World");
    assert_string_equal(crafty_save_identity(save)->name, "My World");
}

static void a_world_in_a_database_opens_only_once(void **state)
{
    (void)state;
    open_world(uri, NULL);
    CraftySave *second = crafty_world_store_open(&(CraftySaveDesc){.path = uri}, &error);
    assert_refused(second, CN_ERROR_PERMISSION, "open in another program");
}

static void a_uri_without_a_schema_is_refused(void **state)
{
    (void)state;
    CraftySaveDesc desc = {.path = "postgresql://host/db"};
    assert_refused(crafty_world_store_open(&desc, &error), CN_ERROR_FORMAT, "schema=name");
}

static void programs_without_the_backend_refuse_databases(void **state)
{
    (void)state;
    CraftySaveDesc desc = {.path = "postgresql://host/db?schema=a"};
    assert_refused(crafty_save_open(&desc, &error), CN_ERROR_UNSUPPORTED, "crafty-server");
}

#define file_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define database_test(name) cmocka_unit_test_setup_teardown(name, set_up_server, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        file_test(a_path_is_a_file_in_a_folder_that_is_created),
        database_test(a_new_world_in_a_database_has_the_name_of_its_schema),
        database_test(a_new_world_in_a_database_may_be_named),
        database_test(a_world_in_a_database_opens_only_once),
        file_test(a_uri_without_a_schema_is_refused),
        file_test(programs_without_the_backend_refuse_databases),
    };
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
