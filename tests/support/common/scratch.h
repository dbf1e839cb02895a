/* A folder of its own for a test that writes files: made empty, removed with all it holds. */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_SCRATCH_H
#define CAIRN_TESTS_SUPPORT_COMMON_SCRATCH_H

#include <stddef.h>

typedef struct Scratch {
    char folder[256];
} Scratch;

void scratch_init(Scratch *scratch);
void scratch_fini(Scratch *scratch);
/* The path of a file in the folder. Valid until the eighth call after this one. */
const char *scratch_path(const Scratch *scratch, const char *name);
/* How many names the folder itself holds. */
size_t scratch_count(const Scratch *scratch);

#endif
