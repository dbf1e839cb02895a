#version 460
#define EXTENDED
#include "render/core/mesh_main.glsl"
