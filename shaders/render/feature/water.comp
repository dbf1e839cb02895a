#version 460
#include "render/feature/water.glsl"

#include "render/core/full_screen_comp.glsl"
