/*
 * The swapchain of a window. It is created when a frame first requests its image, and recreated
 * when the window changes its size, the surface requires it, or vsync is switched.
 */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/log.h>

/* Hidden windows may provide no image for as long as this. */
#define ACQUIRE_TIMEOUT_NS 1000000000ull

static bool choose_format(const CnGpu *gpu, VkSurfaceFormatKHR *chosen)
{
    /* Shaders encode for the display themselves: they dither, and 2D is blended in display
     * space. */
    static const VkFormat preferences[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM,
                                           VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB};
    const CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkSurfaceFormatKHR formats[64];
    uint32_t count = CN_COUNT_OF(formats);
    if (vulkan->instance.GetPhysicalDeviceSurfaceFormatsKHR(
            vulkan->physical, vulkan->swapchain.surface, &count, formats) < 0)
        return false;
    for (uint32_t w = 0; w < CN_COUNT_OF(preferences); w++) {
        for (uint32_t i = 0; i < count; i++) {
            if (formats[i].format == preferences[w] &&
                formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                *chosen = formats[i];
                return true;
            }
        }
    }
    return false;
}

/* FIFO is always available. */
static VkPresentModeKHR choose_mode(const CnGpu *gpu)
{
    static const VkPresentModeKHR preferences[][2] = {
        [CN_VSYNC_ON] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_FIFO_KHR},
        [CN_VSYNC_OFF] = {VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_MAILBOX_KHR},
        [CN_VSYNC_MAILBOX] = {VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_FIFO_KHR}};
    const CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkPresentModeKHR modes[16];
    uint32_t count = CN_COUNT_OF(modes);
    if (vulkan->instance.GetPhysicalDeviceSurfacePresentModesKHR(
            vulkan->physical, vulkan->swapchain.surface, &count, modes) < 0)
        return VK_PRESENT_MODE_FIFO_KHR;
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t i = 0; i < count; i++) {
            if (modes[i] == preferences[gpu->vsync][w])
                return modes[i];
        }
    }
    return VK_PRESENT_MODE_FIFO_KHR;
}

static VkExtent2D choose_size(const CnGpu *gpu, const VkSurfaceCapabilitiesKHR *capabilities)
{
    VkExtent2D size = capabilities->currentExtent;
    if (size.width != UINT32_MAX)
        return size;
    const VkExtent2D *min = &capabilities->minImageExtent, *max = &capabilities->maxImageExtent;
    size = (VkExtent2D){gpu->vulkan->swapchain.width, gpu->vulkan->swapchain.height};
    size.width = size.width < min->width ? min->width : size.width;
    size.height = size.height < min->height ? min->height : size.height;
    size.width = size.width > max->width ? max->width : size.width;
    size.height = size.height > max->height ? max->height : size.height;
    return size;
}

/* Destroys the swapchain images immediately: the GPU is idle. */
static void release_images(CnGpu *gpu)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    for (uint32_t i = 0; i < swapchain->count; i++) {
        if (swapchain->textures[i].id)
            cni_gpu_destroy_now(gpu, CNI_GPU_OBJECT_TEXTURE,
                                cn_slot_index(swapchain->textures[i].id));
        vulkan->api.vkDestroySemaphore(vulkan->device, swapchain->drawn[i], NULL);
        swapchain->textures[i] = (CnGpuTexture){0};
        swapchain->drawn[i] = NULL;
    }
    swapchain->count = 0;
}

static bool create_images(CnGpu *gpu, const VkSwapchainCreateInfoKHR *info)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    VkImage images[CNI_GPU_VK_MAX_IMAGES];
    uint32_t count = CNI_GPU_VK_MAX_IMAGES;
    if (vulkan->api.vkGetSwapchainImagesKHR(vulkan->device, swapchain->vk, &count, images))
        return false;
    CnGpuTextureDesc desc = {.name = "window",
                             .format = cni_gpu_vk_format_from(info->imageFormat),
                             .width = info->imageExtent.width,
                             .height = info->imageExtent.height,
                             .usage = CN_GPU_USE_ATTACHMENT};
    if (info->imageUsage & VK_IMAGE_USAGE_TRANSFER_DST_BIT)
        desc.usage |= CN_GPU_USE_COPY_TO;
    VkSemaphoreCreateInfo drawn = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i < count; i++) {
        swapchain->count = i + 1;
        CniGpuTexture *texture = cni_gpu_swapchain_texture(gpu, &desc, &swapchain->textures[i]);
        if (!texture ||
            vulkan->api.vkCreateSemaphore(vulkan->device, &drawn, NULL, &swapchain->drawn[i]))
            return false;
        texture->vk = images[i];
        CNI_GPU_VK_NAME(gpu, IMAGE, images[i], "window");
        CNI_GPU_VK_NAME(gpu, SEMAPHORE, swapchain->drawn[i], "drawn");
    }
    return true;
}

static bool make_swapchain(CnGpu *gpu, const VkSurfaceCapabilitiesKHR *capabilities,
                           VkSurfaceFormatKHR format)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    uint32_t count = capabilities->minImageCount + 1;
    if (capabilities->maxImageCount && count > capabilities->maxImageCount)
        count = capabilities->maxImageCount;
    VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = swapchain->surface,
        .minImageCount = count,
        .imageFormat = format.format,
        .imageColorSpace = format.colorSpace,
        .imageExtent = choose_size(gpu, capabilities),
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                      (capabilities->supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT),
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = capabilities->currentTransform,
        .compositeAlpha = capabilities->supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .presentMode = choose_mode(gpu),
        .clipped = VK_TRUE,
        .oldSwapchain = swapchain->vk};
    if (!info.imageExtent.width || !info.imageExtent.height)
        return false;
    VkSwapchainKHR made = NULL;
    VkResult result = vulkan->api.vkCreateSwapchainKHR(vulkan->device, &info, NULL, &made);
    vulkan->api.vkDestroySwapchainKHR(vulkan->device, swapchain->vk, NULL);
    swapchain->vk = made;
    if (result) {
        CN_LOG_WARNING("gpu", "the swapchain cannot be created: %s (%d)",
                       cni_gpu_vk_result_name(result), (int)result);
        gpu->is_lost |= result == VK_ERROR_DEVICE_LOST;
        return false;
    }
    CNI_GPU_VK_NAME(gpu, SWAPCHAIN_KHR, made, "window");
    return create_images(gpu, &info);
}

/* Returns false when there is nothing to draw on. */
static bool renew(CnGpu *gpu, uint32_t width, uint32_t height)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    if (vulkan->api.vkQueueWaitIdle(vulkan->queue)) {
        gpu->is_lost = true;
        return false;
    }
    release_images(gpu);
    swapchain->width = width;
    swapchain->height = height;
    swapchain->is_stale = true;
    VkSurfaceCapabilitiesKHR capabilities;
    VkSurfaceFormatKHR format;
    if (vulkan->instance.GetPhysicalDeviceSurfaceCapabilitiesKHR(
            vulkan->physical, swapchain->surface, &capabilities) ||
        !choose_format(gpu, &format) || !make_swapchain(gpu, &capabilities, format)) {
        release_images(gpu);
        return false;
    }
    swapchain->is_stale = false;
    return true;
}

CnGpuTexture cni_gpu_vk_window_texture(CnGpu *gpu)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    CnGpuTexture none = {0};
    uint32_t width = 0, height = 0;
    gpu->window.size(&width, &height, gpu->window.user);
    if (!width || !height)
        return none; /* minimized */
    bool is_other = width != swapchain->width || height != swapchain->height;
    for (uint32_t attempt = 0; attempt < 2; attempt++) {
        if ((!swapchain->count || is_other || swapchain->is_stale) && !renew(gpu, width, height))
            return none;
        is_other = false;
        VkResult result = vulkan->api.vkAcquireNextImageKHR(
            vulkan->device, swapchain->vk, ACQUIRE_TIMEOUT_NS,
            vulkan->frames[gpu->frame % CN_GPU_FRAMES].acquired, NULL, &swapchain->image);
        if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR) {
            swapchain->is_acquired = true;
            return swapchain->textures[swapchain->image];
        }
        gpu->is_lost |= result == VK_ERROR_DEVICE_LOST;
        if (result != VK_ERROR_OUT_OF_DATE_KHR)
            return none;
        swapchain->is_stale = true;
    }
    return none;
}

void cni_gpu_vk_vsync_changed(CnGpu *gpu)
{
    gpu->vulkan->swapchain.is_stale = true;
}

bool cni_gpu_vk_present(CnGpu *gpu, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                             .waitSemaphoreCount = 1,
                             .pWaitSemaphores = &swapchain->drawn[swapchain->image],
                             .swapchainCount = 1,
                             .pSwapchains = &swapchain->vk,
                             .pImageIndices = &swapchain->image};
    VkResult result = vulkan->api.vkQueuePresentKHR(vulkan->queue, &info);
    swapchain->is_acquired = false;
    if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) {
        swapchain->is_stale = true;
        return true;
    }
    return !result || cni_gpu_vk_error(gpu, result, "presenting a frame", error);
}

void cni_gpu_vk_swapchain_destroy(CnGpu *gpu)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    CniGpuVkSwapchain *swapchain = &vulkan->swapchain;
    for (uint32_t i = 0; i < swapchain->count; i++)
        vulkan->api.vkDestroySemaphore(vulkan->device, swapchain->drawn[i], NULL);
    if (swapchain->vk)
        vulkan->api.vkDestroySwapchainKHR(vulkan->device, swapchain->vk, NULL);
}
