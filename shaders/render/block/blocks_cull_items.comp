#version 460
/* Culls several views. */
#include "render/block/blocks_cull_items.glsl"
