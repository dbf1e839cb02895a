/* What the module reads of a key pair. */
#ifndef CAIRN_NET_KEY_PAIR_H
#define CAIRN_NET_KEY_PAIR_H

#include <cairn/net/key.h>

struct CnNetKey {
    CnNetKeyId id;
    uint8_t secret[CN_NET_KEY_BYTES]; /* the seed of RFC 8032 */
};

#endif
