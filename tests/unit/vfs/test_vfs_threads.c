/* test-labels: threads */
#include "vfs_fixture.h"

#include "zip_file.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 150, NAMES = 8 };

static int mount_both(void **state)
{
    if (make_fixture(state) != 0)
        return -1;
    char names[NAMES][16], contents[NAMES][16];
    ZipEntry entries[NAMES];
    for (int i = 0; i < NAMES; i++) {
        cn_format(names[i], sizeof names[i], "packed%d", i);
        cn_format(contents[i], sizeof contents[i], "content %d", i);
        entries[i] = (ZipEntry){names[i], contents[i], false};
        char path[32];
        cn_format(path, sizeof path, "inside/loose%d", i);
        write_real(path, contents[i]);
    }
    assert_true(zip_write(real("game.zip"), entries, NAMES));
    mount_real("assets", "inside", CN_MOUNT_WRITE);
    mount_real("assets", "game.zip", CN_MOUNT_READ);
    return 0;
}

typedef struct Reader {
    int number;
    uint32_t wrong;
} Reader;

static bool file_is(const char *path, const char *expected)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(fixture.files, path, NULL, &bytes, NULL))
        return false;
    bool is_same = cn_text_equal((CnText){(char *)bytes.data, bytes.size}, cn_text(expected));
    cn_file_bytes_free(&bytes);
    return is_same;
}

static bool count_name(const char *name, bool is_directory, void *user)
{
    (void)is_directory;
    *(uint32_t *)user += strncmp(name, "packed", 6) == 0;
    return true;
}

static void *read_all(void *data)
{
    Reader *reader = data;
    for (int round = 0; round < ROUNDS; round++) {
        int i = (round + reader->number) % NAMES;
        char path[32], expected[16];
        cn_format(expected, sizeof expected, "content %d", i);
        cn_format(path, sizeof path, "assets://loose%d", i);
        reader->wrong += !file_is(path, expected);
        cn_format(path, sizeof path, "assets://packed%d", i);
        reader->wrong += !file_is(path, expected);
        reader->wrong += file_is("assets://missing", "");
        cn_format(path, sizeof path, "assets://written%d", reader->number);
        reader->wrong += !cn_file_write_all(fixture.files, path, expected, strlen(expected), NULL);
        reader->wrong += !file_is(path, expected);
        uint32_t names = 0;
        reader->wrong += !fixture.files->list(fixture.files, "assets://", count_name, &names, NULL);
        reader->wrong += names != NAMES;
    }
    return NULL;
}

static void threads_read_and_write_at_the_same_time(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    Reader readers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        readers[i] = (Reader){.number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
}

static void *make_and_drop(void *data)
{
    Reader *reader = data;
    const char *archive = fixture.scratch.folder;
    char path[300];
    cn_format(path, sizeof path, "%s/game.zip", archive);
    for (int round = 0; round < ROUNDS; round++) {
        CnVfs *vfs = cn_vfs_create(NULL, NULL);
        CnFileInfo info;
        reader->wrong += !vfs || !cn_vfs_mount(vfs, "own", path, CN_MOUNT_READ, NULL);
        CnFileSystem *files = cn_vfs_files(vfs);
        reader->wrong += !files->info(files, "own://packed1", &info, NULL);
        reader->wrong += files->info(files, "assets://packed1", &info, NULL);
        cn_vfs_destroy(vfs);
    }
    return NULL;
}

static void threads_make_and_drop_their_own(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    Reader readers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_and_drop, &readers[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(threads_read_and_write_at_the_same_time, mount_both,
                                        drop_fixture),
        cmocka_unit_test_setup_teardown(threads_make_and_drop_their_own, mount_both, drop_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
