/* Internals shared by the files of the Vulkan backend. */
#ifndef CAIRN_SRC_GPU_VULKAN_VK_INTERNAL_H
#define CAIRN_SRC_GPU_VULKAN_VK_INTERNAL_H

#include "gpu/gpu_internal.h"

#include <volk.h>

#define CNI_GPU_VK_MAX_IMAGES 8u /* of a swapchain */

/* Each CnGpu has its own functions: volk's globals would belong to the last instance. */
#define CNI_GPU_VK_INSTANCE_FUNCTIONS(X)                                                           \
    X(DestroyInstance)                                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceFeatures2)                                                                  \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(GetPhysicalDeviceImageFormatProperties)                                                      \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(CreateDevice)                                                                                \
    X(GetDeviceProcAddr)                                                                           \
    X(CreateDebugUtilsMessengerEXT)                                                                \
    X(DestroyDebugUtilsMessengerEXT)                                                               \
    X(SetDebugUtilsObjectNameEXT)                                                                  \
    X(CmdBeginDebugUtilsLabelEXT)                                                                  \
    X(CmdEndDebugUtilsLabelEXT)                                                                    \
    X(DestroySurfaceKHR)                                                                           \
    X(GetPhysicalDeviceSurfaceSupportKHR)                                                          \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR)                                                     \
    X(GetPhysicalDeviceSurfaceFormatsKHR)                                                          \
    X(GetPhysicalDeviceSurfacePresentModesKHR)

typedef struct CniGpuVkInstance {
    VkInstance vk;
    bool has_debug_utils;
    bool has_validation;
    VkDebugUtilsMessengerEXT messenger;
#define CNI_DECLARE(name) PFN_vk##name name;
    CNI_GPU_VK_INSTANCE_FUNCTIONS(CNI_DECLARE)
#undef CNI_DECLARE
} CniGpuVkInstance;

/* An available device. */
typedef struct CniGpuVkCandidate {
    VkPhysicalDevice vk;
    CnGpuInfo info;
    uint32_t family;  /* of the queue for graphics, compute and, with a window, presenting */
    char missing[96]; /* why it cannot be used; empty: it can */
} CniGpuVkCandidate;

typedef struct CniGpuVkFrame {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkQueryPool timers;
    VkSemaphore acquired;
} CniGpuVkFrame;

typedef struct CniGpuVkSwapchain {
    VkSurfaceKHR surface;
    VkSwapchainKHR vk;
    uint32_t width, height; /* of the window when the swapchain was created */
    uint32_t count;
    CnGpuTexture textures[CNI_GPU_VK_MAX_IMAGES];
    VkSemaphore drawn[CNI_GPU_VK_MAX_IMAGES];
    uint32_t image;   /* of this frame */
    bool is_acquired; /* by this frame */
    bool is_stale;    /* must be recreated */
} CniGpuVkSwapchain;

struct CniGpuVulkanDevice {
    CniGpuVkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceProperties properties;
    bool prefers_dedicated[2];
    VkDevice device;
    struct VolkDeviceTable api;
    VkQueue queue;
    uint32_t family;
    uint32_t heap_types; /* memory types that every resource in a heap can use */
    VkSemaphore timeline;
    uint64_t submitted; /* frames */
    CniGpuVkFrame frames[CN_GPU_FRAMES];
    VkCommandBuffer commands;   /* of this frame */
    VkPipelineLayout constants; /* compatible with all layouts, for push constants */
    VkPipelineCache cache;
    uint64_t cache_hash; /* of the file's content */
    CniGpuVkSwapchain swapchain;
};

/* Fills the error with what failed and why; records a lost device. Returns false. */
bool cni_gpu_vk_error(CnGpu *gpu, VkResult result, const char *what, CnError *error);
const char *cni_gpu_vk_result_name(VkResult result);
/* Names an object for debugging tools and messages. */
void cni_gpu_vk_name(const CnGpu *gpu, VkObjectType type, uint64_t object, const char *name);
#define CNI_GPU_VK_NAME(gpu, type, object, name)                                                   \
    cni_gpu_vk_name(gpu, VK_OBJECT_TYPE_##type, (uint64_t)(uintptr_t)(object), name)

/* vk_instance.c. With `gpu`, messages of the validation layer are counted there. */
bool cni_gpu_vk_instance_create(CniGpuVkInstance *instance, CnGpu *gpu, const CnGpuDesc *desc,
                                CnError *error);
void cni_gpu_vk_instance_destroy(CniGpuVkInstance *instance);
bool cni_gpu_vk_load_device(CniGpuVkInstance *instance, VkDevice device,
                            struct VolkDeviceTable *api);

/* vk_device_select.c */
#define CNI_GPU_VK_MAX_DEVICES 16u
bool cni_gpu_vk_enumerate_devices(const CniGpuVkInstance *instance, VkSurfaceKHR surface,
                                  CniGpuVkCandidate candidates[CNI_GPU_VK_MAX_DEVICES],
                                  uint32_t *count, CnError *error);
bool cni_gpu_vk_select_device(const CniGpuVkCandidate *candidates, uint32_t count,
                              const char *requested, uint32_t *chosen, CnError *error);

/* vk_features.c */
typedef struct CniGpuVkFeatures {
    VkPhysicalDeviceFeatures2 base;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
} CniGpuVkFeatures;
/* Returns the first missing feature; NULL when none is missing. */
const char *cni_gpu_vk_missing_feature(const CniGpuVkInstance *instance, VkPhysicalDevice device);
/* Fills in the features that are used, as far as the device has them. `features` is chained
 * internally. */
void cni_gpu_vk_enabled_features(const CniGpuVkInstance *instance, VkPhysicalDevice device,
                                 CniGpuVkFeatures *features);

/* vk_format.c */
VkFormat cni_gpu_vk_format(CnGpuFormat format);
CnGpuFormat cni_gpu_vk_format_from(VkFormat format);
VkCompareOp cni_gpu_vk_compare(CnGpuCompare compare);

/* vk_memory.c */
uint32_t cni_gpu_vk_memory_types(const CnGpu *gpu, const CniGpuMemoryRequest *need,
                                 uint32_t types[32]);
uint64_t cni_gpu_vk_block_bytes(const CnGpu *gpu, uint32_t type);
bool cni_gpu_vk_block_create(CnGpu *gpu, CniGpuMemoryBlock *block, const CniGpuMemoryRequest *need);
void cni_gpu_vk_block_destroy(CnGpu *gpu, CniGpuMemoryBlock *block);
CniGpuMemoryRequest cni_gpu_vk_heap_memory_request(CnGpu *gpu, uint64_t size);
bool cni_gpu_vk_find_heap_types(CnGpu *gpu, CnError *error);

/* vk_resource.c */
bool cni_gpu_vk_buffer_memory_requirements(CnGpu *gpu, const CnGpuBufferDesc *desc,
                                           CnGpuMemoryRequirements *need);
bool cni_gpu_vk_texture_memory_requirements(CnGpu *gpu, const CnGpuTextureDesc *desc,
                                            CnGpuMemoryRequirements *need);
bool cni_gpu_vk_buffer_create(CnGpu *gpu, CniGpuBuffer *buffer, const CniGpuHeap *heap,
                              uint64_t offset, CnError *error);
bool cni_gpu_vk_texture_create(CnGpu *gpu, CniGpuTexture *texture, const CniGpuHeap *heap,
                               uint64_t offset, CnError *error);
bool cni_gpu_vk_sampler_create(CnGpu *gpu, CniGpuSampler *sampler, CnError *error);
void cni_gpu_vk_buffer_destroy(CnGpu *gpu, CniGpuBuffer *buffer);
void cni_gpu_vk_texture_destroy(CnGpu *gpu, CniGpuTexture *texture);
void cni_gpu_vk_sampler_destroy(CnGpu *gpu, CniGpuSampler *sampler);
VkImageCreateInfo cni_gpu_vk_image_info(const CnGpuTextureDesc *desc);
VkBufferCreateInfo cni_gpu_vk_buffer_info(const CnGpuBufferDesc *desc);

/* vk_image_view.c: created on first use, kept as long as the texture. Null handles when the driver
 * is out of memory; the device then counts as lost. */
VkImageView cni_gpu_vk_sampled_view(CnGpu *gpu, CniGpuTexture *texture, uint32_t mip,
                                    uint32_t mip_count);
VkImageView cni_gpu_vk_storage_view(CnGpu *gpu, CniGpuTexture *texture, uint32_t mip);
VkImageView cni_gpu_vk_attachment_view(CnGpu *gpu, CniGpuTexture *texture, uint32_t mip,
                                       uint32_t layer, uint32_t layer_count);

/* vk_pipeline.c */
bool cni_gpu_vk_graphics_create(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                                CnError *error);
bool cni_gpu_vk_compute_create(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuComputeDesc *desc,
                               CnError *error);
void cni_gpu_vk_pipeline_destroy(CnGpu *gpu, CniGpuPipeline *pipeline);
VkPushConstantRange cni_gpu_vk_constant_range(void);

/* vk_pipeline_cache.c */
bool cni_gpu_vk_cache_create(CnGpu *gpu, CnError *error);
bool cni_gpu_vk_save_pipelines(CnGpu *gpu, CnError *error);

/* vk_barrier.c */
void cni_gpu_vk_barriers(CnGpu *gpu, const CniGpuBarrier *barriers, uint32_t count);
VkImageLayout cni_gpu_vk_layout(CnGpuAccess access, bool is_depth);

/* vk_swapchain.c */
void cni_gpu_vk_swapchain_destroy(CnGpu *gpu);
CnGpuTexture cni_gpu_vk_window_texture(CnGpu *gpu);
void cni_gpu_vk_vsync_changed(CnGpu *gpu);
/* Called after the submission. */
bool cni_gpu_vk_present(CnGpu *gpu, CnError *error);

/* vk_frame.c */
bool cni_gpu_vk_frames_create(CnGpu *gpu, CnError *error);
void cni_gpu_vk_frames_destroy(CnGpu *gpu);
bool cni_gpu_vk_frame_begin(CnGpu *gpu, CnError *error);
bool cni_gpu_vk_frame_end(CnGpu *gpu, CnError *error);
bool cni_gpu_vk_wait(CnGpu *gpu, CnError *error);
uint64_t cni_gpu_vk_frame_done(const CnGpu *gpu);
bool cni_gpu_vk_read_timers(CnGpu *gpu, uint32_t frame_slot, uint32_t count, uint64_t (*times)[2]);
void cni_gpu_vk_timestamp(CnGpu *gpu, uint32_t timer, bool is_end);

/* vk_commands.c */
extern const CniGpuBackend cni_gpu_vk_backend;
void cni_gpu_vk_destroy(CnGpu *gpu);

#endif
