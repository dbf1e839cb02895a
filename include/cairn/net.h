/*
 * cairn/net: connections between computers.
 *
 * Endpoints send and receive messages and datagrams over encrypted, authenticated connections
 * (net/endpoint.h). A key pair is the identity of a server or a player (net/key.h). A bad network
 * can be simulated (net/conditions.h).
 */
#ifndef CAIRN_NET_H
#define CAIRN_NET_H

#include <cairn/net/conditions.h>
#include <cairn/net/endpoint.h>
#include <cairn/net/key.h>

#endif
