#version 460
#define BLOCK_SHADOWS
#include "render/blocks_raster.glsl"
