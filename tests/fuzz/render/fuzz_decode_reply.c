/*
 * What the process cairn-decode returns: the engine checks all of it. An input is a result, its
 * first byte the kind of the job, and the contents.
 */
#include "fuzz_surface.h"
#include "memory_files.h"

#include "render/decode/decoder.h"

#include <string.h>

static CnDecodeResult result;
static const uint8_t *contents;

/* Instead of the process. */
bool cn_decode_run(const CnDecodeDesc *desc, CnDecodeOutput *output, CnError *error)
{
    (void)desc, (void)error;
    *output = (CnDecodeOutput){.result = &result, .contents = contents};
    return true;
}

void cn_decode_output_free(CnDecodeOutput *output)
{
    (void)output;
}

enum { HEAD_BYTES = 9 };

static void add_reply(FuzzSeeds *seeds, CnDecodeKind kind, uint32_t width, uint32_t height,
                      const void *bytes, size_t size)
{
    uint8_t input[1024] = {(uint8_t)kind};
    FUZZ_CHECK(size <= sizeof input - HEAD_BYTES);
    memcpy(input + 1, &width, 4);
    memcpy(input + 5, &height, 4);
    memcpy(input + HEAD_BYTES, bytes, size);
    fuzz_add(seeds, input, HEAD_BYTES + size);
}

static void add_seeds(FuzzSeeds *seeds)
{
    static const uint32_t spirv[8] = {0x07230203};
    static const uint8_t pixels[16];
    add_reply(seeds, CN_DECODE_IMAGE, 2, 2, pixels, sizeof pixels);
    add_reply(seeds, CN_DECODE_GLSL, 0, 0, spirv, sizeof spirv);
    add_reply(seeds, CN_DECODE_MODEL, 0, 0, "CNMODEL\n", 8);
}

static bool take_image(CnError *error)
{
    CnImage image;
    bool ok = cni_render_decode_image(
        &(CnImageReadDesc){.bytes = "x", .size = 1, .budget = cn_budget_of(CN_ORIGIN_FOREIGN)},
        &image, error);
    if (ok)
        FUZZ_CHECK(image.pixels && (uint64_t)image.width * image.height * 4 == result.size);
    cn_image_free(&image);
    return ok;
}

static bool take_model(CnError *error)
{
    CniRenderModelData data;
    MemoryFiles memory;
    CnFileBytes main = {
        .data = (uint8_t *)(uintptr_t) "x", .size = 1, .budget = cn_budget_of(CN_ORIGIN_FOREIGN)};
    memory_files_init(&memory);
    cni_render_model_data_init(&data, NULL);
    bool ok = cni_render_decode_model(&memory.files, "a/b.glb", NULL, main, &data, error);
    cni_render_model_data_fini(&data);
    return ok;
}

static bool take_glsl(CnError *error)
{
    uint32_t *words = NULL;
    size_t bytes = 0;
    CniRenderDecodeGlsl glsl = {.path = "a.frag", .source = cn_text("x")};
    bool ok = cni_render_decode_glsl(&glsl, NULL, &words, &bytes, error);
    if (ok)
        cn_free(NULL, words, bytes);
    return ok;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    if (size < HEAD_BYTES)
        return false;
    result = (CnDecodeResult){.magic = CN_DECODE_MAGIC, .size = size - HEAD_BYTES};
    memcpy(&result.width, bytes + 1, 4);
    memcpy(&result.height, bytes + 5, 4);
    contents = bytes + HEAD_BYTES;
    uint32_t kind = bytes[0] % CN_DECODE_KINDS;
    bool accepted = kind == CN_DECODE_IMAGE   ? take_image(&error)
                    : kind == CN_DECODE_MODEL ? take_model(&error)
                                              : take_glsl(&error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 1024, .add_seeds = add_seeds, .run = run};
