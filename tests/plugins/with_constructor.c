#include "constructor.h"

#include <cairn/plugin.h>

static bool build(CnSim *sim, void *user, CnError *error)
{
    (void)sim, (void)user, (void)error;
    return true;
}

CN_NATIVE_PLUGIN(.name = "WithConstructor", .version = 1, .build = build);
