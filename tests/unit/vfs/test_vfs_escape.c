/* Ways out of what is mounted: none leads anywhere. */
#include "vfs_fixture.h"

#include "zip_file.h"

#include <sys/stat.h>
#include <unistd.h>

static int mount_inside(void **state)
{
    if (make_fixture(state) != 0)
        return -1;
    make_real_folder("inside/a");
    write_real("inside/a/b.txt", "inside");
    mount_real("game", "inside", CN_MOUNT_WRITE);
    return 0;
}

/* ---- Paths that are none ---- */

#define PATH(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }
#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const CnText escapes[] = {
    /* up */
    PATH("game://.."),
    PATH("game://../outside/secret.txt"),
    PATH("game://a/../../outside/secret.txt"),
    PATH("game://a/.."),
    PATH("game://a/../b"),
    PATH("game://../inside/a/b.txt"),
    PATH("game://./../outside/secret.txt"),
    PATH("game://a/./../../outside/secret.txt"),
    PATH("game://.../secret.txt"),
    PATH("game://....//secret.txt"),
    PATH("game://.. /outside/secret.txt"),
    PATH("game://a/.. "),
    PATH("game:// ../secret.txt"),
    PATH("game://a/.. /.. /outside"),
    PATH("game://..\0/outside/secret.txt"),
    PATH("game://a/..;/b:c"),
    /* here */
    PATH("game://."),
    PATH("game://./a/b.txt"),
    PATH("game://a/."),
    PATH("game://a/./b.txt"),
    PATH("game://a/b.txt."),
    PATH("game://a./b.txt"),
    PATH("game://a/b.txt "),
    PATH("game:// "),
    /* empty parts */
    PATH("game:///"),
    PATH("game:////"),
    PATH("game://a/"),
    PATH("game://a//b.txt"),
    PATH("game:////a/b.txt"),
    PATH("game://a/b.txt/"),
    /* absolute */
    PATH("/etc/passwd"),
    PATH("//etc/passwd"),
    PATH("game:///etc/passwd"),
    PATH("game:////etc/passwd"),
    PATH("etc/passwd"),
    PATH("../outside/secret.txt"),
    PATH("."),
    PATH(".."),
    PATH("/"),
    /* other systems */
    PATH("C:\\secret.txt"),
    PATH("game://C:/secret.txt"),
    PATH("game://C:secret.txt"),
    PATH("game://..\\outside\\secret.txt"),
    PATH("game://a\\..\\..\\outside"),
    PATH("game://a/..\\secret.txt"),
    PATH("game://\\\\server\\share"),
    PATH("game://\\secret.txt"),
    PATH("game://a/b.txt::$DATA"),
    PATH("game://a/b.txt:stream"),
    /* schemes */
    PATH(""),
    PATH("game"),
    PATH("game:"),
    PATH("game:/"),
    PATH("game:/a/b.txt"),
    PATH("game:a/b.txt"),
    PATH("://a/b.txt"),
    PATH("GAME://a/b.txt"),
    PATH("Game://a/b.txt"),
    PATH("ga me://a/b.txt"),
    PATH("ga-me://a/b.txt"),
    PATH("game/../other://a"),
    PATH("../game://a/b.txt"),
    PATH("/game://a/b.txt"),
    PATH("game\\://a/b.txt"),
    PATH("game://game://a/b.txt"),
    PATH("file:///etc/passwd#game://"),
    PATH("ga\xc3\xa4me://a/b.txt"),
    PATH(A64 "://a/b.txt"),
    /* characters */
    PATH("game://a/b.txt\0"),
    PATH("game://a\0/b.txt"),
    PATH("game://\0"),
    PATH("game\0://a/b.txt"),
    PATH("game://a/b.txt\n"),
    PATH("game://a\r\n/b.txt"),
    PATH("game://a/\x1b[2J"),
    PATH("game://a/\x7f"),
    PATH("game://a/\x01"),
    PATH("game://a/\t"),
    PATH("game://a/\xc2\x85"),
    PATH("game://a/\xc2\x9b"),
    /* not UTF-8: also '.' and '/' in more bytes than they need */
    PATH("game://a/\xff"),
    PATH("game://a/\xc0\xae\xc0\xae/secret.txt"),
    PATH("game://\xc0\xae\xc0\xae\xc0\xaf/secret.txt"),
    PATH("game://a\xc0\xaf.."),
    PATH("game://\xe0\x80\xae\xe0\x80\xae/secret.txt"),
    PATH("game://\xf0\x80\x80\xae/secret.txt"),
    PATH("game://a/\xed\xa0\x80"),
    PATH("game://a/\xf4\x90\x80\x80"),
    PATH("game://a/\x80"),
    PATH("game://a/\xc3"),
    PATH("game://a/\xe2\x82"),
    /* too long */
    PATH("game://" A64 A64 A64 A64),
    PATH("game://a/" A64 "/" A64 "/" A64 "/" A64 "/" A64 "/" A64 "/" A64 "/" A64),
};

static void there_are_many_attempts(void **state)
{
    (void)state;
    assert_true(CN_COUNT_OF(escapes) >= 60);
}

static void a_path_that_could_lead_out_is_not_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < CN_COUNT_OF(escapes); i++) {
        CnError error = {0};
        if (cn_vfs_path_valid(escapes[i], &error))
            fail_msg("number %zu, \"%s\", passes", i, escapes[i].data);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        assert_true(error.message[0]);
        assert_true(cn_text_is_utf8(cn_text(error.message)));
        assert_false(cn_vfs_path_valid(escapes[i], NULL));
    }
}

/* A terminated path ends at its first zero; what is left may be good. */
static void no_function_takes_a_path_that_could_lead_out(void **state)
{
    (void)state;
    CnFileSystem *files = fixture.files;
    for (size_t i = 0; i < CN_COUNT_OF(escapes); i++) {
        const char *path = escapes[i].data;
        if (strlen(path) != escapes[i].size)
            continue;
        CnFile *file;
        CnFileInfo info;
        for (CnFileMode mode = CN_FILE_READ; mode <= CN_FILE_UPDATE; mode++) {
            if (files->open(files, path, mode, &file, NULL))
                fail_msg("\"%s\" was opened", path);
            assert_null(file);
        }
        assert_false(files->info(files, path, &info, NULL));
        assert_false(files->rename(files, path, "game://new", NULL));
        assert_false(files->rename(files, "game://a/b.txt", path, NULL));
        assert_false(files->remove(files, path, NULL));
        assert_false(files->make_folder(files, path, NULL));
        assert_false(files->list(files, path, append_name, NULL, NULL));
    }
    assert_false(files->info(files, NULL, &(CnFileInfo){0}, NULL));
    assert_content("game://a/b.txt", "inside");
    assert_true(content_is(cn_native_files(), real("outside/secret.txt"), SECRET));
    assert_int_equal(scratch_count(&fixture.scratch), 2);
}

static void names_that_only_look_strange_are_valid(void **state)
{
    (void)state;
    static const char *const good[] = {
        "game://",
        "game://a",
        "game://.hidden",
        "game://..a",
        "game://a..b",
        "game://...a/b",
        "g_0://a",
        "game://a b/c d.txt",
        "game://\xc3\xa4",
        "game://~/a",
        "game://a/$HOME",
        "game://%2e%2e/a",
        "game://a/*?.txt",
        "game://a/b;c&d",
        "game://\xe2\x88\x95",
        "game://-rf",
        "game://a/'b'\"c\"",
        "game://a/|b",
        "game://a/b.txt.tmp-1-2",
    };
    for (size_t i = 0; i < CN_COUNT_OF(good); i++) {
        if (!cn_vfs_path_valid(cn_text(good[i]), &fixture.error))
            fail_msg("%s", fixture.error.message);
    }
}

static void percent_signs_and_tildes_mean_nothing(void **state)
{
    (void)state;
    assert_refused(read_any("game://%2e%2e/outside/secret.txt"), CN_ERROR_NOT_FOUND, "no such");
    assert_refused(read_any("game://~/secret.txt"), CN_ERROR_NOT_FOUND, "no such");
    assert_refused(read_any("game://$PWD/secret.txt"), CN_ERROR_NOT_FOUND, "no such");
}

/* ---- Links ---- */

typedef struct Link {
    const char *target, *name;
    const char *path; /* what one might try then */
} Link;

static const Link links[] = {
    {"../outside/secret.txt", "inside/file", "game://file"},
    {"../outside", "inside/folder", "game://folder/secret.txt"},
    {"../../outside", "inside/a/deep", "game://a/deep/secret.txt"},
    {"..", "inside/up", "game://up/outside/secret.txt"},
    {"/etc/passwd", "inside/absolute", "game://absolute"},
    {"/", "inside/top", "game://top/etc/passwd"},
    {"/proc/self", "inside/proc", "game://proc/environ"},
    {"/dev/zero", "inside/zero", "game://zero"},
    {"file", "inside/chain", "game://chain"},
    {"loop", "inside/loop", "game://loop"},
    {"nowhere", "inside/dangling", "game://dangling"},
    {"a", "inside/inner", "game://inner/b.txt"}, /* also one that stays inside */
};

static int make_links(void **state)
{
    if (mount_inside(state) != 0)
        return -1;
    for (size_t i = 0; i < CN_COUNT_OF(links); i++)
        assert_int_equal(symlink(links[i].target, real(links[i].name)), 0);
    return 0;
}

static void a_link_is_not_read_through(void **state)
{
    (void)state;
    for (size_t i = 0; i < CN_COUNT_OF(links); i++) {
        CnFileInfo info;
        assert_refused(read_any(links[i].path), CN_ERROR_PERMISSION, "symbolic links");
        CnFile *file;
        assert_refused(
            fixture.files->open(fixture.files, links[i].path, CN_FILE_READ, &file, &fixture.error),
            CN_ERROR_PERMISSION, "symbolic links");
        assert_refused(fixture.files->info(fixture.files, links[i].path, &info, &fixture.error),
                       CN_ERROR_PERMISSION, "symbolic links");
    }
}

static void a_link_is_not_written_through(void **state)
{
    (void)state;
    CnFileSystem *files = fixture.files;
    for (size_t i = 0; i < CN_COUNT_OF(links); i++) {
        CnFile *file;
        for (CnFileMode mode = CN_FILE_WRITE; mode <= CN_FILE_UPDATE; mode++)
            assert_false(files->open(files, links[i].path, mode, &file, NULL));
    }
    static const char *const below[] = {"game://folder/new.txt", "game://a/deep/new.txt",
                                        "game://up/outside/new.txt"};
    for (size_t i = 0; i < CN_COUNT_OF(below); i++) {
        assert_refused(write_text(below[i], "x"), CN_ERROR_PERMISSION, "symbolic links");
        assert_refused(files->make_folder(files, below[i], &fixture.error), CN_ERROR_PERMISSION,
                       "symbolic links");
        assert_refused(files->rename(files, "game://a/b.txt", below[i], &fixture.error),
                       CN_ERROR_PERMISSION, "symbolic links");
    }
    assert_refused(files->remove(files, "game://folder/secret.txt", &fixture.error),
                   CN_ERROR_PERMISSION, "symbolic links");
    assert_refused(files->rename(files, "game://folder/secret.txt", "game://mine", &fixture.error),
                   CN_ERROR_PERMISSION, "symbolic links");
    assert_refused(files->list(files, "game://folder", append_name, NULL, &fixture.error),
                   CN_ERROR_PERMISSION, "symbolic links");
    assert_refused(files->make_folder(files, "game://folder", &fixture.error), CN_ERROR_PERMISSION,
                   "symbolic links");
    assert_true(content_is(cn_native_files(), real("outside/secret.txt"), SECRET));
    assert_int_equal(access(real("outside/new.txt"), F_OK), -1);
}

static void writing_a_whole_file_leaves_a_link_and_what_it_points_to_alone(void **state)
{
    (void)state;
    assert_refused(write_text("game://file", "mine"), CN_ERROR_PERMISSION,
                   "symbolic links are not followed");
    struct stat status;
    assert_int_equal(lstat(real("inside/file"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(content_is(cn_native_files(), real("outside/secret.txt"), SECRET));
}

static void a_pipe_below_a_mounted_folder_is_not_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(real("inside/pipe"), 0600), 0);
    assert_refused(write_text("game://pipe", "mine"), CN_ERROR_IO, "it is not a regular file");
    struct stat status;
    assert_int_equal(lstat(real("inside/pipe"), &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

static void the_permissions_of_a_file_below_a_mounted_folder_are_kept(void **state)
{
    (void)state;
    assert_ok(write_text("game://private", "old"));
    assert_int_equal(chmod(real("inside/private"), 0600), 0);
    assert_ok(write_text("game://private", "new"));
    struct stat status;
    assert_int_equal(stat(real("inside/private"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void removing_a_link_removes_the_link(void **state)
{
    (void)state;
    assert_ok(fixture.files->remove(fixture.files, "game://folder", &fixture.error));
    assert_true(content_is(cn_native_files(), real("outside/secret.txt"), SECRET));
    assert_int_equal(access(real("inside/folder"), F_OK), -1);
}

static void links_are_not_listed(void **state)
{
    (void)state;
    assert_listing("game://", "a/ ");
    assert_listing("game://a", "b.txt ");
}

static void a_link_does_not_hide_behind_another_mount(void **state)
{
    (void)state;
    make_real_folder("second");
    write_real("second/file", "of the second");
    mount_real("game", "second", CN_MOUNT_READ);
    assert_refused(read_any("game://file"), CN_ERROR_PERMISSION, "symbolic links");
}

/* ---- Archives ---- */

static const ZipEntry evil[] = {
    {"good.txt", "good", false},
    {"../outside/secret.txt", "evil", false},
    {"..", "evil", false},
    {"./here.txt", "evil", false},
    {"a/../../up.txt", "evil", false},
    {"/etc/evil", "evil", false},
    {"//server/evil", "evil", false},
    {"C:\\evil", "evil", false},
    {"b\\..\\evil", "evil", false},
    {"c//evil", "evil", false},
    {"bell\x07.txt", "evil", false},
    {"bad\xff.txt", "evil", false},
    {"dot./evil", "evil", false},
};

static void entries_of_an_archive_that_point_outside_are_not_there(void **state)
{
    (void)state;
    assert_true(zip_write(real("evil.zip"), evil, CN_COUNT_OF(evil)));
    mount_real("evil", "evil.zip", CN_MOUNT_READ);
    assert_content("evil://good.txt", "good");
    static const char *const tries[] = {
        "evil://../outside/secret.txt",
        "evil://..",
        "evil://./here.txt",
        "evil://a/../../up.txt",
        "evil:///etc/evil",
        "evil:////server/evil",
        "evil://C:\\evil",
        "evil://b\\..\\evil",
        "evil://c//evil",
        "evil://bell\x07.txt",
        "evil://bad\xff.txt",
        "evil://dot./evil",
        "evil://cairn-1",
        "evil://outside/secret.txt",
    };
    for (size_t i = 0; i < CN_COUNT_OF(tries); i++) {
        if (read_any(tries[i]))
            fail_msg("\"%s\" was read", tries[i]);
    }
}

/* The last one would keep PhysicsFS busy forever. */
static void an_archive_with_a_link_is_refused(void **state)
{
    (void)state;
    static const char *const targets[] = {
        "../outside/secret.txt", "..", "/etc", "link", "good.txt", "a/.b"};
    for (size_t i = 0; i < CN_COUNT_OF(targets); i++) {
        const ZipEntry entries[] = {{"good.txt", "good", false}, {"link", targets[i], true}};
        assert_true(zip_write(real("evil.zip"), entries, CN_COUNT_OF(entries)));
        fixture.error = (CnError){0};
        assert_refused(
            cn_vfs_mount(fixture.vfs, "evil", real("evil.zip"), CN_MOUNT_READ, &fixture.error),
            CN_ERROR_UNSUPPORTED, "contains a symbolic link");
    }
}

static bool name_is_a_part(const char *name, bool is_directory, void *user)
{
    (void)is_directory;
    char path[1024];
    (*(uint32_t *)user)++;
    assert_true(cn_format(path, sizeof path, "evil://%s", name));
    assert_ok(cn_vfs_path_valid(cn_text(path), &fixture.error));
    assert_null(strchr(name, '/'));
    assert_null(strstr(name, "link"));
    return true;
}

static void a_listing_of_an_archive_has_only_names_that_can_be_opened(void **state)
{
    (void)state;
    uint32_t count = 0;
    assert_true(zip_write(real("evil.zip"), evil, CN_COUNT_OF(evil)));
    mount_real("evil", "evil.zip", CN_MOUNT_READ);
    assert_ok(
        fixture.files->list(fixture.files, "evil://", name_is_a_part, &count, &fixture.error));
    assert_true(count >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_many_attempts),
        cmocka_unit_test(a_path_that_could_lead_out_is_not_valid),
        cmocka_unit_test_setup_teardown(no_function_takes_a_path_that_could_lead_out, mount_inside,
                                        drop_fixture),
        cmocka_unit_test(names_that_only_look_strange_are_valid),
        cmocka_unit_test_setup_teardown(percent_signs_and_tildes_mean_nothing, mount_inside,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(a_link_is_not_read_through, make_links, drop_fixture),
        cmocka_unit_test_setup_teardown(a_link_is_not_written_through, make_links, drop_fixture),
        cmocka_unit_test_setup_teardown(
            writing_a_whole_file_leaves_a_link_and_what_it_points_to_alone, make_links,
            drop_fixture),
        cmocka_unit_test_setup_teardown(a_pipe_below_a_mounted_folder_is_not_replaced, make_links,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(the_permissions_of_a_file_below_a_mounted_folder_are_kept,
                                        make_links, drop_fixture),
        cmocka_unit_test_setup_teardown(removing_a_link_removes_the_link, make_links, drop_fixture),
        cmocka_unit_test_setup_teardown(links_are_not_listed, make_links, drop_fixture),
        cmocka_unit_test_setup_teardown(a_link_does_not_hide_behind_another_mount, make_links,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(entries_of_an_archive_that_point_outside_are_not_there,
                                        mount_inside, drop_fixture),
        cmocka_unit_test_setup_teardown(an_archive_with_a_link_is_refused, make_fixture,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(a_listing_of_an_archive_has_only_names_that_can_be_opened,
                                        mount_inside, drop_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
