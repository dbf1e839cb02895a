/* Addresses: text, host names, and the socket interface. */
#include "address.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

static const uint8_t v4_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool cni_net_address_is_v4(const CnNetAddress *address)
{
    return memcmp(address->ip, v4_prefix, sizeof v4_prefix) == 0;
}

socklen_t cni_net_address_to_socket(const CnNetAddress *address, int family,
                                    CniNetSocketAddress *socket_address)
{
    memset(socket_address, 0, sizeof *socket_address);
    if (family == AF_INET6) {
        socket_address->v6.sin6_family = AF_INET6;
        socket_address->v6.sin6_port = htons(address->port);
        socket_address->v6.sin6_scope_id = address->scope;
        memcpy(&socket_address->v6.sin6_addr, address->ip, 16);
        return sizeof socket_address->v6;
    }
    if (!cni_net_address_is_v4(address))
        return 0;
    socket_address->v4.sin_family = AF_INET;
    socket_address->v4.sin_port = htons(address->port);
    memcpy(&socket_address->v4.sin_addr, address->ip + 12, 4);
    return sizeof socket_address->v4;
}

CnNetAddress cni_net_address_from_socket(const CniNetSocketAddress *socket_address)
{
    CnNetAddress address = {0};
    if (socket_address->any.sa_family == AF_INET6) {
        memcpy(address.ip, &socket_address->v6.sin6_addr, 16);
        address.port = ntohs(socket_address->v6.sin6_port);
        address.scope = socket_address->v6.sin6_scope_id;
    } else {
        memcpy(address.ip, v4_prefix, sizeof v4_prefix);
        memcpy(address.ip + 12, &socket_address->v4.sin_addr, 4);
        address.port = ntohs(socket_address->v4.sin_port);
    }
    return address;
}

bool cn_net_address_equal(const CnNetAddress *a, const CnNetAddress *b)
{
    return memcmp(a->ip, b->ip, sizeof a->ip) == 0 && a->port == b->port && a->scope == b->scope;
}

const char *cn_net_address_text(const CnNetAddress *address, char text[CN_NET_ADDRESS_TEXT_BYTES])
{
    char ip[INET6_ADDRSTRLEN];
    if (cni_net_address_is_v4(address)) {
        inet_ntop(AF_INET, address->ip + 12, ip, sizeof ip);
        cn_format(text, CN_NET_ADDRESS_TEXT_BYTES, "%s:%u", ip, address->port);
    } else {
        inet_ntop(AF_INET6, address->ip, ip, sizeof ip);
        if (address->scope)
            cn_format(text, CN_NET_ADDRESS_TEXT_BYTES, "[%s%%%u]:%u", ip, address->scope,
                      address->port);
        else
            cn_format(text, CN_NET_ADDRESS_TEXT_BYTES, "[%s]:%u", ip, address->port);
    }
    return text;
}

/* ---- Parsing ---- */

typedef struct HostPort {
    CnText host;
    uint16_t port; /* 0: none */
    bool is_bracketed;
} HostPort;

static bool fail(CnText text, const char *reason, CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "address '%.*s': %s",
                        (int)(text.size < 80 ? text.size : 80), text.data, reason);
}

static bool parse_port(CnText text, uint16_t *port)
{
    uint32_t value = 0;
    if (text.size == 0 || text.size > 5)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        value = value * 10u + (uint32_t)(text.data[i] - '0');
    }
    *port = (uint16_t)value;
    return value <= UINT16_MAX;
}

/* Splits "host", "host:port", "[ip]", "[ip]:port" and "ip:v:6". */
static bool split(CnText text, HostPort *parts, CnError *error)
{
    *parts = (HostPort){.host = text};
    if (text.size == 0)
        return fail(text, "it is empty; expected 'host:port'", error);
    const char *end = text.data + text.size;
    const char *colon = memrchr(text.data, ':', text.size);
    if (text.data[0] == '[') {
        const char *bracket = memchr(text.data, ']', text.size);
        if (!bracket || (bracket + 1 < end && bracket[1] != ':'))
            return fail(text, "expected '[ip]:port'", error);
        parts->host = (CnText){text.data + 1, (size_t)(bracket - text.data - 1)};
        parts->is_bracketed = true;
        colon = bracket + 1 < end ? bracket + 1 : NULL;
    } else if (colon && memchr(text.data, ':', (size_t)(colon - text.data))) {
        colon = NULL; /* an IPv6 address without a port */
    } else if (colon) {
        parts->host.size = (size_t)(colon - text.data);
    }
    if (colon && !parse_port((CnText){colon + 1, (size_t)(end - colon - 1)}, &parts->port))
        return fail(text, "the port must be a number from 0 to 65535", error);
    return true;
}

static bool parse_scope(CnText text, uint32_t *scope)
{
    char name[IF_NAMESIZE];
    if (text.size == 0 || !cn_copy_text(name, sizeof name, text))
        return false;
    uint16_t number;
    *scope = parse_port(text, &number) ? number : if_nametoindex(name);
    return *scope != 0;
}

static bool parse_ip(CnText host, CnNetAddress *address)
{
    char text[INET6_ADDRSTRLEN];
    const char *percent = memchr(host.data, '%', host.size);
    CnText ip = host;
    if (percent) {
        ip.size = (size_t)(percent - host.data);
        if (!parse_scope((CnText){percent + 1, host.size - ip.size - 1}, &address->scope))
            return false;
    }
    if (memchr(ip.data, '\0', ip.size) || !cn_copy_text(text, sizeof text, ip))
        return false;
    memcpy(address->ip, v4_prefix, sizeof v4_prefix);
    if (!percent && inet_pton(AF_INET, text, address->ip + 12) == 1)
        return true;
    return inet_pton(AF_INET6, text, address->ip) == 1;
}

bool cn_net_address_parse(CnText text, CnNetAddress *address, CnError *error)
{
    HostPort parts;
    CnNetAddress parsed = {0};
    if (!split(text, &parts, error))
        return false;
    if (!parse_ip(parts.host, &parsed))
        return fail(text, "expected '192.0.2.1:4500' or '[2001:db8::1]:4500'", error);
    parsed.port = parts.port;
    *address = parsed;
    return true;
}

static bool look_up(const char *name, CnNetAddress *address, CnError *error)
{
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *results = NULL;
    int code = getaddrinfo(name, NULL, &hints, &results);
    if (code != 0)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "host '%s': %s", name, gai_strerror(code));
    CniNetSocketAddress found = {0};
    size_t size = results->ai_addrlen < sizeof found ? results->ai_addrlen : sizeof found;
    memcpy(&found, results->ai_addr, size);
    *address = cni_net_address_from_socket(&found);
    freeaddrinfo(results);
    return true;
}

bool cn_net_address_resolve(CnText text, uint16_t default_port, CnNetAddress *address,
                            CnError *error)
{
    HostPort parts;
    CnNetAddress parsed = {0};
    char name[NI_MAXHOST];
    if (!split(text, &parts, error))
        return false;
    if (!parse_ip(parts.host, &parsed)) {
        if (parts.is_bracketed || memchr(parts.host.data, '\0', parts.host.size) ||
            parts.host.size == 0 || !cn_copy_text(name, sizeof name, parts.host))
            return fail(text, "expected 'host:port' or '[ip]:port'", error);
        if (!look_up(name, &parsed, error))
            return false;
    }
    parsed.port = parts.port ? parts.port : default_port;
    *address = parsed;
    return true;
}
