#version 460
#include "render/feature/ao_upsample.glsl"

#include "render/core/full_screen_comp.glsl"
