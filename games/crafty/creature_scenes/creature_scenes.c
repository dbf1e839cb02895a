/*
 * Pictures and films of life: Crafty without a window, with creatures around the camera.
 *
 *     creature_scenes SCENE [OPTIONS OF CRAFTY]
 *
 * tools/gallery runs it. Creatures are spawned between two ticks, as a test does, on the ground
 * before the camera; a garden is planted in the same way. Then the simulation moves them for a
 * while before the picture is taken. In films, the camera walks.
 */
#include <cairn/base/console.h>
#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <crafty/client/game.h>
#include <crafty/client/play.h>
#include <crafty/sim/creature/creatures.h>
#include <crafty/sim/day.h>
#include <crafty/sim/growth.h>

#include <stdio.h>
#include <string.h>

#define SPAWN_FRAME 2u
#define TICKS_PER_SECOND 60u
#define HOURS_PER_SECOND 0.0239f /* by day */
#define WALK_SPEED 0.3f          /* blocks per second */
#define TURN_SPEED 1.5f          /* degrees per second */

/* `right` and `ahead` of the camera, in blocks. */
typedef struct Actor {
    const char *kind; /* NULL ends a list */
    float right, ahead, yaw;
    bool is_young, is_tame;
    const char *label;
} Actor;

typedef struct Scene {
    const char *name;
    uint32_t seconds; /* simulated before the first frame that counts */
    bool has_garden;
    Actor actors[28];
} Scene;

static const Scene scenes[] = {
    {"pond",
     1,
     false,
     {{"duck", -0.8f, 3.6f, 120, false, false, NULL},
      {"duck", 1.7f, 5, 60, false, false, NULL},
      {"duck", -0.2f, 3.1f, 120, true, false, NULL},
      {"duck", 0.4f, 3.5f, 110, true, false, NULL},
      {"duck", 0.9f, 3, 130, true, false, NULL},
      {"duck", 1.3f, 3.6f, 100, true, false, NULL},
      {"duck", -2.8f, 6, 200, false, false, NULL},
      {"duck", 3, 8, 20, false, false, NULL},
      {"fish", -1.4f, 4.4f, 90, false, false, NULL}}},
    {"meadow",
     1,
     false,
     {{"cow", -4, 8, 40, false, false, NULL},
      {"cow", -5.6f, 9.5f, 120, true, false, NULL},
      {"sheep", 0.6f, 8, 160, false, false, NULL},
      {"sheep", 3.6f, 10.5f, 80, false, false, NULL},
      {"sheep", 1.8f, 6.6f, 150, true, false, NULL},
      {"pig", -1.4f, 5.4f, 200, false, false, NULL},
      {"pig", -2.4f, 4.6f, 150, true, false, NULL},
      {"chicken", 1.4f, 4.2f, 190, false, false, NULL},
      {"chicken", 2, 3.6f, 150, true, false, NULL},
      {"chicken", 0.7f, 3.4f, 170, true, false, NULL},
      {"wolf", 3, 5.4f, 150, false, true, "Rex"},
      {"sheep", -8, 12, 20, false, false, NULL},
      {"bee", -0.2f, 4.6f, 120, false, false, NULL},
      {"bee", 2.4f, 6.4f, 30, false, false, NULL},
      {"duck", -3.6f, 3.9f, 190, false, false, NULL}}},
    {"night",
     1,
     false,
     {{"zombie", -1.6f, 4.6f, 190, false, false, NULL},
      {"zombie", 1.4f, 7, 170, false, false, NULL},
      {"zombie", -4.5f, 9, 160, false, false, NULL},
      {"zombie", 5.5f, 10, 200, false, false, NULL},
      {"creeper", 2.6f, 4.6f, 170, false, false, NULL},
      {"zombie", -8, 16, 150, false, false, NULL}}},
    {"village", 60, false, {{0}}}, /* the people who live there */
    {"garden",
     12,
     true,
     {{"sheep", 6.5f, 11, 120, false, false, NULL},
      {"chicken", -5.5f, 4.5f, 200, false, false, NULL},
      {"bee", 1, 5, 30, false, false, NULL}}},
};

typedef struct Stage {
    Crafty *crafty;
    const Scene *scene;
    uint32_t frame;
    bool walks; /* the camera walks through the scene, as a player would */
} Stage;

static void spawn(const Stage *stage, CnWorld *world, const Actor *actor)
{
    const CraftyPose *pose = &stage->crafty->play->pose;
    CnVoxels *voxels = crafty_terrain_voxels(stage->crafty->play->terrain);
    CnQuat turn = cn_quat_from_euler(cn_vec3(0, pose->yaw, 0));
    CnVec3 way = cn_quat_rotate(turn, cn_vec3(actor->right, 0, -actor->ahead));
    CnVec3 at = cn_vec3_add(pose->position, way);
    int32_t ground = cn_voxels_height(voxels, (int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.z));
    bool flies = strcmp(actor->kind, "bee") == 0;
    at.y = (float)ground + 1.05f + (flies ? 1.2f : 0);
    CnEntity entity =
        crafty_creature_spawn(world, &(CraftyCreatureDesc){.kind = actor->kind,
                                                           .position = at,
                                                           .yaw = pose->yaw + actor->yaw,
                                                           .is_young = actor->is_young,
                                                           .owner = actor->is_tame ? 1 : 0,
                                                           .label = actor->label});
    if (cn_entity_is_null(entity))
        CN_LOG_WARNING("scenes", "%s cannot be spawned at %.1f %.1f %.1f", actor->kind,
                       (double)at.x, (double)at.y, (double)at.z);
}

/* ---- The garden ---- */

#define GARDEN_SIDE 9   /* blocks to both sides of the camera */
#define GARDEN_DEPTH 17 /* blocks before the camera */
#define GARDEN_AIR 14   /* blocks above the ground */
#define GARDEN_DOWN 3   /* of the ground below the camera */
#define SAPLINGS 4u
#define GROWING 200u /* ticks of each sapling of a grown tree */

static CnCell garden_cell(const Stage *stage, int32_t right, int32_t up, int32_t ahead)
{
    CnVec3 at = stage->crafty->play->pose.position;
    return (CnCell){(int32_t)cn_floorf(at.x) + right, (int32_t)cn_floorf(at.y) - GARDEN_DOWN + up,
                    (int32_t)cn_floorf(at.z) - ahead};
}

static void put(const Stage *stage, CnCell cell, const char *name)
{
    CnVoxels *voxels = crafty_terrain_voxels(stage->crafty->play->terrain);
    CnEdit edit = {.kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = cn_block_find(cn_voxels_blocks(voxels), name)};
    cn_voxels_edit(voxels, &edit, NULL);
}

static void clear_ground(const Stage *stage)
{
    for (int32_t right = -GARDEN_SIDE; right <= GARDEN_SIDE; right++)
        for (int32_t ahead = -2; ahead <= GARDEN_DEPTH; ahead++) {
            put(stage, garden_cell(stage, right, -1, ahead), "dirt");
            put(stage, garden_cell(stage, right, 0, ahead), "grass");
            for (int32_t up = 1; up <= GARDEN_AIR; up++)
                put(stage, garden_cell(stage, right, up, ahead), "air");
        }
}

/* Two beds of crops with all their stages from left to right, and a ditch with water between. */
static void plant_beds(const Stage *stage)
{
    static const char *const crops[][4] = {
        {"wheat_stage_1", "wheat_stage_2", "wheat_stage_3", "wheat"},
        {"carrots_stage_1", "carrots_stage_2", "carrots_stage_3", "carrots"}};
    for (int32_t right = -4; right <= 3; right++)
        for (int32_t ahead = 3; ahead <= 7; ahead++) {
            put(stage, garden_cell(stage, right, 0, ahead), ahead == 5 ? "water" : "farmland_wet");
            if (ahead != 5)
                put(stage, garden_cell(stage, right, 1, ahead), crops[ahead < 5][(right + 4) / 2]);
        }
}

/* A row of saplings, and behind each of them a tree that grew from one. */
static void plant_trees(const Stage *stage)
{
    static const char *const saplings[SAPLINGS] = {"cherry_sapling", "birch_sapling", "oak_sapling",
                                                   "maple_sapling"};
    CnSim *sim = cn_engine_sim(stage->crafty->engine);
    CnWorld *world = cn_sim_world(sim);
    CnVoxels *voxels = crafty_terrain_voxels(stage->crafty->play->terrain);
    for (uint32_t i = 0; i < SAPLINGS; i++) {
        CnCell tree = garden_cell(stage, -7 + 5 * (int32_t)i, 1, 14 + (int32_t)(i % 2));
        put(stage, garden_cell(stage, -7 + 5 * (int32_t)i, 1, 9), saplings[i]);
        put(stage, tree, saplings[i]);
        for (uint32_t k = 0; k < GROWING; k++) {
            cn_sim_tick_n(sim, 1, NULL);
            crafty_growth_begin(world);
            crafty_growth_tick(world, tree, cn_voxels_get(voxels, tree), true);
        }
    }
}

static void plant_garden(const Stage *stage)
{
    clear_ground(stage);
    plant_trees(stage);
    plant_beds(stage);
}

/* ---- Time ---- */

/* Simulates the seconds before the time of day that was asked for, without drawing them. */
static void rehearse(const Stage *stage)
{
    CnSim *sim = cn_engine_sim(stage->crafty->engine);
    float hours = stage->crafty->options.hours;
    float before = (float)stage->scene->seconds * HOURS_PER_SECOND;
    crafty_day_set_hours(cn_sim_world(sim), hours > before ? hours - before : 0);
    cn_sim_tick_n(sim, (uint64_t)stage->scene->seconds * TICKS_PER_SECOND, NULL);
    crafty_day_set_hours(cn_sim_world(sim), hours);
}

/* A slow walk straight ahead, with a turn of the head. */
static void walk(const Stage *stage, CnEngine *engine)
{
    const CraftyPose *pose = &stage->crafty->play->pose;
    float seconds = (float)stage->frame / (float)TICKS_PER_SECOND;
    CnQuat ahead = cn_quat_from_euler(cn_vec3(0, pose->yaw, 0));
    CnVec3 way = cn_quat_rotate(ahead, cn_vec3(0, 0, -WALK_SPEED * seconds));
    CnQuat turn = cn_quat_from_euler(cn_vec3(pose->pitch, pose->yaw + TURN_SPEED * seconds, 0));
    cn_engine_set_camera(engine, &(CnRenderCamera){.valid = true,
                                                   .position = cn_vec3_add(pose->position, way),
                                                   .rotation = turn,
                                                   .fov = CRAFTY_FOV * CN_PIF / 180,
                                                   .near_plane = CRAFTY_NEAR_PLANE,
                                                   .far_plane = stage->crafty->settings.far_edge});
}

/* After the ticks of a frame. */
static void enter(CnEngine *engine, void *user)
{
    Stage *stage = user;
    if (stage->walks)
        walk(stage, engine);
    if (stage->frame++ != SPAWN_FRAME)
        return;
    if (stage->scene->has_garden)
        plant_garden(stage);
    for (const Actor *actor = stage->scene->actors; actor->kind; actor++)
        spawn(stage, cn_engine_world(engine), actor);
    rehearse(stage);
}

static const Scene *find_scene(const char *name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(scenes); i++)
        if (strcmp(scenes[i].name, name) == 0)
            return &scenes[i];
    return NULL;
}

int main(int count, char **arguments)
{
    Stage stage = {.scene = count > 1 ? find_scene(arguments[1]) : NULL};
    if (!stage.scene) {
        cn_print_error(
            "usage: creature_scenes pond|meadow|night|village|garden [OPTIONS OF CRAFTY]");
        return 2;
    }
    CraftyOptions options;
    CnOptionsResult result = crafty_options_read(&options, count - 1, arguments + 1);
    if (result != CN_OPTIONS_CONTINUE)
        return result == CN_OPTIONS_HELP_PRINTED ? 0 : 2;
    options.is_lively = true;
    for (int i = 2; i < count; i++)
        stage.walks = stage.walks || strcmp(arguments[i], "--video") == 0;
    CnError error = {0};
    stage.crafty = crafty_create(&options, &error);
    if (!stage.crafty) {
        cn_print_error("%s", error.message);
        return 1;
    }
    cn_engine_after_ticks(stage.crafty->engine, enter, &stage);
    int status = crafty_run(stage.crafty);
    crafty_destroy(stage.crafty);
    return status;
}
