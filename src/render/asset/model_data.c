#include "render/asset/model_data.h"

#include <math.h>

void cni_render_model_data_init(CniRenderModelData *data, CnAllocator *allocator)
{
    data->allocator = data->bulk = allocator;
    data->budget = NULL;
#define INIT(name, type, most) cn_array_init(&data->name, allocator);
    CNI_RENDER_MODEL_ARRAYS(INIT)
#undef INIT
}

void cni_render_model_data_fini(CniRenderModelData *data)
{
#define FINI(name, type, most) cn_array_fini(&data->name);
    CNI_RENDER_MODEL_ARRAYS(FINI)
#undef FINI
}

void cni_render_model_data_use_bulk(CniRenderModelData *data, CnAllocator *bulk)
{
    data->bulk = bulk;
    cn_array_init(&data->vertices, bulk);
    cn_array_init(&data->indices, bulk);
    cn_array_init(&data->skins, bulk);
    cn_array_init(&data->second_uvs, bulk);
    cn_array_init(&data->deltas, bulk);
    cn_array_init(&data->bytes, bulk);
}

void cni_render_model_data_drop_bulk(CniRenderModelData *data)
{
    cn_array_fini(&data->vertices);
    cn_array_fini(&data->indices);
    cn_array_fini(&data->skins);
    cn_array_fini(&data->second_uvs);
    cn_array_fini(&data->deltas);
    cn_array_fini(&data->bytes);
    cni_render_model_data_use_bulk(data, data->allocator);
}

uint32_t cni_render_model_text(CniRenderModelData *data, CnText text, bool *ok)
{
    if (text.size == 0)
        return 0;
    if (!cn_array_reserve(&data->texts, (uint64_t)data->texts.count + text.size + 2)) {
        *ok = false;
        return 0;
    }
    if (data->texts.count == 0)
        data->texts.items[data->texts.count++] = 0;
    uint32_t at = data->texts.count;
    memcpy(data->texts.items + at, text.data, text.size);
    data->texts.items[at + text.size] = 0;
    data->texts.count += (uint32_t)text.size + 1;
    return at;
}

/* ---- Validation ---- */

typedef struct Check {
    const CniRenderModelData *data;
    const char *what; /* the first error */
} Check;

static void require(Check *check, bool is_right, const char *what)
{
    if (!is_right && !check->what)
        check->what = what;
}

static inline bool are_finite(const float *numbers, size_t count)
{
    bool are = true; /* without branches, as almost all are */
    for (size_t i = 0; i < count; i++)
        are &= fabsf(numbers[i]) <= CNI_RENDER_MODEL_MAX_COORDINATE;
    return are;
}

/* Returns whether a range is within `whole`, without overflow. */
static bool is_range(uint32_t first, uint32_t count, uint32_t whole)
{
    return first <= whole && count <= whole - first;
}

static bool is_text(const Check *check, uint32_t text)
{
    return text == 0 || text < check->data->texts.count;
}

static void check_mesh(Check *check, const CniRenderModelMesh *mesh)
{
    const CniRenderModelData *data = check->data;
    require(check, is_text(check, mesh->name), "the name of a mesh");
    require(check, mesh->material <= data->materials.count, "the material of a mesh");
    require(check, is_range(mesh->first_vertex, mesh->vertex_count, data->vertices.count),
            "the vertices of a mesh");
    require(check,
            is_range(mesh->first_index, mesh->index_count, data->indices.count) &&
                mesh->index_count % 3 == 0,
            "the triangles of a mesh");
    require(check,
            !mesh->first_skin ||
                is_range(mesh->first_skin - 1, mesh->vertex_count, data->skins.count),
            "the joints of a mesh");
    require(check,
            mesh->first_delta ? mesh->target_count > 0 &&
                                    (uint64_t)mesh->first_delta - 1 +
                                            (uint64_t)mesh->target_count * mesh->vertex_count <=
                                        data->deltas.count
                              : !mesh->target_count,
            "the morph targets of a mesh");
    require(check,
            !mesh->first_uv ||
                is_range(mesh->first_uv - 1, mesh->vertex_count, data->second_uvs.count),
            "the second texture coordinates of a mesh");
    if (check->what)
        return;
    const uint32_t *indices = data->indices.items + mesh->first_index;
    uint32_t most = 0;
    for (uint32_t i = 0; i < mesh->index_count; i++)
        most = indices[i] > most ? indices[i] : most;
    require(check, !mesh->index_count || most < mesh->vertex_count, "a corner of a triangle");
    for (uint32_t i = 0; mesh->first_skin && i < mesh->vertex_count; i++) {
        const CnVertexSkin *skin = &data->skins.items[mesh->first_skin - 1 + i];
        for (int j = 0; j < 4; j++)
            if ((uint64_t)mesh->first_joint + skin->joints[j] >= data->joints.count)
                check->what = "the joint of a vertex";
    }
}

static void check_part_morph(Check *check, const CniRenderModelPartData *part)
{
    const CniRenderModelData *data = check->data;
    uint32_t targets = data->meshes.items[part->mesh].target_count;
    require(check,
            part->morph ? part->morph <= data->morphs.count &&
                              data->morphs.items[part->morph - 1].weight_count >= targets
                        : !targets,
            "the morph targets of a part");
}

static void check_morphs(Check *check)
{
    const CniRenderModelData *data = check->data;
    for (uint32_t i = 0; i < data->morphs.count; i++)
        require(check,
                is_range(data->morphs.items[i].first_weight, data->morphs.items[i].weight_count,
                         data->weights.count),
                "the weights of morph targets");
    require(check, are_finite(data->weights.items, data->weights.count), "a weight");
    for (uint32_t i = 0; i < data->deltas.count && !check->what; i++) {
        const CniRenderModelDelta *delta = &data->deltas.items[i];
        bool is_finite = are_finite(&delta->position.x, 3);
        for (uint32_t j = 0; j < 3; j++) /* an exponent of ones: infinite or not a number */
            is_finite = is_finite && (delta->normal[j] & 0x7C00u) != 0x7C00u &&
                        (delta->tangent[j] & 0x7C00u) != 0x7C00u;
        require(check, is_finite, "a morph target contains a number that is not finite");
    }
}

static void check_meshes(Check *check)
{
    const CniRenderModelData *data = check->data;
    for (uint32_t i = 0; i < data->meshes.count && !check->what; i++)
        check_mesh(check, &data->meshes.items[i]);
    for (uint32_t i = 0; i < data->parts.count; i++) {
        const CniRenderModelPartData *part = &data->parts.items[i];
        require(check,
                part->mesh < data->meshes.count && is_text(check, part->name) &&
                    part->node <= data->nodes.count,
                "the mesh of a part");
        require(check, are_finite(&part->transform.m[0][0], 12), "the transform of a part");
        if (!check->what)
            check_part_morph(check, part);
    }
    /* Colors are bytes; all other values of a vertex are floats. */
    for (uint32_t i = 0; i < data->vertices.count; i++)
        if (!are_finite(&data->vertices.items[i].position.x,
                        offsetof(CnVertex, color) / sizeof(float)))
            require(check, false, "a vertex contains a number that is not finite");
    for (uint32_t i = 0; i < data->second_uvs.count; i++)
        if (!are_finite(&data->second_uvs.items[i].x, 2))
            require(check, false, "a texture coordinate is not finite");
}

static void check_coordinates(Check *check, const CnTextureCoordinates *coordinates)
{
    require(check, coordinates->set <= 1 && are_finite(&coordinates->rotation, 5),
            "the texture coordinates of a material");
}

static void check_materials(Check *check)
{
    const CniRenderModelData *data = check->data;
    for (uint32_t i = 0; i < data->materials.count; i++) {
        const CniRenderModelMaterial *material = &data->materials.items[i];
        require(check, is_text(check, material->name), "the name of a material");
        require(
            check,
            are_finite(&material->base_color.x, 14) &&
                are_finite(&material->extensions.ior, sizeof material->extensions / sizeof(float)),
            "a number of a material");
        require(check, material->alpha_mode <= CN_ALPHA_BLEND, "the alpha mode of a material");
        for (uint32_t j = 0; j < CN_TEXTURE_COUNT; j++)
            require(check, material->textures[j] <= data->textures.count,
                    "the texture of a material");
        for (uint32_t j = 0; j < CN_TEXTURE_COUNT; j++)
            check_coordinates(check, &material->coordinates[j]);
    }
    for (uint32_t i = 0; i < data->textures.count; i++) {
        const CniRenderModelTexture *texture = &data->textures.items[i];
        require(check,
                is_text(check, texture->path) &&
                    is_range(texture->first_byte, texture->byte_count, data->bytes.count) &&
                    texture->sampler <= CNI_RENDER_SAMPLER_ALL &&
                    (texture->sampler >> CNI_RENDER_SAMPLER_WRAP_U & 3) <= CNI_RENDER_WRAP_MIRROR &&
                    (texture->sampler >> CNI_RENDER_SAMPLER_WRAP_V & 3) <= CNI_RENDER_WRAP_MIRROR,
                "a texture");
    }
    for (uint32_t i = 0; i < data->sources.count; i++)
        require(check, is_text(check, data->sources.items[i].path), "the path of a file");
}

static void check_clip(Check *check, const CniRenderModelClip *clip)
{
    const CniRenderModelData *data = check->data;
    require(check,
            is_text(check, clip->name) && are_finite(&clip->seconds, 1) && clip->seconds >= 0,
            "the name or time of a clip");
    require(check,
            is_range(clip->first_channel, clip->channel_count, data->channels.count) &&
                is_range(clip->first_channel + clip->channel_count, clip->value_count,
                         data->channels.count),
            "the channels of a clip");
}

/* Returns the number of items that channels of a kind can change. */
static uint32_t count_targets(const CniRenderModelData *data, uint32_t kind)
{
    switch (kind) {
    case CNI_RENDER_CHANNEL_WEIGHTS:
        return data->morphs.count;
    case CNI_RENDER_CHANNEL_MATERIAL:
        return data->materials.count;
    case CNI_RENDER_CHANNEL_LIGHT:
        return data->lights.count;
    case CNI_RENDER_CHANNEL_CAMERA:
        return data->cameras.count;
    default:
        return data->nodes.count;
    }
}

static void check_lights(Check *check)
{
    const CniRenderModelData *data = check->data;
    for (uint32_t i = 0; i < data->lights.count; i++) {
        const CniRenderModelLight *light = &data->lights.items[i];
        require(check,
                is_text(check, light->name) && light->node < data->nodes.count &&
                    light->kind <= CN_LIGHT_SPOT && are_finite(&light->color.x, 7),
                "a light");
    }
    for (uint32_t i = 0; i < data->cameras.count; i++) {
        const CniRenderModelCamera *camera = &data->cameras.items[i];
        require(check,
                is_text(check, camera->name) && camera->node < data->nodes.count &&
                    camera->is_orthographic <= 1 && are_finite(&camera->size, 4),
                "a camera");
    }
}

static void check_variants(Check *check)
{
    const CniRenderModelData *data = check->data;
    for (uint32_t i = 0; i < data->scenes.count; i++)
        require(check, is_text(check, data->scenes.items[i]), "the name of a scene");
    for (uint32_t i = 0; i < data->variants.count; i++)
        require(check, is_text(check, data->variants.items[i]), "the name of a variant");
    for (uint32_t i = 0; i < data->mappings.count; i++) {
        const CniRenderModelMapping *mapping = &data->mappings.items[i];
        require(check,
                mapping->mesh < data->meshes.count && mapping->variant < data->variants.count &&
                    mapping->material && mapping->material <= data->materials.count &&
                    (i == 0 || data->mappings.items[i - 1].mesh <= mapping->mesh),
                "the material of a variant");
    }
}

static bool is_property(const CniRenderModelChannel *channel)
{
    uint32_t property = channel->first & CNI_RENDER_MATERIAL_PROPERTY;
    uint32_t index = channel->first - property;
    uint32_t numbers = (uint32_t)(sizeof(CnMaterialExtensions) / sizeof(float));
    if (channel->kind != CNI_RENDER_CHANNEL_MATERIAL || !property)
        return true;
    return property <= CNI_RENDER_MATERIAL_COLOR
               ? index + (property == CNI_RENDER_MATERIAL_COLOR ? 3 : 1) <= numbers
               : property <= CNI_RENDER_MATERIAL_UV_SCALE && index < CN_TEXTURE_COUNT;
}

static void check_motion(Check *check)
{
    const CniRenderModelData *data = check->data;
    for (uint32_t i = 0; i < data->nodes.count; i++) {
        const CniRenderModelNode *node = &data->nodes.items[i];
        require(check, node->parent <= i && is_text(check, node->name) && node->is_hidden <= 1,
                "the parent of a node");
        require(check, are_finite(&node->position.x, 10), "the transform of a node");
    }
    for (uint32_t i = 0; i < data->joints.count; i++) {
        const CniRenderModelJoint *joint = &data->joints.items[i];
        require(check, joint->node < data->nodes.count, "the node of a joint");
        require(check, are_finite(&joint->offset.m[0][0], 12), "the transform of a joint");
    }
    for (uint32_t i = 0; i < data->clips.count; i++)
        check_clip(check, &data->clips.items[i]);
    for (uint32_t i = 0; i < data->channels.count; i++) {
        const CniRenderModelChannel *channel = &data->channels.items[i];
        require(check, channel->kind < CNI_RENDER_CHANNEL_KINDS, "the kind of a channel");
        require(check, channel->target < count_targets(data, channel->kind),
                "the target of a channel");
        require(check, is_property(channel), "the property of a channel");
        require(check,
                channel->key_count > 0 &&
                    is_range(channel->first_key, channel->key_count, data->keys.count),
                "the keys of a channel");
        for (uint32_t k = 1; k < channel->key_count && !check->what; k++)
            require(check,
                    data->keys.items[channel->first_key + k].seconds >=
                        data->keys.items[channel->first_key + k - 1].seconds,
                    "the order of keys");
    }
    for (uint32_t i = 0; i < data->keys.count; i++)
        require(check, are_finite(&data->keys.items[i].seconds, 5), "a key");
}

bool cni_render_model_check(const CniRenderModelData *data, const char *name, CnError *error)
{
#define LIMIT(array, type, most)                                                                   \
    if (data->array.count > (most))                                                                \
        return cn_error_set_at(error, CN_ERROR_LIMIT, name, 0, 0,                                  \
                               "the model has %u " #array ", more than %u", data->array.count,     \
                               (unsigned)(most));
    CNI_RENDER_MODEL_ARRAYS(LIMIT)
#undef LIMIT
    Check check = {.data = data};
    if (data->texts.count)
        require(&check, data->texts.items[0] == 0 && data->texts.items[data->texts.count - 1] == 0,
                "a string without an end");
    check_meshes(&check);
    check_morphs(&check);
    check_materials(&check);
    check_motion(&check);
    check_lights(&check);
    check_variants(&check);
    return !check.what ||
           cn_error_set_at(error, CN_ERROR_FORMAT, name, 0, 0, "invalid model: %s", check.what);
}

bool cni_render_model_check_budget(const CniRenderModelData *data, const CnBudget *budget,
                                   const char *name, CnError *error)
{
    const struct {
        const char *member;
        uint32_t count, most;
    } amounts[] = {{"model_vertices", data->vertices.count, budget->model_vertices},
                   {"model_indices", data->indices.count, budget->model_indices},
                   {"model_parts", data->parts.count, budget->model_parts},
                   {"model_nodes", data->nodes.count, budget->model_nodes}};
    for (size_t i = 0; i < CN_COUNT_OF(amounts); i++)
        if (amounts[i].count > amounts[i].most)
            return cn_budget_refuse(error, budget, name, amounts[i].member, amounts[i].count,
                                    amounts[i].most);
    return true;
}
