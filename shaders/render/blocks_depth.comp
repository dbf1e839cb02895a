#version 460
#include "render/blocks_depth.glsl"
