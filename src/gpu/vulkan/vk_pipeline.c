/* Pipelines and their layouts. */
#include "gpu/vulkan/vk_internal.h"

#define ALL_STAGES                                                                                 \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT)

/* The same for all pipelines, so that constants persist when another pipeline is bound. */
VkPushConstantRange cni_gpu_vk_constant_range(void)
{
    return (VkPushConstantRange){.stageFlags = ALL_STAGES, .size = CN_GPU_MAX_CONSTANT_BYTES};
}

static VkResult make_set(CnGpu *gpu, CniGpuPipeline *pipeline)
{
    static const VkDescriptorType types[] = {
        [CN_GPU_BIND_UNIFORM] = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        [CN_GPU_BIND_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        [CN_GPU_BIND_TEXTURE] = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        [CN_GPU_BIND_STORAGE_TEXTURE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
    VkDescriptorSetLayoutBinding bindings[CN_GPU_MAX_BINDINGS];
    for (uint32_t i = 0; i < pipeline->binding_count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = types[pipeline->bindings[i]],
            .descriptorCount = 1,
            .stageFlags = pipeline->is_compute
                              ? VK_SHADER_STAGE_COMPUTE_BIT
                              : VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT};
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = pipeline->binding_count,
        .pBindings = bindings};
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    return vulkan->api.vkCreateDescriptorSetLayout(vulkan->device, &info, NULL, &pipeline->vk_set);
}

static bool make_layout(CnGpu *gpu, CniGpuPipeline *pipeline, CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkResult result = make_set(gpu, pipeline);
    if (result)
        return cni_gpu_vk_error(gpu, result, pipeline->slot.name, error);
    VkPushConstantRange constants = cni_gpu_vk_constant_range();
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &pipeline->vk_set,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &constants};
    result = vulkan->api.vkCreatePipelineLayout(vulkan->device, &info, NULL, &pipeline->vk_layout);
    if (result)
        return cni_gpu_vk_error(gpu, result, pipeline->slot.name, error);
    CNI_GPU_VK_NAME(gpu, DESCRIPTOR_SET_LAYOUT, pipeline->vk_set, pipeline->slot.name);
    CNI_GPU_VK_NAME(gpu, PIPELINE_LAYOUT, pipeline->vk_layout, pipeline->slot.name);
    return true;
}

void cni_gpu_vk_pipeline_destroy(CnGpu *gpu, CniGpuPipeline *pipeline)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    vulkan->api.vkDestroyPipeline(vulkan->device, pipeline->vk, NULL);
    vulkan->api.vkDestroyPipelineLayout(vulkan->device, pipeline->vk_layout, NULL);
    vulkan->api.vkDestroyDescriptorSetLayout(vulkan->device, pipeline->vk_set, NULL);
}

static bool make_shader(CnGpu *gpu, const CnGpuShader *shader, const char *name,
                        VkShaderStageFlagBits stage, VkPipelineShaderStageCreateInfo *made,
                        CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = shader->code_bytes,
                                     .pCode = shader->code};
    *made = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .pName = "main"};
    VkResult result = vulkan->api.vkCreateShaderModule(vulkan->device, &info, NULL, &made->module);
    if (result)
        return cni_gpu_vk_error(gpu, result, name, error);
    CNI_GPU_VK_NAME(gpu, SHADER_MODULE, made->module, name);
    return true;
}

static VkPipelineColorBlendAttachmentState blend_state(CnGpuBlend blend)
{
    VkPipelineColorBlendAttachmentState state = {
        .blendEnable = blend != CN_GPU_BLEND_NONE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .colorBlendOp = VK_BLEND_OP_ADD,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .alphaBlendOp = VK_BLEND_OP_ADD,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};
    if (blend == CN_GPU_BLEND_ALPHA)
        state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    if (blend == CN_GPU_BLEND_ADD)
        state.dstColorBlendFactor = state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    return state;
}

static VkPipelineRasterizationStateCreateInfo raster_state(const CnGpuGraphicsDesc *desc)
{
    static const VkCullModeFlags culls[] = {[CN_GPU_CULL_NONE] = VK_CULL_MODE_NONE,
                                            [CN_GPU_CULL_BACK] = VK_CULL_MODE_BACK_BIT,
                                            [CN_GPU_CULL_FRONT] = VK_CULL_MODE_FRONT_BIT};
    return (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .depthClampEnable = desc->depth_clamp,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .cullMode = culls[desc->cull],
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .depthBiasEnable = desc->depth_bias != 0.0f || desc->depth_bias_slope != 0.0f,
        .depthBiasConstantFactor = desc->depth_bias,
        .depthBiasSlopeFactor = desc->depth_bias_slope,
        .lineWidth = 1.0f};
}

static VkPipelineDepthStencilStateCreateInfo depth_state(const CnGpuGraphicsDesc *desc)
{
    return (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = desc->depth_test != CN_GPU_COMPARE_NONE || desc->depth_write,
        .depthWriteEnable = desc->depth_write,
        .depthCompareOp = cni_gpu_vk_compare(desc->depth_test)};
}

static VkResult build(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                      const VkPipelineShaderStageCreateInfo *stages, uint32_t stage_count)
{
    static const VkPrimitiveTopology topologies[] = {
        [CN_GPU_TRIANGLES] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        [CN_GPU_TRIANGLE_STRIP] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        [CN_GPU_LINES] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST};
    static const VkDynamicState dynamics[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    static const VkPipelineVertexInputStateCreateInfo pulled = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    static const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    static const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    static const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = CN_COUNT_OF(dynamics),
        .pDynamicStates = dynamics};
    VkPipelineColorBlendAttachmentState blends[CN_GPU_MAX_COLORS];
    VkFormat formats[CN_GPU_MAX_COLORS];
    uint32_t colors = 0;
    for (; colors < CN_GPU_MAX_COLORS && desc->color[colors]; colors++) {
        blends[colors] = blend_state(desc->blend[colors]);
        formats[colors] = cni_gpu_vk_format(desc->color[colors]);
    }
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topologies[desc->topology]};
    VkPipelineRasterizationStateCreateInfo raster = raster_state(desc);
    VkPipelineDepthStencilStateCreateInfo depth = depth_state(desc);
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = colors,
        .pAttachments = blends};
    VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = colors,
        .pColorAttachmentFormats = formats,
        .depthAttachmentFormat = cni_gpu_vk_format(desc->depth)};
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = stage_count,
                                         .pStages = stages,
                                         .pVertexInputState = &pulled,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &viewport,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &multisample,
                                         .pDepthStencilState = &depth,
                                         .pColorBlendState = &blend,
                                         .pDynamicState = &dynamic,
                                         .layout = pipeline->vk_layout};
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    return vulkan->api.vkCreateGraphicsPipelines(vulkan->device, vulkan->cache, 1, &info, NULL,
                                                 &pipeline->vk);
}

static bool build_graphics(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                           CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkPipelineShaderStageCreateInfo stages[2] = {0};
    uint32_t count = desc->fragment.code ? 2 : 1;
    const char *name = pipeline->slot.name;
    bool ok =
        make_shader(gpu, &desc->vertex, name, VK_SHADER_STAGE_VERTEX_BIT, &stages[0], error) &&
        (count == 1 ||
         make_shader(gpu, &desc->fragment, name, VK_SHADER_STAGE_FRAGMENT_BIT, &stages[1], error));
    if (ok) {
        VkResult result = build(gpu, pipeline, desc, stages, count);
        ok = !result || cni_gpu_vk_error(gpu, result, name, error);
    }
    for (uint32_t i = 0; i < 2; i++)
        vulkan->api.vkDestroyShaderModule(vulkan->device, stages[i].module, NULL);
    return ok;
}

bool cni_gpu_vk_graphics_create(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuGraphicsDesc *desc,
                                CnError *error)
{
    if (make_layout(gpu, pipeline, error) && build_graphics(gpu, pipeline, desc, error)) {
        CNI_GPU_VK_NAME(gpu, PIPELINE, pipeline->vk, pipeline->slot.name);
        return true;
    }
    cni_gpu_vk_pipeline_destroy(gpu, pipeline);
    return false;
}

static bool build_compute(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuComputeDesc *desc,
                          CnError *error)
{
    CniGpuVulkanDevice *vulkan = gpu->vulkan;
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .layout = pipeline->vk_layout};
    if (!make_shader(gpu, &desc->shader, pipeline->slot.name, VK_SHADER_STAGE_COMPUTE_BIT,
                     &info.stage, error))
        return false;
    VkResult result = vulkan->api.vkCreateComputePipelines(vulkan->device, vulkan->cache, 1, &info,
                                                           NULL, &pipeline->vk);
    vulkan->api.vkDestroyShaderModule(vulkan->device, info.stage.module, NULL);
    return !result || cni_gpu_vk_error(gpu, result, pipeline->slot.name, error);
}

bool cni_gpu_vk_compute_create(CnGpu *gpu, CniGpuPipeline *pipeline, const CnGpuComputeDesc *desc,
                               CnError *error)
{
    if (make_layout(gpu, pipeline, error) && build_compute(gpu, pipeline, desc, error)) {
        CNI_GPU_VK_NAME(gpu, PIPELINE, pipeline->vk, pipeline->slot.name);
        return true;
    }
    cni_gpu_vk_pipeline_destroy(gpu, pipeline);
    return false;
}
