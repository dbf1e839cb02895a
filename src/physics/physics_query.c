#include "physics/physics_internal.h"
#include "physics/ode_library.h"

#include <cairn/base/math.h>

/* Step of a sweep that searches for the first contact, relative to the smallest half size of the
 * shape; the result is then refined by bisection. */
#define SWEEP_STEP 0.5
#define SWEEP_MAX_STEPS 4096.0
#define SWEEP_HALVINGS 24

/* ---- Common parts of all queries ---- */

typedef struct Filter {
    uint32_t mask;
    bool ghosts;
    CnEntity except;
} Filter;

static Filter filter_of(uint32_t mask, bool ghosts, CnEntity except)
{
    return (Filter){mask ? mask : UINT32_MAX, ghosts, except};
}

static bool passes(const Filter *filter, const CniPhysicsBody *body)
{
    return (filter->mask & body->layer_bit) && body->entity.id != filter->except.id &&
           (filter->ghosts || body->kind != CN_BODY_GHOST);
}

static bool is_finite3(CnVec3 v)
{
    return cn_fabsf(v.x) <= 1e9f && cn_fabsf(v.y) <= 1e9f && cn_fabsf(v.z) <= 1e9f;
}

static CnVec3 float3(const double v[3])
{
    return cn_vec3((float)v[0], (float)v[1], (float)v[2]);
}

/* Nearer, or equally near with a lower entity. */
static bool is_before(const CnRaycastHit *a, const CnRaycastHit *b)
{
    return a->distance < b->distance ||
           (a->distance == b->distance && cn_entity_index(a->body) < cn_entity_index(b->body));
}

/* Returns false when there is no physics or something failed. */
static bool ask(CniPhysicsWorld *physics, void (*work)(void *question), void *question)
{
    if (!physics)
        return false;
    bool done = cni_physics_ode_run(work, question) && !physics->failed;
    if (!done)
        cni_physics_world_reset(physics);
    return done;
}

/* ---- Rays ---- */

typedef struct RayQuestion {
    CniPhysicsWorld *physics;
    Filter filter;
    double origin[3], direction[3], distance;
    CnRaycastHit *hits; /* the nearest ones, sorted */
    uint32_t capacity, count;
} RayQuestion;

/* A body that contains the origin of the ray is not hit. */
static bool begins_inside(const CniPhysicsBody *body, const double origin[3])
{
    double x = origin[0], y = origin[1], z = origin[2];
    switch (body->shape) {
    case CN_SHAPE_BOX:
        return dGeomBoxPointDepth(body->geom, x, y, z) > 0;
    case CN_SHAPE_SPHERE:
        return dGeomSpherePointDepth(body->geom, x, y, z) > 0;
    case CN_SHAPE_CAPSULE:
        return dGeomCapsulePointDepth(body->geom, x, y, z) > 0;
    default:
        return false;
    }
}

static void keep_hit(RayQuestion *question, const CnRaycastHit *hit)
{
    uint32_t kept = question->count < question->capacity ? question->count : question->capacity;
    question->count++;
    uint32_t place = kept;
    while (place && is_before(hit, &question->hits[place - 1]))
        place--;
    if (place == question->capacity)
        return;
    for (uint32_t i = kept < question->capacity ? kept : kept - 1; i > place; i--)
        question->hits[i] = question->hits[i - 1];
    question->hits[place] = *hit;
}

static void hit_body(RayQuestion *question, dGeomID ray, const CniPhysicsBody *body)
{
    dContactGeom contact;
    if (!passes(&question->filter, body) || begins_inside(body, question->origin) ||
        dCollide(ray, body->geom, 1, &contact, sizeof contact) < 1)
        return;
    const double *d = question->direction;
    CnVec3 normal = float3(contact.normal);
    /* Both sides of a mesh count; the normal points towards the origin of the ray. */
    if (contact.normal[0] * d[0] + contact.normal[1] * d[1] + contact.normal[2] * d[2] > 0)
        normal = cn_vec3_scale(normal, -1);
    CnRaycastHit hit = {body->entity, float3(contact.pos), normal, (float)contact.depth};
    keep_hit(question, &hit);
}

static void cast_ray(void *data)
{
    RayQuestion *question = data;
    CniPhysicsWorld *physics = question->physics;
    const double *o = question->origin, *d = question->direction;
    cni_physics_sync(physics, CNI_PHYSICS_SYNC_QUERY, 0);
    dGeomID ray = dCreateRay(NULL, question->distance);
    dGeomRaySet(ray, o[0], o[1], o[2], d[0], d[1], d[2]);
    dGeomRaySetClosestHit(ray, 1);
    CniPhysicsAabbQuery walk;
    cni_physics_aabb_query_ray(&walk, &physics->tree, o, d, question->distance);
    for (uint32_t index; cni_physics_aabb_query_next(&walk, &index);)
        hit_body(question, ray, cni_physics_body_at(physics, index));
    dGeomDestroy(ray);
}

uint32_t cn_physics_raycast_all(CnWorld *world, const CnRaycastQuery *query, CnRaycastHit *hits,
                                uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(query, "%s: query is NULL", __func__);
    RayQuestion question = {.physics = cni_physics_world_of(world),
                            .filter = filter_of(query->mask, query->ghosts, query->except),
                            .hits = hits,
                            .capacity = capacity};
    double d[3] = {(double)query->direction.x, (double)query->direction.y,
                   (double)query->direction.z};
    double length = cn_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!is_finite3(query->origin) || !(length > 0 && length < 1e30) || !(query->distance > 0))
        return 0;
    question.distance = query->distance < 1e9f ? (double)query->distance : 1e9;
    question.origin[0] = (double)query->origin.x;
    question.origin[1] = (double)query->origin.y;
    question.origin[2] = (double)query->origin.z;
    for (int i = 0; i < 3; i++)
        question.direction[i] = d[i] / length;
    return ask(question.physics, cast_ray, &question) ? question.count : 0;
}

bool cn_physics_raycast(CnWorld *world, const CnRaycastQuery *query, CnRaycastHit *hit)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnRaycastHit nearest;
    if (!cn_physics_raycast_all(world, query, &nearest, 1))
        return false;
    if (hit)
        *hit = nearest;
    return true;
}

/* ---- Shapes ---- */

typedef struct ShapeQuestion {
    CniPhysicsWorld *physics;
    const CnShapeQuery *query;
    Filter filter;
    double position[3], rotation[4];
    CnEntity *bodies; /* of an overlap */
    uint32_t capacity, count;
    double motion[3]; /* of a sweep */
    double length;
    bool hit;
    CnRaycastHit first;
} ShapeQuestion;

static bool shape_question(ShapeQuestion *question, CnWorld *world, const CnShapeQuery *query)
{
    const CnQuat *q = &query->rotation;
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double length = cn_sqrt(x * x + y * y + z * z + w * w);
    if (length == 0)
        w = length = 1;
    *question = (ShapeQuestion){
        .physics = cni_physics_world_of(world),
        .query = query,
        .filter = filter_of(query->mask, query->ghosts, query->except),
        .position = {(double)query->position.x, (double)query->position.y,
                     (double)query->position.z},
        .rotation = {x / length, y / length, z / length, w / length},
    };
    CN_ASSERT(query->shape != CN_SHAPE_MESH, "a shape query cannot use a mesh");
    return query->shape < CN_SHAPE_MESH && is_finite3(query->position) && length > 0 &&
           length < 1e9;
}

static dGeomID make_geom(const CnShapeQuery *query)
{
    return cni_physics_geom_make(query->shape, query->half_extents, query->radius, query->height);
}

static CniPhysicsAabb box_of(dGeomID geom)
{
    dReal bounds[6];
    dGeomGetAABB(geom, bounds);
    return (CniPhysicsAabb){{bounds[0], bounds[2], bounds[4]}, {bounds[1], bounds[3], bounds[5]}};
}

static void keep_body(ShapeQuestion *question, CnEntity body)
{
    uint32_t kept = question->count < question->capacity ? question->count : question->capacity;
    uint32_t place = kept;
    question->count++;
    while (place && cn_entity_index(body) < cn_entity_index(question->bodies[place - 1]))
        place--;
    if (place == question->capacity)
        return;
    for (uint32_t i = kept < question->capacity ? kept : kept - 1; i > place; i--)
        question->bodies[i] = question->bodies[i - 1];
    question->bodies[place] = body;
}

/* Calls `visit` for each body that passes the filter and whose bounds overlap those of the shape,
 * extended by its motion. */
static void visit_bodies(ShapeQuestion *question,
                         void (*visit)(ShapeQuestion *question, dGeomID geom,
                                       const CniPhysicsBody *body))
{
    CniPhysicsWorld *physics = question->physics;
    cni_physics_sync(physics, CNI_PHYSICS_SYNC_QUERY, 0);
    dGeomID geom = make_geom(question->query);
    if (!geom)
        return;
    cni_physics_geom_place(geom, question->position, question->rotation);
    CniPhysicsAabb box = box_of(geom);
    for (int i = 0; i < 3; i++) {
        box.low[i] += question->motion[i] < 0 ? question->motion[i] : 0;
        box.high[i] += question->motion[i] > 0 ? question->motion[i] : 0;
    }
    CniPhysicsAabbQuery walk;
    cni_physics_aabb_query_box(&walk, &physics->tree, &box);
    for (uint32_t index; cni_physics_aabb_query_next(&walk, &index);) {
        const CniPhysicsBody *body = cni_physics_body_at(physics, index);
        if (passes(&question->filter, body) && cni_physics_aabb_overlap(&box, &body->box))
            visit(question, geom, body);
    }
    dGeomDestroy(geom);
}

static void overlap_body(ShapeQuestion *question, dGeomID geom, const CniPhysicsBody *body)
{
    dContactGeom contact;
    if (dCollide(geom, body->geom, 1, &contact, sizeof contact) > 0)
        keep_body(question, body->entity);
}

static void find_overlaps(void *data)
{
    visit_bodies(data, overlap_body);
}

uint32_t cn_physics_overlap(CnWorld *world, const CnShapeQuery *query, CnEntity *bodies,
                            uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    ShapeQuestion question;
    if (!shape_question(&question, world, query))
        return 0;
    question.bodies = bodies;
    question.capacity = capacity;
    return ask(question.physics, find_overlaps, &question) ? question.count : 0;
}

/* ---- Sweeps ---- */

static bool touches_at(const ShapeQuestion *question, dGeomID geom, const CniPhysicsBody *body,
                       double part, dContactGeom *contact)
{
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = question->position[i] + question->motion[i] * part;
    cni_physics_geom_place(geom, at, question->rotation);
    CniPhysicsAabb box = box_of(geom);
    return cni_physics_aabb_overlap(&box, &body->box) &&
           dCollide(geom, body->geom, 1, contact, sizeof *contact) > 0;
}

static double smallest_half(const CnShapeQuery *query)
{
    CnVec3 half = query->half_extents;
    if (query->shape != CN_SHAPE_BOX)
        return (double)query->radius;
    float least = half.x < half.y ? half.x : half.y;
    return (double)(least < half.z ? least : half.z);
}

/* Steps until the shape touches, but not beyond an earlier hit; then bisects. */
static void sweep_body(ShapeQuestion *question, dGeomID geom, const CniPhysicsBody *body)
{
    dContactGeom contact;
    double steps = cn_ceil(question->length / (SWEEP_STEP * smallest_half(question->query)));
    steps = steps < 1 ? 1 : steps > SWEEP_MAX_STEPS ? SWEEP_MAX_STEPS : steps;
    double farthest = question->hit ? (double)question->first.distance / question->length : 1;
    double free = 0, part = 0;
    bool touches = touches_at(question, geom, body, 0, &contact);
    for (double step = 1; !touches && step <= steps && free < farthest; step++) {
        free = part;
        part = step / steps;
        touches = touches_at(question, geom, body, part, &contact);
    }
    if (!touches)
        return;
    for (int i = 0; i < SWEEP_HALVINGS && part > 0; i++) {
        double middle = (free + part) / 2;
        if (touches_at(question, geom, body, middle, &contact))
            part = middle;
        else
            free = middle;
    }
    touches_at(question, geom, body, part, &contact);
    CnRaycastHit hit = {body->entity, float3(contact.pos), float3(contact.normal),
                        (float)(part * question->length)};
    if (!question->hit || is_before(&hit, &question->first))
        question->first = hit;
    question->hit = true;
}

static void sweep(void *data)
{
    visit_bodies(data, sweep_body);
}

bool cn_physics_sweep(CnWorld *world, const CnShapeQuery *query, CnVec3 motion, CnRaycastHit *hit)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    ShapeQuestion question;
    if (!shape_question(&question, world, query) || !is_finite3(motion))
        return false;
    question.motion[0] = (double)motion.x;
    question.motion[1] = (double)motion.y;
    question.motion[2] = (double)motion.z;
    question.length =
        cn_sqrt(question.motion[0] * question.motion[0] + question.motion[1] * question.motion[1] +
                question.motion[2] * question.motion[2]);
    if (!(question.length > 0) || !ask(question.physics, sweep, &question) || !question.hit)
        return false;
    if (hit)
        *hit = question.first;
    return true;
}
