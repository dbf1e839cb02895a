/* test-labels: slow */
/*
 * Nobody gets stuck: in each of the situations of path_situations.h, animals and villagers arrive
 * where a path leads, and stay alive where none does.
 */
#include "path_situations.h"

#include <crafty/sim/villager_internal.h>

#define MOST_TICKS 2400u /* to arrive */
#define VAIN_TICKS 300u  /* watched where there is no path */

typedef struct Animal {
    const char *kind, *food;
} Animal;

static const CnVec3 GOAL = {6.5f, 0, 0.5f};

static float goal_feet(const Situation *situation)
{
    return (float)(FLOOR_Y + (situation->goal_y ? situation->goal_y : 1)) + 0.01f;
}

/* The player waits at the goal with this in its hand. */
static void place_player(CreatureFixture *fixture, const Situation *situation, const char *food)
{
    CraftyPlayer *player = fixture_player(&fixture->sim, 0);
    cn_get_mut(fixture->sim.world, fixture->sim.players[0], CnTransform)->position =
        cn_vec3(GOAL.x, goal_feet(situation) + CRAFTY_PLAYER_EYE, GOAL.z);
    player->slots[0] = (CraftyStack){.item = fixture_item(&fixture->sim, food), .count = 1};
    player->slot = 0;
}

/* Makes a kind that does nothing but follow its food. */
static CraftyCreatureKind *make_hungry(CreatureFixture *fixture, const char *name)
{
    CraftyCreatureKind *kind =
        (CraftyCreatureKind *)(uintptr_t)crafty_creature_kind_find(fixture->kinds, name);
    assert_non_null(kind);
    kind->behaviour_count = 1;
    kind->behaviours[0] = (CraftyBehaviour){
        .kind = CRAFTY_BEHAVIOUR_TEMPT, .speed = 1.5f, .distance = 32, .seconds = 5, .chance = 1};
    return kind;
}

/* Lets it walk, and compares where it arrives with what is expected. */
static void expect_walk(CreatureFixture *fixture, const Situation *situation, const char *kind,
                        bool is_solved)
{
    CnEntity walker = creature_at(fixture, kind, -5.5f, 0.5f);
    float feet = goal_feet(situation);
    bool arrives = false;
    for (uint32_t tick = 0; tick < (is_solved ? MOST_TICKS : VAIN_TICKS) && !arrives; tick++) {
        fixture_ticks(&fixture->sim, 1);
        if (!creature_of(fixture, walker))
            fail_msg("%s: the %s died", situation->name, kind);
        CnVec3 at = creature_place(fixture, walker);
        arrives = flat_distance(at, GOAL) < 2.6f && at.y > feet - 1.1f;
    }
    CnVec3 at = creature_place(fixture, walker);
    if (arrives != is_solved)
        fail_msg("%s: the %s is at %g %g %g", situation->name, kind, (double)at.x,
                 (double)(at.y - FLOOR_Y), (double)at.z);
    crafty_creature_remove(fixture->sim.world, walker);
}

static void creatures_walk_every_path_that_exists(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 8);
    CraftyCreatureKind *kind = make_hungry(&fixture, "pig");
    for (uint32_t i = 0; i < CN_COUNT_OF(situations); i++) {
        const Situation *s = &situations[i];
        situation_clear(&fixture);
        situation_build(&fixture, s);
        place_player(&fixture, s, "carrot");
        kind->width = s->width > 0 ? s->width : 0.6f;
        kind->height = s->height > 0 ? s->height : 1.8f;
        kind->opens_doors = s->opens || s->climbs;
        expect_walk(&fixture, s, "pig", s->is_solved);
    }
    creatures_end(&fixture);
}

/* ---- Those of the game, with their own bodies ---- */

typedef struct Searcher {
    CraftyPathTraits *traits;
    CraftyPathScratch *scratch;
} Searcher;

static Searcher make_searcher(const CreatureFixture *fixture)
{
    Searcher searcher = {crafty_path_traits_create(NULL, cn_voxels_blocks(fixture->sim.voxels),
                                                   fixture->sim.families, NULL),
                         crafty_path_scratch_create(NULL, NULL)};
    assert_non_null(searcher.traits);
    assert_non_null(searcher.scratch);
    return searcher;
}

static void free_searcher(Searcher *searcher)
{
    crafty_path_scratch_destroy(searcher->scratch);
    crafty_path_traits_destroy(searcher->traits);
}

static bool has_path(const CreatureFixture *fixture, const Searcher *searcher,
                     const Situation *situation, const CraftyPathBody *body, uint32_t near)
{
    CraftyPathWorld world = situation_world(fixture, searcher->traits);
    CraftyPath path;
    CraftyPathDesc desc = {.start = {-6, FLOOR_Y + 1, 0},
                           .goal = {6, (int32_t)goal_feet(situation), 0},
                           .body = *body,
                           .near = near,
                           .max_nodes = CRAFTY_PATH_MAX_NODES};
    return crafty_path_find(searcher->scratch, &world, &desc, &path) == CRAFTY_PATH_FOUND;
}

static void animals_arrive_wherever_a_path_leads(void **state)
{
    static const Animal animals[] = {{"duck", "bread"},  {"pig", "carrot"},
                                     {"sheep", "wheat"}, {"cow", "wheat"},
                                     {"wolf", "bone"},   {"chicken", "wheat_seeds"}};
    CreatureFixture fixture;
    uint32_t solved = 0;
    (void)state;
    creatures_make(&fixture, 1, 8);
    Searcher searcher = make_searcher(&fixture);
    for (uint32_t i = 0; i < CN_COUNT_OF(situations); i++)
        for (uint32_t k = 0; k < CN_COUNT_OF(animals); k++) {
            const Situation *s = &situations[i];
            const CraftyCreatureKind *kind = make_hungry(&fixture, animals[k].kind);
            CraftyPathBody body = {.width = kind->width, .height = kind->height};
            situation_clear(&fixture);
            situation_build(&fixture, s);
            place_player(&fixture, s, animals[k].food);
            bool is_solved = has_path(&fixture, &searcher, s, &body, 1);
            solved += is_solved;
            expect_walk(&fixture, s, animals[k].kind, is_solved);
        }
    print_message("%u of %zu are solved\n", solved, CN_COUNT_OF(situations) * CN_COUNT_OF(animals));
    assert_true(2 * solved > CN_COUNT_OF(situations) * CN_COUNT_OF(animals));
    free_searcher(&searcher);
    creatures_end(&fixture);
}

/* ---- Villagers ---- */

static CnEntity make_villager(CreatureFixture *fixture)
{
    CnWorld *world = fixture->sim.world;
    CnEntity entity = cn_object(world, "Villager");
    assert_true(entity.id && cn_add(world, entity, CraftyVillager));
    cn_get_mut(world, entity, CnTransform)->position = cn_vec3(-5.5f, FLOOR_Y + 1, 0.5f);
    return entity;
}

/* One tick of its walk; without a village, nobody else moves it. */
static bool walk_villager(CreatureFixture *fixture, CnEntity entity, CnCell goal)
{
    CnWorld *world = fixture->sim.world;
    CraftyVillagerTick tick = {.world = world,
                               .work = cn_resource(world, CraftyVillagerState)->work,
                               .entity = entity,
                               .villager = cn_get_mut(world, entity, CraftyVillager),
                               .transform = cn_get_mut(world, entity, CnTransform),
                               .blocks = cn_resource(world, CraftyBlocks),
                               .tick = cn_resource(world, CnTickInfo)->tick,
                               .dt = 1.0f / 60};
    tick.work->searches = 0;
    bool arrived = crafty_villager_walk(&tick, goal, 0);
    crafty_villager_close_door(&tick, false);
    return arrived;
}

static bool is_inside_of_block(const CreatureFixture *fixture, CnVec3 at)
{
    const CnBlockTable *table = cn_voxels_blocks(fixture->sim.voxels);
    for (int32_t up = 0; up <= 1; up++) {
        CnCell cell = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y + 0.6f) + up,
                       (int32_t)cn_floorf(at.z)};
        CnBlock block = cn_voxels_get(fixture->sim.voxels, cell);
        if ((table->flags[block] & CN_BLOCK_COLLIDES) && !cn_block_shape(table, block))
            return true;
    }
    return false;
}

static void villagers_arrive_wherever_a_path_leads(void **state)
{
    static const CraftyPathBody body = {
        .width = 0.6f, .height = 1.8f, .opens_doors = true, .avoids_water = true};
    CreatureFixture fixture;
    uint32_t solved = 0;
    (void)state;
    creatures_make(&fixture, 1, 8);
    assert_true(crafty_villagers_add(fixture.sim.world, NULL));
    Searcher searcher = make_searcher(&fixture);
    for (uint32_t i = 0; i < CN_COUNT_OF(situations); i++) {
        const Situation *s = &situations[i];
        situation_clear(&fixture);
        situation_build(&fixture, s);
        bool is_solved = has_path(&fixture, &searcher, s, &body, 0), arrives = false;
        CnCell goal = {6, (int32_t)goal_feet(s), 0};
        CnEntity entity = make_villager(&fixture);
        for (uint32_t k = 0; k < (is_solved ? MOST_TICKS : VAIN_TICKS) && !arrives; k++) {
            arrives = walk_villager(&fixture, entity, goal);
            if (is_inside_of_block(&fixture, creature_place(&fixture, entity)))
                fail_msg("%s: the villager is inside of a block", s->name);
        }
        if (arrives != is_solved)
            fail_msg("%s: the villager %s", s->name, arrives ? "arrived" : "is stuck");
        solved += is_solved;
        cn_destroy(fixture.sim.world, entity);
    }
    print_message("%u of %zu are solved\n", solved, CN_COUNT_OF(situations));
    assert_true(2 * solved > CN_COUNT_OF(situations));
    free_searcher(&searcher);
    creatures_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creatures_walk_every_path_that_exists),
        cmocka_unit_test(animals_arrive_wherever_a_path_leads),
        cmocka_unit_test(villagers_arrive_wherever_a_path_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
