/* Models: meshes with materials and transforms. */
#include "render/asset/model_file.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <string.h>

static bool is_identity(const CnAffine *a)
{
    CnAffine identity = cn_affine_identity();
    return !memcmp(a, &identity, sizeof *a);
}

/* Returns the largest factor by which a length grows. */
static float largest_scale(const CnAffine *a)
{
    float most = 0;
    for (uint32_t i = 0; i < 3; i++) {
        CnVec3 column = {a->m[0][i], a->m[1][i], a->m[2][i]};
        float length = cn_vec3_length(column);
        most = length > most ? length : most;
    }
    return most;
}

static bool is_mirrored(const CnAffine *a)
{
    CnVec3 x = {a->m[0][0], a->m[1][0], a->m[2][0]}, y = {a->m[0][1], a->m[1][1], a->m[2][1]};
    CnVec3 z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    return cn_vec3_dot(cn_vec3_cross(x, y), z) < 0;
}

/* Extends the bounds of the model by a part. */
static void add_bounds(CniRenderModel *model, const CniRenderMesh *mesh, const CnAffine *transform,
                       bool is_first)
{
    for (uint32_t i = 0; i < 8; i++) {
        CnVec3 corner = {i & 1 ? mesh->maximum.x : mesh->minimum.x,
                         i & 2 ? mesh->maximum.y : mesh->minimum.y,
                         i & 4 ? mesh->maximum.z : mesh->minimum.z};
        CnVec3 p = cn_affine_point(transform, corner);
        CnVec3 *low = &model->minimum, *high = &model->maximum;
        if (is_first && i == 0)
            *low = *high = p;
        *low = cn_vec3(p.x < low->x ? p.x : low->x, p.y < low->y ? p.y : low->y,
                       p.z < low->z ? p.z : low->z);
        *high = cn_vec3(p.x > high->x ? p.x : high->x, p.y > high->y ? p.y : high->y,
                        p.z > high->z ? p.z : high->z);
    }
}

static void free_model(CnRenderer *renderer, CniRenderModel *model)
{
    cni_render_model_file_release(renderer, model->model_file);
    cn_free(renderer->allocator, model->name, model->name_bytes);
    cn_free(renderer->allocator, model->parts, model->part_count * sizeof *model->parts);
    cn_free(renderer->allocator, model->public_parts,
            model->part_count * sizeof *model->public_parts);
}

static bool fill_model(CnRenderer *renderer, CniRenderModel *model, const char *name,
                       const CnModelPart *parts, CnError *error)
{
    model->name_bytes = strlen(name) + 1;
    model->name = cn_alloc(renderer->allocator, model->name_bytes);
    model->parts = cn_alloc(renderer->allocator, model->part_count * sizeof *model->parts);
    model->public_parts =
        cn_alloc(renderer->allocator, model->part_count * sizeof *model->public_parts);
    if (!model->name || !model->parts || !model->public_parts)
        return cn_error_memory(error, "model %s", name);
    memcpy(model->name, name, model->name_bytes);
    for (uint32_t i = 0; i < model->part_count; i++) {
        const CniRenderMesh *mesh = cn_slot_table_get(&renderer->meshes, parts[i].mesh.id);
        if (!mesh)
            return cn_error_set(error, CN_ERROR_NOT_FOUND, "model %s: part %u has no mesh", name,
                                i);
        model->public_parts[i] = parts[i];
        model->parts[i] = (CniRenderModelPart){.part = parts[i],
                                               .radius_scale = largest_scale(&parts[i].transform),
                                               .is_moved = !is_identity(&parts[i].transform),
                                               .is_mirrored = is_mirrored(&parts[i].transform)};
        add_bounds(model, mesh, &parts[i].transform, i == 0);
    }
    return true;
}

uint32_t cni_render_model_find(const CnRenderer *renderer, const char *name)
{
    for (uint32_t i = 0; i < renderer->models.count; i++) {
        const CniRenderModel *model = cn_slot_table_live_at(&renderer->models, i);
        if (model && !strcmp(model->name, name))
            return cn_slot_table_id(&renderer->models, i);
    }
    return 0;
}

CnModel cn_model_create(CnRenderer *renderer, const CnModelDesc *desc, CnError *error)
{
    CN_ASSERT(renderer && desc, "cn_model_create: the renderer or the description is NULL");
    CnModel none = {0}, made;
    if (!desc || !desc->name || !desc->part_count) {
        cn_error_set(error, CN_ERROR_FORMAT, "a model needs a name and at least one part");
        return none;
    }
    if (cni_render_model_find(renderer, desc->name)) {
        cn_error_set(error, CN_ERROR_EXISTS, "model %s already exists", desc->name);
        return none;
    }
    CniRenderModel *model = cn_slot_table_acquire(&renderer->models, &made.id);
    if (!model) {
        cn_error_set(error, CN_ERROR_LIMIT, "too many models: cannot create %s", desc->name);
        return none;
    }
    model->part_count = desc->part_count;
    if (!fill_model(renderer, model, desc->name, desc->parts, error)) {
        free_model(renderer, model);
        cn_slot_table_release(&renderer->models, cn_slot_index(made.id));
        return none;
    }
    return made;
}

static CnModel load_shape(CnRenderer *renderer, const char *path, CnError *error)
{
    CnModel none = {0};
    CnMeshShape shape = cn_mesh_shape_from_name(path + strlen("shapes://"));
    if (shape == CN_MESH_SHAPE_COUNT) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "shape %s does not exist", path);
        return none;
    }
    CnMesh mesh = cn_mesh_shape(renderer, shape, error);
    if (!mesh.id)
        return none;
    CnModelPart part = {.mesh = mesh, .transform = cn_affine_identity()};
    return cn_model_create(renderer, &(CnModelDesc){.name = path, .parts = &part, .part_count = 1},
                           error);
}

/* ---- From files ---- */

/* What of a file a path selects. */
typedef struct Selector {
    const char *part;                    /* name; NULL: all parts */
    char file[CNI_RENDER_PATH_BYTES];    /* with the scene, if one is given, as in the path */
    char variant[CNI_RENDER_PATH_BYTES]; /* name; "": none */
} Selector;

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

bool cni_render_model_take_name(const char **at, char *name, size_t capacity)
{
    size_t size = 0;
    for (; **at && **at != '&'; (*at)++) {
        char c = **at;
        if (c == '%' && hex_digit((*at)[1]) >= 0 && hex_digit((*at)[2]) >= 0) {
            c = (char)(hex_digit((*at)[1]) * 16 + hex_digit((*at)[2]));
            *at += 2;
        }
        if (size + 1 >= capacity)
            return false;
        name[size++] = c;
    }
    name[size] = 0;
    *at += **at == '&';
    return size > 0;
}

static bool parse_selector(const char *path, Selector *selector)
{
    static const char scene[] = "scene=", variant[] = "variant=";
    size_t size = strcspn(path, "#");
    const char *at = path + size + (path[size] == '#');
    *selector = (Selector){0};
    if (!strncmp(at, scene, strlen(scene))) {
        char name[CNI_RENDER_PATH_BYTES];
        at += strlen(scene);
        size = (size_t)(at - path) + strcspn(at, "&");
        if (!cni_render_model_take_name(&at, name, sizeof name))
            return false;
    }
    if (!cn_copy_text(selector->file, sizeof selector->file, (CnText){path, size}))
        return false;
    if (!strncmp(at, variant, strlen(variant))) {
        at += strlen(variant);
        if (!cni_render_model_take_name(&at, selector->variant, sizeof selector->variant))
            return false;
    }
    selector->part = *at ? at : NULL;
    return true;
}

bool cni_render_model_file_of(const char *path, char file[CNI_RENDER_PATH_BYTES])
{
    Selector selector;
    return parse_selector(path, &selector) &&
           cn_copy_text(file, CNI_RENDER_PATH_BYTES, cn_text(selector.file));
}

static bool is_wanted(const CniRenderModelData *data, const CniRenderModelPartData *part,
                      const char *name)
{
    return !name || !strcmp(cni_render_model_text_at(data, part->name), name) ||
           !strcmp(cni_render_model_text_at(data, data->meshes.items[part->mesh].name), name);
}

/* Returns the index + 1 of a variant; 0: there is none with this name. */
static uint32_t find_variant(const CniRenderModelData *data, const char *name)
{
    for (uint32_t i = 0; name[0] && i < data->variants.count; i++)
        if (!strcmp(cni_render_model_text_at(data, data->variants.items[i]), name))
            return i + 1;
    return 0;
}

/* Returns the index + 1 of the material that a mesh has in a variant (index + 1; 0: none). */
static uint32_t material_of(const CniRenderModelData *data, uint32_t mesh, uint32_t variant)
{
    const CniRenderModelMapping *mappings = data->mappings.items;
    uint32_t low = 0, high = variant ? data->mappings.count : 0;
    while (low < high) { /* they are in the order of meshes */
        uint32_t middle = low + (high - low) / 2;
        if (mappings[middle].mesh < mesh)
            low = middle + 1;
        else
            high = middle;
    }
    for (; variant && low < data->mappings.count && mappings[low].mesh == mesh; low++)
        if (mappings[low].variant == variant - 1)
            return mappings[low].material;
    return data->meshes.items[mesh].material;
}

/* Fills what the public part does not have. */
static void fill_parts(CniRenderModel *model, CniRenderModelFile *model_file, const char *name,
                       uint32_t variant)
{
    const CniRenderModelData *data = &model_file->data;
    for (uint32_t i = 0, number = 0; i < data->parts.count; i++) {
        const CniRenderModelPartData *from = &data->parts.items[i];
        if (!is_wanted(data, from, name))
            continue;
        CniRenderModelPart *part = &model->parts[number++];
        uint32_t material = material_of(data, from->mesh, variant);
        part->first_joint = data->meshes.items[from->mesh].first_joint;
        part->morph = from->morph;
        part->node = from->node;
        if (material && model_file->changes.items[material - 1])
            part->animated_material = material;
    }
    model->model_file = model_file;
    model->joint_count = data->joints.count;
    model->clip_count = data->clips.count;
    model->light_count = name ? 0 : data->lights.count;
}

/* Creates a model from the parts of a file that are called `name` (NULL: all), in a variant. */
static CnModel make_of_model_file(CnRenderer *renderer, CniRenderModelFile *model_file,
                                  const char *path, const Selector *selector, CnError *error)
{
    const CniRenderModelData *data = &model_file->data;
    CnModel made = {0};
    uint32_t variant = find_variant(data, selector->variant);
    if (selector->variant[0] && !variant) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "%s: the model has no variant of this name", path);
        return made;
    }
    size_t bytes = data->parts.count * sizeof(CnModelPart);
    CnModelPart *parts = cn_alloc(renderer->allocator, bytes);
    uint32_t count = 0;
    for (uint32_t i = 0; parts && i < data->parts.count; i++) {
        const CniRenderModelPartData *from = &data->parts.items[i];
        if (!is_wanted(data, from, selector->part))
            continue;
        uint32_t material = material_of(data, from->mesh, variant);
        parts[count++] = (CnModelPart){.mesh = model_file->meshes.items[from->mesh],
                                       .transform = from->transform};
        if (material)
            parts[count - 1].material = model_file->materials.items[material - 1];
    }
    if (!parts)
        cn_error_memory(error, "model %s", path);
    else if (!count)
        cn_error_set(error, CN_ERROR_NOT_FOUND, "%s: the model has no part of this name", path);
    else
        made = cn_model_create(
            renderer, &(CnModelDesc){.name = path, .parts = parts, .part_count = count}, error);
    cn_free(renderer->allocator, parts, bytes);
    CniRenderModel *model = cn_slot_table_get(&renderer->models, made.id);
    if (!model)
        return made;
    fill_parts(model, model_file, selector->part, variant);
    model_file->uses++;
    return made;
}

bool cni_render_model_add_file(CnRenderer *renderer, CniRenderModelFile *model_file,
                               const char *path, CnError *error)
{
    const Selector whole = {0};
    return cni_render_model_find(renderer, path) ||
           (cni_render_model_file_upload(renderer, model_file, error) &&
            make_of_model_file(renderer, model_file, path, &whole, error).id);
}

static CnModel load_file(CnRenderer *renderer, const char *path, CnError *error)
{
    CnModel none = {0};
    Selector selector;
    if (!parse_selector(path, &selector)) {
        cn_error_set(error, CN_ERROR_FORMAT,
                     "the path of a model is too long, or the name of its scene or variant is "
                     "missing: %s",
                     path);
        return none;
    }
    if (!selector.part && !selector.variant[0]) {
        CniRenderModelFile *model_file = cni_render_model_file_load(renderer, selector.file, error);
        CnModel model =
            model_file ? make_of_model_file(renderer, model_file, path, &selector, error) : none;
        cni_render_model_file_release(renderer, model_file);
        return model;
    }
    const CniRenderModel *whole =
        cn_slot_table_get(&renderer->models, cn_model_load(renderer, selector.file, error).id);
    return whole && whole->model_file
               ? make_of_model_file(renderer, whole->model_file, path, &selector, error)
               : none;
}

CnModel cn_model_load(CnRenderer *renderer, const char *path, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CnModel model = {cni_render_model_find(renderer, path)};
    if (model.id)
        return model;
    if (cn_text_starts_with(cn_text(path), cn_text("shapes://")))
        return load_shape(renderer, path, error);
    return load_file(renderer, path, error);
}

bool cni_render_model_rebuild(CnRenderer *renderer, uint32_t index, CniRenderModelFile *model_file,
                              CnError *error)
{
    const CnModel id = {cn_slot_table_id(&renderer->models, index)};
    CniRenderModel *model = cn_slot_table_get(&renderer->models, id.id);
    Selector selector;
    char path[2 * CNI_RENDER_PATH_BYTES];
    if (!cn_copy_text(path, sizeof path, cn_text(model->name)) || !parse_selector(path, &selector))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of a model is too long");
    model->name[0] = 0; /* so that the new one may have it */
    CnModel made = make_of_model_file(renderer, model_file, path, &selector, error);
    model = cn_slot_table_get(&renderer->models, id.id); /* creating may have moved it */
    memcpy(model->name, path, model->name_bytes);
    CniRenderModel *other = cn_slot_table_get(&renderer->models, made.id);
    if (!other)
        return false;
    CniRenderModel old = *model;
    *model = *other;
    *other = old;
    other->slot = model->slot;
    model->slot = old.slot;
    cn_model_destroy(renderer, made); /* the old content */
    return true;
}

CnModelInfo cn_model_info(const CnRenderer *renderer, CnModel model)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderModel *found = cn_slot_table_get(&renderer->models, model.id);
    if (!found)
        return (CnModelInfo){.name = ""};
    CnModelInfo info = {.name = found->name,
                        .parts = found->public_parts,
                        .part_count = found->part_count,
                        .minimum = found->minimum,
                        .maximum = found->maximum,
                        .joint_count = found->joint_count,
                        .clip_count = found->clip_count};
    if (found->model_file) {
        const CniRenderModelData *data = &found->model_file->data;
        info.light_count = data->lights.count;
        info.camera_count = data->cameras.count;
        info.scene_count = data->scenes.count;
        info.variant_count = data->variants.count;
    }
    return info;
}

void cn_model_destroy(CnRenderer *renderer, CnModel model)
{
    CniRenderModel *found = cn_slot_table_get(&renderer->models, model.id);
    if (!found)
        return;
    free_model(renderer, found);
    renderer->plan_version++;
    cn_slot_table_release(&renderer->models, cn_slot_index(model.id));
}

/* ---- Animation ---- */

bool cn_model_clip(const CnRenderer *renderer, CnModel model, uint32_t clip, const char **name,
                   float *seconds)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderModel *found = cn_slot_table_get(&renderer->models, model.id);
    if (!found || clip >= found->clip_count)
        return false;
    const CniRenderModelClip *it = &found->model_file->data.clips.items[clip];
    if (name)
        *name = cni_render_model_text_at(&found->model_file->data, it->name);
    if (seconds)
        *seconds = it->seconds;
    return true;
}

void cn_model_pose(const CnRenderer *renderer, CnModel model, uint32_t clip, float seconds,
                   CnAffine *joints)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderModel *found = cn_slot_table_get(&renderer->models, model.id);
    if (found && found->joint_count)
        cni_render_model_sample(&found->model_file->data,
                                &(CniRenderModelPose){clip, seconds, 0, 0, 0},
                                found->model_file->globals.items, joints);
}

/* Returns the time in the clip of `current`, of which *clip receives the number. */
float cni_render_model_time_between(uint32_t previous, uint32_t current, float alpha,
                                    uint32_t *number)
{
    uint32_t clip = current >> 24; /* + 1 */
    uint32_t now = current & 0xFFFFFFu, before = previous & 0xFFFFFFu;
    float ticks = (float)now;
    /* Interpolates along the shorter way around the wrap; a jump in time is not interpolated. */
    int32_t step = (int32_t)((now - before) << 8) >> 8;
    if (previous >> 24 == clip && step > -(int32_t)CN_ANIMATION_HZ &&
        step < (int32_t)CN_ANIMATION_HZ)
        ticks -= (1 - alpha) * (float)step;
    *number = clip ? clip - 1 : UINT32_MAX;
    return ticks / CN_ANIMATION_HZ;
}

static CniRenderModelPose pose_of(const CniRenderAnimation *animation, float alpha)
{
    CniRenderModelPose pose = {.weight = animation->weight};
    pose.seconds =
        cni_render_model_time_between(animation->previous, animation->current, alpha, &pose.clip);
    if (pose.weight > 0)
        pose.from_seconds = cni_render_model_time_between(
            animation->from_previous, animation->from_current, alpha, &pose.from_clip);
    return pose;
}

void cni_render_model_pose_between(const CniRenderModel *model, const CniRenderAnimation *animation,
                                   float alpha, CnAffine *joints)
{
    const CniRenderModelPose pose = pose_of(animation, alpha);
    cni_render_model_sample(&model->model_file->data, &pose, model->model_file->globals.items,
                            joints);
}

uint32_t cni_render_model_weights_between(const CniRenderModel *model, uint32_t morph,
                                          const CniRenderAnimation *animation, float alpha,
                                          const float **weights)
{
    CniRenderModelFile *file = model->model_file;
    const CniRenderModelPose pose = pose_of(animation, alpha);
    float *now = file->weights.items, *before = file->from_weights.items;
    uint32_t count = file->data.morphs.items[morph].weight_count;
    cni_render_model_sample_weights(&file->data, pose.clip, pose.seconds, morph, now);
    if (pose.weight > 0)
        cni_render_model_sample_weights(&file->data, pose.from_clip, pose.from_seconds, morph,
                                        before);
    for (uint32_t i = 0; i < count && pose.weight > 0; i++)
        now[i] += (before[i] - now[i]) * pose.weight;
    *weights = now;
    return count;
}
