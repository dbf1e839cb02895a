#version 460
#include "render/feature/dof_half.glsl"

#include "render/core/full_screen_comp.glsl"
