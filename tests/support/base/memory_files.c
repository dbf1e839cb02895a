#include "memory_files.h"

#include <string.h>

static MemoryFile *find(CnFileSystem *fs, const char *path)
{
    MemoryFiles *memory = (MemoryFiles *)fs;
    for (uint32_t i = 0; i < memory->count; i++)
        if (strcmp(memory->list[i].path, path) == 0)
            return &memory->list[i];
    return NULL;
}

static size_t size_of(const MemoryFile *file)
{
    return file->size == SIZE_MAX ? strlen(file->text) : file->size;
}

static bool memory_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    const MemoryFile *file = find(fs, path);
    if (!file)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no '%s'", path);
    *info = (CnFileInfo){.size_bytes = size_of(file)};
    return true;
}

static bool memory_open(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                        CnError *error)
{
    *file = (CnFile *)find(fs, path);
    if (!*file || mode != CN_FILE_READ)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no '%s'", path);
    ((MemoryFiles *)fs)->reads++;
    return true;
}

static void memory_close(CnFileSystem *fs, CnFile *file)
{
    (void)fs;
    (void)file;
}

static bool memory_read(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                        size_t *done, CnError *error)
{
    (void)fs;
    (void)error;
    const char *text = ((const MemoryFile *)file)->text;
    size_t total = size_of((const MemoryFile *)file);
    *done = offset < total ? total - (size_t)offset : 0;
    *done = *done < size ? *done : size;
    if (*done)
        memcpy(bytes, text + offset, *done);
    return true;
}

void memory_files_init(MemoryFiles *memory)
{
    *memory = (MemoryFiles){
        .files = {
            .open = memory_open, .close = memory_close, .read = memory_read, .info = memory_info}};
}

void memory_files_set_bytes(MemoryFiles *memory, const char *path, const void *bytes, size_t size)
{
    MemoryFile *file = find(&memory->files, path);
    if (!file && memory->count < MEMORY_FILES)
        file = &memory->list[memory->count++];
    *file = (MemoryFile){path, bytes, size};
}

void memory_files_set(MemoryFiles *memory, const char *path, const char *text)
{
    memory_files_set_bytes(memory, path, text, SIZE_MAX);
}
