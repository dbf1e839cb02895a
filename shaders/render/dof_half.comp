#version 460
#include "render/dof_half.glsl"

#include "render/full_screen_comp.glsl"
