#version 460
#include "render/ao.glsl"

#include "render/full_screen_frag.glsl"
