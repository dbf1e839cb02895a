#version 460
#include "render/water_depth.glsl"

#include "render/full_screen_comp.glsl"
