/*
 * Transforms: local and world poses.
 *
 *     CnVec3 lift(CnWorld *world, CnEntity wheel)
 *     {
 *         cn_get_mut(world, wheel, CnTransform)->position.y += 0.1f;     // no notification needed
 *         return cn_transform_world_position(world, wheel); // up to date
 *     }
 *
 * CnTransform is relative to the parent (cn_set_parent) and may be written freely. CnWorldTransform
 * is derived from it and updated by comparison: the ten numbers of the transform with those from
 * which the matrix was computed (initially NaN, so that the first access always computes it), and
 * the parent and its version with those of the last computation. A read walks up to the root and
 * recomputes only what has changed. Writing, attaching and detaching need no notification.
 *
 * The system PropagateTransforms, in PostUpdate, updates all world transforms level by level,
 * vectorized and on the world's job pool, and recomputes only what has moved. It relies on the
 * change ticks of chunks, so write through cn_get_mut or a column that is declared as written, not
 * through a pointer kept from an earlier tick. Reads and the pass share their code and produce the
 * same bits.
 *
 * Reads store their results in CnWorldTransform and CnTransformCache, so systems that call the
 * functions below declare CN_WORLD_TRANSFORM_ACCESS. After PostUpdate, systems that declare
 * cn_reads(CnWorldTransform) may read the column directly.
 */
#ifndef CAIRN_SCENE_TRANSFORM_H
#define CAIRN_SCENE_TRANSFORM_H

#include <cairn/base/linear.h>
#include <cairn/ecs/relation.h>
#include <cairn/ecs/system.h>

CN_EXTERN_C_BEGIN

/* Defaults: at the origin, no rotation, scale 1. */
CN_COMPONENT(CnTransform, (vec3, position), (quat, rotation), (vec3, scale));

/* Derived: its presence is saved, its value is neither saved nor hashed. Added and removed
 * together with CnTransformCache. */
typedef struct CnWorldTransform {
    CnAffine matrix; /* from local to world */
} CnWorldTransform;
CN_OPAQUE(CnWorldTransform);

/* How the matrix was computed. Derived and not for direct use: while an entity moves in every
 * pass, most of these fields are not kept up to date. */
typedef struct CnTransformCache {
    CnTransform baked;       /* from which the matrix was computed; initially NaN */
    uint32_t version;        /* changes with the matrix; 0: never computed */
    uint32_t parent_version; /* the parent's version at the last computation */
    CnEntity parent;         /* the parent at the last computation */
    /* Not 0: the last pass moved the entity. Its version is then that of the pass, and the
     * fields above were not written. */
    uint64_t moving;
} CnTransformCache;
CN_OPAQUE(CnTransformCache);
CN_STATIC_ASSERT(sizeof(CnTransformCache) == 64, "one cache line");

/* A resource: data shared by all transforms. Versions come from one counter per world, so no two
 * matrices ever have the same version, not even after a component is removed and added again. */
typedef struct CnTransforms {
    uint32_t version;                         /* assigned last */
    uint32_t pass_version;                    /* of the entities that the last pass moved */
    struct CniSceneTransformDerived *derived; /* cache of inverses and other derived values */
    struct CniSceneTransformPass *pass;
} CnTransforms;
CN_OPAQUE(CnTransforms);

/* Registers the components and adds the pass. Calling it again has no effect. */
CN_API bool cn_transform_add(CnWorld *world, CnError *error);
#define CN_TRANSFORM_IDENTITY ((CnTransform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}})

/* For CnSystemDesc.access of systems that call the functions below. */
#define CN_WORLD_TRANSFORM_ACCESS                                                                  \
    cn_reads(CnTransform), cn_reads(CnNode), cn_writes(CnWorldTransform),                          \
        cn_writes(CnTransformCache), cn_writes(CnTransforms)

/* Return the identity or zero if the entity has no transform. A parent without a transform
 * counts as no parent. */
CN_API CnAffine cn_transform_world_affine(CnWorld *world, CnEntity entity);
CN_API CnMat4 cn_transform_world_matrix(CnWorld *world, CnEntity entity);
/* Returns the inverse of the world matrix. */
CN_API CnAffine cn_transform_world_to_local(CnWorld *world, CnEntity entity);
CN_API CnVec3 cn_transform_world_position(CnWorld *world, CnEntity entity);
CN_API CnQuat cn_transform_world_rotation(CnWorld *world, CnEntity entity);
/* If the basis is mirrored, x is negative. */
CN_API CnVec3 cn_transform_world_scale(CnWorld *world, CnEntity entity);
/* Return unit vectors: -z, x and y of the world rotation. */
CN_API CnVec3 cn_transform_world_forward(CnWorld *world, CnEntity entity);
CN_API CnVec3 cn_transform_world_right(CnWorld *world, CnEntity entity);
CN_API CnVec3 cn_transform_world_up(CnWorld *world, CnEntity entity);
/* Returns a number that changes whenever the world matrix does; 0 without a transform. */
CN_API uint32_t cn_transform_world_version(CnWorld *world, CnEntity entity);
/* Returns the world matrix without storing anything, for use in parallel loops. */
CN_API CnAffine cn_transform_world_affine_peek(const CnWorld *world, CnEntity entity);

/* Write CnTransform so that the world pose is the given one, as far as the parent's shear
 * allows. The caller also declares cn_writes(CnTransform). Return false if the entity has no
 * transform. */
CN_API bool cn_transform_set_world_position(CnWorld *world, CnEntity entity, CnVec3 position);
CN_API bool cn_transform_set_world_rotation(CnWorld *world, CnEntity entity, CnQuat rotation);
CN_API bool cn_transform_set_world_pose(CnWorld *world, CnEntity entity, CnVec3 position,
                                        CnQuat rotation, CnVec3 scale);

typedef struct CnTransformPropagateStats {
    uint32_t compared; /* matrices that were computed and compared with the old ones */
    uint32_t moved;    /* matrices that differed */
} CnTransformPropagateStats;
/* Runs the pass, for tools and tests; `jobs` and `result` may be NULL. It may change the
 * structure of the world: entities without CnWorldTransform and CnTransformCache get them here.
 * Returns false when out of memory; nothing was updated then, and reads remain correct. */
CN_API bool cn_transform_propagate(CnWorld *world, CnJobPool *jobs,
                                   CnTransformPropagateStats *result);

CN_EXTERN_C_END

#endif
