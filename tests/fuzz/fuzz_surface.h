/*
 * A surface: a function that reads bytes from outside, and what is needed to fuzz it.
 *
 *     static bool run(const uint8_t *bytes, size_t size) { return parse(bytes, size); }
 *     static void add_seeds(FuzzSeeds *seeds) { fuzz_add_text(seeds, "key=1\n"); }
 *     const FuzzSurface fuzz_surface = {.max_bytes = 256, .add_seeds = add_seeds, .run = run};
 *
 * tests/fuzz/<module>/fuzz_<name>.c defines one. Two programs are made of it: the test
 * fuzz.<module>.<name> changes the seeds at random, always in the same way, for a second or so.
 * `tools/fuzz <module>.<name>` runs it with libFuzzer, which keeps inputs that reach new code.
 * Inputs in tests/fuzz/<module>/corpus/<name>/ are seeds, too: those of faults that were fixed.
 */
#ifndef CAIRN_TESTS_FUZZ_FUZZ_SURFACE_H
#define CAIRN_TESTS_FUZZ_FUZZ_SURFACE_H

#include "random.h"

#include <cairn/base/array.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct FuzzInput {
    uint8_t *bytes;
    size_t size;
} FuzzInput;

typedef struct FuzzSeeds {
    CN_ARRAY(FuzzInput) inputs;
} FuzzSeeds;

typedef struct FuzzSurface {
    size_t max_bytes;         /* of an input */
    uint32_t test_runs;       /* of the test; 0 selects the default, 10,000 */
    const char *const *words; /* that inputs contain, up to NULL; NULL: none */
    /* What an input does depends on those before it, such as in a world that is kept: libFuzzer
     * then counts which code is reached, not how often, and looks for leaks at the end only. */
    bool keeps_state;
    void (*add_seeds)(FuzzSeeds *seeds);
    /* Reads the input and checks the result with FUZZ_CHECK. The bytes lie on the heap and end
     * where their block ends. Returns whether they were accepted. */
    bool (*run)(const uint8_t *bytes, size_t size);
    /* Changes an input and returns its new size, 0 if it cannot. NULL: bytes and words change. */
    size_t (*mutate)(uint8_t *bytes, size_t size, size_t capacity, TestRandom *random);
} FuzzSurface;

extern const FuzzSurface fuzz_surface;

/* Copy an input. */
void fuzz_add(FuzzSeeds *seeds, const void *bytes, size_t size);
void fuzz_add_text(FuzzSeeds *seeds, const char *text);
void fuzz_add_file(FuzzSeeds *seeds, const char *path);

/* Seeds of the surface and its corpus. */
void fuzz_seeds_init(FuzzSeeds *seeds);
void fuzz_seeds_fini(FuzzSeeds *seeds);

/* Ends the program when a condition does not hold, in both programs. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
