/*
 * Random paths and damaged archives. Whatever passes for a path stays inside; no archive crashes,
 * hangs or shows names that are no paths. The cases come from a seed, so they are always the same.
 */
#include "vfs_fixture.h"

#include "random.h"
#include "zip_file.h"

enum { PATHS = 60000, OPENED = 3000, ARCHIVES = 2500 };

static TestRandom random_numbers = {2026};

static uint32_t below(size_t n)
{
    return test_random_below(&random_numbers, (uint32_t)n);
}

/* ---- Paths ---- */

static size_t random_path(char *path, size_t capacity)
{
    static const char *const pieces[] = {
        "game://", "://",          "/",   "..",  ".",       "a",    "b.txt",    "\\",       ":",
        " ",       "//",           "../", "/..", "./",      "game", "\xc3\xa4", "\xc0\xae", "\xff",
        "\x01",    "\xc2\x85",     "...", "a/b", "GAME",    "C:",   "~",        "%2e",      "-",
        "\n",      "\xe2\x88\x95", "..a", "a..", "outside",
    };
    size_t size = 0;
    if (below(4) != 0) {
        memcpy(path, "game://", 7);
        size = 7;
    }
    for (uint32_t n = below(10); n > 0; n--) {
        const char *piece = pieces[below(CN_COUNT_OF(pieces))];
        size_t length = strlen(piece);
        if (size + length < capacity) {
            memcpy(path + size, piece, length);
            size += length;
        }
    }
    if (size > 0 && below(8) == 0)
        path[below(size)] = (char)below(256);
    return size;
}

/* What a valid path must be, written another way. */
static bool stays_inside(const char *path, size_t size)
{
    const char *colon = memchr(path, ':', size), *end = path + size;
    if (!colon || end - colon < 3 || memcmp(colon, "://", 3) != 0 || memchr(path, 0, size))
        return false;
    const char *at = colon + 3;
    while (at < end) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        size_t length = (size_t)((slash ? slash : end) - at);
        if (length == 0 || (length == 1 && at[0] == '.') ||
            (length == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        for (size_t i = 0; i < length; i++) {
            if ((unsigned char)at[i] < 32 || at[i] == '\\' || at[i] == ':')
                return false;
        }
        at += length + (slash ? 1 : 0);
    }
    return true;
}

static void whatever_is_valid_stays_inside(void **state)
{
    (void)state;
    uint32_t valid = 0;
    for (int i = 0; i < PATHS; i++) {
        char path[128];
        size_t size = random_path(path, sizeof path);
        CnError error = {0};
        if (cn_vfs_path_valid((CnText){path, size}, &error)) {
            valid++;
            if (!stays_inside(path, size))
                fail_msg("\"%.*s\" is valid", (int)size, path);
        } else {
            assert_int_equal(error.code, CN_ERROR_FORMAT);
            assert_true(error.message[0] && cn_text_is_utf8(cn_text(error.message)));
        }
    }
    assert_true(valid > PATHS / 50 && valid < PATHS);
}

static void whatever_is_opened_lies_inside(void **state)
{
    (void)state;
    mount_real("game", "inside", CN_MOUNT_WRITE);
    CnFileSystem *files = fixture.files;
    uint32_t made = 0;
    for (int i = 0; i < OPENED; i++) {
        char path[129] = {0};
        random_path(path, sizeof path - 1);
        CnFile *file;
        CnFileInfo info;
        if (below(3) == 0)
            files->make_folder(files, path, NULL);
        if (files->open(files, path, CN_FILE_WRITE, &file, NULL)) {
            files->close(files, file);
            assert_true(files->info(files, path, &info, NULL));
            made++;
        }
        if (below(2) == 0)
            files->remove(files, path, NULL);
    }
    assert_true(made > 50);
    assert_int_equal(scratch_count(&fixture.scratch), 2);
    assert_true(content_is(cn_native_files(), real("outside/secret.txt"), SECRET));
}

/* ---- Archives ---- */

static const ZipEntry entries[] = {
    {"a/b/c.txt", "some text that is long enough to be hit", false},
    {"a/d.txt", "more", false},
    {"e", "", false},
    {"f/", "", false},
    {"g", "the last", false},
};

static size_t damage(uint8_t *bytes, size_t size)
{
    static const uint32_t edges[] = {0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    for (uint32_t n = 1 + below(3); n > 0 && size > 8; n--) {
        size_t at = below(size - 4);
        switch (below(5)) {
        case 0:
            memcpy(bytes + at, &edges[below(CN_COUNT_OF(edges))], (size_t)1 << below(3));
            break;
        case 1:
            size -= below(2) ? below(size / 2) : below(30) % size;
            break;
        case 2:
            memmove(bytes + at, bytes + at + 1, size - at - 1);
            size--;
            break;
        default:
            bytes[at] = (uint8_t)below(256);
        }
    }
    return size;
}

static bool read_listed(const char *name, bool is_directory, void *user)
{
    const char *folder = user;
    char path[CN_VFS_PATH_BYTES + 512];
    if (!cn_format(path, sizeof path, "%s%s%s", folder, folder[6] ? "/" : "", name))
        return true;
    assert_true(strlen(path) >= CN_VFS_PATH_BYTES || cn_vfs_path_valid(cn_text(path), NULL));
    if (!is_directory)
        read_any(path);
    else if (strlen(path) < 100)
        fixture.files->list(fixture.files, path, read_listed, path, NULL);
    return true;
}

/* Without waiting for the disk, as one does that overwrites or syncs. */
static void write_quickly(const char *path, const uint8_t *bytes, size_t size)
{
    CnFileSystem *native = cn_native_files();
    CnFile *file;
    native->remove(native, path, NULL);
    assert_true(native->open(native, path, CN_FILE_WRITE, &file, NULL));
    assert_true(native->write(native, file, 0, bytes, size, NULL));
    native->close(native, file);
}

static void a_damaged_archive_is_refused_or_read(void **state)
{
    (void)state;
    uint8_t good[2048], bytes[2048];
    size_t good_size = zip_make(entries, CN_COUNT_OF(entries), good, sizeof good);
    uint32_t mounted = 0;
    for (int i = 0; i < ARCHIVES; i++) {
        memcpy(bytes, good, good_size);
        size_t size = damage(bytes, good_size);
        write_quickly(real("bad.zip"), bytes, size);
        fixture.error = (CnError){0};
        if (!cn_vfs_mount(fixture.vfs, "bad", real("bad.zip"), CN_MOUNT_READ, &fixture.error)) {
            assert_true(fixture.error.code != CN_OK && fixture.error.message[0]);
            continue;
        }
        mounted++;
        char root[] = "bad://";
        fixture.files->list(fixture.files, root, read_listed, root, NULL);
        read_any("bad://a/b/c.txt");
        assert_ok(cn_vfs_unmount(fixture.vfs, "bad", &fixture.error));
    }
    assert_true(mounted > 0 && mounted < ARCHIVES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_valid_stays_inside),
        cmocka_unit_test_setup_teardown(whatever_is_opened_lies_inside, make_fixture, drop_fixture),
        cmocka_unit_test_setup_teardown(a_damaged_archive_is_refused_or_read, make_fixture,
                                        drop_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
