#version 460
#include "render/feature/god_rays.glsl"

#include "render/core/full_screen_frag.glsl"
