#version 460
#define BLOCK_SHADOWS
#define BLOCK_TILES
#include "render/block/blocks_raster.glsl"
