/*
 * Hashes of data derived from the transforms of a world: world matrices, cameras. They are not part
 * of the state hash, so programs that compare builds include them in their output.
 */
#ifndef CAIRN_TESTS_SUPPORT_SCENE_MATRIX_HASH_H
#define CAIRN_TESTS_SUPPORT_SCENE_MATRIX_HASH_H

#include <cairn/scene.h>

/* Hashes all columns of CnWorldTransform as left by the last pass. */
uint64_t hash_passed_matrices(CnWorld *world);
/* The same objects in the same order, each computed without a cache. */
uint64_t hash_peeked_matrices(CnWorld *world);
/* The same by cn_transform_world_affine, which caches its results. */
uint64_t hash_read_matrices(CnWorld *world);
/* Inverses, world rotations and scales of every eighth object; matrices, a ray and the frustum of
 * the active camera. */
uint64_t hash_derived(CnWorld *world);

#endif
