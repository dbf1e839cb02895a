#include <cairn/plugin.h>

bool cn_modules_add(CnSim *sim, const CnPlugin *const *table, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    for (uint32_t i = 0; table[i]; i++)
        if (!cn_sim_add_plugin(sim, table[i], error))
            return false;
    return true;
}
