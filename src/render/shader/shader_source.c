#include "render/shader/shader_source.h"

#include <string.h>

#include "shader_sources.inc"

#define MAX_DEPTH 4u /* of folders */

const CniRenderShaderSource *cni_render_shader_embedded(const char *path)
{
    for (size_t i = 0; i < CN_COUNT_OF(sources); i++) {
        if (!strcmp(sources[i].path, path))
            return &sources[i];
    }
    return NULL;
}

static bool copy_embedded(const CnRenderer *renderer, const CniRenderShaderSource *source,
                          CnFileBytes *bytes, CnError *error)
{
    uint8_t *copy = cn_alloc(renderer->allocator, source->size + 1);
    if (!copy)
        return cn_error_memory(error, "%s", source->path);
    memcpy(copy, source->text, source->size + 1);
    *bytes = (CnFileBytes){.data = copy, .size = source->size, .allocator = renderer->allocator};
    return true;
}

bool cni_render_shader_read(const CnRenderer *renderer, const char *path, CnFileBytes *bytes,
                            CnError *error)
{
    char full[CNI_RENDER_PATH_BYTES + CNI_RENDER_SHADER_PATH_BYTES];
    cn_format(full, sizeof full, "%s/%s", renderer->shader_folder, path);
    if (renderer->shader_folder[0] &&
        cn_file_read_all(cn_native_files(), full, renderer->allocator, bytes, NULL))
        return true;
    const CniRenderShaderSource *embedded = cni_render_shader_embedded(path);
    if (!embedded)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "shader %s does not exist", path);
    return copy_embedded(renderer, embedded, bytes, error);
}

/* ---- Paths by name ---- */

static bool is_named(const char *path, const char *name)
{
    for (; *path && *name; path++, name++) {
        bool is_plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                        (*path >= '0' && *path <= '9');
        if ((is_plain ? *path : '_') != *name)
            return false;
    }
    return !*path && !*name;
}

typedef struct Search {
    const char *name;
    const char *root;
    char folder[CNI_RENDER_SHADER_PATH_BYTES]; /* relative to the root, with a trailing slash */
    uint32_t depth;
    char *found;
} Search;

static bool visit(const char *name, bool is_directory, void *user);

static void search_folder(Search *search)
{
    char full[CNI_RENDER_PATH_BYTES + CNI_RENDER_SHADER_PATH_BYTES];
    cn_format(full, sizeof full, "%s/%s", search->root, search->folder);
    cn_native_files()->list(cn_native_files(), full, visit, search, NULL);
}

static bool visit(const char *name, bool is_directory, void *user)
{
    Search *search = user;
    char path[CNI_RENDER_SHADER_PATH_BYTES];
    if (!cn_format(path, sizeof path, "%s%s", search->folder, name))
        return true;
    if (!is_directory) {
        if (is_named(path, search->name))
            cn_copy_text(search->found, CNI_RENDER_SHADER_PATH_BYTES, cn_text(path));
    } else if (search->depth < MAX_DEPTH) {
        Search below = *search;
        below.depth++;
        if (cn_format(below.folder, sizeof below.folder, "%s/", path))
            search_folder(&below);
    }
    return !search->found[0];
}

bool cni_render_shader_path(const CnRenderer *renderer, const char *name,
                            char path[CNI_RENDER_SHADER_PATH_BYTES])
{
    path[0] = '\0';
    for (size_t i = 0; i < CN_COUNT_OF(sources); i++) {
        if (is_named(sources[i].path, name))
            return cn_copy_text(path, CNI_RENDER_SHADER_PATH_BYTES, cn_text(sources[i].path));
    }
    if (renderer->shader_folder[0]) {
        Search search = {.name = name, .root = renderer->shader_folder, .found = path};
        search_folder(&search);
    }
    return path[0] != '\0';
}

/* ---- Includes ---- */

bool cni_render_shader_next_include(CnText text, size_t *at,
                                    char path[CNI_RENDER_SHADER_PATH_BYTES])
{
    static const char word[] = "#include \"";
    while (*at < text.size) {
        const char *line = text.data + *at;
        size_t left = text.size - *at;
        const char *end = memchr(line, '\n', left);
        size_t length = end ? (size_t)(end - line) : left;
        *at += length + (end ? 1 : 0);
        if (length < sizeof word || memcmp(line, word, sizeof word - 1) != 0)
            continue;
        const char *first = line + sizeof word - 1;
        const char *quote = memchr(first, '"', length - (sizeof word - 1));
        if (quote && cn_copy_text(path, CNI_RENDER_SHADER_PATH_BYTES,
                                  (CnText){first, (size_t)(quote - first)}))
            return true;
    }
    return false;
}
