/* Checks that all references of a glTF document lead to existing data of sufficient size. */
#include "render/asset/model_gltf.h"

#include <cairn/base/bytes.h>

#define MAX_DEPTH 256u /* of nodes, because assimp descends recursively */
#define NONE UINT64_MAX

static void require(CniRenderGltf *gltf, bool is_right, const char *what)
{
    if (!is_right && !gltf->what)
        gltf->what = what;
}

/* Checks that an optional index is below the size of the list. */
static void check_index(CniRenderGltf *gltf, const json_t *object, const char *key,
                        const char *list, const char *what)
{
    if (json_object_get(object, key))
        require(gltf, cni_render_gltf_number(object, key, NONE) < cni_render_gltf_count(gltf, list),
                what);
}

static uint64_t count_of(const CniRenderGltf *gltf, uint64_t accessor)
{
    return cni_render_gltf_number(cni_render_gltf_at(gltf, "accessors", accessor), "count", 0);
}

/* ---- Data ---- */

static void check_view(CniRenderGltf *gltf, const json_t *view)
{
    uint64_t buffer = cni_render_gltf_number(view, "buffer", NONE);
    uint64_t offset = cni_render_gltf_number(view, "byteOffset", 0);
    uint64_t length = cni_render_gltf_number(view, "byteLength", NONE);
    uint64_t size =
        cni_render_gltf_number(cni_render_gltf_at(gltf, "buffers", buffer), "byteLength", 0);
    require(gltf, offset <= size && length <= size - offset && length > 0, "a buffer view");
    uint64_t stride = cni_render_gltf_number(view, "byteStride", 4);
    require(gltf, stride >= 1 && stride <= 252, "the stride of a buffer view");
}

static void check_accessor(CniRenderGltf *gltf, const json_t *accessor)
{
    const json_t *view = cni_render_gltf_at(gltf, "bufferViews",
                                            cni_render_gltf_number(accessor, "bufferView", NONE));
    uint64_t item =
        (uint64_t)cni_render_gltf_width(accessor) * cni_render_gltf_component_bytes(accessor);
    uint64_t count = cni_render_gltf_number(accessor, "count", NONE);
    uint64_t offset = cni_render_gltf_number(accessor, "byteOffset", 0);
    uint64_t length = cni_render_gltf_number(view, "byteLength", 0);
    uint64_t stride = cni_render_gltf_number(view, "byteStride", item);
    require(gltf, !json_object_get(accessor, "sparse"), "sparse accessors are not supported");
    require(gltf, view && item > 0 && stride >= item && stride <= 252, "an accessor");
    require(gltf, count > 0 && count <= CNI_RENDER_MODEL_MAX_INDICES, "the count of an accessor");
    require(gltf, offset <= length && count * stride - (stride - item) <= length - offset,
            "the end of an accessor");
}

/* ---- Meshes ---- */

static void check_attribute(CniRenderGltf *gltf, const char *name, const json_t *accessor)
{
    static const struct {
        const char *start;
        uint32_t widths; /* bits */
        bool is_float;
    } known[] = {
        {"POSITION", 1 << 3, true},  {"NORMAL", 1 << 3, true},          {"TANGENT", 1 << 4, true},
        {"TEXCOORD", 1 << 2, false}, {"COLOR", 1 << 3 | 1 << 4, false}, {"JOINTS", 1 << 4, false},
        {"WEIGHTS", 1 << 4, false},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++) {
        if (!cn_text_starts_with(cn_text(name), cn_text(known[i].start)))
            continue;
        require(gltf, known[i].widths >> cni_render_gltf_width(accessor) & 1,
                "the type of an attribute");
        require(gltf,
                !known[i].is_float || cni_render_gltf_number(accessor, "componentType", 0) == 5126,
                "the type of an attribute");
    }
}

static void check_attributes(CniRenderGltf *gltf, const json_t *attributes, uint64_t count)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)attributes, name, value)
    {
        const json_t *accessor =
            cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(attributes, name, NONE));
        require(gltf, accessor && cni_render_gltf_number(accessor, "count", 0) == count,
                "an attribute of a mesh");
        check_attribute(gltf, name, accessor);
    }
}

/* Returns the largest of the integers of an accessor. */
static uint32_t largest(const CniRenderGltf *gltf, const json_t *accessor)
{
    uint32_t stride, most = 0, bytes = cni_render_gltf_component_bytes(accessor);
    const uint8_t *at = cni_render_gltf_data(gltf, accessor, &stride);
    uint64_t count = cni_render_gltf_number(accessor, "count", 0);
    for (uint64_t i = 0; at && i < count; i++, at += stride)
        for (uint32_t j = 0; j < cni_render_gltf_width(accessor); j++) {
            const uint8_t *from = at + (size_t)j * bytes;
            uint32_t value = bytes == 1   ? *from
                             : bytes == 2 ? cn_load_u16(from)
                                          : cn_load_u32(from);
            most = value > most ? value : most;
        }
    return most;
}

/* Primitive restart is not handled: assimp does not support it. */
static void check_corners(CniRenderGltf *gltf, const json_t *primitive, uint64_t vertex_count)
{
    const json_t *indices =
        cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(primitive, "indices", NONE));
    gltf->vertex_count += vertex_count;
    gltf->index_count += cni_render_gltf_number(indices, "count", 0);
    require(gltf,
            gltf->vertex_count <= CNI_RENDER_MODEL_MAX_VERTICES &&
                gltf->index_count <= CNI_RENDER_MODEL_MAX_INDICES,
            "too many triangles");
    if (!indices || gltf->what)
        return;
    uint64_t type = cni_render_gltf_number(indices, "componentType", 0);
    require(gltf,
            cni_render_gltf_width(indices) == 1 && (type == 5121 || type == 5123 || type == 5125),
            "the type of indices");
    if (!gltf->what)
        require(gltf, largest(gltf, indices) < vertex_count, "an index of a mesh");
}

/* Determines how many joints the vertices of a primitive refer to. */
static void check_joints(CniRenderGltf *gltf, const json_t *attributes, uint32_t *joints)
{
    static const char *const sets[] = {"JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3"};
    for (uint32_t i = 0; i < CN_COUNT_OF(sets) && !gltf->what; i++) {
        const json_t *accessor = cni_render_gltf_at(
            gltf, "accessors", cni_render_gltf_number(attributes, sets[i], NONE));
        if (!accessor)
            continue;
        uint64_t type = cni_render_gltf_number(accessor, "componentType", 0);
        require(gltf, type == 5121 || type == 5123, "the type of joints");
        uint32_t count = gltf->what ? 0 : largest(gltf, accessor) + 1;
        *joints = count > *joints ? count : *joints;
    }
}

static void check_primitive(CniRenderGltf *gltf, const json_t *primitive, uint32_t *joints)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint64_t count = count_of(gltf, cni_render_gltf_number(attributes, "POSITION", NONE));
    require(gltf, json_is_object(attributes) && count > 0, "a mesh without positions");
    check_attributes(gltf, attributes, count);
    const json_t *targets = json_object_get(primitive, "targets");
    for (size_t i = 0; i < json_array_size(targets); i++)
        check_attributes(gltf, json_array_get(targets, i), count);
    check_index(gltf, primitive, "indices", "accessors", "the indices of a mesh");
    check_index(gltf, primitive, "material", "materials", "the material of a mesh");
    check_corners(gltf, primitive, count);
    check_joints(gltf, attributes, joints);
    require(gltf, cni_render_gltf_number(primitive, "mode", 4) <= 6, "the mode of a mesh");
}

/* ---- Nodes ---- */

/* Every node has at most one parent and descends from a root within the depth limit. */
static void check_tree(CniRenderGltf *gltf)
{
    uint32_t count = cni_render_gltf_count(gltf, "nodes");
    CnU32Array depth; /* 0: not reached */
    CnU32Array stack;
    cn_array_init(&depth, gltf->allocator);
    cn_array_init(&stack, gltf->allocator);
    bool ok = cn_array_reserve(&depth, count) && cn_array_reserve(&stack, count);
    for (uint32_t i = 0; ok && i < count; i++)
        depth.items[i] = 1;
    for (uint32_t i = 0; ok && i < count; i++) {
        const json_t *children = json_object_get(cni_render_gltf_at(gltf, "nodes", i), "children");
        for (size_t j = 0; ok && j < json_array_size(children); j++) {
            const json_t *child = json_array_get(children, j);
            ok = json_is_integer(child) && json_integer_value(child) >= 0 &&
                 json_integer_value(child) < count && depth.items[json_integer_value(child)] == 1;
            if (ok)
                depth.items[json_integer_value(child)] = 0;
        }
    }
    uint32_t reached = 0;
    for (uint32_t i = 0; ok && i < count; i++)
        if (depth.items[i])
            stack.items[stack.count++] = i;
    while (ok && stack.count) {
        uint32_t node = cn_array_pop(&stack);
        const json_t *children =
            json_object_get(cni_render_gltf_at(gltf, "nodes", node), "children");
        reached++;
        ok = depth.items[node] <= MAX_DEPTH;
        for (size_t j = 0; ok && j < json_array_size(children); j++) {
            uint32_t child = (uint32_t)json_integer_value(json_array_get(children, j));
            depth.items[child] = depth.items[node] + 1;
            stack.items[stack.count++] = child;
        }
    }
    require(gltf, ok && reached == count, "the tree of nodes");
    cn_array_fini(&depth);
    cn_array_fini(&stack);
}

static void check_indices(CniRenderGltf *gltf, const json_t *list, const char *into,
                          const char *what)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *index = json_array_get(list, i);
        require(gltf,
                json_is_integer(index) && json_integer_value(index) >= 0 &&
                    json_integer_value(index) < cni_render_gltf_count(gltf, into),
                what);
    }
}

static void check_skin(CniRenderGltf *gltf, const json_t *skin)
{
    const json_t *joints = json_object_get(skin, "joints");
    require(gltf, json_array_size(joints) > 0, "the joints of a skin");
    check_indices(gltf, joints, "nodes", "the joints of a skin");
    check_index(gltf, skin, "skeleton", "nodes", "the skeleton of a skin");
    if (!json_object_get(skin, "inverseBindMatrices"))
        return;
    const json_t *matrices = cni_render_gltf_at(
        gltf, "accessors", cni_render_gltf_number(skin, "inverseBindMatrices", NONE));
    require(gltf,
            cni_render_gltf_width(matrices) == 16 &&
                cni_render_gltf_number(matrices, "componentType", 0) == 5126 &&
                cni_render_gltf_number(matrices, "count", 0) >= json_array_size(joints),
            "the matrices of a skin");
}

/* Checks an optional list of `count` numbers. */
static void check_numbers(CniRenderGltf *gltf, const json_t *node, const char *key, size_t count)
{
    const json_t *list = json_object_get(node, key);
    bool ok = !list || json_array_size(list) == count;
    for (size_t i = 0; ok && list && i < count; i++)
        ok = json_is_number(json_array_get(list, i));
    require(gltf, ok, "the transform of a node");
}

/* The joints of a mesh are those of the skin of its node. */
static void check_node(CniRenderGltf *gltf, const json_t *node)
{
    check_numbers(gltf, node, "matrix", 16);
    check_numbers(gltf, node, "translation", 3);
    check_numbers(gltf, node, "rotation", 4);
    check_numbers(gltf, node, "scale", 3);
    check_index(gltf, node, "mesh", "meshes", "the mesh of a node");
    check_index(gltf, node, "skin", "skins", "the skin of a node");
    check_index(gltf, node, "camera", "cameras", "the camera of a node");
    uint64_t mesh = cni_render_gltf_number(node, "mesh", NONE),
             skin = cni_render_gltf_number(node, "skin", NONE);
    if (mesh < gltf->joints.count && skin != NONE)
        require(gltf,
                gltf->joints.items[mesh] <= json_array_size(json_object_get(
                                                cni_render_gltf_at(gltf, "skins", skin), "joints")),
                "a joint of a mesh");
}

/* ---- Animations ---- */

static void check_sampler(CniRenderGltf *gltf, const json_t *sampler)
{
    const json_t *input =
        cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(sampler, "input", NONE));
    const json_t *output =
        cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(sampler, "output", NONE));
    const char *curve = json_string_value(json_object_get(sampler, "interpolation"));
    uint64_t times = curve && !strcmp(curve, "CUBICSPLINE") ? 3 : 1;
    require(gltf,
            cni_render_gltf_width(input) == 1 &&
                cni_render_gltf_number(input, "componentType", 0) == 5126 &&
                cni_render_gltf_number(output, "count", 0) >=
                    cni_render_gltf_number(input, "count", NONE) * times,
            "the keys of an animation");
}

static void check_channel(CniRenderGltf *gltf, const json_t *channel, const json_t *samplers)
{
    const json_t *target = json_object_get(channel, "target");
    const char *path = json_string_value(json_object_get(target, "path"));
    const json_t *sampler = NULL;
    uint64_t number = cni_render_gltf_number(channel, "sampler", NONE);
    if (number < json_array_size(samplers))
        sampler = json_array_get(samplers, (size_t)number);
    require(gltf, sampler && path, "a channel of an animation");
    check_index(gltf, target, "node", "nodes", "the node of an animation");
    gltf->key_count += count_of(gltf, cni_render_gltf_number(sampler, "input", NONE));
    require(gltf, gltf->key_count <= CNI_RENDER_MODEL_MAX_KEYS, "too many keys in an animation");
    const json_t *output =
        cni_render_gltf_at(gltf, "accessors", cni_render_gltf_number(sampler, "output", NONE));
    uint32_t width = cni_render_gltf_width(output);
    if (path && !strcmp(path, "rotation"))
        require(gltf, width == 4, "the rotations of an animation");
    else if (path && strcmp(path, "weights") != 0)
        require(gltf, width == 3 && cni_render_gltf_number(output, "componentType", 0) == 5126,
                "the values of an animation");
}

static void check_animation(CniRenderGltf *gltf, const json_t *animation)
{
    const json_t *samplers = json_object_get(animation, "samplers");
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t i = 0; i < json_array_size(samplers); i++)
        check_sampler(gltf, json_array_get(samplers, i));
    for (size_t i = 0; i < json_array_size(channels); i++)
        check_channel(gltf, json_array_get(channels, i), samplers);
}

/* ---- Materials ---- */

/* Textures occur at several depths: any "index" below a key that ends in "Texture". */
static void check_textures(CniRenderGltf *gltf, const json_t *object, uint32_t depth)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        if (!json_is_object(value) || depth > 8)
            continue;
        if (cn_text_ends_with(cn_text(name), cn_text("Texture")))
            check_index(gltf, value, "index", "textures", "the texture of a material");
        check_textures(gltf, value, depth + 1);
    }
}

static void check_texture(CniRenderGltf *gltf, const json_t *texture)
{
    check_index(gltf, texture, "source", "images", "the image of a texture");
    check_index(gltf, texture, "sampler", "samplers", "the sampler of a texture");
}

static void check_image(CniRenderGltf *gltf, const json_t *image)
{
    check_index(gltf, image, "bufferView", "bufferViews", "the bytes of an image");
}

static void check_mesh(CniRenderGltf *gltf, const json_t *mesh)
{
    const json_t *primitives = json_object_get(mesh, "primitives");
    uint32_t joints = 0;
    require(gltf, json_array_size(primitives) > 0, "a mesh without triangles");
    for (size_t i = 0; i < json_array_size(primitives) && !gltf->what; i++)
        check_primitive(gltf, json_array_get(primitives, i), &joints);
    require(gltf, cn_array_push(&gltf->joints, joints), "out of memory for a mesh");
}

static void check_material(CniRenderGltf *gltf, const json_t *material)
{
    check_textures(gltf, material, 0);
}

static void check_scene(CniRenderGltf *gltf, const json_t *scene)
{
    check_indices(gltf, json_object_get(scene, "nodes"), "nodes", "the nodes of a scene");
}

void cni_render_gltf_check(CniRenderGltf *gltf)
{
    static const struct {
        const char *list;
        void (*check)(CniRenderGltf *gltf, const json_t *item);
    } checks[] = {
        {"bufferViews", check_view},   {"accessors", check_accessor},
        {"meshes", check_mesh},        {"nodes", check_node},
        {"skins", check_skin},         {"animations", check_animation},
        {"materials", check_material}, {"textures", check_texture},
        {"images", check_image},       {"scenes", check_scene},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(checks); i++)
        for (uint32_t j = 0; j < cni_render_gltf_count(gltf, checks[i].list) && !gltf->what; j++) {
            const json_t *item = cni_render_gltf_at(gltf, checks[i].list, j);
            require(gltf, json_is_object(item), "an entry of a list");
            if (!gltf->what)
                checks[i].check(gltf, item);
        }
    check_index(gltf, gltf->root, "scene", "scenes", "the scene");
    if (!gltf->what)
        check_tree(gltf);
}
