#include "scene/component/extract_objects.h"
#include "scene/object/first_active_object.h"

#include <cairn/base/log.h>
#include <cairn/scene/camera_motion.h>
#include <cairn/scene/presentation.h>

#include <string.h>

/* The extracted values of a mesh renderer without its texts, which are read only after a change. */
typedef struct MeshAppearance {
    uint32_t mesh, material;
    uint32_t flags;
    uint32_t visible; /* 0 or 1 */
} MeshAppearance;

/* For objects with a parent: a matrix and its decomposition. */
typedef struct Pose {
    float basis[3][3];
    CnQuat rotation;
    CnVec3 scale;
} Pose;

/* Owned by the system. */
typedef struct CniSceneExtraction {
    CnAllocator *allocator;
    CnNames names;
    CN_ARRAY(MeshAppearance) appearances; /* of mesh renderers, by index of the entity */
    CN_ARRAY(Pose) poses;                 /* as many as `looks` */
    CnQuery *renderers, *meshes, *lights;
    CnQuery *suns;   /* the query in CnPresentation */
    bool all_again;  /* memory ran out, so all renderers must be read again */
    bool names_full; /* too many names; already reported */
} Extraction;

/* ---- Names ---- */

/* Returns false when out of memory. */
static bool number_name(Extraction *extraction, CnText name, uint32_t *number)
{
    *number = cn_name_find(&extraction->names, name).id;
    if (*number || !name.size)
        return true;
    if (extraction->names.texts.count < CN_MAX_ASSETS) {
        *number = cn_name_from_text(&extraction->names, name).id;
        return *number != 0;
    }
    if (!extraction->names_full)
        CN_LOG_ERROR("scene", "there are more than %u names of meshes and materials",
                     CN_MAX_ASSETS);
    extraction->names_full = true;
    return true;
}

static CnText text_of(const char *text, size_t bytes)
{
    const char *end = memchr(text, 0, bytes);
    return (CnText){text, end ? (size_t)(end - text) : bytes};
}

static const Extraction *extraction_of(const CnWorld *world)
{
    const CnPresentation *parts = cn_resource(world, CnPresentation);
    return parts ? parts->extraction : NULL;
}

uint32_t cn_asset_count(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const Extraction *extraction = extraction_of(world);
    return extraction ? extraction->names.texts.count : 0;
}

const char *cn_asset_name(const CnWorld *world, uint32_t number)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const Extraction *extraction = extraction_of(world);
    return extraction && number <= extraction->names.texts.count
               ? cn_name_text(&extraction->names, (CnName){number})
               : "";
}

uint32_t cn_asset_number(CnWorld *world, CnText name)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnPresentation *parts = cn_resource_mut(world, CnPresentation);
    uint32_t number = 0;
    if (parts)
        number_name(parts->extraction, name, &number);
    return number;
}

static bool read_chunk(Extraction *extraction, const CnChunkView *view)
{
    const CnMeshRenderer *renderers = cn_column_const(view, CnMeshRenderer);
    uint32_t needed = 0;
    for (uint32_t i = 0; i < view->count; i++)
        if (cn_entity_index(view->entities[i]) >= needed)
            needed = cn_entity_index(view->entities[i]) + 1;
    if (!cn_array_reserve(&extraction->appearances, needed) ||
        !cn_array_reserve(&extraction->poses, needed))
        return false;
    while (extraction->poses.count < needed)
        extraction->poses.items[extraction->poses.count++] = (Pose){.rotation = {0, 0, 0, 1}};
    for (uint32_t i = 0; i < view->count; i++) {
        MeshAppearance *appearance =
            &extraction->appearances.items[cn_entity_index(view->entities[i])];
        CnText mesh = text_of(renderers[i].mesh, CN_ASSET_PATH_BYTES);
        CnText material = text_of(renderers[i].material, CN_ASSET_NAME_BYTES);
        if (!number_name(extraction, mesh, &appearance->mesh) ||
            !number_name(extraction, material, &appearance->material))
            return false;
        appearance->visible = renderers[i].visible;
        appearance->flags = renderers[i].casts_shadows ? CN_RENDER_CASTS_SHADOWS : 0;
    }
    return true;
}

static void read_changed(Extraction *extraction, uint64_t last_run)
{
    CnQueryIter it =
        cn_query_iter_changed(extraction->renderers, extraction->all_again ? 0 : last_run);
    extraction->all_again = false;
    CnChunkView view;
    while (cn_query_next(&it, &view))
        if (!read_chunk(extraction, &view))
            extraction->all_again = true;
}

/* ---- Meshes ---- */

/* Most objects that move do not rotate, and most objects that rotate have no parent, so a matrix
 * rarely needs to be decomposed. */
static void take_apart(Pose *pose, const CnAffine *matrix)
{
    float basis[3][3];
    for (int i = 0; i < 3; i++)
        memcpy(basis[i], matrix->m[i], sizeof basis[i]);
    if (!memcmp(basis, pose->basis, sizeof basis))
        return;
    CnVec3 position;
    cn_affine_to_trs(matrix, &position, &pose->rotation, &pose->scale);
    memcpy(pose->basis, basis, sizeof basis);
}

static uint32_t value_of(const CnAnimator *animator)
{
    return cn_animation_value(animator->clip, (double)animator->seconds);
}

/* Adds the first clips of transitions, in the order of items. */
static void extract_blends(const CnRenderItem *items, uint32_t count, const CnAnimator *animators,
                           const CnChunkView *view, CnRenderOut *out)
{
    for (uint32_t i = 0, row = 0; i < count; i++, row++) {
        while (!cn_entity_equal(view->entities[row], items[i].entity))
            row++;
        const CnAnimator *animator = &animators[row];
        if (!(animator->blend_left > 0) || !(animator->blend > 0))
            continue;
        CnRenderBlend *blend = cn_extract_blends(out, 1);
        if (!blend)
            return;
        *blend =
            (CnRenderBlend){items[i].entity,
                            cn_animation_value(animator->from_clip, (double)animator->from_seconds),
                            animator->blend_left / animator->blend};
    }
}

static void extract_meshes(Extraction *extraction, const CnChunkView *view, CnRenderOut *out)
{
    const CnWorldTransform *worlds = cn_column_const(view, CnWorldTransform);
    const CnTransform *locals = cn_column_const(view, CnTransform);
    const CnNode *nodes = cn_column_const(view, CnNode);
    const CnAnimator *animators = cn_column_const(view, CnAnimator);
    const MeshAppearance *appearances = extraction->appearances.items;
    uint32_t count = 0, filled = 0;
    for (uint32_t i = 0; i < view->count; i++)
        count += appearances[cn_entity_index(view->entities[i])].visible;
    CnRenderItem *items = cn_extract_items(out, count);
    for (uint32_t i = 0; items && i < view->count; i++) {
        uint32_t index = cn_entity_index(view->entities[i]);
        if (!appearances[index].visible)
            continue;
        Pose *pose = &extraction->poses.items[index];
        bool has_parent = nodes && !cn_entity_is_null(nodes[i].parent);
        if (has_parent)
            take_apart(pose, &worlds[i].matrix);
        const float(*m)[4] = worlds[i].matrix.m;
        items[filled++] =
            (CnRenderItem){.entity = view->entities[i],
                           .position = {m[0][3], m[1][3], m[2][3]},
                           .rotation = has_parent ? pose->rotation : locals[i].rotation,
                           .scale = has_parent ? pose->scale : locals[i].scale,
                           .mesh = appearances[index].mesh,
                           .material = appearances[index].material,
                           .flags = appearances[index].flags,
                           .value = animators ? value_of(&animators[i]) : 0};
    }
    if (animators && items)
        extract_blends(items, filled, animators, view, out);
}

/* ---- Lights ---- */

static float cosine_of_half(float degrees)
{
    return cn_cosf(degrees * (CN_PIF / 360));
}

static void extract_lights(const CnChunkView *view, CnRenderOut *out)
{
    const CnLight *lights = cn_column_const(view, CnLight);
    const CnWorldTransform *worlds = cn_column_const(view, CnWorldTransform);
    CnRenderLight *reflected = cn_extract_lights(out, view->count);
    for (uint32_t i = 0; reflected && i < view->count; i++) {
        const CnLight *light = &lights[i];
        const float(*m)[4] = worlds[i].matrix.m;
        reflected[i] = (CnRenderLight){
            .entity = view->entities[i],
            .kind = (CnLightKind)light->kind,
            .position = {m[0][3], m[1][3], m[2][3]},
            .direction = cn_vec3_normalize(cn_vec3(-m[0][2], -m[1][2], -m[2][2])),
            .color = {light->color.x * light->intensity, light->color.y * light->intensity,
                      light->color.z * light->intensity},
            .range = light->range,
            .flags = light->shadows ? CN_RENDER_CASTS_SHADOWS : 0};
        if (light->kind == CN_LIGHT_SPOT) {
            reflected[i].inner_cosine = cosine_of_half(light->inner);
            reflected[i].outer_cosine = cosine_of_half(light->outer);
        }
    }
}

/* ---- The camera ---- */

static void extract_camera(CnWorld *world, CnRenderOut *out)
{
    CnEntity eye = cn_camera_find(world);
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    if (!matrices.valid)
        return;
    const CnCamera *camera = &matrices.baked;
    CnVec3 shake = cn_camera_shake_offset(world, eye);
    CnQuat rotation = cn_transform_world_rotation(world, eye);
    cn_extract_camera(
        out, &(CnRenderCamera){.position = cn_vec3_add(cn_transform_world_position(world, eye),
                                                       cn_quat_rotate(rotation, shake)),
                               .rotation = rotation,
                               .fov = camera->fov * (CN_PIF / 180),
                               .near_plane = camera->near_plane,
                               .far_plane = camera->far_plane,
                               .height = camera->projection == CN_ORTHOGRAPHIC ? camera->height : 0,
                               .aspect = camera->aspect});
}

/* ---- The system ---- */

static bool has_consumer(const CnSystemContext *context)
{
    return cn_resource(context->world, CnRenderOut) != NULL;
}

static void extract_objects(CnSystemContext *context)
{
    Extraction *extraction = context->user;
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    read_changed(extraction, context->last_run);
    CnChunkView view;
    if (!extraction->all_again) /* otherwise the next tick reads them again */
        for (CnQueryIter it = cn_query_iter(extraction->meshes); cn_query_next(&it, &view);)
            extract_meshes(extraction, &view, out);
    for (CnQueryIter it = cn_query_iter(extraction->lights); cn_query_next(&it, &view);)
        extract_lights(&view, out);
    extract_camera(context->world, out);
}

static void dispose(void *user)
{
    Extraction *extraction = user;
    cn_query_release(extraction->renderers);
    cn_query_release(extraction->meshes);
    cn_query_release(extraction->lights);
    cn_query_release(extraction->suns);
    cn_names_fini(&extraction->names);
    cn_array_fini(&extraction->appearances);
    cn_array_fini(&extraction->poses);
    cn_free(extraction->allocator, extraction, sizeof *extraction);
}

static void was_removed(CnWorld *world, void *user)
{
    (void)user;
    cn_resource_remove(world, CnPresentation);
}

static bool make_queries(CnWorld *world, Extraction *extraction, CnError *error)
{
    extraction->renderers =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnMeshRenderer)}}, error);
    extraction->meshes =
        cn_query_acquire(world,
                         &(CnQueryDesc){.all = {cn_tag(CnMeshRenderer), cn_reads(CnTransform),
                                                cn_reads(CnWorldTransform)},
                                        .none = {cn_tag(CnInactive)},
                                        .optional = {cn_reads(CnNode), cn_reads(CnAnimator)}},
                         error);
    extraction->lights =
        cn_query_acquire(world,
                         &(CnQueryDesc){.all = {cn_reads(CnLight), cn_reads(CnWorldTransform)},
                                        .none = {cn_tag(CnInactive)}},
                         error);
    return extraction->renderers && extraction->meshes && extraction->lights;
}

static bool add_resource(CnWorld *world, Extraction *extraction, CnError *error)
{
    extraction->suns = cni_scene_active_with(world, &cn_type_CnLight, error);
    return extraction->suns &&
           cn_resource_set(world, CnPresentation, {extraction->suns, extraction});
}

static bool add_system(CnWorld *world, Extraction *extraction, CnError *error)
{
    return cn_system_add(world,
                         &(CnSystemDesc){.name = "ExtractObjects",
                                         .run = extract_objects,
                                         .user = extraction,
                                         .stage = CN_STAGE_PRE_EXTRACT,
                                         .access = {CN_CAMERA_ACCESS, cn_reads(CnMeshRenderer),
                                                    cn_reads(CnAnimator), cn_reads(CnCameraShake),
                                                    cn_reads(CnLight), cn_writes(CnPresentation),
                                                    cn_writes(CnRenderOut)},
                                         .run_if = has_consumer,
                                         .on_removed = was_removed,
                                         .dispose = dispose},
                         error)
               .id != 0;
}

bool cni_scene_extract_objects_add(CnWorld *world, CnError *error)
{
    if (cn_resource(world, CnPresentation))
        return true;
    CnAllocator *allocator = cn_world_allocator(world);
    Extraction *extraction = cn_alloc_zeroed(allocator, sizeof *extraction);
    if (!extraction)
        return cn_error_memory(error, "extraction");
    extraction->allocator = allocator;
    cn_names_init(&extraction->names, allocator);
    cn_array_init(&extraction->appearances, allocator);
    cn_array_init(&extraction->poses, allocator);
    bool is_made = make_queries(world, extraction, error) && add_resource(world, extraction, error);
    if (is_made && add_system(world, extraction, error))
        return true;
    if (!is_made)
        cn_error_memory(error, "extraction");
    cn_resource_remove(world, CnPresentation);
    dispose(extraction);
    return false;
}
