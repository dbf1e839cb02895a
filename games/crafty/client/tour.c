#include "tour.h"

#include "crafty/world/viewpoint.h"

#include <stdio.h>
#include <string.h>

/* ---- Keys ---- */

static CraftyTourKey *add_key(CraftyTour *tour, float seconds, CraftyPose pose, float hours)
{
    if (tour->count == CRAFTY_TOUR_MAX_KEYS)
        return &tour->keys[tour->count - 1];
    CraftyTourKey *key = &tour->keys[tour->count++];
    *key = (CraftyTourKey){.seconds = seconds, .pose = pose, .hours = hours};
    return key;
}

/* Holds the camera at a position for a while, turning slowly, and takes a screenshot at the end. */
static void add_stop(CraftyTour *tour, const char *name, CraftyPose pose, float hours,
                     CraftyWeatherKind weather)
{
    float begin = crafty_tour_seconds(tour);
    CraftyTourKey *first = add_key(tour, begin, pose, hours);
    first->jumps = true;
    first->weather = weather;
    snprintf(first->name, sizeof first->name, "%s", name);
    pose.yaw += 3;
    add_key(tour, begin + 0.75f, pose, hours)->weather = weather;
}

/* ---- The tours ---- */

#define FLIGHT_SPEED 20.0f
#define FLIGHT_SECONDS 60

/* Straight ahead, above the trees, at constant ground speed. */
static void plan_flight(CraftyTour *tour, CraftyWorld *world, const CraftyPose *spawn)
{
    CnVec3 way = cn_quat_rotate(cn_quat_from_euler(cn_vec3(0, spawn->yaw, 0)), cn_vec3(0, 0, -1));
    float heights[FLIGHT_SECONDS + 3];
    for (int32_t i = 0; i < FLIGHT_SECONDS + 3; i++) {
        float distance = FLIGHT_SPEED * (float)(i - 1);
        CnColumn column =
            cn_generate_column(crafty_world_generator(world), crafty_world_scratch(world),
                               (int32_t)(spawn->position.x + way.x * distance),
                               (int32_t)(spawn->position.z + way.z * distance));
        heights[i] = column.height > CN_SEA_LEVEL ? column.height : CN_SEA_LEVEL;
    }
    for (int32_t i = 0; i <= FLIGHT_SECONDS; i++) {
        float distance = FLIGHT_SPEED * (float)i, height = 0;
        for (int32_t k = i; k < i + 3; k++)
            height = heights[k] > height ? heights[k] : height;
        CraftyPose pose = {.position = {spawn->position.x + way.x * distance, height + 22,
                                        spawn->position.z + way.z * distance},
                           .yaw = spawn->yaw,
                           .pitch = -14};
        CraftyTourKey *key = add_key(tour, (float)i, pose, 10);
        if (i % 10 == 0 && i < FLIGHT_SECONDS)
            snprintf(key->name, sizeof key->name, "flight_%02d", (int)i);
    }
}

/* One full turn during a whole day. */
static void plan_day(CraftyTour *tour, CraftyWorld *world, const CraftyPose *spawn)
{
    (void)world;
    for (int32_t i = 0; i <= 24; i++) {
        CraftyPose pose = *spawn;
        pose.position.y += 8;
        pose.yaw += 15.0f * (float)i;
        CraftyTourKey *key = add_key(tour, (float)i, pose, (float)((6 + i) % 24));
        if (i < 24 && i % 3 == 0)
            snprintf(key->name, sizeof key->name, "day_%02d", (int)((6 + i) % 24));
    }
}

/* A position in each biome found within this distance of the spawn. */
#define VIEWS_RADIUS 6000
static void plan_views(CraftyTour *tour, CraftyWorld *world, const CraftyPose *spawn)
{
    static const struct {
        const char *name;
        CnBiome biome;
        float above, hours;
        CraftyWeatherKind weather;
    } stops[] = {
        {"plains", CN_BIOME_GRASSY_PLAINS, 3, 7.5f, CRAFTY_CLEAR},
        {"forest", CN_BIOME_FOREST, 12, 10, CRAFTY_CLOUDY},
        {"mountains", CN_BIOME_SNOWY_MOUNTAINS, 6, 15, CRAFTY_CLEAR},
        {"desert", CN_BIOME_DESERT, 5, 17, CRAFTY_CLEAR},
        {"badlands", CN_BIOME_BADLANDS, 8, 18, CRAFTY_CLOUDY},
        {"jungle", CN_BIOME_JUNGLE, 10, 12, CRAFTY_HEAVY_RAIN},
        {"cherry", CN_BIOME_CHERRY_GROVE, 5, 9, CRAFTY_CLEAR},
        {"taiga", CN_BIOME_TAIGA, 8, 16, CRAFTY_LIGHT_SNOW},
    };
    add_stop(tour, "spawn", *spawn, 9.5f, CRAFTY_CLEAR);
    int32_t x = (int32_t)spawn->position.x, z = (int32_t)spawn->position.z;
    for (uint32_t i = 0; i < CN_COUNT_OF(stops); i++) {
        CnCell cell;
        if (!crafty_find_biome(world, stops[i].biome, x, z, VIEWS_RADIUS, &cell))
            continue;
        CraftyPose pose = crafty_viewpoint(world, cell.x, cell.z, stops[i].above);
        add_stop(tour, stops[i].name, pose, stops[i].hours, stops[i].weather);
    }
    add_stop(tour, "night", *spawn, 23, CRAFTY_CLEAR);
}

static const struct {
    const char *name;
    void (*plan)(CraftyTour *tour, CraftyWorld *world, const CraftyPose *spawn);
} tours[] = {{"flight", plan_flight}, {"views", plan_views}, {"day", plan_day}};

const char *crafty_tour_names(void)
{
    return "flight (20 blocks per second), views (one per biome) or day (24 hours)";
}

bool crafty_tour_exists(const char *name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(tours); i++)
        if (!strcmp(name, tours[i].name))
            return true;
    return false;
}

void crafty_tour_plan(CraftyTour *tour, const char *name, CraftyWorld *world,
                      const CraftyPose *spawn)
{
    tour->count = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(tours); i++)
        if (!strcmp(name, tours[i].name))
            tours[i].plan(tour, world, spawn);
}

float crafty_tour_seconds(const CraftyTour *tour)
{
    return tour->count ? tour->keys[tour->count - 1].seconds : 0;
}

/* ---- Interpolation ---- */

/* Catmull-Rom spline from b to c, with tangents given by a and d. */
static float curve(float a, float b, float c, float d, float t)
{
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

static CnVec3 curve3(CnVec3 a, CnVec3 b, CnVec3 c, CnVec3 d, float t)
{
    return cn_vec3(curve(a.x, b.x, c.x, d.x, t), curve(a.y, b.y, c.y, d.y, t),
                   curve(a.z, b.z, c.z, d.z, t));
}

/* Mirrors the first pose at the second, to extrapolate the path at its ends. */
static CraftyPose beyond(const CraftyPose *first, const CraftyPose *second)
{
    return (CraftyPose){cn_vec3_sub(cn_vec3_scale(second->position, 2), first->position),
                        2 * second->yaw - first->yaw, 2 * second->pitch - first->pitch};
}

/* Interpolates across midnight the short way. */
static float mix_hours(float a, float b, float t)
{
    float way = b - a;
    way += way < -12 ? 24.0f : way > 12 ? -24.0f : 0;
    float hours = a + way * t;
    return hours < 0 ? hours + 24 : hours >= 24 ? hours - 24 : hours;
}

CraftyTourMoment crafty_tour_at(const CraftyTour *tour, float seconds)
{
    const CraftyTourKey *keys = tour->keys;
    uint32_t at = 0;
    while (at + 1 < tour->count && keys[at + 1].seconds <= seconds)
        at++;
    const CraftyTourKey *b = &keys[at];
    CraftyTourMoment moment = {b->pose, b->hours, b->weather, at};
    if (at + 1 == tour->count || keys[at + 1].jumps || seconds < b->seconds)
        return moment;
    const CraftyPose *from = &b->pose, *to = &b[1].pose;
    CraftyPose before = at > 0 && !b->jumps ? b[-1].pose : beyond(to, from);
    CraftyPose after = at + 2 < tour->count && !b[2].jumps ? b[2].pose : beyond(from, to);
    float t = (seconds - b->seconds) / (b[1].seconds - b->seconds);
    moment.pose.position = curve3(before.position, from->position, to->position, after.position, t);
    moment.pose.yaw = curve(before.yaw, from->yaw, to->yaw, after.yaw, t);
    moment.pose.pitch = curve(before.pitch, from->pitch, to->pitch, after.pitch, t);
    moment.hours = mix_hours(b->hours, b[1].hours, t);
    return moment;
}
