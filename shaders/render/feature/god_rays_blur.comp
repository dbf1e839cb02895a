#version 460
#include "render/feature/god_rays_blur.glsl"

#include "render/core/full_screen_comp.glsl"
