/* Limits in total and per address. */
#include "net_internal.h"

#include <string.h>

bool cni_net_bucket_take(CniNetBucket *bucket, uint64_t now_ns)
{
    uint64_t step = CNI_NET_SECOND / (bucket->rate ? bucket->rate : 1);
    if (bucket->full_ns < now_ns)
        bucket->full_ns = now_ns;
    if (bucket->full_ns - now_ns + step > CNI_NET_SECOND)
        return false;
    bucket->full_ns += step;
    return true;
}

/* One key for all addresses that one person can have. */
static uint64_t address_key(const CnNetAddress *address)
{
    uint8_t bytes[16];
    memcpy(bytes, address->ip, sizeof bytes);
    if (!cni_net_address_is_v4(address))
        memset(bytes + 8, 0, 8);
    return cn_hash_keyed(bytes, sizeof bytes, address->scope);
}

bool cni_net_reserve_address(CnNetEndpoint *endpoint, const CnNetAddress *address)
{
    const CnNetLimits *limits = &endpoint->limits;
    uint64_t key = address_key(address);
    CniNetAddressUse *use = cn_hash_map_get(&endpoint->addresses, key);
    if (!use)
        use = cn_hash_map_set(&endpoint->addresses, key, NULL);
    if (!use)
        return false;
    if (use->handshakes >= limits->handshakes_per_address ||
        use->handshakes + use->connections >= limits->connections_per_address)
        return false;
    use->handshakes++;
    return true;
}

void cni_net_handshake_done(CnNetEndpoint *endpoint, const CnNetAddress *address)
{
    CniNetAddressUse *use = cn_hash_map_get(&endpoint->addresses, address_key(address));
    if (!use || use->handshakes == 0)
        return;
    use->handshakes--;
    use->connections++;
}

void cni_net_release_address(CnNetEndpoint *endpoint, const CnNetAddress *address,
                             bool is_handshake)
{
    uint64_t key = address_key(address);
    CniNetAddressUse *use = cn_hash_map_get(&endpoint->addresses, key);
    if (!use)
        return;
    uint32_t *count = is_handshake ? &use->handshakes : &use->connections;
    if (*count)
        --*count;
    if (use->handshakes + use->connections == 0)
        cn_hash_map_remove(&endpoint->addresses, key);
}
