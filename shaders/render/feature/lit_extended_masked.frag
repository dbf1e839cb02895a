#version 460
#define EXTENDED
#define LAYERS
#define MASKED
#include "render/feature/lit_main.glsl"
