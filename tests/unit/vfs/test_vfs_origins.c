/* Origins of mounts, and the budgets of their files. */
#include "vfs_fixture.h"

#include "zip_file.h"

static CnOrigin origin_of(const char *path)
{
    CnFileBytes bytes;
    assert_ok(cn_file_read_all(fixture.files, path, NULL, &bytes, &fixture.error));
    CnOrigin origin = bytes.budget->origin;
    cn_file_bytes_free(&bytes);
    return origin;
}

static bool mount_as(const char *scheme, const char *name, CnOrigin origin, const CnBudget *budget)
{
    const CnMountDesc desc = {
        .scheme = scheme, .native = real(name), .origin = origin, .budget = budget};
    return cn_vfs_mount_as(fixture.vfs, &desc, &fixture.error);
}

static void a_mount_without_an_origin_is_of_the_user(void **state)
{
    (void)state;
    write_real("inside/a", "a");
    mount_real("data", "inside", CN_MOUNT_READ);
    assert_int_equal(origin_of("data://a"), CN_ORIGIN_USER);
}

static void files_of_a_folder_have_the_origin_of_its_mount(void **state)
{
    (void)state;
    write_real("inside/a", "a");
    assert_ok(mount_as("own", "inside", CN_ORIGIN_TRUSTED, NULL));
    assert_ok(mount_as("mods", "inside", CN_ORIGIN_FOREIGN, NULL));
    assert_int_equal(origin_of("own://a"), CN_ORIGIN_TRUSTED);
    assert_int_equal(origin_of("mods://a"), CN_ORIGIN_FOREIGN);
}

static void files_of_an_archive_have_the_origin_of_its_mount(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {{"a", "packed", false}};
    assert_true(zip_write(real("mod.zip"), entries, CN_COUNT_OF(entries)));
    assert_ok(mount_as("mods", "mod.zip", CN_ORIGIN_FOREIGN, NULL));
    assert_int_equal(origin_of("mods://a"), CN_ORIGIN_FOREIGN);
}

/* A mod that replaces a file of the program does not become trusted by the scheme. */
static void a_file_has_the_origin_of_the_mount_where_it_is_found(void **state)
{
    (void)state;
    write_real("inside/a", "of the mod");
    write_real("outside/a", "of the program");
    write_real("outside/b", "of the program");
    assert_ok(mount_as("assets", "inside", CN_ORIGIN_FOREIGN, NULL));
    assert_ok(mount_as("assets", "outside", CN_ORIGIN_TRUSTED, NULL));
    assert_int_equal(origin_of("assets://a"), CN_ORIGIN_FOREIGN);
    assert_int_equal(origin_of("assets://b"), CN_ORIGIN_TRUSTED);
}

static void a_project_has_the_origin_it_was_mounted_with(void **state)
{
    (void)state;
    make_real_folder("inside/assets");
    write_real("inside/assets/a", "a");
    assert_ok(cn_vfs_mount_project(fixture.vfs, real("inside"), CN_ORIGIN_TRUSTED, NULL));
    assert_int_equal(origin_of("project://assets/a"), CN_ORIGIN_TRUSTED);
    assert_int_equal(origin_of("assets://a"), CN_ORIGIN_TRUSTED);
}

static void a_mount_may_have_its_own_budget(void **state)
{
    (void)state;
    CnBudget small = *cn_budget_of(CN_ORIGIN_FOREIGN);
    small.file_bytes = 3;
    write_real("inside/three", "123");
    write_real("inside/four", "1234");
    assert_ok(mount_as("mods", "inside", CN_ORIGIN_FOREIGN, &small));
    small.file_bytes = 0; /* it was copied */
    assert_true(read_any("mods://three"));
    assert_refused(read_any("mods://four"), CN_ERROR_LIMIT, "CnBudget.file_bytes");
}

static void an_archive_unpacks_to_what_its_budget_allows(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {{"a", "12345", false}, {"b", "67890", false}};
    assert_true(zip_write(real("mod.zip"), entries, CN_COUNT_OF(entries)));
    CnBudget small = *cn_budget_of(CN_ORIGIN_FOREIGN);
    small.unpacked_bytes = 10;
    assert_ok(mount_as("ten", "mod.zip", CN_ORIGIN_FOREIGN, &small));
    small.unpacked_bytes = 9;
    assert_refused(mount_as("nine", "mod.zip", CN_ORIGIN_FOREIGN, &small), CN_ERROR_LIMIT,
                   "CnBudget.unpacked_bytes");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mount_without_an_origin_is_of_the_user),
        TEST(files_of_a_folder_have_the_origin_of_its_mount),
        TEST(files_of_an_archive_have_the_origin_of_its_mount),
        TEST(a_file_has_the_origin_of_the_mount_where_it_is_found),
        TEST(a_project_has_the_origin_it_was_mounted_with),
        TEST(a_mount_may_have_its_own_budget),
        TEST(an_archive_unpacks_to_what_its_budget_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
