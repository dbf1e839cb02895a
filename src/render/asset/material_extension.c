/* Extensions of materials: their parameters, textures and texture coordinates in shader layout. */
#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

#include <cairn/base/log.h>

#define DEFAULT_IOR 1.5f
#define DEFAULT_FILM_IOR 1.3f
#define DEFAULT_FILM_MINIMUM 100.0f
#define DEFAULT_FILM_MAXIMUM 400.0f
#define MAX_IOR 1e6f
#define MAX_COORDINATE 1e6f
#define SLOT_BITS 4u

const CnMaterialExtensions cni_render_material_extension_defaults = {
    .ior = DEFAULT_IOR,
    .specular = 1,
    .specular_color = {1, 1, 1},
    .clearcoat_normal_scale = 1,
    .iridescence_ior = DEFAULT_FILM_IOR,
    .iridescence_thickness_minimum = DEFAULT_FILM_MINIMUM,
    .iridescence_thickness = DEFAULT_FILM_MAXIMUM,
    .attenuation_color = {1, 1, 1}};

static bool is_within(const float *numbers, uint32_t count, float low, float high)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(numbers[i] >= low && numbers[i] <= high))
            return false;
    return true;
}

typedef struct Limit {
    size_t offset; /* in CnMaterialExtensions */
    uint32_t count;
    float low, high;
} Limit;

#define LIMIT(member, count, low, high)                                                            \
    {                                                                                              \
        offsetof(CnMaterialExtensions, member), count, low, high                                   \
    }

static const Limit limits[] = {
    LIMIT(specular, 1, 0, 1),
    LIMIT(specular_color, 3, 0, 1e6f),
    LIMIT(clearcoat, 1, 0, 1),
    LIMIT(clearcoat_roughness, 1, 0, 1),
    LIMIT(clearcoat_normal_scale, 1, -100, 100),
    LIMIT(sheen_color, 3, 0, 1e6f),
    LIMIT(sheen_roughness, 1, 0, 1),
    LIMIT(anisotropy, 1, 0, 1),
    LIMIT(anisotropy_rotation, 1, -1e6f, 1e6f),
    LIMIT(iridescence, 1, 0, 1),
    LIMIT(iridescence_thickness_minimum, 1, 0, 1e6f),
    LIMIT(iridescence_thickness, 1, 0, 1e6f),
    LIMIT(transmission, 1, 0, 1),
    LIMIT(thickness, 1, 0, 1e6f),
    LIMIT(attenuation_color, 3, 0, 1),
    LIMIT(attenuation_distance, 1, 0, 1e9f),
    LIMIT(dispersion, 1, 0, 1e3f),
};

bool cni_render_material_check_extensions(const CnMaterialDesc *desc)
{
    const CnMaterialExtensions *e = &desc->extensions;
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++) {
        const CnTextureCoordinates *uv = &desc->coordinates[i];
        if (uv->set > 1 || !is_within(&uv->rotation, 1, -MAX_COORDINATE, MAX_COORDINATE) ||
            !is_within(&uv->offset.x, 2, -MAX_COORDINATE, MAX_COORDINATE) ||
            !is_within(&uv->scale.x, 2, -MAX_COORDINATE, MAX_COORDINATE))
            return false;
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(limits); i++)
        if (!is_within((const float *)(const void *)((const char *)e + limits[i].offset),
                       limits[i].count, limits[i].low, limits[i].high))
            return false;
    return (e->ior == 0 || is_within(&e->ior, 1, 1, MAX_IOR)) &&
           (e->iridescence_ior == 0 || is_within(&e->iridescence_ior, 1, 1, MAX_IOR));
}

static void clamp_numbers(float *numbers, uint32_t count, float low, float high)
{
    for (uint32_t i = 0; i < count; i++) /* also for NaN */
        numbers[i] = numbers[i] >= low ? (numbers[i] <= high ? numbers[i] : high) : low;
}

void cni_render_material_clamp_extensions(CnMaterialDesc *desc)
{
    CnMaterialExtensions *e = &desc->extensions;
    for (uint32_t i = 0; i < CN_TEXTURE_COUNT; i++)
        clamp_numbers(&desc->coordinates[i].rotation, 5, -MAX_COORDINATE, MAX_COORDINATE);
    for (uint32_t i = 0; i < CN_COUNT_OF(limits); i++)
        clamp_numbers((float *)(void *)((char *)e + limits[i].offset), limits[i].count,
                      limits[i].low, limits[i].high);
    clamp_numbers(&e->ior, e->ior != 0, 1, MAX_IOR);
    clamp_numbers(&e->iridescence_ior, e->iridescence_ior != 0, 1, MAX_IOR);
}

CnMaterialExtensions cni_render_explicit_extensions(const CnMaterialExtensions *from)
{
    CnMaterialExtensions to = *from;
    to.specular = cni_render_explicit_zero(from->specular);
    to.specular_color.x = cni_render_explicit_zero(from->specular_color.x);
    to.clearcoat_normal_scale = cni_render_explicit_zero(from->clearcoat_normal_scale);
    to.iridescence_thickness_minimum =
        cni_render_explicit_zero(from->iridescence_thickness_minimum);
    to.iridescence_thickness = cni_render_explicit_zero(from->iridescence_thickness);
    to.attenuation_color.x = cni_render_explicit_zero(from->attenuation_color.x);
    return to;
}

/* ---- Textures ---- */

/* Alpha is the same in linear and in sRGB textures: the images of a color and its strength, which
 * are usually one, become one texture. */
bool cni_render_texture_is_linear(uint32_t texture)
{
    return texture != CN_TEXTURE_BASE_COLOR && texture != CN_TEXTURE_EMISSIVE &&
           texture != CN_TEXTURE_SPECULAR && texture != CN_TEXTURE_SPECULAR_COLOR &&
           texture != CN_TEXTURE_SHEEN_COLOR && texture != CN_TEXTURE_SHEEN_ROUGHNESS;
}

static bool has_same_coordinates(const CnTextureCoordinates *a, const CnTextureCoordinates *b)
{
    return a->set == b->set && a->rotation == b->rotation && a->offset.x == b->offset.x &&
           a->offset.y == b->offset.y && a->scale.x == b->scale.x && a->scale.y == b->scale.y;
}

static void write_coordinates(const CnTextureCoordinates *from, CniRenderExtensionData *data,
                              uint32_t binding)
{
    float sine, cosine;
    float x = from->scale.x == 0 ? 1 : from->scale.x, y = from->scale.y == 0 ? 1 : from->scale.y;
    cn_sincosf(from->rotation, &sine, &cosine);
    data->coordinates[binding].u[0] = cosine * x;
    data->coordinates[binding].u[1] = sine * y;
    data->coordinates[binding].u[2] = from->offset.x;
    data->coordinates[binding].v[0] = -sine * x;
    data->coordinates[binding].v[1] = cosine * y;
    data->coordinates[binding].v[2] = from->offset.y;
    data->coordinates[binding].set = (float)from->set;
}

/* Returns the slot of a texture among the first `count`, which are textures[kinds[i]]. */
static uint32_t find_slot(const CnMaterialDesc *desc, const uint32_t *kinds, uint32_t count,
                          uint32_t kind)
{
    for (uint32_t i = 0; i < count; i++)
        if (desc->textures[kinds[i]].id == desc->textures[kind].id &&
            has_same_coordinates(&desc->coordinates[kinds[i]], &desc->coordinates[kind]))
            return i;
    return count;
}

static void bind_texture(CnRenderer *renderer, CniRenderMaterial *material, uint32_t kind,
                         uint32_t binding)
{
    CnTexture texture = material->desc.textures[kind];
    CnGpuTexture found = cn_texture_gpu(renderer, texture);
    if (found.id) {
        material->textures[binding] = found;
        material->samplers[binding] = cn_texture_sampler(renderer, texture);
    } else if (kind == CN_TEXTURE_CLEARCOAT_NORMAL) { /* still being loaded */
        material->textures[binding] = renderer->defaults.flat_normal;
    }
}

static void fill_slots(CnRenderer *renderer, CniRenderMaterial *material)
{
    const CnMaterialDesc *desc = &material->desc;
    uint32_t kinds[CN_MAX_EXTENSION_TEXTURES], count = 0;
    for (uint32_t i = CN_TEXTURE_CORE_COUNT; i < CN_TEXTURE_COUNT; i++) {
        uint32_t number = i - CN_TEXTURE_CORE_COUNT;
        if (!desc->textures[i].id)
            continue;
        /* Equal textures share a slot, unless clips may give them different coordinates. */
        bool may_share = !(material->changes & CNI_RENDER_CHANGES_COORDINATES) ||
                         count == CN_MAX_EXTENSION_TEXTURES;
        uint32_t slot = may_share ? find_slot(desc, kinds, count, i) : count;
        if (slot == CN_MAX_EXTENSION_TEXTURES) {
            CN_LOG_WARNING("render", "material %s: more than %u different textures of extensions",
                           material->name, CN_MAX_EXTENSION_TEXTURES);
            continue;
        }
        if (slot == count) {
            uint32_t binding = CN_TEXTURE_CORE_COUNT + slot;
            kinds[count++] = i;
            bind_texture(renderer, material, i, binding);
            write_coordinates(&desc->coordinates[i], &material->extension, binding);
        }
        material->extension.slots[number / 8] |= (slot + 1) << number % 8 * SLOT_BITS;
    }
}

/* ---- Parameters ---- */

static float or_default(float value, float otherwise)
{
    return value == 0 ? otherwise : value;
}

static CnVec3 or_white(CnVec3 color)
{
    return color.x == 0 && color.y == 0 && color.z == 0 ? cn_vec3(1, 1, 1) : color;
}

static CniRenderExtensionData data_of(const CnMaterialExtensions *e)
{
    CniRenderExtensionData data = {
        .specular_color = or_white(e->specular_color),
        .specular = or_default(e->specular, 1),
        .ior = or_default(e->ior, DEFAULT_IOR),
        .clearcoat = e->clearcoat,
        .clearcoat_roughness = e->clearcoat_roughness,
        .clearcoat_normal_scale = or_default(e->clearcoat_normal_scale, 1),
        .sheen_color = e->sheen_color,
        .sheen_roughness = e->sheen_roughness,
        .anisotropy = e->anisotropy,
        .dispersion = e->dispersion,
        .iridescence = e->iridescence,
        .iridescence_ior = or_default(e->iridescence_ior, DEFAULT_FILM_IOR),
        .iridescence_minimum = or_default(e->iridescence_thickness_minimum, DEFAULT_FILM_MINIMUM),
        .iridescence_maximum = or_default(e->iridescence_thickness, DEFAULT_FILM_MAXIMUM),
        .attenuation_color = or_white(e->attenuation_color),
        .attenuation_distance = e->attenuation_distance,
        .transmission = e->transmission,
        .thickness = e->thickness};
    cn_sincosf(e->anisotropy_rotation, &data.anisotropy_sine, &data.anisotropy_cosine);
    return data;
}

static bool is_white(CnVec3 color)
{
    return color.x == 1 && color.y == 1 && color.z == 1;
}

/* Returns whether light is reflected otherwise than by the core's model. */
static bool has_layers(const CniRenderMaterial *material)
{
    const CniRenderExtensionData *data = &material->extension;
    return data->ior != DEFAULT_IOR || data->specular != 1 || !is_white(data->specular_color) ||
           material->desc.textures[CN_TEXTURE_SPECULAR].id ||
           material->desc.textures[CN_TEXTURE_SPECULAR_COLOR].id || data->clearcoat > 0 ||
           data->sheen_color.x > 0 || data->sheen_color.y > 0 || data->sheen_color.z > 0 ||
           data->anisotropy > 0 || data->iridescence > 0;
}

static bool has_coordinates(const CnMaterialDesc *desc)
{
    static const CnTextureCoordinates none;
    for (uint32_t i = 0; i < CN_TEXTURE_CORE_COUNT; i++) {
        CnTextureCoordinates uv = desc->coordinates[i];
        uv.scale.x = uv.scale.x == 1 ? 0 : uv.scale.x;
        uv.scale.y = uv.scale.y == 1 ? 0 : uv.scale.y;
        if (desc->textures[i].id && !has_same_coordinates(&uv, &none))
            return true;
    }
    return false;
}

void cni_render_material_extend(CnRenderer *renderer, CniRenderMaterial *material)
{
    const CnMaterialDesc *desc = &material->desc;
    material->extension = data_of(&desc->extensions);
    for (uint32_t i = 0; i < CN_TEXTURE_CORE_COUNT; i++)
        write_coordinates(&desc->coordinates[i], &material->extension, i);
    for (uint32_t i = CN_TEXTURE_CORE_COUNT; i < CNI_RENDER_MATERIAL_TEXTURES; i++) {
        material->textures[i] = renderer->defaults.white;
        material->samplers[i] = renderer->defaults.linear;
    }
    bool may_transmit =
        desc->extensions.transmission > 0 || material->changes & CNI_RENDER_CHANGES_TRANSMISSION;
    bool may_reflect = has_layers(material) || material->changes & CNI_RENDER_CHANGES_LAYERS;
    material->is_transmissive = !desc->unlit && may_transmit;
    material->is_layered = !desc->unlit && may_reflect;
    material->is_extended = material->is_transmissive || material->is_layered ||
                            has_coordinates(desc) ||
                            material->changes & CNI_RENDER_CHANGES_COORDINATES;
    if (material->is_transmissive || material->is_layered)
        fill_slots(renderer, material);
    material->extension.flags = material->is_layered ? CNI_RENDER_EXTENSION_LAYERED : 0;
    /* Its shader cuts out by the cutoff, whatever the alpha mode. */
    if (material->is_transmissive && desc->alpha_mode != CN_ALPHA_MASK)
        material->data.alpha_cutoff = 0;
}
