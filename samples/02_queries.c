/*
 * 02: queries.
 *
 * A query is the set of all entities that have some components and lack others. It is created once
 * and stays up to date. It is iterated chunk by chunk: a chunk is up to 32 KiB of rows with the
 * same components and has one array per component, so the loop over rows is an ordinary C loop.
 *
 *   all       required                 cn_reads(T), cn_writes(T), cn_tag(T)
 *   any       at least one of them
 *   none      excluded
 *   optional  a column if present, otherwise NULL
 *
 * Declare write access only for components that you write: systems that only read the same data can
 * run in parallel, and chunks without write access count as unchanged.
 */
#include <cairn/ecs.h>

#include <stdio.h>

CN_COMPONENT(Position, (f32, x), (f32, y));
CN_COMPONENT(Health, (i32, points));
CN_COMPONENT(Armour, (i32, points));
CN_TAG(Frozen);
CN_TAG(Ghost);

static void print_health(const char *title, CnQuery *query, uint64_t since)
{
    uint32_t chunks = 0;
    CnChunkView view;
    printf("%s\n", title);
    for (CnQueryIter it = cn_query_iter_changed(query, since); cn_query_next(&it, &view);) {
        const Health *health = cn_column_const(&view, Health);
        const Armour *armour = cn_column_const(&view, Armour); /* NULL for chunks without it */
        for (uint32_t i = 0; i < view.count; i++)
            printf("  entity %u: health %d, armour %d\n", cn_entity_index(view.entities[i]),
                   health[i].points, armour ? armour[i].points : 0);
        chunks++;
    }
    printf("  (%u chunks)\n", chunks);
}

static void began_to_freeze(CnWorld *world, CnEntity entity, void *user)
{
    (void)world;
    (void)user;
    printf("  entity %u freezes\n", cn_entity_index(entity));
}

/* Lists entities in the order of a field. The order is cached: an update examines only changes. */
static void print_weakest_first(CnSortedQuery *by_health)
{
    CnSortedRun run;
    cn_sorted_query_update(by_health);
    printf("weakest first:");
    for (CnSortedIter it = cn_sorted_iter(by_health); cn_sorted_next(&it, &run);) {
        const Health *health = cn_column_const(&run.view, Health);
        for (uint32_t row = run.first; row < run.first + run.count; row++)
            printf(" %u (%d)", cn_entity_index(run.view.entities[row]), health[row].points);
    }
    printf("\n");
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    CnEntity knight = cn_spawn(world, cn_with(Health, {30}), cn_with(Armour, {12}));
    cn_spawn(world, cn_with(Health, {20}), cn_with(Position, {1, 2}));
    cn_spawn(world, cn_with(Health, {10}), cn_with_tag(Frozen));
    cn_spawn(world, cn_with(Health, {40}), cn_with_tag(Ghost));

    CnQueryDesc desc = {
        .all = {cn_reads(Health)}, .none = {cn_tag(Ghost)}, .optional = {cn_reads(Armour)}};
    CnQuery *mortals = cn_query_acquire(world, &desc, NULL);
    print_health("everyone but ghosts:", mortals, 0);

    /* A query with one more condition. Equal conditions yield the same query. */
    CnQuery *awake = cn_query_not(mortals, cn_term_tag(Frozen), NULL);
    printf("%u of %u are awake\n", cn_query_count(awake), cn_query_count(mortals));

    /* Queries are live: entities with a new combination of components appear in them at once. */
    cn_spawn(world, cn_with(Health, {5}), cn_with(Armour, {1}), cn_with(Position, {3, 4}));
    printf("%u after one more was spawned\n", cn_query_count(awake));

    /* Only changes since a given time: writes are stamped with the world's tick. */
    uint64_t now = cn_world_tick(world);
    cn_world_advance_tick(world);
    cn_get_mut(world, knight, Health)->points -= 7;
    print_health("changed since then:", mortals, now);

    CnSortedQueryDesc weakest = {
        .query = {.all = {cn_reads(Health)}}, .by = &cn_type_Health, .field = "points"};
    CnSortedQuery *by_health = cn_sorted_query_create(world, &weakest, NULL);
    print_weakest_first(by_health);
    cn_get_mut(world, knight, Health)->points -= 15;
    print_weakest_first(by_health);
    cn_sorted_query_destroy(by_health);

    /* An observer is called when an entity begins or ceases to match. */
    CnObserverDesc freezing = {.query = {.all = {cn_tag(Frozen)}}, .on_enter = began_to_freeze};
    CnObserver *observer = cn_observer_create(world, &freezing, NULL);

    /* A bulk change of all matching entities: one move per chunk instead of one per entity. */
    cn_query_set(awake, cn_with_tag(Frozen));
    printf("%u are awake after the frost\n", cn_query_count(awake));

    /* Release what is no longer needed; destroying the world does so, too. */
    cn_observer_destroy(observer);
    cn_query_release(awake);
    cn_query_release(mortals);
    cn_world_destroy(world);
}
