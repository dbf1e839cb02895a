/* A temporary folder for a test that writes files: created empty, removed with its contents. */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_SCRATCH_H
#define CAIRN_TESTS_SUPPORT_COMMON_SCRATCH_H

#include <stddef.h>

typedef struct Scratch {
    char folder[256];
} Scratch;

void scratch_init(Scratch *scratch);
void scratch_fini(Scratch *scratch);
/* Returns the path of a file in the folder. Valid until the eighth following call. */
const char *scratch_path(const Scratch *scratch, const char *name);
/* Returns the number of entries in the folder. */
size_t scratch_count(const Scratch *scratch);

#endif
