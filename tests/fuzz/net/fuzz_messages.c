/* The messages of a channel: whatever arrives, memory is bounded by what has arrived, and how the
 * stream was cut into packets makes no difference. */
#include "fuzz_surface.h"

#include "net/channel.h"

#include <cairn/base/hash_map.h>

#include <string.h>

enum { LIMIT = 400, MAX_BYTES = 640 };

typedef struct Result {
    CniNetReceiveResult result;
    uint32_t count;
    uint64_t hash;
} Result;

static bool keep(const uint8_t *bytes, size_t size, void *user)
{
    Result *result = user;
    FUZZ_CHECK(size <= LIMIT);
    result->count++;
    result->hash = cn_hash_bytes(bytes, size, result->hash + 1);
    return true;
}

static Result read_in_parts(const uint8_t *bytes, size_t size, size_t part)
{
    CniNetReceiver receiver = {0};
    Result result = {.result = CNI_NET_RECEIVED};
    for (size_t at = 0; at < size && result.result == CNI_NET_RECEIVED; at += part) {
        size_t length = size - at < part ? size - at : part;
        uint8_t *copy = malloc(length); /* reads beyond its end are found */
        FUZZ_CHECK(copy);
        memcpy(copy, bytes + at, length);
        result.result = cni_net_receiver_read(&receiver, NULL, LIMIT, copy, length, keep, &result);
        free(copy);
        FUZZ_CHECK(receiver.capacity <= 2 * (receiver.received + 256));
    }
    cni_net_receiver_fini(&receiver, NULL);
    return result;
}

static bool run(const uint8_t *bytes, size_t size)
{
    Result whole = read_in_parts(bytes, size, size ? size : 1);
    Result small = read_in_parts(bytes, size, 3), middle = read_in_parts(bytes, size, 70);
    FUZZ_CHECK(whole.result == small.result && whole.count == small.count);
    FUZZ_CHECK(whole.result == middle.result && whole.count == middle.count);
    FUZZ_CHECK(whole.hash == small.hash && whole.hash == middle.hash);
    return whole.result == CNI_NET_RECEIVED;
}

static void add_seeds(FuzzSeeds *seeds)
{
    uint8_t bytes[MAX_BYTES] = {3, 'a', 'b', 'c', 0, 0x41, 0x00};
    fuzz_add(seeds, bytes, 7 + 256);
    fuzz_add(seeds, bytes, 5);
    memcpy(bytes, "\x80\0\1\x2c", 4); /* 300 bytes */
    fuzz_add(seeds, bytes, 4 + 300);
    fuzz_add(seeds, "\xbf\xff\xff\xff\0\0", 6);
}

const FuzzSurface fuzz_surface = {.max_bytes = MAX_BYTES, .add_seeds = add_seeds, .run = run};
