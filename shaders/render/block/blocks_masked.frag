#version 460
#define CUT_OUT
#include "render/block/blocks_gbuffer_main.glsl"
