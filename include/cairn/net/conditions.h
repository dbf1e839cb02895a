/*
 * CnNetConditions: a simulated bad network inside an endpoint, for tests and for trying out how a
 * game behaves on one.
 *
 *     CnError error = {0};
 *     CnNetConditions conditions = {0};
 *     if (!cn_net_conditions_parse(cn_text("latency=200,jitter=50,loss=5%"), &conditions, &error))
 *         puts(error.message);
 *     cn_net_set_conditions(endpoint, &conditions);
 *
 * The conditions are applied to every packet that the endpoint sends and receives, in this order:
 * outage, loss, bandwidth, latency and jitter, reordering, duplication. All random decisions come
 * from `seed`, so that two runs with the same packets at the same times give the same result.
 */
#ifndef CAIRN_NET_CONDITIONS_H
#define CAIRN_NET_CONDITIONS_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

/* Zero-initialized conditions change nothing. Probabilities are per packet and direction, from
 * 0 to 1. */
typedef struct CnNetConditions {
    uint32_t latency_ms; /* added to the round trip, half of it in each direction */
    uint32_t jitter_ms;  /* a packet's delay varies by up to ± half of this in each direction,
                          * without changing the order of packets */
    float loss;
    float duplicates;
    float reordering;         /* these packets are not delayed, and so overtake others */
    uint64_t bandwidth_bytes; /* per second and direction; 0: unlimited */
    /* Packets are dropped in this range of time, in milliseconds since the conditions were set. */
    uint32_t outage_from_ms, outage_to_ms;
    uint64_t seed;
} CnNetConditions;

#define CN_NET_MAX_LATENCY_MS 60000u

/* Reads text such as "latency=200,jitter=50,loss=5%,duplicate=2%,reorder=4%,bandwidth=10Mbit,
 * outage=5s-15s,seed=7". Times without a unit are milliseconds ("ms" and "s" are accepted);
 * probabilities are percentages with "%" and fractions without; bandwidths need "kbit", "Mbit" or
 * "Gbit", per second. An empty text means no conditions. On failure *conditions is unchanged. */
CN_API bool cn_net_conditions_parse(CnText text, CnNetConditions *conditions, CnError *error);

CN_EXTERN_C_END

#endif
