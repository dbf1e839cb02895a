/*
 * The messages of one channel in one direction. On the wire, a message is its length, as an integer
 * of 1, 2 or 4 bytes (the two highest bits of the first byte say which: 0, 1, 2), and its bytes.
 *
 * The sender keeps messages until they are acknowledged. They lie in blocks that do not move,
 * because the QUIC library refers to them. The receiver allocates only for bytes that have arrived,
 * whatever length a message announces.
 */
#ifndef CAIRN_NET_CHANNEL_H
#define CAIRN_NET_CHANNEL_H

#include <cairn/base/memory.h>

/* ---- Sender ---- */

#define CNI_NET_BLOCK_BYTES 2032u

typedef struct CniNetBlock {
    struct CniNetBlock *next;
    uint32_t size;
    uint8_t bytes[CNI_NET_BLOCK_BYTES];
} CniNetBlock;

typedef struct CniNetSender {
    CniNetBlock *first, *last; /* not acknowledged */
    uint32_t first_offset;     /* acknowledged bytes of the first block */
    CniNetBlock *unsent;       /* the block of the next byte to send; NULL: none */
    uint32_t unsent_offset;
    uint64_t queued_bytes, unsent_bytes; /* not acknowledged; not sent */
} CniNetSender;

/* Bytes to send next. */
typedef struct CniNetSpan {
    const uint8_t *bytes;
    size_t size;
} CniNetSpan;

/* Returns the size of a message with its length. */
size_t cni_net_framed_size(size_t size);
/* Returns false, and changes nothing, when out of memory. `blocks` is a pool of CniNetBlock. */
bool cni_net_sender_put(CniNetSender *sender, CnPool *blocks, const void *bytes, size_t size);
/* Returns the number of spans, at most `limit`. */
uint32_t cni_net_sender_next(const CniNetSender *sender, CniNetSpan *spans, uint32_t limit);
/* Notes that the next bytes were sent, or that the oldest were acknowledged. */
void cni_net_sender_sent(CniNetSender *sender, size_t size);
void cni_net_sender_acked(CniNetSender *sender, CnPool *blocks, uint64_t size);
void cni_net_sender_fini(CniNetSender *sender, CnPool *blocks);

/* ---- Receiver ---- */

typedef struct CniNetReceiver {
    uint8_t header[4];
    uint32_t header_size;   /* received bytes of the length; 0 to 4 */
    uint8_t *message;       /* NULL until the first byte arrives */
    uint32_t message_bytes; /* announced */
    uint32_t received, capacity;
} CniNetReceiver;

typedef enum CniNetReceiveResult {
    CNI_NET_RECEIVED,
    CNI_NET_TOO_LONG,
    CNI_NET_NO_MEMORY
} CniNetReceiveResult;

/* Called for every complete message; returns false when out of memory. */
typedef bool (*CniNetDeliver)(const uint8_t *bytes, size_t size, void *user);

/* Reads the next bytes of the stream. A message longer than `limit` is an error. */
CniNetReceiveResult cni_net_receiver_read(CniNetReceiver *receiver, CnAllocator *allocator,
                                          uint32_t limit, const uint8_t *bytes, size_t size,
                                          CniNetDeliver deliver, void *user);
void cni_net_receiver_fini(CniNetReceiver *receiver, CnAllocator *allocator);

#endif
