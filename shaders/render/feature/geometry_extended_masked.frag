#version 460
#define EXTENDED
#define MASKED
#include "render/feature/geometry_main.glsl"
