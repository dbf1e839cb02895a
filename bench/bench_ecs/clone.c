/* Cloning a world, compared with copying as many bytes into fresh memory. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct CloneState {
    CnWorld *world;
    uint8_t *bytes; /* as many as rows and slots have */
    size_t size;
    uint32_t n;
} CloneState;

static uint64_t clone_run(void *state)
{
    const CloneState *s = state;
    uint64_t start = cn_clock_ns();
    CnWorld *clone = need(cn_world_clone(s->world, NULL, NULL));
    uint64_t taken = cn_clock_ns() - start;
    expect_count("clone", cn_entity_count(clone), s->n);
    cn_world_destroy(clone);
    return taken;
}

static uint64_t copy_run(void *state)
{
    const CloneState *s = state;
    uint64_t start = cn_clock_ns();
    uint8_t *copy = need(malloc(s->size));
    memcpy(copy, s->bytes, s->size);
    uint64_t taken = cn_clock_ns() - start;
    expect_count("copy", copy[s->size - 1], s->bytes[s->size - 1]);
    free(copy);
    return taken;
}

Figures measure_world_clone(const Case *run)
{
    CloneState s = {.world = make_moving_world(run), .n = run->n};
    add_movers(s.world, run->n, NULL);
    s.size = (size_t)run->n * (2 * sizeof(CnEntity) + sizeof(Position) + sizeof(Velocity));
    s.bytes = need_array(s.size, 1);
    memset(s.bytes, 1, s.size);
    Figures figures = take_turns(run, clone_run, copy_run, &s, run->n);
    free(s.bytes);
    cn_world_destroy(s.world);
    return figures;
}
