#version 460
#include "render/air_over.glsl"

#include "render/full_screen_frag.glsl"
