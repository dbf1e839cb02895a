#version 460
#include "render/block/blocks_raster.glsl"
