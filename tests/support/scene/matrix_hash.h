/*
 * Hashes of what follows from the transforms of a world: world matrices, cameras. They are not part
 * of the state hash, so programs that compare builds fold their bits into what they print.
 */
#ifndef CAIRN_TESTS_SUPPORT_SCENE_MATRIX_HASH_H
#define CAIRN_TESTS_SUPPORT_SCENE_MATRIX_HASH_H

#include <cairn/scene.h>

/* All columns CnWorldTransform as the last pass left them. */
uint64_t hash_passed_matrices(CnWorld *world);
/* The same objects in the same order, computed anew for each, with nothing kept. */
uint64_t hash_peeked_matrices(CnWorld *world);
/* The same by cn_transform_world_affine, which keeps what it computes. */
uint64_t hash_read_matrices(CnWorld *world);
/* Inverses, world rotations and scales of every eighth; matrices, a ray and the frustum of the
 * camera in use. */
uint64_t hash_derived(CnWorld *world);

#endif
