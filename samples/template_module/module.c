/*
 * A module: a plugin that is compiled into programs. Copy this folder to modules/<name>/, give the
 * plugin the name cn_module_<name>, and switch it on in modules.toml:
 *
 *     [modules]
 *     template = true
 *
 * A module that is off is not even compiled. Programs get those that are on by linking to the
 * target cairn_modules, which `cairn` does, and calling cn_modules_add(sim, cn_module_table,
 * &error).
 */
#include <cairn/sim.h>

CN_COMPONENT(Heartbeat, (u64, beats)); /* a resource */

static void beat(CnSystemContext *context)
{
    cn_resource_mut(context->world, Heartbeat)->beats++;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    (void)user;
    const CnSystemDesc beating = {.name = "heartbeat",
                                  .run = beat,
                                  .stage = CN_STAGE_UPDATE,
                                  .access = {cn_writes(Heartbeat)}};
    if (!cn_resource_set(world, Heartbeat, {0}))
        return cn_error_memory(error, "the module");
    return cn_system_add(world, &beating, error).id != 0;
}

extern const CnPlugin cn_module_template;
const CnPlugin cn_module_template = {.name = "Template", .version = 1, .build = build};
