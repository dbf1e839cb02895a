#version 460
#include "render/feature/ao_blur.glsl"

#include "render/core/full_screen_comp.glsl"
