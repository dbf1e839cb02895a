/*
 * The test of a surface: the seeds as they are, then changed at random. The inputs come from a
 * fixed seed, so they are always the same; CN_FUZZ_RUNS and CN_FUZZ_SEED in the environment select
 * others.
 */
#include "cmocka_tests.h"
#include "fuzz_surface.h"

#include <string.h>

static uint32_t run_count;
static TestRandom random_numbers = {18};

static uint32_t below(size_t n)
{
    return test_random_below(&random_numbers, (uint32_t)n);
}

/* ---- Changes ---- */

static size_t insert(uint8_t *bytes, size_t size, const void *piece, size_t length)
{
    if (length > fuzz_surface.max_bytes - size)
        return size;
    size_t at = below(size + 1);
    uint8_t copy[64];
    length = length < sizeof copy ? length : sizeof copy;
    memcpy(copy, piece, length);
    memmove(bytes + at + length, bytes + at, size - at);
    memcpy(bytes + at, copy, length);
    return size + length;
}

static size_t insert_word(uint8_t *bytes, size_t size)
{
    uint32_t count = 0;
    while (fuzz_surface.words && fuzz_surface.words[count])
        count++;
    if (!count)
        return size;
    const char *word = fuzz_surface.words[below(count)];
    return insert(bytes, size, word, strlen(word));
}

static size_t change_bytes(uint8_t *bytes, size_t size)
{
    static const uint32_t edges[] = {0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    if (!size)
        return insert_word(bytes, size);
    size_t at = below(size), length = 1 + below(size - at < 16 ? size - at : 16);
    switch (below(7)) {
    case 0:
        bytes[at] = (uint8_t)below(256);
        return size;
    case 1:
        bytes[at] = (uint8_t)(bytes[at] ^ 1u << below(8));
        return size;
    case 2:
        length = length > 4 ? 4 : length;
        memcpy(bytes + at, &edges[below(CN_COUNT_OF(edges))], length);
        return size;
    case 3:
        memmove(bytes + at, bytes + at + length, size - at - length);
        return size - length;
    case 4:
        return insert(bytes, size, bytes + at, length);
    case 5:
        memmove(bytes + below(size - length + 1), bytes + at, length);
        return size;
    default:
        return insert_word(bytes, size);
    }
}

static size_t change(uint8_t *bytes, size_t size)
{
    size_t changed = 0;
    if (fuzz_surface.mutate && below(8))
        changed = fuzz_surface.mutate(bytes, size, fuzz_surface.max_bytes, &random_numbers);
    for (uint32_t n = changed ? 0 : 1 + below(4); n > 0; n--)
        changed = size = change_bytes(bytes, size);
    if (below(32) == 0)
        changed = below(changed + 1); /* truncated */
    return changed;
}

/* ---- Runs ---- */

static bool run(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = cn_alloc(NULL, size ? size : 1);
    assert_non_null(exact);
    if (size)
        memcpy(exact, bytes, size);
    bool accepted = fuzz_surface.run(exact, size);
    cn_free(NULL, exact, size ? size : 1);
    return accepted;
}

static void seeds_are_accepted_or_refused(void **state)
{
    const FuzzSeeds *seeds = *state;
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < seeds->inputs.count; i++)
        accepted += run(seeds->inputs.items[i].bytes, seeds->inputs.items[i].size);
    print_message("%u of %u seeds accepted\n", accepted, seeds->inputs.count);
    assert_true(accepted > 0);
}

static void changed_inputs_are_accepted_or_refused(void **state)
{
    const FuzzSeeds *seeds = *state;
    uint8_t *bytes = cn_alloc(NULL, fuzz_surface.max_bytes);
    assert_non_null(bytes);
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < run_count; i++) {
        const FuzzInput *seed = &seeds->inputs.items[below(seeds->inputs.count)];
        size_t size = seed->size < fuzz_surface.max_bytes ? seed->size : fuzz_surface.max_bytes;
        memcpy(bytes, seed->bytes, size);
        size = change(bytes, size);
        accepted += run(bytes, size);
    }
    cn_free(NULL, bytes, fuzz_surface.max_bytes);
    print_message("%u of %u inputs accepted\n", accepted, run_count);
    if (run_count >= 1000)
        assert_in_range(accepted, 1, run_count - 1);
}

static int make_seeds(void **state)
{
    static FuzzSeeds seeds;
    fuzz_seeds_init(&seeds);
    *state = &seeds;
    return seeds.inputs.count ? 0 : -1;
}

static int drop_seeds(void **state)
{
    fuzz_seeds_fini(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_are_accepted_or_refused),
        cmocka_unit_test(changed_inputs_are_accepted_or_refused),
    };
    const char *given = getenv("CN_FUZZ_RUNS"), *seed = getenv("CN_FUZZ_SEED");
    run_count = fuzz_surface.test_runs ? fuzz_surface.test_runs : 10000;
    if (given)
        run_count = (uint32_t)strtoul(given, NULL, 10);
    if (seed)
        random_numbers.state = strtoul(seed, NULL, 10);
    return cmocka_run_group_tests(tests, make_seeds, drop_seeds);
}
