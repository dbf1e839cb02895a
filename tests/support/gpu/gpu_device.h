/*
 * A GPU for tests. Those on Vulkan run with the validation layer, and fail on anything it says;
 * they are skipped only where there is no Vulkan device at all.
 */
#ifndef CAIRN_TESTS_SUPPORT_GPU_GPU_DEVICE_H
#define CAIRN_TESTS_SUPPORT_GPU_GPU_DEVICE_H

#include "cmocka_tests.h"

#include <cairn/gpu.h>

/* NULL where there is none, and the test is counted as skipped. `desc` may be NULL. Unless it names
 * an allocator, the blocks of the device are counted. */
CnGpu *make_vulkan(const CnGpuDesc *desc);
/* Fails the test if something was wrong, or if a block of a device of make_vulkan is left. */
void end_gpu(CnGpu *gpu);
CnGpu *make_null(void);
/* As when a driver gives up. */
void lose_gpu(CnGpu *gpu);

/* A whole frame that copies out of what was recorded before, and waits for it. */
CnGpuBuffer make_readback(CnGpu *gpu, uint64_t size);
/* Begins a frame; fails the test if it cannot. */
CnGpuCommands *begin_frame(CnGpu *gpu);
/* Ends it and waits. */
void end_frame(CnGpu *gpu);
void buffer_barrier(CnGpuCommands *commands, CnGpuBuffer buffer, CnGpuAccess before,
                    CnGpuAccess after);
void texture_barrier(CnGpuCommands *commands, CnGpuTexture texture, CnGpuAccess before,
                     CnGpuAccess after);

#endif
