#version 460
#include "render/core/mesh_main.glsl"
