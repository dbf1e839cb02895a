/*
 * Data that physics keeps for a world in addition to the components: a record per body with its ODE
 * shape and its leaf in the tree, and the solver.
 *
 * All of it can be rebuilt from the components at any time, and is rebuilt after a restore. It
 * never affects results: a step is a function of CnRigidbody, CnBodyState, CnTransform,
 * CniPhysicsContactPage and the settings alone.
 *
 *     components ─ body_sync.c ─► records, tree ─ contacts.c ─► pairs ─ contact_events.c ─► events
 *         ▲                                                     │
 *         └──────────── step.c ◄─ sleep.c ◄─ solver.c ◄─────────┘
 */
#ifndef CAIRN_SRC_PHYSICS_PHYSICS_INTERNAL_H
#define CAIRN_SRC_PHYSICS_PHYSICS_INTERNAL_H

#include "physics/aabb_tree.h"
#include "physics/collision_mesh.h"

#include <cairn/base/bitset.h>
#include <cairn/physics/joint.h>
#include <cairn/physics/physics.h>

#include <ode/ode.h>

#define CNI_PHYSICS_NONE UINT32_MAX

/* Values beyond these limits are not passed to ODE. */
#define CNI_PHYSICS_MAX_POSITION 1e6
#define CNI_PHYSICS_MAX_SPEED 1e4
#define CNI_PHYSICS_MAX_ANGULAR_SPEED 1e3
#define CNI_PHYSICS_MAX_FORCE 1e12
#define CNI_PHYSICS_MIN_SIZE 1e-4f
#define CNI_PHYSICS_MAX_SIZE 1e5f
#define CNI_PHYSICS_MIN_MASS 1e-6f
#define CNI_PHYSICS_MAX_MASS 1e9f

/* Pairs that touched in the last step, in order, stored on separate entities that are internal
 * to physics. */
#define CNI_PHYSICS_CONTACT_PAGE_PAIRS 64u
CN_COMPONENT(CniPhysicsContactPage, (u32, page), (u32, count),
             (entity, a, CNI_PHYSICS_CONTACT_PAGE_PAIRS),
             (entity, b, CNI_PHYSICS_CONTACT_PAGE_PAIRS));

typedef struct CniPhysicsPose {
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} CniPhysicsPose;

typedef struct CniPhysicsBody {
    CnEntity entity;
    uint32_t leaf;       /* CNI_PHYSICS_NO_LEAF: the body does not take part */
    uint32_t solver;     /* its index in the solver during a step; CNI_PHYSICS_NONE: none */
    uint32_t version;    /* of the world matrix when it was last read, if linked */
    bool linked;         /* has a parent */
    bool refused;        /* invalid, and already reported */
    float smallest_half; /* the distance from the center to the nearest face */
    bool can_sleep;      /* this and the following fields are copied from CnRigidbody */
    bool continuous;
    uint8_t kind, shape;
    uint32_t layer_bit, mask;
    float friction, restitution, linear_damping, angular_damping, gravity_scale;
    uint64_t settings_hash; /* hash of the whole CnRigidbody and the scale */
    uint64_t shape_hash;    /* hash of what determines the geom and the mass */
    dMass mass;
    dGeomID geom;
    CniPhysicsMesh *mesh;
    CniPhysicsAabb box; /* exact */
} CniPhysicsBody;

typedef struct CniPhysicsPair {
    CnEntity a, b; /* a has the lower index */
} CniPhysicsPair;

/* Two bodies that touch in this step. */
typedef struct CniPhysicsContactPair {
    uint64_t key;          /* index of a, index of b */
    uint32_t first, count; /* in CniPhysicsWorld.contacts */
    bool entered;          /* did not touch in the last step */
    float impulse;         /* if requested: along the normals, newton seconds */
} CniPhysicsContactPair;

/* A joint that takes part in this step. */
typedef struct CniPhysicsJoint {
    CnEntity entity;
    uint32_t a, b; /* indices of the bodies; b may be CNI_PHYSICS_NONE: the world */
    bool collides;
} CniPhysicsJoint;

typedef struct CniPhysicsJointFeedback {
    CnEntity entity;
    dJointFeedback feedback;
} CniPhysicsJointFeedback;

typedef struct CniPhysicsSolverBody {
    dBodyID body;
    uint64_t mass_hash; /* hash of what determines its mass; 0: kinematic */
    uint32_t record;
    CnBodyState *state;
    double from[3]; /* its position before the step */
    double part;    /* how much of its motion it completes; 1 unless something is in its way */
    bool fast;      /* may pass through something in this step */
} CniPhysicsSolverBody;

typedef struct CniPhysicsWorld {
    CnAllocator *allocator;
    CnWorld *world;
    CnQuery *bodies, *inactive, *touching, *joint_query, *inactive_joints;
    CnChannel *collisions;

    CN_ARRAY(CniPhysicsBody) records;
    CnU32Array free_records;
    CnU32Array record_of; /* by index of the entity: record + 1 */
    uint32_t record_count;
    CniPhysicsAabbTree tree;
    CniPhysicsMeshCache meshes;

    /* By index of the entity, so that iteration is in entity order. */
    CnBitSet awake;                 /* dynamic */
    CnBitSet moving;                /* kinematic */
    CnBitSet linked;                /* have a parent */
    CnBitSet touched;               /* new, moved or changed since the last step */
    CnBitSet changed_or_moved;      /* moved or changed: bodies that touch them wake */
    CnBitSet active;                /* all bodies that this step examines */
    CnBitSet restless;              /* touch something that is not still */
    CnBitSet measured;              /* the next step measures impulses of their contacts */
    uint64_t step_tick, query_tick; /* change ticks up to which components were examined */

    CN_ARRAY(CniPhysicsPair) old_pairs, new_pairs;
    CnU64Array candidates, scratch;
    CN_ARRAY(CniPhysicsContactPair) pairs;
    CN_ARRAY(dContactGeom) contacts;
    CnU32Array woken;
    uint64_t contacts_tick; /* `pairs` and `contacts` are of this tick + 1; 0: of none */
    CnU64Array by_second;   /* index of b, number in new_pairs; sorted */
    bool by_second_is_valid;
    CN_ARRAY(dJointFeedback) feedback; /* of the contacts of measured bodies, in order */

    CN_ARRAY(CniPhysicsJoint) joined; /* in entity order */
    CnU64Array joint_keys;
    CnU64Array joined_pairs;                          /* of bodies that do not collide; sorted */
    CN_ARRAY(CniPhysicsJointFeedback) joint_feedback; /* of those that may break */

    dWorldID solver_world;
    dJointGroupID joints;
    CN_ARRAY(CniPhysicsSolverBody) solver;
    uint32_t solver_count; /* in use in this step */
    CnU32Array fast;       /* numbers of fast bodies in `solver` */

    bool lost;          /* a record was dropped or withdrawn since the last step */
    bool failed;        /* memory ran out, or an ODE error occurred: all of this is rebuilt */
    uint64_t sanitized; /* invalid values that were corrected */
} CniPhysicsWorld;

static inline CniPhysicsBody *cni_physics_body_at(const CniPhysicsWorld *physics, uint32_t index)
{
    uint32_t record = index < physics->record_of.count ? physics->record_of.items[index] : 0;
    return record ? &physics->records.items[record - 1] : NULL;
}

/* Returns the record of exactly this entity, if it takes part. */
static inline CniPhysicsBody *cni_physics_active_body(const CniPhysicsWorld *physics,
                                                      CnEntity entity)
{
    CniPhysicsBody *body = cni_physics_body_at(physics, cn_entity_index(entity));
    return body && body->entity.id == entity.id && body->leaf != CNI_PHYSICS_NO_LEAF ? body : NULL;
}

/* Bodies that only other code moves cannot be pushed. */
static inline double cni_physics_mass_of(const CniPhysicsBody *body)
{
    return body->kind == CN_BODY_DYNAMIC ? body->mass.mass : dInfinity;
}

static inline bool cni_physics_is_zero3(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* ---- physics_world.c ---- */

CniPhysicsWorld *cni_physics_world_create(CnWorld *world, CnAllocator *allocator,
                                          CnFileSystem *files, CnError *error);
void cni_physics_world_destroy(CniPhysicsWorld *physics);
/* Drops everything that can be rebuilt. */
void cni_physics_world_reset(CniPhysicsWorld *physics);
/* Returns the physics of this world; NULL if there is none. */
CniPhysicsWorld *cni_physics_world_of(const CnWorld *world);
/* Creates the settings if there are none; returns NULL when out of memory. */
CnPhysicsSettings *cni_physics_settings_of(CnWorld *world);
/* Counts corrected values, and logs the first of each kind. */
void cni_physics_count_sanitized(CniPhysicsWorld *physics, const char *what);

/* ---- body_records.c ---- */

/* Finds or creates a record; returns NULL when out of memory. Records move when others are
 * created. */
CniPhysicsBody *cni_physics_record_of(CniPhysicsWorld *physics, CnEntity entity);
void cni_physics_record_drop(CniPhysicsWorld *physics, CniPhysicsBody *body);
/* Drops records of entities that are no longer bodies. */
void cni_physics_records_sweep(CniPhysicsWorld *physics);

/* ---- body_shape.c ---- */

uint64_t cni_physics_body_hash(const CnRigidbody *rigid, CnVec3 scale);
/* Copies the settings of the component and recreates the geom if necessary. */
bool cni_physics_body_shape(CniPhysicsWorld *physics, CniPhysicsBody *body,
                            const CnRigidbody *rigid, CnVec3 scale, CnError *error);
/* Drops geom and leaf. */
void cni_physics_body_remove_shape(CniPhysicsWorld *physics, CniPhysicsBody *body);
/* Moves geom and leaf to a position. Returns false when out of memory. */
bool cni_physics_body_place(CniPhysicsWorld *physics, CniPhysicsBody *body,
                            const double position[3], const double rotation[4]);
/* Creates a geom without a body; returns NULL for invalid sizes. */
dGeomID cni_physics_geom_make(CnShapeKind shape, CnVec3 half_extents, float radius, float height);
void cni_physics_geom_place(dGeomID geom, const double position[3], const double rotation[4]);

/* ---- body_sync.c ---- */

/* Updates the records from the components. A step also detects what was moved and changed,
 * corrects values and wakes bodies; queries do not change components. */
typedef enum CniPhysicsSyncPurpose {
    CNI_PHYSICS_SYNC_QUERY,
    CNI_PHYSICS_SYNC_STEP
} CniPhysicsSyncPurpose;
void cni_physics_sync(CniPhysicsWorld *physics, CniPhysicsSyncPurpose purpose, float dt);

/* ---- contacts.c ---- */

/* Returns whether two bodies interact. */
bool cni_physics_bodies_can_touch(const CniPhysicsBody *a, const CniPhysicsBody *b);
bool cni_physics_is_asleep(const CniPhysicsWorld *physics, const CniPhysicsBody *body);
/* Returns false when out of memory. */
bool cni_physics_sort_keys(CnU64Array *keys, CnU64Array *scratch);
/* Fills pairs and contacts, sorted, with all touching pairs of which one body is active; wakes
 * bodies that are touched by something that moves. */
void cni_physics_find_contacts(CniPhysicsWorld *physics);
void cni_physics_wake(CniPhysicsWorld *physics, CniPhysicsBody *body);
/* The same while contacts are being searched. */
void cni_physics_wake_during_contacts(CniPhysicsWorld *physics, CniPhysicsBody *body);

/* ---- contact_events.c ---- */

void cni_physics_touching_load(CniPhysicsWorld *physics);
/* Returns whether a world was loaded since the last step, or there was none. */
bool cni_physics_touching_was_loaded(const CniPhysicsWorld *physics);
/* Wakes bodies whose neighbor was moved, changed or removed. */
void cni_physics_touching_wake(CniPhysicsWorld *physics);
/* Wakes bodies that an active body no longer touches. */
void cni_physics_touching_wake_left(CniPhysicsWorld *physics);
/* Compares the pairs with the contacts, sends events and saves the pairs. */
void cni_physics_touching_update(CniPhysicsWorld *physics);

/* Returns the deepest contact of a pair. */
const dContactGeom *cni_physics_deepest(const dContactGeom *contacts, uint32_t count);
/* Computes the velocity of a, seen from b, at a point. */
void cni_physics_relative_velocity(const CniPhysicsWorld *physics, const CniPhysicsBody *a,
                                   const CniPhysicsBody *b, const dReal *point, double velocity[3]);

/* ---- solver.c ---- */

void cni_physics_solver_open(CniPhysicsWorld *physics);
void cni_physics_solver_close(CniPhysicsWorld *physics);
/* Adds all awake and moving bodies to the solver, creates joints and steps by dt. */
void cni_physics_solve(CniPhysicsWorld *physics, float dt);

/* ---- continuous.c ---- */

/* Returns whether a body is so fast that it may pass through something within a step. */
bool cni_physics_is_fast(const CniPhysicsBody *body, const double motion[3]);
/* Moves fast bodies back to where they first touch something on their way. All bodies have been
 * placed at their new positions. */
void cni_physics_stop_at_hits(CniPhysicsWorld *physics);

/* ---- sleep.c ---- */

/* Counts how long each body has been still. Bodies that have been still long enough, and touch
 * nothing that has not, fall asleep. */
void cni_physics_fall_asleep(CniPhysicsWorld *physics, const CnPhysicsSettings *settings);

/* ---- step.c ---- */

void cni_physics_step(CnSystemContext *context);

#endif
