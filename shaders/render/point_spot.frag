#version 460
#include "render/point_spot.glsl"

#include "render/full_screen_frag.glsl"
