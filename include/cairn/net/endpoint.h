/*
 * CnNetEndpoint: connections over one UDP socket, for servers and clients.
 *
 *     bool serve(const CnNetKey *key, CnError *error)
 *     {
 *         CnNetEndpointDesc desc = {.key = key, .protocol = "game/1", .is_server = true};
 *         if (!cn_net_address_parse(cn_text("0.0.0.0:4500"), &desc.bind, error))
 *             return false;
 *         CnNetEndpoint *server = cn_net_endpoint_create(&desc, error);
 *         while (server && cn_net_poll(server, 10000, error)) {
 *             CnNetEvent event;
 *             while (cn_net_next_event(server, &event))
 *                 if (event.kind == CN_NET_MESSAGE)               // send it back
 *                     cn_net_send(server, event.connection, event.channel, event.bytes,
 *                                 event.size);
 *         }
 *         cn_net_endpoint_destroy(server);
 *         return false;
 *     }
 *
 * A connection is QUIC: encrypted and authenticated by TLS 1.3, with congestion and flow control.
 * It carries messages, which arrive in order within each of CN_NET_CHANNELS channels, and
 * datagrams, which may be lost, duplicated by nobody, and arrive in any order. Channels do not
 * delay each other, so bulk data does not delay chat. Both sides have a key pair (net/key.h).
 *
 * Nothing here blocks, except cn_net_poll for as long as it is asked to, and
 * cn_net_address_resolve. Everything is sent and received in cn_net_poll: call it before reading
 * events and after sending, at least once per tick.
 *
 * Threads: one thread at a time uses an endpoint and its connections.
 *
 * docs/net.md explains the protocol, its limits, and what a hostile peer can do.
 */
#ifndef CAIRN_NET_ENDPOINT_H
#define CAIRN_NET_ENDPOINT_H

#include <cairn/net/conditions.h>
#include <cairn/net/key.h>

CN_EXTERN_C_BEGIN

/* ---- Addresses ---- */

/* An IPv6 address, or an IPv4 address in the form ::ffff:a.b.c.d, with a port. All bytes zero: any
 * address, any port. */
typedef struct CnNetAddress {
    uint8_t ip[16];
    uint32_t scope; /* index of the interface, for link-local addresses */
    uint16_t port;
    uint16_t unused;
} CnNetAddress;

#define CN_NET_ADDRESS_TEXT_BYTES 72

/* Reads "192.0.2.1:4500" or "[2001:db8::1]:4500". The port may be missing and is then 0. Never
 * blocks; host names are an error. */
CN_API bool cn_net_address_parse(CnText text, CnNetAddress *address, CnError *error);
/* Like cn_net_address_parse, but also accepts a host name and may block for seconds while it is
 * looked up. `default_port` is used if the text has no port. Any thread. */
CN_API bool cn_net_address_resolve(CnText text, uint16_t default_port, CnNetAddress *address,
                                   CnError *error);
/* Writes the address in the form that cn_net_address_parse reads and returns `text`. */
CN_API const char *cn_net_address_text(const CnNetAddress *address,
                                       char text[CN_NET_ADDRESS_TEXT_BYTES]);
CN_API bool cn_net_address_equal(const CnNetAddress *a, const CnNetAddress *b);

/* ---- Endpoints ---- */

#define CN_NET_CHANNELS 4u
#define CN_NET_DATAGRAM_BYTES 1152u          /* size of the largest datagram */
#define CN_NET_STATUS_BYTES 512u             /* size of the largest status */
#define CN_NET_MAX_MESSAGE_BYTES (16u << 20) /* upper limit of CnNetLimits.message_bytes */
#define CN_NET_REASON_BYTES 256u             /* longest text of cn_net_close, with its zero */
#define CN_NET_PROTOCOL_BYTES 64u            /* longest name of a protocol, with its zero */
#define CN_NET_MAX_CONNECTIONS 65535u

typedef struct CnNetEndpoint CnNetEndpoint;

/* Identifies a connection of one endpoint. Never reused. 0 is none. */
typedef struct CnNetConnection {
    uint64_t id;
} CnNetConnection;

/* 0 selects the default of each limit. */
typedef struct CnNetLimits {
    uint32_t connections;             /* default 1,024 */
    uint32_t connections_per_address; /* of one IPv4 address or IPv6 /64 network; default 32 */
    uint32_t handshakes;              /* incomplete ones; default 64 */
    uint32_t handshakes_per_address;  /* incomplete ones; default 8 */
    uint32_t handshakes_per_second;   /* total number of handshakes begun; default 200 */
    /* With more incomplete handshakes than this, clients must prove that they receive packets at
     * their address before any memory is spent on them, at the cost of a round trip. Default 4;
     * CN_NET_ALWAYS_RETRY: all clients. */
    uint32_t retry_above;
    uint32_t handshake_timeout_ms; /* default 10,000 */
    uint32_t idle_timeout_ms;      /* without any packet from the peer; default 30,000 */
    /* A message or datagram that waits for the peer this long without any progress closes the
     * connection. Default 30,000. */
    uint32_t stall_timeout_ms;
    uint32_t message_bytes;      /* longest message that is received; default 64 KiB */
    uint32_t unread_bytes;       /* received per connection, not fetched yet; default 256 KiB */
    uint32_t send_bytes;         /* queued per connection, not acknowledged; default 4 MiB */
    uint32_t window_bytes;       /* largest receive window of a connection; default 1 MiB */
    uint32_t datagrams;          /* queued per connection, not sent yet; default 64 */
    uint32_t queries_per_second; /* answered; default 200 */
} CnNetLimits;

#define CN_NET_ALWAYS_RETRY UINT32_MAX

typedef struct CnNetEndpointDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    const CnNetKey *key;    /* not needed after creation */
    const char *protocol;   /* name and version, such as "game/1"; peers must have the same */
    CnNetAddress bind;      /* all zero: any address (IPv6 and IPv4), any port */
    bool is_server;         /* accepts connections and answers queries */
    CnNetLimits limits;
    CnNetConditions conditions;
    /* Returns nanoseconds that never decrease. NULL: cn_clock_ns. With a clock, cn_net_poll never
     * waits, so that tests can control the time. */
    uint64_t (*clock)(void *user);
    void *clock_user;
} CnNetEndpointDesc;

/* Returns NULL and sets the error if the socket cannot be created or bound. */
CN_API CnNetEndpoint *cn_net_endpoint_create(const CnNetEndpointDesc *desc, CnError *error);
/* Closes all connections without waiting for peers, which are told CN_NET_CLOSE_SHUTDOWN. NULL is
 * ignored. */
CN_API void cn_net_endpoint_destroy(CnNetEndpoint *endpoint);
/* Returns the address that the socket is bound to. */
CN_API CnNetAddress cn_net_endpoint_address(const CnNetEndpoint *endpoint);
/* Replaces the simulated conditions. NULL: none. */
CN_API void cn_net_set_conditions(CnNetEndpoint *endpoint, const CnNetConditions *conditions);

typedef struct CnNetEndpointStats {
    uint32_t connections; /* established */
    uint32_t handshakes;  /* incomplete */
    uint64_t packets_received, bytes_received;
    uint64_t packets_sent, bytes_sent;
    uint64_t packets_dropped; /* garbage, unknown connections, exceeded limits */
    uint64_t accepted;        /* handshakes completed as a server */
    uint64_t refused;         /* handshakes refused because of limits */
    uint64_t failed;          /* handshakes that failed or timed out */
    uint64_t retries;         /* clients that had to prove their address */
    uint64_t queries_answered, queries_dropped;
    uint64_t datagrams_dropped; /* received, but too many were unread */
} CnNetEndpointStats;

CN_API CnNetEndpointStats cn_net_endpoint_stats(const CnNetEndpoint *endpoint);

/* ---- Connections ---- */

typedef struct CnNetConnectDesc {
    CnNetAddress address;
    const CnNetKeyId *server_key; /* NULL: any; the event CN_NET_CONNECTED tells which */
    const CnNetKey *key;          /* NULL: that of the endpoint; not needed after the call */
    void *user;                   /* see cn_net_set_user */
} CnNetConnectDesc;

/* Begins to connect. Succeeds unless a limit is reached or memory is exhausted; everything else is
 * reported by an event, CN_NET_CONNECTED or CN_NET_CLOSED. */
CN_API bool cn_net_connect(CnNetEndpoint *endpoint, const CnNetConnectDesc *desc,
                           CnNetConnection *connection, CnError *error);

/* Receives packets, runs timers and sends packets. Waits up to `wait_us` microseconds for something
 * to do. The work of a call is bounded. Returns false if the socket has failed; errors of single
 * packets and connections are no failures. */
CN_API bool cn_net_poll(CnNetEndpoint *endpoint, uint32_t wait_us, CnError *error);

/* Queues a message. `channel` is below CN_NET_CHANNELS; `bytes` are copied. Returns false if the
 * connection is not established or closed, or if the queue is full (CnNetLimits.send_bytes): then
 * try again after the peer has received more. */
CN_API bool cn_net_send(CnNetEndpoint *endpoint, CnNetConnection connection, uint32_t channel,
                        const void *bytes, size_t size);
/* Returns how many bytes of messages cn_net_send would accept. */
CN_API size_t cn_net_send_capacity(const CnNetEndpoint *endpoint, CnNetConnection connection);
/* Queues a datagram of at most CN_NET_DATAGRAM_BYTES, which are copied. An event with the same `id`
 * reports that it arrived or is considered lost, unless `id` is 0. Returns false if the connection
 * is not established or closed, or if too many datagrams are queued. */
CN_API bool cn_net_send_datagram(CnNetEndpoint *endpoint, CnNetConnection connection,
                                 const void *bytes, size_t size, uint64_t id);
/* Returns the size of the largest datagram. */
CN_API size_t cn_net_datagram_limit(void);
/* Closes a connection. The peer receives `reason`, a number of the application, and `text`, which
 * may be NULL. Messages that have not been sent are dropped. No events of this connection follow
 * except CN_NET_CLOSED. Does nothing if it is closed. */
CN_API void cn_net_close(CnNetEndpoint *endpoint, CnNetConnection connection, uint32_t reason,
                         const char *text);

/* An application's own pointer for a connection, which its events contain; NULL until it is set and
 * after CN_NET_CLOSED was fetched. */
CN_API void cn_net_set_user(CnNetEndpoint *endpoint, CnNetConnection connection, void *user);
CN_API void *cn_net_user(const CnNetEndpoint *endpoint, CnNetConnection connection);

/* Return the peer's public key and address, until CN_NET_CLOSED has been fetched; false if the
 * connection is unknown, or the key not known yet. */
CN_API bool cn_net_peer_key(const CnNetEndpoint *endpoint, CnNetConnection connection,
                            CnNetKeyId *key);
CN_API bool cn_net_peer_address(const CnNetEndpoint *endpoint, CnNetConnection connection,
                                CnNetAddress *address);

typedef struct CnNetConnectionStats {
    uint32_t rtt_us;          /* smoothed round-trip time */
    uint32_t rtt_variance_us; /* its mean deviation */
    uint32_t rtt_min_us;
    uint64_t packets_sent, bytes_sent;
    uint64_t packets_received, bytes_received;
    uint64_t datagrams_lost; /* of those with an id */
    uint64_t queued_bytes;   /* of messages, not acknowledged */
    uint32_t queued_datagrams;
    uint64_t congestion_window_bytes, bytes_in_flight;
} CnNetConnectionStats;

/* Returns false if the connection is unknown. */
CN_API bool cn_net_connection_stats(const CnNetEndpoint *endpoint, CnNetConnection connection,
                                    CnNetConnectionStats *stats);

/* ---- Events ---- */

typedef enum CnNetEventKind {
    CN_NET_CONNECTED,      /* a handshake is complete: of cn_net_connect, or of a new client */
    CN_NET_MESSAGE,        /* channel, bytes, size */
    CN_NET_DATAGRAM,       /* bytes, size */
    CN_NET_DATAGRAM_ACKED, /* id */
    CN_NET_DATAGRAM_LOST,  /* id; it may still have arrived */
    CN_NET_CLOSED,         /* cause, reason, text; the last event of a connection */
    CN_NET_STATUS          /* an answer to cn_net_query: id, address, rtt_us, bytes, size */
} CnNetEventKind;

/* Why a connection ended. */
typedef enum CnNetCloseCause {
    CN_NET_CLOSE_LOCAL,       /* cn_net_close; `reason` and `text` are those of the call */
    CN_NET_CLOSE_PEER,        /* the peer called cn_net_close; `reason` and `text` are the peer's */
    CN_NET_CLOSE_SHUTDOWN,    /* the peer destroyed its endpoint */
    CN_NET_CLOSE_UNREACHABLE, /* no answer while connecting */
    CN_NET_CLOSE_TIMEOUT,     /* nothing received for the idle timeout */
    CN_NET_CLOSE_STALLED,     /* the peer did not read what was sent */
    CN_NET_CLOSE_REFUSED,     /* the server has no room, or too many connections of this address */
    CN_NET_CLOSE_WRONG_KEY,   /* the server has a different key from the expected one */
    CN_NET_CLOSE_HANDSHAKE,   /* the peer could not be authenticated */
    CN_NET_CLOSE_PROTOCOL_NAME, /* the peer has another protocol, or another version of it */
    CN_NET_CLOSE_RESET,         /* the peer does not know the connection; it was restarted */
    CN_NET_CLOSE_VIOLATION, /* the peer violated the protocol or a limit, such as message_bytes */
    CN_NET_CLOSE_INTERNAL   /* out of memory, or an error of this computer */
} CnNetCloseCause;

typedef struct CnNetEvent {
    CnNetEventKind kind;
    uint32_t channel;
    CnNetConnection connection;
    void *user;           /* see cn_net_set_user */
    const uint8_t *bytes; /* valid until the next cn_net_poll */
    size_t size;
    uint64_t id;
    CnNetCloseCause cause;
    uint32_t reason;
    const char *text; /* never NULL; escaped as by cn_text_escape; valid until the next
                       * cn_net_poll */
    CnNetAddress address;
    uint32_t rtt_us;
} CnNetEvent;

/* Fetches the next event. Returns false if there is none. */
CN_API bool cn_net_next_event(CnNetEndpoint *endpoint, CnNetEvent *event);
/* Returns the name of a cause in plain English, such as "no answer". */
CN_API const char *cn_net_close_cause_text(CnNetCloseCause cause);

/* ---- Queries without a connection ---- */

/* Sets what a server answers to queries, at most CN_NET_STATUS_BYTES; they are copied. Until it is
 * set, and with size 0, queries are not answered. */
CN_API void cn_net_set_status(CnNetEndpoint *endpoint, const void *bytes, size_t size);
/* Asks the server at an address for its status. The address may be a broadcast or multicast
 * address; every server that answers within 5 seconds causes an event CN_NET_STATUS with this `id`.
 * Returns false if too many queries wait for answers. */
CN_API bool cn_net_query(CnNetEndpoint *endpoint, const CnNetAddress *address, uint64_t id);

CN_EXTERN_C_END

#endif
