/*
 * The includes of GLSL sources and the surfaces of materials. Only files of the shader folder, or
 * embedded in the library, are read. The last byte of an input chooses: a source whose includes are
 * followed, or a surface that is compiled as part of a small shader, by the code of cairn-decode.
 */
#include "fuzz_surface.h"
#include "scratch.h"

#define CAIRN_DECODE_FAULTS 0
#include "decode_program/glsl.c" /* of a program */
#include "render/shader/shader_source.h"

#include <shaderc/shaderc.h>
#include <string.h>

enum { SOURCE, SURFACE };

static const char *const words[] = {"#include \"",
                                    "surface_user.glsl",
                                    "tiny.frag",
                                    "render/core/",
                                    "\"\n",
                                    "../",
                                    "./",
                                    "//",
                                    "/etc/passwd",
                                    ".pass.glsl",
                                    ".frag",
                                    ".comp",
                                    "#define A ",
                                    "A A",
                                    "#line 3 \"",
                                    "#error ",
                                    "#if ",
                                    "#endif\n",
                                    "#version 460\n",
                                    "#pragma ",
                                    "void main() {}\n",
                                    "__FILE__",
                                    "##",
                                    "\\\n",
                                    "#include <",
                                    "full_screen_frag.glsl",
                                    "x:3: ",
                                    "#extension GL_GOOGLE_include_directive",
                                    NULL};

static void add_input(FuzzSeeds *seeds, const char *text, uint8_t kind)
{
    char bytes[256];
    size_t size = strlen(text);
    memcpy(bytes, text, size);
    bytes[size] = (char)kind;
    fuzz_add(seeds, bytes, size + 1);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_input(seeds, "#include \"render/core/full_screen_frag.glsl\"\nvoid f() {}\n", SOURCE);
    add_input(seeds, "#include \"a\"\n#include \"../b\"\n#include \"render/post/tone_map.frag\"\n",
              SOURCE);
    add_input(seeds, "vec3 f() { return vec3(1); }\n", SURFACE);
    add_input(seeds, "#include \"surface_user.glsl\"\n", SURFACE);
    add_input(seeds, "#define A 1\n#if A\nint x;\n#endif\n#include \"no\"\n", SURFACE);
}

static Scratch scratch;

static void remove_scratch(void)
{
    scratch_fini(&scratch);
}

static CnRenderer *make_renderer(void)
{
    static CnRenderer renderer;
    static const char tiny[] = "void f() {}\n";
    if (renderer.shader_folder[0])
        return &renderer;
    shaderc_compiler_initialize(); /* kept: the first one of several takes time */
    scratch_init(&scratch);
    atexit(remove_scratch);
    const char *path = scratch_path(&scratch, "tiny.frag");
    FUZZ_CHECK(cn_file_write_all(cn_native_files(), path, tiny, sizeof tiny - 1, NULL));
    cn_copy_text(renderer.shader_folder, sizeof renderer.shader_folder,
                 (CnText){path, strlen(path) - strlen("/tiny.frag")});
    return &renderer;
}

/* What is read must be named without "..", ".", and empty parts. */
static bool is_below(const char *path)
{
    char marked[CNI_RENDER_SHADER_PATH_BYTES + 2];
    FUZZ_CHECK(cn_format(marked, sizeof marked, "/%s/", path));
    return !strstr(marked, "//") && !strstr(marked, "/./") && !strstr(marked, "/../");
}

static bool follow_includes(CnRenderer *renderer, CnText text)
{
    char path[CNI_RENDER_SHADER_PATH_BYTES];
    uint32_t found = 0;
    for (size_t at = 0; cni_render_shader_next_include(text, &at, path);) {
        CnFileBytes bytes;
        CnError error = {0};
        FUZZ_CHECK(at <= text.size);
        if (!cni_render_shader_read(renderer, path, &bytes, &error)) {
            FUZZ_CHECK(error.code != CN_OK);
            continue;
        }
        FUZZ_CHECK(is_below(path));
        cn_file_bytes_free(&bytes);
        found++;
    }
    return found > 0;
}

/* Macros can expand without bound, so a surface of a stranger is compiled in a process of its own;
 * here, few of them. */
static uint32_t count_of(const char *text, const char *word)
{
    uint32_t count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

/* ---- The program cairn-decode, but for its compiler ---- */

static CnText surface;
static CnRenderer *reader;
static CnFileBytes included[64];
static uint32_t included_count;

/* As the engine answers, within its limits. */
const void *decode_read_file(const char *path, CnDecodeAnswer *answer)
{
    CnError error = {0};
    *answer = (CnDecodeAnswer){0};
    cn_copy_text(answer->text, sizeof answer->text, cn_text(path));
    if (!strcmp(path, "surface_user.glsl")) {
        answer->size = surface.size;
        return surface.data;
    }
    CnFileBytes *bytes = &included[included_count];
    if (included_count == CN_COUNT_OF(included) ||
        !cni_render_shader_read(reader, path, bytes, &error)) {
        answer->code = CN_ERROR_NOT_FOUND;
        return NULL;
    }
    included_count++;
    answer->size = bytes->size;
    return bytes->data;
}

static uint64_t written;

void decode_write(CnDecodeResult *result, const void *contents, uint64_t size)
{
    FUZZ_CHECK(!size || (contents && result->error.code == CN_OK));
    written = size;
}

static bool compile(CnRenderer *renderer, CnText text)
{
    static const char tiny[] = "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
                               "#include \"surface_user.glsl\"\nvoid main() {}\n";
    static CnDecodeJob job;
    CnDecodeResult result = {0};
    char terminated[256];
    if (!text.size || memchr(text.data, 0, text.size))
        return false; /* as cn_surface_register */
    cn_copy_text(terminated, sizeof terminated, text);
    if (count_of(terminated, "define") > 2)
        return false;
    job.kind = CN_DECODE_GLSL;
    job.stage = CN_DECODE_FRAGMENT;
    job.is_surface = true;
    job.budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    job.output_bytes = 1u << 20;
    cn_copy_text(job.path, sizeof job.path, cn_text("tiny.frag"));
    surface = text;
    reader = renderer;
    written = 0;
    decode_glsl(&job, cn_text(tiny), &result);
    while (included_count)
        cn_file_bytes_free(&included[--included_count]);
    FUZZ_CHECK((written > 0) == (result.error.code == CN_OK));
    return written > 0;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnRenderer *renderer = make_renderer();
    if (!size)
        return false;
    CnText text = {(const char *)bytes, size - 1};
    return bytes[size - 1] % 2 == SOURCE ? follow_includes(renderer, text)
                                         : compile(renderer, text);
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 256, .test_runs = 2000, .words = words, .add_seeds = add_seeds, .run = run};
