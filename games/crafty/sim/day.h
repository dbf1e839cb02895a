/*
 * Day and night: the sun, the moon with its phases, and the light that comes from them.
 *
 *     crafty_day_add(world, &error);                        // CraftyDay, and the system TurnDay of Update
 *     cn_resource_mut(world, CraftyDay)->light = sun;       // an object with a directional CnLight
 *     crafty_day_set_hours(world, 18.5f);
 *
 * The clock has 24 hours; the sun rises at 6 in the east (+x), stands highest at 12 in the south (+z), sets at 18 in
 * the west. A cycle takes as long as a turn of .01 radians a second, 628 seconds; four fifths of it are day, so hours of
 * the night are short. The moon stands opposite to the sun, and is full in the first night and every eighth after it.
 *
 * TurnDay turns the light and gives it its color: that of the sun, weaker and red when it is low, none in twilight,
 * then that of the moon. Clouds and fog (CraftyWeather, if the world has it) take some of it.
 */
#ifndef CRAFTY_SIM_DAY_H
#define CRAFTY_SIM_DAY_H

#include <cairn/ecs/world.h>

#define CRAFTY_CYCLE_SECONDS 628.31853
#define CRAFTY_DAY_PART 0.8    /* of a cycle, from 6 to 18 */
#define CRAFTY_MOON_DAYS 8.0   /* from full moon to full moon */
#define CRAFTY_FIRST_HOUR 8.0f /* when a world begins */

/*
 * days    since the midnight before the world began; what is behind the point is the time of day
 * speed   1 as above; 0: time stands still
 * light   the object that TurnDay turns; null: none
 */
CN_COMPONENT(CraftyDay, (f64, days), (f32, speed), (entity, light));

/* A resource of the world, and the system. Calling it again is harmless. */
bool crafty_day_add(CnWorld *world, CnError *error);
/* 0 to 24, of the day that it is. */
void crafty_day_set_hours(CnWorld *world, float hours);
float crafty_day_hours(const CnWorld *world);

/* What follows from the time alone. */
typedef struct CraftySky {
    CnVec3 to_sun, to_moon;
    float moon_phase; /* 0 new, 0.5 full */
    float star_turn;  /* radians */
    CnVec3 to_light;  /* sun or moon, whichever lights the land */
    CnVec3 light;     /* its color, times intensity, under a clear sky */
} CraftySky;
CraftySky crafty_sky_at(double days);

/* Days, so many seconds later. */
double crafty_days_after(double days, double seconds);

#endif
