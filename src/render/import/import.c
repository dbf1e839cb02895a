/* The entry of the import, its files and what both formats share. */
#include "render/import/import.h"

#include "render/decode/decoder.h"

#include <stdarg.h>

bool cni_render_import_fails(const CniRenderImport *import, CnErrorCode code, const char *format,
                             ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    return cn_error_set_at(import->error, code, import->path, 0, 0, "%s", message);
}

bool cni_render_import_memory(const CniRenderImport *import)
{
    return cni_render_import_fails(import, CN_ERROR_MEMORY, "out of memory for the model");
}

/* ---- Files ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

bool cni_render_import_resolve(const CniRenderImport *import, CnText uri,
                               char path[CNI_RENDER_PATH_MAX])
{
    size_t size = import->folder.size;
    if (size + uri.size >= CNI_RENDER_PATH_MAX || !uri.size)
        return false;
    memcpy(path, import->folder.data, size);
    while (uri.size > 2 && uri.data[0] == '.' && uri.data[1] == '/')
        uri = (CnText){uri.data + 2, uri.size - 2};
    for (size_t i = 0; i < uri.size; i++) {
        char c = uri.data[i];
        if (c == '%' && i + 2 < uri.size && hex_digit(uri.data[i + 1]) >= 0 &&
            hex_digit(uri.data[i + 2]) >= 0) {
            c = (char)(hex_digit(uri.data[i + 1]) * 16 + hex_digit(uri.data[i + 2]));
            i += 2;
        }
        if (c == 0)
            return false;
        path[size++] = c == '\\' ? '/' : c;
    }
    path[size] = 0;
    return true;
}

/* Checks the size of all files of the model together. */
static bool check_bytes(const CniRenderImport *import, uint64_t bytes, CnError *error)
{
    const CnBudget *budget = import->budget;
    if (bytes > budget->model_bytes)
        return cn_budget_refuse(error, budget, import->path, "model_bytes", bytes,
                                budget->model_bytes);
    return bytes <= CNI_RENDER_MODEL_MAX_BYTES ||
           cn_error_set_at(error, CN_ERROR_LIMIT, import->path, 0, 0,
                           "the files of the model exceed %u MiB",
                           CNI_RENDER_MODEL_MAX_BYTES >> 20);
}

static bool read_file(CniRenderImport *import, const char *path, CniRenderImportFile *file,
                      CnError *error)
{
    CnFileInfo info;
    if (import->read.count >= CNI_RENDER_IMPORT_MAX_FILES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the model consists of more than %u files",
                            CNI_RENDER_IMPORT_MAX_FILES);
    if (!import->files->info(import->files, path, &info, error))
        return false;
    if (info.is_directory)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "%s is a folder", path);
    if (!check_bytes(import, import->total_bytes + info.size_bytes, error))
        return false;
    if (!cn_file_read_all(import->files, path, import->allocator, &file->bytes, error))
        return false;
    const CnBudget *budget = file->bytes.budget;
    if (budget->origin != CN_ORIGIN_FOREIGN || import->budget->origin == CN_ORIGIN_FOREIGN)
        return true;
    import->foreign = budget;
    cn_file_bytes_free(&file->bytes);
    return cn_error_set(error, CN_ERROR_PERMISSION, "%s is of foreign origin", path);
}

bool cni_render_import_file(CniRenderImport *import, const char *path, CnText *bytes,
                            CnError *error)
{
    for (uint32_t i = 0; i < import->read.count; i++) {
        const CniRenderImportFile *file = &import->read.items[i];
        if (strcmp(file->path, path) != 0)
            continue;
        *bytes = (CnText){(const char *)file->bytes.data, file->bytes.size};
        return true;
    }
    CniRenderImportFile file = {.path_bytes = strlen(path) + 1};
    if (!read_file(import, path, &file, error))
        return false;
    file.path = cn_alloc(import->allocator, file.path_bytes);
    if (!file.path || !cn_array_push(&import->read, file)) {
        cn_free(import->allocator, file.path, file.path_bytes);
        cn_file_bytes_free(&file.bytes);
        return cn_error_memory(error, "a file of the model");
    }
    memcpy(file.path, path, file.path_bytes);
    import->total_bytes += file.bytes.size;
    *bytes = (CnText){(const char *)file.bytes.data, file.bytes.size};
    return true;
}

/* Records the files, so that the cache notices when they change. */
static bool add_sources(CniRenderImport *import)
{
    CniRenderModelData *data = import->data;
    for (uint32_t i = 0; i < import->read.count; i++) {
        const CniRenderImportFile *file = &import->read.items[i];
        bool ok = true;
        CniRenderModelSource source = {
            .path = cni_render_model_text(data, cn_text(file->path), &ok),
            .hash = cn_hash_bytes(file->bytes.data, file->bytes.size, 0)};
        if (!ok || !cn_array_push(&data->sources, source))
            return cni_render_import_memory(import);
    }
    return true;
}

/* ---- Textures and parts ---- */

bool cni_render_import_texture(CniRenderImport *import, const CniRenderModelTexture *texture,
                               uint32_t *number)
{
    CniRenderModelData *data = import->data;
    uint64_t key = cn_hash_bytes(texture, sizeof *texture, 0);
    const uint32_t *found = cn_hash_map_get(&import->texture_by_key, key);
    if (found && !memcmp(&data->textures.items[*found], texture, sizeof *texture)) {
        *number = *found + 1;
        return true;
    }
    uint32_t index = data->textures.count;
    if (!cn_array_push(&data->textures, *texture) ||
        !cn_hash_map_set(&import->texture_by_key, key, &index))
        return cni_render_import_memory(import);
    *number = index + 1;
    return true;
}

bool cni_render_import_part(CniRenderImport *import, uint32_t mesh, CnText name,
                            const CnAffine *place, uint32_t morph)
{
    CniRenderModelData *data = import->data;
    bool ok = true;
    if (data->meshes.items[mesh].index_count == 0)
        return true;
    if (data->parts.count >= CNI_RENDER_MODEL_MAX_PARTS)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has more than %u parts",
                                       CNI_RENDER_MODEL_MAX_PARTS);
    CniRenderModelPartData part = {.mesh = mesh,
                                   .name = cni_render_model_text(data, name, &ok),
                                   .morph = data->meshes.items[mesh].target_count ? morph : 0,
                                   .transform = *place};
    return (ok && cn_array_push(&data->parts, part)) || cni_render_import_memory(import);
}

/* ---- Import ---- */

static CnText folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (CnText){path, slash ? (size_t)(slash + 1 - path) : 0};
}

static bool has_extension(const char *path, const char *extension)
{
    size_t size = strlen(path), end = strlen(extension);
    if (size < end)
        return false;
    for (size_t i = 0; i < end; i++) {
        char c = path[size - end + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != extension[i])
            return false;
    }
    return true;
}

static bool read_format(CniRenderImport *import)
{
    if (has_extension(import->path, ".gltf") || has_extension(import->path, ".glb"))
        return cni_render_import_gltf(import);
    if (has_extension(import->path, ".obj"))
        return import->scene ? cni_render_import_fails(import, CN_ERROR_NOT_FOUND,
                                                       "an OBJ file has no scenes")
                             : cni_render_import_obj(import);
    return cni_render_import_fails(import, CN_ERROR_UNSUPPORTED,
                                   "the model format must be .gltf, .glb or .obj; docs/formats.md "
                                   "says how to convert others");
}

/* Imports in this process. *foreign receives the budget of a file of foreign origin that the model
 * refers to, though it is not foreign itself; such a model is not complete. */
static bool run_import(CnFileSystem *files, const char *path, const char *scene, CnFileBytes main,
                       CniRenderModelData *data, const CnBudget **foreign, CnError *error)
{
    CniRenderImport import = {.data = data,
                              .files = files,
                              .allocator = data->bulk,
                              .budget = main.budget ? main.budget : cn_budget_of(CN_ORIGIN_USER),
                              .error = error,
                              .path = path,
                              .scene = scene,
                              .main = {(const char *)main.data, main.size},
                              .folder = folder_of(path),
                              .total_bytes = main.size};
    if (!check_bytes(&import, main.size, error))
        return false;
    cn_array_init(&import.read, import.allocator);
    cn_array_init(&import.origins, import.allocator);
    cn_hash_map_init_keyed(&import.texture_by_key, import.allocator, sizeof(uint32_t));
    bool ok = read_format(&import) && add_sources(&import);
    if (ok && !data->parts.count)
        ok = cni_render_import_fails(&import, CN_ERROR_FORMAT, "the model has no triangles");
    for (uint32_t i = 0; i < import.read.count; i++) {
        cn_free(import.allocator, import.read.items[i].path, import.read.items[i].path_bytes);
        cn_file_bytes_free(&import.read.items[i].bytes);
    }
    cn_array_fini(&import.read);
    cn_array_fini(&import.origins);
    cn_hash_map_fini(&import.texture_by_key);
    *foreign = import.foreign;
    data->budget = import.budget;
    return ok && cni_render_model_check(data, path, error) &&
           cni_render_model_check_budget(data, import.budget, path, error);
}

bool cni_render_model_decode(CnFileSystem *files, const char *path, const char *scene,
                             CnFileBytes main, CniRenderModelData *data, CnError *error)
{
    const CnBudget *foreign;
    return run_import(files, path, scene, main, data, &foreign, error);
}

bool cni_render_model_import(CnFileSystem *files, const char *path, const char *scene,
                             CnFileBytes main, CniRenderModelData *data, CnError *error)
{
    const CnBudget *foreign = NULL;
    if (main.budget && main.budget->origin == CN_ORIGIN_FOREIGN)
        foreign = main.budget;
    else if (run_import(files, path, scene, main, data, &foreign, error) && !foreign)
        return true;
    if (!foreign)
        return false;
    cni_render_model_data_fini(data);
    main.budget = foreign;
    data->budget = foreign;
    return cni_render_decode_model(files, path, scene, main, data, error);
}
