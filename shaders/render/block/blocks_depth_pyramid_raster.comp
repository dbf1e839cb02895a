#version 460
#define OF_QUADS
#include "render/block/blocks_depth_pyramid.glsl"
