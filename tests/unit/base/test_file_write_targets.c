/* What cn_file_write_all does with what is already there: links, pipes, devices, permissions. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static Scratch scratch;
static CnFileSystem *files;
static CnError error;

static int make_scratch(void **state)
{
    (void)state;
    files = cn_native_files();
    error = (CnError){0};
    scratch_init(&scratch);
    return 0;
}

static int drop_scratch(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static const char *path_of(const char *name)
{
    return scratch_path(&scratch, name);
}

static bool write_text(const char *name, const char *text)
{
    return cn_file_write_all(files, path_of(name), text, strlen(text), &error);
}

static void assert_written(const char *name, const char *text)
{
    if (!write_text(name, text))
        fail_msg("%s", error.message);
}

static void assert_content(const char *name, const char *expected)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(files, path_of(name), NULL, &bytes, &error))
        fail_msg("%s", error.message);
    assert_string_equal((char *)bytes.data, expected);
    cn_file_bytes_free(&bytes);
}

static void assert_refused(CnErrorCode code, const char *part)
{
    assert_int_equal(error.code, code);
    if (!strstr(error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part);
}

static mode_t mode_of(const char *name)
{
    struct stat status;
    assert_int_equal(lstat(path_of(name), &status), 0);
    return status.st_mode;
}

/* ---- Links ---- */

static void a_link_stays_and_its_file_is_replaced(void **state)
{
    (void)state;
    assert_written("file", "old");
    assert_int_equal(symlink("file", path_of("link")), 0);
    assert_written("link", "new");
    assert_true(S_ISLNK(mode_of("link")));
    assert_true(S_ISREG(mode_of("file")));
    assert_content("file", "new");
    assert_int_equal(scratch_count(&scratch), 2);
}

static void a_chain_of_links_through_folders_is_followed(void **state)
{
    (void)state;
    assert_true(files->make_folder(files, path_of("a/b"), &error));
    assert_written("a/b/file", "old");
    assert_int_equal(symlink("../a/b", path_of("a/folder")), 0);
    assert_int_equal(symlink("folder/file", path_of("a/relative")), 0);
    assert_int_equal(symlink(path_of("a/relative"), path_of("absolute")), 0);
    assert_written("absolute", "new");
    assert_content("a/b/file", "new");
    assert_true(S_ISLNK(mode_of("absolute")));
    assert_true(S_ISLNK(mode_of("a/relative")));
}

static void a_link_to_nothing_gets_its_file(void **state)
{
    (void)state;
    assert_int_equal(symlink("later", path_of("link")), 0);
    assert_written("link", "text");
    assert_true(S_ISLNK(mode_of("link")));
    assert_content("later", "text");
}

static void links_in_a_circle_are_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink("b", path_of("a")), 0);
    assert_int_equal(symlink("a", path_of("b")), 0);
    assert_false(write_text("a", "text"));
    assert_refused(CN_ERROR_IO, "symbolic links");
    assert_int_equal(scratch_count(&scratch), 2);
}

static void a_link_to_a_pipe_stays(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_int_equal(symlink("pipe", path_of("link")), 0);
    assert_false(write_text("link", "text"));
    assert_refused(CN_ERROR_IO, "the pipe has no reader");
    assert_true(S_ISLNK(mode_of("link")));
    assert_true(S_ISFIFO(mode_of("pipe")));
}

/* ---- Pipes ---- */

static void a_pipe_that_nothing_reads_is_refused_and_stays(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_false(write_text("pipe", "text"));
    assert_refused(CN_ERROR_IO, "the pipe has no reader");
    assert_true(S_ISFIFO(mode_of("pipe")));
    assert_int_equal(scratch_count(&scratch), 1);
}

#define PIPED_BYTES ((size_t)1 << 20) /* more than a pipe holds */

typedef struct Reader {
    int descriptor;
    size_t limit, read;
    bool differs;
} Reader;

static void *read_pipe(void *user)
{
    Reader *reader = user;
    char part[4096];
    while (reader->read < reader->limit) {
        ssize_t size = read(reader->descriptor, part, sizeof part);
        /* No byte at the beginning: the writer is not there yet. */
        if ((size < 0 && (errno == EAGAIN || errno == EINTR)) || (size == 0 && reader->read == 0)) {
            sched_yield();
            continue;
        }
        if (size <= 0)
            break;
        for (ssize_t i = 0; i < size; i++)
            reader->differs |= part[i] != (char)((reader->read + (size_t)i) * 7);
        reader->read += (size_t)size;
    }
    close(reader->descriptor);
    return NULL;
}

/* Writes more than fits to a reader that takes up to `limit` bytes. */
static bool write_to_reader(Reader *reader, size_t limit)
{
    char *bytes = malloc(PIPED_BYTES);
    for (size_t i = 0; i < PIPED_BYTES; i++)
        bytes[i] = (char)(i * 7);
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    *reader = (Reader){.descriptor = open(path_of("pipe"), O_RDONLY | O_NONBLOCK), .limit = limit};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_pipe, reader), 0);
    bool done = cn_file_write_all(files, path_of("pipe"), bytes, PIPED_BYTES, &error);
    pthread_join(thread, NULL);
    free(bytes);
    return done;
}

static void a_pipe_with_a_reader_gets_all_bytes_and_stays(void **state)
{
    (void)state;
    Reader reader;
    assert_true(write_to_reader(&reader, PIPED_BYTES));
    assert_int_equal(reader.read, PIPED_BYTES);
    assert_false(reader.differs);
    assert_true(S_ISFIFO(mode_of("pipe")));
}

static void a_reader_that_goes_is_an_error_and_no_signal(void **state)
{
    (void)state;
    Reader reader;
    assert_false(write_to_reader(&reader, 4096));
    assert_refused(CN_ERROR_IO, "the reader has closed it");
}

static void a_pipe_can_only_be_written_from_its_beginning(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    int reader = open(path_of("pipe"), O_RDONLY | O_NONBLOCK);
    CnFile *file;
    assert_true(files->open(files, path_of("pipe"), CN_FILE_WRITE, &file, &error));
    assert_true(files->write(files, file, 0, "ab", 2, &error));
    assert_true(files->write(files, file, 2, "cd", 2, &error));
    assert_false(files->write(files, file, 0, "ef", 2, &error));
    assert_refused(CN_ERROR_IO, "seek");
    files->close(files, file);
    char text[8] = {0};
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "abcd");
    close(reader);
}

/* ---- Devices, sockets, folders ---- */

static void a_full_device_reports_it_and_stays(void **state)
{
    (void)state;
    struct stat before, after;
    if (stat("/dev/full", &before) != 0 || !S_ISCHR(before.st_mode) ||
        access("/dev/full", W_OK) != 0)
        skip();
    /* A device of the same numbers in the scratch folder, where the machine allows one. */
    bool is_own = mknod(path_of("full"), S_IFCHR | 0600, before.st_rdev) == 0;
    int opened = is_own ? open(path_of("full"), O_WRONLY) : -1;
    if (opened >= 0)
        close(opened);
    const char *device = opened >= 0 ? path_of("full") : "/dev/full";
    assert_int_equal(stat(device, &before), 0);
    assert_false(cn_file_write_all(files, device, "text", 4, &error));
    assert_refused(CN_ERROR_IO, "No space left");
    assert_int_equal(stat(device, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_true(S_ISCHR(after.st_mode));
}

static void a_socket_is_refused_and_stays(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!cn_copy_text(address.sun_path, sizeof address.sun_path, cn_text(path_of("socket"))))
        skip();
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    assert_false(write_text("socket", "text"));
    assert_refused(CN_ERROR_IO, "it is a socket");
    assert_true(S_ISSOCK(mode_of("socket")));
    close(descriptor);
}

static void a_folder_is_refused(void **state)
{
    (void)state;
    assert_true(files->make_folder(files, path_of("folder"), &error));
    assert_false(write_text("folder", "text"));
    assert_refused(CN_ERROR_IO, "it is a folder");
    assert_false(write_text("new/", "text"));
    assert_refused(CN_ERROR_IO, "it names a folder");
    assert_int_equal(scratch_count(&scratch), 1);
}

/* ---- Permissions ---- */

static void the_permissions_of_a_file_are_kept(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0755, 0666};
    for (size_t i = 0; i < CN_COUNT_OF(modes); i++) {
        assert_written("file", "old");
        assert_int_equal(chmod(path_of("file"), modes[i]), 0);
        assert_written("file", "new");
        assert_int_equal(mode_of("file") & 0777, modes[i]);
    }
}

/* Gives the file to somebody else: root may choose anybody, others only among their own groups. */
static bool give_away(const char *path)
{
    if (geteuid() == 0)
        return chown(path, 65534, 65534) == 0;
    gid_t groups[256];
    int count = getgroups(CN_COUNT_OF(groups), groups);
    for (int i = 0; i < count; i++) {
        if (groups[i] != getegid() && chown(path, (uid_t)-1, groups[i]) == 0)
            return true;
    }
    return false;
}

static void the_owner_of_a_file_is_kept(void **state)
{
    (void)state;
    assert_written("file", "old");
    if (!give_away(path_of("file")))
        skip();
    struct stat before, after;
    assert_int_equal(stat(path_of("file"), &before), 0);
    assert_written("file", "new");
    assert_int_equal(stat(path_of("file"), &after), 0);
    assert_int_equal(after.st_uid, before.st_uid);
    assert_int_equal(after.st_gid, before.st_gid);
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
    (void)state;
    bool is_root = geteuid() == 0; /* to whom nothing is forbidden */
    assert_written("file", "old");
    assert_int_equal(chmod(path_of("file"), 0444), 0);
    assert_int_equal(chmod(scratch.folder, 0777), 0);
    if (is_root && seteuid(65534) != 0)
        skip();
    bool done = write_text("file", "new");
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_false(done);
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_content("file", "old");
}

/* ---- Folders of files ---- */

static void the_folder_of_a_file_is_checked_and_made(void **state)
{
    (void)state;
    const char *path = path_of("a/b/file");
    assert_false(cn_file_check_folder_of(files, path, &error));
    assert_refused(CN_ERROR_NOT_FOUND, "its folder does not exist");
    assert_true(cn_file_make_folder_of(files, path, &error));
    assert_true(cn_file_check_folder_of(files, path, &error));
    assert_true(cn_file_check_folder_of(files, "file", &error));
    assert_true(cn_file_check_folder_of(files, "/file", &error));
    assert_true(cn_file_make_folder_of(files, "file", &error));
}

static void a_file_is_no_folder_for_another(void **state)
{
    (void)state;
    assert_written("file", "text");
    assert_false(cn_file_check_folder_of(files, path_of("file/other"), &error));
    assert_refused(CN_ERROR_NOT_FOUND, "its folder does not exist");
}

#define TARGET_TEST(name) cmocka_unit_test_setup_teardown(name, make_scratch, drop_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TARGET_TEST(a_link_stays_and_its_file_is_replaced),
        TARGET_TEST(a_chain_of_links_through_folders_is_followed),
        TARGET_TEST(a_link_to_nothing_gets_its_file),
        TARGET_TEST(links_in_a_circle_are_refused),
        TARGET_TEST(a_link_to_a_pipe_stays),
        TARGET_TEST(a_pipe_that_nothing_reads_is_refused_and_stays),
        TARGET_TEST(a_pipe_with_a_reader_gets_all_bytes_and_stays),
        TARGET_TEST(a_reader_that_goes_is_an_error_and_no_signal),
        TARGET_TEST(a_pipe_can_only_be_written_from_its_beginning),
        TARGET_TEST(a_full_device_reports_it_and_stays),
        TARGET_TEST(a_socket_is_refused_and_stays),
        TARGET_TEST(a_folder_is_refused),
        TARGET_TEST(the_permissions_of_a_file_are_kept),
        TARGET_TEST(the_owner_of_a_file_is_kept),
        TARGET_TEST(a_file_that_may_not_be_written_is_not_replaced),
        TARGET_TEST(the_folder_of_a_file_is_checked_and_made),
        TARGET_TEST(a_file_is_no_folder_for_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
