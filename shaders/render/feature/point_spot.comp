#version 460
#include "render/feature/point_spot.glsl"

#include "render/core/full_screen_comp.glsl"
