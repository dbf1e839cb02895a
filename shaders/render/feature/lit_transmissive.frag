#version 460
#define EXTENDED
#define LAYERS
#define MASKED
#define TRANSMISSIVE
#include "render/feature/lit_main.glsl"
