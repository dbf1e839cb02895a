#version 460
#define MASKED
#include "render/feature/lit_main.glsl"
