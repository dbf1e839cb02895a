#version 460
#include "render/feature/taa.glsl"

#include "render/core/full_screen_comp.glsl"
