#version 460
#include "render/feature/bloom_down.glsl"

#include "render/core/full_screen_frag.glsl"
