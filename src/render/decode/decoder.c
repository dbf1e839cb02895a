#include "render/decode/decoder.h"

#include <cairn/base/log.h>

/* A shader takes about 60 MiB and a tenth of a second; a macro can expand without bound. */
#define GLSL_MEMORY_BYTES ((uint64_t)512 << 20)
#define GLSL_MS 10000u
#define GLSL_INCLUDED_BYTES (4u << 20) /* of all includes of a shader */
#define SPIRV_BYTES (16u << 20)
#define SPIRV_HEADER_BYTES 20u

/* Fills what all kinds have. */
static bool fill(CnDecodeDesc *desc, CnDecodeKind kind, const char *path, const CnBudget *budget,
                 CnText input, CnError *error)
{
    *desc = (CnDecodeDesc){.job = {.kind = kind, .budget = *budget, .input_bytes = input.size},
                           .bytes = input.data};
    return cn_copy_text(desc->job.path, sizeof desc->job.path, cn_text(path)) ||
           cn_error_set(error, CN_ERROR_LIMIT, "the path of a file is too long: %s", path);
}

static bool refuse(const CnDecodeDesc *desc, const char *what, CnError *error)
{
    return cn_error_set_at(error, CN_ERROR_FORMAT, desc->job.path, 0, 0,
                           "the decoder returned %s; the file is made to attack it", what);
}

/* ---- Images ---- */

static bool take_pixels(const CnDecodeDesc *desc, const CnDecodeOutput *output, CnImage *image,
                        CnError *error)
{
    const uint32_t width = output->result->width, height = output->result->height;
    if (!width || !height || width > CN_MAX_IMAGE_SIZE || height > CN_MAX_IMAGE_SIZE ||
        (uint64_t)width * height > desc->job.budget.image_pixels ||
        output->result->size != (uint64_t)width * height * 4)
        return refuse(desc, "an image whose size does not fit its pixels", error);
    image->pixels = cn_alloc(image->allocator, (size_t)output->result->size);
    if (!image->pixels)
        return cn_error_memory(error, "the image %s", desc->job.path);
    memcpy(image->pixels, output->contents, (size_t)output->result->size);
    image->width = width;
    image->height = height;
    return true;
}

bool cni_render_decode_image(const CnImageReadDesc *from, CnImage *image, CnError *error)
{
    CnDecodeDesc desc;
    CnDecodeOutput output;
    *image = (CnImage){.allocator = from->allocator};
    if (!fill(&desc, CN_DECODE_IMAGE, from->name ? from->name : "an image", from->budget,
              (CnText){from->bytes, from->size}, error))
        return false;
    uint64_t pixels = (uint64_t)CN_MAX_IMAGE_SIZE * CN_MAX_IMAGE_SIZE;
    if (from->budget->image_pixels < pixels)
        pixels = from->budget->image_pixels;
    desc.job.output_bytes = sizeof(CnDecodeResult) + pixels * 4;
    if (!cn_decode_run(&desc, &output, error))
        return false;
    bool ok = take_pixels(&desc, &output, image, error);
    cn_decode_output_free(&output);
    return ok;
}

/* ---- Models ---- */

typedef struct ModelFiles {
    CnFileSystem *files;
    CnText folder; /* of the model, with the trailing '/' */
    CnAllocator *allocator;
} ModelFiles;

/* Returns whether a path from the helper is in the folder of the model or below. */
static bool is_below(CnText folder, const char *path)
{
    if (strncmp(path, folder.data, folder.size) != 0)
        return false;
    CnText rest = cn_text(path + folder.size), part;
    if (!rest.size || memchr(rest.data, '\\', rest.size))
        return false;
    while (cn_text_split(&rest, '/', &part))
        if (!part.size || cn_text_equal(part, cn_text(".")) || cn_text_equal(part, cn_text("..")))
            return false;
    return true;
}

static bool read_model_file(void *user, const char *path, CnFileBytes *bytes,
                            char name[CN_DECODE_TEXT_BYTES], CnError *error)
{
    const ModelFiles *model = user;
    if (!is_below(model->folder, path))
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "'%s' is not in the folder of the model; a model of foreign origin "
                            "refers only to files there",
                            path);
    return cn_copy_text(name, CN_DECODE_TEXT_BYTES, cn_text(path)) &&
           cn_file_read_all(model->files, path, model->allocator, bytes, error);
}

/* The model is loaded without textures of other folders, which the helper could name. */
static void check_paths(const ModelFiles *model, const char *path, CniRenderModelData *data)
{
    for (uint32_t i = 0; i < data->textures.count; i++) {
        CniRenderModelTexture *texture = &data->textures.items[i];
        const char *named = cni_render_model_text_at(data, texture->path);
        if (!named[0] || is_below(model->folder, named))
            continue;
        CN_LOG_WARNING("render", "%s: the texture '%s' is not in the folder of the model", path,
                       named);
        texture->path = texture->byte_count = 0;
    }
    for (uint32_t i = 0; i < data->sources.count; i++)
        if (!is_below(model->folder, cni_render_model_text_at(data, data->sources.items[i].path)))
            data->sources.items[i].path = 0; /* the cached model counts as changed */
}

bool cni_render_decode_model(CnFileSystem *files, const char *path, const char *scene,
                             CnFileBytes main, CniRenderModelData *data, CnError *error)
{
    CnDecodeDesc desc;
    CnDecodeOutput output;
    const char *slash = strrchr(path, '/');
    ModelFiles model = {files, {path, slash ? (size_t)(slash + 1 - path) : 0}, data->allocator};
    if (!fill(&desc, CN_DECODE_MODEL, path, main.budget,
              (CnText){(const char *)main.data, main.size}, error))
        return false;
    desc.job.has_scene = scene != NULL;
    if (scene && !cn_copy_text(desc.job.scene, sizeof desc.job.scene, cn_text(scene)))
        return cn_error_set(error, CN_ERROR_LIMIT, "%s: the name of the scene is too long", path);
    desc.job.output_bytes = main.budget->decode_memory_bytes;
    desc.read = read_model_file;
    desc.user = &model;
    desc.read_bytes = main.budget->model_bytes;
    if (!cn_decode_run(&desc, &output, error))
        return false;
    bool ok = cni_render_model_read_baked(output.contents, (size_t)output.result->size, path, data,
                                          error) &&
              cni_render_model_check_budget(data, main.budget, path, error);
    cn_decode_output_free(&output);
    if (ok)
        check_paths(&model, path, data);
    return ok;
}

/* ---- GLSL ---- */

bool cni_render_decode_glsl(const CniRenderDecodeGlsl *glsl, CnAllocator *allocator,
                            uint32_t **words, size_t *bytes, CnError *error)
{
    CnDecodeDesc desc;
    CnDecodeOutput output;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    budget.decode_memory_bytes = GLSL_MEMORY_BYTES;
    budget.decode_ms = GLSL_MS;
    if (!fill(&desc, CN_DECODE_GLSL, glsl->path, &budget, glsl->source, error))
        return false;
    desc.job.output_bytes = SPIRV_BYTES;
    desc.job.stage = glsl->stage;
    desc.job.is_surface = glsl->is_surface;
    desc.read = glsl->read_include;
    desc.user = glsl->user;
    desc.read_bytes = GLSL_INCLUDED_BYTES;
    if (!cn_decode_run(&desc, &output, error))
        return false;
    const size_t size = (size_t)output.result->size;
    bool ok = (size >= SPIRV_HEADER_BYTES && size % 4 == 0) ||
              refuse(&desc, "something that is not SPIR-V", error);
    if (ok) {
        *words = cn_alloc(allocator, size);
        *bytes = size;
        ok = *words || cn_error_memory(error, "shader %s", glsl->path);
    }
    if (ok)
        memcpy(*words, output.contents, size); /* the device checks it when it makes a pipeline */
    cn_decode_output_free(&output);
    return ok;
}
