#version 460
#define CUT_OUT
#include "render/blocks_lit.glsl"
