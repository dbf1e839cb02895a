#include "day.h"

#include "systems.h"
#include "weather.h"

#include <cairn/base/math.h>
#include <cairn/ecs/system.h>
#include <cairn/scene/presentation.h>

#define SUN_TILT                                                                                   \
    (CN_PIF / 6) /* tilt of the path from the vertical to the south; sky_night.glsl has the pole   \
                  */
#define SUN_INTENSITY 6.0f
#define MOON_INTENSITY 0.85f
#define MOON_MIN 0.3f /* fraction of moonlight at new moon: starlight */

/* ---- The clock ---- */

static bool is_day(double days)
{
    double part = days - cn_floor(days);
    return part >= 0.25 && part < 0.75;
}

double crafty_days_after(double days, double seconds)
{
    double part = is_day(days) ? CRAFTY_DAY_PART : 1 - CRAFTY_DAY_PART;
    return days + seconds * 0.5 / (CRAFTY_CYCLE_SECONDS * part);
}

void crafty_day_set_hours(CnWorld *world, float hours)
{
    CraftyDay *day = cn_resource_mut(world, CraftyDay);
    day->days = cn_floor(day->days) + (double)hours / 24;
}

float crafty_day_hours(const CnWorld *world)
{
    double days = cn_resource(world, CraftyDay)->days;
    return (float)((days - cn_floor(days)) * 24);
}

/* ---- The sky ---- */

static float bounded(float x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Smooth step: 0 at `from`, 1 at `to`. */
static float ease(float from, float to, float x)
{
    float t = bounded((x - from) / (to - from));
    return t * t * (3 - 2 * t);
}

/* Returns the sunlight that the atmosphere transmits: vertical optical depths of molecules, dust
 * and ozone, times the air mass (Kasten and Young 1989). */
static CnVec3 through_air(float rise)
{
    const CnVec3 depth = {0.084f, 0.166f, 0.220f};
    float degrees = cn_asinf(bounded(rise)) * 180 / CN_PIF;
    float way = 1 / (bounded(rise) + 0.50572f * cn_powf(degrees + 6.07995f, -1.6364f));
    return cn_vec3(cn_expf(-depth.x * way), cn_expf(-depth.y * way), cn_expf(-depth.z * way));
}

/* `turn`: radians since rising. */
static CnVec3 on_the_way(float turn)
{
    float sine, cosine, tilt_sine, tilt_cosine;
    cn_sincosf(turn, &sine, &cosine);
    cn_sincosf(SUN_TILT, &tilt_sine, &tilt_cosine);
    return cn_vec3(cosine, sine * tilt_cosine, sine * tilt_sine);
}

static void choose_light(CraftySky *sky)
{
    const CnVec3 moonlight = {0.40f, 0.60f, 1.0f};
    float sun = SUN_INTENSITY * ease(-0.02f, 0.10f, sky->to_sun.y);
    float full = 0.5f - 0.5f * cn_cosf(2 * CN_PIF * sky->moon_phase);
    float moon =
        MOON_INTENSITY * (MOON_MIN + (1 - MOON_MIN) * full) * ease(0.06f, 0.26f, sky->to_moon.y);
    bool is_sun = sky->to_sun.y > -0.03f;
    sky->to_light = is_sun ? sky->to_sun : sky->to_moon;
    sky->light =
        is_sun ? cn_vec3_scale(through_air(sky->to_sun.y), sun) : cn_vec3_scale(moonlight, moon);
}

CraftySky crafty_sky_at(double days)
{
    double part = days - cn_floor(days), months = (days - 1) / CRAFTY_MOON_DAYS + 0.5;
    double turns = part < 0.25 ? part + 0.75 : part - 0.25; /* since sunrise */
    float turn = (float)(turns * 2 * CN_PI);
    CraftySky sky = {.to_sun = on_the_way(turn),
                     .moon_phase = (float)(months - cn_floor(months)),
                     .star_rotation = turn};
    sky.to_moon = cn_vec3_scale(sky.to_sun, -1);
    choose_light(&sky);
    return sky;
}

/* ---- The system ---- */

/* Skies of content change it slowly: biomes have sharp borders. */
static CnVec4 color_of(const CnWorld *world, const CraftySky *sky, const CnVec4 *now, float dt)
{
    const CnVec4 plain = {sky->light.x, sky->light.y, sky->light.z, 1};
    if (!crafty_has_skies(crafty_weather_kinds(world)))
        return plain;
    const CraftySkyChange change = crafty_weather_sky(world);
    const CnVec4 aim = {plain.x * change.light[0], plain.y * change.light[1],
                        plain.z * change.light[2], 1};
    const float part = dt < 1 ? dt : 1;
    return (CnVec4){now->x + (aim.x - now->x) * part, now->y + (aim.y - now->y) * part,
                    now->z + (aim.z - now->z) * part, 1};
}

static void turn_day(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CraftyDay *day = cn_resource_mut(world, CraftyDay);
    if (!day)
        return;
    day->days = crafty_days_after(day->days, (double)context->dt * (double)day->speed);
    CnTransform *transform = cn_get_mut(world, day->light, CnTransform);
    CnLight *light = cn_get_mut(world, day->light, CnLight);
    if (!transform || !light)
        return;
    CraftySky sky = crafty_sky_at(day->days);
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    transform->rotation = cn_quat_look(cn_vec3_scale(sky.to_light, -1), cn_vec3(0, 0, 1));
    light->color = color_of(world, &sky, &light->color, context->dt);
    light->intensity = weather ? crafty_weather_light(weather) : 1;
}

bool crafty_day_add(CnWorld *world, CnError *error)
{
    static const CraftyDay start = {.days = (double)CRAFTY_FIRST_HOUR / 24, .speed = 1};
    if (!cn_presentation_add(world, error))
        return false;
    if (!cn_resource(world, CraftyDay) &&
        !cn_resource_set_value(world, cn_id(world, CraftyDay), &start))
        return cn_error_memory(error, "the day");
    CnSystemDesc desc = {.name = "TurnDay",
                         .run = turn_day,
                         .stage = CN_STAGE_UPDATE,
                         .access = {cn_writes(CraftyDay), cn_reads(CraftyWeather),
                                    cn_reads(CraftyWeatherTable), cn_writes(CnTransform),
                                    cn_writes(CnLight)}};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
