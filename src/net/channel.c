/* Messages in a stream of bytes. */
#include "channel.h"

#include <cairn/base/assert.h>

#include <string.h>

/* ---- Lengths ---- */

static uint32_t write_length(uint8_t header[4], size_t size)
{
    if (size < 1u << 6) {
        header[0] = (uint8_t)size;
        return 1;
    }
    if (size < 1u << 14) {
        header[0] = (uint8_t)(0x40u | size >> 8);
        header[1] = (uint8_t)size;
        return 2;
    }
    header[0] = (uint8_t)(0x80u | size >> 24);
    header[1] = (uint8_t)(size >> 16);
    header[2] = (uint8_t)(size >> 8);
    header[3] = (uint8_t)size;
    return 4;
}

/* Returns how many bytes the length has that begins with this byte; 0: invalid. */
static uint32_t length_size(uint8_t first)
{
    static const uint32_t sizes[4] = {1, 2, 4, 0};
    return sizes[first >> 6];
}

static uint32_t read_length(const uint8_t header[4])
{
    uint32_t value = header[0] & 0x3fu;
    for (uint32_t i = 1; i < length_size(header[0]); i++)
        value = value << 8 | header[i];
    return value;
}

size_t cni_net_framed_size(size_t size)
{
    uint8_t header[4];
    return write_length(header, size) + size;
}

/* ---- Sender ---- */

static bool add_block(CniNetSender *sender, CnPool *blocks)
{
    CniNetBlock *block = cn_pool_acquire(blocks);
    if (!block)
        return false;
    block->next = NULL;
    block->size = 0;
    if (sender->last)
        sender->last->next = block;
    else
        sender->first = block;
    sender->last = block;
    return true;
}

/* Makes room behind `last`, so that appending cannot fail. Returns false, without blocks that were
 * added, when out of memory. */
static bool reserve(CniNetSender *sender, CnPool *blocks, size_t size)
{
    CniNetBlock *last = sender->last;
    size_t room = last ? CNI_NET_BLOCK_BYTES - last->size : 0;
    while (room < size) {
        if (!add_block(sender, blocks)) {
            CniNetBlock *block = last ? last->next : sender->first;
            while (block) {
                CniNetBlock *next = block->next;
                cn_pool_release(blocks, block);
                block = next;
            }
            sender->last = last;
            if (last)
                last->next = NULL;
            else
                sender->first = NULL;
            return false;
        }
        room += CNI_NET_BLOCK_BYTES;
    }
    return true;
}

static CniNetBlock *append(CniNetBlock *block, const uint8_t *bytes, size_t size)
{
    while (size) {
        if (block->size == CNI_NET_BLOCK_BYTES)
            block = block->next;
        size_t part = CNI_NET_BLOCK_BYTES - block->size;
        part = part < size ? part : size;
        memcpy(block->bytes + block->size, bytes, part);
        block->size += (uint32_t)part;
        bytes += part;
        size -= part;
    }
    return block;
}

bool cni_net_sender_put(CniNetSender *sender, CnPool *blocks, const void *bytes, size_t size)
{
    uint8_t header[4];
    uint32_t header_size = write_length(header, size);
    CniNetBlock *begin = sender->last;
    uint32_t begin_offset = begin ? begin->size : 0;
    if (!reserve(sender, blocks, header_size + size))
        return false;
    if (!begin || begin_offset == CNI_NET_BLOCK_BYTES) { /* it may be acknowledged and freed */
        begin = begin ? begin->next : sender->first;
        begin_offset = 0;
    }
    if (!sender->unsent) {
        sender->unsent = begin;
        sender->unsent_offset = begin_offset;
    }
    append(append(begin, header, header_size), bytes, size);
    sender->queued_bytes += header_size + size;
    sender->unsent_bytes += header_size + size;
    return true;
}

uint32_t cni_net_sender_next(const CniNetSender *sender, CniNetSpan *spans, uint32_t limit)
{
    uint32_t count = 0;
    uint32_t offset = sender->unsent_offset;
    for (const CniNetBlock *block = sender->unsent; block && count < limit; block = block->next) {
        if (block->size > offset)
            spans[count++] = (CniNetSpan){block->bytes + offset, block->size - offset};
        offset = 0;
    }
    return count;
}

void cni_net_sender_sent(CniNetSender *sender, size_t size)
{
    CN_ASSERT(size <= sender->unsent_bytes, "more bytes were sent than were queued");
    sender->unsent_bytes -= size;
    while (size) {
        size_t part = sender->unsent->size - sender->unsent_offset;
        part = part < size ? part : size;
        sender->unsent_offset += (uint32_t)part;
        size -= part;
        if (sender->unsent_offset == sender->unsent->size && sender->unsent->next) {
            sender->unsent = sender->unsent->next;
            sender->unsent_offset = 0;
        }
    }
    if (sender->unsent_bytes == 0)
        sender->unsent = NULL;
}

void cni_net_sender_acked(CniNetSender *sender, CnPool *blocks, uint64_t size)
{
    CN_ASSERT(size <= sender->queued_bytes - sender->unsent_bytes,
              "more bytes were acknowledged than were sent");
    sender->queued_bytes -= size;
    while (size) {
        CniNetBlock *block = sender->first;
        uint64_t part = block->size - sender->first_offset;
        part = part < size ? part : size;
        sender->first_offset += (uint32_t)part;
        size -= part;
        if (sender->first_offset < block->size)
            return;
        sender->first = block->next;
        sender->first_offset = 0;
        if (!sender->first)
            sender->last = NULL;
        cn_pool_release(blocks, block);
    }
}

void cni_net_sender_fini(CniNetSender *sender, CnPool *blocks)
{
    while (sender->first) {
        CniNetBlock *block = sender->first;
        sender->first = block->next;
        cn_pool_release(blocks, block);
    }
    *sender = (CniNetSender){0};
}

/* ---- Receiver ---- */

enum { FIRST_CAPACITY = 256 };

/* Returns the number of bytes that belong to the length. */
static size_t read_header(CniNetReceiver *receiver, const uint8_t *bytes, size_t size)
{
    size_t used = 0;
    while (used < size) {
        receiver->header[receiver->header_size++] = bytes[used++];
        uint32_t needed = length_size(receiver->header[0]);
        if (needed == 0 || receiver->header_size == needed)
            break;
    }
    return used;
}

static bool has_length(const CniNetReceiver *receiver)
{
    return receiver->header_size && receiver->header_size == length_size(receiver->header[0]);
}

static bool make_room(CniNetReceiver *receiver, CnAllocator *allocator, uint32_t needed)
{
    if (needed <= receiver->capacity)
        return true;
    uint32_t capacity = receiver->capacity ? receiver->capacity : FIRST_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    if (capacity > receiver->message_bytes)
        capacity = receiver->message_bytes;
    uint8_t *message = cn_realloc(allocator, receiver->message, receiver->capacity, capacity);
    if (!message)
        return false;
    receiver->message = message;
    receiver->capacity = capacity;
    return true;
}

static void next_message(CniNetReceiver *receiver, CnAllocator *allocator)
{
    cn_free(allocator, receiver->message, receiver->capacity);
    *receiver = (CniNetReceiver){0};
}

/* Reads bytes of a message whose length is known. Returns how many. */
static CniNetReceiveResult read_body(CniNetReceiver *receiver, CnAllocator *allocator,
                                     const uint8_t *bytes, size_t size, size_t *used,
                                     CniNetDeliver deliver, void *user)
{
    uint32_t missing = receiver->message_bytes - receiver->received;
    uint32_t part = size < missing ? (uint32_t)size : missing;
    *used = part;
    if (receiver->received == 0 && part == missing) { /* complete: deliver without a copy */
        bool delivered = deliver(bytes, part, user);
        next_message(receiver, allocator);
        return delivered ? CNI_NET_RECEIVED : CNI_NET_NO_MEMORY;
    }
    if (part == 0)
        return CNI_NET_RECEIVED;
    if (!make_room(receiver, allocator, receiver->received + part))
        return CNI_NET_NO_MEMORY;
    memcpy(receiver->message + receiver->received, bytes, part);
    receiver->received += part;
    if (receiver->received < receiver->message_bytes)
        return CNI_NET_RECEIVED;
    bool delivered = deliver(receiver->message, receiver->message_bytes, user);
    next_message(receiver, allocator);
    return delivered ? CNI_NET_RECEIVED : CNI_NET_NO_MEMORY;
}

CniNetReceiveResult cni_net_receiver_read(CniNetReceiver *receiver, CnAllocator *allocator,
                                          uint32_t limit, const uint8_t *bytes, size_t size,
                                          CniNetDeliver deliver, void *user)
{
    while (size) {
        size_t used = 0;
        if (!has_length(receiver)) {
            used = read_header(receiver, bytes, size);
            bytes += used;
            size -= used;
            if (length_size(receiver->header[0]) == 0)
                return CNI_NET_TOO_LONG;
            if (!has_length(receiver))
                return CNI_NET_RECEIVED;
            receiver->message_bytes = read_length(receiver->header);
            if (receiver->message_bytes > limit)
                return CNI_NET_TOO_LONG;
        }
        CniNetReceiveResult result =
            read_body(receiver, allocator, bytes, size, &used, deliver, user);
        if (result != CNI_NET_RECEIVED)
            return result;
        bytes += used;
        size -= used;
    }
    return CNI_NET_RECEIVED;
}

void cni_net_receiver_fini(CniNetReceiver *receiver, CnAllocator *allocator)
{
    next_message(receiver, allocator);
}
