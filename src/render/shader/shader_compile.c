/* Compiles GLSL to SPIR-V at run time, for surfaces of materials and changed sources. */
#include "render/shader/shader_source.h"

#include <shaderc/shaderc.h>

#include <stdlib.h>
#include <string.h>

#define SURFACE_INCLUDE "surface_user.glsl"

/* A surface from outside may include itself, or a large file many times. */
#define MAX_INCLUDE_DEPTH 16u
#define MAX_INCLUDED_BYTES (4u << 20)

/* State of include handling; the compiler releases the results. */
typedef struct Including {
    CnRenderer *renderer;
    const CniRenderSurface *surface;
    size_t bytes; /* of all includes of this shader */
} Including;

typedef struct Included {
    shaderc_include_result result;
    CnFileBytes bytes;
    char message[CN_ERROR_MESSAGE_BYTES];
} Included;

static const char *surface_name(const CniRenderSurface *surface)
{
    return surface->path[0] ? surface->path : surface->name;
}

/* Finds the text of an include. */
static bool read_include(const Including *including, const char *requested, size_t depth,
                         Included *included, CnError *error)
{
    const CniRenderSurface *surface = including->surface;
    shaderc_include_result *result = &included->result;
    if (depth > MAX_INCLUDE_DEPTH)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "includes are more than %u levels deep; a file may include itself",
                            MAX_INCLUDE_DEPTH);
    if (surface && !strcmp(requested, SURFACE_INCLUDE)) {
        result->source_name = surface_name(surface);
        result->content = surface->glsl;
        result->content_length = surface->glsl_bytes - 1;
    } else {
        if (!cni_render_shader_read(including->renderer, requested, &included->bytes, error))
            return false;
        result->source_name = requested;
        result->content = (const char *)included->bytes.data;
        result->content_length = included->bytes.size;
    }
    result->source_name_length = strlen(result->source_name);
    return including->bytes + result->content_length <= MAX_INCLUDED_BYTES ||
           cn_error_set(error, CN_ERROR_LIMIT, "includes have more than %u bytes in all",
                        MAX_INCLUDED_BYTES);
}

static shaderc_include_result *resolve(void *user, const char *requested, int type,
                                       const char *requesting, size_t depth)
{
    (void)type, (void)requesting;
    static shaderc_include_result no_memory = {"", 0, "no memory", 9, NULL};
    Including *including = user;
    CnError error = {0};
    Included *included = cn_alloc_zeroed(including->renderer->allocator, sizeof *included);
    if (!included)
        return &no_memory;
    included->result.user_data = included;
    if (read_include(including, requested, depth, included, &error)) {
        including->bytes += included->result.content_length;
    } else {
        memcpy(included->message, error.message, sizeof included->message);
        included->result.source_name = "";
        included->result.source_name_length = 0;
        included->result.content = included->message;
        included->result.content_length = strlen(included->message);
    }
    return &included->result;
}

static void release(void *user, shaderc_include_result *result)
{
    const Including *including = user;
    Included *included = result->user_data;
    if (!included)
        return;
    if (included->bytes.data)
        cn_file_bytes_free(&included->bytes);
    cn_free(including->renderer->allocator, included, sizeof *included);
}

/* Finds the colon before the line number: paths such as "assets://a.glsl" contain colons as
 * well. */
static const char *find_line(const char *text, size_t length, long *line, const char **rest)
{
    const char *colon = memchr(text, ':', length);
    while (colon) {
        char *after;
        *line = strtol(colon + 1, &after, 10);
        *rest = after + 1;
        if (*line > 0 && *after == ':' && colon[1] >= '0' && colon[1] <= '9')
            return colon;
        colon = memchr(colon + 1, ':', length - (size_t)(colon + 1 - text));
    }
    return NULL;
}

/* Extracts the first error, such as "render/feature/lit.frag:12: error: 'x' : undeclared
 * identifier". */
static bool refuse(const char *path, const char *text, CnError *error)
{
    char file[CN_ERROR_FILE_BYTES];
    const char *line_end = strchr(text, '\n');
    size_t length = line_end ? (size_t)(line_end - text) : strlen(text);
    const char *after;
    long line;
    const char *colon = find_line(text, length, &line, &after);
    if (!colon)
        return cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "%.*s", (int)length, text);
    cn_copy_text(file, sizeof file, (CnText){text, (size_t)(colon - text)});
    CnText rest = cn_text_trim((CnText){after, length - (size_t)(after - text)});
    return cn_error_set_at(error, CN_ERROR_FORMAT, file, (int)line, 0, "%.*s", (int)rest.size,
                           rest.data);
}

static bool take_result(CnRenderer *renderer, const char *path, shaderc_compilation_result_t result,
                        CniRenderSpirv *spirv, CnError *error)
{
    if (!result)
        return cn_error_memory(error, "compiling %s", path);
    if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success)
        return refuse(path, shaderc_result_get_error_message(result), error);
    spirv->bytes = shaderc_result_get_length(result);
    spirv->words = cn_alloc(renderer->allocator, spirv->bytes);
    if (!spirv->words)
        return cn_error_memory(error, "%s", path);
    memcpy(spirv->words, shaderc_result_get_bytes(result), spirv->bytes);
    return true;
}

static bool compile_text(CnRenderer *renderer, const char *path, const CnFileBytes *bytes,
                         const CniRenderSurface *surface, CniRenderSpirv *spirv, CnError *error)
{
    CnText name = cn_text(path);
    shaderc_shader_kind kind = cn_text_ends_with(name, cn_text(".vert")) ? shaderc_vertex_shader
                               : cn_text_ends_with(name, cn_text(".comp"))
                                   ? shaderc_compute_shader
                                   : shaderc_fragment_shader;
    Including including = {.renderer = renderer, .surface = surface};
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t options = shaderc_compile_options_initialize();
    bool ok = false;
    if (compiler && options) {
        shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan,
                                               shaderc_env_version_vulkan_1_3);
        shaderc_compile_options_set_optimization_level(options,
                                                       shaderc_optimization_level_performance);
        shaderc_compile_options_set_include_callbacks(options, resolve, release, &including);
        if (surface)
            shaderc_compile_options_add_macro_definition(options, "CN_SURFACE",
                                                         strlen("CN_SURFACE"), "1", 1);
        shaderc_compilation_result_t result = shaderc_compile_into_spv(
            compiler, (const char *)bytes->data, bytes->size, kind, path, "main", options);
        ok = take_result(renderer, path, result, spirv, error);
        shaderc_result_release(result);
    } else {
        cn_error_memory(error, "compiling %s", path);
    }
    shaderc_compile_options_release(options);
    shaderc_compiler_release(compiler);
    return ok;
}

bool cni_render_shader_compile(CnRenderer *renderer, const char *name,
                               const CniRenderSurface *surface, CniRenderSpirv *spirv,
                               CnError *error)
{
    char path[CNI_RENDER_SHADER_PATH_BYTES];
    CnFileBytes bytes;
    *spirv = (CniRenderSpirv){0};
    if (!cni_render_shader_path(renderer, name, path))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the source of shader %s does not exist",
                            name);
    if (!cni_render_shader_read(renderer, path, &bytes, error))
        return false;
    bool ok = compile_text(renderer, path, &bytes, surface, spirv, error);
    cn_file_bytes_free(&bytes);
    return ok;
}

void cni_render_spirv_free(CnRenderer *renderer, CniRenderSpirv *spirv)
{
    cn_free(renderer->allocator, spirv->words, spirv->bytes);
    *spirv = (CniRenderSpirv){0};
}
