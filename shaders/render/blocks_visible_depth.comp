#version 460
#define OF_QUADS
#include "render/blocks_depth.glsl"
