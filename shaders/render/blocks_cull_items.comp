#version 460
/* Culls several views. */
#include "render/blocks_cull_items.glsl"
