#version 460
#include "render/bloom_first.glsl"

#include "render/full_screen_comp.glsl"
