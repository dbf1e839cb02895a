#version 460
#include "render/geometry_main.glsl"
