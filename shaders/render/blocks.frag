#version 460
#include "render/blocks_main.glsl"
