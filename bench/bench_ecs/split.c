/* Split systems on one thread, compared with the same systems without splitting: the cost of the
 * shares' buffers if events are sent, and the cost of a split loop that records nothing. */
#include "bench.h"

CN_COMPONENT(Note, (f32, x));

CN_SYSTEM(send_rows, (read, Position, p))
{
    CnChannel *notes = context->user;
    for (uint32_t i = 0; i < count; i++)
        cn_send(notes, Note, {p[i].x});
}

CN_SYSTEM(move_silently, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
        p[i].z += v[i].z * context->dt;
    }
}

typedef struct SplitState {
    CnWorld *split, *whole; /* equal except for the option */
    CnChannel *split_notes, *whole_notes;
    uint32_t n;
} SplitState;

static CnWorld *make_side(const Case *run, bool split, bool sends, CnChannel **notes)
{
    Case packed = *run;
    packed.layout = CN_LAYOUT_PACKED;
    CnWorld *world = make_moving_world(&packed);
    add_movers(world, run->n, NULL);
    *notes = need(
        cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Note, .max_events = 2 * run->n}));
    CnSystem added =
        sends ? cn_system(world, send_rows, .user = *notes, .stage = CN_STAGE_UPDATE,
                          .access = {cn_writes(Note)}, .split = split)
              : cn_system(world, move_silently, .stage = CN_STAGE_UPDATE, .split = split);
    expect_count("systems", added.id != 0, 1);
    return world;
}

static uint64_t update(CnWorld *world, uint32_t n)
{
    uint32_t times = repetitions(n);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < times; i++)
        cn_world_update(world, DT, NULL);
    return (cn_clock_ns() - start) / times;
}

static uint64_t split_run(void *state)
{
    const SplitState *s = state;
    return update(s->split, s->n);
}

static uint64_t whole_run(void *state)
{
    const SplitState *s = state;
    return update(s->whole, s->n);
}

static Figures measure(const Case *run, bool sends)
{
    SplitState s = {.n = run->n};
    s.split = make_side(run, true, sends, &s.split_notes);
    s.whole = make_side(run, false, sends, &s.whole_notes);
    Figures figures = take_turns(run, split_run, whole_run, &s, run->n);
    expect_count("events", cn_event_count(s.split_notes), cn_event_count(s.whole_notes));
    cn_world_destroy(s.split);
    cn_world_destroy(s.whole);
    return figures;
}

Figures measure_split_send(const Case *run)
{
    return measure(run, true);
}

Figures measure_split_silent(const Case *run)
{
    return measure(run, false);
}
