/* Lights (KHR_lights_punctual) and cameras of a glTF document. */
#include "render/import/gltf.h"

static const char extension[] = "KHR_lights_punctual";

#define HALF_PI 1.57079633f

/* ---- Lights ---- */

static bool read_kind(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                      CnLightKind *kind)
{
    static const char *const names[] = {"directional", "point", "spot"};
    const char *name = "";
    if (!cni_render_gltf_text(gltf, at, item, "type", &name))
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        if (!strcmp(names[i], name)) {
            *kind = (CnLightKind)i;
            return true;
        }
    return cni_render_gltf_fails(gltf, at, "type", CN_ERROR_FORMAT,
                                 "must be directional, point or spot");
}

static bool read_light(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                       CniRenderGltfLight *light)
{
    CniRenderGltfAt place = {at, "spot", 0};
    const json_t *spot;
    *light =
        (CniRenderGltfLight){.color = {1, 1, 1}, .intensity = 1, .inner = 0, .outer = HALF_PI / 2};
    if (!json_is_object(item))
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT, "must be an object");
    return cni_render_gltf_text(gltf, at, item, "name", &light->name) &&
           read_kind(gltf, at, item, &light->kind) &&
           cni_render_gltf_floats(gltf, at, item, "color", 3, light->color) &&
           cni_render_gltf_float(gltf, at, item, "intensity", 0, 1e9f, &light->intensity) &&
           cni_render_gltf_float(gltf, at, item, "range", 0, 1e9f, &light->range) &&
           cni_render_gltf_object(gltf, at, item, place.key, &spot) &&
           cni_render_gltf_float(gltf, &place, spot, "innerConeAngle", 0, HALF_PI, &light->inner) &&
           cni_render_gltf_float(gltf, &place, spot, "outerConeAngle", 0, HALF_PI, &light->outer);
}

static bool read_all_lights(CniRenderGltf *gltf)
{
    CniRenderGltfAt extensions = {NULL, "extensions", 0}, at = {&extensions, extension, 0},
                    above = {&at, "lights", 0};
    const json_t *from, *list;
    if (!cni_render_gltf_extension(gltf, NULL, gltf->root, extension, &from) ||
        !cni_render_gltf_list(gltf, &at, from, above.key, &list, &gltf->light_count))
        return false;
    gltf->lights = cni_render_gltf_alloc(gltf, gltf->light_count, sizeof *gltf->lights);
    bool ok = gltf->lights != NULL;
    for (uint32_t i = 0; ok && i < gltf->light_count; i++)
        ok = read_light(gltf, &(CniRenderGltfAt){&above, NULL, i}, json_array_get(list, i),
                        &gltf->lights[i]);
    return ok;
}

bool cni_render_gltf_read_node_light(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                                     const json_t *item, uint32_t *light)
{
    CniRenderGltfAt extensions = {at, "extensions", 0}, place = {&extensions, extension, 0};
    const json_t *from;
    uint32_t index = UINT32_MAX;
    if (!cni_render_gltf_extension(gltf, at, item, extension, &from) ||
        !cni_render_gltf_uint(gltf, &place, from, "light", UINT32_MAX - 1, &index))
        return false;
    if (index == UINT32_MAX)
        return true;
    *light = index + 1;
    return index < gltf->light_count ||
           cni_render_gltf_fails(gltf, &place, "light", CN_ERROR_FORMAT, "light %u does not exist",
                                 index);
}

/* ---- Cameras ---- */

static bool read_camera(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                        uint32_t number)
{
    CniRenderGltfCamera *camera = &gltf->cameras[number];
    const char *type = "";
    const json_t *from;
    float half_height = 1, half_width = 0;
    *camera = (CniRenderGltfCamera){.size = 0.8f, .near = 0.01f};
    if (!cni_render_gltf_text(gltf, at, item, "name", &camera->name) ||
        !cni_render_gltf_text(gltf, at, item, "type", &type))
        return false;
    camera->is_orthographic = !strcmp(type, "orthographic");
    if (!camera->is_orthographic && strcmp(type, "perspective") != 0)
        return cni_render_gltf_fails(gltf, at, "type", CN_ERROR_FORMAT,
                                     "must be perspective or orthographic");
    CniRenderGltfAt place = {at, type, 0};
    if (!cni_render_gltf_object(gltf, at, item, type, &from) ||
        !cni_render_gltf_float(gltf, &place, from, "znear", 0, 1e9f, &camera->near) ||
        !cni_render_gltf_float(gltf, &place, from, "zfar", 0, 1e9f, &camera->far))
        return false;
    if (!camera->is_orthographic)
        return cni_render_gltf_float(gltf, &place, from, "yfov", 0.001f, 3.14f, &camera->size) &&
               cni_render_gltf_float(gltf, &place, from, "aspectRatio", 0.001f, 1000,
                                     &camera->aspect);
    if (!cni_render_gltf_float(gltf, &place, from, "ymag", -1e9f, 1e9f, &half_height) ||
        !cni_render_gltf_float(gltf, &place, from, "xmag", -1e9f, 1e9f, &half_width))
        return false;
    camera->size = 2 * (half_height < 0 ? -half_height : half_height);
    return true;
}

bool cni_render_gltf_read_lights(CniRenderGltf *gltf)
{
    gltf->cameras =
        cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_CAMERAS], sizeof *gltf->cameras);
    return gltf->cameras && cni_render_gltf_each(gltf, CNI_RENDER_GLTF_CAMERAS, read_camera) &&
           read_all_lights(gltf);
}
