/* The simulated disk, which `crafty world torture` uses as well. */
#include <crafty/world_command/cut_disk.h>
