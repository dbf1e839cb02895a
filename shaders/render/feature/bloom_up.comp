#version 460
#include "render/feature/bloom_up.glsl"

#include "render/core/full_screen_comp.glsl"
