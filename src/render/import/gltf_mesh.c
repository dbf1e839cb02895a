/* Meshes of a glTF document: attributes have the types that glTF allows and one element per
 * vertex, and indices refer to existing vertices. */
#include "render/import/gltf.h"

#define BIT(component) (1u << ((component)-CNI_RENDER_GLTF_I8))
#define FLOAT BIT(CNI_RENDER_GLTF_F32)
#define UNSIGNED (BIT(CNI_RENDER_GLTF_U8) | BIT(CNI_RENDER_GLTF_U16))
/* KHR_mesh_quantization allows small integers for all attributes that are vectors. */
#define QUANTIZED (FLOAT | UNSIGNED | BIT(CNI_RENDER_GLTF_I8) | BIT(CNI_RENDER_GLTF_I16))

typedef struct Attribute {
    const char *name;
    uint32_t sets;       /* 0: the name has no number */
    uint32_t widths;     /* bits */
    uint32_t components; /* bits */
    size_t offset;       /* in CniRenderGltfPrimitive */
} Attribute;

static const Attribute attributes[] = {
    {"POSITION", 0, 1 << 3, QUANTIZED, offsetof(CniRenderGltfPrimitive, position)},
    {"NORMAL", 0, 1 << 3, QUANTIZED, offsetof(CniRenderGltfPrimitive, normal)},
    {"TANGENT", 0, 1 << 4, QUANTIZED, offsetof(CniRenderGltfPrimitive, tangent)},
    {"TEXCOORD_", CNI_RENDER_GLTF_MAX_UV_SETS, 1 << 2, QUANTIZED,
     offsetof(CniRenderGltfPrimitive, uv)},
    {"COLOR_", 1, 1 << 3 | 1 << 4, FLOAT | UNSIGNED, offsetof(CniRenderGltfPrimitive, color)},
    {"JOINTS_", CNI_RENDER_GLTF_MAX_JOINT_SETS, 1 << 4, UNSIGNED,
     offsetof(CniRenderGltfPrimitive, joints)},
    {"WEIGHTS_", CNI_RENDER_GLTF_MAX_JOINT_SETS, 1 << 4, FLOAT | UNSIGNED,
     offsetof(CniRenderGltfPrimitive, weights)},
};

/* Checks the type and count of the accessor of an attribute; `count` 0: any. */
static bool check_accessor(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *key,
                           uint32_t reference, uint32_t widths, uint32_t components, uint32_t count)
{
    const CniRenderGltfAccessor *accessor = &gltf->accessors[reference - 1];
    if (accessor->is_matrix || !(widths >> accessor->width & 1) ||
        !(components & BIT(accessor->component)))
        return cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT,
                                     "accessor %u has a type that is not allowed here",
                                     reference - 1);
    return !count || accessor->count == count ||
           cni_render_gltf_fails(gltf, at, key, CN_ERROR_FORMAT,
                                 "accessor %u has %u elements instead of %u", reference - 1,
                                 accessor->count, count);
}

/* Returns where the primitive stores the attribute of this name; NULL: nowhere. */
static uint32_t *find_attribute(CniRenderGltfPrimitive *primitive, const char *name,
                                const Attribute **attribute)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(attributes); i++) {
        const Attribute *found = &attributes[i];
        size_t size = strlen(found->name);
        if (strncmp(name, found->name, size) != 0)
            continue;
        const char *digit = name + size;
        uint32_t set = 0;
        if (found->sets) {
            if (*digit < '0' || *digit >= '0' + (char)found->sets || digit[1])
                return NULL; /* another set than those that are drawn */
            set = (uint32_t)(*digit - '0');
        } else if (*digit) {
            return NULL;
        }
        *attribute = found;
        return (uint32_t *)(void *)((char *)primitive + found->offset) + set;
    }
    return NULL;
}

static bool read_attributes(const CniRenderGltf *gltf, const CniRenderGltfAt *above,
                            const json_t *item, CniRenderGltfPrimitive *primitive)
{
    CniRenderGltfAt at = {above, "attributes", 0};
    const json_t *from;
    if (!cni_render_gltf_object(gltf, above, item, at.key, &from) ||
        !cni_render_gltf_index(gltf, &at, from, "POSITION", CNI_RENDER_GLTF_ACCESSORS,
                               &primitive->position))
        return false;
    if (!primitive->position)
        return true; /* allowed by glTF; there is nothing to draw */
    uint32_t count = primitive->vertex_count = gltf->accessors[primitive->position - 1].count;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)from, name, value)
    {
        const Attribute *attribute;
        uint32_t ignored = 0, *reference = find_attribute(primitive, name, &attribute);
        if (!cni_render_gltf_index(gltf, &at, from, name, CNI_RENDER_GLTF_ACCESSORS,
                                   reference ? reference : &ignored) ||
            (reference && !check_accessor(gltf, &at, name, *reference, attribute->widths,
                                          attribute->components, count)))
            return false;
    }
    return true;
}

static bool read_target(const CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                        uint32_t vertex_count, CniRenderGltfTarget *target)
{
    static const char *const names[] = {"POSITION", "NORMAL", "TANGENT"};
    uint32_t *const references[] = {&target->position, &target->normal, &target->tangent};
    if (!json_is_object(item))
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT, "must be an object");
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        if (!cni_render_gltf_index(gltf, at, item, names[i], CNI_RENDER_GLTF_ACCESSORS,
                                   references[i]) ||
            (*references[i] &&
             !check_accessor(gltf, at, names[i], *references[i], 1 << 3, QUANTIZED, vertex_count)))
            return false;
    return true;
}

static bool read_targets(CniRenderGltf *gltf, const CniRenderGltfAt *above, const json_t *item,
                         CniRenderGltfPrimitive *primitive)
{
    CniRenderGltfAt at = {above, "targets", 0};
    const json_t *list;
    if (!cni_render_gltf_list(gltf, above, item, at.key, &list, &primitive->target_count))
        return false;
    primitive->targets =
        cni_render_gltf_alloc(gltf, primitive->target_count, sizeof *primitive->targets);
    bool ok = primitive->targets != NULL;
    for (uint32_t i = 0; ok && i < primitive->target_count; i++)
        ok = read_target(gltf, &(CniRenderGltfAt){&at, NULL, i}, json_array_get(list, i),
                         primitive->vertex_count, &primitive->targets[i]);
    return ok;
}

static bool check_joints(const CniRenderGltf *gltf, const CniRenderGltfAt *at,
                         const CniRenderGltfPrimitive *primitive)
{
    for (uint32_t i = 0; i < CNI_RENDER_GLTF_MAX_JOINT_SETS; i++)
        if (!primitive->joints[i] != !primitive->weights[i])
            return cni_render_gltf_fails(gltf, at, "attributes", CN_ERROR_FORMAT,
                                         "JOINTS_%u and WEIGHTS_%u must occur together", i, i);
    return true;
}

static bool read_primitive(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                           CniRenderGltfPrimitive *primitive)
{
    primitive->mode = 4;
    if (!json_is_object(item))
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT, "must be an object");
    if (!cni_render_gltf_uint(gltf, at, item, "mode", 6, &primitive->mode) ||
        !cni_render_gltf_index(gltf, at, item, "material", CNI_RENDER_GLTF_MATERIALS,
                               &primitive->material) ||
        !cni_render_gltf_index(gltf, at, item, "indices", CNI_RENDER_GLTF_ACCESSORS,
                               &primitive->indices) ||
        !read_attributes(gltf, at, item, primitive) || !read_targets(gltf, at, item, primitive) ||
        !check_joints(gltf, at, primitive) ||
        !cni_render_gltf_read_mappings(gltf, at, item, primitive))
        return false;
    return !primitive->indices || check_accessor(gltf, at, "indices", primitive->indices, 1 << 1,
                                                 UNSIGNED | BIT(CNI_RENDER_GLTF_U32), 0);
}

static bool read_mesh(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                      uint32_t number)
{
    CniRenderGltfMesh *mesh = &gltf->meshes[number];
    CniRenderGltfAt above = {at, "primitives", 0};
    const json_t *list;
    if (!cni_render_gltf_text(gltf, at, item, "name", &mesh->name) ||
        !cni_render_gltf_list(gltf, at, item, above.key, &list, &mesh->primitive_count) ||
        !cni_render_gltf_float_list(gltf, at, item, "weights", &mesh->weights, &mesh->weight_count))
        return false;
    if (!mesh->primitive_count)
        return cni_render_gltf_fails(gltf, at, above.key, CN_ERROR_FORMAT,
                                     "a mesh needs at least one primitive");
    mesh->primitives = cni_render_gltf_alloc(gltf, mesh->primitive_count, sizeof *mesh->primitives);
    bool ok = mesh->primitives != NULL;
    for (uint32_t i = 0; ok && i < mesh->primitive_count; i++)
        ok = read_primitive(gltf, &(CniRenderGltfAt){&above, NULL, i}, json_array_get(list, i),
                            &mesh->primitives[i]);
    for (uint32_t i = 0; ok && i < mesh->primitive_count; i++)
        if (mesh->primitives[i].target_count > mesh->target_count)
            mesh->target_count = mesh->primitives[i].target_count;
    return ok;
}

bool cni_render_gltf_read_meshes(CniRenderGltf *gltf)
{
    gltf->meshes =
        cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_MESHES], sizeof *gltf->meshes);
    return gltf->meshes && cni_render_gltf_each(gltf, CNI_RENDER_GLTF_MESHES, read_mesh);
}
