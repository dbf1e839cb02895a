/* Vulkan's loader and instance, and the messages of the validation layer. */
#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <pthread.h>

#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"
#define MAX_EXTENSIONS 24u

/* volk keeps the loader's functions in global variables, which are set once. */
static pthread_mutex_t volk_lock = PTHREAD_MUTEX_INITIALIZER;

static bool load_vulkan(CnError *error)
{
    static bool is_loaded;
    pthread_mutex_lock(&volk_lock);
    if (!is_loaded)
        is_loaded = volkInitialize() == VK_SUCCESS;
    bool ok = is_loaded;
    pthread_mutex_unlock(&volk_lock);
    if (!ok)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "Vulkan is not installed: there is no libvulkan.so.1");
    return true;
}

bool cni_gpu_vk_load_device(CniGpuVkInstance *instance, VkDevice device,
                            struct VolkDeviceTable *api)
{
    pthread_mutex_lock(&volk_lock);
    vkGetDeviceProcAddr = instance->GetDeviceProcAddr;
    volkLoadDeviceTable(api, device);
    pthread_mutex_unlock(&volk_lock);
    return api->vkQueueSubmit2 && api->vkCmdBeginRendering && api->vkCmdPushDescriptorSetKHR;
}

const char *cni_gpu_vk_result_name(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "out of memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
        return "the device is lost";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "a layer is not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "an extension is not present";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "a feature is not present";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "the driver is incompatible";
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
        return "the format is not supported";
    case VK_ERROR_SURFACE_LOST_KHR:
        return "the window is lost";
    case VK_ERROR_OUT_OF_DATE_KHR:
        return "the swapchain is out of date";
    default:
        return "unknown error";
    }
}

bool cni_gpu_vk_error(CnGpu *gpu, VkResult result, const char *what, CnError *error)
{
    if (result == VK_ERROR_DEVICE_LOST) {
        gpu->is_lost = true;
        return cni_gpu_error_device_lost(error);
    }
    bool is_memory =
        result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return cn_error_set(error, is_memory ? CN_ERROR_MEMORY : CN_ERROR_IO, "Vulkan: %s: %s (%d)",
                        what, cni_gpu_vk_result_name(result), (int)result);
}

void cni_gpu_vk_name(const CnGpu *gpu, VkObjectType type, uint64_t object, const char *name)
{
    const CniGpuVulkanDevice *vulkan = gpu->vulkan;
    if (!vulkan->instance.has_debug_utils)
        return;
    VkDebugUtilsObjectNameInfoEXT info = {.sType =
                                              VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = type,
                                          .objectHandle = object,
                                          .pObjectName = name};
    vulkan->instance.SetDebugUtilsObjectNameEXT(vulkan->device, &info);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_validation_message(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    CnGpu *gpu = user;
    (void)types;
    atomic_fetch_add(&gpu->validation_messages, 1);
    CnLogLevel level = severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
                           ? CN_LOG_LEVEL_ERROR
                           : CN_LOG_LEVEL_WARNING;
    CN_LOG(level, "gpu", "validation: %s", data->pMessage);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(CnGpu *gpu)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_validation_message,
        .pUserData = gpu};
}

static bool has_layer(const char *name)
{
    VkLayerProperties layers[64];
    uint32_t count = CN_COUNT_OF(layers);
    if (vkEnumerateInstanceLayerProperties(&count, layers) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(layers[i].layerName, name))
            return true;
    }
    return false;
}

static bool has_extension(const char *name)
{
    VkExtensionProperties extensions[256];
    uint32_t count = CN_COUNT_OF(extensions);
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, extensions) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(extensions[i].extensionName, name))
            return true;
    }
    return false;
}

static void load_functions(CniGpuVkInstance *instance)
{
#define LOAD(name)                                                                                 \
    instance->name = (PFN_vk##name)(void *)vkGetInstanceProcAddr(instance->vk, "vk" #name);
    CNI_GPU_VK_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
}

static bool collect_extensions(CniGpuVkInstance *instance, const CnGpuDesc *desc,
                               const char *names[MAX_EXTENSIONS], uint32_t *count, CnError *error)
{
    *count = 0;
    instance->has_debug_utils = has_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (instance->has_debug_utils)
        names[(*count)++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    for (uint32_t i = 0; desc->window && i < desc->window->extension_count; i++) {
        const char *name = desc->window->extensions[i];
        if (*count == MAX_EXTENSIONS || !has_extension(name))
            return cn_error_set(
                error, CN_ERROR_UNSUPPORTED,
                "the window needs %s, which Vulkan does not support on this machine", name);
        names[(*count)++] = name;
    }
    return true;
}

static bool wants_validation(const CniGpuVkInstance *instance, const CnGpuDesc *desc)
{
    if (!desc->validation)
        return false;
    if (instance->has_debug_utils && has_layer(VALIDATION_LAYER))
        return true;
    CN_LOG_WARNING("gpu", "%s is not installed: validation is disabled", VALIDATION_LAYER);
    return false;
}

bool cni_gpu_vk_instance_create(CniGpuVkInstance *instance, CnGpu *gpu, const CnGpuDesc *desc,
                                CnError *error)
{
    static const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    static const char *const layers[] = {VALIDATION_LAYER};
    const char *extensions[MAX_EXTENSIONS];
    uint32_t extension_count;
    *instance = (CniGpuVkInstance){0};
    if (!load_vulkan(error) ||
        !collect_extensions(instance, desc, extensions, &extension_count, error))
        return false;
    instance->has_validation = wants_validation(instance, desc);
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = desc->name ? desc->name : "cairn",
                                     .pEngineName = "cairn",
                                     .apiVersion = VK_API_VERSION_1_3};
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(gpu);
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = &messenger,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = enabled};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = instance->has_validation ? &features : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = instance->has_validation,
                                 .ppEnabledLayerNames = layers,
                                 .enabledExtensionCount = extension_count,
                                 .ppEnabledExtensionNames = extensions};
    VkResult result = vkCreateInstance(&info, NULL, &instance->vk);
    if (result)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "Vulkan cannot be initialized: %s (%d)",
                            cni_gpu_vk_result_name(result), (int)result);
    load_functions(instance);
    if (instance->has_validation)
        instance->CreateDebugUtilsMessengerEXT(instance->vk, &messenger, NULL,
                                               &instance->messenger);
    return true;
}

void cni_gpu_vk_instance_destroy(CniGpuVkInstance *instance)
{
    if (!instance->vk)
        return;
    if (instance->messenger)
        instance->DestroyDebugUtilsMessengerEXT(instance->vk, instance->messenger, NULL);
    instance->DestroyInstance(instance->vk, NULL);
    instance->vk = NULL;
}
