/*
 * Runs the test program again with an additional environment variable, to test settings that are
 * read once per process.
 *
 *     int main(int argc, char **argv)
 *     {
 *         if (argc == 2)
 *             return run_child(argv[1]);
 *         ...
 *     }
 *
 *     char output[512];
 *     int code = child_run("warn", "CAIRN_LOG=error", output, sizeof output);
 */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_CHILD_H
#define CAIRN_TESTS_SUPPORT_COMMON_CHILD_H

#include <stddef.h>

/* Starts the program with one argument and `setting` ("NAME=value", or NULL) in its environment.
 * Fills `output` with its standard error and returns its exit code, or -1 if a signal ended it. */
int child_run(const char *argument, const char *setting, char *output, size_t output_bytes);

#endif
