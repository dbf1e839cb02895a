/*
 * cairn/net: connections between computers.
 *
 * Endpoints send and receive messages and datagrams over encrypted, authenticated connections
 * (net/endpoint.h). A key pair is the identity of a server or a player (net/key.h). A bad network
 * can be simulated (net/conditions.h).
 *
 * Replication sends the state of shared entities to many clients (net/replication.h), which apply
 * it to worlds of their own (net/replica.h). A layout says what is sent of their components
 * (net/layout.h). It writes and reads bytes (net/bits.h) and is independent of endpoints.
 */
#ifndef CAIRN_NET_H
#define CAIRN_NET_H

#include <cairn/net/bits.h>
#include <cairn/net/conditions.h>
#include <cairn/net/endpoint.h>
#include <cairn/net/key.h>
#include <cairn/net/layout.h>
#include <cairn/net/replica.h>
#include <cairn/net/replication.h>

#endif
