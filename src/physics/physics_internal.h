/*
 * Data that physics keeps for a world in addition to the components: a record per body with its ODE
 * shape and its leaf in the tree, and the solver.
 *
 * All of it can be rebuilt from the components at any time, and is rebuilt after a restore. It
 * never affects results: a step is a function of CnRigidbody, CnBodyState, CnTransform, CniTouching
 * and the settings alone.
 *
 *     components ─ body_sync.c ─► records, tree ─ contacts.c ─► touching pairs ─── contact_events.c ─► events
 *         ▲                                                     │
 *         └──────────── step.c ◄─ sleep.c ◄─ solver.c ◄─────────┘
 */
#ifndef CAIRN_SRC_PHYSICS_PHYSICS_INTERNAL_H
#define CAIRN_SRC_PHYSICS_PHYSICS_INTERNAL_H

#include "physics/aabb_tree.h"
#include "physics/collision_mesh.h"

#include <cairn/base/bitset.h>
#include <cairn/physics/physics.h>

#include <ode/ode.h>

#define CNI_NONE UINT32_MAX

/* Values beyond these limits are not passed to ODE. */
#define CNI_MAX_POSITION 1e6
#define CNI_MAX_SPEED 1e4
#define CNI_MAX_SPIN 1e3
#define CNI_MAX_FORCE 1e12
#define CNI_MIN_SIZE 1e-4f
#define CNI_MAX_SIZE 1e5f
#define CNI_MIN_MASS 1e-6f
#define CNI_MAX_MASS 1e9f

/* Pairs that touched in the last step, in order, stored on separate entities that are internal
 * to physics. */
#define CNI_TOUCHING_PAIRS 64u
CN_COMPONENT(CniTouching, (u32, page), (u32, count), (entity, a, CNI_TOUCHING_PAIRS),
             (entity, b, CNI_TOUCHING_PAIRS));

typedef struct CniPose {
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} CniPose;

typedef struct CniBody {
    CnEntity entity;
    uint32_t leaf;    /* CNI_NO_LEAF: the body does not take part */
    uint32_t solver;  /* its index in the solver during a step; CNI_NONE: none */
    uint32_t version; /* of the world matrix when it was last read, if linked */
    bool linked;      /* has a parent */
    bool refused;     /* invalid, and already reported */
    bool can_sleep;   /* this and the following fields are copied from CnRigidbody */
    uint8_t kind, shape;
    uint32_t layer_bit, mask;
    float friction, restitution, linear_damping, angular_damping, gravity_scale;
    uint64_t look;       /* hash of the whole CnRigidbody and the scale */
    uint64_t shape_look; /* hash of what determines the geom and the mass */
    dMass mass;
    dGeomID geom;
    CniMesh *mesh;
    CniBox box; /* exact */
} CniBody;

typedef struct CniPair {
    CnEntity a, b; /* a has the lower index */
} CniPair;

/* Two bodies that touch in this step. */
typedef struct CniContacts {
    uint64_t key;          /* index of a, index of b */
    uint32_t first, count; /* in CniPhysics.contacts */
} CniContacts;

typedef struct CniSolverBody {
    dBodyID body;
    uint64_t mass_look; /* hash of what determines its mass; 0: kinematic */
    uint32_t record;
    CnBodyState *state;
} CniSolverBody;

typedef struct CniPhysics {
    CnAllocator *allocator;
    CnWorld *world;
    CnQuery *bodies, *inactive, *touching;
    CnChannel *collisions;

    CN_ARRAY(CniBody) records;
    CnU32Array free_records;
    CnU32Array record_of; /* by index of the entity: record + 1 */
    uint32_t record_count;
    CniBoxTree tree;
    CniMeshes meshes;

    /* By index of the entity, so that iteration is in entity order. */
    CnBitSet awake;                 /* dynamic */
    CnBitSet moving;                /* kinematic */
    CnBitSet linked;                /* have a parent */
    CnBitSet touched;               /* new, moved or changed since the last step */
    CnBitSet disturbed;             /* moved or changed: bodies that touch them wake */
    CnBitSet active;                /* all bodies that this step examines */
    CnBitSet restless;              /* touch something that is not still */
    uint64_t step_tick, query_tick; /* change ticks up to which components were examined */

    CN_ARRAY(CniPair) old_pairs, new_pairs;
    CnU64Array candidates, scratch;
    CN_ARRAY(CniContacts) pairs;
    CN_ARRAY(dContactGeom) contacts;
    CnU32Array woken;

    dWorldID solver_world;
    dJointGroupID joints;
    CN_ARRAY(CniSolverBody) solver;
    uint32_t solver_count; /* in use in this step */

    bool lost;       /* a record was dropped or withdrawn since the last step */
    bool failed;     /* memory ran out, or an ODE error occurred: all of this is rebuilt */
    uint64_t mended; /* invalid values that were corrected */
} CniPhysics;

static inline CniBody *cni_body_at(const CniPhysics *physics, uint32_t index)
{
    uint32_t record = index < physics->record_of.count ? physics->record_of.items[index] : 0;
    return record ? &physics->records.items[record - 1] : NULL;
}

/* Returns the record of exactly this entity, if it takes part. */
static inline CniBody *cni_body_in_play(const CniPhysics *physics, CnEntity entity)
{
    CniBody *body = cni_body_at(physics, cn_entity_index(entity));
    return body && body->entity.id == entity.id && body->leaf != CNI_NO_LEAF ? body : NULL;
}

/* Bodies that only other code moves cannot be pushed. */
static inline double cni_mass_of(const CniBody *body)
{
    return body->kind == CN_BODY_DYNAMIC ? body->mass.mass : dInfinity;
}

static inline bool cni_is_zero3(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* ---- physics_world.c ---- */

CniPhysics *cni_physics_create(CnWorld *world, CnAllocator *allocator, CnFileSystem *files);
void cni_physics_destroy(CniPhysics *physics);
/* Drops everything that can be rebuilt. */
void cni_physics_forget(CniPhysics *physics);
/* Returns the physics of this world; NULL if there is none. */
CniPhysics *cni_physics_of(const CnWorld *world);
/* Creates the settings if there are none; returns NULL when out of memory. */
CnPhysicsSettings *cni_settings_of(CnWorld *world);
/* Counts corrected values, and logs the first of each kind. */
void cni_mended(CniPhysics *physics, const char *what);

/* ---- body_records.c ---- */

/* Finds or creates a record; returns NULL when out of memory. Records move when others are
 * created. */
CniBody *cni_record_of(CniPhysics *physics, CnEntity entity);
void cni_record_drop(CniPhysics *physics, CniBody *body);
/* Drops records of entities that are no longer bodies. */
void cni_records_sweep(CniPhysics *physics);

/* ---- body_shape.c ---- */

uint64_t cni_body_look(const CnRigidbody *rigid, CnVec3 scale);
/* Copies the settings of the component and recreates the geom if necessary. */
bool cni_body_shape(CniPhysics *physics, CniBody *body, const CnRigidbody *rigid, CnVec3 scale,
                    CnError *error);
/* Drops geom and leaf. */
void cni_body_withdraw(CniPhysics *physics, CniBody *body);
/* Moves geom and leaf to a position. Returns false when out of memory. */
bool cni_body_place(CniPhysics *physics, CniBody *body, const double position[3],
                    const double rotation[4]);
/* Creates a geom without a body; returns NULL for invalid sizes. */
dGeomID cni_geom_make(CnShapeKind shape, CnVec3 half_extents, float radius, float height);
void cni_geom_place(dGeomID geom, const double position[3], const double rotation[4]);

/* ---- body_sync.c ---- */

/* Updates the records from the components. A step also detects what was moved and changed,
 * corrects values and wakes bodies; queries do not change components. */
typedef enum CniSyncFor { CNI_SYNC_QUERY, CNI_SYNC_STEP } CniSyncFor;
void cni_sync(CniPhysics *physics, CniSyncFor purpose, float dt);

/* ---- contacts.c ---- */

/* Returns whether two bodies interact. */
bool cni_bodies_meet(const CniBody *a, const CniBody *b);
bool cni_is_asleep(const CniPhysics *physics, const CniBody *body);
/* Returns false when out of memory. */
bool cni_sort_keys(CnU64Array *keys, CnU64Array *scratch);
/* Fills pairs and contacts, sorted, with all touching pairs of which one body is active; wakes
 * bodies that are touched by something that moves. */
void cni_find_contacts(CniPhysics *physics);
void cni_wake(CniPhysics *physics, CniBody *body);
/* The same while contacts are being searched. */
void cni_wake_late(CniPhysics *physics, CniBody *body);

/* ---- contact_events.c ---- */

void cni_touching_load(CniPhysics *physics);
/* Wakes bodies whose neighbour was moved, changed or removed. */
void cni_touching_wake(CniPhysics *physics);
/* Wakes bodies that an active body no longer touches. */
void cni_touching_wake_left(CniPhysics *physics);
/* Compares the pairs with the contacts, sends events and saves the pairs. */
void cni_touching_update(CniPhysics *physics);

/* ---- solver.c ---- */

void cni_solver_open(CniPhysics *physics);
void cni_solver_close(CniPhysics *physics);
/* Adds all awake and moving bodies to the solver, creates joints and steps by dt. */
void cni_solve(CniPhysics *physics, float dt);

/* ---- sleep.c ---- */

/* Counts how long each body has been still. Bodies that have been still long enough, and touch
 * nothing that has not, fall asleep. */
void cni_fall_asleep(CniPhysics *physics, const CnPhysicsSettings *settings);

/* ---- step.c ---- */

void cni_step(CnSystemContext *context);

#endif
