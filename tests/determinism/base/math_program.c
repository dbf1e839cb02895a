/*
 * Prints hashes of results of every function of cairn/base/math.h;
 * tests/golden/base/test_math_hash.c knows the same ones. tools/check-determinism builds it in
 * every way and compares what it prints.
 *
 *     math_program
 *
 * The first line names the SIMD path, the others must be the same everywhere.
 */
#include "math_functions.h"

#include <cairn/base/cpu.h>

#include <stdio.h>

#define ARGUMENTS 1000000u

static void print_hash(const char *name, uint64_t hash, void *user)
{
    (void)user;
    printf("%-24s %016llx\n", name, (unsigned long long)hash);
}

int main(void)
{
    printf("%s\n", cn_simd_path_name(cn_simd_path()));
    math_hash_all(ARGUMENTS, print_hash, NULL);
    return 0;
}
