/*
 * Hand-written zip archives with stored entries, including malicious ones.
 *
 *     ZipEntry entries[] = {{"a/b.txt", "hello"}, {"../out.txt", "evil"},
 *                           {"link", "a", .is_link = true}};
 *     size_t size = zip_make(entries, CN_COUNT_OF(entries), bytes, sizeof bytes);
 */
#ifndef CAIRN_TESTS_SUPPORT_VFS_ZIP_FILE_H
#define CAIRN_TESTS_SUPPORT_VFS_ZIP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ZipEntry {
    const char *name; /* a folder if it ends with '/' */
    const char *content;
    bool is_link; /* to the path that is its content */
} ZipEntry;

/* Returns the number of bytes; 0 if they do not fit. */
size_t zip_make(const ZipEntry *entries, size_t count, uint8_t *bytes, size_t capacity);
/* Writes such an archive to a file. */
bool zip_write(const char *path, const ZipEntry *entries, size_t count);

#endif
