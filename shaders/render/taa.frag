#version 460
#include "render/taa.glsl"

#include "render/full_screen_frag.glsl"
