#version 460
#include "render/fog.glsl"

#include "render/full_screen_frag.glsl"
