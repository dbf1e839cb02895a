#version 460
#include "render/bloom_down.glsl"

#include "render/full_screen_frag.glsl"
