#include "scratch.h"

#include "cmocka_tests.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

void scratch_init(Scratch *scratch)
{
    const char *parent = getenv("TMPDIR");
    cn_format(scratch->folder, sizeof scratch->folder, "%s/cairn-test-XXXXXX",
              parent && parent[0] ? parent : "/tmp");
    assert_non_null(mkdtemp(scratch->folder));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void scratch_fini(Scratch *scratch)
{
    assert_int_equal(nftw(scratch->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *scratch_path(const Scratch *scratch, const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % CN_COUNT_OF(paths)];
    assert_true(cn_format(path, sizeof paths[0], "%s/%s", scratch->folder, name));
    return path;
}

static bool count_one(const char *name, bool is_directory, void *user)
{
    (void)name, (void)is_directory;
    (*(size_t *)user)++;
    return true;
}

size_t scratch_count(const Scratch *scratch)
{
    CnFileSystem *files = cn_native_files();
    size_t count = 0;
    assert_true(files->list(files, scratch->folder, count_one, &count, NULL));
    return count;
}
