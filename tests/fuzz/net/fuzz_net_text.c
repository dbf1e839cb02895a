/* Text from outside: addresses, keys and simulated conditions. What is accepted reads back the
 * same. */
#include "fuzz_surface.h"

#include <cairn/net.h>

static const char *const words[] = {
    "latency=", "jitter=", "loss=", "duplicate=", "reorder=",   "bandwidth=", "outage=", "seed=",
    "Mbit",     "kbit",    "ms",    "[::1]:",     "127.0.0.1:", "::ffff:",    "%",       NULL};

static bool read_address(CnText text)
{
    CnNetAddress address, again;
    CnError error = {0};
    char written[CN_NET_ADDRESS_TEXT_BYTES];
    if (!cn_net_address_parse(text, &address, &error)) {
        FUZZ_CHECK(error.code == CN_ERROR_FORMAT);
        return false;
    }
    cn_net_address_text(&address, written);
    FUZZ_CHECK(cn_net_address_parse(cn_text(written), &again, NULL));
    FUZZ_CHECK(address.scope > 65535 || cn_net_address_equal(&address, &again));
    return true;
}

static bool read_key(CnText text)
{
    CnNetKeyId id, again;
    char written[CN_NET_KEY_TEXT_BYTES];
    if (!cn_net_key_id_parse(text, &id))
        return false;
    FUZZ_CHECK(cn_net_key_id_parse(cn_text(cn_net_key_id_text(&id, written)), &again));
    FUZZ_CHECK(cn_net_key_id_equal(&id, &again));
    return true;
}

static bool read_conditions(CnText text)
{
    CnNetConditions conditions;
    CnError error = {0};
    if (!cn_net_conditions_parse(text, &conditions, &error)) {
        FUZZ_CHECK(error.code == CN_ERROR_FORMAT);
        return false;
    }
    FUZZ_CHECK(conditions.loss >= 0 && conditions.loss <= 1);
    FUZZ_CHECK(conditions.latency_ms <= CN_NET_MAX_LATENCY_MS);
    return true;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnText text = {(const char *)bytes, size};
    bool is_address = read_address(text), is_key = read_key(text);
    return read_conditions(text) || is_address || is_key;
}

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "127.0.0.1:4500");
    fuzz_add_text(seeds, "[2001:db8::1]:4500");
    fuzz_add_text(seeds, "fe80::1%2");
    fuzz_add_text(seeds, "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef");
    fuzz_add_text(seeds, "latency=200,jitter=50ms,loss=5%,duplicate=.02,reorder=4%,"
                         "bandwidth=10Mbit,outage=5s-15s,seed=7");
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 160, .words = words, .add_seeds = add_seeds, .run = run};
