#include "constructor.h"

#include <cairn/plugin.h>

extern const CnPluginTable cn_plugin_table;
__attribute__((visibility("default"))) const CnPluginTable cn_plugin_table = {
    .size = sizeof(CnPluginTable), .abi = CN_PLUGIN_ABI + 1, .sizes = CN_PLUGIN_SIZES};
