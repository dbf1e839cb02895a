/* cairn/render: the renderer, its features and the render graph, on top of cairn/gpu. */
#ifndef CAIRN_RENDER_H
#define CAIRN_RENDER_H

#include <cairn/render/atmosphere.h>
#include <cairn/render/block_models.h>
#include <cairn/render/blocks.h>
#include <cairn/render/canvas.h>
#include <cairn/render/features.h>
#include <cairn/render/font.h>
#include <cairn/render/frame.h>
#include <cairn/render/full_screen.h>
#include <cairn/render/graph.h>
#include <cairn/render/material.h>
#include <cairn/render/mesh.h>
#include <cairn/render/model.h>
#include <cairn/render/particles.h>
#include <cairn/render/presets.h>
#include <cairn/render/preview.h>
#include <cairn/render/renderer.h>
#include <cairn/render/shader.h>

#endif
