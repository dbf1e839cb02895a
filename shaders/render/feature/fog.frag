#version 460
#include "render/feature/fog.glsl"

#include "render/core/full_screen_frag.glsl"
