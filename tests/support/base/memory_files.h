/* A read-only file system in memory, filled by the test. */
#ifndef CAIRN_TESTS_SUPPORT_BASE_MEMORY_FILES_H
#define CAIRN_TESTS_SUPPORT_BASE_MEMORY_FILES_H

#include <cairn/base/file.h>

#define MEMORY_FILES 64

typedef struct MemoryFile {
    const char *path;
    const char *text;
    size_t size; /* of the text; SIZE_MAX: up to its zero */
} MemoryFile;

typedef struct MemoryFiles {
    CnFileSystem files; /* first: hand out its address */
    MemoryFile list[MEMORY_FILES];
    uint32_t count;
    uint32_t reads; /* files opened so far */
} MemoryFiles;

void memory_files_init(MemoryFiles *memory);
/* Adds a file, or replaces its text. Neither is copied. */
void memory_files_set(MemoryFiles *memory, const char *path, const char *text);
void memory_files_set_bytes(MemoryFiles *memory, const char *path, const void *bytes, size_t size);

#endif
