#version 460
#include "render/cloud_shadow_fill.glsl"

#include "render/full_screen_comp.glsl"
