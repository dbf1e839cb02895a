#version 460
#include "render/clouds.glsl"

#include "render/full_screen_frag.glsl"
