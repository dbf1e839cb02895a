/*
 * The physics world of a scene: the plugin, forces, and queries.
 *
 *     bool raycast_ahead(CnWorld *world, CnVec3 eye, CnVec3 ahead, CnRaycastHit *hit)
 *     {
 *         CnRaycastQuery query = {.origin = eye, .direction = ahead, .distance = 10};
 *         return cn_physics_raycast(world, &query, hit);
 *     }
 *
 * Forces and impulses act in the next step and are part of the state until then. Queries see the
 * bodies as they were after the last step, except that bodies that were moved since are at their
 * new positions.
 */
#ifndef CAIRN_PHYSICS_PHYSICS_H
#define CAIRN_PHYSICS_PHYSICS_H

#include <cairn/physics/body.h>
#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

typedef struct CnPhysicsDesc {
    CnFileSystem *files; /* for meshes; NULL: bodies cannot have mesh shapes */
    CnVec3 gravity;      /* zero selects (0, -9.81, 0); see also CnPhysicsSettings */
} CnPhysicsDesc;

/* Returns the plugin, for CnScenesDesc.plugins. `desc` may be NULL; it is not copied and must
 * outlive the plugin. */
CN_API CnPlugin cn_physics_plugin(const CnPhysicsDesc *desc);

/* Internal data of the physics module. Transient; declared here only for CnSystemDesc.access. */
typedef struct CnPhysicsCache {
    struct CniPhysicsWorld *inside;
} CnPhysicsCache;
CN_OPAQUE(CnPhysicsCache);

/* For CnSystemDesc.access of systems that call the queries (cn_physics_...), and of systems that
 * call cn_body_... */
#define CN_PHYSICS_QUERY_ACCESS                                                                    \
    cn_reads(CnRigidbody), cn_reads(CnBodyState), cn_writes(CnPhysicsCache),                       \
        CN_WORLD_TRANSFORM_ACCESS
#define CN_PHYSICS_FORCE_ACCESS                                                                    \
    cn_reads(CnRigidbody), cn_writes(CnBodyState), CN_WORLD_TRANSFORM_ACCESS

/* Forces are in newtons, torques in newton meters, impulses in newton seconds; vectors and points
 * are in world space. Without a point, a force acts at the center of mass. The functions wake the
 * body, and return false if the entity is not a dynamic body. */
CN_API bool cn_body_add_force(CnWorld *world, CnEntity body, CnVec3 force);
CN_API bool cn_body_add_force_at(CnWorld *world, CnEntity body, CnVec3 force, CnVec3 point);
CN_API bool cn_body_add_torque(CnWorld *world, CnEntity body, CnVec3 torque);
CN_API bool cn_body_add_impulse(CnWorld *world, CnEntity body, CnVec3 impulse);
CN_API bool cn_body_add_impulse_at(CnWorld *world, CnEntity body, CnVec3 impulse, CnVec3 point);
CN_API bool cn_body_set_velocity(CnWorld *world, CnEntity body, CnVec3 velocity);
/* Returns zero if the entity is not a body. */
CN_API CnVec3 cn_body_velocity(const CnWorld *world, CnEntity body);
CN_API bool cn_body_set_angular_velocity(CnWorld *world, CnEntity body, CnVec3 radians_per_second);
/* Returns the angular velocity in radians per second; zero if the entity is not a body. */
CN_API CnVec3 cn_body_angular_velocity(const CnWorld *world, CnEntity body);
CN_API bool cn_body_wake(CnWorld *world, CnEntity body);
CN_API bool cn_body_is_asleep(const CnWorld *world, CnEntity body);

/* Returns whether the file can be used as the mesh of a body. The error has a line and a column
 * if the text of the file is invalid. */
CN_API bool cn_physics_mesh_check(CnWorld *world, const char *path, CnError *error);

/* Statistics of the last step, for tools and tests. */
typedef struct CnPhysicsStats {
    uint32_t bodies;    /* that take part */
    uint32_t refused;   /* that do not, because of invalid values; see the log */
    uint32_t awake;     /* dynamic bodies */
    uint32_t pairs;     /* of touching bodies */
    uint64_t sanitized; /* values so far that were not finite or too large, and were corrected */
} CnPhysicsStats;
CN_API CnPhysicsStats cn_physics_stats(const CnWorld *world);

/*
 * Two bodies that touch.
 *
 * entered    they did not touch before the last step; they also sent a CnCollision
 * impulse    what the step applied along the normal, newton seconds: at rest, weight times dt.
 *            0 unless requested, for ghosts, and while both bodies are at rest
 */
typedef struct CnContact {
    CnEntity other;
    CnVec3 point, normal;     /* world space; the normal points from the other body to this one */
    CnVec3 relative_velocity; /* of this body, seen from the other, at the point */
    float impulse;
    bool entered;
} CnContact;

/* Returns the number of bodies that touch `body`, and stores at most `capacity` contacts, in
 * entity order of the others. Each is the deepest of its pair. In systems after physics.step,
 * contacts are those of this tick. Where the step had nothing to do, and outside of it, they are
 * computed from the current positions, without impulses. */
CN_API uint32_t cn_physics_contacts(CnWorld *world, CnEntity body, CnContact *contacts,
                                    uint32_t capacity);
/* Makes the next step measure impulses of contacts of this body; call it in every tick, before
 * physics.step. Other bodies cost nothing. Never affects the simulation. */
CN_API void cn_physics_request_impulses(CnWorld *world, CnEntity body);

typedef struct CnRaycastQuery {
    CnVec3 origin, direction; /* the direction need not have length 1 */
    float distance;           /* the maximum */
    uint32_t mask;            /* layers; 0: all */
    bool ghosts;              /* includes ghosts */
    CnEntity except;          /* is ignored; null: none */
} CnRaycastQuery;

typedef struct CnRaycastHit {
    CnEntity body;
    CnVec3 point, normal;
    float distance;
} CnRaycastHit;

/* Finds the nearest hit; at equal distances, the body with the lower entity. */
CN_API bool cn_physics_raycast(CnWorld *world, const CnRaycastQuery *query, CnRaycastHit *hit);
/* Returns the number of hits and stores at most `capacity` of them, ordered by distance. */
CN_API uint32_t cn_physics_raycast_all(CnWorld *world, const CnRaycastQuery *query,
                                       CnRaycastHit *hits, uint32_t capacity);

typedef struct CnShapeQuery {
    CnShapeKind shape; /* not a mesh */
    CnVec3 position;
    CnQuat rotation; /* zero: none */
    CnVec3 half_extents;
    float radius, height;
    uint32_t mask;
    bool ghosts;
    CnEntity except;
} CnShapeQuery;

/* Returns the number of bodies that touch the shape and stores at most `capacity` of them, in
 * entity order. */
CN_API uint32_t cn_physics_overlap(CnWorld *world, const CnShapeQuery *query, CnEntity *bodies,
                                   uint32_t capacity);
/* Moves the shape along `motion` until it touches a body; hit->distance is the distance
 * travelled. */
CN_API bool cn_physics_sweep(CnWorld *world, const CnShapeQuery *query, CnVec3 motion,
                             CnRaycastHit *hit);

CN_EXTERN_C_END

#endif
