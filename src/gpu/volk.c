/* The loader of Vulkan's functions, as its header brings it. */
#define VOLK_IMPLEMENTATION
#include <volk.h>
