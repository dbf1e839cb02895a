/*
 * 06: a simulation.
 *
 * CnSim is a world that advances in ticks of fixed length. A tick depends only on the world, the
 * input since the last tick, and its dt. A recording therefore needs to contain only the input:
 * replaying it into a simulation that was set up in the same way reproduces every bit, which the
 * hash of the state confirms.
 *
 * Programs extend a simulation with plugins. Random numbers come from streams, which are part of
 * the state. Input enters only through cn_sim_input, where recorders can capture it.
 */
#include <cairn/sim.h>

#include <inttypes.h>
#include <stdio.h>

CN_COMPONENT(Lamp, (f32, x), (f32, glow));

CN_SYSTEM(fade, (write, Lamp, lamp))
{
    for (uint32_t i = 0; i < count; i++)
        lamp[i].glow -= lamp[i].glow * context->dt;
}

/* While the space bar is held, lamps are lit at random positions. */
static void light(CnSystemContext *context)
{
    const CnComponent *places = context->user;
    if (!cn_key_held(cn_resource(context->world, CnInputState), CN_KEY_SPACE))
        return;
    float x = cn_random_f32_range(cn_random_of(context->world, *places), 0, 100);
    cn_defer_spawn(context->commands, cn_with(Lamp, {x, 1}));
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    CnComponent *places = user;
    *places = cn_random_stream(world, "places", error);
    CnSystemDesc lighting = {.name = "light",
                             .run = light,
                             .user = places,
                             .stage = CN_STAGE_PRE_UPDATE,
                             .access = {cn_reads(CnInputState), cn_writes_id(*places)}};
    return places->id && cn_system_add(world, &lighting, error).id &&
           cn_system(world, fade, .stage = CN_STAGE_UPDATE).id;
}

static CnSim *make(CnComponent *places)
{
    const CnPlugin garden = {.name = "Garden", .needs = {"Random"}, .build = build, .user = places};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.tick_hz = 60, .seed = 7}, NULL);
    cn_sim_add_plugin(sim, &garden, NULL);
    return sim;
}

static void show(const char *what, const CnSim *sim)
{
    printf("%s tick %" PRIu64 ": %u lamps, state %016" PRIx64 "\n", what, cn_sim_tick(sim),
           cn_entity_count(cn_sim_world(sim)), cn_sim_hash(sim));
}

int main(void)
{
    CnComponent places[2];
    CnSim *sim = make(&places[0]), *other = make(&places[1]);
    CnRecorder *recorder = cn_recorder_create(sim, NULL, NULL); /* into memory */
    cn_sim_tick_n(sim, 100, NULL);
    cn_input_key(cn_sim_input(sim), CN_KEY_SPACE, true); /* held from the next tick on */
    cn_sim_tick_n(sim, 20, NULL);
    show("recorded", sim);
    cn_input_key(cn_sim_input(sim), CN_KEY_SPACE, false);
    cn_sim_tick_n(sim, 120, NULL);
    show("recorded", sim);

    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    CnReplayDifference difference;
    cn_replay_run(replay, other, UINT64_MAX, &difference, NULL); /* and compare each tick */
    show("replayed", other);
    puts(difference.found ? difference.text : "every tick is as recorded");
    cn_replay_seek(replay, other, 120, NULL);
    show("rewound ", other);

    cn_replay_close(replay);
    cn_recorder_destroy(recorder);
    cn_sim_destroy(other);
    cn_sim_destroy(sim);
}
