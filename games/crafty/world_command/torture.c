#include "run.h"
bool crafty_world_torture_action(CraftyWorldRun *run, CnError *error)
{
    (void)run;
    return cn_error_set(error, CN_ERROR_UNSUPPORTED, "not yet");
}
