#version 460
#include "render/feature/shadow_main.glsl"
