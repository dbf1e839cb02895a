#version 460
#include "render/ao_blur.glsl"

#include "render/full_screen_comp.glsl"
