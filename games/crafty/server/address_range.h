/*
 * Addresses and ranges of addresses, as bans name them: "192.0.2.7", "192.0.2.0/24",
 * "2001:db8::/32".
 *
 *     CraftyAddressRange range, address;
 *     crafty_address_range_parse(&range, "192.0.2.0/24");
 *     crafty_address_of_peer(&address, "192.0.2.7:4711");
 *     bool is_banned = crafty_address_range_contains(&range, &address);
 *
 * IPv4 addresses are those of IPv6 that begin with ::ffff:, so both forms are the same address.
 */
#ifndef CRAFTY_SERVER_ADDRESS_RANGE_H
#define CRAFTY_SERVER_ADDRESS_RANGE_H

#include <cairn/base/api.h>

#define CRAFTY_ADDRESS_TEXT_BYTES 64u

typedef struct CraftyAddressRange {
    uint8_t bytes[16]; /* bits behind the prefix are 0 */
    uint8_t bits;      /* of the prefix: 128 is one address */
} CraftyAddressRange;

/* Returns false if the text is not a numeric address, with or without "/BITS". */
bool crafty_address_range_parse(CraftyAddressRange *range, const char *text);
/* Reads the address of a peer, with or without a port: "192.0.2.7:4711", "[2001:db8::1]:4711". */
bool crafty_address_of_peer(CraftyAddressRange *address, const char *text);
/* Writes the shortest form that crafty_address_range_parse reads. */
const char *crafty_address_range_text(const CraftyAddressRange *range,
                                      char text[CRAFTY_ADDRESS_TEXT_BYTES]);
bool crafty_address_range_contains(const CraftyAddressRange *range,
                                   const CraftyAddressRange *address);
bool crafty_address_range_equal(const CraftyAddressRange *a, const CraftyAddressRange *b);

#endif
