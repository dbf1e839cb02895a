#include "lens.h"

#include "crafty/sim/systems.h"

#include <cairn/base/math.h>
#include <cairn/sim/extract.h>

static void apply_lens(CnSystemContext *context)
{
    const CraftyLens *lens = context->user;
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    if (out)
        cn_extract_lens(out, lens->fov * (CN_PIF / 180), lens->near_plane, lens->far_plane);
}

bool crafty_lens_add(CnWorld *world, const CraftyLens *lens, CnError *error)
{
    CnSystemDesc desc = {.name = "CraftyLens",
                         .run = apply_lens,
                         .user = (void *)(uintptr_t)lens,
                         .stage = CN_STAGE_PRE_EXTRACT,
                         .access = {cn_writes(CnRenderOut)}};
    return crafty_system_add(world, &desc, error);
}
