/* Compiles GLSL to SPIR-V. */
#include "decode_program/decode_program.h"

#include <shaderc/shaderc.h>

#include <stdlib.h>
#include <string.h>

/* A source may include itself, or a large file many times; the engine limits the bytes. */
#define MAX_INCLUDE_DEPTH 16u

/* ---- Includes ---- */

typedef struct Included {
    shaderc_include_result result;
    CnDecodeAnswer answer;
} Included;

static shaderc_include_result *resolve(void *user, const char *requested, int type,
                                       const char *requesting, size_t depth)
{
    (void)user, (void)type, (void)requesting;
    static shaderc_include_result no_memory = {"", 0, "no memory", 9, NULL};
    /* The first error, for all includes after it: otherwise, two includes of a file in itself would
     * double at each level. */
    static shaderc_include_result *failed;
    if (failed)
        return failed;
    Included *included = calloc(1, sizeof *included);
    if (!included)
        return &no_memory;
    CnDecodeAnswer *answer = &included->answer;
    const char *content = NULL;
    if (depth > MAX_INCLUDE_DEPTH) {
        answer->code = CN_ERROR_LIMIT;
        cn_format(answer->text, sizeof answer->text,
                  "includes are more than %u levels deep; a file may include itself",
                  MAX_INCLUDE_DEPTH);
    } else {
        content = decode_read_file(requested, answer);
    }
    answer->text[sizeof answer->text - 1] = 0;
    shaderc_include_result *result = &included->result;
    if (answer->code == CN_OK) {
        *result = (shaderc_include_result){answer->text, strlen(answer->text),
                                           content ? content : "", (size_t)answer->size, included};
    } else {
        *result = (shaderc_include_result){"", 0, answer->text, strlen(answer->text), NULL};
        failed = result;
    }
    return result;
}

static void release(void *user, shaderc_include_result *result)
{
    (void)user;
    free(result->user_data);
}

/* ---- Errors ---- */

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
static void set_error(const char *path, const char *text, CnError *error)
{
    char file[CN_ERROR_FILE_BYTES];
    const char *line_end = strchr(text, '\n');
    size_t length = line_end ? (size_t)(line_end - text) : strlen(text);
    const char *after;
    long line;
    const char *colon = find_line(text, length, &line, &after);
    if (length == 0) {
        cn_error_set_at(error, CN_ERROR_LIMIT, path, 0, 0,
                        "the compiler gave up without a message; the source or what its macros "
                        "expand to is too large for the memory of the decoder");
        return;
    }
    if (!colon) {
        cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "%.*s", (int)length, text);
        return;
    }
    cn_copy_text(file, sizeof file, (CnText){text, (size_t)(colon - text)});
    CnText rest = cn_text_trim((CnText){after, length - (size_t)(after - text)});
    cn_error_set_at(error, CN_ERROR_FORMAT, file, (int)line, 0, "%.*s", (int)rest.size, rest.data);
}

/* ---- Compilation ---- */

static void write_spirv(const CnDecodeJob *job, shaderc_compilation_result_t compiled,
                        CnDecodeResult *result)
{
    size_t size = 0;
    if (!compiled) {
        cn_error_memory(&result->error, "compiling %s", job->path);
    } else if (shaderc_result_get_compilation_status(compiled) !=
               shaderc_compilation_status_success) {
        set_error(job->path, shaderc_result_get_error_message(compiled), &result->error);
    } else {
        size = shaderc_result_get_length(compiled);
        if (size > job->output_bytes - sizeof *result) {
            size = 0;
            cn_error_set_at(&result->error, CN_ERROR_LIMIT, job->path, 0, 0,
                            "the compiled shader has more than %llu bytes",
                            (unsigned long long)job->output_bytes);
        }
    }
    decode_write(result, size ? shaderc_result_get_bytes(compiled) : NULL, size);
}

void decode_glsl(const CnDecodeJob *job, CnText source, CnDecodeResult *result)
{
    static const shaderc_shader_kind stages[] = {[CN_DECODE_VERTEX] = shaderc_vertex_shader,
                                                 [CN_DECODE_FRAGMENT] = shaderc_fragment_shader,
                                                 [CN_DECODE_COMPUTE] = shaderc_compute_shader};
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t options = shaderc_compile_options_initialize();
    shaderc_compilation_result_t compiled = NULL;
    if (compiler && options && job->stage < CN_COUNT_OF(stages)) {
        shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan,
                                               shaderc_env_version_vulkan_1_3);
        shaderc_compile_options_set_optimization_level(options,
                                                       shaderc_optimization_level_performance);
        shaderc_compile_options_set_include_callbacks(options, resolve, release, NULL);
        if (job->is_surface)
            shaderc_compile_options_add_macro_definition(options, "CN_SURFACE",
                                                         strlen("CN_SURFACE"), "1", 1);
        compiled = shaderc_compile_into_spv(compiler, source.data, source.size, stages[job->stage],
                                            job->path, "main", options);
    }
    write_spirv(job, compiled, result);
    shaderc_result_release(compiled);
    shaderc_compile_options_release(options);
    shaderc_compiler_release(compiler);
}
