/* Describes a component of the program that loads it in another way. */
#include <cairn/plugin.h>
#include <cairn/sim.h>

CN_COMPONENT(ProgramState, (f32, x), (f32, y), (f32, z));

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    CnComponentDesc desc = {.type = &cn_type_ProgramState};
    return cn_component_register(cn_sim_world(sim), &desc, error).id != 0;
}

CN_NATIVE_PLUGIN(.name = "OtherShape", .version = 1, .build = build);
