/* The implementation part of volk, the loader of Vulkan's functions. */
#define VOLK_IMPLEMENTATION
#include <volk.h>
