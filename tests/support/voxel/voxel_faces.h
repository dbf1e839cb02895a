/*
 * Meshes looked at face by face: what a chunk must show, from the rules and cell by cell, against
 * what the quads of a mesh cover.
 */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_FACES_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_FACES_H

#include <cairn/voxel/mesh.h>

/* The block at x, y, z from -16 to 31 around the middle's lowest cell. */
CnBlock voxel_block_at(const CnNeighbourhood *around, int x, int y, int z);

/* Checks that every face that is seen is covered once and nothing else is, with its block,
 * occlusion, light and heights; that parts and faces stand in order. False: prints the first
 * thing that is wrong. */
bool voxel_mesh_is_exact(const CnNeighbourhood *around, const CnLightBox *light,
                         const CnChunkMesh *mesh);

#endif
