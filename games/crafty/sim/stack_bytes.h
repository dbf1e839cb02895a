/* Stacks in block data: u16 item, u16 count, u16 wear. */
#ifndef CRAFTY_SIM_STACK_BYTES_H
#define CRAFTY_SIM_STACK_BYTES_H

#include "stack.h"

#include <cairn/base/bytes.h>

#define CRAFTY_STACK_BYTES 6u

static inline CraftyStack crafty_stack_load(const uint8_t bytes[CRAFTY_STACK_BYTES])
{
    return (CraftyStack){.item = cn_load_u16(bytes),
                         .count = cn_load_u16(bytes + 2),
                         .wear = cn_load_u16(bytes + 4)};
}

static inline void crafty_stack_store(uint8_t bytes[CRAFTY_STACK_BYTES], CraftyStack stack)
{
    const uint16_t values[3] = {stack.item, stack.count, stack.wear};
    for (uint32_t i = 0; i < 3; i++) {
        bytes[2 * i] = (uint8_t)values[i];
        bytes[2 * i + 1] = (uint8_t)(values[i] >> 8);
    }
}

#endif
