/* Frames: command buffers, submission, the timeline semaphore, timers. */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/clock.h>

/* A wait for the GPU polls every 0.1 ms, and blocks in the driver after 20 ms. */
#define POLL_NS 100000u
#define POLLS 200u

static CniGpuVkFrame *frame_slot(const CnGpu *gpu)
{
    return &gpu->vulkan->frames[gpu->frame % CN_GPU_FRAMES];
}

static VkResult make_frame(CniGpuVulkanDevice *vulkan, CniGpuVkFrame *frame)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                    .queueFamilyIndex = vulkan->family};
    VkResult result = vulkan->api.vkCreateCommandPool(vulkan->device, &pool, NULL, &frame->pool);
    if (result)
        return result;
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = frame->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    result = vulkan->api.vkAllocateCommandBuffers(vulkan->device, &commands, &frame->commands);
    if (result)
        return result;
    VkQueryPoolCreateInfo timers = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                    .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                    .queryCount = 2 * CN_GPU_MAX_TIMERS};
    result = vulkan->api.vkCreateQueryPool(vulkan->device, &timers, NULL, &frame->timers);
    if (result)
        return result;
    VkSemaphoreCreateInfo acquired = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return vulkan->api.vkCreateSemaphore(vulkan->device, &acquired, NULL, &frame->acquired);
}

bool cni_gpu_vk_frames_create(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkResult result = vulkan->api.vkCreateSemaphore(vulkan->device, &info, NULL, &vulkan->timeline);
    for (uint32_t i = 0; i < CN_GPU_FRAMES && !result; i++) {
        result = make_frame(vulkan, &vulkan->frames[i]);
        if (result)
            break;
        CNI_GPU_VK_NAME(gpu, COMMAND_POOL, vulkan->frames[i].pool, "frame");
        CNI_GPU_VK_NAME(gpu, COMMAND_BUFFER, vulkan->frames[i].commands, "frame");
        CNI_GPU_VK_NAME(gpu, QUERY_POOL, vulkan->frames[i].timers, "timers");
        CNI_GPU_VK_NAME(gpu, SEMAPHORE, vulkan->frames[i].acquired, "acquired");
    }
    if (result)
        return cni_gpu_vk_error(gpu, result, "frames", error);
    CNI_GPU_VK_NAME(gpu, SEMAPHORE, vulkan->timeline, "frames");
    return true;
}

void cni_gpu_vk_frames_destroy(CnGpu *gpu)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    for (uint32_t i = 0; i < CN_GPU_FRAMES; i++) {
        CniGpuVkFrame *frame = &vulkan->frames[i];
        vulkan->api.vkDestroyCommandPool(vulkan->device, frame->pool, NULL);
        vulkan->api.vkDestroyQueryPool(vulkan->device, frame->timers, NULL);
        vulkan->api.vkDestroySemaphore(vulkan->device, frame->acquired, NULL);
    }
    vulkan->api.vkDestroySemaphore(vulkan->device, vulkan->timeline, NULL);
}

uint64_t cni_gpu_vk_frame_done(const CnGpu *gpu)
{
    uint64_t done = 0;
    VkResult result = gpu->vulkan->api.vkGetSemaphoreCounterValue(gpu->vulkan->device,
                                                                  gpu->vulkan->timeline, &done);
    return result ? 0 : done;
}

/* Returns when a frame is done, or after a while. NVIDIA's driver 580 sometimes returns from a wait
 * 2 to 8 ms after the GPU is done, and keeps a core busy during waits with a timeout. */
static void poll_for(const CnGpu *gpu, uint64_t frame)
{
    for (uint32_t i = 0; i < POLLS && cni_gpu_vk_frame_done(gpu) < frame; i++)
        cn_clock_sleep_ns(POLL_NS);
}

static bool wait_for(CnGpu *gpu, uint64_t frame, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &vulkan->timeline,
                                .pValues = &frame};
    poll_for(gpu, frame);
    VkResult result = vulkan->api.vkWaitSemaphores(vulkan->device, &info, UINT64_MAX);
    return !result || cni_gpu_vk_error(gpu, result, "waiting for a frame", error);
}

bool cni_gpu_vk_wait(CnGpu *gpu, CnError *error)
{
    return wait_for(gpu, gpu->vulkan->submitted, error);
}

bool cni_gpu_vk_frame_begin(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkFrame *frame = frame_slot(gpu);
    if (gpu->frame > CN_GPU_FRAMES && !wait_for(gpu, gpu->frame - CN_GPU_FRAMES, error))
        return false;
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkResult result = vulkan->api.vkResetCommandPool(vulkan->device, frame->pool, 0);
    if (!result)
        result = vulkan->api.vkBeginCommandBuffer(frame->commands, &info);
    if (result)
        return cni_gpu_vk_error(gpu, result, "recording the commands of a frame", error);
    vulkan->commands = frame->commands;
    vulkan->swapchain.is_acquired = false;
    vulkan->api.vkCmdResetQueryPool(frame->commands, frame->timers, 0, 2 * CN_GPU_MAX_TIMERS);
    return true;
}

static VkResult submit(CnGpu *gpu, CniGpuVkFrame *frame)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    const CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    VkCommandBufferSubmitInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = frame->commands};
    VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                  .semaphore = frame->acquired,
                                  .stageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT};
    VkSemaphoreSubmitInfo signals[2] = {
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = vulkan->timeline,
         .value = gpu->frame,
         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
        {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
         .semaphore = swapchain->is_acquired ? swapchain->drawn[swapchain->image] : NULL,
         .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .waitSemaphoreInfoCount = swapchain->is_acquired ? 1 : 0,
                          .pWaitSemaphoreInfos = &wait,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &commands,
                          .signalSemaphoreInfoCount = swapchain->is_acquired ? 2 : 1,
                          .pSignalSemaphoreInfos = signals};
    return vulkan->api.vkQueueSubmit2(vulkan->queue, 1, &info, NULL);
}

bool cni_gpu_vk_frame_end(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkFrame *frame = frame_slot(gpu);
    VkResult result = vulkan->api.vkEndCommandBuffer(frame->commands);
    vulkan->commands = NULL;
    if (gpu->is_lost)
        return cni_gpu_error_device_lost(error);
    if (!result)
        result = submit(gpu, frame);
    if (result) {
        /* Frames that wait for this one would wait forever. */
        gpu->is_lost = true;
        return cni_gpu_vk_error(gpu, result, "submitting a frame", error);
    }
    vulkan->submitted = gpu->frame;
    return !vulkan->swapchain.is_acquired || cni_gpu_vk_present(gpu, error);
}

void cni_gpu_vk_timestamp(CnGpu *gpu, uint32_t timer, bool is_end)
{
    if (gpu->info.timestamp_ns > 0.0f)
        gpu->vulkan->api.vkCmdWriteTimestamp2(gpu->vulkan->commands,
                                              VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                              frame_slot(gpu)->timers, 2 * timer + is_end);
}

bool cni_gpu_vk_read_timers(CnGpu *gpu, uint32_t frame_slot_index, uint32_t count,
                            uint64_t (*times)[2])
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    if (!(gpu->info.timestamp_ns > 0.0f))
        return false;
    VkResult result = vulkan->api.vkGetQueryPoolResults(
        vulkan->device, vulkan->frames[frame_slot_index].timers, 0, 2 * count,
        count * sizeof *times, times, sizeof times[0][0], VK_QUERY_RESULT_64_BIT);
    return result == VK_SUCCESS;
}
