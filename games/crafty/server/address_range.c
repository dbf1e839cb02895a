#include "address_range.h"

#include <cairn/base/text.h>

#include <arpa/inet.h>

#define IPV4_BITS 96u /* of the prefix ::ffff: */

static const uint8_t ipv4_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool is_ipv4(const uint8_t bytes[16])
{
    return !memcmp(bytes, ipv4_prefix, sizeof ipv4_prefix);
}

/* Clears the bits behind the prefix. */
static void clear_rest(CraftyAddressRange *range)
{
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t kept = range->bits > i * 8 ? range->bits - i * 8 : 0;
        if (kept < 8)
            range->bytes[i] &= (uint8_t)(0xff00u >> kept);
    }
}

/* Reads "0" to `most` without sign, blanks or leading zeros. */
static bool read_bits(const char *text, uint32_t most, uint32_t *bits)
{
    uint32_t size = (uint32_t)strlen(text);
    *bits = 0;
    if (size == 0 || size > 3 || (text[0] == '0' && size > 1))
        return false;
    for (uint32_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *bits = *bits * 10 + (uint32_t)(text[i] - '0');
    }
    return *bits <= most;
}

bool crafty_address_range_parse(CraftyAddressRange *range, const char *text)
{
    char address[CRAFTY_ADDRESS_TEXT_BYTES];
    const char *slash = strchr(text, '/');
    size_t size = slash ? (size_t)(slash - text) : strlen(text);
    *range = (CraftyAddressRange){0};
    if (!cn_copy_text(address, sizeof address, (CnText){text, size}))
        return false;
    bool is_short = inet_pton(AF_INET, address, range->bytes + sizeof ipv4_prefix) == 1;
    if (is_short)
        memcpy(range->bytes, ipv4_prefix, sizeof ipv4_prefix);
    else if (inet_pton(AF_INET6, address, range->bytes) != 1)
        return false;
    uint32_t most = is_short ? 32 : 128, bits = most;
    if (slash && !read_bits(slash + 1, most, &bits))
        return false;
    range->bits = (uint8_t)(is_short ? bits + IPV4_BITS : bits);
    clear_rest(range);
    return true;
}

bool crafty_address_of_peer(CraftyAddressRange *address, const char *text)
{
    char host[CRAFTY_ADDRESS_TEXT_BYTES];
    const char *end = NULL;
    if (text[0] == '[')
        end = strchr(++text, ']');
    else if (strchr(text, ':') == strrchr(text, ':'))
        end = strchr(text, ':'); /* one colon separates a port; more belong to IPv6 */
    size_t size = end ? (size_t)(end - text) : strlen(text);
    return !strchr(text, '/') && cn_copy_text(host, sizeof host, (CnText){text, size}) &&
           crafty_address_range_parse(address, host);
}

const char *crafty_address_range_text(const CraftyAddressRange *range,
                                      char text[CRAFTY_ADDRESS_TEXT_BYTES])
{
    char address[INET6_ADDRSTRLEN] = "";
    bool is_short = is_ipv4(range->bytes) && range->bits >= IPV4_BITS;
    const uint8_t *bytes = range->bytes + (is_short ? sizeof ipv4_prefix : 0);
    inet_ntop(is_short ? AF_INET : AF_INET6, bytes, address, sizeof address);
    if (range->bits == 128)
        cn_format(text, CRAFTY_ADDRESS_TEXT_BYTES, "%s", address);
    else
        cn_format(text, CRAFTY_ADDRESS_TEXT_BYTES, "%s/%u", address,
                  range->bits - (is_short ? IPV4_BITS : 0));
    return text;
}

bool crafty_address_range_contains(const CraftyAddressRange *range,
                                   const CraftyAddressRange *address)
{
    CraftyAddressRange prefix = *address;
    if (address->bits < range->bits)
        return false;
    prefix.bits = range->bits;
    clear_rest(&prefix);
    return !memcmp(prefix.bytes, range->bytes, sizeof prefix.bytes);
}

bool crafty_address_range_equal(const CraftyAddressRange *a, const CraftyAddressRange *b)
{
    return a->bits == b->bits && !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}
