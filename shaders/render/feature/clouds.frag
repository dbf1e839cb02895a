#version 460
#include "render/feature/clouds.glsl"

#include "render/core/full_screen_frag.glsl"
