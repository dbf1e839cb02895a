/*
 * census: how many entities there are, and the most there ever were, as a resource that tools and
 * overlays read. It is transient: with or without it a simulation is the same.
 */
#include "census.h"

#include <cairn/sim.h>

static void count_entities(CnSystemContext *context)
{
    Census *census = cn_resource_mut(context->world, Census);
    census->entities = cn_entity_count(context->world);
    if (census->entities > census->most)
        census->most = census->entities;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    (void)user;
    cn_register(world, Census, .flags = CN_COMPONENT_TRANSIENT);
    const CnSystemDesc desc = {.name = "census",
                               .run = count_entities,
                               .stage = CN_STAGE_PRE_EXTRACT,
                               .access = {cn_writes(Census)}};
    if (!cn_resource_set(world, Census, {0}))
        return cn_error_memory(error, "the census");
    return cn_system_add(world, &desc, error).id != 0;
}

extern const CnPlugin cn_module_census;
const CnPlugin cn_module_census = {.name = "Census", .version = 1, .build = build};
