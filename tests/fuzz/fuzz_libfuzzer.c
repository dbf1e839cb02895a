/*
 * A surface as a target of libFuzzer. With CN_FUZZ_SEEDS=<folder> in the environment, the program
 * writes the seeds of the surface there, and its words to <folder>.dict, and ends.
 */
#include "fuzz_surface.h"

#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned seed);

static void write_words(const char *folder)
{
    char path[512];
    FUZZ_CHECK(cn_format(path, sizeof path, "%s.dict", folder));
    FILE *file = fopen(path, "w");
    FUZZ_CHECK(file);
    for (const char *const *word = fuzz_surface.words; word && *word; word++) {
        fputc('"', file);
        for (const char *at = *word; *at; at++)
            fprintf(file, "\\x%02X", (unsigned char)*at);
        fputs("\"\n", file);
    }
    fclose(file);
}

static void write_seeds(const FuzzSeeds *seeds, const char *folder)
{
    for (uint32_t i = 0; i < seeds->inputs.count; i++) {
        char path[512];
        FUZZ_CHECK(cn_format(path, sizeof path, "%s/seed_%u", folder, i));
        FUZZ_CHECK(cn_file_write_all(cn_native_files(), path, seeds->inputs.items[i].bytes,
                                     seeds->inputs.items[i].size, NULL));
    }
}

/* Adds the options of libFuzzer that the surface needs. */
static void add_arguments(int *count, char ***arguments)
{
    static char size[32];
    static char of_state[][24] = {"-use_counters=0", "-entropic=0", "-detect_leaks=0"};
    static char *extended[64];
    FUZZ_CHECK(*count + 5 < (int)CN_COUNT_OF(extended));
    cn_format(size, sizeof size, "-max_len=%zu", fuzz_surface.max_bytes);
    memcpy(extended, *arguments, (size_t)*count * sizeof *extended);
    extended[(*count)++] = size;
    for (size_t i = 0; i < CN_COUNT_OF(of_state) && fuzz_surface.keeps_state; i++)
        extended[(*count)++] = of_state[i];
    *arguments = extended;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *folder = getenv("CN_FUZZ_SEEDS");
    FuzzSeeds seeds;
    fuzz_seeds_init(&seeds);
    if (folder) {
        write_seeds(&seeds, folder);
        write_words(folder);
        exit(0);
    }
    fuzz_seeds_fini(&seeds);
    add_arguments(count, arguments);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_surface.run(bytes, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned seed)
{
    TestRandom random = {seed};
    size_t changed = 0;
    if (fuzz_surface.mutate && test_random_below(&random, 8))
        changed = fuzz_surface.mutate(bytes, size, capacity, &random);
    return changed ? changed : LLVMFuzzerMutate(bytes, size, capacity);
}
