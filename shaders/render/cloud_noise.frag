#version 460
#include "render/cloud_noise.glsl"

#include "render/full_screen_frag.glsl"
