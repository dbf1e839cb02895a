/*
 * Pictures and films of creatures: Crafty without a window, with creatures around the camera.
 *
 *     creature_scenes SCENE [OPTIONS OF CRAFTY]
 *
 * tools/gallery runs it. The creatures are spawned between two ticks, as a test does, on the ground
 * before the camera; then the simulation moves them. In films, the camera walks.
 */
#include <cairn/base/console.h>
#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <crafty/client/game.h>
#include <crafty/client/play.h>
#include <crafty/sim/creature/creatures.h>

#include <stdio.h>
#include <string.h>

#define SPAWN_FRAME 2u
#define FRAMES_PER_SECOND 60.0f
#define WALK_SECONDS 20.0f
#define WALK_SPEED 0.3f    /* blocks per second */
#define WALK_ASIDE 1.6f    /* blocks, at the middle of the walk */
#define LOOK_DEGREES 24.0f /* to both sides */
#define EYE 2.4f           /* blocks above the ground, at least */

/* `right` and `ahead` of the camera, in blocks. */
typedef struct Actor {
    const char *kind; /* NULL ends a list */
    float right, ahead, yaw;
    bool is_young, is_tame;
    const char *label;
} Actor;

typedef struct Scene {
    const char *name;
    Actor actors[28];
} Scene;

static const Scene scenes[] = {
    {"pond",
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
     {{"cow", -4, 9, 40, false, false, NULL},
      {"cow", -5.6f, 11, 120, true, false, NULL},
      {"sheep", 1, 8, 160, false, false, NULL},
      {"sheep", 3, 10.5f, 80, false, false, NULL},
      {"sheep", 2.4f, 7, 110, true, false, NULL},
      {"pig", -1.6f, 6, 150, false, false, NULL},
      {"pig", -2.6f, 5.4f, 210, true, false, NULL},
      {"chicken", 1.4f, 4.6f, 190, false, false, NULL},
      {"chicken", 2, 4.2f, 150, true, false, NULL},
      {"chicken", 1, 4, 170, true, false, NULL},
      {"wolf", 4, 6, 140, false, true, "Rex"},
      {"sheep", 6, 14, 60, false, false, NULL},
      {"sheep", -7, 16, 20, false, false, NULL},
      {"cow", 8, 18, 100, false, false, NULL},
      {"bee", -0.4f, 4, 120, false, false, NULL},
      {"bee", 0.6f, 5, 30, false, false, NULL},
      {"duck", -3.6f, 4.2f, 190, false, false, NULL}}},
    {"night",
     {{"zombie", -1.5f, 7, 180, false, false, NULL},
      {"zombie", -4.5f, 10, 160, false, false, NULL},
      {"zombie", 4.8f, 12, 200, false, false, NULL},
      {"zombie", 7, 15, 180, false, false, NULL},
      {"creeper", 2, 6, 170, false, false, NULL},
      {"zombie", -8, 16, 150, false, false, NULL}}},
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

/* A walk of 20 seconds in an arc, with a look to both sides. */
static void walk(const Stage *stage, CnEngine *engine)
{
    const CraftyPose *pose = &stage->crafty->play->pose;
    float seconds = (float)stage->frame / FRAMES_PER_SECOND;
    float yaw = pose->yaw + LOOK_DEGREES * cn_sinf(2 * CN_PIF * seconds / WALK_SECONDS);
    CnQuat ahead = cn_quat_from_euler(cn_vec3(0, pose->yaw, 0));
    CnVec3 way =
        cn_quat_rotate(ahead, cn_vec3(WALK_ASIDE * cn_sinf(CN_PIF * seconds / WALK_SECONDS), 0,
                                      -WALK_SPEED * seconds));
    CnVec3 at = cn_vec3_add(pose->position, way);
    CnVoxels *voxels = crafty_terrain_voxels(stage->crafty->play->terrain);
    float ground = 0; /* smoothed over a few blocks */
    for (int32_t i = -2; i <= 2; i++)
        for (int32_t k = -2; k <= 2; k++)
            ground += (float)cn_voxels_height(voxels, (int32_t)cn_floorf(at.x) + i,
                                              (int32_t)cn_floorf(at.z) + k) /
                      25;
    float above = pose->position.y - ground > EYE ? pose->position.y : ground + EYE;
    at.y = pose->position.y > above ? pose->position.y : above;
    cn_engine_set_camera(
        engine, &(CnRenderCamera){.valid = true,
                                  .position = at,
                                  .rotation = cn_quat_from_euler(cn_vec3(pose->pitch, yaw, 0)),
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
    for (const Actor *actor = stage->scene->actors; actor->kind; actor++)
        spawn(stage, cn_engine_world(engine), actor);
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
        cn_print_error("usage: creature_scenes pond|meadow|night [OPTIONS OF CRAFTY]");
        return 2;
    }
    CraftyOptions options;
    CnOptionsResult result = crafty_options_read(&options, count - 1, arguments + 1);
    if (result != CN_OPTIONS_CONTINUE)
        return result == CN_OPTIONS_HELP_PRINTED ? 0 : 2;
    options.has_creatures = true;
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
