/*
 * cairn/gpu: a thin, checked layer over Vulkan: device, memory, pipelines, commands. The render
 * graph builds on it.
 */
#ifndef CAIRN_GPU_H
#define CAIRN_GPU_H

#include <cairn/gpu/commands.h>
#include <cairn/gpu/device.h>
#include <cairn/gpu/format.h>
#include <cairn/gpu/pipeline.h>

#endif
