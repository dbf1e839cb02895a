#version 460
#include "render/block/blocks_gbuffer_main.glsl"
