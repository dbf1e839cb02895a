/*
 * Day and night: the sun, the moon and its phases, and their light.
 *
 *     crafty_day_add(world, &error); // adds CraftyDay and the system TurnDay of Update
 *     cn_resource_mut(world, CraftyDay)->light = sun; // an entity with a directional CnLight
 *     crafty_day_set_hours(world, 18.5f);
 *
 * The clock has 24 hours. The sun rises at 6 in the east (+x), is highest at 12 in the south (+z)
 * and sets at 18 in the west. A cycle takes 628 seconds (0.01 radians per second). Four fifths of
 * it are day, so hours of the night are shorter. The moon is opposite the sun; it is full in the
 * first night and in every eighth night after that.
 *
 * TurnDay rotates the light and sets its color: that of the sun, weaker and red when it is low,
 * none at twilight, then that of the moon. Clouds and fog (CraftyWeather, if the world has it)
 * reduce it.
 */
#ifndef CRAFTY_SIM_DAY_H
#define CRAFTY_SIM_DAY_H

#include <cairn/ecs/world.h>

#define CRAFTY_CYCLE_SECONDS 628.31853
#define CRAFTY_DAY_PART 0.8    /* fraction of a cycle between 6 and 18 */
#define CRAFTY_MOON_DAYS 8.0   /* from full moon to full moon */
#define CRAFTY_FIRST_HOUR 8.0f /* time at which a new world starts */

/*
 * Fields:
 *     days    since the midnight before the world began; the fraction is the time of day
 *     speed   1 is normal; 0 stops time
 *     light   the entity that TurnDay rotates; null: none
 */
CN_COMPONENT(CraftyDay, (f64, days), (f32, speed), (entity, light));

/* Adds the resource and the system. Calling it again is harmless. */
bool crafty_day_add(CnWorld *world, CnError *error);
/* Sets the time of the current day, 0 to 24. */
void crafty_day_set_hours(CnWorld *world, float hours);
float crafty_day_hours(const CnWorld *world);

/* State that depends only on the time. */
typedef struct CraftySky {
    CnVec3 to_sun, to_moon;
    float moon_phase;    /* 0 new, 0.5 full */
    float star_rotation; /* radians */
    CnVec3 to_light;     /* sun or moon, whichever lights the world */
    CnVec3 light;        /* color times intensity under a clear sky */
} CraftySky;
CraftySky crafty_sky_at(double days);

/* Returns the day count after the given number of seconds. */
double crafty_days_after(double days, double seconds);

#endif
