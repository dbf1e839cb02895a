/* TAA for static scenes; see taa.pass.glsl. */
#define TAA_STILL
#include "render/feature/taa.pass.glsl"
