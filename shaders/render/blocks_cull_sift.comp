#version 460
/* Culls one view for blocks_sift.glsl. */
#define CULL_ONE
#include "render/blocks_cull_items.glsl"
