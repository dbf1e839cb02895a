#version 460
#include "render/feature/bloom_first.glsl"

#include "render/core/full_screen_comp.glsl"
