/* The UDP socket: many packets per system call. */
#include "net_internal.h"

#include <errno.h>
#include <netinet/udp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    RECEIVED_BYTES = 2048, /* longer packets are none of this protocol */
    SOCKET_BUFFER_BYTES = 4 << 20,
    MAX_SEGMENTS = 32 /* of packets of equal size that the kernel splits, at most 64 KiB */
};

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

struct CniNetSocket {
    CnAllocator *allocator;
    int descriptor, family;
    bool can_segment; /* the kernel splits large packets */
    CnNetAddress address;
    struct mmsghdr received[CNI_NET_BATCH];
    struct iovec received_spans[CNI_NET_BATCH];
    CniNetSocketAddress received_peers[CNI_NET_BATCH];
    uint8_t received_bytes[CNI_NET_BATCH][RECEIVED_BYTES];
    struct mmsghdr sent[CNI_NET_BATCH];
    struct iovec sent_spans[CNI_NET_BATCH];
    CniNetSocketAddress sent_peers[CNI_NET_BATCH];
    union {
        char bytes[CMSG_SPACE(sizeof(uint16_t))];
        struct cmsghdr header; /* for its alignment */
    } sent_control[CNI_NET_BATCH];
};

static bool fail(CnError *error, const char *action, int number)
{
    return cn_error_set(error, CN_ERROR_IO, "cannot %s: %s", action, strerror(number));
}

/* ---- Creation ---- */

static bool is_any(const CnNetAddress *address)
{
    static const uint8_t zeros[16];
    return memcmp(address->ip, zeros, sizeof zeros) == 0;
}

static void set_options(int descriptor, int family)
{
    const int on = 1, off = 0, size = SOCKET_BUFFER_BYTES;
    const int probe = family == AF_INET6 ? IPV6_PMTUDISC_PROBE : IP_PMTUDISC_PROBE;
    /* Without the privilege, the limits of the system apply (net.core.rmem_max). */
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
    setsockopt(descriptor, IPPROTO_IP, IP_MTU_DISCOVER, &probe, sizeof probe);
    if (family == AF_INET6) {
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &probe, sizeof probe);
    }
}

static bool read_address(CniNetSocket *socket)
{
    CniNetSocketAddress address = {0};
    socklen_t size = sizeof address;
    if (getsockname(socket->descriptor, &address.any, &size) != 0)
        return false;
    socket->address = cni_net_address_from_socket(&address);
    return true;
}

static bool try_open(CniNetSocket *opened, const CnNetAddress *address, int family)
{
    CniNetSocketAddress local;
    socklen_t size = cni_net_address_to_socket(address, family, &local);
    opened->family = family;
    opened->descriptor = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (opened->descriptor < 0)
        return false;
    set_options(opened->descriptor, family);
    if (bind(opened->descriptor, &local.any, size) == 0 && read_address(opened))
        return true;
    int number = errno;
    close(opened->descriptor);
    errno = number;
    return false;
}

/* "Any address" is IPv6 with IPv4 where the machine has IPv6. */
static bool open_socket(CniNetSocket *socket, const CnNetAddress *address, CnError *error)
{
    CnNetAddress v4 = *address;
    bool is_open;
    if (is_any(address)) {
        v4.ip[10] = v4.ip[11] = 0xff;
        is_open = try_open(socket, address, AF_INET6) || try_open(socket, &v4, AF_INET);
    } else {
        is_open = try_open(socket, address, cni_net_address_is_v4(address) ? AF_INET : AF_INET6);
    }
    if (is_open)
        return true;
    int number = errno;
    char text[CN_NET_ADDRESS_TEXT_BYTES], action[CN_NET_ADDRESS_TEXT_BYTES + 32];
    cn_format(action, sizeof action, "open UDP port %s", cn_net_address_text(address, text));
    return fail(error, action, number);
}

CniNetSocket *cni_net_socket_create(CnAllocator *allocator, const CnNetAddress *bind_address,
                                    CnError *error)
{
    CniNetSocket *socket = cn_alloc_zeroed(allocator, sizeof *socket);
    if (!socket) {
        cn_error_memory(error, "a socket");
        return NULL;
    }
    socket->allocator = allocator;
    if (!open_socket(socket, bind_address, error)) {
        cn_free(allocator, socket, sizeof *socket);
        return NULL;
    }
    int size;
    socklen_t size_size = sizeof size;
    socket->can_segment =
        getsockopt(socket->descriptor, IPPROTO_UDP, UDP_SEGMENT, &size, &size_size) == 0;
    return socket;
}

void cni_net_socket_destroy(CniNetSocket *socket)
{
    if (!socket)
        return;
    close(socket->descriptor);
    cn_free(socket->allocator, socket, sizeof *socket);
}

int cni_net_socket_family(const CniNetSocket *socket)
{
    return socket->family;
}

CnNetAddress cni_net_socket_address(const CniNetSocket *socket)
{
    return socket->address;
}

/* ---- Receiving ---- */

void cni_net_socket_wait(CniNetSocket *socket, uint64_t wait_ns)
{
    struct pollfd waiting = {.fd = socket->descriptor, .events = POLLIN};
    const struct timespec time = {.tv_sec = (time_t)(wait_ns / CNI_NET_SECOND),
                                  .tv_nsec = (long)(wait_ns % CNI_NET_SECOND)};
    ppoll(&waiting, 1, &time, NULL); /* a signal ends the wait early */
}

bool cni_net_socket_receive(CniNetSocket *socket, uint32_t *count, CnError *error)
{
    for (uint32_t i = 0; i < CNI_NET_BATCH; i++) {
        socket->received_spans[i] = (struct iovec){socket->received_bytes[i], RECEIVED_BYTES};
        socket->received[i].msg_hdr = (struct msghdr){.msg_name = &socket->received_peers[i],
                                                      .msg_namelen = sizeof(CniNetSocketAddress),
                                                      .msg_iov = &socket->received_spans[i],
                                                      .msg_iovlen = 1};
    }
    int received =
        recvmmsg(socket->descriptor, socket->received, CNI_NET_BATCH, MSG_DONTWAIT, NULL);
    *count = received > 0 ? (uint32_t)received : 0;
    if (received >= 0)
        return true;
    switch (errno) {
    case EBADF:
    case ENOTSOCK:
    case EFAULT:
    case EINVAL:
        return fail(error, "receive packets", errno);
    default: /* none, or what became of earlier packets, such as ECONNREFUSED */
        return true;
    }
}

const uint8_t *cni_net_socket_packet(const CniNetSocket *socket, uint32_t index, size_t *size,
                                     CnNetAddress *peer)
{
    bool is_cut = (socket->received[index].msg_hdr.msg_flags & MSG_TRUNC) != 0;
    *size = is_cut ? 0 : socket->received[index].msg_len;
    *peer = cni_net_address_from_socket(&socket->received_peers[index]);
    return socket->received_bytes[index];
}

/* ---- Sending ---- */

/* Returns how many packets, from `first` on, can be sent as segments of one: to the same peer and
 * of equal size, except for the last, which may be smaller. */
static uint32_t count_segments(const CniNetSocket *socket, const CniNetBatch *batch, uint32_t first)
{
    uint32_t count = 1;
    if (!socket->can_segment)
        return 1;
    while (first + count < batch->count && count < MAX_SEGMENTS &&
           batch->sizes[first + count - 1] == batch->sizes[first] &&
           batch->sizes[first + count] <= batch->sizes[first] &&
           cn_net_address_equal(&batch->peers[first], &batch->peers[first + count]))
        count++;
    return count;
}

static void set_segment_size(struct msghdr *message, char *control, size_t control_size,
                             uint16_t size)
{
    message->msg_control = control;
    message->msg_controllen = control_size;
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    header->cmsg_level = IPPROTO_UDP;
    header->cmsg_type = UDP_SEGMENT;
    header->cmsg_len = CMSG_LEN(sizeof size);
    memcpy(CMSG_DATA(header), &size, sizeof size);
}

/* Returns the number of messages; `packets[i]` is the first packet of message i. */
static uint32_t prepare(CniNetSocket *socket, const CniNetBatch *batch, uint32_t first,
                        uint32_t packets[CNI_NET_BATCH])
{
    uint32_t messages = 0;
    for (uint32_t i = first; i < batch->count; messages++) {
        socklen_t size = cni_net_address_to_socket(&batch->peers[i], socket->family,
                                                   &socket->sent_peers[messages]);
        uint32_t segments = count_segments(socket, batch, i);
        struct msghdr *message = &socket->sent[messages].msg_hdr;
        packets[messages] = i;
        *message = (struct msghdr){.msg_name = &socket->sent_peers[messages],
                                   .msg_namelen = size,
                                   .msg_iov = &socket->sent_spans[i],
                                   .msg_iovlen = segments};
        if (segments > 1)
            set_segment_size(message, socket->sent_control[messages].bytes,
                             sizeof socket->sent_control[messages].bytes,
                             (uint16_t)batch->sizes[i]);
        for (uint32_t end = i + segments; i < end; i++)
            socket->sent_spans[i] = (struct iovec){batch->bytes[i], batch->sizes[i]};
    }
    return messages;
}

void cni_net_socket_send(CniNetSocket *socket, const CniNetBatch *batch)
{
    uint32_t packets[CNI_NET_BATCH];
    uint32_t count = prepare(socket, batch, 0, packets);
    for (uint32_t next = 0; next < count;) {
        int sent = sendmmsg(socket->descriptor, socket->sent + next, count - next, MSG_DONTWAIT);
        if (sent > 0) {
            next += (uint32_t)sent;
        } else if ((errno == EIO || errno == EINVAL) && socket->can_segment) {
            socket->can_segment = false; /* not on this route, for example with IPsec */
            count = prepare(socket, batch, packets[next], packets);
            next = 0;
        } else if (errno != EINTR) {
            next++; /* this one is lost: too large for the route, unreachable, or the queue is full
                     */
        }
    }
}
