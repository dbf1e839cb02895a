#version 460
#include "render/dof_blur.glsl"

#include "render/full_screen_comp.glsl"
