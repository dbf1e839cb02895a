#include <cairn/plugin.h>

extern bool cn_function_of_the_future(CnSim *sim);

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)user, (void)error;
    return cn_function_of_the_future(sim);
}

CN_NATIVE_PLUGIN(.name = "Future", .version = 1, .build = build);
