#version 460
#include "render/water.glsl"

#include "render/full_screen_frag.glsl"
