/* The check of SPIR-V modules. An input is an interface of sixteen bytes, and the module. */
#include "fuzz_surface.h"

#include "gpu/spirv_check.h"

#include "shaders/tests/address.comp.h"
#include "shaders/tests/color.frag.h"
#include "shaders/tests/sample_cube.comp.h"
#include "shaders/tests/store.comp.h"
#include "shaders/tests/triangle.vert.h"

#include <string.h>

enum { INTERFACE_BYTES = 16, BINDINGS = INTERFACE_BYTES - 2, MAX_BYTES = 2048 };

static void add_shader(FuzzSeeds *seeds, CniGpuShaderStage stage, uint8_t constants,
                       const char *kinds, const void *code, size_t size)
{
    static uint8_t bytes[1u << 16];
    FUZZ_CHECK(size + INTERFACE_BYTES <= sizeof bytes);
    memset(bytes, 0, INTERFACE_BYTES);
    bytes[0] = (uint8_t)stage;
    bytes[1] = constants;
    for (uint32_t i = 0; kinds[i]; i++)
        bytes[2 + i] = (uint8_t)(kinds[i] - '0');
    memcpy(bytes + INTERFACE_BYTES, code, size);
    fuzz_add(seeds, bytes, INTERFACE_BYTES + size);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_shader(seeds, CNI_GPU_SHADER_STAGE_COMPUTE, 16, "2", cn_shader_tests_address_comp,
               sizeof cn_shader_tests_address_comp);
    add_shader(seeds, CNI_GPU_SHADER_STAGE_COMPUTE, 0, "4", cn_shader_tests_store_comp,
               sizeof cn_shader_tests_store_comp);
    add_shader(seeds, CNI_GPU_SHADER_STAGE_COMPUTE, 0, "3321", cn_shader_tests_sample_cube_comp,
               sizeof cn_shader_tests_sample_cube_comp);
    add_shader(seeds, CNI_GPU_SHADER_STAGE_VERTEX, 20, "2", cn_shader_tests_triangle_vert,
               sizeof cn_shader_tests_triangle_vert);
    add_shader(seeds, CNI_GPU_SHADER_STAGE_FRAGMENT, 20, "", cn_shader_tests_color_frag,
               sizeof cn_shader_tests_color_frag);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnGpuBindingKind bindings[CN_GPU_MAX_BINDINGS] = {0};
    CnError error = {0};
    if (size < INTERFACE_BYTES)
        return false;
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (CnGpuBindingKind)(bytes[2 + i] % (CN_GPU_BIND_STORAGE_TEXTURE + 1));
    CniGpuShaderInterface use = {"fuzz", (CniGpuShaderStage)(bytes[0] % 3), bindings, bytes[1]};
    size_t code_bytes = size - INTERFACE_BYTES;
    uint32_t *code = cn_alloc(NULL, code_bytes ? code_bytes : 1);
    FUZZ_CHECK(code);
    if (code_bytes)
        memcpy(code, bytes + INTERFACE_BYTES, code_bytes);
    CnGpuShader shader = {code, code_bytes};
    bool accepted = cni_gpu_spirv_check(&shader, &use, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    if (accepted)
        cni_gpu_spirv_has_entry(&shader);
    cn_free(NULL, code, code_bytes ? code_bytes : 1);
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = MAX_BYTES, .add_seeds = add_seeds, .run = run};
