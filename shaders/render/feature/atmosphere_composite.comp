#version 460
#include "render/feature/atmosphere_composite.glsl"

#include "render/core/full_screen_comp.glsl"
