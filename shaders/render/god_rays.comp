#version 460
#include "render/god_rays.glsl"

#include "render/full_screen_comp.glsl"
