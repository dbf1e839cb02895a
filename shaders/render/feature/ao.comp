#version 460
#include "render/feature/ao.glsl"

#include "render/core/full_screen_comp.glsl"
