/* Bursts of particles.burst, from the call to the end of the tick. */
#include "script/runtime/script_bursts.h"
#include "script/runtime/runtime.h"

#define EXTRACT_PARTICLES "ExtractParticles"

CN_STATIC_ASSERT(CNI_SCRIPT_MAX_OWNERS *CNI_SCRIPT_MAX_BURSTS + CNI_SCRIPT_MAX_TRUSTED_BURSTS <=
                     CN_MAX_BURSTS,
                 "no owner takes the room of another");

void cni_script_bursts_init(CniScriptBursts *bursts, CnAllocator *allocator)
{
    cn_array_init(&bursts->waiting, allocator);
}

void cni_script_bursts_fini(CniScriptBursts *bursts)
{
    cn_array_fini(&bursts->waiting);
}

bool cni_script_bursts_add(CniScriptBursts *bursts, const CnRenderBurst *burst)
{
    return cn_array_push(&bursts->waiting, *burst);
}

static void send_bursts(CnSystemContext *context)
{
    CniScriptBursts *bursts = &((CniScriptRuntime *)context->user)->bursts;
    if (!bursts->waiting.count)
        return;
    CnRenderOut *out = cn_resource(context->world, CnRenderOut)
                           ? cn_resource_mut(context->world, CnRenderOut)
                           : NULL;
    for (uint32_t i = 0; out && i < bursts->waiting.count; i++)
        cn_extract_burst(out, &bursts->waiting.items[i]);
    cn_array_clear(&bursts->waiting);
}

bool cni_script_bursts_system_add(CniScriptRuntime *runtime, CnError *error)
{
    CnSystemDesc desc = {.name = "script.particles",
                         .run = send_bursts,
                         .user = runtime,
                         .stage = CN_STAGE_PRE_EXTRACT,
                         .access = {cn_writes(CnRenderOut)}};
    /* Both write the snapshot. Naming systems that do not exist is an error. */
    if (cn_system_find(runtime->shared.world, EXTRACT_PARTICLES).id)
        desc.after[0] = EXTRACT_PARTICLES;
    return cn_system_add(runtime->shared.world, &desc, error).id != 0;
}
