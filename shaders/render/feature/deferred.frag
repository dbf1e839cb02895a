#version 460
#include "render/feature/deferred.glsl"

#include "render/core/full_screen_frag.glsl"
