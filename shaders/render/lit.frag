#version 460
#include "render/lit_main.glsl"
