/*
 * Philox 2x64 with 10 rounds, after Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
 * as 1, 2, 3" (2011): a bijection of 128 bits for each key, whose outputs look random.
 */
#ifndef CAIRN_SRC_SIM_PHILOX_H
#define CAIRN_SRC_SIM_PHILOX_H

#include <stdint.h>

#define CNI_SIM_PHILOX_ROUNDS 10
#define CNI_SIM_PHILOX_MULTIPLIER 0xd2b74407b1ce6e93u
#define CNI_SIM_PHILOX_KEY_STEP 0x9e3779b97f4a7c15u /* the golden ratio */

typedef struct CniSimPhilox {
    uint64_t first, second;
} CniSimPhilox;

static inline CniSimPhilox cni_sim_philox(uint64_t key, uint64_t counter_first,
                                          uint64_t counter_second)
{
    CniSimPhilox words = {counter_first, counter_second};
    for (int round = 0; round < CNI_SIM_PHILOX_ROUNDS; round++) {
        unsigned __int128 product = (unsigned __int128)words.first * CNI_SIM_PHILOX_MULTIPLIER;
        words.first = (uint64_t)(product >> 64) ^ key ^ words.second;
        words.second = (uint64_t)product;
        key += CNI_SIM_PHILOX_KEY_STEP;
    }
    return words;
}

#endif
