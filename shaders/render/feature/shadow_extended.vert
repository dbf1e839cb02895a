#version 460
#define EXTENDED
#include "render/feature/shadow_main.glsl"
