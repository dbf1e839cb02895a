/* Addresses of the socket interface. */
#ifndef CAIRN_NET_ADDRESS_H
#define CAIRN_NET_ADDRESS_H

#include <cairn/net/endpoint.h>

#include <netinet/in.h>

typedef union CniNetSocketAddress {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} CniNetSocketAddress;

bool cni_net_address_is_v4(const CnNetAddress *address);
/* Converts to the family of a socket, AF_INET or AF_INET6. Returns the size; 0 if an IPv6 address
 * cannot be used with an IPv4 socket. */
socklen_t cni_net_address_to_socket(const CnNetAddress *address, int family,
                                    CniNetSocketAddress *socket_address);
CnNetAddress cni_net_address_from_socket(const CniNetSocketAddress *socket_address);

#endif
