#version 460
#define TAA_STILL
#include "render/taa.glsl"

#include "render/full_screen_frag.glsl"
