/* The structs of endpoints and connections, and the functions that their files share. */
#ifndef CAIRN_NET_NET_INTERNAL_H
#define CAIRN_NET_NET_INTERNAL_H

#include "address.h"
#include "channel.h"
#include "link.h"

#include <cairn/base/hash_map.h>
#include <cairn/net/endpoint.h>

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>

enum {
    CNI_NET_CID_BYTES = 8, /* connection ids that this module chooses */
    CNI_NET_MAX_CIDS = 20, /* of a connection, with the reset tokens of the peer */
    CNI_NET_MAX_PACKET_BYTES = 1472,
    CNI_NET_BATCH = 64, /* packets per system call */
    CNI_NET_BURST = 32, /* packets of one connection before others have their turn */
    CNI_NET_SECRET_BYTES = 32,
    CNI_NET_CLOSE_PACKET_BYTES = 640,
    CNI_NET_QUERIES = 256,     /* waiting for answers */
    CNI_NET_QUERY_BYTES = 560, /* size of a query; more than that of an answer */
    CNI_NET_MAX_QUERY_ANSWERS = 256
};

#define CNI_NET_SECOND 1000000000u
#define CNI_NET_MILLISECOND 1000000u
#define CNI_NET_NEVER UINT64_MAX

/* Application error codes from here on belong to this module; below are those of cn_net_close. */
#define CNI_NET_CODE_BASE ((uint64_t)1 << 32)
#define CNI_NET_CODE_SHUTDOWN (CNI_NET_CODE_BASE + 1)
#define CNI_NET_CODE_VIOLATION (CNI_NET_CODE_BASE + 2)
#define CNI_NET_CODE_STALLED (CNI_NET_CODE_BASE + 3)
#define CNI_NET_CODE_INTERNAL (CNI_NET_CODE_BASE + 4)

/* Allows `rate` events per second, and a second's worth of them at once. */
typedef struct CniNetBucket {
    uint64_t rate, full_ns; /* when the bucket is full again */
} CniNetBucket;

typedef struct CniNetDatagram {
    struct CniNetDatagram *next;
    uint64_t id;
    uint32_t size;
    uint8_t bytes[CN_NET_DATAGRAM_BYTES];
} CniNetDatagram;

typedef enum CniNetState {
    CNI_NET_HANDSHAKING,
    CNI_NET_ESTABLISHED,
    CNI_NET_CLOSED /* the QUIC connection is freed; the close packet answers late packets */
} CniNetState;

typedef struct CniNetChannel {
    CniNetSender sender;
    CniNetReceiver receiver;
    int64_t stream;        /* of the sender; -1: not opened */
    int64_t remote_stream; /* of the receiver; -1: not opened */
    uint64_t owed_bytes;   /* received, and to be granted to the peer again */
    bool is_blocked;       /* by the peer's window, while packets are written */
} CniNetChannel;

typedef struct CniNetConnection {
    CnNetEndpoint *endpoint;
    CnNetConnection handle;
    CniNetState state;
    bool is_server;
    bool is_known; /* the application has its handle */
    bool is_dirty; /* in the list of connections that may have something to write */
    bool has_close_event, close_fetched;
    bool has_wrong_key, has_peer_key, was_reset, has_reserved_address;
    bool is_confirmed; /* packets were written since it is established */
    bool is_failing;   /* a callback has set the cause */
    CnNetCloseCause cause;
    uint32_t reason;
    char text[CN_NET_REASON_BYTES];
    void *user;
    CnNetAddress peer, reserved_address; /* the second is counted by limits.c */
    CnNetKeyId peer_key, expected_key;
    bool expects_key;

    ngtcp2_conn *quic;
    gnutls_session_t tls;
    gnutls_certificate_credentials_t credentials; /* own ones; NULL: those of the endpoint */
    ngtcp2_crypto_conn_ref reference;
    uint64_t cids[CNI_NET_MAX_CIDS];
    uint32_t cid_count;

    CniNetChannel channels[CN_NET_CHANNELS];
    uint32_t next_channel;    /* the first to be written */
    uint32_t unpaced_packets; /* since the library was last asked to pace */
    CniNetDatagram *first_datagram, *last_datagram;
    uint32_t datagram_count;
    int64_t pulse_stream; /* -1: not opened; see write.c */
    bool needs_pulse, has_pulse_in_flight;
    uint64_t unread_bytes;

    struct CniNetConnection *next_dirty;
    uint64_t due_ns;     /* of the timer */
    uint32_t heap_index; /* in the timers; UINT32_MAX: none */
    uint64_t begun_ns, progress_ns, received_ns, probed_ns;

    uint8_t *close_packet;
    uint32_t close_packet_size, close_packet_received;
    uint64_t packets_sent, bytes_sent, packets_received, bytes_received, datagrams_lost;
} CniNetConnection;

typedef struct CniNetSlot {
    CniNetConnection *connection; /* NULL: free */
} CniNetSlot;

typedef struct CniNetEvent {
    CnNetEvent event; /* `bytes` and `text` are set when it is fetched */
    size_t offset;    /* of the bytes */
} CniNetEvent;

typedef struct CniNetQuery {
    uint64_t nonce; /* 0: free */
    uint64_t id, sent_ns;
    CnNetAddress address;
    uint32_t answers;
    bool is_broadcast;
} CniNetQuery;

/* Connections and handshakes of one IPv4 address or IPv6 /64 network. */
typedef struct CniNetAddressUse {
    uint32_t connections, handshakes;
} CniNetAddressUse;

/* Packets to be sent with one system call. */
typedef struct CniNetBatch {
    uint32_t count;
    CnNetAddress peers[CNI_NET_BATCH];
    uint32_t sizes[CNI_NET_BATCH];
    uint8_t (*bytes)[CNI_NET_MAX_PACKET_BYTES];
} CniNetBatch;

typedef struct CniNetSocket CniNetSocket;

struct CnNetEndpoint {
    CnAllocator *allocator;
    ngtcp2_mem memory;
    CnNetLimits limits;
    bool is_server;
    char protocol[CN_NET_PROTOCOL_BYTES];
    uint64_t (*clock)(void *user);
    void *clock_user;
    uint64_t now_ns;

    CniNetSocket *socket;
    CniNetSocketAddress local;
    socklen_t local_size;
    CniNetBatch out;
    CniNetLink link;

    gnutls_certificate_credentials_t credentials;
    gnutls_priority_t priority;
    gnutls_datum_t alpn;
    uint8_t retry_secret[CNI_NET_SECRET_BYTES], reset_secret[CNI_NET_SECRET_BYTES];

    CN_ARRAY(CniNetSlot) slots;
    CN_ARRAY(uint32_t) free_slots;
    uint64_t next_serial;
    CnHashMap cids;      /* CniNetConnection * by connection id */
    CnHashMap addresses; /* CniNetAddressUse */
    CN_ARRAY(CniNetConnection *) timers;
    CniNetConnection *first_dirty, *last_dirty;
    CnPool blocks, datagrams;

    CN_ARRAY(CniNetEvent) events;
    CnU8Array event_bytes;
    uint32_t next_event;

    CniNetBucket handshake_bucket, retry_bucket, reset_bucket, query_bucket;
    uint8_t status[CN_NET_STATUS_BYTES];
    uint32_t status_size;
    CniNetQuery queries[CNI_NET_QUERIES];
    CnNetEndpointStats stats;
};

/* ---- endpoint.c ---- */
CniNetConnection *cni_net_find(const CnNetEndpoint *endpoint, CnNetConnection handle);
void cni_net_update_clock(CnNetEndpoint *endpoint);

/* ---- timers.c ---- */
/* Sets when the timer of a connection is due; CNI_NET_NEVER removes it. The array has room for all
 * connections. */
void cni_net_timer_set(CnNetEndpoint *endpoint, CniNetConnection *connection, uint64_t due_ns);

/* ---- limits.c ---- */
bool cni_net_bucket_take(CniNetBucket *bucket, uint64_t now_ns);
/* Counts a handshake of this address. Returns false if a limit is reached or memory exhausted. */
bool cni_net_reserve_address(CnNetEndpoint *endpoint, const CnNetAddress *address);
void cni_net_handshake_done(CnNetEndpoint *endpoint, const CnNetAddress *address);
void cni_net_release_address(CnNetEndpoint *endpoint, const CnNetAddress *address,
                             bool is_handshake);

/* ---- tls.c ---- */
bool cni_net_tls_init(CnNetEndpoint *endpoint, const CnNetKey *key, CnError *error);
void cni_net_tls_fini(CnNetEndpoint *endpoint);
/* Returns NULL when out of memory. */
gnutls_certificate_credentials_t cni_net_credentials_create(const CnNetKey *key);
bool cni_net_session_create(CniNetConnection *connection);

/* ---- connection.c ---- */
/* Creates a connection without QUIC state. Returns NULL when out of memory or slots. */
CniNetConnection *cni_net_connection_create(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                                            bool is_server);
/* Creates the QUIC state of a client, or of a server from a client's first packet. */
bool cni_net_begin_client(CniNetConnection *connection);
bool cni_net_begin_server(CniNetConnection *connection, const ngtcp2_pkt_hd *header,
                          const ngtcp2_cid *original_id);
/* Frees the QUIC state and queued data; the state becomes CNI_NET_CLOSED. */
void cni_net_free_quic(CniNetConnection *connection);
void cni_net_connection_free(CniNetConnection *connection);
void cni_net_read(CniNetConnection *connection, const CnNetAddress *peer, const uint8_t *bytes,
                  size_t size);
void cni_net_handle_timer(CniNetConnection *connection);
/* Sets the timer, after packets were written. */
void cni_net_schedule(CniNetConnection *connection);
void cni_net_mark_dirty(CniNetConnection *connection);
ngtcp2_path cni_net_path(CnNetEndpoint *endpoint, const CnNetAddress *peer,
                         CniNetSocketAddress *storage);
/* Grants the peer what it may send again, unless too much is unread. */
void cni_net_grant(CniNetConnection *connection);
ngtcp2_cid cni_net_random_cid(void);
uint64_t cni_net_cid_key(const uint8_t *bytes, size_t size);
uint64_t cni_net_token_key(const uint8_t token[NGTCP2_STATELESS_RESET_TOKENLEN]);
/* Packets with this key belong to the connection. False: out of memory, or the key is in use. */
bool cni_net_key_add(CniNetConnection *connection, uint64_t key);
void cni_net_key_remove(CniNetConnection *connection, uint64_t key);

/* ---- callbacks.c ---- */
void cni_net_set_callbacks(ngtcp2_callbacks *callbacks, bool is_server);

/* ---- close.c ---- */
/* Ends a connection and tells the peer. `code` is an application error code. */
void cni_net_close(CniNetConnection *connection, CnNetCloseCause cause, uint64_t code,
                   uint32_t reason, const char *text);
/* Ends a connection after an error of ngtcp2. */
void cni_net_fail(CniNetConnection *connection, int code);
/* Ends a connection without telling the peer. */
void cni_net_drop(CniNetConnection *connection, CnNetCloseCause cause);
/* Answers a packet of a peer that does not know yet that the connection was closed. */
void cni_net_repeat_close(CniNetConnection *connection);
/* The timer of a closed connection: late packets are no longer expected. */
void cni_net_end_closing(CniNetConnection *connection);

/* ---- write.c ---- */
/* Writes packets of a connection. Returns whether there may be more. */
bool cni_net_write(CniNetConnection *connection);

/* ---- accept.c ---- */
void cni_net_receive_packet(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                            size_t size);

/* ---- query.c ---- */
bool cni_net_is_query(const uint8_t *bytes, size_t size);
void cni_net_receive_query(CnNetEndpoint *endpoint, const CnNetAddress *peer, const uint8_t *bytes,
                           size_t size);

/* ---- events.c ---- */
/* Adds an event, whose bytes are copied. Returns false when out of memory. */
bool cni_net_event_add(CnNetEndpoint *endpoint, const CnNetEvent *event);
/* Discards events that were fetched. */
void cni_net_events_compact(CnNetEndpoint *endpoint);

/* ---- packets.c ---- */
/* Returns the buffer of the next packet to send. */
uint8_t *cni_net_packet_begin(CnNetEndpoint *endpoint);
/* Sends the first `size` bytes of that buffer, at the latest at the end of cn_net_poll. */
void cni_net_packet_end(CnNetEndpoint *endpoint, const CnNetAddress *peer, size_t size);
void cni_net_packets_flush(CnNetEndpoint *endpoint);
/* Receives packets and hands them to cni_net_receive_packet. */
bool cni_net_packets_receive(CnNetEndpoint *endpoint, CnError *error);
/* Hands over packets that the simulated network delayed. */
void cni_net_packets_release(CnNetEndpoint *endpoint);

/* ---- socket.c ---- */
CniNetSocket *cni_net_socket_create(CnAllocator *allocator, const CnNetAddress *bind,
                                    CnError *error);
void cni_net_socket_destroy(CniNetSocket *socket);
int cni_net_socket_family(const CniNetSocket *socket);
CnNetAddress cni_net_socket_address(const CniNetSocket *socket);
/* Waits until a packet can be received or the time has passed. */
void cni_net_socket_wait(CniNetSocket *socket, uint64_t wait_ns);
/* Receives up to CNI_NET_BATCH packets. *count 0: none. */
bool cni_net_socket_receive(CniNetSocket *socket, uint32_t *count, CnError *error);
const uint8_t *cni_net_socket_packet(const CniNetSocket *socket, uint32_t index, size_t *size,
                                     CnNetAddress *peer);
/* Sends packets; those that cannot be sent are lost. */
void cni_net_socket_send(CniNetSocket *socket, const CniNetBatch *batch);

#endif
