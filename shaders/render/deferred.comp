#version 460
#include "render/deferred.glsl"

#include "render/full_screen_comp.glsl"
