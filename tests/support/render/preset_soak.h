/*
 * A preset through many frames on a small picture, on Vulkan with validation: sizes and features
 * change all the time, things and lights move. Fails the test when something is said, grows, or
 * calls the heap in a steady frame.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_PRESET_SOAK_H
#define CAIRN_TESTS_SUPPORT_RENDER_PRESET_SOAK_H

#include "render_fixture.h"

/* Nothing where there is no Vulkan device. */
void preset_soak(CnPreset preset, RenderBackend backend, uint32_t frames);

#endif
