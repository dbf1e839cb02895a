#version 460
#include "render/feature/cloud_noise.glsl"

#include "render/core/full_screen_comp.glsl"
