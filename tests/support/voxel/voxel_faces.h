/*
 * Checks meshes face by face: the faces that a chunk must show according to the rules, compared
 * with those that the quads of a mesh cover.
 */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_FACES_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_FACES_H

#include <cairn/voxel/mesh.h>

/* The block at x, y, z from -16 to 31 around the middle's lowest cell. */
CnBlock voxel_block_at(const CnNeighborhood *around, int x, int y, int z);

/* Checks that every visible face is covered once and nothing else is, with its block, occlusion,
 * light and heights, and that parts and faces are in order. On failure, prints the first error and
 * returns false. */
bool voxel_mesh_is_exact(const CnNeighborhood *around, const CnLightBox *light,
                         const CnChunkMesh *mesh);

#endif
