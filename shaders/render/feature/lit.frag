#version 460
#include "render/feature/lit_main.glsl"
