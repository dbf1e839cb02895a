/* The simulated network between an endpoint and its socket: packets that are delayed, lost,
 * duplicated or reordered, in both directions. */
#ifndef CAIRN_NET_LINK_H
#define CAIRN_NET_LINK_H

#include <cairn/base/array.h>
#include <cairn/net/endpoint.h>
#include <cairn/sim/random.h>

typedef enum CniNetDirection { CNI_NET_OUT, CNI_NET_IN, CNI_NET_DIRECTIONS } CniNetDirection;

typedef struct CniNetDelayed {
    uint64_t due_ns;
    uint64_t number; /* orders packets that are due at the same time */
    CnNetAddress peer;
    uint32_t size;
    uint8_t *bytes;
} CniNetDelayed;

typedef struct CniNetLink {
    CnAllocator *allocator;
    CnNetConditions conditions;
    bool is_active;
    CnRandom random;
    uint64_t start_ns, number;
    struct {
        CN_ARRAY(CniNetDelayed) heap; /* the earliest first */
        uint64_t last_due_ns;         /* of packets that keep their order */
        uint64_t free_ns;             /* when the simulated line has sent everything */
    } directions[CNI_NET_DIRECTIONS];
} CniNetLink;

void cni_net_link_init(CniNetLink *link, CnAllocator *allocator);
void cni_net_link_fini(CniNetLink *link);
/* Packets that are under way keep their delays. `conditions` may be NULL. */
void cni_net_link_set(CniNetLink *link, const CnNetConditions *conditions, uint64_t now_ns);
/* Copies a packet, or loses it. */
void cni_net_link_put(CniNetLink *link, CniNetDirection direction, const CnNetAddress *peer,
                      const uint8_t *bytes, size_t size, uint64_t now_ns);
/* Takes the next packet that is due; the caller frees it with cni_net_link_free. */
bool cni_net_link_take(CniNetLink *link, CniNetDirection direction, uint64_t now_ns,
                       CniNetDelayed *packet);
void cni_net_link_free(CniNetLink *link, CniNetDelayed *packet);
/* Returns when the next packet is due; UINT64_MAX: never. */
uint64_t cni_net_link_next_ns(const CniNetLink *link);
/* Whether packets must pass through the link. */
bool cni_net_link_in_use(const CniNetLink *link);

#endif
