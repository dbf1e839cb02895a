#version 460
#define EXTENDED
#define LAYERS
#include "render/feature/lit_main.glsl"
