/* Players over the network: the table of functions that connects them to a world (network.h). */
#ifndef CRAFTY_SERVER_SERVER_NETWORK_H
#define CRAFTY_SERVER_SERVER_NETWORK_H

#include "network.h"

const CraftyServerNetwork *crafty_server_network(void);

#endif
