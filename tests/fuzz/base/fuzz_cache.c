/* Entries of the cache: only the bytes that were written are returned. */
#include "fuzz_surface.h"
#include "scratch.h"

#include <cairn/base/cache.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char content[] = "the content of an entry";

/* The folder, its key and the entry "a" are made once. */
static CnCache *cache;
static int entry = -1;
static uint8_t good[256];
static size_t good_bytes;

static Scratch scratch;

static void remove_scratch(void)
{
    scratch_fini(&scratch);
}

static void make_cache(void)
{
    if (cache)
        return;
    scratch_init(&scratch);
    atexit(remove_scratch);
    cache = cn_cache_create(&(CnCacheDesc){.folder = scratch.folder}, NULL);
    FUZZ_CHECK(cache && cn_cache_write(cache, "a", content, sizeof content, NULL));
    entry = open(scratch_path(&scratch, "a"), O_RDWR | O_CLOEXEC);
    ssize_t bytes = pread(entry, good, sizeof good, 0);
    FUZZ_CHECK(entry >= 0 && bytes > (ssize_t)sizeof content && bytes < (ssize_t)sizeof good);
    good_bytes = (size_t)bytes;
}

/* The key differs between runs, so an input is what to add to each byte. */
static void add_seeds(FuzzSeeds *seeds)
{
    const uint8_t none[sizeof good] = {0};
    make_cache();
    fuzz_add(seeds, none, good_bytes);
}

static bool run(const uint8_t *bytes, size_t size)
{
    uint8_t file[sizeof good] = {0};
    make_cache();
    size = size < sizeof file ? size : sizeof file;
    for (size_t i = 0; i < size; i++)
        file[i] = (uint8_t)(bytes[i] + (i < good_bytes ? good[i] : 0));
    bool is_same = size == good_bytes && !memcmp(file, good, size);
    FUZZ_CHECK(pwrite(entry, file, size, 0) == (ssize_t)size);
    FUZZ_CHECK(ftruncate(entry, (off_t)size) == 0);
    CnFileBytes read;
    bool accepted = cn_cache_read(cache, "a", NULL, &read);
    FUZZ_CHECK(accepted == is_same);
    if (accepted) {
        FUZZ_CHECK(read.size == sizeof content && !memcmp(read.data, content, read.size));
        cn_file_bytes_free(&read);
    }
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 256, .add_seeds = add_seeds, .run = run};
