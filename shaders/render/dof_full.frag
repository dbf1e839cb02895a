#version 460
#include "render/dof_full.glsl"

#include "render/full_screen_frag.glsl"
