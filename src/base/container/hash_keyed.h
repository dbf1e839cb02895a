/* The keyed hash of one number, for hash maps; cn_hash_keyed hashes bytes. */
#ifndef CAIRN_SRC_BASE_CONTAINER_HASH_KEYED_H
#define CAIRN_SRC_BASE_CONTAINER_HASH_KEYED_H

#include <stdint.h>

uint64_t cni_base_hash_keyed_u64(uint64_t number);

#endif
