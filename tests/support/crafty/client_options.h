/* Options of a client without a window and without a GPU, for tests. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_CLIENT_OPTIONS_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_CLIENT_OPTIONS_H

#include <crafty/client/options.h>

static inline CraftyOptions null_client_options(void)
{
    return (CraftyOptions){.engine = {.headless = true,
                                      .backend = CN_GPU_NULL,
                                      .width = 64,
                                      .height = 36,
                                      .threads = 1},
                           .hours = 12,
                           .has_quality = true,
                           .effects_off = "all",
                           .view_distance = 2,
                           .frames = UINT32_MAX,
                           .no_world = true};
}

#endif
