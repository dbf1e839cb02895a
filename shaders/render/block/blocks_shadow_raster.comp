#version 460
#define BLOCK_SHADOWS
#include "render/block/blocks_raster.glsl"
