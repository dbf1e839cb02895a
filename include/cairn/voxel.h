/*
 * cairn/voxel: worlds of blocks. Blocks and noise stand alone; the rest is built on them:
 * chunks, generation, light, meshes, the world with its edits, water, far terrain, interaction.
 */
#ifndef CAIRN_VOXEL_H
#define CAIRN_VOXEL_H

#include <cairn/voxel/block.h>
#include <cairn/voxel/block_data.h>
#include <cairn/voxel/block_palette.h>
#include <cairn/voxel/chunk.h>
#include <cairn/voxel/chunk_pack.h>
#include <cairn/voxel/edit.h>
#include <cairn/voxel/edited_chunks.h>
#include <cairn/voxel/generate.h>
#include <cairn/voxel/interact.h>
#include <cairn/voxel/light.h>
#include <cairn/voxel/lod.h>
#include <cairn/voxel/mesh.h>
#include <cairn/voxel/noise.h>
#include <cairn/voxel/placement.h>
#include <cairn/voxel/tiles.h>
#include <cairn/voxel/voxels.h>
#include <cairn/voxel/water.h>

#endif
