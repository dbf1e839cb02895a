#include <cairn/plugin.h>

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)sim, (void)user, (void)error;
    return true;
}

CN_NATIVE_PLUGIN(.name = "Needy", .version = 1, .needs = {"Wolves"}, .build = build);
