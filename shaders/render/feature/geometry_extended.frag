#version 460
#define EXTENDED
#include "render/feature/geometry_main.glsl"
