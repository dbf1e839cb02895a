#include "scene/transform/transform_internal.h"

/* ---- Reads: from the root down to one entity ---- */

/* Levels that are climbed before they are processed from the top. */
#define BLOCK 32u

/* A transform as seen by its children. */
typedef struct ParentTransform {
    const CnAffine *matrix; /* NULL: none */
    CnEntity entity;
    uint32_t version; /* 0: no version is stored, so every access counts as a move */
} ParentTransform;

typedef struct Step {
    CnEntity entity;
    const CnTransform *local;
    CnWorldTransform *world; /* NULL: nothing is stored */
    CnTransformCache *cache;
} Step;

typedef struct Reader {
    CnWorld *world;
    CnComponent transform, node, matrix, cache;
    CnTransforms *transforms; /* NULL: store nothing */
    uint32_t stamp;           /* the version of what this read computes; 0: nothing yet */
    ParentTransform last;     /* the transform that was updated last */
    CnAffine loose;           /* its matrix if it stores none */
} Reader;

static Reader reader_begin(const CnWorld *world, bool keep)
{
    Reader reader = {.world = (CnWorld *)(uintptr_t)world,
                     .transform = cn_component_of(world, &cn_type_CnTransform),
                     .node = cn_component_of(world, &cn_type_CnNode)};
    if (keep) {
        reader.matrix = cn_component_of(world, &cn_type_CnWorldTransform);
        reader.cache = cn_component_of(world, &cn_type_CnTransformCache);
        reader.transforms = cn_resource_mut(reader.world, CnTransforms);
    }
    return reader;
}

static const CnTransform *local_of(const Reader *reader, CnEntity entity)
{
    return cn_get_component(reader->world, entity, reader->transform);
}

/* Returns the parent if it has a transform; null otherwise. */
static CnEntity parent_of(const Reader *reader, CnEntity entity)
{
    const CnNode *node =
        reader->node.id ? cn_get_component(reader->world, entity, reader->node) : NULL;
    return node && local_of(reader, node->parent) ? node->parent : (CnEntity){0};
}

static Step step_of(const Reader *reader, CnEntity entity)
{
    Step step = {.entity = entity, .local = local_of(reader, entity)};
    if (reader->transforms) {
        /* Taking the addresses does not count as a change: see note_change. */
        step.world =
            (CnWorldTransform *)(uintptr_t)cn_get_component(reader->world, entity, reader->matrix);
        step.cache =
            (CnTransformCache *)(uintptr_t)cn_get_component(reader->world, entity, reader->cache);
    }
    return step;
}

uint32_t cni_scene_transform_next_version(CnTransforms *transforms)
{
    if (++transforms->version == 0)
        transforms->version = 1;
    return transforms->version;
}

/* Numbers are compared by their bits: a NaN is equal to itself, and zeros of different signs
 * differ, as their matrices do. */
static bool is_current(const Step *step, const ParentTransform *above)
{
    const CnTransformCache *cache = step->cache;
    return cache->version && !cache->moving && cache->parent.id == above->entity.id &&
           (!above->matrix || (above->version && cache->parent_version == above->version)) &&
           memcmp(step->local, &cache->baked, sizeof cache->baked) == 0;
}

/* Makes the change visible to the pass and to other filters by change tick. */
static void note_change(Reader *reader, CnEntity entity)
{
    cn_get_component_mut(reader->world, entity, reader->matrix);
    cn_get_component_mut(reader->world, entity, reader->cache);
}

static void bake(Reader *reader, const Step *step)
{
    CnTransformCache *cache = step->cache;
    CnAffine matrix;
    cni_scene_transform_compute(&matrix, step->local, reader->last.matrix);
    bool is_other = memcmp(&matrix, &step->world->matrix, sizeof matrix) != 0;
    if (cache->moving && !is_other)
        return; /* unchanged since the pass */
    cache->baked = *step->local;
    cache->parent = reader->last.entity;
    cache->parent_version = reader->last.version;
    if (!is_other && cache->version)
        return;
    if (!reader->stamp)
        reader->stamp = cni_scene_transform_next_version(reader->transforms);
    step->world->matrix = matrix;
    cache->version = reader->stamp;
    cache->moving = 0;
    note_change(reader, step->entity);
}

/* Updates a transform whose parent was updated last. */
static void refresh(Reader *reader, const Step *step)
{
    if (!step->world || !step->cache) {
        CnAffine matrix;
        cni_scene_transform_compute(&matrix, step->local, reader->last.matrix);
        reader->loose = matrix;
        reader->last = (ParentTransform){&reader->loose, step->entity, 0};
        return;
    }
    if (!is_current(step, &reader->last))
        bake(reader, step);
    reader->last = (ParentTransform){&step->world->matrix, step->entity,
                                     cni_scene_transform_version(reader->transforms, step->cache)};
}

/* Processes `count` levels, the lowest of which is `entity`. Long chains are halved, so neither
 * the stack nor the time grows much with the depth. */
static void descend(Reader *reader, CnEntity entity, uint32_t count)
{
    if (count > BLOCK) {
        CnEntity middle = entity;
        for (uint32_t i = 0; i < count / 2; i++)
            middle = parent_of(reader, middle);
        descend(reader, middle, count - count / 2);
        descend(reader, entity, count / 2);
        return;
    }
    Step steps[BLOCK];
    for (uint32_t i = count; i-- > 0; entity = parent_of(reader, entity))
        steps[i] = step_of(reader, entity);
    for (uint32_t i = 0; i < count; i++)
        refresh(reader, &steps[i]);
}

/* Returns false if the entity has no transform. */
static bool read_world(Reader *reader, CnEntity entity)
{
    if (!reader->transform.id || !local_of(reader, entity))
        return false;
    uint32_t count = 0;
    for (CnEntity e = entity; e.id; e = parent_of(reader, e))
        count++;
    descend(reader, entity, count);
    return true;
}

CnAffine cn_transform_world_affine(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Reader reader = reader_begin(world, true);
    return read_world(&reader, entity) ? *reader.last.matrix : cn_affine_identity();
}

CnAffine cn_transform_world_affine_peek(const CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Reader reader = reader_begin(world, false);
    return read_world(&reader, entity) ? *reader.last.matrix : cn_affine_identity();
}

CnMat4 cn_transform_world_matrix(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnAffine affine = cn_transform_world_affine(world, entity);
    return cn_affine_to_mat4(&affine);
}

uint32_t cn_transform_world_version(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Reader reader = reader_begin(world, true);
    if (!read_world(&reader, entity))
        return 0;
    /* An entity that stores no version gets a new one each time. */
    return reader.last.version || !reader.transforms
               ? reader.last.version
               : cni_scene_transform_next_version(reader.transforms);
}

CnVec3 cn_transform_world_position(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnAffine affine = cn_transform_world_affine(world, entity);
    return cn_vec3(affine.m[0][3], affine.m[1][3], affine.m[2][3]);
}

/* ---- Values derived from the matrix, cached by version ---- */

/* Returns the cache slot of the entity that was read; NULL if nothing is cached. */
static CniSceneTransformDerived *derived_of(const Reader *reader)
{
    if (!reader->last.version || !reader->transforms->derived)
        return NULL;
    CnEntity entity = reader->last.entity;
    CniSceneTransformDerived *derived =
        &reader->transforms->derived[cn_entity_index(entity) % CNI_SCENE_TRANSFORM_DERIVED_SLOTS];
    if (derived->entity.id != entity.id)
        *derived = (CniSceneTransformDerived){.entity = entity};
    return derived;
}

CnAffine cn_transform_world_to_local(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    Reader reader = reader_begin(world, true);
    if (!read_world(&reader, entity))
        return cn_affine_identity();
    CniSceneTransformDerived *derived = derived_of(&reader);
    if (!derived)
        return cn_affine_inverse(reader.last.matrix);
    if (derived->inverse_version != reader.last.version) {
        derived->inverse = cn_affine_inverse(reader.last.matrix);
        derived->inverse_version = reader.last.version;
    }
    return derived->inverse;
}

static void world_trs(CnWorld *world, CnEntity entity, CnQuat *rotation, CnVec3 *scale)
{
    Reader reader = reader_begin(world, true);
    *rotation = cn_quat_identity();
    *scale = cn_vec3(1, 1, 1);
    if (!read_world(&reader, entity))
        return;
    CniSceneTransformDerived *derived = derived_of(&reader);
    CnVec3 position;
    if (!derived) {
        cn_affine_to_trs(reader.last.matrix, &position, rotation, scale);
        return;
    }
    if (derived->trs_version != reader.last.version) {
        cn_affine_to_trs(reader.last.matrix, &position, &derived->rotation, &derived->scale);
        derived->trs_version = reader.last.version;
    }
    *rotation = derived->rotation;
    *scale = derived->scale;
}

CnQuat cn_transform_world_rotation(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnQuat rotation;
    CnVec3 scale;
    world_trs(world, entity, &rotation, &scale);
    return rotation;
}

CnVec3 cn_transform_world_scale(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnQuat rotation;
    CnVec3 scale;
    world_trs(world, entity, &rotation, &scale);
    return scale;
}

CnVec3 cn_transform_world_forward(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_quat_rotate(cn_transform_world_rotation(world, entity), cn_vec3(0, 0, -1));
}

CnVec3 cn_transform_world_right(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_quat_rotate(cn_transform_world_rotation(world, entity), cn_vec3(1, 0, 0));
}

CnVec3 cn_transform_world_up(CnWorld *world, CnEntity entity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_quat_rotate(cn_transform_world_rotation(world, entity), cn_vec3(0, 1, 0));
}

/* ---- Setting world poses ---- */

/* Returns the transformation from the world to the space of the entity's local transform. */
static CnAffine to_parent(CnWorld *world, CnEntity entity)
{
    return cn_transform_world_to_local(world, cn_parent(world, entity));
}

bool cn_transform_set_world_position(CnWorld *world, CnEntity entity, CnVec3 position)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnAffine inverse = to_parent(world, entity);
    CnTransform *local = cn_get_mut(world, entity, CnTransform);
    if (!local)
        return false;
    local->position = cn_affine_point(&inverse, position);
    return true;
}

static void set_local(CnTransform *local, const CnAffine *inverse, CnVec3 position, CnQuat rotation,
                      CnVec3 scale)
{
    CnAffine wanted = cn_affine_from_trs(position, cn_quat_normalize(rotation), scale);
    CnAffine own = cn_affine_mul(inverse, &wanted);
    cn_affine_to_trs(&own, &local->position, &local->rotation, &local->scale);
}

bool cn_transform_set_world_rotation(CnWorld *world, CnEntity entity, CnQuat rotation)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnAffine inverse = to_parent(world, entity);
    CnVec3 scale = cn_transform_world_scale(world, entity);
    CnTransform *local = cn_get_mut(world, entity, CnTransform);
    if (!local)
        return false;
    CnTransform placed;
    set_local(&placed, &inverse, cn_vec3(0, 0, 0), rotation, scale);
    local->rotation = placed.rotation;
    /* The magnitudes are kept exactly; a mirror goes where decomposition finds it. */
    local->scale =
        cn_vec3(placed.scale.x < 0 ? -cn_fabsf(local->scale.x) : cn_fabsf(local->scale.x),
                cn_fabsf(local->scale.y), cn_fabsf(local->scale.z));
    return true;
}

bool cn_transform_set_world_pose(CnWorld *world, CnEntity entity, CnVec3 position, CnQuat rotation,
                                 CnVec3 scale)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnAffine inverse = to_parent(world, entity);
    CnTransform *local = cn_get_mut(world, entity, CnTransform);
    if (!local)
        return false;
    set_local(local, &inverse, position, rotation, scale);
    return true;
}
