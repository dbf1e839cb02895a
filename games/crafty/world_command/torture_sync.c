/* The time of a sync. */
#include "torture.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { SYNCS = 100, BYTES = 4096 };
#define MOST_NS 3000000000ull /* for slow disks */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

bool torture_measure_sync(const char *folder, TortureSync *sync, CnError *error)
{
    char path[CN_STORE_PATH_BYTES];
    double times[SYNCS];
    uint8_t bytes[BYTES] = {1};
    if (!cn_format(path, sizeof path, "%s/sync", folder))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "write", folder, "the path is too long");
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return cn_file_set_errno(error, "write", path, errno);
    *sync = (TortureSync){0};
    bool done = true;
    for (uint64_t start = cn_clock_ns(); sync->count < SYNCS && cn_clock_ns() - start < MOST_NS;) {
        uint64_t before = cn_clock_ns();
        done = pwrite(file, bytes, BYTES, (off_t)(sync->count % 16) * BYTES) == BYTES &&
               fdatasync(file) == 0;
        if (!done)
            break;
        times[sync->count++] = (double)(cn_clock_ns() - before) / 1000;
    }
    int number = errno;
    close(file);
    unlink(path);
    if (!done)
        return cn_file_set_errno(error, "write", path, number);
    qsort(times, sync->count, sizeof *times, compare);
    sync->median_us = times[sync->count / 2];
    sync->worst_us = times[sync->count - 1];
    return true;
}
