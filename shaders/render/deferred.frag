#version 460
#include "render/deferred.glsl"

#include "render/full_screen_frag.glsl"
