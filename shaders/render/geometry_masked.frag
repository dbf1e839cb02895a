#version 460
#define MASKED
#include "render/geometry_main.glsl"
