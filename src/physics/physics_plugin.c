#include "physics/joint_internal.h"

#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>
#include <cairn/sim/loop.h>

#define GRAVITY (-9.81f)
#define ITERATIONS 20u
#define SLEEP_SPEED 0.15f
#define SLEEP_ANGULAR_SPEED 0.3f
#define SLEEP_TICKS 30u

CnRigidbody cn_rigidbody(CnBodyKind kind, CnShapeKind shape)
{
    CN_ASSERT((uint32_t)kind <= CN_BODY_GHOST, "there is no body kind %d", (int)kind);
    CN_ASSERT((uint32_t)shape <= CN_SHAPE_MESH, "there is no shape kind %d", (int)shape);
    if ((uint32_t)kind > CN_BODY_GHOST)
        kind = CN_BODY_DYNAMIC;
    if ((uint32_t)shape > CN_SHAPE_MESH)
        shape = CN_SHAPE_BOX;
    return (CnRigidbody){.kind = (uint8_t)kind,
                         .shape = (uint8_t)shape,
                         .can_sleep = true,
                         .continuous = true,
                         .mask = UINT32_MAX,
                         .half_extents = {.5f, .5f, .5f},
                         .radius = .5f,
                         .height = 1,
                         .mass = 1,
                         .friction = .5f,
                         .gravity_scale = 1};
}

/* ---- Reflection ---- */

static const char *const kinds[] = {"Dynamic", "Static", "Kinematic", "Ghost", NULL};
static const char *const shapes[] = {"Box", "Sphere", "Capsule", "Mesh", NULL};

static const CnReflectedField fields[] = {
    {.key = "rigidbodyType",
     .field = "kind",
     .kind = CN_REFLECTED_CHOICE,
     .choices = kinds,
     .about =
         "Dynamic: moved by forces; Static: fixed; Kinematic: moved by its transform; Ghost: a "
         "trigger"},
    {.key = "mass",
     .field = "mass",
     .minimum = (double)CNI_PHYSICS_MIN_MASS,
     .maximum = (double)CNI_PHYSICS_MAX_MASS,
     .unit = "kg",
     .about = "of Dynamic bodies"},
    {.key = "restitution",
     .field = "restitution",
     .maximum = 1,
     .about = "fraction of the speed kept in a bounce; the larger of two bodies applies"},
    {.key = "friction",
     .field = "friction",
     .maximum = 1e6,
     .about = "the geometric mean of two bodies applies"},
    {.key = "linearDamping",
     .field = "linear_damping",
     .unit = "1/s",
     .maximum = 1e6,
     .about = "decay of the velocity"},
    {.key = "angularDamping",
     .field = "angular_damping",
     .unit = "1/s",
     .maximum = 1e6,
     .about = "decay of the rotation"},
    {.key = "gravityScale",
     .field = "gravity_scale",
     .minimum = -1000,
     .maximum = 1000,
     .about = "factor of gravity"},
    {.key = "layer", .field = "layer", .maximum = 31, .about = "the collision layer of the body"},
    {.key = "mask", .field = "mask", .about = "bit set of the layers with which it collides"},
    {.key = "canSleep", .field = "can_sleep", .about = "whether it is skipped while at rest"},
    {.key = "continuous",
     .field = "continuous",
     .about = "whether a fast Dynamic body stops at what it hits on its way between two ticks"},
    {.key = "collisionShape.type",
     .field = "shape",
     .kind = CN_REFLECTED_CHOICE,
     .choices = shapes,
     .about = "a Mesh cannot be Dynamic"},
    {.key = "collisionShape.halfExtents",
     .field = "half_extents",
     .of_choice = "collisionShape.type",
     .of_value = CN_SHAPE_BOX,
     .minimum = (double)CNI_PHYSICS_MIN_SIZE,
     .maximum = (double)CNI_PHYSICS_MAX_SIZE,
     .unit = "m",
     .about = "of a Box, from the center to the faces"},
    {.key = "collisionShape.radius",
     .field = "radius",
     .of_choice = "collisionShape.type",
     .of_value = CN_SHAPE_SPHERE,
     .or_value = CN_SHAPE_CAPSULE,
     .minimum = (double)CNI_PHYSICS_MIN_SIZE,
     .maximum = (double)CNI_PHYSICS_MAX_SIZE,
     .unit = "m",
     .about = "of a Sphere or a Capsule"},
    {.key = "collisionShape.height",
     .field = "height",
     .of_choice = "collisionShape.type",
     .of_value = CN_SHAPE_CAPSULE,
     .maximum = (double)CNI_PHYSICS_MAX_SIZE,
     .unit = "m",
     .about = "of the Capsule's cylinder, along y"},
    {.key = "collisionShape.meshPath",
     .field = "mesh",
     .of_choice = "collisionShape.type",
     .of_value = CN_SHAPE_MESH,
     .about = "an OBJ file with v and f lines, such as assets://meshes/floor.obj"},
};

static bool check(const void *value, CnError *error)
{
    return cn_rigidbody_check(value, error);
}

static const CnReflectedField settings_fields[] = {
    {.key = "gravity",
     .field = "gravity",
     .unit = "m/s^2",
     .minimum = -(double)CN_MAX_GRAVITY,
     .maximum = (double)CN_MAX_GRAVITY,
     .about = "acceleration of Dynamic bodies"},
    {.key = "iterations",
     .field = "iterations",
     .about = "of the solver; more are stiffer and slower"},
    {.key = "sleepSpeed",
     .alias = "sleep_speed",
     .field = "sleep_speed",
     .unit = "m/s",
     .about = "bodies slower than this fall asleep"},
    {.key = "sleepAngularSpeed",
     .alias = "sleep_spin",
     .field = "sleep_angular_speed",
     .unit = "rad/s",
     .about = "the same for their rotation"},
    {.key = "sleepTicks",
     .alias = "sleep_ticks",
     .field = "sleep_ticks",
     .unit = "ticks",
     .about = "how long a body is slow before it falls asleep"},
};

static const CnReflectedType reflected_settings = {
    .name = "CnPhysicsSettings",
    .type = &cn_type_CnPhysicsSettings,
    .fields = settings_fields,
    .field_count = CN_COUNT_OF(settings_fields),
    .about = "settings of the rigid bodies of a world",
    .is_resource = true,
};

static const CnReflectedType reflected = {
    .name = "RigidbodyComponent",
    .type = &cn_type_CnRigidbody,
    .fields = fields,
    .field_count = CN_COUNT_OF(fields),
    .check = check,
    .about = "a rigid body",
};

/* ---- Components ---- */

static void give_state(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    cn_add(world, entity, CnBodyState);
}

static void take_state(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    (void)user;
    cn_remove(world, entity, CnBodyState);
}

static bool add_components(CnWorld *world, CnError *error)
{
    CnRigidbody body = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_BOX);
    CnBodyState state = {.rotation = {0, 0, 0, 1}};
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CnBodyState, .default_value = &state},
        {.type = &cn_type_CnRigidbody,
         .default_value = &body,
         .hooks = {.on_add = {.call = give_state}, .on_remove = {.call = take_state}}},
        {.type = &cn_type_CniPhysicsContactPage},
        {.type = &cn_type_CnPhysicsSettings},
        {.type = &cn_type_CnPhysicsCache, .flags = CN_COMPONENT_TRANSIENT},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    return cn_reflection_add(world, &reflected, error) &&
           cn_reflection_hide(world, &cn_type_CnBodyState, error) &&
           cn_reflection_hide(world, &cn_type_CniPhysicsContactPage, error) &&
           cn_reflection_add(world, &reflected_settings, error) &&
           cn_reflection_hide(world, &cn_type_CnCollision, error) &&
           cni_physics_joints_add(world, error);
}

CnPhysicsSettings *cni_physics_settings_of(CnWorld *world)
{
    CnPhysicsSettings *settings = cn_resource_mut(world, CnPhysicsSettings);
    return settings ? settings
                    : cn_resource_set(world, CnPhysicsSettings,
                                      {.gravity = {0, GRAVITY, 0},
                                       .iterations = ITERATIONS,
                                       .sleep_speed = SLEEP_SPEED,
                                       .sleep_angular_speed = SLEEP_ANGULAR_SPEED,
                                       .sleep_ticks = SLEEP_TICKS});
}

CniPhysicsWorld *cni_physics_world_of(const CnWorld *world)
{
    const CnPhysicsCache *cache = cn_resource(world, CnPhysicsCache);
    return cache ? cache->inside : NULL;
}

/* ---- The plugin ---- */

static bool add_parts(CnSim *sim, const CnPhysicsDesc *desc, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    bool known = cn_resource(world, CnPhysicsSettings) != NULL;
    CnPhysicsSettings *settings = cni_physics_settings_of(world);
    CnPhysicsCache *cache = cn_resource_set(world, CnPhysicsCache, {NULL});
    CnQuery *bare = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag(CnRigidbody)}, .none = {cn_tag(CnBodyState)}}, error);
    bool completed = bare && cn_query_set(bare, (CnValue){.type = &cn_type_CnBodyState});
    cn_query_release(bare);
    if (!settings || !cache || !completed)
        return cn_error_memory(error, "physics");
    if (!known && desc && (desc->gravity.x != 0 || desc->gravity.y != 0 || desc->gravity.z != 0))
        settings->gravity = desc->gravity;
    cache->inside =
        cni_physics_world_create(world, cn_sim_allocator(sim), desc ? desc->files : NULL, error);
    if (!cache->inside)
        return cn_error_memory(error, "physics");
    CnSystem step = cn_system_add(world,
                                  &(CnSystemDesc){.name = "physics.step",
                                                  .run = cni_physics_step,
                                                  .user = cache->inside,
                                                  .stage = CN_STAGE_UPDATE,
                                                  .after = {cn_scene_update_set(world)},
                                                  .alone = true},
                                  error);
    if (step.id)
        return true;
    cni_physics_world_destroy(cache->inside);
    cache->inside = NULL;
    return false;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    return cn_object_add(world, error) && add_components(world, error) &&
           add_parts(sim, user, error);
}

static void finish(CnSim *sim, void *user)
{
    (void)user;
    CnPhysicsCache *cache = cn_resource_mut(cn_sim_world(sim), CnPhysicsCache);
    if (cache && cache->inside)
        cni_physics_world_destroy(cache->inside);
    if (cache)
        cache->inside = NULL;
}

static bool clone(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    (void)from;
    CnPlugin plugin = cn_physics_plugin(user);
    return cn_sim_add_plugin(to, &plugin, error);
}

CnPlugin cn_physics_plugin(const CnPhysicsDesc *desc)
{
    return (CnPlugin){.name = "Physics",
                      .version = 1,
                      .build = build,
                      .finish = finish,
                      .clone = clone,
                      .user = (void *)(uintptr_t)desc};
}
