#include "render/shader/shader_source.h"

#include <limits.h>
#include <stdlib.h>
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

/* ---- Full-screen passes ---- */

#define PASS_SUFFIX ".pass.glsl"

static const char *const pass_forms[] = {"frag", "comp"};

/* Surfaces of materials come from outside and include by path. */
static bool is_inside_folder(const char *path)
{
    CnText rest = cn_text(path), part;
    while (cn_text_split(&rest, '/', &part))
        if (!part.size || cn_text_equal(part, cn_text(".")) || cn_text_equal(part, cn_text("..")))
            return false;
    return path[0] != 0;
}

/* Symbolic links inside of the folder may point to other places in it, but not out of it. */
static bool leads_outside(const CnRenderer *renderer, const char *full)
{
    char folder[PATH_MAX], file[PATH_MAX];
    if (!realpath(renderer->shader_folder, folder) || !realpath(full, file))
        return true;
    size_t size = strlen(folder);
    return strcmp(folder, "/") != 0 && (strncmp(file, folder, size) != 0 || file[size] != '/');
}

static bool read_file(const CnRenderer *renderer, const char *path, CnFileBytes *bytes)
{
    char full[CNI_RENDER_PATH_BYTES + CNI_RENDER_SHADER_PATH_BYTES];
    return renderer->shader_folder[0] &&
           cn_format(full, sizeof full, "%s/%s", renderer->shader_folder, path) &&
           !leads_outside(renderer, full) &&
           cn_file_read_all(cn_native_files(), full, renderer->allocator, bytes, NULL);
}

static bool pass_exists(const CnRenderer *renderer, const char *path)
{
    CnFileBytes bytes;
    if (cni_render_shader_embedded(path))
        return true;
    if (!read_file(renderer, path, &bytes))
        return false;
    cn_file_bytes_free(&bytes);
    return true;
}

/* x/y.frag and x/y.comp of a full-screen pass x/y.pass.glsl are no files; cmake/shaders.cmake
 * generates the same text. Returns false if the path is not one of them. */
static bool wrap_pass(const CnRenderer *renderer, const char *path, char *text, size_t text_bytes)
{
    char pass[CNI_RENDER_SHADER_PATH_BYTES];
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < CN_COUNT_OF(pass_forms); i++)
        if (!strcmp(dot + 1, pass_forms[i]) &&
            cn_format(pass, sizeof pass, "%.*s" PASS_SUFFIX, (int)(dot - path), path) &&
            pass_exists(renderer, pass))
            return cn_format(text, text_bytes,
                             "#version 460\n#include \"%s\"\n"
                             "#include \"render/core/full_screen_%s.glsl\"\n",
                             pass, pass_forms[i]);
    return false;
}

bool cni_render_shader_read(const CnRenderer *renderer, const char *path, CnFileBytes *bytes,
                            CnError *error)
{
    char escaped[CNI_RENDER_SHADER_PATH_BYTES];
    if (!is_inside_folder(path))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "\"%s\" is not a path below the shader folder; write it without \".\", "
                            "\"..\" and a leading slash",
                            cn_text_escape(cn_text(path), escaped, sizeof escaped));
    if (read_file(renderer, path, bytes))
        return true;
    const CniRenderShaderSource *embedded = cni_render_shader_embedded(path);
    if (embedded)
        return copy_embedded(renderer, embedded, bytes, error);
    char text[2 * CNI_RENDER_SHADER_PATH_BYTES];
    if (!wrap_pass(renderer, path, text, sizeof text))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "shader %s does not exist", path);
    const CniRenderShaderSource wrapper = {path, text, strlen(text)};
    return copy_embedded(renderer, &wrapper, bytes, error);
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

/* Returns whether a file is the source of the shader, itself or as a full-screen pass, and stores
 * the path of the shader. */
static bool is_source_of(const char *file, const char *name,
                         char path[CNI_RENDER_SHADER_PATH_BYTES])
{
    CnText base = cn_text(file);
    if (is_named(file, name))
        return cn_copy_text(path, CNI_RENDER_SHADER_PATH_BYTES, base);
    if (!cn_text_ends_with(base, cn_text(PASS_SUFFIX)))
        return false;
    base.size -= strlen(PASS_SUFFIX);
    for (size_t i = 0; i < CN_COUNT_OF(pass_forms); i++) {
        char shader[CNI_RENDER_SHADER_PATH_BYTES];
        if (cn_format(shader, sizeof shader, "%.*s.%s", (int)base.size, base.data, pass_forms[i]) &&
            is_named(shader, name))
            return cn_copy_text(path, CNI_RENDER_SHADER_PATH_BYTES, cn_text(shader));
    }
    return false;
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
        is_source_of(path, search->name, search->found);
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
        if (is_source_of(sources[i].path, name, path))
            return true;
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
