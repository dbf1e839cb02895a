/*
 * 04: events.
 *
 * An event is a small struct that one system sends and others read in the same update. It is
 * described like a component. A signal is an event without data: only the number of sends counts.
 *
 * All systems of an update see the events that were sent from outside since the previous update;
 * code between updates still sees those of the last one. Channels are bounded: when a channel is
 * full, further events are dropped, counted and logged.
 */
#include <cairn/ecs.h>

#include <stdio.h>

CN_COMPONENT(Health, (i32, points));
CN_COMPONENT(Damage, (entity, target), (i32, amount));
CN_TAG(Alarm);

/* Sends events. A system declares the events that it reads and sends, like all other accesses. */
static void volcano(CnSystemContext *context)
{
    CnChannel *damage = cn_channel(context->world, Damage);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_send(damage, Damage, {.target = view.entities[i], .amount = 15 + (int32_t)i * 10});
}

/* Reads events and sends a signal. */
static void hurt(CnSystemContext *context)
{
    CnChannel *damage = cn_channel(context->world, Damage);
    CnChannel *alarm = cn_channel(context->world, Alarm);
    const Damage *events = cn_events(damage, Damage);
    for (uint32_t i = 0; i < cn_event_count(damage); i++) {
        Health *health = cn_get_mut(context->world, events[i].target, Health);
        if (!health)
            continue; /* the target may already be dead */
        health->points -= events[i].amount;
        if (health->points < 40)
            cn_signal(alarm);
    }
}

static void report(CnSystemContext *context)
{
    printf("  %u hits, %u alarms\n", cn_event_count(cn_channel(context->world, Damage)),
           cn_event_count(cn_channel(context->world, Alarm)));
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    CnEntity hero = cn_spawn(world, cn_with(Health, {100}));
    cn_spawn(world, cn_with(Health, {100}));

    CnSystemDesc systems[] = {
        {.name = "volcano",
         .run = volcano,
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_reads(Health)}},
         .access = {cn_writes(Damage)}},
        {.name = "hurt",
         .run = hurt,
         .stage = CN_STAGE_UPDATE,
         .access = {cn_reads(Damage), cn_writes(Alarm), cn_writes(Health)},
         .after = {"volcano"}},
        {.name = "report",
         .run = report,
         .stage = CN_STAGE_POST_UPDATE,
         .access = {cn_reads(Damage), cn_reads(Alarm)}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        cn_system_add(world, &systems[i], NULL);

    for (int update = 1; update <= 4; update++) {
        printf("update %d\n", update);
        if (update == 3) /* sent from outside: the next update sees it */
            cn_send(cn_channel(world, Damage), Damage, {.target = hero, .amount = 50});
        cn_world_update(world, 0.1f, NULL);
    }
    printf("the hero has %d points left\n", cn_get(world, hero, Health)->points);
    cn_world_destroy(world);
}
