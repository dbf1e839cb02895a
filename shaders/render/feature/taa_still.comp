#version 460
#define TAA_STILL
#include "render/feature/taa.glsl"

#include "render/core/full_screen_comp.glsl"
