#include "world_seed.h"

#include <cairn/base/text.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>

/* Returns false if the text is not a number that a seed can hold. */
static bool read_number(CnText text, uint64_t *seed)
{
    bool is_negative = text.size > 0 && text.data[0] == '-';
    const uint64_t most = is_negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX;
    uint64_t value = 0;
    if (text.size == is_negative)
        return false;
    for (size_t i = is_negative; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(text.data[i] - '0');
        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *seed = is_negative ? 0 - value : value;
    return true;
}

bool crafty_seed_from_text(const char *text, uint64_t *seed, CnError *error)
{
    CnText trimmed = cn_text_trim(cn_text(text));
    if (trimmed.size == 0)
        return getrandom(seed, sizeof *seed, 0) == sizeof *seed ||
               cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "the system has no random numbers (%s): give a seed",
                            strerrordesc_np(errno));
    if (!read_number(trimmed, seed))
        *seed = cn_hash_bytes(trimmed.data, trimmed.size, 0);
    return true;
}

void crafty_seed_to_text(uint64_t seed, char text[CRAFTY_SEED_TEXT_BYTES])
{
    cn_format(text, CRAFTY_SEED_TEXT_BYTES, "%" PRId64, (int64_t)seed);
}
