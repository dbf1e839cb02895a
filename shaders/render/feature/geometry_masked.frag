#version 460
#define MASKED
#include "render/feature/geometry_main.glsl"
