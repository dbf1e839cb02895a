#include "vfs_fixture.h"
#include "zip_file.h"

#define MS UINT64_C(1000000)

static CnFileWatch *watch;
static CnFileChanges changes;

static int begin(void **state)
{
    int failed = make_fixture(state);
    watch = cn_file_watch_create(NULL, NULL);
    return failed || !watch ? -1 : 0;
}

static int end(void **state)
{
    cn_file_watch_destroy(watch);
    return drop_fixture(state);
}

static void watch_all(void)
{
    assert_ok(cn_vfs_watch(fixture.vfs, watch, &fixture.error));
}

/* Temporary files of cn_file_write_all are reported, too. */
static uint32_t look(void)
{
    static uint64_t now = 1000 * MS;
    cn_file_watch_poll(watch, now, &changes);
    now += 50 * MS;
    cn_file_watch_poll(watch, now, &changes);
    return changes.count;
}

static bool has(const char *path)
{
    for (uint32_t i = 0; i < changes.count; i++)
        if (!strcmp(changes.paths[i], path))
            return true;
    return false;
}

static void a_change_is_reported_with_its_virtual_path(void **state)
{
    (void)state;
    make_real_folder("inside/meshes");
    mount_real("assets", "inside", CN_MOUNT_READ);
    watch_all();
    write_real("inside/meshes/box.mesh", "box");
    look();
    assert_true(has("assets://meshes/box.mesh"));
}

static void a_file_of_a_project_is_reported_with_all_its_paths(void **state)
{
    (void)state;
    make_real_folder("inside/scripts");
    assert_ok(cn_vfs_mount_project(fixture.vfs, real("inside"), CN_ORIGIN_USER, &fixture.error));
    watch_all();
    write_real("inside/scripts/door.lua", "--");
    look();
    assert_true(has("project://scripts/door.lua"));
    assert_true(has("assets://scripts/door.lua"));
    assert_true(has("scripts://door.lua"));
}

static void a_file_below_a_prefix_is_reported_with_it(void **state)
{
    (void)state;
    make_real_folder("inside/lib");
    const CnMountDesc mount = {.scheme = "mods", .native = real("inside"), .prefix = "castle"};
    assert_ok(cn_vfs_mount_as(fixture.vfs, &mount, &fixture.error));
    watch_all();
    write_real("inside/lib/door.lua", "--");
    look();
    assert_true(has("mods://castle/lib/door.lua"));
}

static void what_is_not_mounted_is_not_reported(void **state)
{
    (void)state;
    mount_real("assets", "inside", CN_MOUNT_READ);
    watch_all();
    write_real("outside/x", "1");
    assert_int_equal(look(), 0);
}

static void an_archive_is_not_watched(void **state)
{
    (void)state;
    assert_true(zip_write(real("files.zip"), &(ZipEntry){.name = "a", .content = "1"}, 1));
    mount_real("assets", "files.zip", CN_MOUNT_READ);
    watch_all();
    assert_int_equal(cn_file_watch_folder_count(watch), 0);
}

static void mounting_and_unmounting_change_the_version(void **state)
{
    (void)state;
    uint32_t first = cn_vfs_version(fixture.vfs);
    mount_real("assets", "inside", CN_MOUNT_READ);
    uint32_t second = cn_vfs_version(fixture.vfs);
    assert_ok(cn_vfs_unmount(fixture.vfs, "assets", &fixture.error));
    assert_int_not_equal(first, second);
    assert_int_not_equal(second, cn_vfs_version(fixture.vfs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_change_is_reported_with_its_virtual_path, begin, end),
        cmocka_unit_test_setup_teardown(a_file_of_a_project_is_reported_with_all_its_paths, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_file_below_a_prefix_is_reported_with_it, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_mounted_is_not_reported, begin, end),
        cmocka_unit_test_setup_teardown(an_archive_is_not_watched, begin, end),
        cmocka_unit_test_setup_teardown(mounting_and_unmounting_change_the_version, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
