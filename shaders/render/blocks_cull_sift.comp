#version 460
/* Of one picture, for blocks_sift.glsl. */
#define CULL_ONE
#include "render/blocks_cull_items.glsl"
