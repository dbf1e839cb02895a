#version 460
/* Of several pictures. */
#include "render/blocks_cull_items.glsl"
