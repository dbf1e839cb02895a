#version 460
#include "render/blocks_lit.glsl"
