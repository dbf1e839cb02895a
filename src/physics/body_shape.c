#include "physics/physics_internal.h"

#include <cairn/base/math.h>

#include <string.h>

/* ---- Validation ---- */

static bool within(float value, float low, float high)
{
    return value >= low && value <= high; /* false for NaN */
}

static bool check_shape(const CnRigidbody *body, CnError *error)
{
    const CnVec3 *half = &body->half_extents;
    switch (body->shape) {
    case CN_SHAPE_BOX:
        if (!within(half->x, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE) ||
            !within(half->y, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE) ||
            !within(half->z, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE))
            return cn_error_set(error, CN_ERROR_FORMAT, "halfExtents of a box must be %g to %g",
                                (double)CNI_PHYSICS_MIN_SIZE, (double)CNI_PHYSICS_MAX_SIZE);
        return true;
    case CN_SHAPE_CAPSULE:
        if (!within(body->height, 0, CNI_PHYSICS_MAX_SIZE))
            return cn_error_set(error, CN_ERROR_FORMAT, "the height of a capsule must be 0 to %g",
                                (double)CNI_PHYSICS_MAX_SIZE);
        /* fall through */
    case CN_SHAPE_SPHERE:
        if (!within(body->radius, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE))
            return cn_error_set(error, CN_ERROR_FORMAT, "the radius must be %g to %g",
                                (double)CNI_PHYSICS_MIN_SIZE, (double)CNI_PHYSICS_MAX_SIZE);
        return true;
    default:
        if (body->kind == CN_BODY_DYNAMIC)
            return cn_error_set(error, CN_ERROR_FORMAT, "a mesh cannot be Dynamic");
        if (!memchr(body->mesh, 0, sizeof body->mesh) || !body->mesh[0])
            return cn_error_set(error, CN_ERROR_FORMAT, "a mesh needs a meshPath");
        return true;
    }
}

bool cn_rigidbody_check(const CnRigidbody *body, CnError *error)
{
    CN_ASSERT(body, "%s: body is NULL", __func__);
    if (body->kind > CN_BODY_GHOST || body->shape > CN_SHAPE_MESH)
        return cn_error_set(error, CN_ERROR_FORMAT, "the kind of the body or shape is invalid");
    if (body->kind == CN_BODY_DYNAMIC &&
        !within(body->mass, CNI_PHYSICS_MIN_MASS, CNI_PHYSICS_MAX_MASS))
        return cn_error_set(error, CN_ERROR_FORMAT, "the mass of a Dynamic body must be %g to %g",
                            (double)CNI_PHYSICS_MIN_MASS, (double)CNI_PHYSICS_MAX_MASS);
    if (!within(body->restitution, 0, 1))
        return cn_error_set(error, CN_ERROR_FORMAT, "restitution must be 0 to 1");
    if (!within(body->friction, 0, 1e6f))
        return cn_error_set(error, CN_ERROR_FORMAT, "friction must not be negative");
    if (!within(body->linear_damping, 0, 1e6f) || !within(body->angular_damping, 0, 1e6f))
        return cn_error_set(error, CN_ERROR_FORMAT, "damping must not be negative");
    if (!within(body->gravity_scale, -1e3f, 1e3f))
        return cn_error_set(error, CN_ERROR_FORMAT, "gravityScale must be -1000 to 1000");
    if (body->layer > 31)
        return cn_error_set(error, CN_ERROR_FORMAT, "layer must be 0 to 31");
    return check_shape(body, error);
}

/* ---- Hashes for detecting changes ---- */

/* Without padding, so that its bytes can be hashed. */
typedef struct BodySettings {
    uint32_t kind, shape, layer, mask, can_sleep, continuous;
    float half_extents[3], radius, height, mass, restitution, friction, linear_damping,
        angular_damping, gravity_scale, scale[3];
    uint64_t mesh;
} BodySettings;
CN_STATIC_ASSERT(sizeof(BodySettings) == 88, "no padding");

static BodySettings settings_of(const CnRigidbody *body, CnVec3 scale)
{
    size_t path_bytes = 0;
    while (path_bytes < sizeof body->mesh && body->mesh[path_bytes])
        path_bytes++;
    return (BodySettings){
        .kind = body->kind,
        .shape = body->shape,
        .layer = body->layer,
        .mask = body->mask,
        .can_sleep = body->can_sleep,
        .continuous = body->continuous,
        .half_extents = {body->half_extents.x, body->half_extents.y, body->half_extents.z},
        .radius = body->radius,
        .height = body->height,
        .mass = body->mass,
        .restitution = body->restitution,
        .friction = body->friction,
        .linear_damping = body->linear_damping,
        .angular_damping = body->angular_damping,
        .gravity_scale = body->gravity_scale,
        .scale = {scale.x, scale.y, scale.z},
        .mesh = body->shape == CN_SHAPE_MESH ? cn_hash_bytes(body->mesh, path_bytes, 1) : 0,
    };
}

/* Never 0, which means that the body is new. */
static uint64_t hash_of(const BodySettings *settings)
{
    uint64_t hash = cn_hash_bytes(settings, sizeof *settings, 0);
    return hash ? hash : 1;
}

uint64_t cni_physics_body_hash(const CnRigidbody *rigid, CnVec3 scale)
{
    BodySettings settings = settings_of(rigid, scale);
    return hash_of(&settings);
}

/* Hashes what determines the geom and the mass. */
static uint64_t shape_hash(const CnRigidbody *rigid, CnVec3 scale)
{
    BodySettings settings = settings_of(rigid, scale);
    settings.layer = settings.mask = settings.can_sleep = settings.continuous = 0;
    settings.restitution = settings.friction = settings.linear_damping = settings.angular_damping =
        settings.gravity_scale = 0;
    return hash_of(&settings);
}

/* ---- Geoms ---- */

/* ODE's capsules are aligned with z, ours with y: a quarter turn about x. */
static const double capsule_turn[4] = {-0.70710678118654752440, 0, 0, 0.70710678118654752440};

/* Quaternions here are x, y, z, w; ODE's are w, x, y, z. */
static void multiply(const double a[4], const double b[4], dQuaternion result)
{
    result[1] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    result[2] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    result[3] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    result[0] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void cni_physics_geom_place(dGeomID geom, const double position[3], const double rotation[4])
{
    dQuaternion turn = {rotation[3], rotation[0], rotation[1], rotation[2]};
    if (dGeomGetClass(geom) == dCapsuleClass)
        multiply(rotation, capsule_turn, turn);
    dGeomSetPosition(geom, position[0], position[1], position[2]);
    dGeomSetQuaternion(geom, turn);
}

dGeomID cni_physics_geom_make(CnShapeKind shape, CnVec3 half, float radius, float height)
{
    bool box = shape == CN_SHAPE_BOX;
    if (box ? !within(half.x, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE) ||
                  !within(half.y, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE) ||
                  !within(half.z, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE)
            : !within(radius, CNI_PHYSICS_MIN_SIZE, CNI_PHYSICS_MAX_SIZE) ||
                  !within(height, 0, CNI_PHYSICS_MAX_SIZE))
        return NULL;
    if (box)
        return dCreateBox(NULL, 2 * (double)half.x, 2 * (double)half.y, 2 * (double)half.z);
    if (shape == CN_SHAPE_SPHERE)
        return dCreateSphere(NULL, (double)radius);
    return dCreateCapsule(NULL, (double)radius, (double)height);
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static void set_mass(CniPhysicsBody *body, const CnRigidbody *rigid, CnVec3 half, float radius,
                     float height)
{
    double mass = (double)rigid->mass;
    if (rigid->shape == CN_SHAPE_BOX)
        dMassSetBoxTotal(&body->mass, mass, 2 * (double)half.x, 2 * (double)half.y,
                         2 * (double)half.z);
    else if (rigid->shape == CN_SHAPE_SPHERE)
        dMassSetSphereTotal(&body->mass, mass, (double)radius);
    else
        dMassSetCapsuleTotal(&body->mass, mass, 2, (double)radius, (double)height);
}

static bool make_geom(CniPhysicsWorld *physics, CniPhysicsBody *body, const CnRigidbody *rigid,
                      CnVec3 scale, CnError *error)
{
    if (rigid->shape == CN_SHAPE_MESH) {
        body->mesh = cni_physics_mesh_acquire(&physics->meshes, rigid->mesh, scale, error);
        if (body->mesh)
            body->geom = dCreateTriMesh(NULL, body->mesh->data, NULL, NULL, NULL);
        return body->mesh != NULL;
    }
    CnVec3 size = cn_vec3(cn_fabsf(scale.x), cn_fabsf(scale.y), cn_fabsf(scale.z));
    CnVec3 half = cn_vec3_mul(rigid->half_extents, size);
    float wide = larger(size.x, size.z), height = rigid->height * size.y;
    bool sphere = rigid->shape == CN_SHAPE_SPHERE;
    float radius = rigid->radius * (sphere ? larger(wide, size.y) : wide);
    body->geom =
        cni_physics_geom_make((CnShapeKind)rigid->shape, half, radius, sphere ? 0 : height);
    if (!body->geom)
        return cn_error_set(error, CN_ERROR_FORMAT, "the scaled shape is too small or too large");
    set_mass(body, rigid, half, radius, height);
    body->smallest_half =
        rigid->shape == CN_SHAPE_BOX ? smaller(half.x, smaller(half.y, half.z)) : radius;
    return true;
}

bool cni_physics_body_shape(CniPhysicsWorld *physics, CniPhysicsBody *body,
                            const CnRigidbody *rigid, CnVec3 scale, CnError *error)
{
    body->settings_hash = cni_physics_body_hash(rigid, scale);
    body->kind = rigid->kind;
    body->shape = rigid->shape;
    body->can_sleep = rigid->can_sleep;
    body->continuous = rigid->continuous;
    body->layer_bit = 1u << (rigid->layer & 31u);
    body->mask = rigid->mask;
    body->friction = rigid->friction;
    body->restitution = rigid->restitution;
    body->linear_damping = rigid->linear_damping;
    body->angular_damping = rigid->angular_damping;
    body->gravity_scale = rigid->gravity_scale;
    if (!cn_rigidbody_check(rigid, error)) {
        cni_physics_body_remove_shape(physics, body);
        return false;
    }
    uint64_t shape = shape_hash(rigid, scale);
    if (shape == body->shape_hash)
        return body->geom != NULL || cn_error_set(error, CN_ERROR_FORMAT, "it has no shape");
    cni_physics_body_remove_shape(physics, body);
    body->shape_hash = shape;
    return make_geom(physics, body, rigid, scale, error);
}

void cni_physics_body_remove_shape(CniPhysicsWorld *physics, CniPhysicsBody *body)
{
    if (body->leaf != CNI_PHYSICS_NO_LEAF) {
        cni_physics_aabb_tree_remove(&physics->tree, body->leaf);
        physics->lost = true;
    }
    if (body->geom)
        dGeomDestroy(body->geom);
    if (body->mesh)
        cni_physics_mesh_release(&physics->meshes, body->mesh);
    body->leaf = CNI_PHYSICS_NO_LEAF;
    body->geom = NULL;
    body->mesh = NULL;
    body->shape_hash = 0;
}

bool cni_physics_body_place(CniPhysicsWorld *physics, CniPhysicsBody *body,
                            const double position[3], const double rotation[4])
{
    dReal bounds[6];
    cni_physics_geom_place(body->geom, position, rotation);
    dGeomGetAABB(body->geom, bounds);
    for (int i = 0; i < 3; i++) {
        body->box.low[i] = bounds[2 * i];
        body->box.high[i] = bounds[2 * i + 1];
    }
    if (body->leaf == CNI_PHYSICS_NO_LEAF)
        body->leaf =
            cni_physics_aabb_tree_add(&physics->tree, &body->box, cn_entity_index(body->entity));
    else
        cni_physics_aabb_tree_move(&physics->tree, body->leaf, &body->box);
    return body->leaf != CNI_PHYSICS_NO_LEAF;
}
