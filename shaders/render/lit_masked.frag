#version 460
#define MASKED
#include "render/lit_main.glsl"
