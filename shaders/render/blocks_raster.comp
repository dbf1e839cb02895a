#version 460
#include "render/blocks_raster.glsl"
