#version 460
#include "render/ao_full.glsl"

#include "render/full_screen_frag.glsl"
