/*
 * The physics world of a scene: what makes bodies move, and questions about them.
 *
 *     CnPlugin physics = cn_physics_plugin(NULL);              // for CnScenesDesc.plugins
 *     CnRayHit hit;
 *     if (cn_physics_ray(world, &(CnRayQuery){.origin = eye, .direction = ahead, .distance = 10}, &hit)) ...
 *
 * Forces and impulses act in the next step and are part of the state until then. Queries see the bodies
 * as they were after the last step, with those that were moved since then put where they are now.
 */
#ifndef CAIRN_PHYSICS_PHYSICS_H
#define CAIRN_PHYSICS_PHYSICS_H

#include <cairn/physics/body.h>
#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

typedef struct CnPhysicsDesc {
    CnFileSystem *files; /* for meshes; NULL: bodies cannot have any */
    CnVec3 gravity;      /* all zero: (0, -9.81, 0); CnPhysicsSettings has more */
} CnPhysicsDesc;

/* `desc` may be NULL; it is kept by address and outlives the plugin. */
CN_API CnPlugin cn_physics_plugin(const CnPhysicsDesc *desc);

/* What physics keeps beside the components. Transient; here only so that systems can declare it. */
typedef struct CnPhysicsCache {
    struct CniPhysics *inside;
} CnPhysicsCache;
CN_OPAQUE(CnPhysicsCache);

/* In CnSystemDesc.access of systems that ask with cn_physics_..., and of those that push with
 * cn_body_... */
#define CN_PHYSICS_QUERY_ACCESS                                                                    \
    cn_reads(CnRigidbody), cn_reads(CnBodyState), cn_writes(CnPhysicsCache),                       \
        CN_WORLD_TRANSFORM_ACCESS
#define CN_PHYSICS_PUSH_ACCESS                                                                     \
    cn_reads(CnRigidbody), cn_writes(CnBodyState), CN_WORLD_TRANSFORM_ACCESS

/* All return false for what is not a dynamic body. They wake it. */
CN_API bool cn_body_add_force(CnWorld *world, CnEntity body, CnVec3 force);
CN_API bool cn_body_add_force_at(CnWorld *world, CnEntity body, CnVec3 force, CnVec3 point);
CN_API bool cn_body_add_torque(CnWorld *world, CnEntity body, CnVec3 torque);
CN_API bool cn_body_add_impulse(CnWorld *world, CnEntity body, CnVec3 impulse);
CN_API bool cn_body_add_impulse_at(CnWorld *world, CnEntity body, CnVec3 impulse, CnVec3 point);
CN_API bool cn_body_set_velocity(CnWorld *world, CnEntity body, CnVec3 velocity);
CN_API CnVec3 cn_body_velocity(const CnWorld *world, CnEntity body);
CN_API bool cn_body_set_spin(CnWorld *world, CnEntity body, CnVec3 radians_per_second);
CN_API CnVec3 cn_body_spin(const CnWorld *world, CnEntity body);
CN_API bool cn_body_wake(CnWorld *world, CnEntity body);
CN_API bool cn_body_is_asleep(const CnWorld *world, CnEntity body);

/* Whether a file is there that bodies can have as their mesh. The error has the file's line and column
 * when it is about its text. */
CN_API bool cn_mesh_check(CnWorld *world, const char *path, CnError *error);

/* As of the last step, for tools and tests. */
typedef struct CnPhysicsStats {
    uint32_t bodies;  /* that take part */
    uint32_t refused; /* that do not, because something is not valid: the log says what */
    uint32_t awake;   /* dynamic ones */
    uint32_t pairs;   /* that touch */
    uint64_t mended;  /* values that were not finite or too large, so far */
} CnPhysicsStats;
CN_API CnPhysicsStats cn_physics_stats(const CnWorld *world);

typedef struct CnRayQuery {
    CnVec3 origin, direction; /* need not be of length 1 */
    float distance;           /* at most */
    uint32_t mask;            /* layers; 0: all */
    bool ghosts;              /* hits them too */
    CnEntity except;          /* is not hit; null: nobody */
} CnRayQuery;

typedef struct CnRayHit {
    CnEntity body;
    CnVec3 point, normal;
    float distance;
} CnRayHit;

/* The nearest; equal distances: the lower entity. */
CN_API bool cn_physics_ray(CnWorld *world, const CnRayQuery *query, CnRayHit *hit);
/* All, by distance: fills at most `capacity`, returns how many there are. */
CN_API uint32_t cn_physics_ray_all(CnWorld *world, const CnRayQuery *query, CnRayHit *hits,
                                   uint32_t capacity);

typedef struct CnShapeQuery {
    CnShapeKind shape; /* not a mesh */
    CnVec3 position;
    CnQuat rotation; /* all zero: none */
    CnVec3 half_extents;
    float radius, height;
    uint32_t mask;
    bool ghosts;
    CnEntity except;
} CnShapeQuery;

/* Bodies that touch the shape, in entity order. */
CN_API uint32_t cn_physics_overlap(CnWorld *world, const CnShapeQuery *query, CnEntity *bodies,
                                   uint32_t capacity);
/* Moves the shape along `motion` until it touches something: hit->distance is how far it came. */
CN_API bool cn_physics_sweep(CnWorld *world, const CnShapeQuery *query, CnVec3 motion,
                             CnRayHit *hit);

CN_EXTERN_C_END

#endif
