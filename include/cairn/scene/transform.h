/*
 * Transforms: where things are, by themselves and in the world.
 *
 *     cn_get_mut(world, wheel, CnTransform)->position.y += 0.1f;     // a plain field: no notice to anyone
 *     CnVec3 where = cn_world_position(world, wheel);                // right at once, also for children
 *
 * CnTransform is local to the parent (cn_set_parent) and belongs to whoever writes it. What follows
 * from it, CnWorldTransform, is found by comparing: the ten numbers with those that were baked into the
 * matrix, which start as NaN so that the first look always bakes; the parent and its version with those
 * seen last. A read walks to the root and computes only what moved. Nobody has to say that something
 * was written, attached or detached.
 *
 * PropagateTransforms, a system of PostUpdate, brings all of them up to date: level by level,
 * vectorised, on the world's jobs, and only what moved. It finds what may have moved by the change
 * ticks of chunks, so write through cn_get_mut or a column declared as written, not through a pointer
 * kept from an earlier tick. Reads and the pass share one code and give the same bits.
 *
 * Reading keeps what it computes in CnWorldTransform and CnTransformCache, so a system that uses
 * the functions below declares CN_WORLD_TRANSFORM_ACCESS. After PostUpdate, systems that declare
 * cn_reads(CnWorldTransform) may read the column itself.
 */
#ifndef CAIRN_SCENE_TRANSFORM_H
#define CAIRN_SCENE_TRANSFORM_H

#include <cairn/base/linear.h>
#include <cairn/ecs/relation.h>
#include <cairn/ecs/system.h>

CN_EXTERN_C_BEGIN

/* Of a new one: at the origin, not turned, scale 1. */
CN_COMPONENT(CnTransform, (vec3, position), (quat, rotation), (vec3, scale));

/* Derived: who has it is saved, its value is neither saved nor hashed. Comes and goes together
 * with CnTransformCache. */
typedef struct CnWorldTransform {
    CnAffine matrix; /* from local to world */
} CnWorldTransform;
CN_OPAQUE(CnWorldTransform);

/* How the matrix was made. Derived. Not for direct use: while something moves in every pass, most of
 * this is not kept up to date. */
typedef struct CnTransformCache {
    CnTransform baked;       /* what the matrix was made from; starts as NaN */
    uint32_t version;        /* another one when the matrix is another one; 0: never computed */
    uint32_t parent_version; /* the parent's when this was computed */
    CnEntity parent;         /* the parent when this was computed */
    uint64_t moving; /* not 0: the last pass moved it. Its version is the pass's, and what stands
                        above was not written. */
} CnTransformCache;
CN_OPAQUE(CnTransformCache);
CN_STATIC_ASSERT(sizeof(CnTransformCache) == 64, "one cache line");

/* A resource: what transforms share. Versions come from one counter per world, so that no two matrices
 * ever have the same, not even when a component went and came back. */
typedef struct CnTransforms {
    uint32_t version;           /* given last */
    uint32_t pass_version;      /* of what the last pass moved */
    struct CniDerived *derived; /* inverses and the like, of those that were asked last */
    struct CniTransformPass *pass;
} CnTransforms;
CN_OPAQUE(CnTransforms);

/* Registers the components and adds the pass; calling it again is harmless. */
CN_API bool cn_transform_add(CnWorld *world, CnError *error);
#define CN_TRANSFORM_IDENTITY ((CnTransform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}})

/* In CnSystemDesc.access of systems that call what follows. */
#define CN_WORLD_TRANSFORM_ACCESS                                                                  \
    cn_reads(CnTransform), cn_reads(CnNode), cn_writes(CnWorldTransform),                          \
        cn_writes(CnTransformCache), cn_writes(CnTransforms)

/* All of these are identity or zero for what has no transform. A parent without a transform counts
 * as no parent. */
CN_API CnAffine cn_world_affine(CnWorld *world, CnEntity entity);
CN_API CnMat4 cn_world_matrix(CnWorld *world, CnEntity entity);
CN_API CnAffine cn_world_to_local(CnWorld *world, CnEntity entity);
CN_API CnVec3 cn_world_position(CnWorld *world, CnEntity entity);
CN_API CnQuat cn_world_rotation(CnWorld *world, CnEntity entity);
/* The sign of a mirrored basis is in x. */
CN_API CnVec3 cn_world_scale(CnWorld *world, CnEntity entity);
/* Unit vectors: -z, x and y of the world rotation. */
CN_API CnVec3 cn_world_forward(CnWorld *world, CnEntity entity);
CN_API CnVec3 cn_world_right(CnWorld *world, CnEntity entity);
CN_API CnVec3 cn_world_up(CnWorld *world, CnEntity entity);
/* Another number when the world matrix is another one; 0 without a transform. */
CN_API uint32_t cn_world_version(CnWorld *world, CnEntity entity);
/* The same matrix, keeping nothing: for lanes of parallel loops. */
CN_API CnAffine cn_world_affine_peek(const CnWorld *world, CnEntity entity);

/* Write CnTransform such that the world pose is this one, as far as the parent's shear allows. The
 * caller declares cn_writes(CnTransform) as well. False without a transform. */
CN_API bool cn_set_world_position(CnWorld *world, CnEntity entity, CnVec3 position);
CN_API bool cn_set_world_rotation(CnWorld *world, CnEntity entity, CnQuat rotation);
CN_API bool cn_set_world_pose(CnWorld *world, CnEntity entity, CnVec3 position, CnQuat rotation,
                              CnVec3 scale);

typedef struct CnPropagated {
    uint32_t compared; /* matrices computed and compared with the old ones */
    uint32_t moved;    /* those that were different */
} CnPropagated;
/* The pass itself, for tools and tests; `jobs` and `result` may be NULL. It may change the structure of
 * the world, as what was spawned without CnWorldTransform and CnTransformCache gets them here. False
 * when out of memory: nothing was brought up to date, and reads stay right. */
CN_API bool cn_propagate_transforms(CnWorld *world, CnJobPool *jobs, CnPropagated *result);

CN_EXTERN_C_END

#endif
