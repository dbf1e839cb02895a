#include "physics/physics_internal.h"
#include "physics/ode_library.h"

#include <cairn/base/log.h>

/* Enumerates the bit sets; NULL beyond the last. */
static CnBitSet *bit_set(CniPhysicsWorld *physics, uint32_t number)
{
    CnBitSet *const sets[] = {&physics->awake,    &physics->moving,  &physics->linked,
                              &physics->touched,  &physics->active,  &physics->changed_or_moved,
                              &physics->restless, &physics->measured};
    return number < CN_COUNT_OF(sets) ? sets[number] : NULL;
}

static void init_contents(CniPhysicsWorld *physics)
{
    CnAllocator *allocator = physics->allocator;
    for (uint32_t i = 0; bit_set(physics, i); i++)
        cn_bitset_init(bit_set(physics, i), allocator);
    cn_array_init(&physics->records, allocator);
    cn_array_init(&physics->free_records, allocator);
    cn_array_init(&physics->record_of, allocator);
    cn_array_init(&physics->old_pairs, allocator);
    cn_array_init(&physics->new_pairs, allocator);
    cn_array_init(&physics->candidates, allocator);
    cn_array_init(&physics->scratch, allocator);
    cn_array_init(&physics->pairs, allocator);
    cn_array_init(&physics->contacts, allocator);
    cn_array_init(&physics->woken, allocator);
    cn_array_init(&physics->by_second, allocator);
    cn_array_init(&physics->feedback, allocator);
    cn_array_init(&physics->solver, allocator);
    cn_array_init(&physics->fast, allocator);
    cn_array_init(&physics->joined, allocator);
    cn_array_init(&physics->joint_keys, allocator);
    cn_array_init(&physics->joined_pairs, allocator);
    cn_array_init(&physics->joint_feedback, allocator);
    cni_physics_aabb_tree_init(&physics->tree, allocator);
    cni_physics_meshes_init(&physics->meshes, allocator, physics->meshes.files);
    physics->record_count = physics->solver_count = 0;
    physics->step_tick = physics->query_tick = 0;
    physics->lost = physics->failed = physics->by_second_is_valid = false;
    physics->contacts_tick = 0;
}

static void fini_contents(void *data)
{
    CniPhysicsWorld *physics = data;
    for (uint32_t i = 0; i < physics->records.count; i++)
        if (physics->records.items[i].geom)
            dGeomDestroy(physics->records.items[i].geom);
    cni_physics_solver_close(physics);
    cni_physics_meshes_fini(&physics->meshes);
}

static void release_queries(CniPhysicsWorld *physics)
{
    cn_query_release(physics->bodies);
    cn_query_release(physics->inactive);
    cn_query_release(physics->touching);
    cn_query_release(physics->joint_query);
    cn_query_release(physics->inactive_joints);
}

static void free_contents(CniPhysicsWorld *physics)
{
    cni_physics_ode_run(fini_contents, physics);
    for (uint32_t i = 0; bit_set(physics, i); i++)
        cn_bitset_fini(bit_set(physics, i));
    cn_array_fini(&physics->records);
    cn_array_fini(&physics->free_records);
    cn_array_fini(&physics->record_of);
    cn_array_fini(&physics->old_pairs);
    cn_array_fini(&physics->new_pairs);
    cn_array_fini(&physics->candidates);
    cn_array_fini(&physics->scratch);
    cn_array_fini(&physics->pairs);
    cn_array_fini(&physics->contacts);
    cn_array_fini(&physics->woken);
    cn_array_fini(&physics->by_second);
    cn_array_fini(&physics->feedback);
    cn_array_fini(&physics->solver);
    cn_array_fini(&physics->fast);
    cn_array_fini(&physics->joined);
    cn_array_fini(&physics->joint_keys);
    cn_array_fini(&physics->joined_pairs);
    cn_array_fini(&physics->joint_feedback);
    cni_physics_aabb_tree_fini(&physics->tree);
}

CniPhysicsWorld *cni_physics_world_create(CnWorld *world, CnAllocator *allocator,
                                          CnFileSystem *files, CnError *error)
{
    CniPhysicsWorld *physics = cn_alloc_zeroed(allocator, sizeof *physics);
    if (!physics)
        return NULL;
    physics->allocator = allocator;
    physics->world = world;
    physics->meshes.files = files;
    physics->bodies = cn_query_acquire(
        world,
        &(CnQueryDesc){.all = {cn_reads(CnRigidbody), cn_reads(CnBodyState), cn_reads(CnTransform)},
                       .none = {cn_tag(CnInactive)},
                       .optional = {cn_reads(CnNode)}},
        error);
    physics->inactive = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CnBodyState), cn_tag(CnInactive)}}, error);
    physics->touching =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(CniPhysicsContactPage)}}, error);
    physics->joint_query =
        cn_query_acquire(world,
                         &(CnQueryDesc){.all = {cn_reads(CnJoint), cn_reads(CnJointState)},
                                        .none = {cn_tag(CnInactive)}},
                         error);
    physics->inactive_joints = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CnJointState), cn_tag(CnInactive)}}, error);
    physics->collisions = cn_channel(world, CnCollision);
    if (!physics->bodies || !physics->inactive || !physics->touching || !physics->joint_query ||
        !physics->inactive_joints || !physics->collisions) {
        release_queries(physics);
        cn_free(allocator, physics, sizeof *physics);
        return NULL;
    }
    init_contents(physics);
    cni_physics_ode_open();
    return physics;
}

void cni_physics_world_destroy(CniPhysicsWorld *physics)
{
    free_contents(physics);
    release_queries(physics);
    cni_physics_ode_close();
    cn_free(physics->allocator, physics, sizeof *physics);
}

void cni_physics_world_reset(CniPhysicsWorld *physics)
{
    free_contents(physics);
    init_contents(physics);
}

void cni_physics_count_sanitized(CniPhysicsWorld *physics, const char *what)
{
    if (physics->sanitized++ == 0)
        CN_LOG_WARNING("physics", "corrected %s; further corrections are only counted", what);
}

bool cn_physics_mesh_check(CnWorld *world, const char *path, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniPhysicsWorld *physics = cni_physics_world_of(world);
    if (!physics)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "this world has no physics");
    CniPhysicsMesh *mesh =
        cni_physics_mesh_acquire(&physics->meshes, path, cn_vec3(1, 1, 1), error);
    if (mesh)
        cni_physics_mesh_release(&physics->meshes, mesh);
    return mesh != NULL;
}

CnPhysicsStats cn_physics_stats(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniPhysicsWorld *physics = cni_physics_world_of(world);
    CnPhysicsStats stats = {0};
    if (!physics)
        return stats;
    for (uint32_t i = 0; i < physics->records.count; i++)
        stats.bodies += physics->records.items[i].leaf != CNI_PHYSICS_NO_LEAF;
    stats.refused = physics->record_count - stats.bodies;
    stats.awake = cn_bitset_count(&physics->awake);
    stats.pairs = physics->new_pairs.count;
    stats.sanitized = physics->sanitized;
    return stats;
}
