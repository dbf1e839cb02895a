#version 460
#include "render/feature/geometry_main.glsl"
