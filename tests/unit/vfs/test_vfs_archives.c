#include "vfs_fixture.h"

#include "zip_file.h"

#include <stdio.h>

#include <physfs.h>

static const ZipEntry entries[] = {
    {"meshes/box.mesh", "box", false},
    {"meshes/", "", false},
    {"meshes/low/box.mesh", "low", false},
    {"both", "of the archive", false},
    {"empty", "", false},
    {"numbers", "0123456789", false},
};

static int mount_archive(void **state)
{
    if (make_fixture(state) != 0)
        return -1;
    assert_true(zip_write(real("game.zip"), entries, CN_COUNT_OF(entries)));
    mount_real("assets", "game.zip", CN_MOUNT_READ);
    return 0;
}

static void a_file_in_an_archive_is_read(void **state)
{
    (void)state;
    assert_content("assets://meshes/box.mesh", "box");
    assert_content("assets://meshes/low/box.mesh", "low");
    assert_content("assets://empty", "");
}

static void what_is_not_in_the_archive_is_not_found(void **state)
{
    (void)state;
    assert_refused(read_any("assets://none"), CN_ERROR_NOT_FOUND, "there is no");
    assert_refused(read_any("assets://meshes/none"), CN_ERROR_NOT_FOUND, "there is no");
    assert_refused(read_any("assets://both/none"), CN_ERROR_NOT_FOUND, "there is no");
    assert_refused(read_any("assets://BOTH"), CN_ERROR_NOT_FOUND, "there is no");
}

static void folders_and_archives_are_looked_in_as_they_were_mounted(void **state)
{
    (void)state;
    write_real("inside/both", "of the folder");
    write_real("inside/new", "new");
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_content("assets://both", "of the archive");
    assert_content("assets://new", "new");
    mount_real("other", "inside", CN_MOUNT_READ);
    mount_real("other", "game.zip", CN_MOUNT_READ);
    assert_content("other://both", "of the folder");
    assert_content("other://empty", "");
}

static void two_archives_are_looked_in_as_they_were_mounted(void **state)
{
    (void)state;
    static const ZipEntry more[] = {{"both", "of the second", false}, {"only", "only", false}};
    assert_true(zip_write(real("more.zip"), more, CN_COUNT_OF(more)));
    mount_real("assets", "more.zip", CN_MOUNT_READ);
    assert_content("assets://both", "of the archive");
    assert_content("assets://only", "only");
}

static void listings_of_folders_and_archives_are_one(void **state)
{
    (void)state;
    make_real_folder("inside/meshes");
    write_real("inside/meshes/tree.mesh", "");
    mount_real("assets", "inside", CN_MOUNT_READ);
    assert_listing("assets://", "both empty meshes/ numbers ");
    assert_listing("assets://meshes", "box.mesh low/ tree.mesh ");
    assert_listing("assets://meshes/low", "box.mesh ");
}

static void size_kind_and_time_are_reported(void **state)
{
    (void)state;
    CnFileInfo info;
    assert_ok(fixture.files->info(fixture.files, "assets://numbers", &info, &fixture.error));
    assert_int_equal(info.size_bytes, 10);
    assert_false(info.is_directory);
    /* Noon of the first of January 2026, in whichever zone. */
    int64_t noon = (int64_t)1767268800 * 1000000000, day = (int64_t)86400 * 1000000000;
    assert_true(info.modified_ns > noon - day && info.modified_ns < noon + day);
    assert_ok(fixture.files->info(fixture.files, "assets://meshes", &info, &fixture.error));
    assert_true(info.is_directory);
    assert_ok(fixture.files->info(fixture.files, "assets://", &info, &fixture.error));
    assert_true(info.is_directory);
}

static void reading_goes_by_offset_in_any_order(void **state)
{
    (void)state;
    CnFileSystem *files = fixture.files;
    CnFile *file;
    char bytes[16];
    size_t done;
    assert_ok(files->open(files, "assets://numbers", CN_FILE_READ, &file, &fixture.error));
    assert_ok(files->read(files, file, 8, bytes, 16, &done, &fixture.error));
    assert_int_equal(done, 2);
    assert_memory_equal(bytes, "89", 2);
    assert_ok(files->read(files, file, 1, bytes, 3, &done, &fixture.error));
    assert_memory_equal(bytes, "123", 3);
    assert_ok(files->read(files, file, 4, bytes, 3, &done, &fixture.error));
    assert_memory_equal(bytes, "456", 3);
    assert_ok(files->read(files, file, 10, bytes, 3, &done, &fixture.error));
    assert_int_equal(done, 0);
    assert_ok(files->read(files, file, UINT64_MAX, bytes, 3, &done, &fixture.error));
    assert_int_equal(done, 0);
    files->close(files, file);
}

static void a_folder_in_an_archive_is_not_a_file(void **state)
{
    (void)state;
    CnFile *file;
    assert_refused(read_any("assets://meshes"), CN_ERROR_IO, "folder");
    assert_refused(
        fixture.files->open(fixture.files, "assets://meshes", CN_FILE_READ, &file, &fixture.error),
        CN_ERROR_IO, "folder");
    assert_refused(
        fixture.files->list(fixture.files, "assets://both", append_name, NULL, &fixture.error),
        CN_ERROR_NOT_FOUND, "no such");
}

static void an_archive_is_not_written(void **state)
{
    (void)state;
    CnFileSystem *files = fixture.files;
    CnFile *file;
    assert_refused(write_text("assets://both", "x"), CN_ERROR_PERMISSION, "read-only");
    assert_refused(
        cn_vfs_mount(fixture.vfs, "out", real("game.zip"), CN_MOUNT_WRITE, &fixture.error),
        CN_ERROR_UNSUPPORTED, "only folders");
    assert_ok(files->open(files, "assets://both", CN_FILE_READ, &file, &fixture.error));
    assert_refused(files->write(files, file, 0, "x", 1, &fixture.error), CN_ERROR_PERMISSION,
                   "read-only");
    assert_refused(files->truncate(files, file, 0, &fixture.error), CN_ERROR_PERMISSION, "only");
    assert_refused(files->sync(files, file, &fixture.error), CN_ERROR_PERMISSION, "only");
    files->close(files, file);
}

static void what_is_written_beside_an_archive_is_read(void **state)
{
    (void)state;
    mount_real("assets", "inside", CN_MOUNT_WRITE);
    assert_ok(write_text("assets://new", "new"));
    assert_content("assets://new", "new");
    assert_ok(write_text("assets://both", "hidden by the archive"));
    assert_content("assets://both", "of the archive");
}

static void the_same_archive_may_be_mounted_often(void **state)
{
    (void)state;
    CnVfs *other = cn_vfs_create(NULL, &fixture.error);
    assert_non_null(other);
    mount_real("again", "game.zip", CN_MOUNT_READ);
    assert_ok(cn_vfs_mount(other, "assets", real("game.zip"), CN_MOUNT_READ, &fixture.error));
    assert_ok(cn_vfs_unmount(fixture.vfs, "assets", &fixture.error));
    assert_content("again://both", "of the archive");
    assert_true(content_is(cn_vfs_files(other), "assets://both", "of the archive"));
    cn_vfs_destroy(other);
    assert_content("again://both", "of the archive");
}

static void two_of_them_do_not_see_each_others_archives(void **state)
{
    (void)state;
    static const ZipEntry more[] = {{"mine", "mine", false}};
    assert_true(zip_write(real("more.zip"), more, CN_COUNT_OF(more)));
    CnVfs *other = cn_vfs_create(NULL, &fixture.error);
    assert_ok(cn_vfs_mount(other, "assets", real("more.zip"), CN_MOUNT_READ, &fixture.error));
    assert_true(content_is(cn_vfs_files(other), "assets://mine", "mine"));
    assert_refused(read_any("assets://mine"), CN_ERROR_NOT_FOUND, "there is no");
    assert_false(content_is(cn_vfs_files(other), "assets://both", "of the archive"));
    cn_vfs_destroy(other);
}

static void an_archive_with_open_files_is_not_unmounted(void **state)
{
    (void)state;
    CnFile *file;
    assert_ok(
        fixture.files->open(fixture.files, "assets://both", CN_FILE_READ, &file, &fixture.error));
    assert_refused(cn_vfs_unmount(fixture.vfs, "assets", &fixture.error), CN_ERROR_PERMISSION,
                   "open");
    fixture.files->close(fixture.files, file);
    assert_ok(cn_vfs_unmount(fixture.vfs, "assets", &fixture.error));
}

static void what_is_no_archive_is_not_mounted(void **state)
{
    (void)state;
    write_real("text", "neither zip nor anything");
    write_real("nothing", "");
    assert_refused(cn_vfs_mount(fixture.vfs, "bad", real("text"), CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_FORMAT, "text': it is neither a folder nor a zip");
    assert_refused(cn_vfs_mount(fixture.vfs, "bad", real("nothing"), CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_FORMAT, "nothing");
    assert_refused(cn_vfs_mount(fixture.vfs, "bad", "/dev/null", CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_IO, "neither");
}

static void content_that_ends_too_early_is_an_error(void **state)
{
    (void)state;
    uint8_t bytes[512];
    static const ZipEntry one[] = {{"a", "0123456789", false}};
    size_t size = zip_make(one, 1, bytes, sizeof bytes);
    /* Sizes in the local header, at 18, and in the central one, 46 bytes of which begin at 41. */
    bytes[18] = bytes[22] = bytes[41 + 20] = bytes[41 + 24] = 250;
    assert_true(cn_file_write_all(cn_native_files(), real("short.zip"), bytes, size, NULL));
    assert_refused(
        cn_vfs_mount(fixture.vfs, "short", real("short.zip"), CN_MOUNT_READ, &fixture.error),
        CN_ERROR_FORMAT, "damaged");
}

/* Writes an archive of `count` empty files and mounts it. `name` is a format with a number. */
static bool mount_many(uint32_t count, const char *name)
{
    ZipEntry *many = calloc(count, sizeof *many);
    char(*names)[600] = calloc(count, sizeof *names);
    assert_true(many && names);
    for (uint32_t i = 0; i < count; i++) {
        cn_format(names[i], sizeof names[i], "%s%u", name, i);
        many[i] = (ZipEntry){names[i], "", false};
    }
    assert_true(zip_write(real("many.zip"), many, count));
    free(names);
    free(many);
    return cn_vfs_mount(fixture.vfs, "many", real("many.zip"), CN_MOUNT_READ, &fixture.error);
}

static void an_archive_has_at_most_16384_files_and_folders(void **state)
{
    (void)state;
    assert_ok(mount_many(16384, "f"));
    assert_refused(mount_many(16385, "f"), CN_ERROR_LIMIT, "more than 16,384 files and folders");
}

static void a_path_in_an_archive_has_at_most_32_parts(void **state)
{
    (void)state;
    assert_ok(mount_many(1, "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/"));
    assert_refused(
        mount_many(1, "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/"),
        CN_ERROR_LIMIT, "more than 32 parts");
}

static void a_path_in_an_archive_has_at_most_511_bytes(void **state)
{
    (void)state;
    char name[600] = {0};
    memset(name, 'x', 511);
    assert_refused(mount_many(1, name), CN_ERROR_LIMIT, "more than 511 bytes");
}

static void a_file_that_unpacks_to_more_than_deflate_can_pack_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[512];
    static const ZipEntry one[] = {{"a", "0123456789", false}};
    size_t size = zip_make(one, 1, bytes, sizeof bytes);
    memset(bytes + 41 + 24, 0x7f, 4); /* the unpacked size in the directory */
    assert_true(cn_file_write_all(cn_native_files(), real("bomb.zip"), bytes, size, NULL));
    assert_refused(
        cn_vfs_mount(fixture.vfs, "bomb", real("bomb.zip"), CN_MOUNT_READ, &fixture.error),
        CN_ERROR_FORMAT, "damaged");
}

/* 768 KB of paths that share no folder once took 31 s and 6 GB. */
static void the_folders_of_deep_paths_count(void **state)
{
    (void)state;
    ZipEntry *many = calloc(1000, sizeof *many);
    char(*names)[256] = calloc(1000, sizeof *names);
    assert_true(many && names);
    for (uint32_t i = 0; i < 1000; i++) {
        char *at = names[i];
        for (uint32_t part = 0; part < 30; part++)
            at += snprintf(at, 8, "%x/", i + part * 1000);
        many[i] = (ZipEntry){names[i], "", false};
    }
    assert_true(zip_write(real("deep.zip"), many, 500));
    assert_ok(cn_vfs_mount(fixture.vfs, "deep", real("deep.zip"), CN_MOUNT_READ, &fixture.error));
    assert_true(zip_write(real("deep.zip"), many, 1000)); /* 30,000 folders */
    assert_refused(
        cn_vfs_mount(fixture.vfs, "deeper", real("deep.zip"), CN_MOUNT_READ, &fixture.error),
        CN_ERROR_LIMIT, "more than 16,384 files and folders");
    free(names);
    free(many);
}

/* The library hashes names by a public function: "Ez" and "FY" have the same value. */
static void names_that_share_a_hash_are_mounted(void **state)
{
    (void)state;
    const uint32_t count = 16384;
    ZipEntry *many = calloc(count, sizeof *many);
    char(*names)[32] = calloc(count, sizeof *names);
    assert_true(many && names);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t bit = 0; bit < 14; bit++)
            memcpy(names[i] + 2 * bit, i >> bit & 1 ? "Ez" : "FY", 2);
        many[i] = (ZipEntry){names[i], "", false};
    }
    assert_true(zip_write(real("same.zip"), many, count));
    assert_ok(cn_vfs_mount(fixture.vfs, "same", real("same.zip"), CN_MOUNT_READ, &fixture.error));
    free(names);
    free(many);
}

/* Many entries that are the same bytes of the file unpack to more than the file can hold. */
static void entries_that_overlap_are_refused(void **state)
{
    (void)state;
    static char content[4001];
    memset(content, 'x', sizeof content - 1);
    uint8_t bytes[8192], overlapping[65536];
    const ZipEntry one[] = {{"a", content, false}};
    const size_t size = zip_make(one, 1, bytes, sizeof bytes), end = 22, central = 46 + 1;
    const size_t local = size - end - central, count = 100;
    assert_true(size > 4000);
    memcpy(overlapping, bytes, local);
    for (size_t i = 0; i < count; i++) {
        memcpy(overlapping + local + i * central, bytes + local, central);
        overlapping[local + i * central + 46] = (uint8_t)('a' + i % 26);
    }
    uint8_t *record = overlapping + local + count * central;
    memcpy(record, bytes + local + central, end);
    const uint32_t directory = (uint32_t)(count * central);
    record[8] = record[10] = (uint8_t)count;
    memcpy(record + 12, &directory, sizeof directory);
    assert_true(cn_file_write_all(cn_native_files(), real("same.zip"), overlapping,
                                  local + count * central + end, NULL));
    assert_refused(
        cn_vfs_mount(fixture.vfs, "same", real("same.zip"), CN_MOUNT_READ, &fixture.error),
        CN_ERROR_FORMAT, "damaged");
}

static void files_that_unpack_to_more_than_the_budget_are_refused(void **state)
{
    (void)state;
    static const ZipEntry two[] = {{"a", "0123456789", false}, {"b", "0123456789", false}};
    assert_true(zip_write(real("two.zip"), two, 2));
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    CnMountDesc desc = {
        .scheme = "two", .native = real("two.zip"), .origin = CN_ORIGIN_FOREIGN, .budget = &budget};
    budget.unpacked_bytes = 19;
    assert_refused(cn_vfs_mount_as(fixture.vfs, &desc, &fixture.error), CN_ERROR_LIMIT,
                   "unpacked_bytes is 20");
    budget.unpacked_bytes = 20;
    assert_ok(cn_vfs_mount_as(fixture.vfs, &desc, &fixture.error));
}

static void a_7z_archive_that_crashes_its_reader_is_not_mounted(void **state)
{
    (void)state;
    assert_refused(cn_vfs_mount(fixture.vfs, "bad", "tests/house/hostile/crash.7z", CN_MOUNT_READ,
                                &fixture.error),
                   CN_ERROR_FORMAT, "neither a folder nor a zip archive");
}

static void a_7z_archive_is_not_mounted(void **state)
{
    (void)state;
    write_real("a.7z", "7z\xbc\xaf\x27\x1c and the rest");
    assert_refused(cn_vfs_mount(fixture.vfs, "bad", real("a.7z"), CN_MOUNT_READ, &fixture.error),
                   CN_ERROR_FORMAT, "neither a folder nor a zip archive");
}

static void the_library_is_given_back_with_the_last_of_them(void **state)
{
    (void)state;
    CnVfs *first = cn_vfs_create(NULL, NULL), *second = cn_vfs_create(NULL, NULL);
    cn_vfs_destroy(first);
    assert_true(PHYSFS_isInit());
    cn_vfs_destroy(second);
    assert_false(PHYSFS_isInit());
}

static void a_program_that_uses_the_library_keeps_it(void **state)
{
    (void)state;
    assert_true(PHYSFS_init(NULL));
    CnVfs *vfs = cn_vfs_create(NULL, NULL);
    cn_vfs_destroy(vfs);
    assert_true(PHYSFS_isInit());
    assert_true(PHYSFS_deinit());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, mount_archive, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_in_an_archive_is_read),
        TEST(what_is_not_in_the_archive_is_not_found),
        TEST(folders_and_archives_are_looked_in_as_they_were_mounted),
        TEST(two_archives_are_looked_in_as_they_were_mounted),
        TEST(listings_of_folders_and_archives_are_one),
        TEST(size_kind_and_time_are_reported),
        TEST(reading_goes_by_offset_in_any_order),
        TEST(a_folder_in_an_archive_is_not_a_file),
        TEST(an_archive_is_not_written),
        TEST(what_is_written_beside_an_archive_is_read),
        TEST(the_same_archive_may_be_mounted_often),
        TEST(two_of_them_do_not_see_each_others_archives),
        TEST(an_archive_with_open_files_is_not_unmounted),
        TEST(what_is_no_archive_is_not_mounted),
        TEST(content_that_ends_too_early_is_an_error),
        TEST(an_archive_has_at_most_16384_files_and_folders),
        TEST(a_path_in_an_archive_has_at_most_32_parts),
        TEST(a_path_in_an_archive_has_at_most_511_bytes),
        TEST(a_file_that_unpacks_to_more_than_deflate_can_pack_is_refused),
        TEST(the_folders_of_deep_paths_count),
        TEST(names_that_share_a_hash_are_mounted),
        TEST(entries_that_overlap_are_refused),
        TEST(files_that_unpack_to_more_than_the_budget_are_refused),
        TEST(a_7z_archive_that_crashes_its_reader_is_not_mounted),
        TEST(a_7z_archive_is_not_mounted),
        cmocka_unit_test(the_library_is_given_back_with_the_last_of_them),
        cmocka_unit_test(a_program_that_uses_the_library_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
