#version 460
#include "render/god_rays_blur.glsl"

#include "render/full_screen_comp.glsl"
