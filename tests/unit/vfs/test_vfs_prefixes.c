/* Mounts with a prefix: the files of several mods under one scheme. */
#include "vfs_fixture.h"

#include "zip_file.h"

static bool mount_at(const char *name, const char *prefix, CnMountMode mode)
{
    const CnMountDesc desc = {
        .scheme = "mods", .native = real(name), .prefix = prefix, .mode = mode};
    return cn_vfs_mount_as(fixture.vfs, &desc, &fixture.error);
}

static void files_appear_in_the_folder_of_the_prefix(void **state)
{
    (void)state;
    write_real("inside/a", "of the folder");
    assert_ok(mount_at("inside", "castle", CN_MOUNT_READ));
    assert_content("mods://castle/a", "of the folder");
    assert_false(read_any("mods://a"));
    assert_false(read_any("mods://castl/a"));
    assert_false(read_any("mods://castles/a"));
    assert_int_equal(fixture.error.code, CN_ERROR_NOT_FOUND);
}

static void archives_have_prefixes(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {{"walls/a", "packed", false}};
    assert_true(zip_write(real("mod.zip"), entries, CN_COUNT_OF(entries)));
    assert_ok(mount_at("mod.zip", "castle", CN_MOUNT_READ));
    assert_content("mods://castle/walls/a", "packed");
    assert_listing("mods://castle", "walls/ ");
}

static void the_root_lists_the_prefixes(void **state)
{
    (void)state;
    CnFileInfo info;
    write_real("inside/a", "a");
    write_real("outside/b", "b");
    assert_ok(mount_at("inside", "castle", CN_MOUNT_READ));
    assert_ok(mount_at("outside", "bees", CN_MOUNT_READ));
    assert_listing("mods://", "bees/ castle/ ");
    assert_listing("mods://castle", "a ");
    assert_ok(fixture.files->info(fixture.files, "mods://", &info, &fixture.error));
    assert_true(info.is_directory);
    assert_ok(fixture.files->info(fixture.files, "mods://bees", &info, &fixture.error));
    assert_true(info.is_directory);
    assert_refused(read_any("mods://"), CN_ERROR_IO, "it is a folder");
}

static void a_prefix_does_not_lead_out_of_its_mount(void **state)
{
    (void)state;
    write_real("inside/a", "a");
    write_real("outside/b", "b");
    assert_ok(mount_at("inside", "castle", CN_MOUNT_READ));
    assert_ok(mount_at("outside", "bees", CN_MOUNT_READ));
    assert_false(read_any("mods://castle/../bees/b"));
    assert_false(read_any("mods://castle/b"));
}

static void a_prefix_is_one_part_of_a_path(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "a/b", "..", ".", "a\\b", "a:", "a "};
    write_real("inside/a", "a");
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++)
        assert_refused(mount_at("inside", wrong[i], CN_MOUNT_READ), CN_ERROR_FORMAT, "prefix");
}

static void a_mount_for_writing_has_no_prefix(void **state)
{
    (void)state;
    write_real("inside/a", "a");
    assert_refused(mount_at("inside", "castle", CN_MOUNT_WRITE), CN_ERROR_UNSUPPORTED, "prefix");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_appear_in_the_folder_of_the_prefix),
        TEST(archives_have_prefixes),
        TEST(the_root_lists_the_prefixes),
        TEST(a_prefix_does_not_lead_out_of_its_mount),
        TEST(a_prefix_is_one_part_of_a_path),
        TEST(a_mount_for_writing_has_no_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
