#include "base/file/temporary_name.h"

#include <cairn/base/assert.h>
#include <cairn/base/file.h>
#include <cairn/base/text.h>

#include <sodium.h>

#include <string.h>

#define MAX_FILE_BYTES ((size_t)1 << 30)
/* How much of the end of a path an error message includes, so that the reason fits behind it. */
#define ERROR_PATH_BYTES 160

/* Returns the end of a long path, starting at a character boundary. */
static const char *path_for_error(const char *path)
{
    size_t size = strlen(path);
    if (size <= ERROR_PATH_BYTES)
        return path;
    const char *shown = path + (size - ERROR_PATH_BYTES);
    while (((unsigned char)*shown & 0xC0) == 0x80)
        shown++;
    return shown;
}

bool cn_file_set_error(CnError *error, CnErrorCode code, const char *action, const char *path,
                       const char *reason)
{
    const char *shown = path_for_error(path);
    return cn_error_set(error, code, "cannot %s '%s%s': %s", action, shown == path ? "" : "...",
                        shown, reason);
}

/* Returns the budget of an open file. */
static const CnBudget *budget_of(CnFileSystem *fs, CnFile *file)
{
    const CnBudget *budget = fs->budget ? fs->budget(fs, file) : NULL;
    return budget ? budget : cn_budget_of(CN_ORIGIN_USER);
}

static bool refuse_size(const CnBudget *budget, const char *path, uint64_t size, CnError *error)
{
    if (budget->file_bytes < MAX_FILE_BYTES)
        return cn_budget_refuse(error, budget, path, "file_bytes", size, budget->file_bytes);
    return cn_file_set_error(error, CN_ERROR_LIMIT, "read", path, "it is larger than 1 GiB");
}

/* Reads until the end, even if the file is longer than its reported size (as in /proc). Leaves
 * room for a terminating zero: *size < *capacity. */
static bool read_to_end(CnFileSystem *fs, CnFile *file, const char *path, CnAllocator *allocator,
                        uint8_t **data, size_t *capacity, size_t *size, CnError *error)
{
    const CnBudget *budget = budget_of(fs, file);
    const size_t most = budget->file_bytes < MAX_FILE_BYTES ? budget->file_bytes : MAX_FILE_BYTES;
    for (;;) {
        size_t done = 0;
        if (!fs->read(fs, file, *size, *data + *size, *capacity - *size, &done, error))
            return false;
        *size += done;
        if (*size < *capacity)
            return true;
        if (*size > most)
            return refuse_size(budget, path, *size, error);
        size_t wanted = *capacity * 2 > most ? most + 1 : *capacity * 2;
        uint8_t *moved = cn_realloc(allocator, *data, *capacity, wanted);
        if (!moved)
            return cn_file_set_error(error, CN_ERROR_MEMORY, "read", path, "out of memory");
        *data = moved;
        *capacity = wanted;
    }
}

static bool read_open_file(CnFileSystem *fs, CnFile *file, const char *path, size_t expected,
                           CnAllocator *allocator, CnFileBytes *bytes, CnError *error)
{
    size_t capacity = expected + 1, size = 0;
    uint8_t *data = cn_alloc(allocator, capacity);
    if (!data)
        return cn_file_set_error(error, CN_ERROR_MEMORY, "read", path, "out of memory");
    if (!read_to_end(fs, file, path, allocator, &data, &capacity, &size, error)) {
        cn_free(allocator, data, capacity);
        return false;
    }
    /* The block is freed by its size alone, which must therefore be exact. */
    uint8_t *exact = cn_realloc(allocator, data, capacity, size + 1);
    if (!exact) {
        cn_free(allocator, data, capacity);
        return cn_file_set_error(error, CN_ERROR_MEMORY, "read", path, "out of memory");
    }
    exact[size] = 0;
    *bytes = (CnFileBytes){
        .data = exact, .size = size, .allocator = allocator, .budget = budget_of(fs, file)};
    return true;
}

bool cn_file_read_all(CnFileSystem *fs, const char *path, CnAllocator *allocator,
                      CnFileBytes *bytes, CnError *error)
{
    *bytes = (CnFileBytes){.allocator = allocator};
    CnFileInfo info;
    if (!fs->info(fs, path, &info, error))
        return false;
    if (info.is_directory)
        return cn_file_set_error(error, CN_ERROR_IO, "read", path, "it is a folder");
    if (info.size_bytes > MAX_FILE_BYTES)
        return cn_file_set_error(error, CN_ERROR_LIMIT, "read", path, "it is larger than 1 GiB");
    CnFile *file;
    if (!fs->open(fs, path, CN_FILE_READ, &file, error))
        return false;
    const CnBudget *budget = budget_of(fs, file);
    bool ok = info.size_bytes <= budget->file_bytes
                  ? read_open_file(fs, file, path, (size_t)info.size_bytes, allocator, bytes, error)
                  : refuse_size(budget, path, info.size_bytes, error);
    fs->close(fs, file);
    return ok;
}

void cn_file_bytes_free(CnFileBytes *bytes)
{
    if (bytes->data)
        cn_free(bytes->allocator, bytes->data, bytes->size + 1);
    *bytes = (CnFileBytes){.allocator = bytes->allocator};
}

void cni_base_temporary_digits(char digits[CNI_BASE_TEMPORARY_DIGITS + 1])
{
    uint8_t bytes[CNI_BASE_TEMPORARY_DIGITS / 2] = {0};
    if (sodium_init() >= 0) /* does nothing after the first call */
        randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(digits, CNI_BASE_TEMPORARY_DIGITS + 1, bytes, sizeof bytes);
}

/* Makes a name beside the file that nobody can predict, and no other writer uses. */
static bool temporary_path(char *temporary, size_t temporary_bytes, const char *path,
                           CnError *error)
{
    char digits[CNI_BASE_TEMPORARY_DIGITS + 1];
    cni_base_temporary_digits(digits);
    if (!cn_format(temporary, temporary_bytes, "%s.tmp-%s", path, digits))
        return cn_file_set_error(error, CN_ERROR_FORMAT, "write", path, "the path is too long");
    return true;
}

/* Writes and closes an open file. The attributes are set before the content is written, so that a
 * private file is never readable by others. */
static bool fill_file(CnFileSystem *fs, CnFile *file, const CnFileWriteTarget *target,
                      const void *bytes, size_t size, CnError *error)
{
    bool has_attributes = target->kind == CN_FILE_WRITE_TARGET_REGULAR && fs->copy_attributes;
    bool ok = (!has_attributes || fs->copy_attributes(fs, file, target, error)) &&
              (size == 0 || fs->write(fs, file, 0, bytes, size, error)) &&
              fs->sync(fs, file, error);
    fs->close(fs, file);
    return ok;
}

static bool find_write_target(CnFileSystem *fs, const char *path, CnFileWriteTarget *target,
                              CnError *error)
{
    target->kind = CN_FILE_WRITE_TARGET_MISSING;
    if (!path || !path[0])
        return cn_file_set_error(error, CN_ERROR_FORMAT, "write", path ? path : "",
                                 "the path is empty");
    if (fs->find_write_target)
        return fs->find_write_target(fs, path, target, error);
    return cn_copy_text(target->path, sizeof target->path, cn_text(path)) ||
           cn_file_set_error(error, CN_ERROR_FORMAT, "write", path, "the path is too long");
}

bool cn_file_write_all(CnFileSystem *fs, const char *path, const void *bytes, size_t size,
                       CnError *error)
{
    CN_ASSERT(bytes || size == 0, "%zu bytes at a NULL pointer", size);
    CnFileWriteTarget target;
    char temporary[CN_FILE_PATH_BYTES];
    if (!find_write_target(fs, path, &target, error))
        return false;
    CnFile *file;
    if (target.kind == CN_FILE_WRITE_TARGET_STREAM)
        return fs->open(fs, target.path, CN_FILE_WRITE, &file, error) &&
               fill_file(fs, file, &target, bytes, size, error);
    if (!temporary_path(temporary, sizeof temporary, target.path, error) ||
        !fs->open(fs, temporary, CN_FILE_NEW, &file, error))
        return false;
    if (fill_file(fs, file, &target, bytes, size, error) &&
        fs->rename(fs, temporary, target.path, error))
        return true;
    fs->remove(fs, temporary, NULL);
    return false;
}

/* ---- The folder of a file ---- */

/* Returns false without an error when the path contains no folder. */
static bool folder_of(const char *path, char folder[CN_FILE_PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    size_t size = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    return size > 0 && cn_copy_text(folder, CN_FILE_PATH_BYTES, (CnText){path, size});
}

bool cn_file_make_folder_of(CnFileSystem *fs, const char *path, CnError *error)
{
    char folder[CN_FILE_PATH_BYTES];
    return !folder_of(path, folder) || fs->make_folder(fs, folder, error);
}

bool cn_file_check_folder_of(CnFileSystem *fs, const char *path, CnError *error)
{
    char folder[CN_FILE_PATH_BYTES];
    CnFileInfo info;
    if (!folder_of(path, folder))
        return true;
    CnError found = {0};
    if (!fs->info(fs, folder, &info, &found) && found.code != CN_ERROR_NOT_FOUND) {
        if (error)
            *error = found;
        return false;
    }
    return (found.code == CN_OK && info.is_directory) ||
           cn_file_set_error(error, CN_ERROR_NOT_FOUND, "write", path, "its folder does not exist");
}
