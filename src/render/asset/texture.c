/* Textures: upload of images, and their samplers. */
#include "render/asset/background_load.h"
#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

#include <cairn/base/text.h>

#define ANISOTROPY 8.0f
#define MAX_LAYERS 2048u

/* ---- Creation ---- */

typedef struct Pixels {
    CnGpuFormat format;
    uint32_t width, height, layers;
    const void *pixels;
} Pixels;

static Pixels pixels_of(const CnTextureDesc *desc)
{
    if (desc->image)
        return (Pixels){desc->linear ? CN_GPU_FORMAT_RGBA8 : CN_GPU_FORMAT_RGBA8_SRGB,
                        desc->image->width, desc->image->height, 1, desc->image->pixels};
    return (Pixels){desc->format, desc->width, desc->height, desc->layers ? desc->layers : 1,
                    desc->pixels};
}

static bool check_pixels(const CnRenderer *renderer, const Pixels *pixels, const char *name,
                         CnError *error)
{
    uint32_t most = cn_gpu_info(renderer->gpu).max_texture_size;
    most = most && most < CN_MAX_IMAGE_SIZE ? most : CN_MAX_IMAGE_SIZE;
    if (pixels->format == CN_GPU_FORMAT_NONE || pixels->format >= CN_GPU_FORMAT_COUNT ||
        cn_gpu_format_is_depth(pixels->format) || !pixels->pixels)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "texture %s: the format has no color pixels", name);
    if (!pixels->width || !pixels->height || pixels->width > most || pixels->height > most ||
        pixels->layers > MAX_LAYERS)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "texture %s is %u x %u with %u layers; at most %u x %u with %u", name,
                            pixels->width, pixels->height, pixels->layers, most, most, MAX_LAYERS);
    return true;
}

/* Formats that every device can filter. */
static bool can_make_mips(CnGpuFormat format)
{
    switch (format) {
    case CN_GPU_FORMAT_R8:
    case CN_GPU_FORMAT_RG8:
    case CN_GPU_FORMAT_RGBA8:
    case CN_GPU_FORMAT_RGBA8_SRGB:
    case CN_GPU_FORMAT_BGRA8:
    case CN_GPU_FORMAT_BGRA8_SRGB:
    case CN_GPU_FORMAT_R16F:
    case CN_GPU_FORMAT_RG16F:
    case CN_GPU_FORMAT_RGBA16F:
        return true;
    default:
        return false;
    }
}

static CnGpuSampler find_sampler(CnRenderer *renderer, const CnTextureDesc *desc, CnError *error)
{
    CnGpuFilter filter = desc->nearest ? CN_GPU_NEAREST : CN_GPU_LINEAR;
    float most = cn_gpu_info(renderer->gpu).max_anisotropy;
    return cn_gpu_sampler_get(
        renderer->gpu,
        &(CnGpuSamplerDesc){.filter = filter,
                            .mip_filter = filter,
                            .wrap = desc->clamp ? CN_GPU_CLAMP : CN_GPU_REPEAT,
                            .anisotropy = desc->nearest       ? 0
                                          : most < ANISOTROPY ? most
                                                              : ANISOTROPY},
        error);
}

static bool fill_slot(CnRenderer *renderer, CniRenderTexture *slot, const CnTextureDesc *desc,
                      const Pixels *pixels, CnError *error)
{
    bool mips = !desc->no_mips && can_make_mips(pixels->format) &&
                (pixels->width > 1 || pixels->height > 1);
    slot->texture =
        cn_gpu_texture_create(renderer->gpu,
                              &(CnGpuTextureDesc){.name = slot->name,
                                                  .format = pixels->format,
                                                  .width = pixels->width,
                                                  .height = pixels->height,
                                                  .layers = pixels->layers,
                                                  .mips = mips ? CN_GPU_ALL_MIPS : 1,
                                                  .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO |
                                                           (mips ? CN_GPU_USE_COPY_FROM : 0u)},
                              error);
    if (!slot->texture.id)
        return false;
    slot->sampler = find_sampler(renderer, desc, error);
    uint64_t bytes = (uint64_t)pixels->width * pixels->height * pixels->layers *
                     cn_gpu_format_bytes(pixels->format);
    if (slot->sampler.id &&
        cni_render_stage_texture(renderer, slot->texture, pixels->pixels, bytes, mips, error))
        return true;
    cn_gpu_texture_destroy(renderer->gpu, slot->texture);
    return false;
}

CnTexture cn_texture_create(CnRenderer *renderer, const CnTextureDesc *desc, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnTexture none = {0}, made;
    const char *name = desc->name && desc->name[0] ? desc->name : "unnamed";
    Pixels pixels = pixels_of(desc);
    if (!check_pixels(renderer, &pixels, name, error))
        return none;
    CniRenderTexture *slot = cn_slot_table_acquire(&renderer->textures, &made.id);
    if (!slot) {
        cn_error_set(error, CN_ERROR_LIMIT, "too many textures: cannot create %s", name);
        return none;
    }
    cn_copy_text(slot->name, sizeof slot->name, cn_text(name));
    slot->is_linear = desc->linear;
    if (!fill_slot(renderer, slot, desc, &pixels, error)) {
        cn_slot_table_release(&renderer->textures, cn_slot_index(made.id));
        return none;
    }
    return made;
}

void cn_texture_destroy(CnRenderer *renderer, CnTexture texture)
{
    CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    if (!slot)
        return;
    if (slot->texture.id) {
        cni_render_stage_cancel(renderer, slot->texture);
        cn_gpu_texture_destroy(renderer->gpu, slot->texture);
    }
    cn_slot_table_release(&renderer->textures, cn_slot_index(texture.id));
    cni_render_materials_lose_texture(renderer, texture);
}

/* ---- From files ---- */

/* Returns the sampler of a texture of a model. */
static CnGpuSampler find_model_sampler(CnRenderer *renderer, uint32_t bits, CnError *error)
{
    static const CnGpuWrap wraps[] = {[CNI_RENDER_WRAP_REPEAT] = CN_GPU_REPEAT,
                                      [CNI_RENDER_WRAP_CLAMP] = CN_GPU_CLAMP,
                                      [CNI_RENDER_WRAP_MIRROR] = CN_GPU_MIRROR};
    const uint32_t nearest = CNI_RENDER_SAMPLER_MAGNIFY_NEAREST |
                             CNI_RENDER_SAMPLER_MINIFY_NEAREST | CNI_RENDER_SAMPLER_MIP_NEAREST;
    float most = cn_gpu_info(renderer->gpu).max_anisotropy;
    return cn_gpu_sampler_get(
        renderer->gpu,
        &(CnGpuSamplerDesc){
            .filter = bits & CNI_RENDER_SAMPLER_MINIFY_NEAREST ? CN_GPU_NEAREST : CN_GPU_LINEAR,
            .mip_filter = bits & CNI_RENDER_SAMPLER_MIP_NEAREST ? CN_GPU_NEAREST : CN_GPU_LINEAR,
            .has_magnify_filter = true,
            .magnify_filter =
                bits & CNI_RENDER_SAMPLER_MAGNIFY_NEAREST ? CN_GPU_NEAREST : CN_GPU_LINEAR,
            .wrap = wraps[bits >> CNI_RENDER_SAMPLER_WRAP_U & 3],
            .has_wrap_v = true,
            .wrap_v = wraps[bits >> CNI_RENDER_SAMPLER_WRAP_V & 3],
            .anisotropy = bits & nearest      ? 0
                          : most < ANISOTROPY ? most
                                              : ANISOTROPY},
        error);
}

CnTexture cni_render_texture_find(const CnRenderer *renderer, const char *path,
                                  CniRenderTextureUse use)
{
    for (uint32_t i = 0; i < renderer->textures.count; i++) {
        const CniRenderTexture *slot = cn_slot_table_live_at(&renderer->textures, i);
        if (slot && slot->is_file && slot->is_linear == use.is_linear &&
            slot->sampler_bits == use.sampler && !strcmp(slot->name, path))
            return (CnTexture){cn_slot_table_id(&renderer->textures, i)};
    }
    return (CnTexture){0};
}

static CnTextureDesc desc_of(const char *name, const CnImage *image, CniRenderTextureUse use)
{
    return (CnTextureDesc){.name = name,
                           .image = image,
                           .linear = use.is_linear,
                           .no_mips = (use.sampler & CNI_RENDER_SAMPLER_NO_MIPS) != 0};
}

CnTexture cni_render_texture_of_image(CnRenderer *renderer, const char *name, const CnImage *image,
                                      CniRenderTextureUse use, CnError *error)
{
    CnTexture texture = {0};
    CnGpuSampler sampler = find_model_sampler(renderer, use.sampler, error);
    if (!sampler.id)
        return texture;
    const CnTextureDesc desc = desc_of(name, image, use);
    texture = cn_texture_create(renderer, &desc, error);
    CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    if (slot) {
        slot->sampler = sampler;
        slot->sampler_bits = use.sampler;
    }
    return texture;
}

CnTexture cni_render_texture_decode(CnRenderer *renderer, const CnImageReadDesc *from,
                                    CniRenderTextureUse use, CnError *error)
{
    CnImage image;
    CnImageReadDesc desc = *from;
    desc.allocator = renderer->allocator;
    if (!cn_image_read(&desc, &image, error))
        return (CnTexture){0};
    CnTexture texture = cni_render_texture_of_image(renderer, desc.name, &image, use, error);
    cn_image_free(&image);
    return texture;
}

/* ---- In the background ---- */

CnTexture cni_render_texture_request(CnRenderer *renderer, const char *path,
                                     CniRenderTextureUse use, CnError *error)
{
    CnTexture texture = cni_render_texture_find(renderer, path, use);
    if (texture.id)
        return texture;
    if (!cni_render_is_foreign(renderer, path) || strlen(path) >= CNI_RENDER_PATH_BYTES)
        return cni_render_texture_load(renderer, path, use, error);
    CnGpuSampler sampler = find_model_sampler(renderer, use.sampler, error);
    CniRenderTexture *slot =
        sampler.id ? cn_slot_table_acquire(&renderer->textures, &texture.id) : NULL;
    if (!slot || !cni_render_load_texture(renderer, texture, path)) {
        if (slot)
            cn_slot_table_release(&renderer->textures, cn_slot_index(texture.id));
        cn_error_set(error, CN_ERROR_LIMIT, "too many textures: cannot create %s", path);
        return (CnTexture){0};
    }
    cn_copy_text(slot->name, sizeof slot->name, cn_text(path));
    slot->is_linear = use.is_linear;
    slot->is_file = true;
    slot->sampler = sampler;
    slot->sampler_bits = use.sampler;
    return texture;
}

bool cni_render_texture_fill(CnRenderer *renderer, CnTexture texture, const CnImage *image,
                             CnError *error)
{
    CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    if (!slot)
        return true;
    const CniRenderTextureUse use = {slot->is_linear, slot->sampler_bits};
    const CnTextureDesc desc = desc_of(slot->name, image, use);
    const Pixels pixels = pixels_of(&desc);
    const CnGpuSampler sampler = slot->sampler;
    if (!check_pixels(renderer, &pixels, slot->name, error))
        return false;
    bool ok = fill_slot(renderer, slot, &desc, &pixels, error);
    slot->sampler = sampler;
    if (!ok)
        slot->texture = (CnGpuTexture){0};
    else
        cni_render_materials_gain_texture(renderer, texture);
    return ok;
}

/* ---- Loading ---- */

/* A texture that was requested before is waited for. */
static CnTexture find_loaded(CnRenderer *renderer, const char *path, CniRenderTextureUse use,
                             CnError *error)
{
    CnTexture texture = cni_render_texture_find(renderer, path, use);
    if (texture.id && !cn_texture_gpu(renderer, texture).id)
        cni_render_loads_finish(renderer);
    if (texture.id && !cn_texture_gpu(renderer, texture).id) {
        cn_error_set(error, CN_ERROR_FORMAT, "%s could not be loaded", path);
        cn_texture_destroy(renderer, texture);
        return (CnTexture){0};
    }
    return texture;
}

CnTexture cn_texture_load(CnRenderer *renderer, const CnTextureLoadDesc *desc, CnError *error)
{
    CN_ASSERT(renderer && desc && desc->path, "cn_texture_load: the path is NULL");
    if (!desc || !desc->path) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "the path of the texture is missing");
        return (CnTexture){0};
    }
    return cni_render_texture_load(renderer, desc->path, (CniRenderTextureUse){desc->linear, 0},
                                   error);
}

CnTexture cni_render_texture_load(CnRenderer *renderer, const char *path, CniRenderTextureUse use,
                                  CnError *error)
{
    CnTexture texture = find_loaded(renderer, path, use, error);
    if (texture.id)
        return texture;
    CnFileBytes bytes;
    if (strlen(path) >= CNI_RENDER_PATH_BYTES) {
        cn_error_set(error, CN_ERROR_LIMIT, "the path of a texture is too long: %s", path);
        return texture;
    }
    if (!renderer->files) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "cannot read %s: the renderer has no file system",
                     path);
        return texture;
    }
    if (!cn_file_read_all(renderer->files, path, renderer->allocator, &bytes, error))
        return texture;
    const CnImageReadDesc desc = {
        .bytes = bytes.data, .size = bytes.size, .name = path, .budget = bytes.budget};
    texture = cni_render_texture_decode(renderer, &desc, use, error);
    cn_file_bytes_free(&bytes);
    CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    if (slot)
        slot->is_file = true;
    return texture;
}

/* ---- Reloading ---- */

/* Gives a texture the content of an image; its id stays valid. */
static bool replace_texture(CnRenderer *renderer, uint32_t index, const CnImageReadDesc *image,
                            CnError *error)
{
    CniRenderTexture *slot = cn_slot_table_live_at(&renderer->textures, index);
    const CnTexture texture = {cn_slot_table_id(&renderer->textures, index)};
    const CniRenderTextureUse use = {slot->is_linear, slot->sampler_bits};
    CnTexture made = cni_render_texture_decode(renderer, image, use, error);
    CniRenderTexture *other = cn_slot_table_get(&renderer->textures, made.id);
    if (!other)
        return false;
    slot = cn_slot_table_get(&renderer->textures, texture.id); /* creating may have moved it */
    CnGpuTexture old = slot->texture;
    slot->texture = other->texture;
    other->texture = old;
    cn_texture_destroy(renderer, made);
    cni_render_materials_gain_texture(renderer, texture);
    return true;
}

uint32_t cni_render_textures_reload(CnRenderer *renderer, const char *path, CnError *error)
{
    uint32_t count = 0;
    CnFileBytes bytes = {0};
    bool is_read = false;
    for (uint32_t i = 0; i < renderer->textures.count; i++) {
        const CniRenderTexture *slot = cn_slot_table_live_at(&renderer->textures, i);
        if (!slot || !slot->is_file || !slot->texture.id || strcmp(slot->name, path))
            continue;
        if (!is_read &&
            !cn_file_read_all(renderer->files, path, renderer->allocator, &bytes, error))
            return 0;
        is_read = true;
        const CnImageReadDesc image = {
            .bytes = bytes.data, .size = bytes.size, .name = path, .budget = bytes.budget};
        count += replace_texture(renderer, i, &image, error);
    }
    cn_file_bytes_free(&bytes);
    return count;
}

/* ---- For passes ---- */

CnGpuTexture cn_texture_gpu(const CnRenderer *renderer, CnTexture texture)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    return slot ? slot->texture : (CnGpuTexture){0};
}

CnGpuSampler cn_texture_sampler(const CnRenderer *renderer, CnTexture texture)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderTexture *slot = cn_slot_table_get(&renderer->textures, texture.id);
    return slot ? slot->sampler : (CnGpuSampler){0};
}

void cni_render_textures_fini(CnRenderer *renderer)
{
    for (uint32_t i = 0; i < renderer->textures.count; i++) {
        const CniRenderTexture *slot = cn_slot_table_live_at(&renderer->textures, i);
        if (slot && slot->texture.id)
            cn_gpu_texture_destroy(renderer->gpu, slot->texture);
    }
}
