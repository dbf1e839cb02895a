#version 460
/* Culls one view for blocks_quad_culling.glsl. */
#define CULL_ONE
#include "render/block/blocks_cull_items.glsl"
