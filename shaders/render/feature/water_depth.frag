#version 460
#include "render/feature/water_depth.glsl"

#include "render/core/full_screen_frag.glsl"
