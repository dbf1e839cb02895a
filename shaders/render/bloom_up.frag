#version 460
#include "render/bloom_up.glsl"

#include "render/full_screen_frag.glsl"
