/* File access for assimp: a file is kept in memory while the import runs, and for the list of
 * sources. */
#include "render/asset/model_import.h"

#include <cairn/base/text.h>

#define MAX_FILES 256u

typedef struct OpenFile {
    struct aiFile file; /* first member: assimp has its address */
    CnAllocator *allocator;
    const uint8_t *bytes;
    size_t size, at;
} OpenFile;

static size_t read_open(struct aiFile *file, char *into, size_t item_bytes, size_t count)
{
    OpenFile *open = (OpenFile *)(void *)file;
    size_t left = open->size - open->at;
    if (item_bytes == 0)
        return 0;
    count = count < left / item_bytes ? count : left / item_bytes;
    memcpy(into, open->bytes + open->at, count * item_bytes);
    open->at += count * item_bytes;
    return count;
}

static size_t write_open(struct aiFile *file, const char *from, size_t item_bytes, size_t count)
{
    (void)file, (void)from, (void)item_bytes, (void)count;
    return 0;
}

static size_t tell_open(struct aiFile *file)
{
    return ((OpenFile *)(void *)file)->at;
}

static size_t size_of_open(struct aiFile *file)
{
    return ((OpenFile *)(void *)file)->size;
}

static enum aiReturn seek_open(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    OpenFile *open = (OpenFile *)(void *)file;
    size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? open->at : open->size;
    size_t to = base + offset; /* wraps around for negative offsets */
    if (to > open->size)
        return aiReturn_FAILURE;
    open->at = to;
    return aiReturn_SUCCESS;
}

static void flush_open(struct aiFile *file)
{
    (void)file;
}

static const CniRenderImportFile *find_file(const CniRenderImportFiles *files, const char *path)
{
    for (uint32_t i = 0; i < files->read.count; i++)
        if (strcmp(files->read.items[i].path, path) == 0)
            return &files->read.items[i];
    return NULL;
}

static const CniRenderImportFile *read_file(CniRenderImportFiles *files, const char *path)
{
    CniRenderImportFile file = {.path_bytes = strlen(path) + 1};
    CnFileInfo info;
    if (files->read.count >= MAX_FILES || !files->files->info(files->files, path, &info, NULL) ||
        info.is_directory || info.size_bytes > CNI_RENDER_MODEL_MAX_BYTES - files->total_bytes ||
        !cn_file_read_all(files->files, path, files->allocator, &file.bytes, NULL))
        return NULL;
    file.path = cn_alloc(files->allocator, file.path_bytes);
    if (file.path && cn_array_push(&files->read, file)) {
        memcpy(file.path, path, file.path_bytes);
        files->total_bytes += file.bytes.size;
        return &files->read.items[files->read.count - 1];
    }
    cn_free(files->allocator, file.path, file.path_bytes);
    cn_file_bytes_free(&file.bytes);
    return NULL;
}

const CniRenderImportFile *cni_render_import_file(CniRenderImportFiles *files, const char *path)
{
    const CniRenderImportFile *file = find_file(files, path);
    return file ? file : read_file(files, path);
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode)
{
    CniRenderImportFiles *files = (CniRenderImportFiles *)(void *)io;
    (void)mode; /* read-only */
    const CniRenderImportFile *file = cni_render_import_file(files, path);
    OpenFile *open = file ? cn_alloc_zeroed(files->allocator, sizeof *open) : NULL;
    if (!open)
        return NULL;
    *open = (OpenFile){.file = {.ReadProc = read_open,
                                .WriteProc = write_open,
                                .TellProc = tell_open,
                                .FileSizeProc = size_of_open,
                                .SeekProc = seek_open,
                                .FlushProc = flush_open},
                       .allocator = files->allocator,
                       .bytes = file->bytes.data,
                       .size = file->bytes.size};
    return &open->file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    CniRenderImportFiles *files = (CniRenderImportFiles *)(void *)io;
    cn_free(files->allocator, file, sizeof(OpenFile));
}

bool cni_render_import_files_init(CniRenderImportFiles *files, CnFileSystem *under,
                                  CnAllocator *allocator, const char *path, CnFileBytes main)
{
    *files = (CniRenderImportFiles){.io = {.OpenProc = open_file, .CloseProc = close_file},
                                    .files = under,
                                    .allocator = allocator,
                                    .total_bytes = main.size};
    cn_array_init(&files->read, allocator);
    CniRenderImportFile file = {.path_bytes = strlen(path) + 1, .bytes = main};
    file.path = cn_alloc(allocator, file.path_bytes);
    if (file.path && cn_array_push(&files->read, file)) {
        memcpy(file.path, path, file.path_bytes);
        return true;
    }
    cn_free(allocator, file.path, file.path_bytes);
    return false;
}

void cni_render_import_files_fini(CniRenderImportFiles *files)
{
    for (uint32_t i = 0; i < files->read.count; i++) {
        CniRenderImportFile *file = &files->read.items[i];
        cn_free(files->allocator, file->path, file->path_bytes);
        if (i > 0)
            cn_file_bytes_free(&file->bytes);
    }
    cn_array_fini(&files->read);
}
