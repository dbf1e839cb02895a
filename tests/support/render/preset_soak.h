/*
 * Runs a preset for many small frames on Vulkan with validation, with changing sizes and features
 * and moving objects and lights. Fails the test if a message is logged, memory grows, or a steady
 * frame allocates.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_PRESET_SOAK_H
#define CAIRN_TESTS_SUPPORT_RENDER_PRESET_SOAK_H

#include "render_fixture.h"

/* Does nothing if there is no Vulkan device. */
void preset_soak(CnPreset preset, RenderBackend backend, uint32_t frames);

#endif
