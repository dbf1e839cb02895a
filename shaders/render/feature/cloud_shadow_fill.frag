#version 460
#include "render/feature/cloud_shadow_fill.glsl"

#include "render/core/full_screen_frag.glsl"
