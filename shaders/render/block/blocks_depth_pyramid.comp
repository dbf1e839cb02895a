#version 460
#include "render/block/blocks_depth_pyramid.glsl"
